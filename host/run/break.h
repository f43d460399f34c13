/* Attachments that give way, by force or by distance. */
#ifndef CAB_BREAK_H
#define CAB_BREAK_H

#include "world/world.h"

/* After a frame: breaks those whose force, the mean over the frame just done, is more than they bear; lets those go that were pulled
 * too far. */
cab_status cab_world_break(cab_world *world, cab_error *error);
/* Lets one attachment of the model go; the watched forces are to be started again (cab_forces_start). */
cab_status cab_world_break_one(cab_world *world, const cab_broken *broken, cab_error *error);

#endif
