/* A build without studies: no file is one. The reader of cables tells what their scenes would need. */
#include "base/error.h"
#include "study/study.h"

cab_status cab_study_of_file(const char *path, const cab_study_kind **kind, cab_error *error)
{
    (void)path, (void)error;
    *kind = NULL;
    return CAB_OK;
}

cab_status cab_study_open(const cab_study_kind *kind, const cab_study_def *def, cab_study **study,
                          cab_error *error)
{
    (void)kind, (void)study;
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: this build is without studies", def->path);
}

void cab_study_close(cab_study *study)
{
    (void)study;
}
