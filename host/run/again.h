/* A substep that leaves a length off, which was right at its start, or in which something sinks deep into what it touches, is taken
 * again in more pieces. */
#ifndef CAB_RUN_AGAIN_H
#define CAB_RUN_AGAIN_H

#include "world/world.h"

/* Does the world's method work off errors in turns? The direct method leaves none where lengths can be met. */
bool cab_again_iterates(const cab_world *world);

/* Puts aside what is at the start of a substep that is about to be taken; kept: it can be taken again. looks: whether things were
 * looked at before it. */
cab_status cab_again_keep(cab_world *world, bool looks, bool *kept, cab_error *error);

/* Within it: after each piece of `pieces`. */
cab_status cab_again_watch(cab_world *world, int piece, int pieces, cab_error *error);

/* After it: sets pace.again.missed; any: there is one; worst: the share by which a missed length is off; 0: none is, but something
 * lay too deep in something else at some time. */
cab_status cab_again_look(cab_world *world, bool *any, double *worst, cab_error *error);

/* Is that little enough, where no more pieces can be had? What lies too deep never is. */
bool cab_again_will_do(const cab_world *world, double worst);

/* Are lengths that were too far off at the start, as between two holds that are too far apart, further off than `beyond`, which they were
 * when the substep was first taken? Then what pulls at them has been thrown. */
bool cab_again_is_worse(const cab_world *world, double beyond);

/* All is as it was at the start. What follows from the number of pieces is not made again. */
cab_status cab_again_back(cab_world *world, cab_error *error);

#endif
