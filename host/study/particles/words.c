/* The words of enums, in documents and reports. */
#include "study/particles/parts.h"

const char *const cab_p_force_words[CAB_PARTICLE_FORCE_KINDS + 1] = {"spring", "angle-goal", "angle-energy",
                                                                     "angle-atan2", "expression"};

const char *cab_particle_force_name(cab_particle_force_kind kind)
{
    return kind >= 0 && kind < CAB_PARTICLE_FORCE_KINDS ? cab_p_force_words[kind] : "?";
}

const char *const cab_p_constraint_words[CAB_PARTICLE_CONSTRAINT_KINDS + 1] = {
    "rod-squared", "rod", "circle-squared", "circle", "ellipse", "point", "line", "n-ellipse"};

const char *cab_particle_constraint_name(cab_particle_constraint_kind kind)
{
    return kind >= 0 && kind < CAB_PARTICLE_CONSTRAINT_KINDS ? cab_p_constraint_words[kind] : "?";
}

const char *const cab_p_integrator_words[CAB_INTEGRATOR_COUNT + 1] = {
    "euler", "midpoint", "leapfrog", "leapfrog-2", "rk4", "verlet", "midpoint-verlet", "midpoint-verlet-2"};

const char *cab_integrator_name(cab_integrator integrator)
{
    return integrator >= 0 && integrator < CAB_INTEGRATOR_COUNT ? cab_p_integrator_words[integrator] : "?";
}

const char *const cab_p_solver_words[CAB_PARTICLES_SOLVERS + 1] = {"cg", "pcg", "jacobi", "least-squares"};

const char *cab_particles_solver_name(cab_particles_solver solver)
{
    return solver >= 0 && solver < CAB_PARTICLES_SOLVERS ? cab_p_solver_words[solver] : "?";
}

const char *const cab_p_preconditioner_words[CAB_PARTICLES_PRECONDITIONERS + 1] = {
    "block-jacobi", "incomplete-cholesky", "none"};

const char *cab_particles_preconditioner_name(cab_particles_preconditioner preconditioner)
{
    return preconditioner >= 0 && preconditioner < CAB_PARTICLES_PRECONDITIONERS
               ? cab_p_preconditioner_words[preconditioner]
               : "?";
}
