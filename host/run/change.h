/* Settings that change while a world runs: what a change of the model asks for on the device. */
#ifndef CAB_CHANGE_H
#define CAB_CHANGE_H

#include "world/world.h"

/* Everything that cab_model_set_parameters() has changed: masses, damping, compliances, friction, drag. Places stay. */
cab_status cab_world_upload_parameters(cab_world *world, cab_error *error);
/* Of that, what follows from the length of a substep: damping, compliances, the tables of the carrier. */
cab_status cab_world_upload_substep(cab_world *world, cab_error *error);
/* Fills in what of the kernels' parameters follows from masses; from the length of a substep. */
void cab_world_fill_weights(cab_world *world);
void cab_world_fill_substep(cab_world *world);
/* Forces that the user sets, [scene loads]: which, and how large. Where none is the scene's counts again. */
cab_status cab_world_set_loads(cab_world *world, const bool *set, const cab_vec3 *force, cab_error *error);

#endif
