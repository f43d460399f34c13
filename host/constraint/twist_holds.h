/* Places where cables hold their roll. */
#ifndef CAB_TWIST_HOLDS_H
#define CAB_TWIST_HOLDS_H

#include "model/model.h"

/* A place of a cable where a clamp holds the roll. */
typedef struct cab_twist_hold {
    int attachment, cable, node;
    cab_vec3 direction,
        director; /* the tangent there, and what is at right angles to it at roll 0: unit vectors */
} cab_twist_hold;

/* Lists them in model->twist_hold of a new model, cable by cable, without directors. */
cab_status cab_twist_list_holds(cab_model *model, cab_error *error);
/* A unit vector at right angles to a direction: the director where a cable begins to be followed. */
cab_vec3 cab_twist_across(cab_vec3 direction);
/* The roll of a clamp at a time, s; rad */
double cab_twist_roll(const cab_model *model, const cab_twist_hold *hold, double t);
/* The largest moment between two nodes of a cable that a substep resolves, N m. */
double cab_twist_most(const cab_model *model, int cable, int from, int to);

#endif
