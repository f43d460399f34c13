/* A tile of cables, one in each lane: where a particle's numbers are, and how they are read and written. */
#ifndef CAB_TILE_H
#define CAB_TILE_H

#include "matrix.h"
#include "motion.h"
#include "types.h"

/* Slots of a particle in a tile; vectors take three. A tile keeps the first CAB_SLOTS_KEPT between launches, */
#define CAB_SLOT_POSITION 0
#define CAB_SLOT_RESIDUAL 3 /* what rounding left out of position */
#define CAB_SLOT_STEP 6 /* displacement in the last substep, then in the one before it; XPBD: see chain.h */
#define CAB_SLOT_OFFSET 12 /* offset; between launches the displacement in the last substep but two */
#define CAB_SLOT_SLOW 15   /* factor by which the inverse mass is reduced in the equations of lengths */
#define CAB_SLOT_LAMBDA 16 /* multiplier of the segment to the next particle */
/* the others are work memory, which a group uses for one tile after the other. */
#define CAB_SLOT_SEGMENT 17 /* to the next particle */
#define CAB_SLOT_BEND 20    /* right side of the bending, then its displacement */
#define CAB_SLOT_INVERSE 23 /* 1 / length of the segment */
#define CAB_SLOT_RIGHT 24   /* right side of its row over the pivot */
#define CAB_SLOT_BAND 25    /* its row's off-diagonal entry over the pivot of the next row */
#define CAB_SLOT_WEIGHT 26  /* inverse mass in the equations of lengths */

struct cab_twist_tile; /* twist_sweep.h */

/* A tile as a sweep sees it. */
typedef struct cab_sweep {
    global real_memory *kept, *work; /* slots of this lane, or of the first of CAB_VECTOR lanes */
    global const real_memory *ahead; /* what the next tile keeps; its own where there is none */
    int ahead_first, ahead_end;      /* slots of it to ask for in this sweep */
    global const float *constants;
    global const int
        *rows; /* where each particle's constants are (cab_span_tile); 0: one particle after the other */
    int count; /* particles of the longest chain */
    int apart; /* reals between two slots */
    int width; /* floats between two constants: 1 = the same for all lanes; else the lanes of a tile */
    global real_memory
        *constrained;             /* three for each particle: see viscous_sweep.h; 0: no bending is damped */
    struct cab_twist_tile *twist; /* 0: no cable resists twisting */
    int bends;                    /* 1: cables have bending stiffness */
    int turned;                   /* 1: some bending has a target */
    int orders;                   /* 1: lanes have orders of time integration of their own, */
    real_mask first;              /* the first in these, */
    global const float *constants_first; /* with these constants */
} cab_sweep;

/* Where a tile keeps its state. */
CAB_INLINE global float *cab_tile_kept_of(global float *tile_kept, int kept)
{
    return tile_kept + (size_t)kept * (CAB_SLOTS_KEPT * CAB_TILE);
}

CAB_INLINE global real_memory *cab_slot_of(const cab_sweep *s, int particle, int slot)
{
    return slot < CAB_SLOTS_KEPT ? s->kept + (particle * CAB_SLOTS_KEPT + slot) * s->apart
                                 : s->work + (particle * CAB_SLOTS_WORK + slot - CAB_SLOTS_KEPT) * s->apart;
}

CAB_INLINE real cab_slot(const cab_sweep *s, int particle, int slot)
{
    return *cab_slot_of(s, particle, slot);
}

CAB_INLINE void cab_slot_put(const cab_sweep *s, int particle, int slot, real value)
{
    *cab_slot_of(s, particle, slot) = value;
}

CAB_INLINE vec3 cab_slot3(const cab_sweep *s, int particle, int slot)
{
    return cab_apart3(cab_slot_of(s, particle, slot), s->apart);
}

CAB_INLINE void cab_slot3_put(const cab_sweep *s, int particle, int slot, vec3 value)
{
    cab_apart3_put(cab_slot_of(s, particle, slot), s->apart, value);
}

CAB_INLINE global real_memory *cab_constrained(const cab_sweep *s, int particle)
{
    return s->constrained + 3 * particle * s->apart;
}

/* Asks for slots of a particle of the next tile, so that they are in the cache when its turn comes. */
CAB_INLINE void cab_tile_fetch_ahead(const cab_sweep *s, int particle)
{
    for (int slot = s->ahead_first; slot < s->ahead_end; slot++)
        CAB_FETCH_AHEAD(s->ahead + (particle * CAB_SLOTS_KEPT + slot) * s->apart);
}

