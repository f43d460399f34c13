/* Sleep: cables at rest are left out of the work until something wakes them.
 *
 * A component (cables joined to each other) is quiet while no particle of it gets away from where it was.
 * Components that candidate pairs connect are an island; one that has been quiet as a whole for a while falls
 * asleep as a whole, at the end of a frame, and wakes as a whole, before a substep. So nothing that sleeps
 * ever touches what is awake: no momentum is lost, and no support goes unnoticed.
 *
 * On the device a sleeping particle has its inverse mass negated, a component of the direct method the order
 * CAB_ORDER_ASLEEP.
 */
#ifndef CAB_WORLD_SLEEP_H
#define CAB_WORLD_SLEEP_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/components.h"

/* When the world starts; again after whatever changes constraints or joints: all wake. Nothing where the
 * scene does not ask for sleep. */
cab_status cab_sleep_start(cab_world *world, cab_error *error);
void cab_sleep_end(cab_world *world);

/* Something has been done to a particle, to all: their islands wake before the next substep. */
void cab_sleep_disturb(cab_world *world, int particle);
void cab_sleep_disturb_all(cab_world *world);
/* Pairs have been listed: so does what is near to something awake. */
cab_status cab_sleep_meet(cab_world *world, cab_error *error);

/* Before a substep: those that are due. */
cab_status cab_sleep_wake(cab_world *world, cab_error *error);
/* After a frame: who falls asleep. */
cab_status cab_sleep_update(cab_world *world, cab_error *error);

/* A frame would change nothing. */
bool cab_sleep_all(const cab_world *world);
/* Cables asleep. */
int cab_sleep_count(const cab_world *world);

#endif
