/* Sleep: cables at rest are not computed until something wakes them.
 *
 * A component (cables joined to each other) is quiet while its particles stay near the places where they
 * were. Components that candidate pairs connect form an island. An island falls asleep as a whole, at the end
 * of a frame, when all of it has been quiet for a while, and wakes as a whole, before a substep. So what
 * sleeps never touches what is awake: no momentum is lost, and the loss of a support is noticed.
 *
 * On the device a sleeping particle has a negated inverse mass, and a component of the direct method the
 * order CAB_ORDER_ASLEEP. */
#ifndef CAB_WORLD_SLEEP_H
#define CAB_WORLD_SLEEP_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/components.h"

/* Starts with all awake: at the world's start, and after changes of constraints or joints. Does nothing if
 * the scene does not ask for sleep. */
cab_status cab_sleep_start(cab_world *world, cab_error *error);
void cab_sleep_end(cab_world *world);

/* Something has been done to a particle, or to all: their islands wake before the next substep. */
void cab_sleep_disturb(cab_world *world, int particle);
void cab_sleep_disturb_all(cab_world *world);
/* Pairs have been listed: what is near to something awake wakes. */
cab_status cab_sleep_meet(cab_world *world, cab_error *error);

/* Before a substep: wakes the islands that are due. */
cab_status cab_sleep_wake(cab_world *world, cab_error *error);
/* After a frame: lets islands fall asleep. */
cab_status cab_sleep_update(cab_world *world, cab_error *error);

/* Does everything sleep, so that a frame would change nothing? */
bool cab_sleep_all(const cab_world *world);
/* Number of sleeping cables. */
int cab_sleep_count(const cab_world *world);

#endif
