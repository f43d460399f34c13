/* soft: attachments that give way like a spring, one particle each. */
#include "xpbd.h"

/* From the particle to its target in this substep, as they are now. */
CAB_INLINE vec3 cab_soft_way(cab_soft own, int substep, int moving_count, vec3 offset,
                             global const float4 *position, global const float4 *target)
{
    int k = 2 * (substep * moving_count + own.moving);
    vec3 to = vec3_sub(vec3_of(target[k]), vec3_of(position[own.particle]));
    return vec3_sub(vec3_add(to, vec3_of(target[k + 1])), offset);
}

/* XPBD: C = x - target, a vector, compliance alpha / h^2. argument: 2 substep + (1: the first iteration) */
CAB_KERNEL(soft_solve, global const cab_params *params, global float4 *offset, global float4 *soft_lambda,
           global const float4 *position, global const cab_soft *soft, global const float4 *target)
{
    CAB_ITEM(i);
    cab_soft own = soft[i];
    vec3 e = vec3_of(offset[own.particle]), lambda = vec3_make(0, 0, 0);
    if (!(argument & 1)) lambda = vec3_of(soft_lambda[i]);
    vec3 way = cab_soft_way(own, argument >> 1, params->moving_count, e, position, target);
    real w = position[own.particle].w;
    if (w < 0) return; /* asleep */
    vec3 more = vec3_scale(vec3_add_scaled(way, -own.compliance, lambda), 1 / (w + own.compliance));
    lambda = vec3_add(lambda, more);
    e = vec3_add_scaled(e, w, more);
    soft_lambda[i] = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
    offset[own.particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* The direct method: m (x - x~) = k h_s^2 (target - x), solved for each particle by itself, is a prediction
 * nearer to the target and a mass that is larger by k h_s^2. All that follows in the substep then counts with
 * that mass; bending and lengths have it in their factors, contacts take it from position. argument: the
 * substep; -1: it is over, masses as they were */
CAB_KERNEL(direct_soft, global const cab_params *params, global float4 *offset, global float4 *position,
           global const cab_soft *soft, global const float4 *target, global const int *component,
           global const int *order)
{
    CAB_ITEM(i);
    cab_soft own = soft[i];
    int p = own.particle, first_order = order[component[p]];
    float4 x = position[p];
    if (x.w < 0) return; /* asleep */
    if (argument < 0) {
        position[p] = CAB_FLOAT4(x.x, x.y, x.z, own.inverse_mass);
        return;
    }
    vec3 e = vec3_of(offset[p]);
    vec3 way = cab_soft_way(own, argument, params->moving_count, e, position, target);
    e = vec3_add_scaled(e, first_order ? own.pull_first : own.pull, way);
    offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    position[p] = CAB_FLOAT4(x.x, x.y, x.z, first_order ? own.weight_first : own.weight);
}
