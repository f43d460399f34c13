/* What the kernels of lanes share: their buffers, a tile as sweeps see it, errors, launches over tiles (lanes.cl, lanes_viscous.cl,
 * lanes_near.cl). */
#ifndef CAB_LANES_H
#define CAB_LANES_H

#include "chain.h"
#include "sweep_substeps.h"

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
    s.constants = b->lane_constant + b->params->constants_from + t.constants + (mixed ? CAB_LANE : 0);
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

/* What only some cables need; 0 = these do not: what tiles keep where bending is damped (viscous_sweep.h); slots of tiles where
 * cables resist twisting (twist_sweep.h), and their twist and rolls (direct_twist.cl). */
typedef struct cab_lanes_more {
    global float *constrained;
    global const float *tile_twist;
    global float4 *twist;
    global const float *twist_roll;
} cab_lanes_more;

/* The twist of tile `index`, in whose launch the substep `begin` is the first. */
CAB_INLINE cab_twist_tile cab_lanes_twist_of(const cab_lanes_buffers *b, const cab_lanes_more *more,
                                             int index, int begin)
{
    global const cab_params *params = b->params;
    cab_twist_tile t;
    t.slots =
        (global const real_memory *)(more->tile_twist + index * (CAB_TWIST_SLOTS * CAB_TILE) + CAB_LANE);
    t.rolls = params->twist_holds;
    t.roll = more->twist_roll + begin * t.rolls;
    t.square = params->h * params->h;
    cab_twist_take(&t, more->twist);
    return t;
}

/* Computes a tile. kind: as in host/model/tiles.h; chain: 1 = XPBD, 0 = the direct method. */
CAB_INLINE void cab_lanes_tile(const cab_lanes_buffers *b, const cab_lanes_more *more, int index, int next,
                               int kind, int chain, int argument, global float *work)
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
    if (more->constrained)
        s.constrained = (global real_memory *)(more->constrained + (size_t)t.kept * (3 * CAB_TILE) + lane);
    cab_twist_tile twist;
    if (more->tile_twist) {
        twist = cab_lanes_twist_of(b, more, index, begin);
        s.twist = &twist;
    }
    cab_sweep_moves moves = cab_moves_of(b->tile_move + t.move, b->target, t.move_count, begin * moves_apart);
    int steps = params->substeps - begin;
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    if (chain)
        cab_chain_substeps(&s, params->h, steps, params->iterations, &moves, moves_apart);
    else
        cab_sweep_substeps(&s, t.order_apart, steps, argument, &moves, moves_apart);
    if (more->tile_twist) cab_twist_give(&twist, b->tile_chain + first_chain + lane, more->twist);
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

/* The tiles of a kind that a group computes: those of one group follow those of the one before it. */
typedef struct cab_group_tiles {
    int first, count;
} cab_group_tiles;

CAB_INLINE cab_group_tiles cab_tiles_of_group(global const cab_params *params, int kind, int group)
{
    int first = params->tile_first[kind], all = params->tile_first[kind + 1] - first,
        groups = all < params->tile_groups ? all : params->tile_groups;
    int begin = (int)((long)group * all / groups), end = (int)((long)(group + 1) * all / groups);
    cab_group_tiles t = {first + begin, end - begin};
    return t;
}

/* A group computes its share of the tiles of a kind, one after the other in the same memory, which stays in a
 * CPU's cache. Flags: CAB_FRAME_FIRST_ORDER, CAB_FRAME_SOLVED, CAB_FRAME_SOLVED_FIRST; number: the frame's substep that this launch begins with. */
CAB_INLINE void cab_lanes_run(const cab_lanes_buffers *b, const cab_lanes_more *more, int group, int kind,
                              int chain, int argument)
{
    global const cab_params *params = b->params;
    global float *memory = b->tile_memory + (size_t)group * (size_t)params->tile_floats;
    cab_group_tiles own = cab_tiles_of_group(params, kind, group);
    for (int n = 0; n < own.count; n++) {
        int next = n + 1 < own.count ? n + 1 : n;
        int k = argument & CAB_FRAME_BACKWARDS ? own.count - 1 - n : n;
        int ahead = argument & CAB_FRAME_BACKWARDS ? own.count - 1 - next : next;
        cab_lanes_tile(b, more, own.first + k, own.first + ahead, kind, chain, argument, memory);
    }
}

#endif
