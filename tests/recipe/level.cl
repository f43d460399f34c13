/* level: C = z - height, one particle each. argument: CAB_SOLVE_FIRST in the first iteration of a substep */
#include "level.h"
#include "xpbd.h"

CAB_KERNEL(level, global const cab_params *params, global float4 *offset, global float *level_lambda,
           global const float4 *position, global const cab_level_row *level)
{
    CAB_ITEM(i);
    cab_level_row own = level[i];
    float4 p = position[own.particle], e = offset[own.particle];
    real w = cab_weight(params->equal_weight, p.w), memory = argument & CAB_SOLVE_FIRST ? 0 : level_lambda[i];
    if (!(w > 0)) return; /* held, or asleep */
    real change = (own.height - (p.z + e.z) - own.compliance * memory) / (w + own.compliance);
    level_lambda[i] = memory + change;
    offset[own.particle] = CAB_FLOAT4(e.x, e.y, e.z + w * change, e.w);
}
