/* Settings that change while a world runs: brings the device up to date with the model. */
#ifndef CAB_CHANGE_H
#define CAB_CHANGE_H

#include "world/world.h"

/* Uploads what cab_model_set_parameters() has changed: masses, damping, compliances, friction, drag. */
cab_status cab_world_upload_parameters(cab_world *world, cab_error *error);
/* Uploads of that what depends on the length of a substep: damping, compliances, the tables of the carrier. */
cab_status cab_world_upload_substep(cab_world *world, cab_error *error);
/* Sets the kernels' parameters that depend on masses. */
void cab_world_fill_weights(cab_world *world);
/* Takes forces from the user, [scene loads]: which are set, and their values. Others have the scene's force
 * again. */
cab_status cab_world_set_loads(cab_world *world, const bool *set, const cab_vec3 *force, cab_error *error);

#endif
