/* Attachments that give way like a spring. */
#ifndef CAB_SOFT_H
#define CAB_SOFT_H

#include "world/world.h"

/* How far each is from its target, m, [attachments]; only if any could let go, others stay as they are. */
cab_status cab_soft_distances(cab_world *world, double *distance, cab_error *error);

#endif
