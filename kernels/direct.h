/* The direct method on a tile of chains in lanes: a substep in three sweeps and no iteration.
 *
 *   eliminate  from the end to the start: back-substitution of the implicit bending; the segments as they
 * then are; elimination of the tridiagonal system J M^-1 J^T lambda = -C project    from the start to the
 * end: lambda and the new places; is any length still off? advance    from the start to the end: the places
 * of this substep, prediction of the next one and forward substitution of its bending
 *
 * Time: BDF2, x~ = (4 x_n - x_n-1)/3 + h_s ((4 v_n - v_n-1)/3 + h_s a), h_s = 2h/3, v = (3 d_n - d_n-1)/2h
 * with the steps d_n = x_n - x_n-1; so x~ = x_n + c_0 d_n + c_1 d_n-1 + c_2 d_n-2 + h_s^2 a. Bending:
 * (M/h_s^2 + K) delta = -K x~ with a constant factor L D L^T of two bands, the same for x, y and z. All in
 * offsets from `position` (see xpbd.h), so that small steps are not lost in large coordinates.
 */
#ifndef CAB_DIRECT_H
#define CAB_DIRECT_H

#include "lanes.h"
#include "types.h"

/* Slots of a particle in a tile. */
#define CAB_SLOT_POSITION 0
#define CAB_SLOT_RESIDUAL 3 /* what rounding left out of position */
#define CAB_SLOT_STEP 6     /* the way of the last substep, then that of the one before it */
#define CAB_SLOT_OFFSET                                                                                      \
    12 /* place within the substep; between launches the way of the last substep but two */
#define CAB_SLOT_SEGMENT 15 /* to the next particle */
#define CAB_SLOT_BEND 18    /* right side of the bending, forward-substituted; then what the bending moves */
#define CAB_SLOT_INVERSE 21 /* 1 / length of the segment */
#define CAB_SLOT_RIGHT 22   /* its right side over its pivot */
#define CAB_SLOT_BAND 23    /* its off-diagonal entry over the pivot of the next one */
#define CAB_SLOT_LAMBDA 24  /* its multiplier */
#define CAB_SLOT_WEIGHT 25  /* inverse mass as the lengths see it, */
#define CAB_SLOT_SLOW 26    /* over what it is */

/* What a sweep needs to know of a tile. */
typedef struct cab_sweep {
    global lanes_memory *slot; /* this lane's, or bundle's */
    global const float *constants;
    int count;  /* particles of the longest chain */
    int apart;  /* bundles between two slots */
    int width;  /* floats between two constants: 1, the same for all lanes; else those of a tile */
    int bends;  /* 1: bending */
    int turned; /* 1: some bending has a target */
} cab_sweep;

CAB_INLINE lanes cab_slot(const cab_sweep *s, int particle, int slot)
{
    return s->slot[(particle * CAB_SLOTS + slot) * s->apart];
}

CAB_INLINE void cab_slot_put(const cab_sweep *s, int particle, int slot, lanes value)
{
    s->slot[(particle * CAB_SLOTS + slot) * s->apart] = value;
}

CAB_INLINE lanes3 cab_slot3(const cab_sweep *s, int particle, int slot)
{
    return lanes3_make(cab_slot(s, particle, slot), cab_slot(s, particle, slot + 1),
                       cab_slot(s, particle, slot + 2));
}

CAB_INLINE void cab_slot3_put(const cab_sweep *s, int particle, int slot, lanes3 value)
{
    cab_slot_put(s, particle, slot, value.x);
    cab_slot_put(s, particle, slot + 1, value.y);
    cab_slot_put(s, particle, slot + 2, value.z);
}

/* A constant of a particle: one for all lanes, or each lane's own. */
CAB_INLINE lanes cab_constant(const cab_sweep *s, int particle, int which)
{
    global const float *c = s->constants + (particle * CAB_CONSTANTS + which) * s->width;
    if (s->width == 1) return lanes_of(*c);
    return *(global const lanes_memory *)c;
}

CAB_INLINE lanes3 cab_constant3(const cab_sweep *s, int particle, int which)
{
    return lanes3_make(cab_constant(s, particle, which), cab_constant(s, particle, which + 1),
                       cab_constant(s, particle, which + 2));
}

