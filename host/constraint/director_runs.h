/* Cables that have a director for each segment, and their tables (equations: kernels/director.h). */
#ifndef CAB_DIRECTOR_RUNS_H
#define CAB_DIRECTOR_RUNS_H

#include "kernels/director.h"
#include "model/model.h"

/* A cable with directors. Its links in model->twist_link come first, cable by cable, and do not change. */
typedef struct cab_director_cable {
    int cable;
    int first_link, first_node; /* in twist_link; in director_vertex, which has two rows a node */
    cab_range holds;            /* in twist_hold: those of it, along it */
} cab_director_cable;

/* NULL = it has none: see cab_twist_has_directors(). */
const cab_director_cable *cab_director_cable_of(const cab_model *model, int cable);
/* Finds these cables, and draws their directors: for cab_twist_draft(), before it makes the directors of holds. */
cab_status cab_director_draft(cab_model *model, cab_error *error);
/* Drafts the targets of their bendings and the kinks at rest: when holds have their directors. */
cab_status cab_director_rest(cab_model *model, cab_error *error);
/* How a bending of theirs is bent as it is drawn; of one at a clamp by the frame that the clamp has at first, or `rolled` is false: at roll
 * 0. */
cab_bent cab_director_drawn(const cab_model *model, int bending, bool rolled);
/* The director of a place that holds the roll of such a cable, at roll 0. */
cab_vec3 cab_director_at(const cab_model *model, const struct cab_twist_hold *hold);
/* Lists links, runs and vertices anew, between clamps that have not let go. There is room. */
void cab_director_list(cab_model *model);
/* Which row of the buffer `twist` has the moment of the segment that starts at a node of such a cable, or at its last node of the
 * cable's last segment. */
int cab_director_row(const cab_model *model, const cab_director_cable *cable, int node);
/* How many rows `twist` has: the holds, then two for each node of these cables. */
int cab_twist_rows(const cab_model *model);

#endif
