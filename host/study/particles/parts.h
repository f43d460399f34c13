/* Particles under Lagrange multipliers from the inside: integrators.c has the tableaus, build.c makes of defs
 * what a device reads, run.c puts it there and steps it, energy.c and dense.c work on the host. */
#ifndef CAB_STUDY_PARTICLES_H
#define CAB_STUDY_PARTICLES_H

#include <clcable/particles.h>

#include "kernels/particles/types.h"

#define CAB_P_LEAPFROG_START CAB_INTEGRATOR_COUNT
#define CAB_P_TABLEAUS (CAB_INTEGRATOR_COUNT + 1)

/* words.c; with a NULL behind the last */
extern const char *const cab_p_force_words[CAB_PARTICLE_FORCE_KINDS + 1];
extern const char *const cab_p_constraint_words[CAB_PARTICLE_CONSTRAINT_KINDS + 1];
extern const char *const cab_p_integrator_words[CAB_INTEGRATOR_COUNT + 1];
extern const char *const cab_p_solver_words[CAB_PARTICLES_SOLVERS + 1];
extern const char *const cab_p_preconditioner_words[CAB_PARTICLES_PRECONDITIONERS + 1];

const cab_p_tableau *cab_particles_tableaus(void);
int cab_particles_first_tableau(cab_integrator integrator);

/* A growing array of bytes. */
typedef struct cab_p_array {
    void *data;
    size_t count, capacity; /* elements */
} cab_p_array;

/* All systems of a batch as the device reads them. */
typedef struct cab_p_batch {
    cab_p_array systems;     /* cab_p_system */
    cab_p_array mass;        /* double */
    cab_p_array start;       /* cab_particle_def */
    cab_p_array forces;      /* cab_p_force */
    cab_p_array constraints; /* cab_p_constraint */
    cab_p_array table;       /* int */
    cab_p_array ops;         /* cab_p_op */
    cab_p_array foci;        /* cab_vec2 */
    size_t work;             /* doubles */
} cab_p_batch;

/* Checks a system and appends it. Messages begin with the value's JSON pointer within the system. */
cab_status cab_p_batch_add(cab_p_batch *batch, const cab_particles_def *def, cab_error *error);
void cab_p_batch_free(cab_p_batch *batch);
/* Checks settings and puts them into a system's record. */
cab_status cab_p_settle(const cab_particles_settings *settings, cab_p_system *system, cab_error *error);

/* elimination.c: the order in which rows are eliminated, and who meets whom there, as lists that
 * kernels/particles/cholesky.h reads. A list's place in a system's table is the member of that name of
 * cab_p_system. */
typedef struct cab_p_list {
    int *item;
    int count;
} cab_p_list;

typedef struct cab_p_elimination {
    cab_p_list level_start, row_of, later_start, later, earlier_start, earlier, update_start, update;
} cab_p_elimination;

/* From the rows and columns of J in a system's table. To be freed. */
cab_status cab_p_eliminate_rows(const int *table, const cab_p_system *system, cab_p_elimination *out,
                                cab_error *error);
void cab_p_elimination_free(cab_p_elimination *elimination);

/* foci.c: the curve of places whose distances to foci have the sum `length`, m. */
/* The sum at a place. */
double cab_p_foci_sum(const cab_vec2 *foci, int count, cab_vec2 at);
/* A place within the curve. False: no sum is as small, and *least is the smallest there is. */
bool cab_p_inside_foci(const cab_vec2 *foci, int count, double length, cab_vec2 *inside, double *least);
/* How far the curve is from a place within it, m; way: a unit vector. */
double cab_p_foci_radius(const cab_vec2 *foci, int count, double length, cab_vec2 inside, cab_vec2 way);

#define CAB_P_AT(array, type, index) ((array).data ? (type *)(array).data + (index) : NULL) /* none yet */

/* Kinetic and potential energy, J; x and v interleaved. */
double cab_p_kinetic(const cab_p_batch *batch, const cab_p_system *s, const double *v);
double cab_p_potential(const cab_p_batch *batch, const cab_p_system *s, const double *x);

/* What an angular spring does to its three particles, N. */
void cab_p_angle_forces(const cab_particle_force_def *force, double guard, const cab_vec2 x[3],
                        const cab_vec2 v[3], cab_vec2 out[3]);

/* The matrix of a small system at a state, whole. */
typedef struct cab_p_dense {
    int rows, columns;
    double *j; /* [rows][columns] */
    double *a; /* [rows][rows] J W J^T */
    double *b; /* [rows] -Jdot qdot - ks C - kd Cdot */
    double *c; /* [rows] C */
} cab_p_dense;

/* x and v interleaved. farthest (may be NULL): m, how far the farthest constraint is off. */
cab_status cab_p_dense_make(const cab_p_batch *batch, const cab_p_system *s, const double *x, const double *v,
                            cab_p_dense *dense, double *farthest, cab_error *error);
void cab_p_dense_free(cab_p_dense *dense);
/* Solves a lambda = b by pivoted Cholesky; where rows depend on one another the rest of lambda is 0. Returns
 * the rank, -1 without memory; `left` (may be NULL) gets |b - a lambda| / |b|. */
int cab_p_dense_solve(const cab_p_dense *dense, const double *b, double *lambda, double *left);

#endif
