/* tie: holds cables of a bundle together: largest distances between particles, one colour at a time. */
#include "relax.h"

/* Flags: CAB_SOLVE_... */
CAB_KERNEL(tie, global const cab_params *params, global float4 *offset, global float *tie_lambda,
           global const float4 *position, global const cab_distance_constraint *tie)
{
    CAB_ITEM(i);
    cab_distance_item(i, argument, params->equal_weight, offset, tie_lambda, position, tie);
}
