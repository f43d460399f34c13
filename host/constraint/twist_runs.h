/* Where cables hold their roll, and the runs between these places that can twist (equations: kernels/twist.h). */
#ifndef CAB_TWIST_RUNS_H
#define CAB_TWIST_RUNS_H

#include "model/model.h"

/* A place of a cable where a clamp holds the roll. */
typedef struct cab_twist_hold {
    int attachment, cable, node;
    cab_vec3 direction,
        director; /* the tangent there, and what is at right angles to it at roll 0: unit vectors */
} cab_twist_hold;

/* Makes model->twist_hold of a new model. Fails where a cable cannot twist. */
cab_status cab_twist_draft(cab_model *model, cab_error *error);
/* Lists the runs anew, between neighbouring clamps that have not let go. There is room since cab_twist_draft(). */
void cab_twist_list(cab_model *model);
/* The rows that show a run's moment: where its segments start, and the cable's last one where the run ends there. */
cab_range cab_twist_nodes(const cab_model *model, const cab_twist_run *run);
/* A unit vector at right angles to a direction: the director where a cable begins to be followed. */
cab_vec3 cab_twist_across(cab_vec3 direction);
/* The roll of a clamp at a time, s; rad */
double cab_twist_roll(const cab_model *model, const cab_twist_hold *hold, double t);
/* Rad a metre of moment between two nodes of a cable: the sum of l/GJ, 1/(N m); 0 = something there does not resist twisting. */
double cab_twist_compliance(const cab_model *model, int cable, int from, int to);
/* The largest moment there that a substep resolves, N m. */
double cab_twist_most(const cab_model *model, int cable, int from, int to);

#endif
