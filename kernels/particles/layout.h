/* The structs that host and device share here: X(type, member), for kernels/layout.h. */
#ifndef CAB_PARTICLES_LAYOUT_H
#define CAB_PARTICLES_LAYOUT_H

#include "types.h"

#define CAB_PARTICLES_LAYOUT(X)                                                                              \
    X(cab_p_mouse, damping)                                                                                  \
    X(cab_p_system, mouse)                                                                                   \
    X(cab_p_system, particle)                                                                                \
    X(cab_p_report, steps)                                                                                   \
    X(cab_p_force, first_y)                                                                                  \
    X(cab_p_constraint, first_focus)                                                                         \
    X(cab_p_tableau, evaluations)                                                                            \
    X(cab_p_op, c)

#endif
