/* The direct method's arithmetic: a substep without iteration. Values in, values out.
 *
 *   bending   (M/h_s^2 + K) delta = -K x~, implicit, with a constant factor L D L^T of two bands, the same for x, y, z
 *   lengths   J M^-1 J^T lambda = -C, a tridiagonal system, new in each Newton pass: eliminated from a cable's end to
 *             its start, lambda and the new places from the start to the end
 *
 * x~ is the prediction of second order (motion.h), h_s = 2h/3. All in offsets from `position`, so that small steps
 * are not lost in large coordinates.
 */
#ifndef CAB_DIRECT_H
#define CAB_DIRECT_H

#include "motion.h"
#include "types.h"

/* ---- bending ---- */

/* What forward substitution takes from the right side of a row: `factor` of what an earlier row has come to. */
CAB_INLINE vec3 cab_band_take(vec3 right, real factor, vec3 earlier)
{
    return vec3_sub_scaled(right, factor, earlier);
}

/* Back-substitution of a row: right side z, 1/D, the row's two bands and what the next two rows have come to. */
CAB_INLINE vec3 cab_band_back(vec3 z, real pivot, real band, vec3 next, real band_next, vec3 after)
{
    return vec3_sub_scaled(vec3_sub_scaled(vec3_scale(z, pivot), band, next), band_next, after);
}

/* ---- lengths ---- */

/* 1 / length of a segment r */
CAB_INLINE real cab_inverse_length(real length)
{
    return 1 / real_max(length, real_of(1e-20f));
}

/* The rows that have been eliminated, as the next one needs them. */
typedef struct cab_elimination {
    real inverse_pivot, right;
} cab_elimination;

/* Eliminates the row of a segment: its diagonal entry w_a + w_b + compliance, `shared` with the row before, and its
 * right side -C. Returns `shared` over the pivot of the row before; multipliers need it. */
CAB_INLINE real cab_eliminate_length(cab_elimination *e, real diagonal, real shared, real right)
{
    real band = shared * e->inverse_pivot;
    real pivot = diagonal - shared * band;
    e->right = right - band * e->right;
    e->inverse_pivot = real_select(pivot > 0, 1 / pivot, real_of(0));
    return band;
}

/* Is the length of r off by more than CAB_LENGTH_ERROR? */
CAB_INLINE real_mask cab_length_is_off(vec3 r, real wanted)
{
    real square = wanted * wanted;
    return real_abs(vec3_dot(r, r) - square) > 2 * CAB_LENGTH_ERROR * square;
}

/* How hard a segment of this multiplier pulls, over its length; pushed, it may buckle. */
CAB_INLINE real cab_pull_of(real lambda, real inverse_length)
{
    return real_max(-lambda, real_of(0)) * inverse_length;
}

/* The factor of a particle's inverse mass where lengths cannot be met (CAB_REGULARISATION): pull is that of both segments. */
CAB_INLINE real cab_slow_of(real w, real pull)
{
    return 1 / real_max(real_of(1), w * pull);
}

#endif
