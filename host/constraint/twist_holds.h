/* Places where cables hold their roll. */
#ifndef CAB_TWIST_HOLDS_H
#define CAB_TWIST_HOLDS_H

#include "kernels/vector.h"
#include "model/model.h"

/* A place of a cable where a clamp holds the roll. */
typedef struct cab_twist_hold {
    int attachment, cable, node;
    int place; /* in model->twist_place */
    bool back; /* its chain goes along its cable from the end to the start: */
    cab_vec3 direction,
        director; /* the tangent there, along the chain, and what is at right angles to it at roll 0: unit vectors */
} cab_twist_hold;

static inline vec3 cab_floats_of(cab_vec3 v)
{
    return vec3_make((float)v.x, (float)v.y, (float)v.z);
}

/* Lists them in model->twist_hold of a new model whose chains are listed, and in these, without directors. */
cab_status cab_twist_list_holds(cab_model *model, cab_error *error);
/* A unit vector at right angles to a direction: the director where a cable begins to be followed. */
cab_vec3 cab_twist_across(cab_vec3 direction);
/* A director, carried from a tangent to another one without twisting (kernels/twist.h). */
cab_vec3 cab_twist_carried(cab_vec3 director, cab_vec3 from, cab_vec3 to);
/* The director of a clamp that is rolled so, rad. */
cab_vec3 cab_twist_rolled(const cab_twist_hold *hold, double roll);
/* The roll of a clamp by the scene at a time, s, about the tangent of its chain; rad */
double cab_twist_roll(const cab_model *model, const cab_twist_hold *hold, double t);
/* A roll about the tangent of a clamp's cable, about that of its chain, and the other way round. */
static inline double cab_twist_roll_along(const cab_twist_hold *hold, double roll)
{
    return hold->back ? -roll : roll;
}
/* The largest moment between two nodes of a cable that a substep resolves, N m. */
double cab_twist_most(const cab_model *model, int cable, int from, int to);

#endif
