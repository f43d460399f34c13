/* Cables that pass their roll on to one another: end to end, by joints that clamp them. */
#ifndef CAB_TWIST_CHAINS_H
#define CAB_TWIST_CHAINS_H

#include "model/model.h"

/* A node of a chain. */
typedef struct cab_twist_place {
    int node;
    int joint; /* the attachment that joins it to the next one, which is the same place on the next cable; -1 = the next one is the
                  next of its own cable, or there is none */
} cab_twist_place;

/* A cable that resists twisting, or several one behind the other. */
typedef struct cab_twist_chain {
    int cable;        /* the first of its cables, which it goes along from its start to its end */
    cab_range places; /* in model->twist_place */
    cab_range holds;  /* in model->twist_hold: those in it, along it */
} cab_twist_chain;

/* Does a cable resist twisting, and is curved at rest, or has two stiffnesses, or a yield curvature? Then each segment has a director. */
bool cab_twist_has_directors(const cab_model *model, int cable);
/* Lists all chains of a new model in model->twist_chain, by their first cables, without holds. A chain that would close on itself begins
 * at the start of its first cable. */
cab_status cab_twist_list_chains(cab_model *model, cab_error *error);
/* Where a segment of a chain between a place and the next one starts along its cable: the node; -1 = a joint is there. */
int cab_twist_segment(const cab_model *model, int place);
/* From a place to the next one as drawn, a unit vector; 0 where a joint is there. */
cab_vec3 cab_twist_tangent_at(const cab_model *model, int place);

#endif
