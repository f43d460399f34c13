/* How a cable's curvature changes apart from turning with the cable, for the damping of bending: moment EI (kappa + tau kappa').
 *
 * With u the unit tangent a cable's section turns by w = u x u' + s u; s, the spin about the tangent, is 0 where a clamp holds the
 * roll. Along the cable nothing twists: s' = -u' . (u x u'), which is, about a particle, s_+ - s_- = -kb . (u_-' + u_+')/2 with the
 * discrete curvature kb = 4 u_- x u_+ / |u_- + u_+|^2 (Bergou et al., Discrete elastic rods, 2008). In a rigid motion this is exact,
 * w is the same everywhere, and nothing is damped.
 *
 * The work that damping takes, the sum of k |kappa' - w x kappa|^2 with k the damping, depends on places by the spins, too. What that
 * gives is the moment of twist, without which the cable's angular momentum would change: with
 * T = k (kappa' - w x kappa) . (2 u_- x u_+ / |u_- + u_+|^2) of each particle it is A = T + 2 (sum of T behind it), and pulls as
 * cab_viscous_pull() says. Where no clamp holds the roll, the spin is that which makes the work least, and all T add up to 0.
 *
 * Where a cable resists twisting (twist.h) it is twisted evenly at any time: between two clamps whose rolls change by r_0 and r_1 the
 * spin goes on by its share of W as well, s_+ - s_- = ... + W (l/GJ of the particle) / (sum of l/GJ), with W = r_1 - r_0 less what is
 * said above of all particles. By W each spin depends on all places. So T = T0 - W h k |2 u_- x u_+ / |u_- + u_+|^2|^2, with T0 that
 * without W and h the sum of both shares from the start to the segments beside the particle; and the sum of T behind a particle is
 * lower by half of the sum of all T h.
 *
 * All of this is of how the last substeps go on. Of the turning, and of the moment, counts only as much as the prediction shows
 * (cab_viscous_counts).
 *
 * Derivatives are for a substep as the unit of time. Lengths are in units of the segments' rest lengths, which they keep. */
#ifndef CAB_VISCOUS_H
#define CAB_VISCOUS_H

#include "vector.h"

/* A segment at the end of the substep, as its motion goes on: unit tangent and its derivative. */
typedef struct cab_viscous_segment {
    vec3 tangent, change;
} cab_viscous_segment;

/* now: its vector over its rest length; last, before: what that changed by in the last substep and in the one before it. */
CAB_INLINE cab_viscous_segment cab_viscous_segment_of(vec3 now, vec3 last, vec3 before, int first_order)
{
    cab_viscous_segment s = {vec3_add(now, last), last};
    if (first_order) return s;
    vec3 more = vec3_sub(last, before);
    s.tangent = vec3_add(s.tangent, more);
    s.change = vec3_add_scaled(last, real_of(1.5f), more);
    return s;
}

/* A clamp's direction, which stays. */
CAB_INLINE cab_viscous_segment cab_viscous_clamp(vec3 direction)
{
    cab_viscous_segment s = {direction, vec3_zero()};
    return s;
}

/* A folded cable has no tangent: |u_- + u_+|^2 counts as no less than this, which is a turn of 178 degrees. */
#define CAB_VISCOUS_FOLD 1e-3f

/* How the sections about a particle turn (w), what its curvature changes by apart from that, and 2 u_- x u_+ / |u_- + u_+|^2. */
typedef struct cab_viscous_turn {
    vec3 turn, change, kink;
} cab_viscous_turn;

/* spin: w . u of the segment before; replaced by that of the segment after. twists: by how much the angle of twist between both changes */
CAB_INLINE cab_viscous_turn cab_viscous_turn_of(const cab_viscous_segment *a, const cab_viscous_segment *b,
                                                real twists, real *spin)
{
    vec3 sum = vec3_add(a->tangent, b->tangent), changed = vec3_add(a->change, b->change);
    vec3 curvature = vec3_sub(b->tangent, a->tangent);
    real inverse = 1 / real_max(vec3_dot(sum, sum), real_of(CAB_VISCOUS_FOLD)), was = *spin;
    cab_viscous_turn t;
    t.kink = vec3_scale(vec3_cross(a->tangent, b->tangent), 2 * inverse);
    real next = was - vec3_dot(t.kink, changed) + twists;
    /* tangents that go on are not quite of length 1: w . u_+ - w . u_- is what is meant */
    *spin = next + (was + next) * (vec3_dot(curvature, sum) * inverse);
    t.turn = vec3_scale(vec3_add_scaled(vec3_cross(sum, changed), was + *spin, sum), inverse);
    t.change = vec3_sub(vec3_sub(b->change, a->change), vec3_cross(t.turn, curvature));
    return t;
}

/* What turning alone makes the curvature u_+ - u_- change by in h_s, that of the integration: bending is damped by what differs
 * from this. */
CAB_INLINE vec3 cab_viscous_turned(const cab_viscous_segment *a, const cab_viscous_segment *b,
                                   const cab_viscous_turn *t, int first_order)
{
    vec3 turned = vec3_cross(t->turn, vec3_sub(b->tangent, a->tangent));
    return first_order ? turned : vec3_scale(turned, real_of(2.0f / 3));
}

/* Of a prediction that changes the curvature by two thirds of what turning would, all turning counts: in a rigid motion the two differ
 * by rounding and by the square of the turn in a substep. */
#define CAB_VISCOUS_FOLLOWS 1.5f

/* What share, 0 to 1, of `turned` counts, which is what turning would make the curvature change by: as far as the predicted curvature does
 * change so. How a cable turns is known from its last substeps only. Where it is much bent and much damped, all of it is an answer to
 * what damping itself has done before, and grows from substep to substep. */
