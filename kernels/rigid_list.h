/* Buffers and kernels of rigid bodies; host/backend/kernels.h takes them in and tells what the columns are. */
#ifndef CAB_RIGID_LIST_H
#define CAB_RIGID_LIST_H

#define CAB_RIGID_BUFFERS(X)                                                                                 \
    X(rigid)          /* cab_rigid [bodies] component by component */                                        \
    X(rigid_member)   /* cab_rigid_member [members] body by body, as those */                                \
    X(rigid_term)     /* cab_rigid_term [terms] */                                                           \
    X(rigid_touch)    /* cab_rigid_touch [touches] branches that may touch bodies */                         \
    X(rigid_touched)  /* int [bodies of touches][2] place in rigid, first column */                          \
    X(rigid_column)   /* float [columns] see cab_rigid_touch */                                              \
    X(rigid_press)    /* float [contacts of near][CAB_RIGID_PRESS] */                                        \
    X(rigid_shape)    /* cab_collider [shapes] see rigid_place */                                            \
    X(rigid_rotation) /* float4 [bodies] quaternion x, y, z, w: how each has turned since the start */       \
    X(rigid_turn)     /* float4 [bodies][CAB_RIGID_ROWS] */                                                  \
    X(rigid_bearing)  /* float4 [bodies] see cab_rigid_drive_of */                                           \
    X(wrench_start)   /* int [colliders + 1] of each its first in wrench_segment */                          \
    X(wrench_segment) /* int [segments near shapes] shape by shape */                                        \
    X(rigid_wrench)   /* float4 [colliders][2] N, N m; sums over a frame's substeps, see rigid_wrench.cl */  \
    X(rigid_other)    /* int [bodies] 1: its bearing has changed its way in the last Newton pass */          \
    X(rigid_begun)    /* float4 [members] m; offsets before bending */                                       \
    X(rigid_bent)     /* cab_rigid_bent [bodies], as in rigid */                                             \
    X(rigid_clamp)    /* cab_rigid_clamp [clamps] body by body, as those */                                  \
    X(rigid_hand)     /* cab_rigid_hand [1] */

#define CAB_RIGID_KERNELS(X)                                                                                 \
    X(rigid_fit, rigid, block, offset, rigid_turn, rigid_begun, rigid_hand, rigid_rotation, rigid,           \
      rigid_member, rigid_bent, bend, position, residual, order)                                             \
    X(rigid_hand_aim, rigid, block, params, rigid_hand, offset, position, residual, step, target, component, \
      order)                                                                                                 \
    X(rigid_clamp_turn, rigid_clamp, block, bending_target, twist_frame, rigid_rotation, rigid_turn, rigid,  \
      rigid_bent, rigid_clamp, order)                                                                        \
    X(rigid_clamp_twist, rigid_clamp, block, params, rigid_turn, twist_couple, rigid, rigid_bent,            \
      rigid_clamp, order)                                                                                    \
    X(rigid_clamp_push, rigid_clamp, block, bend, bending_lambda, rigid, rigid_member, rigid_bent,           \
      rigid_clamp, order)                                                                                    \
    X(rigid_weigh, rigid_assemble, block, junction_move, junction_diagonal, junction_block, joined,          \
      junction, block, rigid, rigid_member, rigid_rotation, rigid_turn, rigid_bearing, rigid_hand, inertia,  \
      residual, offset, order, off, stiff)                                                                   \
    X(rigid_place, rigid, block, params, collider, rigid_turn, rigid_shape, rigid_rotation, rigid,           \
      rigid_member, position, residual, order)                                                               \
    X(rigid_condense, rigid_touch, block, rigid_column, rigid_touch, rigid_touched, rigid, rigid_press,      \
      near_start, near_count, branch, branch_node, stiff_node, stiff)                                        \
    X(rigid_follow, rigid_touch, block, stiff_node, rigid_touch, rigid_touched, rigid, rigid_press,          \
      near_start, near_count, branch, branch_node, junction_move, stiff)                                     \
    X(rigid_assemble, rigid_assemble, block, junction_move, junction_diagonal, junction_block, rigid_column, \
      rigid_touch, rigid_touched, joined, rigid, rigid_member, rigid_term, rigid_rotation, rigid_turn,       \
      condensed, stiff_condensed, branch, branch_node, distance_lambda, order, off, stiff)                   \
    X(rigid_move, rigid, block, offset, junction_move, rigid_turn, rigid_bearing, rigid_other,               \
      rigid_rotation, rigid, rigid_member, residual, order, off, stiff)                                      \
    X(rigid_check, rigid, block, off, rigid_other, joined, rigid, order)                                     \
    X(rigid_wrench, rigid_wrench, block, params, rigid_wrench, wrench_start, wrench_segment, near_contact,   \
      near_start, near_count, rigid_press, position, offset, segment, collider, rigid_turn, component,       \
      component_pieces, stiff, order)                                                                        \
    X(rigid_finish, rigid, block, rigid_rotation, rigid_turn, rigid, order)

#endif
