/* lanes: a tile of cables per work-group, a cable per lane, whole substeps of the direct method in one
 * launch. For cables that nothing joins or touches.
 */
#include "chain.h"

/* What a lane reads and writes. */
typedef struct cab_lane {
    int first, count; /* particles */
    int live;         /* 0: only fills the tile */
} cab_lane;

CAB_INLINE cab_lane cab_lane_of(global const int *tile_chain, global const cab_chain *chain, int place)
{
    cab_lane l;
    int c = tile_chain[place];
    l.live = c >= 0;
    if (c < 0) c = ~c;
    l.first = chain[c].first_particle;
    l.count = chain[c].particle_count;
    return l;
}

CAB_INLINE void cab_lane_put3(global float *to, float4 v)
{
    to[0] = v.x;
    to[CAB_TILE] = v.y;
    to[2 * CAB_TILE] = v.z;
}

CAB_INLINE float4 cab_lane_get3(global const float *from, float w)
{
    return CAB_FLOAT4(from[0], from[CAB_TILE], from[2 * CAB_TILE], w);
}

/* Where a cable's state lies between launches. */
typedef struct cab_state {
    global float4 *position, *residual, *velocity; /* w: inverse mass, nothing, damping */
    global float4 *step; /* [3][particles] the last substep's way, and those before it, m */
    global float *slow;  /* as CAB_EASE says */
    int particles;
} cab_state;

/* Into the tile. Behind its end a short cable goes on with held particles 1 m apart. `f`: this lane's first
 * float. */
CAB_INLINE void cab_lane_load(global float *f, cab_lane l, int count, cab_state state, int first_order,
                              float h)
{
    for (int i = 0; i < count; i++) {
        int in = i < l.count, k = l.first + (in ? i : l.count - 1);
        global float *to = f + i * CAB_SLOTS * CAB_TILE;
        float4 none = CAB_FLOAT4(0, 0, 0, 0), p = state.position[k], v = state.velocity[k];
        float4 last = first_order ? CAB_FLOAT4(h * v.x, h * v.y, h * v.z, 0) : state.step[k];
        if (!in) p.x = p.x + (float)(i - l.count + 1);
        cab_lane_put3(to + CAB_SLOT_POSITION * CAB_TILE, p);
        cab_lane_put3(to + CAB_SLOT_RESIDUAL * CAB_TILE, in ? state.residual[k] : none);
        cab_lane_put3(to + CAB_SLOT_STEP * CAB_TILE, in ? last : none);
        cab_lane_put3(to + (CAB_SLOT_STEP + 3) * CAB_TILE,
                      in && !first_order ? state.step[k + state.particles] : none);
        cab_lane_put3(to + CAB_SLOT_OFFSET * CAB_TILE,
                      in && !first_order ? state.step[k + 2 * state.particles] : none);
        to[CAB_SLOT_SLOW * CAB_TILE] = in ? state.slow[k] : 1;
    }
}

CAB_INLINE void cab_lane_store(global const float *f, cab_lane l, cab_state state, float inverse_h)
{
    for (int i = 0; i < l.count; i++) {
        int k = l.first + i;
        global const float *from = f + i * CAB_SLOTS * CAB_TILE;
        state.position[k] = cab_lane_get3(from + CAB_SLOT_POSITION * CAB_TILE, state.position[k].w);
        state.residual[k] = cab_lane_get3(from + CAB_SLOT_RESIDUAL * CAB_TILE, 0);
        float4 last = cab_lane_get3(from + CAB_SLOT_STEP * CAB_TILE, 0);
        float4 before = cab_lane_get3(from + (CAB_SLOT_STEP + 3) * CAB_TILE, 0);
        state.slow[k] = from[CAB_SLOT_SLOW * CAB_TILE];
        state.step[k] = last;
        state.step[k + state.particles] = before;
        state.step[k + 2 * state.particles] = cab_lane_get3(from + CAB_SLOT_OFFSET * CAB_TILE, 0);
        state.velocity[k] = CAB_FLOAT4((1.5f * last.x - 0.5f * before.x) * inverse_h,
                                       (1.5f * last.y - 0.5f * before.y) * inverse_h,
                                       (1.5f * last.z - 0.5f * before.z) * inverse_h, state.velocity[k].w);
    }
}

