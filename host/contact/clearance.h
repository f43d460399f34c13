/* How near segments of cables come to colliders, wherever the segments are. */
#ifndef CAB_CONTACT_CLEARANCE_H
#define CAB_CONTACT_CLEARANCE_H

#include <clcable/facts.h>

#include "base/closest.h"

/* A world's colliders where they are between two frames. */
typedef struct cab_surroundings cab_surroundings;

/* Free with cab_surroundings_free(), also after a failure. */
cab_status cab_surroundings_take(const cab_world *world, cab_surroundings **around, cab_error *error);
void cab_surroundings_free(cab_surroundings *around);

/* Takes a segment, by its index in the model, at a place into *best where it is nearer to a collider than that, and within
 * `range`, m, or INFINITY. What never touches and what is of other groups does not count. */
void cab_surroundings_approach(const cab_surroundings *around, int collider, int segment,
                               const cab_line *axis, double range, cab_clearance *best);

#endif
