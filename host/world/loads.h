/* Forces along keyframes, and forces that the user sets. */
#ifndef CAB_WORLD_LOADS_H
#define CAB_WORLD_LOADS_H

#include <stdbool.h>

#include <clcable/world.h>

#include "kernels/types.h"

/* Uploads the model's forces and couples, unless the way has them in its own tables. */
cab_status cab_loads_upload(cab_world *world, cab_error *error);
/* Makes room for forces along keyframes. */
cab_status cab_loads_make_room(cab_world *world, cab_error *error);
/* Computes their values in the window's substeps; sets those of a substep. */
cab_status cab_loads_update(cab_world *world, cab_error *error);
cab_status cab_loads_move(cab_world *world, int substep, cab_error *error);
/* A load's force between two frames, N. */
cab_vec3 cab_loads_now(const cab_world *world, int source);
/* A load's mean force over the frame that begins, N. */
cab_vec3 cab_loads_mean(const cab_world *world, int source);
/* Takes forces from the user, [scene loads]: which are set, and their values. Others have the scene's force
 * again. *changed: the model has other forces now, and what depends on them must be made again. */
bool cab_loads_is_set(const cab_world *world, int load);
cab_status cab_loads_set(cab_world *world, const bool *set, const cab_vec3 *force, bool *changed,
                         cab_error *error);

#endif