CAB_INLINE void cab_lane_store_lambda(global const float *f, cab_lane l, float scale,
                                      global float *distance_lambda, global const cab_chain_node *chain_node)
{
    for (int i = 0; i < l.count - 1; i++) {
        int d = chain_node[l.first + i].distance;
        distance_lambda[d] = f[(i * CAB_SLOTS + CAB_SLOT_LAMBDA) * CAB_TILE] * scale;
    }
}

/* Exact lengths: a Newton pass, and up to two more where they are off or were so in the last substep. */
CAB_INLINE lane_mask cab_lanes_project(const cab_sweep *s, lane_mask slowed)
{
    cab_sweep_eliminate(s, 0, slowed);
    lane_mask off = cab_sweep_project(s, 0, slowed) | slowed;
    if (!lanes_any(off)) return off;
    for (int pass = 2; pass <= CAB_NEWTON_PASSES && lanes_any(off); pass++) {
        cab_sweep_eliminate(s, 1, off);
        off = cab_sweep_project(s, 1, off) & off;
    }
    cab_sweep_slow(s, off);
    return cab_sweep_weigh(s);
}

/* All substeps of a launch. first_order: so is its first substep. */
CAB_INLINE void cab_lanes_substeps(cab_sweep *s, int order_apart, int steps, int first_order,
                                   cab_sweep_moves *moves, int moves_apart)
{
    global const float *second = s->constants;
    if (first_order) s->constants = second + order_apart;
    lane_mask slowed = cab_sweep_weigh(s);
    cab_sweep_advance(s, 0, 0, 1, moves);
    for (int step = 0; step < steps; step++) {
        slowed = cab_lanes_project(s, slowed);
        s->constants = second;
        if (first_order) cab_sweep_weigh(s);
        moves->first_target += moves_apart;
        cab_sweep_advance(s, 1, first_order, step + 1 < steps, moves);
        first_order = 0;
    }
}

/* The same by XPBD. A particle's step is h v here. */
CAB_INLINE void cab_lanes_chain(const cab_sweep *s, int steps, int iterations, cab_sweep_moves *moves,
                                int moves_apart)
{
    int move = 0;
    for (int i = 0; i < s->count; i++) move = cab_chain_predict(s, i, moves, move);
    for (int step = 0; step < steps; step++) {
        moves->first_target += moves_apart;
        for (int k = 0; k < iterations; k++)
            cab_chain_iterate(s, k == 0, k == iterations - 1, step + 1 < steps, moves);
    }
}

CAB_INLINE void cab_lane_store_chain(global const float *f, cab_lane l, cab_state state, float inverse_h)
{
    for (int i = 0; i < l.count; i++) {
        int k = l.first + i;
        global const float *from = f + i * CAB_SLOTS * CAB_TILE;
        float4 step = cab_lane_get3(from + CAB_SLOT_STEP * CAB_TILE, 0);
        state.position[k] = cab_lane_get3(from + CAB_SLOT_POSITION * CAB_TILE, state.position[k].w);
        state.residual[k] = cab_lane_get3(from + CAB_SLOT_RESIDUAL * CAB_TILE, 0);
        state.velocity[k] =
            CAB_FLOAT4(step.x * inverse_h, step.y * inverse_h, step.z * inverse_h, state.velocity[k].w);
    }
}

/* The buffers of a launch. */
typedef struct cab_lanes_buffers {
    cab_state state;
    global const int *tile_chain;
    global const cab_tile_move *tile_move;
    global const float *lane_constant;
    global const cab_chain *chain;
    global const cab_chain_node *chain_node;
    global float *distance_lambda;
    global const float4 *target;
} cab_lanes_buffers;

