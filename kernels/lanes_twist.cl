/* lanes_twist: the kernel lanes_mixed of lanes.cl by the direct method for cables that resist twisting (equations: twist.h). Cables
 * whose ends hold their roll have constants of their own in each lane, so the tiles of equal cables have none of them. */
#define CAB_WIDE
#include "lanes.h"

/* twist, twist_roll: as for direct_twist; number: the frame's substep that this launch begins with. */
CAB_GROUP_KERNEL(lanes_twist, CAB_LANES_PARAMETERS, global const float *tile_twist, global float4 *twist,
                 global const float *twist_roll)
{
    CAB_GROUP(group);
    cab_lanes_buffers b = CAB_LANES_BUFFERS_OF;
    cab_lanes_more more = {0, tile_twist, twist, twist_roll};
    cab_lanes_run(&b, &more, group, 2, 0, argument);
}
