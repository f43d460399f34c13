/* Attachments that break by force or let go by distance. */
#ifndef CAB_BREAK_H
#define CAB_BREAK_H

#include "world/world.h"

/* Called after a frame: breaks attachments whose mean force over the frame is larger than they bear, and
 * releases those that were pulled too far. */
cab_status cab_world_break(cab_world *world, cab_error *error);
/* Does attachment i let go, by the force on it (N) or its distance from the target (m)? Then *broken is filled. */
bool cab_break_is_due(const cab_world *world, int i, double force, double distance, cab_broken *broken);
/* As cab_world_break_one(), with a line in the log. */
cab_status cab_break_now(cab_world *world, const cab_broken *broken, cab_error *error);
/* Releases one attachment of the model. Afterwards cab_forces_start must be called. */
cab_status cab_world_break_one(cab_world *world, const cab_broken *broken, cab_error *error);

#endif
