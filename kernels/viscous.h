/* Bending that is damped: the moment of a curvature D is EI/cell (D - target + tau D'), where D' is the rate of D without what turns
 * with the cable. Methods take D' as what D has changed by over h (XPBD) or h_s (the direct method), and both are implicit: with
 * rate = tau/h the stiffness in the matrix is (1 + rate) times that of the curvature itself. */
#ifndef CAB_VISCOUS_H
#define CAB_VISCOUS_H

#include "vector.h"

/* The rate of a curvature without what turns with the cable: the part of it across the chord between the neighbours. A curvature
 * that turns with its cable changes along the chord only, D' = w x D, while w has no part along the chord; so a cable that turns as
 * a whole is not braked. */
CAB_INLINE vec3 cab_across_chord(vec3 rate, vec3 chord)
{
    real along = vec3_dot(rate, chord) / real_max(vec3_dot(chord, chord), real_of(1e-30f));
    return vec3_sub_scaled(rate, along, chord);
}

/* The part of a curvature's rate that damping acts on. What is curved at rest (rest > 0) turns with D, so its length counts alone. */
CAB_INLINE vec3 cab_damped_rate(vec3 rate, vec3 d, vec3 chord, float rest)
{
    if (!(rest > 0)) return cab_across_chord(rate, chord);
    return vec3_scale(d, vec3_dot(rate, d) / real_max(vec3_dot(d, d), real_of(1e-30f)));
}

#endif
