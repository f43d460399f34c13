/* Making worlds inside the library. */
#ifndef CAB_RUN_WORLD_H
#define CAB_RUN_WORLD_H

#include "world/world.h"

/* As cab_world_create, on the device of `beside` and in its OpenCL context, unless `beside` is NULL. */
cab_status cab_world_create_beside(const cab_scene *scene, const cab_world_def *def, const cab_world *beside,
                                   cab_world **world, cab_error *error);

#endif
