/* bending_viscous: the kernels of bending.cl where bending is damped. */
#include "relax.h"

CAB_KERNEL(bending_viscous, global const cab_params *params, global float4 *offset,
           global float4 *bending_lambda, global const float4 *position,
           global const cab_bending_constraint *bending, global const float4 *bending_target,
           global const float4 *residual, global const float *bending_rate)
{
    CAB_ITEM(i);
    cab_bending_item(i, argument, params->equal_weight, offset, bending_lambda, position, bending,
                     bending_target, residual, bending_rate);
}
