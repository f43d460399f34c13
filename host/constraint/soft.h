/* Soft attachments, which are springs. */
#ifndef CAB_SOFT_H
#define CAB_SOFT_H

#include "world/world.h"

/* The distance of each attachment from its target, m, [attachments]. Only if one of them can let go; values
 * of other attachments are not changed. */
cab_status cab_soft_distances(cab_world *world, double *distance, cab_error *error);

#endif
