/* What the kernels of lanes share: their buffers, a tile as sweeps see it, errors (lanes.cl, lanes_near.cl). */
#ifndef CAB_LANES_H
#define CAB_LANES_H

#include "sweep.h"

/* The buffers of a launch, which are CAB_LANES_BUFFERS of host/backend/kernels.h: what it reads, the state that
 * it carries on, and its work memory. They are not shared out to kernels of their own: each would go through
 * all tiles again, and a tile would leave the cache in between. */
typedef struct cab_lanes_buffers {
    global const cab_params *params;
    global const cab_tile *tile;
    global const int *tile_chain;
    global const cab_tile_move *tile_move;
    global const float *lane_constant;
    global const cab_chain *chain;
    global const float4 *target;
    global float *tile_kept, *tile_memory;
    global cab_errors *chain_errors;
} cab_lanes_buffers;

#define CAB_LANES_PARAMETERS                                                                                 \
    global const cab_params *params, global const cab_tile *tile, global const int *tile_chain,              \
        global const cab_tile_move *tile_move, global const float *lane_constant,                            \
        global const cab_chain *chain, global const float4 *target, global float *tile_kept,                 \
        global float *tile_memory, global cab_errors *chain_errors
#define CAB_LANES_BUFFERS_OF                                                                                 \
    {                                                                                                        \
        params, tile, tile_chain, tile_move, lane_constant, chain, target, tile_kept, tile_memory,           \
            chain_errors                                                                                     \
    }

/* A tile with work memory `work`. bends: its cables do; mixed: they are not equal. */
CAB_INLINE cab_sweep cab_lanes_sweep(const cab_lanes_buffers *b, cab_tile t, int bends, int mixed,
                                     global float *work)
{
    cab_sweep s = {0};
    s.kept = (global real_memory *)(cab_tile_kept_of(b->tile_kept, t.kept) + CAB_LANE);
    s.work = (global real_memory *)(work + CAB_LANE);
    s.constants = b->lane_constant + t.constants + (mixed ? CAB_LANE : 0);
    s.constants_first = s.constants + t.order_apart;
    s.count = t.count;
    s.apart = CAB_GROUP_SIZE;
    s.width = mixed ? CAB_TILE : 1;
    s.bends = bends;
    s.turned = mixed;
    return s;
}

/* Writes what is wrong with each cable of a tile. work: floats that hold it meanwhile. */
CAB_INLINE void cab_lanes_note(const cab_lanes_buffers *b, int first_chain, cab_chain_errors e,
                               global float *work)
{
    int lane = CAB_LANE;
    global real_memory *to = (global real_memory *)(work + lane);
    to[0] = e.stretch_max;
    to[CAB_GROUP_SIZE] = e.stretch_sum;
    to[2 * CAB_GROUP_SIZE] = e.worst_segment;
    to[3 * CAB_GROUP_SIZE] = real_sqrt(e.square_max);
    to[4 * CAB_GROUP_SIZE] = e.worst_particle;
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE) {
        int c = b->tile_chain[first_chain + l];
        if (c < 0) continue;
        b->chain_errors[c] =
            cab_errors_row(work[l], work[CAB_TILE + l], work[2 * CAB_TILE + l], work[3 * CAB_TILE + l],
                           work[4 * CAB_TILE + l], b->chain[c].first_particle);
    }
}

#endif
