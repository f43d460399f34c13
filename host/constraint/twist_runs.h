/* The runs of cables between places that hold their roll, which can twist (equations: kernels/twist.h). */
#ifndef CAB_TWIST_RUNS_H
#define CAB_TWIST_RUNS_H

#include "constraint/twist_holds.h"

/* Makes model->twist_hold of a new model. Fails where a cable cannot twist. */
cab_status cab_twist_draft(cab_model *model, cab_error *error);
/* Lists the runs anew, between neighbouring clamps that have not let go. There is room since cab_twist_draft(). */
void cab_twist_list(cab_model *model);
/* What damping must know of them (kernels/viscous.h). */
void cab_twist_share(cab_model *model);
/* The run that starts at a hold; NULL = none. */
const cab_twist_run *cab_twist_run_from(const cab_model *model, int hold);
/* Rad a metre of moment of the segment that starts at a node: l/GJ, 1/(N m); infinite where it turns freely. */
double cab_twist_compliance_of(const cab_model *model, int segment);
/* The row of the buffer `twist` that has the moment M at a node of a cable: that of the segment which starts there, or of the cable's
 * last one; -1 = none. Not of cables with directors, whose rows are those of cab_director_row(). */
int cab_twist_row(const cab_model *model, int node);

#endif
