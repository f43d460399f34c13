/* measure: the errors of a frame, block by block; the host takes the largest. */
#include "xpbd.h"

CAB_INLINE int cab_is_finite(float x)
{
    return x - x == 0; /* false for infinities and NaN */
}

/* Largest stretch in a block of distance constraints (the first distance_count are segments) and largest
 * speed in a block of particles. */
CAB_BLOCK_KERNEL(measure, global const cab_params *params, global cab_errors *measure,
                 global const float4 *position, global const float4 *residual, global const float4 *velocity,
                 global const cab_distance_constraint *distance)
{
    CAB_ITEM(block);
    cab_errors m = measure[block];
    m.stretch_max = 0;
    m.stretch_sum = 0;
    m.speed_max = 0;
    m.worst_distance = -1;
    m.worst_particle = -1;
    int end = (block + 1) * CAB_BLOCK;
    for (int i = block * CAB_BLOCK; i < end && i < params->distance_count; i++) {
        int a = distance[i].a, b = distance[i].b;
        vec3 r = cab_between(vec3_of(position[a]), vec3_of(residual[a]), vec3_of(position[b]),
                             vec3_of(residual[b]));
        real rest = distance[i].rest,
             stretch = rest > 0 ? (vec3_length(r) - rest) / rest : 0; /* a rest length of 0: on a drum */
        stretch = stretch < 0 ? -stretch : stretch;
        m.stretch_sum += stretch;
        if (stretch > m.stretch_max) {
            m.stretch_max = stretch;
            m.worst_distance = i;
        }
    }
    for (int i = block * CAB_BLOCK; i < end && i < params->particle_count; i++) {
        float4 p = position[i];
        real speed = vec3_length(vec3_of(velocity[i]));
        if (!cab_is_finite(p.x + p.y + p.z) || !cab_is_finite(speed)) speed = CAB_NOT_FINITE;
        if (speed > m.speed_max) {
            m.speed_max = speed;
            m.worst_particle = i;
        }
    }
    measure[block] = m;
}
