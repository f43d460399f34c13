/* Colliders that move: along keyframes, or where the user wants them. */
#ifndef CAB_WORLD_COLLIDERS_H
#define CAB_WORLD_COLLIDERS_H

#include <stdbool.h>

#include <clcable/world.h>

#include "kernels/types.h"

/* A collider that may move. */
typedef struct cab_collider_motion {
    bool by_user;      /* cab_world_set_collider has taken over from the keyframes */
    cab_pose from, to; /* by_user: over the next frame; later it stays at `to` */
} cab_collider_motion;

typedef struct cab_world_colliders {
    bool move;
    cab_collider_motion *motion; /* [colliders] */
    cab_collider *path;          /* [substeps][colliders] over the coming frame */
    double *way;                 /* [substeps] the farthest way of any surface in each, m */
} cab_world_colliders;

cab_status cab_colliders_start(cab_world *world, cab_error *error);
/* Their poses over the coming frame. */
cab_status cab_colliders_update(cab_world *world, cab_error *error);
/* Where they are between two frames. */
cab_status cab_colliders_place(cab_world *world, cab_error *error);
/* In a substep: to where they are at its end. */
cab_status cab_colliders_move(cab_world *world, int substep, cab_error *error);
void cab_colliders_end(cab_world *world);
/* Where a collider is at a part (0 to 1) of the coming frame. */
cab_pose cab_colliders_pose(const cab_world *world, int collider, double part);

#endif
