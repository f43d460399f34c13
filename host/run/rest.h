/* Rest by equilibrium inside the library. */
#ifndef CAB_RUN_REST_H
#define CAB_RUN_REST_H

#include "statics/statics.h"
#include "world/world.h"

#define CAB_REST_STEPS 2000 /* of Newton's method at most, unless cab_settle_def says so */

/* As cab_world_settle(); moving[bodies], NULL or filled: which cables and sheets have not come to rest. */
cab_status cab_world_settle_each(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                                 bool *moving, cab_error *error);

/* ---- inside ---- */

/* What every attachment bears with all at rest in this shape: kept as the mean of a frame is, see cab_world_get_attachments(). */
cab_status cab_rest_forces(cab_world *world, const cab_rest_shape *shape, cab_error *error);

/* Lets go what bears more than it can, or is pulled too far: in each component the one that does so most. *count: how many. */
cab_status cab_rest_break(cab_world *world, int *count, cab_error *error);

#endif
