/* What carriers that iterate share. */
#ifndef CAB_ITERATED_H
#define CAB_ITERATED_H

#include "world/world.h"

extern const cab_substep_hooks cab_iterated_substep;

/* The launches of an iteration; what averages and tolerances need. */
cab_status cab_iterated_start(cab_world *world, cab_error *error);

#endif
