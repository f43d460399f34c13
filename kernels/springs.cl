/* springs: damped springs, explicit. All forces depend on places and velocities at the start of the substep,
 * so the order of colours does not matter (thesis on cable simulation, eq. 2.4). With the kernels predict and
 * finish this is symplectic Euler, stable up to h = 2 / omega. */
#include "xpbd.h"

/* A spring between two particles: F = k C + c (v_b - v_a) . n, k h^2 = 1 / compliance. Flags:
 * CAB_SOLVE_AT_... */
CAB_KERNEL(springs_distance, global const cab_params *params, global float4 *offset,
           global float *distance_lambda, global const float4 *position, global const float4 *residual,
           global const float4 *velocity, global const cab_distance_constraint *distance)
{
    CAB_ITEM(i);
    cab_distance_constraint c = distance[i];
    float4 pa = position[c.a], pb = position[c.b];
    vec3 r = cab_between(vec3_of(pa), vec3_of(residual[c.a]), vec3_of(pb), vec3_of(residual[c.b]));
    vec3 v = vec3_sub(vec3_of(velocity[c.b]), vec3_of(velocity[c.a]));
    real length = vec3_length(r);
    vec3 n = vec3_scale(r, 1 / (length > 0 ? length : 1));
    real lambda = (c.rest - length) / c.compliance - params->spring_damping * vec3_dot(v, n);
    if ((argument & CAB_SOLVE_AT_MOST) && (lambda > 0 || length < c.rest)) lambda = 0;
    if ((argument & CAB_SOLVE_AT_LEAST) && (lambda < 0 || length > c.rest)) lambda = 0;
    distance_lambda[i] = lambda;
    vec3 a = vec3_add_scaled(vec3_of(offset[c.a]), -pa.w * lambda, n);
    vec3 b = vec3_add_scaled(vec3_of(offset[c.b]), pb.w * lambda, n);
    offset[c.a] = CAB_FLOAT4(a.x, a.y, a.z, 0);
    offset[c.b] = CAB_FLOAT4(b.x, b.y, b.z, 0);
}

/* A curvature is reduced by the moment EI C / l on three particles. There are no clamps here. */
CAB_KERNEL(springs_bending, global float4 *offset, global float4 *bending_lambda,
           global const float4 *position, global const float4 *residual,
           global const cab_bending_constraint *bending)
{
    CAB_ITEM(i);
    cab_bending_constraint c = bending[i];
    float4 pa = position[c.a], pb = position[c.b], pc = position[c.c];
    vec3 eb = vec3_of(residual[c.b]);
    vec3 to_a = cab_between(vec3_of(pb), eb, vec3_of(pa), vec3_of(residual[c.a]));
    vec3 to_c = cab_between(vec3_of(pb), eb, vec3_of(pc), vec3_of(residual[c.c]));
    vec3 d = cab_curvature(to_a, to_c, c.ga, c.gc);
    vec3 target = cab_curved_target(d, vec3_zero(), c.rest);
    vec3 s = vec3_scale(vec3_sub(target, d), 1 / c.compliance);
    bending_lambda[i] = CAB_FLOAT4(s.x, s.y, s.z, 0);
    vec3 a = vec3_add_scaled(vec3_of(offset[c.a]), pa.w * c.ga, s);
    vec3 b = vec3_add_scaled(vec3_of(offset[c.b]), -pb.w * (c.ga + c.gc), s);
    vec3 e = vec3_add_scaled(vec3_of(offset[c.c]), pc.w * c.gc, s);
    offset[c.a] = CAB_FLOAT4(a.x, a.y, a.z, 0);
    offset[c.b] = CAB_FLOAT4(b.x, b.y, b.z, 0);
    offset[c.c] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}
