/* The direct method's arithmetic for a substep without iteration. Functions take values and return values.
 *
 *   bending   (M/h_s^2 + K) delta = -K x~, implicit, with a constant factor L D L^T of two bands, for x, y, z
 *   lengths   J M^-1 J^T lambda = -C, a tridiagonal system that is new in each Newton pass: elimination from
 *             a cable's end to its start, then lambda and the new places from the start to the end
 *
 * x~ is the prediction of second order (motion.h), h_s = 2h/3. Everything is computed in offsets from
 * `position`, so that small steps are not lost in large coordinates. */
#ifndef CAB_DIRECT_H
#define CAB_DIRECT_H

#include "motion.h"
#include "types.h"

/* ---- bending ---- */

/* Forward substitution: subtracts `factor` times an earlier row's result from a row's right side. */
CAB_INLINE vec3 cab_band_take(vec3 right, real factor, vec3 earlier)
{
    return vec3_sub_scaled(right, factor, earlier);
}

/* Back-substitution of a row: right side z, 1/D, the row's two bands and the results of the next two rows. */
CAB_INLINE vec3 cab_band_back(vec3 z, real pivot, real band, vec3 next, real band_next, vec3 after)
{
    return vec3_sub_scaled(vec3_sub_scaled(vec3_scale(z, pivot), band, next), band_next, after);
}

/* ---- lengths ---- */

/* 1 / length of a segment. Of one without length it is so small that the product of two is finite, and times 0 gives 0. */
CAB_INLINE real cab_inverse_length(real length)
{
    return 1 / real_max(length, real_of(1e-18f));
}

/* What the next row needs from the rows that are eliminated. */
typedef struct cab_elimination {
    real inverse_pivot, right;
} cab_elimination;

/* The entry that the rows of two neighbouring segments share: -w times the cosine of the angle between them, w
 * the inverse mass of the particle where they meet. `next` comes after r; both with 1 / length. */
CAB_INLINE real cab_shared_entry(real w, vec3 r, real inverse, vec3 next, real inverse_next)
{
    return -w * (vec3_dot(r, next) * (inverse * inverse_next));
}

/* Eliminates the row of a segment: its diagonal entry w_a + w_b + compliance, which is above 0, the entry
 * `shared` with the row before, and its right side -C. Returns `shared` over the pivot of the row before,
 * from which the multipliers are computed. */
CAB_INLINE real cab_eliminate_length(cab_elimination *e, real diagonal, real shared, real right)
{
    real band = shared * e->inverse_pivot;
    e->right = right - band * e->right;
    e->inverse_pivot = 1 / (diagonal - shared * band);
    return band;
}

/* The way back, from the start to the end: multiplier and pull of the segment before, and the band of the next one's row. */
typedef struct cab_substitution {
    real lambda, band;
    vec3 pull;
} cab_substitution;

CAB_INLINE cab_substitution cab_substitution_none(void)
{
    real none = real_of(0);
    cab_substitution b = {none, none, vec3_zero()};
    return b;
}

/* Finds the multiplier of segment r from its row: right side over pivot and band. Returns what its start is pushed by, per
 * inverse mass. */
CAB_INLINE vec3 cab_substitute_length(cab_substitution *b, real right, real band, vec3 r, real inverse)
{
    vec3 before = b->pull;
    b->lambda = right - b->band * b->lambda;
    b->band = band;
    b->pull = vec3_scale(r, b->lambda * inverse);
    return vec3_sub(before, b->pull);
}

/* Returns `off`, or true where the length of r is off by more than this share of it. With two comparisons:
 * LLVM makes an absolute value of a single one, which made the way staged a fifth slower on PoCL. */
CAB_INLINE real_mask cab_length_off_by(real_mask off, vec3 r, real wanted, real share)
{
    real square = wanted * wanted, error = vec3_dot(r, r) - square, limit = 2 * share * square;
    return off | (error > limit) | (error < -limit);
}

/* The same for what ends a substep's Newton passes. */
CAB_INLINE real_mask cab_length_off(real_mask off, vec3 r, real wanted)
{
    return cab_length_off_by(off, r, wanted, real_of(CAB_LENGTH_ERROR));
}

/* The pull of a segment with this multiplier, over its length; 0 under pressure, where it may buckle. */
CAB_INLINE real cab_pull_of(real lambda, real inverse_length)
{
    return real_max(-lambda, real_of(0)) * inverse_length;
}

/* A particle's factor `slow` (CAB_REGULARISATION) for inverse mass w and the pull of both its segments. */
CAB_INLINE real cab_slow_of(real w, real pull)
{
    return 1 / real_max(real_of(1), w * pull);
}

#endif
