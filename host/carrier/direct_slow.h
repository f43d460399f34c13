/* Particles that count as heavier where lengths cannot be met (CAB_REGULARISATION; docs/design.md says
 * why). */
#ifndef CAB_DIRECT_SLOW_H
#define CAB_DIRECT_SLOW_H

#include "world/world.h"

/* Sets these factors from the places of the particles; where which[component] is true, or, with NULL, everywhere. */
cab_status cab_direct_reset_slow(cab_world *world, const bool *which, cab_error *error);

#endif
