/* finish: velocities from the way gone, positions from the offsets. Damping takes its part of the velocity
 * here, so a cable at rest, which has none, is where it would be without. */
#include "xpbd.h"

CAB_KERNEL(finish, global const cab_params *params, global float4 *position, global float4 *residual,
           global float4 *velocity, global const float4 *offset)
{
    CAB_ITEM(i);
    float4 p = position[i];
    if (p.w < 0) return; /* asleep */
    float4 r = residual[i], e = offset[i], v = velocity[i];
    real s = params->inverse_h * v.w;
    velocity[i] = CAB_FLOAT4((e.x - r.x) * s, (e.y - r.y) * s, (e.z - r.z) * s, v.w);
    real rx, ry, rz;
    p.x = cab_two_sum(p.x, e.x, &rx);
    p.y = cab_two_sum(p.y, e.y, &ry);
    p.z = cab_two_sum(p.z, e.z, &rz);
    position[i] = p;
    residual[i] = CAB_FLOAT4(rx, ry, rz, 0);
}
