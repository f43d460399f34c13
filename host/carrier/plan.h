/* Chooses the carrier of a world. */
#ifndef CAB_PLAN_H
#define CAB_PLAN_H

#include "world/world.h"

/* Chooses the way; called again when something has changed that the choice depends on. If the way is another
 * one than before, cab_world_restart_carrier must make the carrier's tables. */
cab_status cab_world_plan(cab_world *world, cab_error *error);

/* The reason why a kind of constraint in this world cannot be run in that way, or NULL. */
const char *cab_plan_refused(const cab_world *world, cab_way way);

/* May whole frames of this world, which is computed stage by stage, be computed by lanes, nets or spans where nothing is in their
 * way? So if nobody has asked for a way, and lanes know its kinds of constraints; damped bending they only know in worlds of their
 * own. */
bool cab_plan_hands_over(const cab_world *world);

/* A single cable so long that lanes are slower than the way staged. */
bool cab_plan_lanes_idle(const cab_world *world);
/* Would long cables that are held at several places stretch in lanes? Then the way staged is taken by itself. */
bool cab_plan_lanes_stretch(const cab_world *world);

/* The fastest way that `clcable tune` has found for this method on this device, in scenes of about as many
 * cables and particles; CAB_WAY_AUTO where nothing is known. */
cab_way cab_tuned_way(const cab_world *world, int *chunks);

#endif
