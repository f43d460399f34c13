/* Colliders that move: along keyframes, or where the user wants them. */
#ifndef CAB_WORLD_COLLIDERS_H
#define CAB_WORLD_COLLIDERS_H

#include <stdbool.h>

#include <clcable/world.h>

#include "kernels/types.h"

cab_status cab_colliders_start(cab_world *world, cab_error *error);
/* Their poses in the window's substeps. */
cab_status cab_colliders_update(cab_world *world, cab_error *error);
/* Where they are between two frames. */
cab_status cab_colliders_place(cab_world *world, cab_error *error);
/* After the frame's last substep: where a call of the user will find them. */
void cab_colliders_end_frame(cab_world *world);
/* In a substep: to where they are at its end. */
cab_status cab_colliders_move(cab_world *world, int substep, cab_error *error);
void cab_colliders_end(cab_world *world);
/* Where a collider is at a part (0 to 1) of the coming frame. */
cab_pose cab_colliders_pose(const cab_world *world, int collider, double part);
/* Can a collider be moved to this pose? */
cab_status cab_colliders_check(const cab_world *world, int collider, const cab_pose *pose, cab_error *error);
/* Over the next frame, after which it stays there; keyframes count no more. */
cab_status cab_colliders_set(cab_world *world, int collider, const cab_pose *pose, cab_error *error);

#endif
