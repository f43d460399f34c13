/* Time integration: prediction and the end of a substep. Functions take values and return values.
 *
 * A particle is at `position` + `offset`. position is rounded once a substep and offset is small, so a step
 * of 1e-7 m at a coordinate of 100 m is not lost. What rounding leaves out of position is `residual`, the
 * offset that the next substep starts from. Differences are taken between positions and between offsets
 * separately.
 *
 * First order (XPBD and its relatives): v~ = v + h a, x~ = x + h v~; in the end v = decay (x - x_n)/h. Second
 * order (the direct method), BDF2 in the steps d_n = x_n - x_n-1: x~ = x_n + c_0 d_n + c_1 d_n-1 + c_2 d_n-2
 * + s h_s^2 a with h_s = 2h/3 and s = 1/(1 + damping h_s); in the end v = (3 d_n - d_n-1)/2h. */
#ifndef CAB_MOTION_H
#define CAB_MOTION_H

#include "vector.h"

/* x_b - x_a */
CAB_INLINE vec3 cab_between(vec3 position_a, vec3 offset_a, vec3 position_b, vec3 offset_b)
{
    return vec3_add(vec3_sub(position_b, position_a), vec3_sub(offset_b, offset_a));
}

/* The offset of a particle at a target. rest: what rounding left out of the target. */
CAB_INLINE vec3 cab_offset_to(vec3 target, vec3 rest, vec3 position)
{
    return vec3_add(vec3_sub(target, position), rest);
}

/* The sum of a and b, and what rounding left out of it (Knuth's two-sum: exact for any two numbers). */
CAB_INLINE real cab_two_sum(real a, real b, real *rest)
{
    real sum = a + b;
    real part = sum - a;
    *rest = (a - (sum - part)) + (b - part);
    return sum;
}

/* Ends a substep: adds the offset to position and residual. Returns the particle's displacement. */
CAB_INLINE vec3 cab_settle(vec3 *position, vec3 *residual, vec3 offset)
{
    vec3 displacement = vec3_sub(offset, *residual);
    position->x = cab_two_sum(position->x, offset.x, &residual->x);
    position->y = cab_two_sum(position->y, offset.y, &residual->y);
    position->z = cab_two_sum(position->z, offset.z, &residual->z);
    return displacement;
}

/* First order: inertia and gravity. Returns the offset at the substep's end; updates *velocity. With h = 1
 * velocity and gravity are counted in substeps: m per substep, m per substep^2. */
CAB_INLINE vec3 cab_predict_place(vec3 residual, vec3 *velocity, real h, vec3 gravity)
{
    *velocity = vec3_add_scaled(*velocity, h, gravity);
    return vec3_add_scaled(residual, h, *velocity);
}

/* Second order: the displacements in the last three substeps, `last` the newest, `first` the oldest. */
typedef struct cab_steps {
    vec3 last, before, first;
} cab_steps;

/* Second order: inertia and gravity. fall: s h_s^2 a. Returns the offset at the substep's end. */
CAB_INLINE vec3 cab_predict_steps(vec3 residual, vec3 fall, const cab_steps *d, real c_0, real c_1, real c_2)
{
    vec3 e = vec3_add_scaled(vec3_add(residual, fall), c_0, d->last);
    return vec3_add_scaled(vec3_add_scaled(e, c_1, d->before), c_2, d->first);
}

/* The numbers of a substep of the direct method for a particle with damping. */
typedef struct cab_bdf {
    float step;          /* h_s/h */
    float slow;          /* s */
    float c_0, c_1, c_2; /* what the prediction takes of the last three displacements */
} cab_bdf;

/* Rounds x, from 0 to 1, to a multiple of 2^-23. Coefficients whose sum is 1 then add up to 1 exactly, and a
 * constant velocity stays constant. */
CAB_INLINE float cab_even(float x)
{
    return (x + 1) - 1;
}

/* rate: damping times h. At second order c_1 = -7s/9, c_2 = s/9 and c_0 + c_1 + c_2 = (1 + 2s)/3, which is
 * computed as 1 - 2/3 (1 - s). */
CAB_INLINE cab_bdf cab_bdf_of(int first_order, float rate)
{
    cab_bdf s;
    s.step = first_order ? 1 : 2.0f / 3;
    float slower = rate * s.step; /* (1 - s)/s */
    s.slow = 1 / (1 + slower);
    s.c_1 = first_order ? 0 : -cab_even(7.0f / 9 * s.slow);
    s.c_2 = first_order ? 0 : cab_even(s.slow / 9);
    s.c_0 = first_order ? s.slow : 1 - cab_even(2.0f / 3 * (s.slow * slower)) - s.c_1 - s.c_2;
    return s;
}

/* A multiplier for h^2 over that for h_s^2. */
CAB_INLINE float cab_per_h(int first_order)
{
    return first_order ? 1.0f : 2.25f;
}

/* h v from the last two displacements at second order. */
CAB_INLINE vec3 cab_steps_way(vec3 last, vec3 before)
{
    return vec3_sub_scaled(vec3_scale(last, real_of(1.5f)), real_of(0.5f), before);
}

/* Adds the displacement in a substep. After a substep of first order, whose `last` was h v, the steps before
 * are chosen such that v = (3 d_n - d_n-1)/2h holds before and after it. */
CAB_INLINE void cab_steps_take(cab_steps *d, vec3 displacement, int first_order)
{
    d->first =
        first_order ? vec3_sub_scaled(vec3_scale(displacement, real_of(3)), real_of(2), d->last) : d->before;
    d->before = first_order ? displacement : d->last;
    d->last = displacement;
}

/* The velocity at the end of a substep, as it is stored. decay: goes to w, see cab_world_damping. */
CAB_INLINE float4 cab_steps_velocity(float4 last, float4 before, float inverse_h, float decay)
{
    return CAB_FLOAT4((1.5f * last.x - 0.5f * before.x) * inverse_h,
                      (1.5f * last.y - 0.5f * before.y) * inverse_h,
                      (1.5f * last.z - 0.5f * before.z) * inverse_h, decay);
}

#endif
