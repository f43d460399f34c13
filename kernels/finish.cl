/* finish: velocities from displacements, positions from offsets. Damping acts on the velocity only, so a
 * cable at rest is where it would be without damping. */
#include "xpbd.h"

CAB_KERNEL(finish, global const cab_params *params, global float4 *position, global float4 *residual,
           global float4 *velocity, global const float4 *offset)
{
    CAB_ITEM(i);
    float4 p = position[i];
    if (p.w < 0) return; /* asleep */
    vec3 x = vec3_of(p), r = vec3_of(residual[i]);
    real decay = velocity[i].w;
    vec3 v = vec3_scale(cab_settle(&x, &r, vec3_of(offset[i])), params->inverse_h * decay);
    velocity[i] = CAB_FLOAT4(v.x, v.y, v.z, decay);
    position[i] = CAB_FLOAT4(x.x, x.y, x.z, p.w);
    residual[i] = CAB_FLOAT4(r.x, r.y, r.z, 0);
}
