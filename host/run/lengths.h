/* Lengths of a world that goes on with another method or another substep. */
#ifndef CAB_RUN_LENGTHS_H
#define CAB_RUN_LENGTHS_H

#include "world/world.h"

/* Brings segments to the lengths that they have by this world's method, as far as they are off, without giving speed: what another
 * method, or longer substeps, have left would be made up for within a substep otherwise, and that way become velocity.
 *
 * Places and velocities are those of `from`. Segments that are rigid in this world lose the velocity along them, too. A net of joined
 * cables that has more energy afterwards than before (its weight was lifted) is slowed down by that much, at most to a stop. Colliders
 * and other cables are in the way as in a substep. Nothing changes where method, substep and iterations are the same. */
cab_status cab_world_meet_lengths(cab_world *world, cab_world *from, cab_error *error);

#endif
