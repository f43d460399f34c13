/* Making the tables of a world anew. */
#ifndef CAB_WORLD_RESTART_H
#define CAB_WORLD_RESTART_H

#include <clcable/world.h>

/* Tables of constraints and of the carrier, as the model is now: at the start, after a break, other masses, another way. All that
 * sleeps wakes. */
cab_status cab_world_restart_carrier(cab_world *world, cab_error *error);

#endif
