#include "study/particles/scene.h"

#include <stdint.h>
#include <stdlib.h>

#include <jansson.h>

void cab_particles_scene_free(cab_particles_scene *scene)
{
    free((void *)(uintptr_t)scene->system.particles);
    free((void *)(uintptr_t)scene->system.forces);
    free((void *)(uintptr_t)scene->system.constraints);
    json_decref(scene->document);
    *scene = (cab_particles_scene){0};
}
