/* distance: segment lengths, one colour at a time. */
#include "xpbd.h"

CAB_INLINE void cab_distance_item(int i, int flags, real equal_weight, global float4 *offset,
                                  global float *distance_lambda, global const float4 *position,
                                  global const cab_distance_constraint *distance)
{
    cab_distance_constraint c = distance[i];
    float4 pa = position[c.a], pb = position[c.b];
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

/* One colour. argument: CAB_SOLVE_... */
CAB_KERNEL(distance, global const cab_params *params, global float4 *offset, global float *distance_lambda,
           global const float4 *position, global const cab_distance_constraint *distance)
{
    CAB_ITEM(i);
    cab_distance_item(i, argument, params->equal_weight, offset, distance_lambda, position, distance);
}

/* Several small colours in one work-group, one after the other. distance_colour[2 k], [2 k + 1]: first and
 * count of colour k; scratch is not used. argument: CAB_SOLVE_... and the number of colours */
CAB_GROUP_KERNEL(distance_merged, global const cab_params *params, global float4 *offset,
                 global float *distance_lambda, global const float4 *position,
                 global const cab_distance_constraint *distance, global const int *distance_colour)
{
    CAB_GROUP(first_colour);
    for (int k = 0; k < argument >> CAB_SOLVE_COLOURS; k++) {
        int first = distance_colour[2 * (first_colour + k)];
        int count = distance_colour[2 * (first_colour + k) + 1];
        CAB_LANES(j, count)
        {
            cab_distance_item(first + j, argument, params->equal_weight, offset, distance_lambda, position,
                              distance);
        }
        CAB_BARRIER_GLOBAL();
    }
}
