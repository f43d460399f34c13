/* Components whose bending and lengths are solved in one system (kernels/coupled.cl). A part of the carrier staged. */
#ifndef CAB_CARRIER_COUPLED_H
#define CAB_CARRIER_COUPLED_H

#include "world/world.h"

/* Makes and uploads the tables, of the world's branches. */
cab_status cab_coupled_start(cab_world *world, cab_error *error);
void cab_coupled_stop(cab_world *world);

/* The bending of a substep: before that of the others, and after it. */
cab_status cab_coupled_begin(cab_world *world, cab_error *error);
cab_status cab_coupled_unbend(cab_world *world, cab_error *error);
/* After it is chosen which components are stiff: these are coupled. */
cab_status cab_coupled_choose(cab_world *world, cab_error *error);
/* Their part of a pass. flags: CAB_NEWTON_... */
cab_status cab_coupled_solve(cab_world *world, int flags, cab_error *error);

#endif
