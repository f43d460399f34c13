/* What others need of the carrier lanes. */
#ifndef CAB_LANES_H
#define CAB_LANES_H

#include "world/world.h"

/* Why the carrier lanes cannot run a clear frame of this world, or NULL. */
const char *cab_lanes_refuses_clear(const cab_world *world);
/* The same whatever its cables are joined to. */
const char *cab_lanes_refuses_frames(const cab_world *world);

/* From now on its cables are in its own tiles or buffers, with all that has changed while they were in a gang's. */
cab_status cab_lanes_come_home(cab_world *world, cab_error *error);

/* For each particle the index of its target; -1 = none. NULL: no memory. */
int *cab_lanes_moving(const cab_world *world, cab_error *error);

#endif
