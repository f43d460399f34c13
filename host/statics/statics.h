/* Rest by equilibrium: the places at which all forces on all particles of a model are balanced, found as a root instead of by waiting. */
#ifndef CAB_STATICS_H
#define CAB_STATICS_H

#include "model/model.h"

typedef struct cab_statics cab_statics;

/* Does work(data, i) for all i < count, in any order, perhaps by several threads. */
typedef void cab_share_out(void *by, int count, void (*work)(void *data, int i), void *data);

/* How a run that resists twisting ends: tangents, and directors at right angles to them, from which rolls are counted. */
typedef struct cab_rest_ends {
    cab_vec3 start, start_director, end, end_director;
    double roll; /* rad, by how much the end is rolled more than the start */
} cab_rest_ends;

typedef struct cab_statics_setup {
    const cab_collider *collider; /* [collider_count] where they are now */
    const cab_vec3 *load;         /* [load_count] forces now, N; of a couple its moment, N m */
    const cab_rest_ends *twist;   /* [twist_run_count] */
    int steps_most;
    double
        residual; /* N; a force that may be left on a particle where something touches. Elsewhere less is */
    cab_share_out *share_out;
    void *by;
    bool (*stop)(void *user); /* NULL, or asked before each step: true ends it */
    void *user;
} cab_statics_setup;

/* What is sought: it begins with x, slid and turned, and is filled whether it rests in the end or not. */
typedef struct cab_rest_shape {
    cab_vec3 *x;  /* [particle_count] m */
    double *slid; /* [attachment_count] how far the place of each clip has slid along its axis, m */
    double *
        turned; /* [twist_run_count] rad, by how much each run is twisted without its rolls (Phi in kernels/twist.h) */
    double *tension; /* [distance_count] N, positive where it is pulled */
    cab_vec3 *
        twist; /* [twist_link_count] N, what these pull each segment's second particle by, and its first the other way */
    bool *moving; /* [particle_count] it has not come to rest */
} cab_rest_shape;

/* What has come of it. */
typedef struct cab_rest {
    bool settled;
    bool stuck;    /* with friction between cables there is no end to it */
    bool slippery; /* so it was let go */
    int steps;
    double residual; /* N, the largest force that nothing balances, */
    int particle;    /* and on which it is */
    double moved;    /* m, by the farthest in the last step */
    double overlap;  /* m, the deepest that is left */
} cab_rest;

/* From the places in `shape` to the rest that is reached by going down from there. */
cab_status cab_statics_solve(const cab_model *model, const cab_statics_setup *setup, cab_rest_shape *shape,
                             cab_rest *rest, cab_error *error);

/* The force on D of a bending, see host/statics/bends.c, with the particles at x; N. */
cab_vec3 cab_statics_bend_force(const cab_model *model, int bending, const cab_vec3 *x);

#endif
