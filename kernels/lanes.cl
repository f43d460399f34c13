/* lanes: a tile of cables per work-group, a cable per lane, whole substeps in one launch, by the direct
 * method (sweep.h) or XPBD (chain.h). For cables that are not joined and touch nothing.
 *
 * Tiles keep the state of their cables from launch to launch. Everything else reads and writes it particle by
 * particle: lanes_take takes it from there, lanes_give writes it there. The host knows when that is due. */
#define CAB_WIDE
#include "chain.h"
#include "lanes.h"

/* Computes a tile. kind: as in host/model/tiles.h; chain: 1 = XPBD, 0 = the direct method. */
CAB_INLINE void cab_lanes_tile(const cab_lanes_buffers *b, int index, int next, int kind, int chain,
                               int argument, global float *work)
{
    global const cab_params *params = b->params;
    cab_tile t = b->tile[index];
    int lane = CAB_LANE, first_order = argument & CAB_FRAME_FIRST_ORDER, begin = CAB_NUMBER(argument);
    int moves_apart = 2 * params->moving_count;
    int first_chain = index * CAB_TILE, mixed = kind == 2;
    /* A lane that only fills the tile computes what another one does. */
    if (CAB_GROUP_SIZE > 1 && b->tile_chain[first_chain + lane] < 0) return;
    cab_sweep s = cab_lanes_sweep(b, t, kind > 0, mixed, work);
    s.ahead = (global const real_memory *)(cab_tile_kept_of(b->tile_kept, b->tile[next].kept) + lane);
    cab_sweep_moves moves = cab_moves_of(b->tile_move + t.move, b->target, t.move_count, begin * moves_apart);
    int steps = params->substeps - begin;
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    if (chain)
        cab_chain_substeps(&s, params->h, steps, params->iterations, &moves, moves_apart);
    else
        cab_sweep_substeps(&s, t.order_apart, steps, argument, &moves, moves_apart);
    real particles = real_of((float)t.count);
    if (mixed) {
        for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE)
            work[l] = (float)cab_lane_of(b->tile_chain, b->chain, first_chain + l).count;
        particles = *s.work;
    }
    cab_chain_errors e =
        chain ? cab_chain_measure(&s, particles, params->inverse_h)
              : cab_sweep_measure(&s, particles, 1, first_order && steps == 1, params->inverse_h);
    cab_lanes_note(b, first_chain, e, work);
}

/* A group computes its share of the tiles of a kind, one after the other in the same memory, which stays in a
 * CPU's cache. Flags: CAB_FRAME_FIRST_ORDER, CAB_FRAME_SOLVED, CAB_FRAME_SOLVED_FIRST; number: the frame's substep that this launch begins with. */
CAB_INLINE void cab_lanes_run(const cab_lanes_buffers *b, int group, int kind, int chain, int argument)
{
    global const cab_params *params = b->params;
    global float *memory = b->tile_memory + (size_t)group * (size_t)params->tile_floats;
    int first = params->tile_first[kind] + group, apart = params->tile_groups;
    int tiles = (params->tile_first[kind + 1] - first + apart - 1) / apart;
    for (int n = 0; n < tiles; n++) {
        int next = n + 1 < tiles ? n + 1 : n;
        int k = argument & CAB_FRAME_BACKWARDS ? tiles - 1 - n : n;
        int ahead = argument & CAB_FRAME_BACKWARDS ? tiles - 1 - next : next;
        cab_lanes_tile(b, first + k * apart, first + ahead * apart, kind, chain, argument, memory);
    }
}

#define CAB_LANES_KERNEL(name, kind, chain_order)                                                            \
    CAB_GROUP_KERNEL(name, CAB_LANES_PARAMETERS)                                                             \
    {                                                                                                        \
        CAB_GROUP(group);                                                                                    \
        cab_lanes_buffers b = CAB_LANES_BUFFERS_OF;                                                          \
        cab_lanes_run(&b, group, kind, chain_order, argument);                                               \
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
