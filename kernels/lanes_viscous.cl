/* lanes_viscous: the kernels of lanes.cl by the direct method for cables whose bending is damped. Tiles keep three more floats of
 * each particle (viscous_sweep.h), which viscous_take brings from the buffers, and viscous_give back. */
#define CAB_WIDE
#include "lanes.h"

#define CAB_VISCOUS_KERNEL(name, kind)                                                                       \
    CAB_GROUP_KERNEL(name, CAB_LANES_PARAMETERS, global float *tile_constrained)                             \
    {                                                                                                        \
        CAB_GROUP(group);                                                                                    \
        cab_lanes_buffers b = CAB_LANES_BUFFERS_OF;                                                          \
        cab_lanes_more more = {tile_constrained, 0, 0, 0};                                                   \
        cab_lanes_run(&b, &more, group, kind, 0, argument);                                                  \
    }

/* For equal cables, and for all others. */
CAB_VISCOUS_KERNEL(lanes_viscous, 1)
CAB_VISCOUS_KERNEL(lanes_viscous_mixed, 2)

CAB_INLINE global float *cab_constrained_of(global float *tile_constrained, cab_tile t, int lane)
{
    return tile_constrained + (size_t)t.kept * (3 * CAB_TILE) + lane;
}

CAB_GROUP_KERNEL(viscous_take, global const cab_tile *tile, global const int *tile_chain,
                 global const cab_chain *chain, global const float4 *constrained,
                 global float *tile_constrained)
{
    CAB_GROUP(index);
    cab_tile t = tile[index];
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_lane_of(tile_chain, chain, index * CAB_TILE + l);
        global float *to = cab_constrained_of(tile_constrained, t, l);
        for (int i = 0; i < t.count; i++) {
            float4 none = CAB_FLOAT4(0, 0, 0, 0);
            cab_lane_put3(to, 3 * i, i < own.count ? constrained[own.first + i] : none);
        }
    }
}

/* Before lanes_give. Flags: CAB_FRAME_SOLVED, CAB_FRAME_SOLVED_FIRST */
CAB_GROUP_KERNEL(viscous_give, global const cab_tile *tile, global const int *tile_chain,
                 global const cab_chain *chain, global const float *tile_kept, global float *tile_constrained,
                 global float4 *constrained)
{
    CAB_GROUP(index);
    cab_tile t = tile[index];
    global const float *kept = tile_kept + (size_t)t.kept * (CAB_SLOTS_KEPT * CAB_TILE);
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_lane_of(tile_chain, chain, index * CAB_TILE + l);
        global float *to = cab_constrained_of(tile_constrained, t, l);
        for (int i = 0; i < own.count; i++) {
            float4 c = cab_lane_get3(to, 3 * i, 0);
            if (argument & CAB_FRAME_SOLVED) {
                float4 e = cab_lane_get3(kept + i * CAB_SLOTS_KEPT * CAB_TILE + l, CAB_SLOT_OFFSET, 0);
                float scale =
                    argument & CAB_FRAME_SOLVED_FIRST ? 4.0f / 9 : 1; /* cab_viscous_constraints() */
                c = CAB_FLOAT4(scale * (e.x - c.x), scale * (e.y - c.y), scale * (e.z - c.z), 0);
                cab_lane_put3(to, 3 * i, c);
            }
            if (own.live) constrained[own.first + i] = c;
        }
    }
}
