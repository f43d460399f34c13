/* clcable: what touches rigid bodies. */
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

#ifdef __cplusplus
}
#endif
#endif
