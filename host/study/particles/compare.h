/* What integrators and solvers do with a chain of rods: orders of convergence, iterations, time. */
#ifndef CAB_STUDY_COMPARE_H
#define CAB_STUDY_COMPARE_H

#include <clcable/particles.h>

#include "study/particles/scores.h"

/* The measured order of each integrator: three rods of 1 m, drag 0.5 N s/m, 0.4 s, at three steps. */
cab_status cab_compare_orders(const cab_world_def *device, cab_integrator_score scores[CAB_INTEGRATOR_COUNT],
                              cab_error *error);

typedef enum cab_compare_scene {
    CAB_COMPARE_CHAIN = 0, /* hangs by one end, 0.5 rad out of the vertical */
    CAB_COMPARE_HAIR,      /* a bar of rods held at one end, ten strands hang from it: a tree */
    CAB_COMPARE_NET, /* square meshes, both forms of rods, held by a corner, the one opposite on a line */
    CAB_COMPARE_SCENES
} cab_compare_scene;

const char *cab_compare_scene_name(cab_compare_scene scene);

typedef struct cab_solver_row {
    cab_particles_solver solver;
    cab_particles_preconditioner preconditioner; /* pcg */
    int block;                                   /* block-jacobi */
    bool cold;                                   /* from zero */
    cab_compare_scene scene;
    int rods; /* about; of 0.1 m, 1 kg at each end */
    double tolerance;
    /* found */
    double iterations; /* a solve, mean */
    int iterations_most;
    double residual;   /* the worst of all solves */
    int least_squares; /* solves that went there */
    int capped;        /* solves that the cap ended */
    int solves;
    double seconds; /* a step */
} cab_solver_row;

/* Runs the scene, 0.1 s in steps of 1 ms by the default integrator, as the row says. */
cab_status cab_compare_solver(const cab_world_def *device, cab_solver_row *row, cab_error *error);

/* A chain of equal rods, `length` in all, 1 kg each rod's particle, from a fixed point on, straight, `angle`
 * out of the vertical: rods + 1 particles and as many constraints, to be freed. */
cab_status cab_compare_chain(int rods, double length, double angle, cab_particle_def **particles,
                             cab_particle_constraint_def **constraints, cab_error *error);

#endif
