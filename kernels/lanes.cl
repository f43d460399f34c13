/* lanes: a tile of cables per work-group, a cable per lane, whole substeps in one launch, by the direct
 * method (sweep.h) or XPBD (chain.h). For cables that are not joined and touch nothing. */
#define CAB_WIDE
#include "chain.h"
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
    global const cab_chain_node *chain_node;
    global const float4 *target;
    cab_state state;
    global float *distance_lambda;
    global float *tile_memory;
} cab_lanes_buffers;

/* Computes a tile at f. kind: as in host/model/tiles.h; chain: 1 = XPBD, 0 = the direct method. */
CAB_INLINE void cab_lanes_tile(const cab_lanes_buffers *b, int index, int kind, int chain, int argument,
                               global float *f)
{
    global const cab_params *params = b->params;
    cab_tile t = b->tile[index];
    int lane = CAB_LANE, first_order = argument & CAB_FRAME_FIRST_ORDER, begin = CAB_NUMBER(argument);
    int moves_apart = 2 * params->moving_count;
    int first_chain = index * CAB_TILE, mixed = kind == 2;
    /* A lane that only fills the tile would read what another one writes. */
    if (CAB_GROUP_SIZE > 1 && b->tile_chain[first_chain + lane] < 0) return;
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE) {
        cab_lane own = cab_lane_of(b->tile_chain, b->chain, first_chain + l);
        cab_lane_load(f + l, own, t.count, b->state, first_order, params->h);
    }
    cab_sweep s;
    s.slot = (global real_memory *)(f + lane);
    s.constants = b->lane_constant + t.constants + (mixed ? lane : 0);
    s.count = t.count;
    s.apart = CAB_GROUP_SIZE;
    s.width = mixed ? CAB_TILE : 1;
    s.bends = kind > 0;
    s.turned = mixed;
    cab_sweep_moves moves;
    moves.move = b->tile_move + t.move;
    moves.target = b->target;
    moves.count = t.move_count;
    moves.first_target = begin * moves_apart;
    moves.lane = CAB_GROUP_SIZE > 1 ? lane : -1;
    int steps = params->substeps - begin;
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    float scale = chain || (first_order && steps == 1) ? 1 : 2.25f; /* for h^2 instead of h_s^2 */
    if (chain)
        cab_chain_substeps(&s, steps, params->iterations, &moves, moves_apart);
    else
        cab_sweep_substeps(&s, t.order_apart, steps, first_order, &moves, moves_apart);
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE) {
        cab_lane own = cab_lane_of(b->tile_chain, b->chain, first_chain + l);
        if (!own.live) continue;
        if (chain)
            cab_chain_store(f + l, own, b->state, params->inverse_h);
        else
            cab_sweep_store(f + l, own, b->state, params->inverse_h);
        cab_lane_store_lambda(f + l, own, scale, b->distance_lambda, b->chain_node);
    }
}

/* A group computes its share of the tiles of a kind, one after the other in the same memory, which stays in a
 * CPU's cache. Flag: CAB_FRAME_FIRST_ORDER; number: the frame's substep that this launch begins with. */
CAB_INLINE void cab_lanes_run(const cab_lanes_buffers *b, int group, int kind, int chain, int argument)
{
    global const cab_params *params = b->params;
    global float *memory = b->tile_memory + (size_t)group * (size_t)params->tile_floats;
    for (int k = params->tile_first[kind] + group; k < params->tile_first[kind + 1]; k += params->tile_groups)
        cab_lanes_tile(b, k, kind, chain, argument, memory);
}

#define CAB_LANES_KERNEL(name, kind, chain_order)                                                            \
    CAB_GROUP_KERNEL(                                                                                        \
        name, global const cab_params *params, global const cab_tile *tile, global const int *tile_chain,    \
        global const cab_tile_move *tile_move, global const float *lane_constant,                            \
        global const cab_chain *chain, global const cab_chain_node *chain_node, global const float4 *target, \
        global float4 *position, global float4 *residual, global float4 *velocity, global float4 *step,      \
        global float *slow, global float *distance_lambda, global float *tile_memory)                        \
    {                                                                                                        \
        CAB_GROUP(group);                                                                                    \
        cab_state state = {position, residual, velocity, step, slow, params->particle_count};                \
        cab_lanes_buffers b = {params,     tile,   tile_chain, tile_move,       lane_constant, chain,        \
                               chain_node, target, state,      distance_lambda, tile_memory};                \
        cab_lanes_run(&b, group, kind, chain_order, argument);                                               \
    }

/* The direct method for equal cables without bending, with bending, and for all others; then XPBD. */
CAB_LANES_KERNEL(lanes_lengths, 0, 0)
CAB_LANES_KERNEL(lanes_bending, 1, 0)
CAB_LANES_KERNEL(lanes_mixed, 2, 0)
CAB_LANES_KERNEL(lanes_xpbd_lengths, 0, 1)
CAB_LANES_KERNEL(lanes_xpbd_bending, 1, 1)
CAB_LANES_KERNEL(lanes_xpbd_mixed, 2, 1)
