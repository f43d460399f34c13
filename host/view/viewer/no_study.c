/* What the viewer has of studies, in a build without them: nothing is one. */
#include "base/error.h"
#include "view/viewer/viewer_inside.h"

const cab_study_drawing *cab_study_drawing_of(const cab_study_kind *kind)
{
    (void)kind;
    return NULL;
}

cab_status cab_viewer_open_study(cab_viewer *v, const cab_study_kind *kind, const cab_study_def *def,
                                 cab_error *error)
{
    (void)v, (void)kind;
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: this build is without studies", def->path);
}

bool cab_viewer_choice(const cab_viewer *v, int index, cab_choice *choice)
{
    (void)v, (void)index, (void)choice;
    return false;
}

bool cab_viewer_choose(cab_viewer *v, int index, int value)
{
    (void)v, (void)index, (void)value;
    return false;
}