/* Floats between two constants of a row of cab_span_tile: 1 = the same for all lanes; and its first float. */
CAB_INLINE int cab_row_width(int row)
{
    return row & 1 ? CAB_TILE : 1;
}

CAB_INLINE int cab_row_first(int row)
{
    return (row >> 1) + (row & 1 ? CAB_LANE * CAB_VECTOR : 0);
}

/* A constant of a particle: the same for all lanes, or one for each. */
CAB_INLINE real cab_constant_of(const cab_sweep *s, global const float *constants, int particle, int which)
{
    int row = s->rows ? s->rows[particle] : particle * (CAB_CONSTANTS * s->width);
    int width = s->rows ? cab_row_width(row) : s->width;
    global const float *c = constants + (s->rows ? cab_row_first(row) : row) + which * width;
    if (width == 1) return real_of(*c);
    return *(global const real_memory *)c;
}

CAB_INLINE real cab_constant(const cab_sweep *s, int particle, int which)
{
    real second = cab_constant_of(s, s->constants, particle, which);
    if (!s->orders) return second;
    return real_select(s->first, cab_constant_of(s, s->constants_first, particle, which), second);
}

CAB_INLINE vec3 cab_constant3(const cab_sweep *s, int particle, int which)
{
    return vec3_make(cab_constant(s, particle, which), cab_constant(s, particle, which + 1),
                     cab_constant(s, particle, which + 2));
}

/* The held particles of a tile that move. They are predicted to be at their targets. */
typedef struct cab_sweep_moves {
    global const cab_tile_move *move;
    global const float4 *target;
    int count, first_target; /* the substep's first target */
    int lane;                /* this work-item's lane; -1 = all CAB_VECTOR lanes */
} cab_sweep_moves;

CAB_INLINE cab_sweep_moves cab_moves_of(global const cab_tile_move *move, global const float4 *target,
                                        int count, int first_target)
{
    cab_sweep_moves moves = {move, target, count, first_target, CAB_GROUP_SIZE > 1 ? CAB_LANE : -1};
    return moves;
}

/* Puts particle i at its target in the lanes that `moves` names next. Returns the next move. */
CAB_INLINE int cab_sweep_move(const cab_sweep *s, const cab_sweep_moves *moves, int next, int i)
{
    for (; next < moves->count && moves->move[next].particle == i; next++) {
        cab_tile_move m = moves->move[next];
        if (moves->lane >= 0 && moves->lane != m.lane) continue;
        int t = moves->first_target + 2 * m.moving, lane = moves->lane >= 0 ? 0 : m.lane;
        global float *p = (global float *)cab_slot_of(s, i, CAB_SLOT_POSITION);
        global float *e = (global float *)cab_slot_of(s, i, CAB_SLOT_OFFSET);
        int apart = s->apart * CAB_VECTOR; /* floats between two slots */
        e[lane] = (moves->target[t].x - p[lane]) + moves->target[t + 1].x;
        e[lane + apart] = (moves->target[t].y - p[lane + apart]) + moves->target[t + 1].y;
        e[lane + 2 * apart] = (moves->target[t].z - p[lane + 2 * apart]) + moves->target[t + 1].z;
    }
    return next;
}

/* ---- between a tile and the buffers ---- */

