/* lanes: a tile of cables per work-group, a cable per lane, whole substeps in one launch, by the direct
 * method (sweep.h) or XPBD (chain.h). For cables that are not joined and touch nothing.
 *
 * Tiles keep the state of their cables from launch to launch. Everything else reads and writes it particle by
 * particle: lanes_take takes it from there, lanes_give writes it there. The host knows when that is due. */
#define CAB_WIDE
#include "lanes.h"

#define CAB_LANES_KERNEL(name, kind, chain_order)                                                            \
    CAB_GROUP_KERNEL(name, CAB_LANES_PARAMETERS)                                                             \
    {                                                                                                        \
        CAB_GROUP(group);                                                                                    \
        cab_lanes_buffers b = CAB_LANES_BUFFERS_OF;                                                          \
        cab_lanes_more more = {0, 0, 0, 0};                                                                  \
        cab_lanes_run(&b, &more, group, kind, chain_order, argument);                                        \
    }

/* The direct method for equal cables without bending, with bending, and for all others; then XPBD. */
CAB_LANES_KERNEL(lanes_lengths, 0, 0)
CAB_LANES_KERNEL(lanes_bending, 1, 0)
CAB_LANES_KERNEL(lanes_mixed, 2, 0)
CAB_LANES_KERNEL(lanes_xpbd_lengths, 0, 1)
CAB_LANES_KERNEL(lanes_xpbd_bending, 1, 1)
CAB_LANES_KERNEL(lanes_xpbd_mixed, 2, 1)

/* A tile takes the state of its cables from the buffers. Flags: CAB_FRAME_FIRST_ORDER, CAB_FRAME_CHAIN. */
CAB_GROUP_KERNEL(lanes_take, global const cab_params *params, global const cab_tile *tile,
                 global const int *tile_chain, global const cab_chain *chain, global float4 *position,
                 global float4 *residual, global float4 *velocity, global float4 *step, global float *slow,
                 global float *tile_kept)
{
    CAB_GROUP(index);
    cab_state state = {position, residual, velocity, step, slow, params->particle_count};
    cab_tile t = tile[index];
    global float *f = cab_tile_kept_of(tile_kept, t.kept);
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_lane_of(tile_chain, chain, index * CAB_TILE + l);
        cab_lane_take(f + l, own, t.count, state, argument & CAB_FRAME_FIRST_ORDER,
                      argument & CAB_FRAME_CHAIN, params->h);
    }
}

/* And writes it there. Flags: CAB_FRAME_CHAIN, CAB_FRAME_SOLVED, CAB_FRAME_SOLVED_FIRST. */
CAB_GROUP_KERNEL(lanes_give, global const cab_params *params, global const cab_tile *tile,
                 global const int *tile_chain, global const cab_chain *chain,
                 global const cab_chain_node *chain_node, global float *tile_kept, global float4 *position,
                 global float4 *residual, global float4 *velocity, global float4 *step, global float *slow,
                 global float *distance_lambda)
{
    CAB_GROUP(index);
    cab_state state = {position, residual, velocity, step, slow, params->particle_count};
    cab_tile t = tile[index];
    global float *f = cab_tile_kept_of(tile_kept, t.kept);
    int of_chain = argument & CAB_FRAME_CHAIN, first_order = argument & CAB_FRAME_SOLVED_FIRST;
    float scale = cab_per_h(of_chain || first_order); /* for h^2 instead of h_s^2 */
    cab_sweep s;
    s.kept = s.work = (global real_memory *)(f + CAB_LANE);
    s.count = t.count;
    s.apart = CAB_GROUP_SIZE;
    if (argument & CAB_FRAME_SOLVED) cab_sweep_end(&s, first_order);
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_lane_of(tile_chain, chain, index * CAB_TILE + l);
        if (!own.live) continue;
        cab_lane_give(f + l, own, state, of_chain, params->inverse_h);
        cab_lane_give_lambda(f + l, own, scale, distance_lambda, chain_node);
    }
}
