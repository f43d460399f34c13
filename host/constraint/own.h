/* The user's own constraints: the parts of the kind own. */
#ifndef CAB_OWN_CONSTRAINT_H
#define CAB_OWN_CONSTRAINT_H

#include "model/constraint_kind.h"
#include "world/world.h"

/* Expressions as operations for the devices, sorted by kind and colour; callbacks in the order of the scene. None acts where
 * something can break: they stay valid. */
cab_status cab_own_draft_all(cab_model *model, cab_error *error);

/* The callbacks, in their order; lambda: [callbacks]. */
cab_status cab_own_call(cab_world *world, double *lambda, bool first_pass, cab_error *error);

#endif
