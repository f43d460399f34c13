/* A substep that goes stage by stage. */
#ifndef CAB_SUBSTEP_H
#define CAB_SUBSTEP_H

#include "world/world.h"

/* Computes a substep; its number counts from 0 in the frame. */
cab_status cab_world_substep(cab_world *world, int substep, cab_error *error);

#endif
