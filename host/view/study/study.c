#include "view/study/study.h"

#include <string.h>

#include "io/scene_key.h"

const cab_study_kind *cab_study_kind_of(const char *key)
{
    static const cab_study_kind *const kinds[] = {&cab_particles_study, &cab_planar_study};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->key, key) == 0) return kinds[i];
    return NULL;
}

const cab_study_kind *cab_study_of_file(const char *path)
{
    const char *key = cab_scene_key(path);
    return key ? cab_study_kind_of(key) : NULL;
}

cab_world_def cab_study_device(const cab_study_def *def)
{
    cab_world_def device = cab_world_default();
    device.device = def->device;
    device.kernel_dir = def->kernel_dir;
    device.threads = def->threads;
    return device;
}
