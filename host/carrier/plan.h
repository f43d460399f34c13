/* Which carrier a world goes by. */
#ifndef CAB_PLAN_H
#define CAB_PLAN_H

#include "world/world.h"

/* Chooses the way; again when something has changed that it depends on. Where it is another one than before, the tables of the
 * carrier are to be made (cab_world_restart_carrier). */
cab_status cab_world_plan(cab_world *world, cab_error *error);

/* The way that `clcable tune` has found to be the fastest of this method on this device for scenes of about as many cables and
 * particles; CAB_WAY_AUTO where nothing is known. */
cab_way cab_tuned_way(const cab_world *world, int *chunks);

#endif
