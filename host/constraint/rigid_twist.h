/* Clamps on bodies that hold the roll of cables: where their sections stand as the bodies turn, and what twist turns the bodies by. */
#ifndef CAB_RIGID_TWIST_H
#define CAB_RIGID_TWIST_H

#include "constraint/twist_holds.h"
#include "model/branches.h"
#include "world/world.h"

/* Notes in clamps on bodies that forces move which hold of the roll each is. */
void cab_rigid_twist_clamps(const cab_model *model, cab_branches *branches);
/* omega2 of each run (cab_twist_run). */
void cab_rigid_twist_frequencies(cab_model *model);
/* Refuses what has a director for each segment: its frames do not know of bodies that move. */
cab_status cab_rigid_twist_check(const cab_model *model, cab_error *error);

/* Turns what clamps on led bodies hold along with these, to the end of a substep. */
cab_status cab_rigid_twist_lead(cab_world *world, int substep, cab_error *error);
/* All holds as bodies have turned by now: hold [twist_hold_count]. */
cab_status cab_rigid_twist_now(cab_world *world, cab_twist_hold *hold, cab_error *error);
/* Adds what twist has turned bodies by in the last substep to their torques. */
cab_status cab_rigid_twist_wrench(cab_world *world, cab_body_reading *readings, cab_error *error);

#endif
