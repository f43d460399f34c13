/* feed: cable that is paid out and reeled in. What is on a drum is held where the drum's own particle is; the
 * rest lengths, compliances and masses next to it are as the host has worked them out for the end of the
 * substep (constraint/drum_table.c).
 */
#include "xpbd.h"

/* A particle comes off the drum: on the line to the first one that was free until now, at its share of the
 * way. Cable leaves the drum along that line. */
CAB_INLINE void cab_release(int p, int drum, int next, real along, real speed, real decay,
                            global float4 *position, global float4 *residual, global float4 *velocity)
{
    float4 x = position[drum], r = residual[drum];
    vec3 way = cab_between(vec3_of(x), vec3_of(r), vec3_of(position[next]), vec3_of(residual[next]));
    real length = vec3_length(way), rx, ry, rz;
    vec3 leaves = vec3_add_scaled(vec3_of(velocity[drum]), length > 0 ? speed / length : 0, way);
    vec3 v = vec3_mix(leaves, vec3_of(velocity[next]), along);
    x.x = cab_two_sum(x.x, r.x + along * way.x, &rx);
    x.y = cab_two_sum(x.y, r.y + along * way.y, &ry);
    x.z = cab_two_sum(x.z, r.z + along * way.z, &rz);
    position[p] = x;
    residual[p] = CAB_FLOAT4(rx, ry, rz, 0);
    velocity[p] = CAB_FLOAT4(v.x, v.y, v.z, decay);
}

/* A drum each, and what lies at its mouth. argument: the first of the substep's feed_steps */
CAB_KERNEL(feed, global float4 *position, global float4 *residual, global float4 *velocity,
           global cab_distance_constraint *distance, global cab_bending_constraint *bending,
           global const cab_drum_row *drum_node, global const cab_feed_step *feed_step)
{
    CAB_ITEM(i);
    int first_step = argument;
    cab_feed_step s = feed_step[first_step + i];
    int drum = drum_node[s.drum].particle;
    if (position[drum_node[s.first].particle].w < 0) return; /* asleep: nothing is fed */
    if (s.first - 1 > s.drum) {                              /* the last on the drum, if only since now */
        cab_drum_row on = drum_node[s.first - 1];
        position[on.particle] = position[drum];
        residual[on.particle] = residual[drum];
        velocity[on.particle] = velocity[drum];
        distance[on.distance].rest = 0;
        if (on.bending >= 0) bending[on.bending].ga = bending[on.bending].gc = 0;
    }
    if (s.released)
        cab_release(drum_node[s.first].particle, drum, drum_node[s.first + 1].particle, s.along, s.speed,
                    s.decay, position, residual, velocity);
    for (int k = 0; k < s.count; k++) {
        cab_drum_row link = drum_node[s.first + k];
        position[link.particle].w = s.weight[k];
        distance[link.distance].rest = s.rest[k];
        distance[link.distance].compliance = s.compliance[k];
        if (link.bending < 0) continue;
        bending[link.bending].ga = s.ga[k];
        bending[link.bending].gc = s.gc[k];
        bending[link.bending].compliance = s.bending_compliance[k];
    }
}

/* What is on a drum goes with it where it moves in the substep. argument as above */
CAB_KERNEL(feed_follow, global float4 *offset, global const cab_drum_row *drum_node,
           global const cab_feed_step *feed_step)
{
    CAB_ITEM(i);
    int first_step = argument;
    cab_drum_row link = drum_node[i];
    cab_feed_step s = feed_step[first_step + link.feed];
    if (i > s.drum && i < s.first) offset[link.particle] = offset[drum_node[s.drum].particle];
}
