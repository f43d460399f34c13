/* The sweeps of a tile of branches in a net (nets.cl): the equations are those of direct_bend.cl and direct_lengths.cl, in lanes
 * as in sweep.h. Nodes at and next to junctions are separators: their rows of the bending's factor are those of the unit matrix,
 * and their slots CAB_SLOT_BEND hold first what the branch adds to their right sides, then their displacements. */
#ifndef CAB_NET_SWEEP_H
#define CAB_NET_SWEEP_H

#include "sweep.h"

/* A number that is the same in all lanes. */
CAB_INLINE float cab_net_one(real x)
{
    cab_numbers n;
    n.all = x;
    return n.one[0];
}

/* A vector whose numbers stand so far apart in memory, the same in all lanes. */
CAB_INLINE vec3 cab_net_spread(global const float *from, int apart)
{
    return vec3_make(real_of(from[0]), real_of(from[apart]), real_of(from[2 * apart]));
}

/* A tile as its sweeps see it. */
typedef struct cab_net_view {
    cab_sweep s;
    global const real_memory *more; /* [nodes][CAB_NET_CONSTANTS][work-items] */
    global real_memory *spike;
    global float *number; /* of this work-item's first lane; the next number stands `lanes` further */
    int lanes;
    real nodes;
} cab_net_view;

CAB_INLINE real cab_net_more(const cab_net_view *v, int i, int which)
{
    return v->more[(i * CAB_NET_CONSTANTS + which) * CAB_GROUP_SIZE];
}

CAB_INLINE global real_memory *cab_net_number(const cab_net_view *v, int which)
{
    return (global real_memory *)(v->number + which * v->lanes);
}

CAB_INLINE void cab_net_number3_put(const cab_net_view *v, int which, vec3 x)
{
    *cab_net_number(v, which) = x.x;
    *cab_net_number(v, which + 1) = x.y;
    *cab_net_number(v, which + 2) = x.z;
}

CAB_INLINE vec3 cab_net_number3(const cab_net_view *v, int which)
{
    return vec3_make(*cab_net_number(v, which), *cab_net_number(v, which + 1), *cab_net_number(v, which + 2));
}

/* Is node i one of the branch? Is it the last? */
CAB_INLINE real_mask cab_net_has(const cab_net_view *v, int i)
{
    return real_of((float)i) < v->nodes;
}

CAB_INLINE real_mask cab_net_ends(const cab_net_view *v, int i)
{
    return real_of((float)i + 1) == v->nodes;
}

/* After the forward substitution: adds what nodes inside leave to the two separators at the start. */
CAB_INLINE void cab_net_leave(const cab_net_view *v)
{
    vec3 start = cab_slot3(&v->s, 0, CAB_SLOT_BEND), next = cab_slot3(&v->s, 1, CAB_SLOT_BEND);
    for (int k = 2; k < v->s.count; k++) {
        vec3 z = cab_slot3(&v->s, k, CAB_SLOT_BEND);
        start = cab_band_take(start, cab_net_more(v, k, CAB_NET_SPIKE), z);
        next = cab_band_take(next, cab_net_more(v, k, CAB_NET_SPIKE_NEXT), z);
    }
    cab_slot3_put(&v->s, 0, CAB_SLOT_BEND, start);
    cab_slot3_put(&v->s, 1, CAB_SLOT_BEND, next);
}

/* Bends (in the first pass only), eliminates the lengths, and condenses each branch to its ends. */
CAB_INLINE void cab_net_eliminate(const cab_net_view *v, int again)
{
    const cab_sweep *s = &v->s;
    real zero = real_of(0), w_next = zero, inverse_next = zero, spike = zero, corner = zero, pulled = zero;
    real joins = *cab_net_number(v, CAB_NET_JOINS);
    real_mask todo = *cab_net_number(v, CAB_NET_TODO) > zero;
    cab_elimination rows = {zero, zero};
    vec3 next = vec3_zero(), bent = next, bent_2 = next, end = next;
    vec3 first = cab_slot3(s, 0, CAB_SLOT_BEND), second = cab_slot3(s, 1, CAB_SLOT_BEND);
    for (int i = s->count - 1; i >= 0; i--) {
        real w = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
        vec3 bent_1 = bent;
        if (!again) {
            bent = cab_band_back(cab_slot3(s, i, CAB_SLOT_BEND), cab_constant(s, i, CAB_CONSTANT_PIVOT),
                                 cab_constant(s, i, CAB_CONSTANT_BAND), bent_1,
                                 cab_constant(s, i, CAB_CONSTANT_BAND + 1), bent_2);
            bent = cab_band_take(bent, cab_net_more(v, i, CAB_NET_SPIKE), first);
            bent = cab_band_take(bent, cab_net_more(v, i, CAB_NET_SPIKE_NEXT), second);
            cab_slot3_put(s, i, CAB_SLOT_BEND, bent);
            bent_2 = bent_1;
        }
        if (i < s->count - 1) {
            vec3 r = again ? cab_sweep_segment(s, i) : cab_slot3(s, i, CAB_SLOT_SEGMENT);
            if (!again) r = vec3_add(r, vec3_sub(bent_1, bent));
            real length = vec3_length(r), inverse = cab_inverse_length(length);
            real c = cab_constant(s, i, CAB_CONSTANT_REST) - length;
            if (again) {
                real lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
                c = real_select(todo, c - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * lambda, zero);
            }
            real shared = -w_next * (vec3_dot(r, next) * (inverse * inverse_next));
            real band = cab_eliminate_length(&rows, w + w_next + cab_constant(s, i, CAB_CONSTANT_DIAGONAL),
                                             shared, c);
            vec3 unit = vec3_scale(r, inverse);
            real_mask last = cab_net_ends(v, i + 1);
            spike = real_select(last, joins, zero - band * spike);
            end = vec3_select(last, unit, end);
            real scaled = spike * rows.inverse_pivot, right = rows.right * rows.inverse_pivot;
            corner = corner + spike * scaled;
            pulled = pulled + spike * right;
            cab_slot3_put(s, i, CAB_SLOT_SEGMENT, r);
            cab_slot_put(s, i, CAB_SLOT_INVERSE, inverse);
            cab_slot_put(s, i, CAB_SLOT_BAND, band);
            cab_slot_put(s, i, CAB_SLOT_RIGHT, right);
            v->spike[i * CAB_GROUP_SIZE] = scaled;
            next = r;
            inverse_next = inverse;
        }
        w_next = w;
    }
    cab_net_number3_put(v, CAB_NET_START, vec3_scale(next, inverse_next));
    cab_net_number3_put(v, CAB_NET_END, end);
    *cab_net_number(v, CAB_NET_START_START) = rows.inverse_pivot;
    *cab_net_number(v, CAB_NET_START_END) = spike * rows.inverse_pivot;
    *cab_net_number(v, CAB_NET_END_END) = corner;
    *cab_net_number(v, CAB_NET_START_PULL) = rows.right * rows.inverse_pivot;
    *cab_net_number(v, CAB_NET_END_PULL) = pulled;
}

