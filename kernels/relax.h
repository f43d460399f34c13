/* Solves one constraint: reads, solves, writes. No other work-item may use its particles at the same time. */
#ifndef CAB_RELAX_H
#define CAB_RELAX_H

#include "xpbd.h"

CAB_INLINE void cab_distance_item(int i, int flags, real equal_weight, global float4 *offset,
                                  global float *distance_lambda, global const float4 *position,
                                  global const cab_distance_constraint *distance)
{
    cab_distance_constraint c = distance[i];
    float4 pa = position[c.a], pb = position[c.b];
    if (cab_sleeps(pa.w, pb.w)) return; /* keeps its multiplier */
    float4 ea = offset[c.a], eb = offset[c.b];
    real wa = cab_weight(equal_weight, pa.w), wb = cab_weight(equal_weight, pb.w);
    int halves = flags & CAB_SOLVE_HALVES;
    real lambda = flags & CAB_SOLVE_FIRST ? 0 : distance_lambda[i];
    vec3 r = cab_between(vec3_of(pa), vec3_of(ea), vec3_of(pb), vec3_of(eb));
    vec3 d = cab_solve_length(r, halves ? equal_weight : wa, halves ? equal_weight : wb, c.rest, c.compliance,
                              flags, &lambda);
    distance_lambda[i] = lambda;
    offset[c.a] = CAB_FLOAT4(ea.x - wa * d.x, ea.y - wa * d.y, ea.z - wa * d.z, 0);
    offset[c.b] = CAB_FLOAT4(eb.x + wb * d.x, eb.y + wb * d.y, eb.z + wb * d.z, 0);
}

CAB_INLINE void cab_bending_item(int i, int flags, real equal_weight, global float4 *offset,
                                 global float4 *bending_lambda, global const float4 *position,
                                 global const cab_bending_constraint *bending,
                                 global const float4 *bending_target)
{
    cab_bending_constraint c = bending[i];
    int a = c.a < 0 ? c.b : c.a; /* a missing end has weight 0, so any particle will do */
    int e = c.c < 0 ? c.b : c.c;
    float4 pa = position[a], pb = position[c.b], pc = position[e];
    if (cab_sleeps(pa.w, pc.w) || pb.w < 0) return;
    float4 ea = offset[a], eb = offset[c.b], ec = offset[e];
    vec3 to_a = cab_between(vec3_of(pb), vec3_of(eb), vec3_of(pa), vec3_of(ea));
    vec3 to_c = cab_between(vec3_of(pb), vec3_of(eb), vec3_of(pc), vec3_of(ec));
    vec3 d = cab_curvature(to_a, to_c, c.ga, c.gc);
    vec3 target = c.target < 0 ? vec3_zero() : vec3_of(bending_target[c.target]);
    vec3 lambda = flags & CAB_SOLVE_FIRST ? vec3_zero() : vec3_of(bending_lambda[i]);
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

#endif
