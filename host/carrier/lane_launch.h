/* Launches of lanes, of a world's own tiles and of a gang's. */
#ifndef CAB_LANE_LAUNCH_H
#define CAB_LANE_LAUNCH_H

#include "world/world.h"

/* How many groups a launch over tiles of a kind has at most; each has work memory of its own. A GPU has one for each tile. */
int cab_lanes_groups(const cab_tiles *tiles, const cab_backend *backend);

/* The kernel for tiles of a kind (cab_tile_kind); the argument of the launch of the frame's substeps from `first` on; what is true
 * after it; flags by which a tile takes and gives what it holds. */
cab_kernel cab_lanes_kernel(const cab_world *world, int kind);
int cab_lanes_argument(const cab_world *world, int first);
void cab_lanes_launched(cab_world *world, int first);
int cab_lanes_take_flags(const cab_world *world);
int cab_lanes_give_flags(const cab_world *world);

#endif
