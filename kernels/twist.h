/* Twist of a cable that is straight at rest, between two places that hold its roll: discrete elastic rods (Bergou et al., Discrete
 * elastic rods, 2008; Discrete viscous threads, 2010) whose sections turn without inertia.
 *
 * Where the bending has no preferred plane, the moment of twist M is the same all along (Kirchhoff): M = Phi / sum(l/GJ). Phi is the
 * angle about the tangent, at the end, from the start's section, carried along the cable without twisting, to the end's. With u the
 * unit tangents, and k = 2 u_- x u_+ / |u_- + u_+|^2 about a particle, half its curvature, Phi changes by k . (du_- + du_+) when
 * places do. So M pulls each segment like a couple: its second particle by -M (k_- + k_+) / l with the k at both its ends, and its
 * first one the other way.
 *
 * A vector at right angles to a unit vector a is carried to b by the mirror whose normal is a + b; what is not quite of length 1
 * changes nothing in its own length. */
#ifndef CAB_TWIST_H
#define CAB_TWIST_H

#include "vector.h"

/* A folded cable has no tangent: |u_- + u_+|^2 counts as no less than this, which is a turn of 154 degrees. */
#define CAB_TWIST_FOLD 0.2f

/* Carries a director from the tangent a to the tangent b. Returns k times `moment`. */
CAB_INLINE vec3 cab_twist_carry(vec3 *director, vec3 a, vec3 b, real moment)
{
    vec3 sum = vec3_add(a, b);
    real scale = 2 / real_max(vec3_dot(sum, sum), real_of(CAB_TWIST_FOLD));
    *director = vec3_sub_scaled(*director, scale * vec3_dot(sum, *director), sum);
    return vec3_scale(vec3_cross(a, b), scale * moment);
}

#define CAB_PI_FLOAT 3.14159265f
#define CAB_TURN_HIGH 6.28125f /* 2 pi in two floats: the first times an integer below 2^17 is exact */
#define CAB_TURN_LOW 1.9353071795865e-3f

/* atan(t) for 0 <= t <= tan(pi/8): the Chebyshev fit of atan(t)/t in t^2 with 5 terms is off by 7e-9. */
CAB_INLINE real cab_atan_small(real t)
{
    real z = t * t, sum = real_of(0.0798496291f);
    sum = sum * z - 0.138514784f;
    sum = sum * z + 0.199744048f;
    sum = sum * z - 0.333327969f;
    sum = sum * z + 0.999999982f;
    return t * sum;
}

/* The angle of (cosine, sine), of any length, from -pi to pi; of (0, 0) it is 0. */
CAB_INLINE real cab_angle_of(real cosine, real sine)
{
    real zero = real_of(0), x = real_max(cosine, 0 - cosine), y = real_max(sine, 0 - sine);
    real high = real_max(x, y), low = real_min(x, y);
    real_mask steep = low > 0.414213562f * high;
    real above = real_select(steep, low - high, low), below = real_select(steep, low + high, high);
    real t = above / real_select(below > zero, below, real_of(1));
    real_mask negative = t < zero;
    real angle = cab_atan_small(real_select(negative, 0 - t, t));
    angle = real_select(negative, 0 - angle, angle);
    angle = real_select(steep, angle + 0.25f * CAB_PI_FLOAT, angle);
    angle = real_select(y > x, 0.5f * CAB_PI_FLOAT - angle, angle);
    angle = real_select(cosine < zero, CAB_PI_FLOAT - angle, angle);
    return real_select(sine < zero, 0 - angle, angle);
}

/* The angle about `tangent` from one vector to another. */
CAB_INLINE real cab_twist_angle(vec3 from, vec3 to, vec3 tangent)
{
    return cab_angle_of(vec3_dot(from, to), vec3_dot(vec3_cross(from, to), tangent));
}

/* Phi less what the clamps have turned by: 2 pi turns + angle, with the angle from -pi to pi, so that nothing drifts. */
typedef struct cab_twist_turned {
    real angle, turns;
    real changed; /* by how much Phi has just changed */
} cab_twist_turned;

/* Phi has not gone further than half a turn since it was `was`. */
CAB_INLINE cab_twist_turned cab_twist_follow(cab_twist_turned was, real angle)
{
    real zero = real_of(0), one = real_of(1), pi = real_of(CAB_PI_FLOAT);
    real change = angle - was.angle;
    real back = real_select(change > pi, one, real_select(change < 0 - pi, 0 - one, zero));
    cab_twist_turned now = {angle, was.turns - back, change - back * (2 * CAB_PI_FLOAT)};
    return now;
}

/* M before it is limited; roll: by how much the end is rolled more than the start, rad */
CAB_INLINE real cab_twist_moment(cab_twist_turned t, real roll, real stiffness)
{
    return stiffness * ((t.turns * CAB_TURN_HIGH + roll) + (t.turns * CAB_TURN_LOW + t.angle));
}

/* More than this in a substep may be a turn that is lost, rad. */
#define CAB_TWIST_FAST 2.0f

/* How far a run was ever beyond what a substep resolves: |M| over the largest moment before it was limited; negative once Phi has
 * changed by more than CAB_TWIST_FAST in a substep. */
CAB_INLINE real cab_twist_worst(real worst, real moment, real most, real changed)
{
    real zero = real_of(0), fast = real_of(CAB_TWIST_FAST);
    real size = real_max(worst, 0 - worst), part = moment / most;
    size = real_max(size, real_max(part, 0 - part));
    real_mask lost = (worst < zero) | (changed > fast) | (changed < 0 - fast);
    return real_select(lost, 0 - real_max(size, real_of(1e-30f)), size);
}

#endif
