/* The pull of a hand at a rigid body that forces move; at a node it is constraint/soft.c's. */
#ifndef CAB_CONSTRAINT_RIGID_HAND_H
#define CAB_CONSTRAINT_RIGID_HAND_H

#include "world/world.h"

/* Its table, for the present model->pull. */
cab_status cab_rigid_hand_upload(cab_world *world, cab_error *error);
/* Bodies are predicted; the one that is pulled is moved by that. */
cab_status cab_rigid_hand_predicted(cab_world *world, int substep, cab_error *error);

#endif
