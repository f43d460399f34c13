/* What carriers that iterate share. */
#ifndef CAB_ITERATED_H
#define CAB_ITERATED_H

#include "world/launches.h"

extern const cab_substep_hooks cab_iterated_substep;

/* Plans the launches of the constraints that chunks solve. */
typedef void cab_plan_chunks(cab_world *world, cab_launches *launches);

/* Plans the launches of an iteration, and uploads what averages and tolerances need. plan_chunks: NULL = all
 * in colours. */
cab_status cab_iterated_start(cab_world *world, cab_plan_chunks *plan_chunks, cab_error *error);

#endif
