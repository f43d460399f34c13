/* A tile of cables, one in each lane: where a particle's numbers are, and how they are read and written. */
#ifndef CAB_TILE_H
#define CAB_TILE_H

#include "types.h"
#include "vector.h"

/* Slots of a particle in a tile; vectors take three. */
#define CAB_SLOT_POSITION 0
#define CAB_SLOT_RESIDUAL 3 /* what rounding left out of position */
#define CAB_SLOT_STEP 6     /* displacement in the last substep, then in the one before it */
#define CAB_SLOT_OFFSET 12  /* offset; between launches the displacement in the last substep but two */
#define CAB_SLOT_SEGMENT 15 /* to the next particle */
#define CAB_SLOT_BEND 18    /* right side of the bending, then its displacement */
#define CAB_SLOT_INVERSE 21 /* 1 / length of the segment */
#define CAB_SLOT_RIGHT 22   /* right side of its row over the pivot */
#define CAB_SLOT_BAND 23    /* its row's off-diagonal entry over the pivot of the next row */
#define CAB_SLOT_LAMBDA 24  /* multiplier of the segment */
#define CAB_SLOT_WEIGHT 25  /* inverse mass in the equations of lengths */
#define CAB_SLOT_SLOW 26    /* factor by which that is reduced */

/* A tile as a sweep sees it. */
typedef struct cab_sweep {
    global real_memory *slot; /* of this lane, or of the first of CAB_VECTOR lanes */
    global const float *constants;
    int count;  /* particles of the longest chain */
    int apart;  /* reals between two slots */
    int width;  /* floats between two constants: 1 = the same for all lanes; else the lanes of a tile */
    int bends;  /* 1: cables have bending stiffness */
    int turned; /* 1: some bending has a target */
} cab_sweep;

CAB_INLINE real cab_slot(const cab_sweep *s, int particle, int slot)
{
    return s->slot[(particle * CAB_SLOTS + slot) * s->apart];
}

CAB_INLINE void cab_slot_put(const cab_sweep *s, int particle, int slot, real value)
{
    s->slot[(particle * CAB_SLOTS + slot) * s->apart] = value;
}

CAB_INLINE vec3 cab_slot3(const cab_sweep *s, int particle, int slot)
{
    return vec3_make(cab_slot(s, particle, slot), cab_slot(s, particle, slot + 1),
                     cab_slot(s, particle, slot + 2));
}

CAB_INLINE void cab_slot3_put(const cab_sweep *s, int particle, int slot, vec3 value)
{
    cab_slot_put(s, particle, slot, value.x);
    cab_slot_put(s, particle, slot + 1, value.y);
    cab_slot_put(s, particle, slot + 2, value.z);
}

/* A constant of a particle: the same for all lanes, or one for each. */
CAB_INLINE real cab_constant(const cab_sweep *s, int particle, int which)
{
    global const float *c = s->constants + (particle * CAB_CONSTANTS + which) * s->width;
    if (s->width == 1) return real_of(*c);
    return *(global const real_memory *)c;
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

/* Puts particle i at its target in the lanes that `moves` names next. Returns the next move. */
CAB_INLINE int cab_sweep_move(const cab_sweep *s, const cab_sweep_moves *moves, int next, int i)
{
    for (; next < moves->count && moves->move[next].particle == i; next++) {
        cab_tile_move m = moves->move[next];
        if (moves->lane >= 0 && moves->lane != m.lane) continue;
        int t = moves->first_target + 2 * m.moving, lane = moves->lane >= 0 ? 0 : m.lane;
        global float *p = (global float *)&s->slot[(i * CAB_SLOTS + CAB_SLOT_POSITION) * s->apart];
        global float *e = (global float *)&s->slot[(i * CAB_SLOTS + CAB_SLOT_OFFSET) * s->apart];
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

/* A cable's state between launches. */
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

/* Loads a cable into the tile, continued by held particles 1 m apart. f: this lane's first float. */
CAB_INLINE void cab_lane_load(global float *f, cab_lane l, int count, cab_state state, int first_order,
                              float h)
{
    for (int i = 0; i < count; i++) {
        int in = i < l.count, k = l.first + (in ? i : l.count - 1);
        global float *to = f + i * CAB_SLOTS * CAB_TILE;
        float4 none = CAB_FLOAT4(0, 0, 0, 0), p = state.position[k], v = state.velocity[k];
        float4 last = first_order ? CAB_FLOAT4(h * v.x, h * v.y, h * v.z, 0) : state.step[k];
        if (!in) p.x = p.x + (float)(i - l.count + 1);
        cab_lane_put3(to, CAB_SLOT_POSITION, p);
        cab_lane_put3(to, CAB_SLOT_RESIDUAL, in ? state.residual[k] : none);
        cab_lane_put3(to, CAB_SLOT_STEP, in ? last : none);
        cab_lane_put3(to, CAB_SLOT_STEP + 3, in && !first_order ? state.step[k + state.particles] : none);
        cab_lane_put3(to, CAB_SLOT_OFFSET, in && !first_order ? state.step[k + 2 * state.particles] : none);
        to[CAB_SLOT_SLOW * CAB_TILE] = in ? state.slow[k] : 1;
    }
}

CAB_INLINE void cab_lane_store_place(global const float *from, int k, cab_state state)
{
    state.position[k] = cab_lane_get3(from, CAB_SLOT_POSITION, state.position[k].w);
    state.residual[k] = cab_lane_get3(from, CAB_SLOT_RESIDUAL, 0);
}

CAB_INLINE void cab_lane_store_lambda(global const float *f, cab_lane l, float scale,
                                      global float *distance_lambda, global const cab_chain_node *chain_node)
{
    for (int i = 0; i < l.count - 1; i++) {
        int d = chain_node[l.first + i].distance;
        distance_lambda[d] = f[(i * CAB_SLOTS + CAB_SLOT_LAMBDA) * CAB_TILE] * scale;
    }
}

#endif
