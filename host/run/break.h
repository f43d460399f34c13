/* Attachments that break by force or let go by distance. */
#ifndef CAB_BREAK_H
#define CAB_BREAK_H

#include "world/world.h"

/* Called after a frame: breaks attachments whose mean force over the frame is larger than they bear, and
 * releases those that were pulled too far. */
cab_status cab_world_break(cab_world *world, cab_error *error);
/* Releases one attachment of the model. Afterwards cab_forces_start must be called. */
cab_status cab_world_break_one(cab_world *world, const cab_broken *broken, cab_error *error);

#endif
