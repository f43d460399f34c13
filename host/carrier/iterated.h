/* What carriers that iterate share. */
#ifndef CAB_ITERATED_H
#define CAB_ITERATED_H

#include "world/launches.h"

extern const cab_substep_hooks cab_iterated_substep;

/* Plans launches in place of those of the kinds that chunks solve themselves. */
typedef void cab_plan_chunks(cab_world *world, cab_launches *launches);

/* The launches of an iteration; what averages and tolerances need. plan_chunks: NULL = in colours. */
cab_status cab_iterated_start(cab_world *world, cab_plan_chunks *plan_chunks, cab_error *error);

#endif
