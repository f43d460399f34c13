/* The constraints of XPBD as pure functions: positions, inverse masses and multiplier in, corrections out.
 *
 * Macklin, Mueller, Chentanez, "XPBD: Position-Based Simulation of Compliant Constrained Dynamics" (2016),
 * eq. 18: delta lambda = (-C - a lambda) / (grad C M^-1 grad C^T + a),   a = compliance / h^2 delta x      =
 * M^-1 grad C^T delta lambda (the same as 2.13 and 2.14 of the thesis on cable simulation).
 *
 * A particle is where `position` + `offset` says: position is rounded once a substep, offset is small, so a
 * step of 1e-7 m at a coordinate of 100 m is not lost. Differences are taken position from position, offset
 * from offset.
 */
#ifndef CAB_XPBD_H
#define CAB_XPBD_H

#include "vector.h"
#include "types.h"

/* Does something between particles of these inverse masses sleep? That of a sleeping particle is below 0,
 * minus what it is awake; held particles, which have 0, sleep with the cable that they hold. */
CAB_INLINE int cab_sleeps(real w_a, real w_b)
{
    return w_a < 0 || w_b < 0;
}

/* x_b - x_a */
CAB_INLINE vec3 cab_between(vec3 position_a, vec3 offset_a, vec3 position_b, vec3 offset_b)
{
    return vec3_add(vec3_sub(position_b, position_a), vec3_sub(offset_b, offset_a));
}

/* C = |r| - rest with r = x_b - x_a. Adds to *lambda; returns delta lambda grad_b C: add w_b times it to b,
 * take w_a times it from a. */
CAB_INLINE vec3 cab_solve_distance(vec3 r, real w_a, real w_b, real rest, real compliance, real *lambda)
{
    real length = vec3_length(r);
    real w = w_a + w_b + compliance;
    int off = !(length > 0) | !(w > 0); /* no direction, or nothing can move; without branches, for vectors */
    real change = (rest - length - compliance * *lambda) / (w > 0 ? w : 1);
    change = off ? 0 : change;
    *lambda += change;
    return vec3_scale(r, change / (length > 0 ? length : 1));
}

/* The inverse mass that a particle counts with when it shares a correction. */
CAB_INLINE real cab_weight(real equal_weight, real inverse_mass)
{
    return equal_weight > 0 && inverse_mass > 0 ? equal_weight : inverse_mass;
}

/* The same with CAB_SOLVE_... flags. Without a root (Jakobsen, section 4): the length is one Newton step from
 * the rest length l, (r.r + l^2) / 2l, so C / |r| becomes (r.r - l^2) / (r.r + l^2). With PBD's k the
 * compliance is w (1 - k)/k: C / (w + that) is k C / w. */
CAB_INLINE vec3 cab_solve_length(vec3 r, real w_a, real w_b, real rest, real compliance, int flags,
                                 real *lambda)
{
    real memory = flags & CAB_SOLVE_FORGET ? 0 : *lambda;
    real w = w_a + w_b + compliance;
    real rr = vec3_dot(r, r);
    int rootless = flags & CAB_SOLVE_ROOTLESS;
    real length = rootless ? (rr + rest * rest) / (2 * rest) : sqrt(rr);
    int off = !(rr > 0) | !(w > 0);
    real change = (rest - length - compliance * memory) / (w > 0 ? w : 1);
    if ((flags & CAB_SOLVE_AT_MOST) && change > -memory) change = -memory;
    if ((flags & CAB_SOLVE_AT_LEAST) && change < -memory) change = -memory;
    change = off ? 0 : change;
    *lambda += change;
    return vec3_scale(r, change / (length > 0 ? length : 1));
}

/* C = D - target, D = ga (x_a - x_b) + gc (x_c - x_b): curvature times the mean of two lengths. Linear in the
 * positions, so it is solved as a vector and one pass is exact. Energy EI/2 |C|^2 / l: the same cable at any
 * resolution. Adds to *lambda; returns delta lambda: a moves by w_a ga, b by -w_b (ga + gc), c by w_c gc
 * times it. */
CAB_INLINE vec3 cab_solve_bending(vec3 d, vec3 target, real w_a, real w_b, real w_c, real ga, real gc,
                                  real compliance, vec3 *lambda)
{
    real gb = ga + gc;
    real w = w_a * ga * ga + w_b * gb * gb + w_c * gc * gc + compliance;
    real inverse = 1 / (w > 0 ? w : 1);
    inverse = w > 0 ? inverse : 0;
    vec3 change = vec3_sub(target, d);
    change = vec3_scale(vec3_add_scaled(change, -compliance, *lambda), inverse);
    *lambda = vec3_add(*lambda, change);
    return change;
}

/* The target of a bending that is curved at rest: the D of that length nearest to what it is now; `target`
 * when it is straight at rest. */
CAB_INLINE vec3 cab_curved_target(vec3 d, vec3 target, real rest)
{
    real length = vec3_length(d);
    int curved = (rest > 0) & (length > 0);
    real scale = rest / (length > 0 ? length : 1);
    return vec3_make(curved ? d.x * scale : target.x, curved ? d.y * scale : target.y,
                     curved ? d.z * scale : target.z);
}

/* The sum of a and b, and what rounding left out of it (Knuth's two-sum: exact for any two numbers). */
CAB_INLINE real cab_two_sum(real a, real b, real *rest)
{
    real sum = a + b;
    real part = sum - a;
    *rest = (a - (sum - part)) + (b - part);
    return sum;
}

#endif
