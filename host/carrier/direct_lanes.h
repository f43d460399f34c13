/* Branches that end at no junction side by side in a substep's Newton passes (kernels/direct_lanes.cl). A part of the
 * carrier staged. */
#ifndef CAB_DIRECT_LANES_H
#define CAB_DIRECT_LANES_H

#include "world/world.h"

/* Makes and uploads the tiles of the world's branches, and marks the branches that are in them. Before the branches
 * are uploaded. */
cab_status cab_direct_lanes_start(cab_world *world, cab_error *error);

/* Do branches go through their tiles in a pass? flags: CAB_NEWTON_...; the last pass goes branch by branch. */
bool cab_direct_lanes_used(const cab_world *world, int flags);
cab_status cab_direct_lanes_solve(cab_world *world, int flags, cab_error *error);

/* May a pass over the lengths, with CAB_NEWTON_CONTACT, move the particles itself by what contacts push (cab_contact_push)? All cables
 * are in tiles, joined to nothing, and none is stiff in this substep. */
bool cab_direct_lanes_take_contact(const cab_world *world);

/* Writes multipliers to where others look for them: before the last pass. */
cab_status cab_direct_lanes_end(cab_world *world, int flags, cab_error *error);

#endif
