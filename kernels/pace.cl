/* pace: how much things would move in the coming substep, as a share of their thickness, where they may meet within it. The
 * host cuts the substep into pieces by it (host/run/pace.h). Places and velocities are those at the start of the substep.
 */
#include "collide.h"
#include "rods.h"

/* Weights of what is compared with one limit, SHARE_MOST of host/run/pace.c. A segment's turn, rad: a step of the direct method
 * is linear in it. Two cables: one that is held taut cannot give way, so they are taken more carefully than colliders. */
#define CAB_PACE_TURN 0.4f
#define CAB_PACE_PAIR 4.0f

/* The displacement of a particle in the coming substep at the velocity that it has, m. */
CAB_INLINE vec3 cab_pace_step(int particle, global const cab_params *params, global const float4 *velocity)
{
    return vec3_scale(vec3_of(velocity[particle]), params->pace_h);
}

CAB_INLINE real cab_pace_apart(vec3 a, vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

/* Over a block of segments: the largest turn, rad, times CAB_PACE_TURN; pace[block] is set. */
CAB_BLOCK_KERNEL(pace_turns, global const cab_params *params, global float *pace,
                 global const float4 *velocity, global const cab_segment *segment)
{
    CAB_ITEM(block);
    real largest = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        cab_segment own = segment[i];
        vec3 a = cab_pace_step(own.a, params, velocity), b = cab_pace_step(own.b, params, velocity);
        largest = real_max(largest, CAB_PACE_TURN * cab_pace_apart(a, b) / own.rest);
    }
    pace[block] = largest;
}

/* Over a block of segments and the pairs that they own: the relative displacement of a pair over the sum of its radii, where it
 * could close the gap, times CAB_PACE_PAIR. pace[block] becomes the largest of these where that is larger. */
CAB_BLOCK_KERNEL(pace_pairs, global const cab_params *params, global float *pace,
                 global const int *pair_start, global const int4 *pair, global const float4 *position,
                 global const float4 *residual, global const float4 *velocity,
                 global const cab_segment *segment)
{
    CAB_ITEM(block);
    real largest = pace[block];
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        cab_segment own = segment[i];
        cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
        vec3 a = cab_pace_step(own.a, params, velocity), b = cab_pace_step(own.b, params, velocity);
        real led = p.w_a > 0 && p.w_b > 0 ? 0 : params->pace_led;
        for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
            cab_segment other = segment[pair[k].y];
            cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
            vec3 c = cab_pace_step(other.a, params, velocity), d = cab_pace_step(other.b, params, velocity);
            real step = real_max(real_max(cab_pace_apart(a, c), cab_pace_apart(a, d)),
                                 real_max(cab_pace_apart(b, c), cab_pace_apart(b, d)));
            step = step + led + (q.w_a > 0 && q.w_b > 0 ? 0 : params->pace_led);
            real reach = cab_rod_radius(own, &p) + cab_rod_radius(other, &q);
            if (!(CAB_PACE_PAIR * step > largest * reach)) continue;
            if (sqrt(cab_rods_at(&p, &q, 0).distance2) < reach + step) largest = CAB_PACE_PAIR * step / reach;
        }
    }
    pace[block] = largest;
}

/* The same for segments and colliders, over the segment's radius. */
CAB_BLOCK_KERNEL(pace_colliders, global const cab_params *params, global float *pace,
                 global const int *near_start, global const int *near, global const float4 *position,
                 global const float4 *residual, global const float4 *velocity,
                 global const cab_segment *segment, global const cab_collider *collider,
                 global const cab_mesh_node *mesh_node, global const cab_triangle *mesh_triangle,
                 global const cab_mesh_edge *mesh_edge)
{
    CAB_ITEM(block);
    cab_meshes mesh = {mesh_node, mesh_triangle, mesh_edge, 0};
    real largest = pace[block];
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        cab_segment own = segment[i];
        real step = params->pace_led + real_max(vec3_length(cab_pace_step(own.a, params, velocity)),
                                                vec3_length(cab_pace_step(own.b, params, velocity)));
        for (int k = near_start[i]; k < near_start[i + 1] && step > largest * own.radius; k++) {
            cab_rod r = cab_rod_of(own.a, own.b, position, residual, residual);
            real radius = cab_rod_radius(own, &r);
            if (cab_near_depth(near[k], params, collider, &mesh, &r, radius) > -step) largest = step / radius;
        }
    }
    pace[block] = largest;
}
