/* Makes the tables of a world anew. */
#ifndef CAB_WORLD_RESTART_H
#define CAB_WORLD_RESTART_H

#include <clcable/world.h>

/* Makes the tables of constraints and of the carrier from the present model: at the start, after a break,
 * with other masses or another way. All that sleeps wakes. */
cab_status cab_world_restart_carrier(cab_world *world, cab_error *error);

#endif