/* Multipliers and places, when the junctions at the branches' ends move by `start` and `end`. Returns the lanes in which a
 * length is still off. */
CAB_INLINE real_mask cab_net_project(const cab_net_view *v, int again, vec3 start, vec3 end)
{
    const cab_sweep *s = &v->s;
    vec3 pull = vec3_zero(), moved_last = pull, r = pull;
    real zero = real_of(0), lambda = zero, band = zero, wanted = zero;
    real_mask off = zero != zero, no = off, todo = *cab_net_number(v, CAB_NET_TODO) > zero;
    real a = vec3_dot(cab_net_number3(v, CAB_NET_START), start) * *cab_net_number(v, CAB_NET_START_START);
    real b = zero - vec3_dot(cab_net_number3(v, CAB_NET_END), end);
    for (int i = 0; i < s->count; i++) {
        vec3 push = pull, next = r, old = cab_slot3(s, i, CAB_SLOT_OFFSET);
        real length = zero;
        if (i < s->count - 1) {
            lambda = cab_slot(s, i, CAB_SLOT_RIGHT) + v->spike[i * CAB_GROUP_SIZE] * b - band * lambda;
            if (i == 0) lambda = lambda + a;
            band = cab_slot(s, i, CAB_SLOT_BAND);
            next = cab_slot3(s, i, CAB_SLOT_SEGMENT);
            pull = vec3_scale(next, lambda * cab_slot(s, i, CAB_SLOT_INVERSE));
            push = vec3_sub(push, pull);
            real sum = again ? cab_slot(s, i, CAB_SLOT_LAMBDA) + lambda : lambda;
            cab_slot_put(s, i, CAB_SLOT_LAMBDA, sum);
            length =
                cab_constant(s, i, CAB_CONSTANT_REST) - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * sum;
        }
        vec3 moved = vec3_scale(push, cab_constant(s, i, CAB_CONSTANT_WEIGHT)), e;
        if (i == 0) moved = vec3_add(moved, start);
        moved = vec3_add(moved, vec3_select(cab_net_ends(v, i), end, vec3_zero()));
        if (again)
            e = vec3_select(todo, vec3_add(old, moved), old);
        else
            e = vec3_add(old, vec3_add(cab_slot3(s, i, CAB_SLOT_BEND), moved));
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
        if (i > 0)
            off = off |
                  (cab_length_off(no, vec3_add(r, vec3_sub(moved, moved_last)), wanted) & cab_net_has(v, i));
        r = next;
        wanted = length;
        moved_last = moved;
    }
    return off & todo;
}

/* Adds the last substep to the ways and turns of the branches. */
CAB_INLINE void cab_net_travel(const cab_net_view *v)
{
    real zero = real_of(0), way = zero, turn = zero;
    vec3 before = vec3_zero();
    for (int i = 0; i < v->s.count; i++) {
        vec3 step = cab_slot3(&v->s, i, CAB_SLOT_STEP), apart = vec3_sub(step, before);
        way = real_max(way, vec3_dot(step, step));
        if (i > 0) turn = real_max(turn, vec3_dot(apart, apart) * cab_net_more(v, i - 1, CAB_NET_PER_REST));
        before = step;
    }
    way = real_sqrt(way);
    *cab_net_number(v, CAB_NET_STEP) = way;
    *cab_net_number(v, CAB_NET_TRAVEL) = *cab_net_number(v, CAB_NET_TRAVEL) + way;
    *cab_net_number(v, CAB_NET_TURN) = *cab_net_number(v, CAB_NET_TURN) + real_sqrt(turn);
}

/* Boxes around the branches. */
CAB_INLINE void cab_net_box(const cab_net_view *v)
{
    vec3 low = cab_slot3(&v->s, 0, CAB_SLOT_POSITION), high = low;
    real radius = *cab_net_number(v, CAB_NET_RADIUS);
    for (int i = 1; i < v->s.count; i++) {
        vec3 x = vec3_select(cab_net_has(v, i), cab_slot3(&v->s, i, CAB_SLOT_POSITION), low);
        low = vec3_min(low, x);
        high = vec3_max(high, x);
    }
    cab_net_number3_put(v, CAB_NET_LOW, vec3_make(low.x - radius, low.y - radius, low.z - radius));
    cab_net_number3_put(v, CAB_NET_HIGH, vec3_make(high.x + radius, high.y + radius, high.z + radius));
}

#endif
