/* What a frame has come to. */
#ifndef CAB_MEASURE_H
#define CAB_MEASURE_H

#include "world/world.h"

/* Stretch, speed, penetration of the frame just done; CAB_ERROR_DIVERGED when out of bounds. */
cab_status cab_world_update_measures(cab_world *world, cab_error *error);

#endif