/* The segment from particle i to the next one, from positions and offsets. */
CAB_INLINE lanes3 cab_sweep_segment(const cab_sweep *s, int i)
{
    lanes3 p = lanes3_sub(cab_slot3(s, i + 1, CAB_SLOT_POSITION), cab_slot3(s, i, CAB_SLOT_POSITION));
    return lanes3_add(p, lanes3_sub(cab_slot3(s, i + 1, CAB_SLOT_OFFSET), cab_slot3(s, i, CAB_SLOT_OFFSET)));
}

/* x_b - x_a from positions and offsets */
CAB_INLINE lanes3 cab_lanes_between(lanes3 p_a, lanes3 e_a, lanes3 p_b, lanes3 e_b)
{
    return lanes3_add(lanes3_sub(p_b, p_a), lanes3_sub(e_b, e_a));
}

/* `again`: a second Newton pass for the lanes in `todo`: nothing bends, lambda goes on from what it is. */
CAB_INLINE void cab_sweep_eliminate(const cab_sweep *s, int again, lane_mask todo)
{
    lanes zero = lanes_of(0), inverse_pivot = zero, right = zero, w_next = zero, inverse_next = zero;
    lanes3 next = lanes3_zero(), bent = next, bent_2 = next;
    for (int i = s->count - 1; i >= 0; i--) {
        lanes w = cab_slot(s, i, CAB_SLOT_WEIGHT);
        lanes3 bent_1 = bent;
        if (s->bends && !again) {
            bent = lanes3_scale(cab_slot3(s, i, CAB_SLOT_BEND), cab_constant(s, i, CAB_CONSTANT_PIVOT));
            bent = lanes3_sub_scaled(bent, cab_constant(s, i, CAB_CONSTANT_BAND), bent_1);
            bent = lanes3_sub_scaled(bent, cab_constant(s, i, CAB_CONSTANT_BAND + 1), bent_2);
            cab_slot3_put(s, i, CAB_SLOT_BEND, bent);
            bent_2 = bent_1;
        }
        if (i < s->count - 1) {
            lanes3 r = again ? cab_sweep_segment(s, i) : cab_slot3(s, i, CAB_SLOT_SEGMENT);
            if (s->bends && !again) r = lanes3_add(r, lanes3_sub(bent_1, bent));
            lanes length = lanes_sqrt(lanes3_dot(r, r)), inverse = 1 / lanes_max(length, lanes_of(1e-20f));
            lanes c = cab_constant(s, i, CAB_CONSTANT_REST) - length;
            if (again) {
                lanes lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
                c = lanes_select(todo, c - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * lambda, zero);
            }
            /* the row of this segment: the entry that it shares with the next one, and its pivot */
            lanes off = -w_next * (lanes3_dot(r, next) * (inverse * inverse_next));
            lanes band = off * inverse_pivot;
            right = c - band * right;
            inverse_pivot = 1 / (w + w_next + cab_constant(s, i, CAB_CONSTANT_EASE) - off * band);
            cab_slot3_put(s, i, CAB_SLOT_SEGMENT, r);
            cab_slot_put(s, i, CAB_SLOT_INVERSE, inverse);
            cab_slot_put(s, i, CAB_SLOT_BAND, band);
            cab_slot_put(s, i, CAB_SLOT_RIGHT, right * inverse_pivot);
            next = r;
            inverse_next = inverse;
        }
        w_next = w;
    }
}

