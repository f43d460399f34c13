/* Making worlds inside the library. */
#ifndef CAB_RUN_WORLD_H
#define CAB_RUN_WORLD_H

#include "backend/native/native.h"
#include "carrier/gang.h"
#include "world/world.h"

/* As cab_world_create, on the device of `beside` and in its OpenCL context, unless `beside` is NULL. */
cab_status cab_world_create_beside(const cab_scene *scene, const cab_world_def *def, const cab_world *beside,
                                   cab_world **world, cab_error *error);

/* Can frames of the world be taken together with others at all (carrier/gang.h)? */
cab_status cab_world_may_join(cab_world *world, bool *may, cab_error *error);

/* A world that steps together with others. */
typedef struct cab_joint_step {
    cab_world *world; /* NULL = it does not step */
    cab_status status;
    cab_error *error; /* of this world; untouched when `status` is CAB_OK */
} cab_joint_step;

/* One frame of each: what gangs can take by one launch they do, the others step by themselves. gangs: one of each kind. steps: [count],
 * as many as the gangs are large, each world in its own place. pool: shares out what is done for each world by itself; NULL = this
 * thread does it. What is wrong with a world is in its step; the result tells of what hits all. */
cab_status cab_world_step_together(cab_gang *const *gangs, cab_pool *pool, cab_joint_step *steps, int count,
                                   cab_error *error);

#endif
