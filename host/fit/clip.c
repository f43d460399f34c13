/* What a fit is asked for and gives, as far as it is the same in every build. */
#include <clcable/fit.h>

#include "base/array.h"

cab_fit_def cab_fit_default(void)
{
    return (cab_fit_def){.hold_out = 0.2, .seed = 1, .world = cab_world_default()};
}

cab_fit_clip cab_fit_clip_of(const cab_tracks *tracks, const char *scene, const char *file)
{
    return (cab_fit_clip){.scene = scene,
                          .file = file,
                          .probes = (const char *const *)tracks->probe,
                          .probe_count = tracks->probe_count,
                          .sample = tracks->sample,
                          .count = tracks->count};
}

void cab_fit_free(cab_fit_found *found)
{
    CAB_FREE(found->clips, found->warnings);
    *found = (cab_fit_found){0};
}
