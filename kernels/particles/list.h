/* The buffers and kernels of this folder. host/backend/kernels.h takes them in and explains a row. */
#ifndef CAB_PARTICLES_LIST_H
#define CAB_PARTICLES_LIST_H

#define CAB_PARTICLES_BUFFERS(X)                                                                             \
    X(particles_system)     /* cab_p_system [systems] */                                                     \
    X(particles_report)     /* cab_p_report [systems] */                                                     \
    X(particles_mass)       /* double [particles of all systems] kg */                                       \
    X(particles_force)      /* cab_p_force */                                                                \
    X(particles_constraint) /* cab_p_constraint */                                                           \
    X(particles_table)      /* int; see cab_p_system */                                                      \
    X(particles_work)       /* double; see cab_p_system */                                                   \
    X(particles_tableau)    /* cab_p_tableau [2 integrators] */                                              \
    X(particles_op)         /* cab_p_op; expressions */                                                      \
    X(particles_focus)      /* double [foci of all systems][2] m */

/* What every stage takes: which part of it belongs to a system stands in the system's record. */
#define CAB_PARTICLES_ARGUMENTS                                                                              \
    particles_system, particles_report, particles_mass, particles_force, particles_constraint,               \
        particles_table, particles_work, particles_tableau, particles_op, particles_focus

#define CAB_PARTICLES_KERNELS(X)                                                                             \
    X(particles_fused, particles, block, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_begin, particles, item, CAB_PARTICLES_ARGUMENTS)                                             \
    X(particles_push, particles, item, CAB_PARTICLES_ARGUMENTS)                                              \
    X(particles_gather, particles, item, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_constrain_rows, particles, item, CAB_PARTICLES_ARGUMENTS)                                    \
    X(particles_right_side, particles, item, CAB_PARTICLES_ARGUMENTS)                                        \
    X(particles_spread, particles, item, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_apply, particles, item, CAB_PARTICLES_ARGUMENTS)                                             \
    X(particles_guess, particles, item, CAB_PARTICLES_ARGUMENTS)                                             \
    X(particles_sums, particles, item, CAB_PARTICLES_ARGUMENTS)                                              \
    X(particles_inspect, particles, item, CAB_PARTICLES_ARGUMENTS)                                           \
    X(particles_factor, particles, item, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_precondition, particles, item, CAB_PARTICLES_ARGUMENTS)                                      \
    X(particles_eliminate, particles, item, CAB_PARTICLES_ARGUMENTS)                                         \
    X(particles_forward, particles, item, CAB_PARTICLES_ARGUMENTS)                                           \
    X(particles_backward, particles, item, CAB_PARTICLES_ARGUMENTS)                                          \
    X(particles_advance, particles, item, CAB_PARTICLES_ARGUMENTS)                                           \
    X(particles_direct, particles, item, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_jacobi, particles, item, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_accelerate, particles, item, CAB_PARTICLES_ARGUMENTS)                                        \
    X(particles_accept, particles, item, CAB_PARTICLES_ARGUMENTS)                                            \
    X(particles_once, particles, item, CAB_PARTICLES_ARGUMENTS)                                              \
    X(particles_layout, particles, item, layout)

#endif
