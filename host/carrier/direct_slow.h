/* Particles that count as heavier where lengths cannot be met (CAB_REGULARISATION; docs/design.md says
 * why). */
#ifndef CAB_DIRECT_SLOW_H
#define CAB_DIRECT_SLOW_H

#include "world/world.h"

/* Sets these factors from the places of the particles. */
cab_status cab_direct_reset_slow(cab_world *world, cab_error *error);

#endif
