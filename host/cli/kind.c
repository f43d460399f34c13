#include "cli/kind.h"

#include <string.h>

#include "cli/particles.h"
#include "cli/planar.h"
#include "io/scene_key.h"

static const cab_scene_kind kinds[] = {
    {"particles", cab_run_particles, cab_check_particles},
    {"planar", cab_run_planar, cab_check_planar},
};

const cab_scene_kind *cab_scene_kind_of(const char *path)
{
    const char *key = cab_scene_key(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && key; i++)
        if (strcmp(kinds[i].key, key) == 0) return &kinds[i];
    return NULL;
}
