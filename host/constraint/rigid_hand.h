/* The pull of a hand at a rigid body that forces move; at a node it is constraint/soft.c's. */
#ifndef CAB_CONSTRAINT_RIGID_HAND_H
#define CAB_CONSTRAINT_RIGID_HAND_H

#include "world/world.h"

bool cab_rigid_hand_pulls(const cab_model *model);
/* Its table, for the present model->pull. */
cab_status cab_rigid_hand_upload(cab_world *world, cab_error *error);
/* Where it pulls to in a substep, whose bodies are predicted; rigid_fit goes by that. */
cab_status cab_rigid_hand_aim(cab_world *world, int substep, cab_error *error);

#endif
