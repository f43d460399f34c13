/* The files that the studies of `clcable study` leave behind. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/study_commands.h"

cab_status cab_study_make_folder(const char *folder, cab_error *error)
{
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) return CAB_OK;
    return cab_fail(error, CAB_ERROR_IO, "%s: %s", folder, strerror(errno));
}

cab_status cab_study_write_file(const char *folder, const char *name, cab_file_content *content,
                                const void *of, cab_error *error)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return cab_fail(error, CAB_ERROR_IO, "%s: the name is too long", folder);
    return cab_file_make(path, content, of, error);
}