/* Returns the lanes whose lengths are still off by more than CAB_LENGTH_ERROR. */
CAB_INLINE lane_mask cab_sweep_project(const cab_sweep *s, int again, lane_mask todo)
{
    lanes3 pull = lanes3_zero(), moved_last = pull, r = pull;
    lanes zero = lanes_of(0), lambda = zero, band = zero, wanted = zero;
    lane_mask off = zero != zero;
    for (int i = 0; i < s->count; i++) {
        lanes3 push = pull, next = r, old = cab_slot3(s, i, CAB_SLOT_OFFSET);
        lanes length = zero;
        if (i < s->count - 1) {
            lambda = cab_slot(s, i, CAB_SLOT_RIGHT) - band * lambda;
            band = cab_slot(s, i, CAB_SLOT_BAND);
            next = cab_slot3(s, i, CAB_SLOT_SEGMENT);
            pull = lanes3_scale(next, lambda * cab_slot(s, i, CAB_SLOT_INVERSE));
            push = lanes3_sub(push, pull);
            lanes sum = again ? cab_slot(s, i, CAB_SLOT_LAMBDA) + lambda : lambda;
            cab_slot_put(s, i, CAB_SLOT_LAMBDA, sum);
            length =
                cab_constant(s, i, CAB_CONSTANT_REST) - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * sum;
        }
        lanes3 moved = lanes3_scale(push, cab_slot(s, i, CAB_SLOT_WEIGHT)), e;
        if (again) {
            e = lanes3_add(old, moved);
            e = lanes3_make(lanes_select(todo, e.x, old.x), lanes_select(todo, e.y, old.y),
                            lanes_select(todo, e.z, old.z));
        } else {
            e = lanes3_add(old, s->bends ? lanes3_add(cab_slot3(s, i, CAB_SLOT_BEND), moved) : moved);
        }
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
        if (i > 0) {
            r = lanes3_add(r, lanes3_sub(moved, moved_last));
            lanes square = wanted * wanted;
            off = off | (lanes_abs(lanes3_dot(r, r) - square) > 2 * CAB_LENGTH_ERROR * square);
        }
        r = next;
        wanted = length;
        moved_last = moved;
    }
    return off;
}

/* Inverse masses as the lengths see them. Returns the lanes where some are less than they are. */
CAB_INLINE lane_mask cab_sweep_weigh(const cab_sweep *s)
{
    lanes one = lanes_of(1);
    lane_mask slowed = one != one;
    for (int i = 0; i < s->count; i++) {
        lanes slow = cab_slot(s, i, CAB_SLOT_SLOW);
        cab_slot_put(s, i, CAB_SLOT_WEIGHT, cab_constant(s, i, CAB_CONSTANT_WEIGHT) * slow);
        slowed = slowed | (slow < one);
    }
    return slowed;
}

/* How slow particles must be in the next substep (CAB_EASE) in the lanes whose lengths are off. */
CAB_INLINE void cab_sweep_slow(const cab_sweep *s, lane_mask off)
{
    lanes one = lanes_of(1), before = lanes_of(0);
    for (int i = 0; i < s->count; i++) {
        lanes w = cab_constant(s, i, CAB_CONSTANT_WEIGHT), pull = lanes_of(0);
        if (i < s->count - 1)
            pull =
                lanes_max(-cab_slot(s, i, CAB_SLOT_LAMBDA), lanes_of(0)) * cab_slot(s, i, CAB_SLOT_INVERSE);
        cab_slot_put(s, i, CAB_SLOT_SLOW, lanes_select(off, 1 / lanes_max(one, w * (before + pull)), one));
        before = pull;
    }
}

/* The sum of a and b, and what rounding left out of it where a is the larger; else next to it. */
CAB_INLINE lanes cab_lanes_sum(lanes a, lanes b, lanes *rest)
{
    lanes sum = a + b;
    *rest = b - (sum - a);
    return sum;
}

/* A particle's steps: the last one and the two before it. */
typedef struct cab_steps {
    lanes3 last, before, first;
} cab_steps;

/* Takes the substep that has been solved into position and steps. After a substep of first order, whose
 * `last` was h v, the steps before it are made such that v = (3 last - before)/2h holds then and now. */
CAB_INLINE void cab_sweep_finish(const cab_sweep *s, int i, int first_order, lanes3 e, lanes3 *p, lanes3 *r,
                                 cab_steps *steps)
{
    lanes3 way = lanes3_sub(e, *r);
    p->x = cab_lanes_sum(p->x, e.x, &r->x);
    p->y = cab_lanes_sum(p->y, e.y, &r->y);
    p->z = cab_lanes_sum(p->z, e.z, &r->z);
    if (first_order) {
        steps->first = lanes3_sub_scaled(lanes3_scale(way, lanes_of(3)), lanes_of(2), steps->last);
        steps->before = way;
    } else {
        steps->first = steps->before;
        steps->before = steps->last;
    }
    steps->last = way;
    cab_slot3_put(s, i, CAB_SLOT_POSITION, *p);
    cab_slot3_put(s, i, CAB_SLOT_RESIDUAL, *r);
    cab_slot3_put(s, i, CAB_SLOT_STEP, steps->last);
    cab_slot3_put(s, i, CAB_SLOT_STEP + 3, steps->before);
}

