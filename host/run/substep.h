/* A substep that goes stage by stage. */
#ifndef CAB_SUBSTEP_H
#define CAB_SUBSTEP_H

#include "world/world.h"

/* substep: of the frame, from 0. */
cab_status cab_world_substep(cab_world *world, int substep, cab_error *error);

#endif
