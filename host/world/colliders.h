/* Colliders that move, along keyframes or as the user wants. */
#ifndef CAB_WORLD_COLLIDERS_H
#define CAB_WORLD_COLLIDERS_H

#include <stdbool.h>

#include <clcable/world.h>

#include "kernels/types.h"

cab_status cab_colliders_start(cab_world *world, cab_error *error);
/* Computes their poses in the window's substeps. */
cab_status cab_colliders_update(cab_world *world, cab_error *error);
/* Puts them where they are between two frames. */
cab_status cab_colliders_place(cab_world *world, cab_error *error);
/* After the last substep of a frame: what the user moves has arrived. */
void cab_colliders_end_frame(cab_world *world);
/* Moves them to where they are at the end of a substep. */
cab_status cab_colliders_move(cab_world *world, int substep, cab_error *error);
void cab_colliders_end(cab_world *world);
/* A collider's pose at a part (0 to 1) of the coming frame. */
cab_pose cab_colliders_pose(const cab_world *world, int collider, double part);
/* A collider where it is between two frames. */
cab_collider cab_colliders_at_rest(const cab_world *world, int collider);
/* Can a collider be moved to this pose? */
cab_status cab_colliders_check(const cab_world *world, int collider, const cab_pose *pose, cab_error *error);
/* Moves a collider to a pose over the next frame. It stays there; its keyframes no longer count. */
cab_status cab_colliders_set(cab_world *world, int collider, const cab_pose *pose, cab_error *error);

#endif
