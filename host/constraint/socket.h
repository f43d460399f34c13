/* Sockets, into which plugs go: what the way staged launches for them. Without any each of these does nothing. */
#ifndef CAB_CONSTRAINT_SOCKET_H
#define CAB_CONSTRAINT_SOCKET_H

#include "world/world.h"

/* Their tables, which go with those of bodies. */
cab_status cab_socket_upload(cab_world *world, cab_error *error);
/* At the start of a substep's passes, when bodies are predicted. */
cab_status cab_socket_begin(cab_world *world, cab_error *error);
/* Is a plug in its socket in this substep? */
bool cab_socket_engaged(const cab_world *world);
/* Takes contacts that are none out of the lists of bodies, which have just been made. */
cab_status cab_socket_part(cab_world *world, cab_error *error);
/* Notes which components have a plug in its socket, before it is chosen which are stiff: by this substep, not by the last one, of which a
 * state knows nothing. */
cab_status cab_socket_near(cab_world *world, cab_error *error);
/* Before a Newton pass, and after contacts of bodies, whose notes of the pass it adds to; flags as in direct_condense. */
cab_status cab_socket_press(cab_world *world, int flags, cab_error *error);
/* Their part of the junctions' equations. */
cab_status cab_socket_assemble(cab_world *world, int flags, cab_error *error);
/* At the substep's end. */
cab_status cab_socket_end(cab_world *world, cab_error *error);

#endif
