/* How far a spring is stretched that pulls at a particle, or at a place of a body. */
#ifndef CAB_SOFT_H
#define CAB_SOFT_H

#include "vector.h"

/* From what is at `offset` to the place that it is pulled to: between `to`, the target in this substep, and `from`, where it
 * was before the substep, by `share`, which is 1 less the damper's part of the spring. All are relative to its position. */
CAB_INLINE vec3 cab_soft_towards(vec3 to, real reach, real share, vec3 from, vec3 offset)
{
    vec3 stretch = vec3_sub(to, offset);
    real far = vec3_dot(stretch, stretch);
    if (far > reach * reach) stretch = vec3_scale(stretch, reach / sqrt(far));
    return vec3_add_scaled(vec3_scale(stretch, share), 1 - share, vec3_sub(from, offset));
}

#endif
