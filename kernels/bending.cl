/* bending: curvature, clamps and angles at joints, one colour at a time. */
#include "xpbd.h"

CAB_INLINE void cab_bending_item(int i, int flags, real equal_weight, global float4 *offset,
                                 global float4 *bending_lambda, global const float4 *position,
                                 global const cab_bending_constraint *bending,
                                 global const float4 *bending_target)
{
    cab_bending_constraint c = bending[i];
    int a = c.a < 0 ? c.b : c.a; /* a missing end has weight 0: any particle will do */
    int e = c.c < 0 ? c.b : c.c;
    float4 pa = position[a], pb = position[c.b], pc = position[e];
    float4 ea = offset[a], eb = offset[c.b], ec = offset[e];
    vec3 to_a = cab_between(vec3_of(pb), vec3_of(eb), vec3_of(pa), vec3_of(ea));
    vec3 to_c = cab_between(vec3_of(pb), vec3_of(eb), vec3_of(pc), vec3_of(ec));
    vec3 d = vec3_add_scaled(vec3_scale(to_a, c.ga), c.gc, to_c);
    vec3 target = c.target < 0 ? vec3_make(0, 0, 0) : vec3_of(bending_target[c.target]);
    vec3 lambda = flags & CAB_SOLVE_FIRST ? vec3_make(0, 0, 0) : vec3_of(bending_lambda[i]);
    real wa = cab_weight(equal_weight, pa.w), wb = cab_weight(equal_weight, pb.w);
    real wc = cab_weight(equal_weight, pc.w);
    if (c.rest > 0) target = cab_curved_target(d, target, c.rest);
    vec3 s = cab_solve_bending(d, target, wa, wb, wc, c.ga, c.gc, c.compliance, &lambda);
    bending_lambda[i] = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
    real ka = wa * c.ga, kb = -wb * (c.ga + c.gc), kc = wc * c.gc;
    if (c.a >= 0) offset[a] = CAB_FLOAT4(ea.x + ka * s.x, ea.y + ka * s.y, ea.z + ka * s.z, 0);
    offset[c.b] = CAB_FLOAT4(eb.x + kb * s.x, eb.y + kb * s.y, eb.z + kb * s.z, 0);
    if (c.c >= 0) offset[e] = CAB_FLOAT4(ec.x + kc * s.x, ec.y + kc * s.y, ec.z + kc * s.z, 0);
}

/* One colour. argument: CAB_SOLVE_... */
CAB_KERNEL(bending, global const cab_params *params, global float4 *offset, global float4 *bending_lambda,
           global const float4 *position, global const cab_bending_constraint *bending,
           global const float4 *bending_target)
{
    CAB_ITEM(i);
    cab_bending_item(i, argument, params->equal_weight, offset, bending_lambda, position, bending,
                     bending_target);
}

/* Several small colours in one work-group; see distance_merged. */
CAB_GROUP_KERNEL(bending_merged, global const cab_params *params, global float4 *offset,
                 global float4 *bending_lambda, global const float4 *position,
                 global const cab_bending_constraint *bending, global const float4 *bending_target,
                 global const int *bending_colour)
{
    CAB_GROUP(first_colour);
    for (int k = 0; k < argument >> CAB_SOLVE_COLOURS; k++) {
        int first = bending_colour[2 * (first_colour + k)];
        int count = bending_colour[2 * (first_colour + k) + 1];
        CAB_LANES(j, count)
        {
            cab_bending_item(first + j, argument, params->equal_weight, offset, bending_lambda, position,
                             bending, bending_target);
        }
        CAB_BARRIER_GLOBAL();
    }
}
