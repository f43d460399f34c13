/* own: the user's own constraints, one colour at a time. */
#include "own.h"
#include "xpbd.h"

/* In C an expression is data; in OpenCL `kind` is a constant that selects a compiled one. */
#ifdef __OPENCL_VERSION__
#define CAB_OWN_VALUES(kind, inputs) cab_own_values(kind, inputs, x, c.apart, c.rest, value)
#else
#define CAB_OWN_SWITCH(kind, CALL) CALL(kind, own_kind[kind].particles)
#define CAB_OWN_VALUES(kind, inputs)                                                                         \
    cab_own_values(own_op + own_kind[kind].first_op, own_kind[kind].op_count, inputs, x, c.apart, c.rest,    \
                   value)
#endif

/* Coordinates of the stencil relative to a near point, so that differences are exact anywhere. */
CAB_INLINE void cab_own_places(const cab_own_constraint *c, int particles, int near_first,
                               global const float4 *position, global const float4 *offset,
                               global const float4 *own_origin, real *x)
{
    vec3 high = vec3_of(near_first ? position[c->particle[0]] : own_origin[2 * c->origin]);
    vec3 low = near_first ? vec3_zero() : vec3_of(own_origin[2 * c->origin + 1]);
    for (int k = 0; k < particles; k++) {
        int p = c->particle[k];
        vec3 r = cab_between(high, low, vec3_of(position[p]), vec3_of(offset[p]));
        x[3 * k] = r.x;
        x[3 * k + 1] = r.y;
        x[3 * k + 2] = r.z;
    }
}

/* What a particle of this inverse mass moves. */
CAB_INLINE real cab_own_weight(global const cab_own_kind *kind, real inverse_mass)
{
    return kind->equal && inverse_mass > 0 ? 1 : kind->slow * inverse_mass;
}

/* The change of the multiplier, as in cab_solve_length. sum: of inverse masses times squared gradients. With
 * CAB_SOLVE_FORGET, PBD: -C / (sum + sum (1 - k)/k) is -k C / sum. */
CAB_INLINE real cab_own_change(real value, real sum, real compliance, int inequality, int flags, real *lambda)
{
    real weight = sum + (flags & CAB_SOLVE_FORGET ? sum * compliance : compliance);
    if (sum == 0) return 0; /* nothing can move; a sum that is not a number is let through, to be reported */
    real next = *lambda + (-value - compliance * *lambda) / weight;
    if (inequality) next = next < 0 ? 0 : next; /* inequality: only pushes */
    real change = next - *lambda;
    *lambda = next;
    return change;
}

CAB_INLINE void cab_own_solve(int i, int kind, int particles, int flags, global float4 *offset,
                              global float *own_lambda, global const float4 *position,
                              global const cab_own_constraint *own, global const cab_own_kind *own_kind,
                              global const cab_own_op *own_op, global const float4 *own_origin)
{
    cab_own_constraint c = own[i];
    int inputs = 3 * particles;
    real x[CAB_OWN_INPUTS], value[2 * CAB_OWN_INPUTS + 1], gradient[CAB_OWN_INPUTS];
    int anew = flags & (CAB_SOLVE_FIRST | CAB_SOLVE_FORGET);
    real lambda = anew ? 0 : own_lambda[i], sum = 0, weight[CAB_OWN_PARTICLES];
    for (int k = 0; k < particles; k++)
        weight[k] = cab_own_weight(own_kind + kind, position[c.particle[k]].w);
    cab_own_places(&c, particles, own_kind[kind].relative, position, offset, own_origin, x);
    CAB_OWN_VALUES(kind, inputs);
    for (int k = 0; k < inputs; k++) {
        /* divided by the rounded step, so that it is exact where C is linear */
        gradient[k] = (value[2 * k] - value[2 * k + 1]) / ((x[k] + c.apart) - (x[k] - c.apart));
        sum = sum + weight[k / 3] * gradient[k] * gradient[k];
    }
    real change = cab_own_change(value[2 * inputs], sum, own_kind[kind].compliance, own_kind[kind].inequality,
                                 flags, &lambda);
    own_lambda[i] = lambda;
    for (int k = 0; k < particles; k++) {
        int p = c.particle[k];
        float4 e = offset[p];
        real s = weight[k] * change;
        offset[p] = CAB_FLOAT4(e.x + s * gradient[3 * k], e.y + s * gradient[3 * k + 1],
                               e.z + s * gradient[3 * k + 2], 0);
    }
}

CAB_INLINE void cab_own_item(int i, int flags, global float4 *offset, global float *own_lambda,
                             global const float4 *position, global const cab_own_constraint *own,
                             global const cab_own_kind *own_kind, global const cab_own_op *own_op,
                             global const float4 *own_origin)
{
#define CAB_OWN_CALL(kind, particles)                                                                        \
    cab_own_solve(i, kind, particles, flags, offset, own_lambda, position, own, own_kind, own_op, own_origin)
    CAB_OWN_SWITCH(own[i].kind, CAB_OWN_CALL);
}

/* One colour. Flags: CAB_SOLVE_FIRST, CAB_SOLVE_FORGET */
CAB_KERNEL(own, global float4 *offset, global float *own_lambda, global const float4 *position,
           global const cab_own_constraint *own, global const cab_own_kind *own_kind,
           global const cab_own_op *own_op, global const float4 *own_origin)
{
    CAB_ITEM(i);
    cab_own_item(i, argument, offset, own_lambda, position, own, own_kind, own_op, own_origin);
}

/* Several small colours in one work-group; see distance_merged. */
CAB_GROUP_KERNEL(own_merged, global float4 *offset, global float *own_lambda, global const float4 *position,
                 global const cab_own_constraint *own, global const cab_own_kind *own_kind,
                 global const cab_own_op *own_op, global const float4 *own_origin,
                 global const int *own_colour)
{
    CAB_GROUP(first_colour);
    for (int k = 0; k < CAB_NUMBER(argument); k++) {
        int first = own_colour[2 * (first_colour + k)];
        int count = own_colour[2 * (first_colour + k) + 1];
        CAB_LANES(j, count)
        {
            cab_own_item(first + j, argument, offset, own_lambda, position, own, own_kind, own_op,
                         own_origin);
        }
        CAB_BARRIER_GLOBAL();
    }
}
