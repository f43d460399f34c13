/* Buffers and kernels of contacts of rigid bodies; host/backend/kernels.h takes them in and tells what the columns are. */
#ifndef CAB_RIGID_CONTACT_LIST_H
#define CAB_RIGID_CONTACT_LIST_H

#define CAB_RIGID_CONTACT_BUFFERS(X)                                                                         \
    X(rigid_contact)       /* cab_rigid_contact [bodies][CAB_RIGID_CONTACTS], as in rigid */                 \
    X(rigid_contact_count) /* int [bodies] */                                                                \
    X(rigid_bumped)        /* int [bodies] CAB_BUMPED_... of each */                                         \
    X(bumped)              /* int [components] the same of all bodies of a component */                      \
    X(rigid_reach)         /* float4 [bodies] see cab_rigid_reach_of */                                      \
    X(rigid_near)    /* int [bodies][CAB_RIGID_MATES] 1 + place in rigid of who may come near; 0 = none */   \
    X(rigid_mate)    /* int [bodies][CAB_RIGID_MATES] the same by bodies; for states */                      \
    X(rigid_apart)   /* int [bodies][CAB_RIGID_APART] 1 + a collider, or a body's first shape */             \
    X(rigid_wall)    /* int [bodies + 1] where each one's colliders begin here; then these */                \
    X(rigid_pressed) /* cab_rigid_pressed [bodies][CAB_RIGID_CONTACTS] of the last substep */

#define CAB_RIGID_CONTACT_KERNELS(X)                                                                         \
    X(rigid_contact_reach, rigid_contact, block, rigid_reach, rigid_turn, rigid_shape, rigid, rigid_member,  \
      rigid_rotation)                                                                                        \
    X(rigid_contact_find, rigid_contact, block, params, rigid_contact, rigid_contact_count, rigid_bumped,    \
      rigid_apart, rigid_pressed, rigid_near, rigid_wall, rigid_reach, rigid, rigid_member, rigid_rotation,  \
      rigid_turn, rigid_shape, collider, position, residual, order, mesh_node, mesh_triangle)                \
    X(rigid_contact_press, rigid_contact_solve, block, params, rigid_contact, rigid_contact_count,           \
      rigid_bumped, rigid_turn, junction_move, rigid, order, stiff)                                          \
    X(rigid_contact_look, rigid_contact_solve, block, bumped, off, touched, rigid_bumped, joined)            \
    X(rigid_contact_assemble, rigid_contact_solve, block, junction_move, junction_diagonal, junction_block,  \
      rigid_contact, rigid_contact_count, joined, junction, block, rigid, order, off, stiff)                 \
    X(rigid_contact_end, rigid_contact_solve, block, params, rigid_contact, rigid_contact_count,             \
      rigid_bumped, rigid_pressed, rigid_turn, junction_move, rigid, order)                                  \
    X(rigid_tangent, rigid_contact_solve, block, params, velocity, rigid_turn, rigid_rotation, rigid,        \
      rigid_member, order, bumped)

#endif
