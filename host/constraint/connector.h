/* Connectors that latch. */
#ifndef CAB_CONNECTOR_H
#define CAB_CONNECTOR_H

#include "world/world.h"

/* Latches a connector at the end of a frame in which it began at `from`, m. */
cab_status cab_connector_mate(cab_world *world, int attachment, int frame, cab_vec3 from, cab_error *error);

#endif