CAB_INLINE real cab_viscous_counts(vec3 change, vec3 turned)
{
    real square = vec3_dot(turned, turned), zero = real_of(0), one = real_of(1);
    real_mask turns = square > zero;
    real share = vec3_dot(change, turned) / real_select(turns, square, one);
    return real_min(one, real_max(zero, real_of(CAB_VISCOUS_FOLLOWS) * share));
}

/* v h_s of a particle whose offset is e at the end of the substep, and r at its start: at second order
 * v h_s = x - (x_n + (x_n - x_n-1)/3) with h_s = 2h/3, at first order v h_s = x - x_n with h_s = h. */
CAB_INLINE vec3 cab_viscous_way(vec3 e, vec3 r, vec3 last, int first_order)
{
    vec3 way = vec3_sub(e, r);
    return first_order ? way : vec3_sub_scaled(way, real_of(1.0f / 3), last);
}

/* By how much constraints have moved a particle from where the bending had put it, in a substep of second order. */
CAB_INLINE vec3 cab_viscous_constraints(vec3 e, vec3 bent, int first_order)
{
    vec3 moved = vec3_sub(e, bent);
    return first_order ? vec3_scale(moved, real_of(4.0f / 9)) : moved;
}

/* What goes along a run of particles. */
typedef struct cab_viscous_along {
    real spin,
        behind; /* w . u of the segment before; sum of T that counts from here on, less what no clamp bears */
    real torque;      /* sum of T so far, */
    real square, all; /* of k |kink|^2, and of k */
} cab_viscous_along;

/* Goes through a run for the first time: then nothing is known. */
CAB_INLINE cab_viscous_along cab_viscous_begin(void)
{
    real zero = real_of(0);
    cab_viscous_along a = {zero, zero, zero, zero, zero};
    return a;
}

/* The moment of twist is explicit, and stiffer than the damping that is implicit by kappa^2/q^2, with q the wave number, up to where
 * EI tau h q^4 is as large as the mass: by kappa^2 sqrt(EI tau h/mass) at most. More than this of it is not resolved. */
#define CAB_VISCOUS_MOMENT 0.25f

/* What share of T counts of a particle, 0 to 1, and of what the moment of twist pulls it by. inverse: 1/rest length of a segment beside it;
 * weight: its inverse mass */
CAB_INLINE real cab_viscous_share(vec3 kink, real damping, real inverse, real weight)
{
    real zero = real_of(0), one = real_of(1), most = real_of(CAB_VISCOUS_MOMENT);
    real stiff = 4 * inverse * real_sqrt(real_max(zero, damping * weight)) * vec3_dot(kink, kink);
    real_mask over = stiff > most;
    return real_select(over, real_sqrt(most / real_select(over, stiff, one)), one);
}

/* Returns T, and goes on behind the particle. share: cab_viscous_share() */
CAB_INLINE real cab_viscous_torque(cab_viscous_along *a, const cab_viscous_turn *t, real damping, real share)
{
    real torque = damping * vec3_dot(t->change, t->kink);
    a->behind = a->behind - share * torque;
    a->torque = a->torque + torque;
    a->square = a->square + damping * vec3_dot(t->kink, t->kink);
    a->all = a->all + damping;
    return torque;
}

/* Of a straight cable no roll can be told: bends of less than 1e-3 rad on the average do not decide it. */
#define CAB_VISCOUS_STRAIGHT 1e-6f

/* For the second time, from what has been found: a clamp holds the roll at the start, or else at the end, or none does. */
CAB_INLINE cab_viscous_along cab_viscous_again(const cab_viscous_along *found, real_mask start, real_mask end)
{
    real zero = real_of(0), most = 2 * found->square + CAB_VISCOUS_STRAIGHT * found->all;
    real_mask any = most > zero;
    real free = real_select(any, found->torque / real_select(any, most, real_of(1)), zero);
    cab_viscous_along a = cab_viscous_begin();
    a.spin = real_select(start, zero, real_select(end, 0 - found->spin, free));
    a.behind = real_select(start, 0 - found->behind, zero);
    return a;
}

/* A run that resists twisting, between two clamps: what the first way finds of it, too. */
typedef struct cab_viscous_twist {
    real share;          /* of the twist, from the start to the segment before; */
    real leaned, square; /* sum of k |kink|^2 h, and of k |kink|^2 h^2; */
    real weighted;       /* of T h */
} cab_viscous_twist;

/* Behind cab_viscous_torque(). torque, damping: as much of both as counts; share: of the twist, the particle's */
CAB_INLINE void cab_viscous_weigh(cab_viscous_twist *w, const cab_viscous_turn *t, real torque, real damping,
                                  real share)
{
    real h = 2 * w->share + share, k = damping * vec3_dot(t->kink, t->kink);
    w->leaned = w->leaned + k * h;
    w->square = w->square + k * h * h;
    w->weighted = w->weighted + torque * h;
    w->share = w->share + share;
}

/* As cab_viscous_again(). first: r_0, with which the first way has begun; changes: W */
CAB_INLINE cab_viscous_along cab_viscous_twisted(const cab_viscous_along *found, const cab_viscous_twist *w,
                                                 real first, real changes)
{
    cab_viscous_along a = cab_viscous_begin();
    a.spin = first;
    a.behind = 0 - found->behind - changes * w->leaned - 0.5f * (w->weighted - changes * w->square);
    return a;
}

/* By what the moment of twist pulls the particle after by, times gc, and the particle before the other way, times ga. behind: as it
 * was before the particle; torque: as much of T as counts */
CAB_INLINE vec3 cab_viscous_pull(vec3 kink, real behind, real torque)
{
    return vec3_scale(kink, torque - 2 * behind);
}

#endif
