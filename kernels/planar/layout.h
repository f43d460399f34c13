/* The structs that host and device share here: X(type, member), for kernels/layout.h. */
#ifndef CAB_PLANAR_LAYOUT_H
#define CAB_PLANAR_LAYOUT_H

#include "types.h"

#define CAB_PLANAR_LAYOUT(X)                                                                                 \
    X(cab_pl_hand, body)                                                                                     \
    X(cab_pl_scene, hand)                                                                                    \
    X(cab_pl_scene, bodies)                                                                                  \
    X(cab_pl_scene, listed)                                                                                  \
    X(cab_pl_scene, all_asleep)                                                                              \
    X(cab_pl_motion, inverse_inertia)                                                                        \
    X(cab_pl_body, flags)                                                                                    \
    X(cab_pl_body, busy)                                                                                     \
    X(cab_pl_body, unknown)                                                                                  \
    X(cab_pl_corner, before)                                                                                 \
    X(cab_pl_cable, count)                                                                                   \
    X(cab_pl_cable, asleep)                                                                                  \
    X(cab_pl_attach, corner)                                                                                 \
    X(cab_pl_joint, head)                                                                                    \
    X(cab_pl_joint, id)                                                                                      \
    X(cab_pl_joint, chain)                                                                                   \
    X(cab_pl_row, a)                                                                                         \
    X(cab_pl_row, holds)                                                                                     \
    X(cab_pl_touch, id)                                                                                      \
    X(cab_pl_contact, touch)                                                                                 \
    X(cab_pl_contact, next)                                                                                  \
    X(cab_pl_unknown, low)                                                                                   \
    X(cab_pl_island, cells)                                                                                  \
    X(cab_pl_node, pull)                                                                                     \
    X(cab_pl_sweep, body)                                                                                    \
    X(cab_pl_pair, c)

#endif
