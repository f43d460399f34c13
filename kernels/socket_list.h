/* Buffers and kernels of sockets; host/backend/kernels.h takes them in and tells what the columns are. */
#ifndef CAB_SOCKET_LIST_H
#define CAB_SOCKET_LIST_H

#define CAB_SOCKET_BUFFERS(X)                                                                                \
    X(socket)          /* cab_socket [sockets] */                                                            \
    X(socket_state)    /* cab_socket_state [sockets] */                                                      \
    X(socket_work)     /* cab_socket_work [sockets] */                                                       \
    X(socket_engaged)  /* int [sockets] CAB_SOCKET_... in this substep */                                    \
    X(socket_led)      /* float4 [sockets][2][CAB_SOCKET_LED] */                                             \
    X(socket_friction) /* float [rows][2] m, N; socket by socket */                                          \
    X(socket_start)    /* int [bodies + 1] of each by its place in rigid its first in socket_of */           \
    X(socket_of)       /* int [bodies of sockets] sockets of which a body is a part */                       \
    X(socket_shape)    /* int [sockets][2][2] of a led body its first collider, and how many it has */

#define CAB_SOCKET_KERNELS(X)                                                                                \
    X(socket_begin, socket, block, params, socket_work, socket_state, socket_engaged, socket, socket_led,    \
      socket_friction, rigid, rigid_member, rigid_rotation, rigid_turn, position, residual, order)           \
    X(socket_part, socket, block, rigid_contact, rigid_contact_count, rigid_bumped, socket, socket_engaged,  \
      socket_start, socket_of, socket_shape)                                                                 \
    X(socket_press, socket, block, params, socket_work, socket_state, socket, rigid_turn, junction_move,     \
      rigid, order, stiff)                                                                                   \
    X(socket_look, socket, block, bumped, off, touched, socket_state, socket, socket_work, socket_start,     \
      socket_of, joined, order)                                                                              \
    X(socket_assemble, socket, block, junction_move, junction_diagonal, junction_block, socket_work, socket, \
      socket_engaged, socket_start, socket_of, joined, junction, block, rigid, order, off, stiff)            \
    X(socket_end, socket, block, params, socket_work, socket_state, socket, rigid_turn, junction_move,       \
      rigid, order)                                                                                          \
    X(socket_frame, socket, block, socket_state)

#endif
