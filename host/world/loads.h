/* Forces along keyframes, and forces that the user sets. */
#ifndef CAB_WORLD_LOADS_H
#define CAB_WORLD_LOADS_H

#include <stdbool.h>

#include <clcable/world.h>

#include "kernels/types.h"

/* Forces and couples to the device, as the model has them. */
cab_status cab_loads_upload(cab_world *world, cab_error *error);
/* Their values in the window's substeps; those of a substep. */
cab_status cab_loads_update(cab_world *world, cab_error *error);
cab_status cab_loads_move(cab_world *world, int substep, cab_error *error);
/* A load's mean over the frame that begins, N. */
cab_vec3 cab_loads_mean(const cab_world *world, int source);
/* Forces set by the user, [scene loads]: which, and how large. Where none is the scene's counts again. True in *changed: the
 * model has other forces now, and what follows from them is to be made again. */
bool cab_loads_is_set(const cab_world *world, int load);
cab_status cab_loads_set(cab_world *world, const bool *set, const cab_vec3 *force, bool *changed,
                         cab_error *error);

#endif
