/* clcable: what touches rigid bodies: what they bump into, and sockets. */
#ifndef CLCABLE_CONTACTS_H
#define CLCABLE_CONTACTS_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** With what force colliders and other bodies pushed each rigid body in the last substep, friction included; what cables that it touches push with
 * is not in it.
 *
 * @param forces  [cab_world_get_bodies()] in the same order, N
 * @return CAB_OK, CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_read_body_contacts(cab_world *world, cab_vec3 *forces, cab_error *error);

/** What a plug is to its socket. */
typedef enum cab_socket_phase {
    CAB_SOCKET_PHASE_OUT = 0, /**< outside of it */
    CAB_SOCKET_PHASE_GUIDED,  /**< in it, on its way */
    CAB_SOCKET_PHASE_MATED,   /**< home, and latched */
    CAB_SOCKET_PHASE_RELEASED /**< the latch has given way, and it has not been outside since */
} cab_socket_phase;

/** A socket. One of the scene makes one for each copy of its plug. */
typedef struct cab_socket_info {
    char name[256]; /**< "X1", or "X1[k]" of the k-th of several copies */
    int socket;     /**< index in the scene */
    int plug, to;   /**< their bodies, as cab_world_get_bodies() counts them; to -1: it is fixed in space */
} cab_socket_info;

/** All sockets, in the order of the scene. Fills at most `capacity`; returns how many there are, which stays the same. */
CAB_API int cab_world_get_sockets(const cab_world *world, cab_socket_info *infos, int capacity);

/** Where a plug is in its socket, and what that puts on it. */
typedef struct cab_socket_reading {
    cab_socket_phase phase;
    int frame;      /**< at whose end it was found in that phase first; 0 = at the start */
    double depth;   /**< how deep it is in it, along the axis from the mouth, m; negative in front of it */
    cab_vec3 force; /**< on the plug, its mean over the last frame, N; the socket's body bears the opposite */
    cab_vec3 torque; /**< the same about the plug's point, N m */
    double pull;     /**< the part of the force that the latch bears against pulling out, likewise, N */
} cab_socket_reading;

/** Reads all sockets as they are after the last frame.
 *
 * @param readings  [cab_world_get_sockets()] in the same order
 * @return CAB_OK, CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_read_sockets(cab_world *world, cab_socket_reading *readings, cab_error *error);

#ifdef __cplusplus
}
#endif
#endif
