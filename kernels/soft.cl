/* soft: soft attachments, and the pull of a hand. Each is a spring on one particle. */
#include "soft.h"
#include "xpbd.h"

/* The vector from the particle to the place that the spring pulls it to. */
CAB_INLINE vec3 cab_soft_stretch(cab_soft own, int substep, int moving_count, real share, vec3 from,
                                 vec3 offset, global const float4 *position, global const float4 *target)
{
    int k = 2 * (substep * moving_count + own.moving);
    vec3 to = vec3_sub(vec3_of(target[k]), vec3_of(position[own.particle]));
    return cab_soft_towards(vec3_add(to, vec3_of(target[k + 1])), own.reach, share, from, offset);
}

/* XPBD: C = x - place, a vector, compliance 1/K. Flag: CAB_SOLVE_FIRST; number: the substep. */
CAB_KERNEL(soft_solve, global const cab_params *params, global float4 *offset, global float4 *soft_lambda,
           global const float4 *position, global const float4 *residual, global const cab_soft *soft,
           global const float4 *target)
{
    CAB_ITEM(i);
    cab_soft own = soft[i];
    vec3 e = vec3_of(offset[own.particle]), lambda = vec3_zero();
    if (!(argument & CAB_SOLVE_FIRST)) lambda = vec3_of(soft_lambda[i]);
    vec3 stretch = cab_soft_stretch(own, CAB_NUMBER(argument), params->moving_count, own.share_first,
                                    vec3_of(residual[own.particle]), e, position, target);
    real w = cab_weight(params->equal_weight, position[own.particle].w);
    if (w < 0) return; /* asleep */
    vec3 more = vec3_scale(vec3_add_scaled(stretch, -own.compliance, lambda), 1 / (w + own.compliance));
    lambda = vec3_add(lambda, more);
    e = vec3_add_scaled(e, w, more);
    soft_lambda[i] = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
    offset[own.particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* The direct method. m (x - x~) = K (place - x), solved for each particle, moves the prediction towards the
 * place and makes the mass larger by K. The rest of the substep counts with this mass: bending and lengths
 * have it in their factors, contacts read it from position. The velocity of BDF2 counts from x_n + (x_n -
 * x_n-1)/3, so the particle's place before the substep is taken there. Number: the substep. Flag:
 * CAB_SOFT_OVER: masses become what they were. */
CAB_KERNEL(direct_soft, global const cab_params *params, global float4 *offset, global float4 *position,
           global const float4 *residual, global const float4 *step, global const cab_soft *soft,
           global const float4 *target, global const int *component, global const int *order)
{
    CAB_ITEM(i);
    cab_soft own = soft[i];
    int p = own.particle, first_order = order[component[p]];
    float4 x = position[p];
    if (x.w < 0) return; /* asleep */
    if (argument & CAB_SOFT_OVER) {
        position[p] = CAB_FLOAT4(x.x, x.y, x.z, own.inverse_mass);
        return;
    }
    vec3 e = vec3_of(offset[p]), from = vec3_of(residual[p]);
    if (!first_order) from = vec3_add_scaled(from, 1.0f / 3, vec3_of(step[p]));
    vec3 stretch = cab_soft_stretch(own, CAB_NUMBER(argument), params->moving_count,
                                    first_order ? own.share_first : own.share, from, e, position, target);
    e = vec3_add_scaled(e, first_order ? own.pull_first : own.pull, stretch);
    offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    position[p] = CAB_FLOAT4(x.x, x.y, x.z, first_order ? own.weight_first : own.weight);
}

/* The vector from the target of a clip's spring in this substep to its particle. */
CAB_INLINE vec3 cab_clip_off(cab_soft own, int k, global const float4 *position, global const float4 *offset,
                             global const float4 *target)
{
    vec3 e = vec3_sub(vec3_of(position[own.particle]), vec3_of(target[k]));
    return vec3_add(e, vec3_sub(vec3_of(offset[own.particle]), vec3_of(target[k + 1])));
}

/* At the beginning of a substep a clip's spring is at its target, which has slid along the axis and keeps its
 * speed. Across the axis it pulls only at what is outside of the play. clip_state: how far the target has
 * slid, m; its speed, m/s, 0 = it sticks; the particle's place along the axis, m; 0. argument: the substep */
CAB_KERNEL(clip_place, global const cab_params *params, global float4 *target,
           global const float4 *clip_state, global const float4 *position, global const float4 *offset,
           global const cab_soft *soft, global const cab_clip *clip)
{
    CAB_ITEM(i);
    cab_clip own = clip[i];
    int substep = argument;
    if (own.soft < 0) return;
    int k = 2 * (substep * params->moving_count + soft[own.soft].moving);
    vec3 axis = vec3_make(own.ax, own.ay, own.az);
    vec3 off = cab_clip_off(soft[own.soft], k, position, offset, target);
    vec3 across = vec3_add_scaled(off, -vec3_dot(off, axis), axis);
    real far = vec3_length(across);
    vec3 shift = vec3_scale(axis, clip_state[i].x + params->h * clip_state[i].y);
    shift = vec3_add_scaled(shift, far > own.play ? own.play / far : 1, across);
    vec3 rest = vec3_add(vec3_of(target[k + 1]), shift);
    target[k + 1] = CAB_FLOAT4(rest.x, rest.y, rest.z, 0);
}

/* Coulomb friction at the end of a substep. Friction of constant size slows down what slides, until it would
 * reverse. What sticks begins to slide when the spring's force is larger than the friction. Forces are
 * lengths of the spring here. argument: the substep */
CAB_KERNEL(clip_slide, global const cab_params *params, global float4 *clip_state,
           global const float4 *position, global const float4 *offset, global const cab_soft *soft,
           global const cab_clip *clip, global const float4 *target)
{
    CAB_ITEM(i);
    cab_clip own = clip[i];
    int substep = argument;
    if (own.soft < 0 || position[soft[own.soft].particle].w < 0) return;
    int k = 2 * (substep * params->moving_count + soft[own.soft].moving);
    vec3 axis = vec3_make(own.ax, own.ay, own.az);
    vec3 off = cab_clip_off(soft[own.soft], k, position, offset, target);
    float4 was = clip_state[i];
    real pulled = vec3_dot(off, axis), across = vec3_length(vec3_add_scaled(off, -pulled, axis));
    real hold = own.grip + own.friction * across;
    real along = was.x + params->h * was.y + pulled, speed = (along - was.z) * params->inverse_h;
    real direction = was.y != 0 ? was.y : along - was.x; /* its sign counts */
    real slid = along - (direction > 0 ? hold : -hold);
    int slides = speed * direction > 0 && (was.y != 0 || direction > hold || direction < -hold);
    if (!slides) { /* it sticks where it was, or as near to it as friction holds */
        speed = 0;
        slid = real_max(along - hold, real_min(along + hold, was.x));
    }
    if (slid > own.travel || slid < -own.travel) {
        speed = 0;
        slid = slid > 0 ? own.travel : -own.travel;
    }
    clip_state[i] = CAB_FLOAT4(slid, speed, along, 0);
}
