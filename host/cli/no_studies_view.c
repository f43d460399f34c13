/* Pictures of studies, in a build without them: never asked for. */
#include "cli/render_study.h"

#include "cli/run_study.h"

cab_shots cab_study_shots(const cab_study_kind *kind)
{
    (void)kind;
    return cab_shots_default();
}

bool cab_study_takes(const cab_study_kind *kind, const cab_options *options)
{
    (void)kind, (void)options;
    return false;
}

int cab_render_study(const cab_study_kind *kind, const char *path, const cab_options *options,
                     cab_shots *shots)
{
    (void)shots;
    return cab_run_study(kind, path, options);
}