/* One tile, in the memory at f. `kind` as in host/model/tiles.h; chain: 1 = XPBD, 0 = the direct method. */
CAB_INLINE void cab_lanes_tile(const cab_lanes_buffers *b, global const cab_params *params, cab_tile t,
                               int index, int kind, int chain, int argument, global float *f)
{
    int lane = CAB_LANE, first_order = argument & 1, moves_apart = 2 * params->moving_count;
    int first_chain = index * CAB_TILE, mixed = kind == 2;
    /* a work-item that only fills up would read what another one writes */
    if (CAB_GROUP_SIZE > 1 && b->tile_chain[first_chain + lane] < 0) return;
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE) {
        cab_lane own = cab_lane_of(b->tile_chain, b->chain, first_chain + l);
        cab_lane_load(f + l, own, t.count, b->state, first_order, params->h);
    }
    cab_sweep s;
    s.slot = (global lanes_memory *)(f + lane);
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
    moves.first_target = (argument >> 1) * moves_apart;
    moves.lane = CAB_GROUP_SIZE > 1 ? lane : -1;
    int steps = params->substeps - (argument >> 1);
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    float scale = chain || (first_order && steps == 1) ? 1 : 2.25f; /* lambda counts h^2, not h_s^2 */
    if (chain)
        cab_lanes_chain(&s, steps, params->iterations, &moves, moves_apart);
    else
        cab_lanes_substeps(&s, t.order_apart, steps, first_order, &moves, moves_apart);
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE) {
        cab_lane own = cab_lane_of(b->tile_chain, b->chain, first_chain + l);
        if (!own.live) continue;
        if (chain)
            cab_lane_store_chain(f + l, own, b->state, params->inverse_h);
        else
            cab_lane_store(f + l, own, b->state, params->inverse_h);
        cab_lane_store_lambda(f + l, own, scale, b->distance_lambda, b->chain_node);
    }
}

/* A group walks through its share of the tiles of a kind in one piece of memory, which stays in the cache of
 * a CPU. argument: 2 (the frame's substep that this launch begins with) + (1: it is of first order) */
#define CAB_LANES_KERNEL(name, kind, chain_order)                                                            \
    CAB_GROUP_KERNEL(                                                                                        \
        name, global const cab_params *params, global const cab_tile *tile, global const int *tile_chain,    \
        global const cab_tile_move *tile_move, global const float *lane_constant,                            \
        global const cab_chain *chain, global const cab_chain_node *chain_node, global float4 *position,     \
        global float4 *residual, global float4 *velocity, global float4 *step, global float *slow,           \
        global float *distance_lambda, global const float4 *target, global float *tile_memory)               \
    {                                                                                                        \
        CAB_GROUP(group);                                                                                    \
        cab_lanes_buffers b;                                                                                 \
        b.state.position = position;                                                                         \
        b.state.residual = residual;                                                                         \
        b.state.velocity = velocity;                                                                         \
        b.state.step = step;                                                                                 \
        b.state.slow = slow;                                                                                 \
        b.state.particles = params->particle_count;                                                          \
        b.tile_chain = tile_chain;                                                                           \
        b.tile_move = tile_move;                                                                             \
        b.lane_constant = lane_constant;                                                                     \
        b.chain = chain;                                                                                     \
        b.chain_node = chain_node;                                                                           \
        b.distance_lambda = distance_lambda;                                                                 \
        b.target = target;                                                                                   \
        global float *memory = tile_memory + (size_t)group * (size_t)params->tile_floats;                    \
        for (int k = params->tile_first[kind] + group; k < params->tile_first[(kind) + 1];                   \
             k += params->tile_groups) {                                                                     \
            cab_lanes_tile(&b, params, tile[k], k, kind, chain_order, argument, memory);                     \
        }                                                                                                    \
    }

/* the direct method: equal cables without bending, with it, whatever else; then XPBD */
CAB_LANES_KERNEL(lanes_lengths, 0, 0)
CAB_LANES_KERNEL(lanes_bending, 1, 0)
CAB_LANES_KERNEL(lanes_mixed, 2, 0)
CAB_LANES_KERNEL(lanes_xpbd_lengths, 0, 1)
CAB_LANES_KERNEL(lanes_xpbd_bending, 1, 1)
CAB_LANES_KERNEL(lanes_xpbd_mixed, 2, 1)
