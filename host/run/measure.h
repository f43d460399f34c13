/* Measures of a frame. */
#ifndef CAB_MEASURE_H
#define CAB_MEASURE_H

#include "world/world.h"

/* Updates stretch, speed and penetration after a frame; CAB_ERROR_DIVERGED when one is out of bounds. */
cab_status cab_world_update_measures(cab_world *world, cab_error *error);

#endif
