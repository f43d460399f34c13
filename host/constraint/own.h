/* The user's own constraints: the parts of the kind own. */
#ifndef CAB_OWN_CONSTRAINT_H
#define CAB_OWN_CONSTRAINT_H

#include "model/constraint_kind.h"
#include "world/world.h"

/* Drafts expressions as operations for the devices, sorted by kind and colour, and callbacks in the order of
 * the scene. None may act where something can break, so they stay valid. */
cab_status cab_own_draft_all(cab_model *model, cab_error *error);

/* alpha / h^2; by PBD (1 - k)/k. */
double cab_own_compliance(const cab_model *model, const cab_constraint_def *def);

/* Solves the callbacks in their order; lambda: [callbacks]. */
cab_status cab_own_call(cab_world *world, double *lambda, bool first_pass, cab_error *error);

#endif
