/* The constraints of XPBD as pure functions: they take places, inverse masses and multipliers, and return
 * corrections.
 *
 * Macklin, Mueller, Chentanez, "XPBD: Position-Based Simulation of Compliant Constrained Dynamics" (2016),
 * eq. 18:
 *
 *   delta lambda = (-C - a lambda) / (grad C M^-1 grad C^T + a),   a = compliance / h^2
 *   delta x      = M^-1 grad C^T delta lambda
 *
 * These are 2.13 and 2.14 of the thesis on cable simulation. */
#ifndef CAB_XPBD_H
#define CAB_XPBD_H

#include "motion.h"
#include "types.h"

/* Does a constraint between particles of these inverse masses sleep? A sleeping particle's inverse mass is
 * negated; held particles, whose inverse mass is 0, sleep with the cable that they hold. */
CAB_INLINE int cab_sleeps(float w_a, float w_b)
{
    return w_a < 0 || w_b < 0;
}

/* The inverse mass with which a particle takes its part of a correction. */
CAB_INLINE float cab_weight(float equal_weight, float inverse_mass)
{
    return equal_weight > 0 && inverse_mass > 0 ? equal_weight : inverse_mass;
}

/* The flags of double distances in a launch that has segments, too. */
CAB_INLINE int cab_flags_of_doubles(int flags)
{
    int at_most = flags & CAB_SOLVE_DOUBLE_AT_MOST ? CAB_SOLVE_AT_MOST : 0;
    int at_least = flags & CAB_SOLVE_DOUBLE_AT_LEAST ? CAB_SOLVE_AT_LEAST : 0;
    return (flags & ~(CAB_SOLVE_AT_MOST | CAB_SOLVE_AT_LEAST)) | at_most | at_least;
}

/* C = |r| - rest with r = x_b - x_a. Adds to *lambda; returns delta lambda grad_b C: add w_b times it to b,
 * subtract w_a times it from a. flags: CAB_SOLVE_..., 0 = plain XPBD.
 *
 * Without a root (Jakobsen, section 4) the length is one Newton step from the rest length l, (r.r + l^2) /
 * 2l, so C / |r| becomes (r.r - l^2) / (r.r + l^2). With CAB_SOLVE_FORGET the compliance is PBD's (1 - k)/k
 * in units of w: C / (w + w (1 - k)/k) is k C / w, whatever the masses. */
CAB_INLINE vec3 cab_solve_length(vec3 r, real w_a, real w_b, real rest, real compliance, int flags,
                                 real *lambda)
{
    real zero = real_of(0), one = real_of(1);
    int forget = flags & CAB_SOLVE_FORGET;
    real memory = forget ? zero : *lambda, w = w_a + w_b;
    real term = compliance * (forget ? w : memory);
    w = w + (forget ? term : compliance);
    real rr = vec3_dot(r, r);
    real length = flags & CAB_SOLVE_ROOTLESS ? (rr + rest * rest) / (2 * rest) : real_sqrt(rr);
    real_mask on = (rr > 0) & (w > 0); /* without branches, for vectors */
    real change = (rest - length - (forget ? zero : term)) / real_select(w > 0, w, one);
#ifndef CAB_WIDE /* the way lanes has equalities only */
    if ((flags & CAB_SOLVE_AT_MOST) && change > -memory) change = -memory;
    if ((flags & CAB_SOLVE_AT_LEAST) && change < -memory) change = -memory;
#endif
    change = real_select(on, change, zero);
    *lambda = *lambda + change;
    return vec3_scale(r, change / real_select(length > 0, length, one));
}

/* D of cab_solve_bending: to_a = x_a - x_b, to_c = x_c - x_b. */
CAB_INLINE vec3 cab_curvature(vec3 to_a, vec3 to_c, real ga, real gc)
{
    return vec3_add_scaled(vec3_scale(to_a, ga), gc, to_c);
}

/* C = D - target, D = ga (x_a - x_b) + gc (x_c - x_b): the curvature times the mean of two lengths. C is
 * linear in the places, so it is solved as a vector and one pass is exact. Its energy EI/2 |C|^2 / l gives
 * the same cable at any resolution. Adds to *lambda; returns delta lambda: a moves by w_a ga, b by -w_b (ga +
 * gc), c by w_c gc times it. */
CAB_INLINE vec3 cab_solve_bending(vec3 d, vec3 target, real w_a, real w_b, real w_c, real ga, real gc,
                                  real compliance, vec3 *lambda)
{
    real gb = ga + gc;
    real w = w_a * ga * ga + w_b * gb * gb + w_c * gc * gc + compliance;
    real inverse = real_select(w > 0, 1 / real_select(w > 0, w, real_of(1)), real_of(0));
    vec3 change = vec3_sub(target, d);
    change = vec3_scale(vec3_sub_scaled(change, compliance, *lambda), inverse);
    *lambda = vec3_add(*lambda, change);
    return change;
}

/* The target of a bending that is curved at rest: the vector of that length nearest to the present D. For a
 * bending that is straight at rest: `target`. */
CAB_INLINE vec3 cab_curved_target(vec3 d, vec3 target, real rest)
{
    real length = vec3_length(d);
    real scale = rest / real_select(length > 0, length, real_of(1));
    return vec3_select((rest > 0) & (length > 0), vec3_scale(d, scale), target);
}

#endif
