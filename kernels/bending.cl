/* bending: curvature, clamps and angles at joints, one colour at a time. */
#include "relax.h"

/* One colour. Flags: CAB_SOLVE_... */
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
    for (int k = 0; k < CAB_NUMBER(argument); k++) {
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
