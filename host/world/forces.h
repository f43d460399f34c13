/* The forces that attachments bear: of those that can break, or of all where they are asked for. */
#ifndef CAB_WORLD_FORCES_H
#define CAB_WORLD_FORCES_H

#include <stdbool.h>

#include <clcable/world.h>

/* Which places are watched; again when an attachment has broken or mated. */
cab_status cab_forces_start(cab_world *world, cab_error *error);
/* At the start of a frame: velocities and loads, to compare with. */
cab_status cab_forces_begin_frame(cab_world *world, cab_error *error);
/* At the end of a substep: what constraints do to the watched places. */
cab_status cab_forces_add(cab_world *world, cab_error *error);
/* After a frame: adds each watched attachment's mean force to force[attachment of the model], N. */
cab_status cab_forces_read(cab_world *world, cab_vec3 *force, cab_error *error);

#endif