/* A lane's cable. */
typedef struct cab_lane {
    int first, count; /* particles */
    int live;         /* 0: the lane only fills the tile */
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

/* The state of all particles as everything but the lanes kernels reads and writes it. */
typedef struct cab_state {
    global float4 *position, *residual, *velocity; /* w: inverse mass, unused, damping */
    global float4 *step; /* [3][particles] displacements in the last three substeps, m */
    global float *slow;  /* factor of the inverse mass where lengths cannot be met */
    int particles;
} cab_state;

CAB_INLINE void cab_lane_put3(global float *to, int slot, float4 v)
{
    to += slot * CAB_TILE;
    to[0] = v.x;
    to[CAB_TILE] = v.y;
    to[2 * CAB_TILE] = v.z;
}

CAB_INLINE float4 cab_lane_get3(global const float *from, int slot, float w)
{
    from += slot * CAB_TILE;
    return CAB_FLOAT4(from[0], from[CAB_TILE], from[2 * CAB_TILE], w);
}

/* Takes particle k into a lane. to: its first float there; first_order: there are no steps before, the velocity
 * counts; chain: of XPBD, which keeps velocities. */
CAB_INLINE void cab_lane_take_one(global float *to, int k, cab_state state, int first_order, int chain,
                                  float h)
{
    int steps = !first_order && !chain;
    float4 none = CAB_FLOAT4(0, 0, 0, 0), last = state.velocity[k];
    if (steps)
        last = state.step[k];
    else if (!chain)
        last = CAB_FLOAT4(h * last.x, h * last.y, h * last.z, 0);
    cab_lane_put3(to, CAB_SLOT_POSITION, state.position[k]);
    cab_lane_put3(to, CAB_SLOT_RESIDUAL, state.residual[k]);
    cab_lane_put3(to, CAB_SLOT_STEP, last);
    cab_lane_put3(to, CAB_SLOT_STEP + 3, steps ? state.step[k + state.particles] : none);
    cab_lane_put3(to, CAB_SLOT_OFFSET, steps ? state.step[k + 2 * state.particles] : none);
    to[CAB_SLOT_SLOW * CAB_TILE] = chain || !state.slow ? 1 : state.slow[k];
}

/* Continues a lane's cable by held particles up to `count`, 1 m apart so that segments have directions. */
CAB_INLINE void cab_lane_pad(global float *f, cab_lane l, int count)
{
    for (int i = l.count; i < count; i++) {
        global float *to = f + i * CAB_SLOTS_KEPT * CAB_TILE;
        for (int k = 0; k < CAB_SLOTS_KEPT; k++) to[k * CAB_TILE] = 0;
        to[CAB_SLOT_POSITION * CAB_TILE] = (float)i;
        to[CAB_SLOT_SLOW * CAB_TILE] = 1;
    }
}

/* Takes a cable into its lane, and pads that. f: the lane's first float; the rest as above */
CAB_INLINE void cab_lane_take(global float *f, cab_lane l, int count, cab_state state, int first_order,
                              int chain, float h)
{
    for (int i = 0; i < l.count; i++)
        cab_lane_take_one(f + i * CAB_SLOTS_KEPT * CAB_TILE, l.first + i, state, first_order, chain, h);
    cab_lane_pad(f, l, count);
}

/* Writes particle k, whose first float is `from`, into the buffers. chain: of XPBD, which keeps velocities. */
CAB_INLINE void cab_lane_give_one(global const float *from, int k, cab_state state, int chain,
                                  float inverse_h)
{
    float4 last = cab_lane_get3(from, CAB_SLOT_STEP, 0);
    float decay = state.velocity[k].w;
    state.position[k] = cab_lane_get3(from, CAB_SLOT_POSITION, state.position[k].w);
    state.residual[k] = cab_lane_get3(from, CAB_SLOT_RESIDUAL, 0);
    if (chain) {
        state.velocity[k] = CAB_FLOAT4(last.x, last.y, last.z, decay);
        return;
    }
    float4 before = cab_lane_get3(from, CAB_SLOT_STEP + 3, 0);
    if (state.slow) state.slow[k] = from[CAB_SLOT_SLOW * CAB_TILE];
    state.step[k] = last;
    state.step[k + state.particles] = before;
    state.step[k + 2 * state.particles] = cab_lane_get3(from, CAB_SLOT_OFFSET, 0);
    state.velocity[k] = cab_steps_velocity(last, before, inverse_h, decay);
}

/* Writes a lane's cable into the buffers. */
CAB_INLINE void cab_lane_give(global const float *f, cab_lane l, cab_state state, int chain, float inverse_h)
{
    for (int i = 0; i < l.count; i++)
        cab_lane_give_one(f + i * CAB_SLOTS_KEPT * CAB_TILE, l.first + i, state, chain, inverse_h);
}

CAB_INLINE void cab_lane_give_lambda(global const float *f, cab_lane l, float scale,
                                     global float *distance_lambda, global const cab_chain_node *chain_node)
{
    for (int i = 0; i < l.count - 1; i++) {
        int d = chain_node[l.first + i].distance;
        distance_lambda[d] = f[(i * CAB_SLOTS_KEPT + CAB_SLOT_LAMBDA) * CAB_TILE] * scale;
    }
}

#endif