CAB_INLINE lanes3 cab_sweep_predict(const cab_sweep *s, int i, lanes3 r, const cab_steps *steps)
{
    lanes3 e = lanes3_add_scaled(lanes3_add(r, cab_constant3(s, i, CAB_CONSTANT_FALL)),
                                 cab_constant(s, i, CAB_CONSTANT_STEP), steps->last);
    e = lanes3_add_scaled(e, cab_constant(s, i, CAB_CONSTANT_STEP + 1), steps->before);
    return lanes3_add_scaled(e, cab_constant(s, i, CAB_CONSTANT_STEP + 2), steps->first);
}

/* Forward substitution on its way: the segment that came last, and the right sides of the next two particles
 * so far. */
typedef struct cab_bend {
    lanes3 segment, right, right_next;
} cab_bend;

/* The bending about particle j, `segment` after it: its forces complete the right side of particle j - 1. */
CAB_INLINE void cab_sweep_bend(const cab_sweep *s, int j, lanes3 segment, cab_bend *b)
{
    lanes before = cab_constant(s, j, CAB_CONSTANT_BEFORE), after = cab_constant(s, j, CAB_CONSTANT_AFTER);
    lanes3 f = lanes3_scale(segment, cab_constant(s, j, CAB_CONSTANT_STIFF_AFTER));
    f = lanes3_sub_scaled(f, cab_constant(s, j, CAB_CONSTANT_STIFF_BEFORE), b->segment);
    if (s->turned) f = lanes3_sub(f, cab_constant3(s, j, CAB_CONSTANT_TARGET));
    lanes3 z = lanes3_sub_scaled(b->right, before, f);
    b->right = lanes3_add_scaled(b->right_next, before + after, f);
    b->right_next = lanes3_scale(f, -after);
    b->segment = segment;
    if (j == 0) return;
    cab_slot3_put(s, j - 1, CAB_SLOT_BEND, z);
    b->right = lanes3_sub_scaled(b->right, cab_constant(s, j - 1, CAB_CONSTANT_BAND), z);
    b->right_next = lanes3_sub_scaled(b->right_next, cab_constant(s, j - 1, CAB_CONSTANT_BAND + 1), z);
}

/* Held particles that move, of one tile: the prediction is where they must be. */
typedef struct cab_sweep_moves {
    global const cab_tile_move *move;
    global const float4 *target;
    int count, first_target; /* of this substep */
    int lane;                /* this work-item's; -1 = all of a bundle */
} cab_sweep_moves;

/* Puts particle i of the lanes that `moves` names next at its target; returns the next one to look at. */
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

/* finish: ends the substep that has been solved; first_order: it was that. predict: begins the next one. */
CAB_INLINE void cab_sweep_advance(const cab_sweep *s, int finish, int first_order, int predict,
                                  const cab_sweep_moves *moves)
{
    lanes3 p_last = lanes3_zero(), e_last = p_last;
    cab_bend bend;
    bend.segment = bend.right = bend.right_next = p_last;
    int move = 0;
    for (int i = 0; i < s->count; i++) {
        lanes3 p = cab_slot3(s, i, CAB_SLOT_POSITION), r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
        lanes3 e = cab_slot3(s, i, CAB_SLOT_OFFSET);
        cab_steps steps;
        steps.last = cab_slot3(s, i, CAB_SLOT_STEP);
        steps.before = cab_slot3(s, i, CAB_SLOT_STEP + 3);
        steps.first = e;
        if (finish) cab_sweep_finish(s, i, first_order, e, &p, &r, &steps);
        e = predict ? cab_sweep_predict(s, i, r, &steps) : steps.first;
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
        if (!predict) continue;
        if (move < moves->count && moves->move[move].particle == i) {
            move = cab_sweep_move(s, moves, move, i);
            e = cab_slot3(s, i, CAB_SLOT_OFFSET);
        }
        if (i > 0) {
            lanes3 segment = lanes3_add(lanes3_sub(p, p_last), lanes3_sub(e, e_last));
            cab_slot3_put(s, i - 1, CAB_SLOT_SEGMENT, segment);
            if (s->bends) cab_sweep_bend(s, i - 1, segment, &bend);
        }
        p_last = p;
        e_last = e;
    }
    if (!s->bends || !predict) return;
    cab_sweep_bend(s, s->count - 1, lanes3_zero(), &bend);
    cab_slot3_put(s, s->count - 1, CAB_SLOT_BEND, bend.right);
}

#endif
