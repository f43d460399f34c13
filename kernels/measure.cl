/* measure: the errors of a frame, block by block; the host takes the largest. */
#include "errors.h"
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

/* The same for a cable, added up from its start to its end, as tiles do it (cab_tile_measure). */
CAB_KERNEL(measure_chain, global cab_errors *chain_errors, global const float4 *position,
           global const float4 *residual, global const float4 *velocity, global const cab_chain *chain,
           global const cab_chain_node *chain_node)
{
    CAB_ITEM(c);
    int first = chain[c].first_particle, count = chain[c].particle_count;
    cab_chain_errors e = cab_errors_none();
    for (int i = 0; i < count; i++) {
        int k = first + i;
        cab_errors_particle(&e, i, vec3_of(position[k]), vec3_of(velocity[k]));
        if (i == 0) continue;
        vec3 segment = cab_between(vec3_of(position[k - 1]), vec3_of(residual[k - 1]), vec3_of(position[k]),
                                   vec3_of(residual[k]));
        cab_errors_segment(&e, i - 1, segment, chain_node[k - 1].rest, 1);
    }
    chain_errors[c] = cab_errors_row(e.stretch_max, e.stretch_sum, e.worst_segment, real_sqrt(e.square_max),
                                     e.worst_particle, first);
}

/* The errors of a block of cables. argument: number of cables of a world; worlds of a gang, which have as many each, follow one
 * another, and none shares a block. */
CAB_BLOCK_KERNEL(measure_chains, global cab_errors *measure, global const cab_errors *chain_errors,
                 global const cab_chain_node *chain_node)
{
    CAB_ITEM(block);
    int blocks = (argument + CAB_BLOCK - 1) / CAB_BLOCK, world = block / blocks;
    int first = world * argument + block % blocks * CAB_BLOCK, end = first + CAB_BLOCK;
    if (end > (world + 1) * argument) end = (world + 1) * argument;
    cab_errors m = chain_errors[first];
    for (int c = first + 1; c < end; c++) {
        cab_errors row = chain_errors[c];
        m.stretch_sum += row.stretch_sum;
        m.penetration_max = real_max(m.penetration_max, row.penetration_max);
        m.contacts += row.contacts;
        if (row.stretch_max > m.stretch_max) {
            m.stretch_max = row.stretch_max;
            m.worst_distance = row.worst_distance;
        }
        if (row.speed_max > m.speed_max) {
            m.speed_max = row.speed_max;
            m.worst_particle = row.worst_particle;
        }
    }
    if (m.worst_distance >= 0) m.worst_distance = chain_node[m.worst_distance].distance;
    measure[block] = m;
}
