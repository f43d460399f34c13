/* Cables that drums feed, by the direct method stage by stage: their tables go on with what is on the drum. */
#ifndef CAB_FED_H
#define CAB_FED_H

#include "world/world.h"

/* All tables have been made anew. */
cab_status cab_fed_restart(cab_world *world, cab_error *error);

/* Brings the tables of a drum's cable to what the model is set to, for the substep that begins. */
cab_status cab_fed_follow(cab_world *world, int drum, cab_error *error);

#endif
