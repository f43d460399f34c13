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
/* The rows that show a run's moment: where its segments start, and the cable's last one where the run ends there. */
cab_range cab_twist_nodes(const cab_model *model, const cab_twist_run *run);
/* Rad a metre of moment between two nodes of a cable: the sum of l/GJ, 1/(N m); 0 = something there does not resist twisting. */
double cab_twist_compliance(const cab_model *model, int cable, int from, int to);

#endif
