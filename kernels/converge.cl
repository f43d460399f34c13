/* converge: how far the last iteration has moved particles, and how far lengths are off now. */
#include "xpbd.h"

#define FAR 3e38f /* a larger value, or what is not a number, stays the maximum */

/* The change of an iteration in a block of particles and distances; the host takes the maximum. change[2
 * block]: largest displacement, m; [2 block + 1]: largest error of a length over its rest length. Where a
 * length may be shorter or longer that is no error. Flags: CAB_SOLVE_AT_..., _DOUBLE_AT_... */
CAB_BLOCK_KERNEL(converge, global const cab_params *params, global float *change, global float4 *before,
                 global const float4 *offset, global const float4 *position,
                 global const cab_distance_constraint *distance)
{
    CAB_ITEM(block);
    int end = (block + 1) * CAB_BLOCK;
    real moved = 0, worst = 0;
    for (int i = block * CAB_BLOCK; i < end && i < params->particle_count; i++) {
        vec3 e = vec3_sub(vec3_of(offset[i]), vec3_of(before[i]));
        real d = vec3_dot(e, e);
        if (!(d <= moved)) moved = d < FAR ? d : FAR;
        before[i] = offset[i];
    }
    for (int i = block * CAB_BLOCK; i < end && i < params->length_count; i++) {
        cab_distance_constraint c = distance[i];
        int kind = i < params->distance_count ? argument : cab_flags_of_doubles(argument);
        vec3 r = cab_between(vec3_of(position[c.a]), vec3_of(offset[c.a]), vec3_of(position[c.b]),
                             vec3_of(offset[c.b]));
        real off = c.rest > 0 ? (vec3_length(r) - c.rest) / c.rest : 0; /* a rest length of 0: on a drum */
        if ((kind & CAB_SOLVE_AT_MOST) && off < 0) off = 0;
        if ((kind & CAB_SOLVE_AT_LEAST) && off > 0) off = 0;
        off = off < 0 ? -off : off;
        if (!(off <= worst)) worst = off < FAR ? off : FAR;
    }
    change[2 * block] = sqrt(moved);
    change[2 * block + 1] = worst;
}
