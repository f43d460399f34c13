/* distance: segment lengths, one colour at a time. */
#include "xpbd.h"

CAB_INLINE void cab_distance_item(int i, int first_pass, global float4 *offset, global float *distance_lambda,
                                  global const float4 *position,
                                  global const cab_distance_constraint *distance)
{
    cab_distance_constraint c = distance[i];
    float4 pa = position[c.a], pb = position[c.b];
    if (cab_sleeps(pa.w, pb.w)) return; /* the tension stays */
    float4 ea = offset[c.a], eb = offset[c.b];
    real lambda = first_pass ? 0 : distance_lambda[i];
    vec3 r = cab_between(vec3_of(pa), vec3_of(ea), vec3_of(pb), vec3_of(eb));
    vec3 d = cab_solve_distance(r, pa.w, pb.w, c.rest, c.compliance, &lambda);
    distance_lambda[i] = lambda;
    offset[c.a] = CAB_FLOAT4(ea.x - pa.w * d.x, ea.y - pa.w * d.y, ea.z - pa.w * d.z, 0);
    offset[c.b] = CAB_FLOAT4(eb.x + pb.w * d.x, eb.y + pb.w * d.y, eb.z + pb.w * d.z, 0);
}

/* One colour. argument: 1 in a substep's first iteration, when multipliers start from 0 */
CAB_KERNEL(distance, global float4 *offset, global float *distance_lambda, global const float4 *position,
           global const cab_distance_constraint *distance)
{
    CAB_ITEM(i);
    cab_distance_item(i, argument, offset, distance_lambda, position, distance);
}

/* Several small colours in one work-group, one after the other. distance_colour[2 k], [2 k + 1]: first and
 * count of colour k; scratch is not used. argument: 2 (number of colours) + 1 in the first iteration */
CAB_GROUP_KERNEL(distance_merged, global float4 *offset, global float *distance_lambda,
                 global const float4 *position, global const cab_distance_constraint *distance,
                 global const int *distance_colour)
{
    CAB_GROUP(first_colour);
    for (int k = 0; k < argument >> 1; k++) {
        int first = distance_colour[2 * (first_colour + k)];
        int count = distance_colour[2 * (first_colour + k) + 1];
        CAB_LANES(j, count)
        {
            cab_distance_item(first + j, argument & 1, offset, distance_lambda, position, distance);
        }
        CAB_BARRIER_GLOBAL();
    }
}
