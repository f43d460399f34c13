/* distance: segment lengths, one colour at a time. */
#include "relax.h"

/* One colour. Flags: CAB_SOLVE_... */
CAB_KERNEL(distance, global const cab_params *params, global float4 *offset, global float *distance_lambda,
           global const float4 *position, global const cab_distance_constraint *distance)
{
    CAB_ITEM(i);
    cab_distance_item(i, argument, params->equal_weight, offset, distance_lambda, position, distance);
}

/* Several small colours in one work-group, one after the other. distance_colour[2 k], [2 k + 1]: first and
 * count of colour k; scratch is not used. Flags: CAB_SOLVE_...; number: of colours */
CAB_GROUP_KERNEL(distance_merged, global const cab_params *params, global float4 *offset,
                 global float *distance_lambda, global const float4 *position,
                 global const cab_distance_constraint *distance, global const int *distance_colour)
{
    CAB_GROUP(first_colour);
    for (int k = 0; k < CAB_NUMBER(argument); k++) {
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
