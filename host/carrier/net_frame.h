/* Whole frames of joined cables that touch nothing, in tiles of branches (kernels/nets.cl). */
#ifndef CAB_NET_FRAME_H
#define CAB_NET_FRAME_H

#include "world/world.h"

/* Can this world have such frames? Where the way staged was not asked for, each cable is one branch, and there is nothing else to be
 * done between substeps. */
bool cab_net_frame_possible(const cab_world *world);

/* Makes and uploads the tables of such frames. */
cab_status cab_net_frame_tables(cab_world *world, cab_error *error);

/* Computes the substeps of a frame, the first of them of first order if world->first_order. *done: false where something may have
 * touched, or a length could not be met; then all is as before. */
cab_status cab_net_frame_run(cab_world *world, bool *done, cab_error *error);

/* As settle of a carrier. */
cab_status cab_net_frame_settle(cab_world *world, bool change, cab_error *error);

void cab_net_frame_end(cab_world *world);

#endif
