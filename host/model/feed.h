/* Drums that pay cable out and reel it in. */
#ifndef CAB_FEED_H
#define CAB_FEED_H

#include "model/model.h"

/* Of its segment's length: what comes off the drum is a particle of its own from then on. Until then the next
 * segment is longer by that much. So no segment is ever shorter, and no particle lighter than about as much.
 */
#define CAB_FEED_LEAST 0.25
/* Of the shortest segment: what a drum may feed in a substep. So no two particles come off it in one. */
#define CAB_FEED_MOST 0.5

/* Metres on the drum at time t, s. */
double cab_feed_stored(const cab_model *model, const cab_feed *feed, double t);
/* The first of the feed's nodes that is free, with so many metres on the drum. */
int cab_feed_first(const cab_model *model, const cab_feed *feed, double stored);

/* Rest lengths, compliances, masses, holds of the cable at the drum with so many metres on it: of all nodes;
 * or of those that a substep changes. */
void cab_feed_set(cab_model *model, const cab_feed *feed, double stored);
void cab_feed_move(cab_model *model, const cab_feed *feed, double stored);

#endif
