/* What integrators and solvers do with a chain of rods: orders of convergence, iterations, time. */
#ifndef CAB_STUDY_COMPARE_H
#define CAB_STUDY_COMPARE_H

#include <clcable/particles.h>

/* The measured order of each integrator: three rods of 1 m, drag 0.5 N s/m, 0.4 s, at three steps. */
cab_status cab_compare_orders(const cab_world_def *device, double *orders, cab_error *error);

typedef struct cab_solver_row {
    cab_particles_solver solver;
    int block; /* pcg */
    bool cold; /* from zero */
    int rods;
    double tolerance;
    /* found */
    double iterations; /* a solve, mean */
    int iterations_most;
    double residual;   /* the worst of all solves */
    int least_squares; /* solves that went there */
    int solves;
    double seconds; /* a step */
} cab_solver_row;

/* Runs the chain, 0.1 s in steps of 1 ms by the default integrator, as the row says. */
cab_status cab_compare_solver(const cab_world_def *device, cab_solver_row *row, cab_error *error);

/* A chain of equal rods, `length` in all, 1 kg each rod's particle, from a fixed point on, straight, `angle`
 * out of the vertical: rods + 1 particles and as many constraints, to be freed. */
cab_status cab_compare_chain(int rods, double length, double angle, cab_particle_def **particles,
                             cab_particle_constraint_def **constraints, cab_error *error);

#endif
