/* The state of a world between two frames as bytes, and back. */
#ifndef CAB_WORLD_STATE_H
#define CAB_WORLD_STATE_H

#include <stddef.h>

#include <clcable/world.h>

/* As cab_world_unpack; `name` begins messages. */
cab_status cab_state_unpack(cab_world *world, const void *state, size_t size, const char *name,
                            cab_error *error);

/* Takes over what the host knows of another world with the same bodies: frame, breaks, changed materials,
 * targets, colliders. */
cab_status cab_state_take_over(cab_world *world, const cab_world *from, cab_error *error);

#endif
