/* drum: cable that is paid out and reeled in. Cable on a drum is held where the drum's own particle is.
 * Beside it the rest lengths, compliances and masses are those that the host has computed for the end of the
 * substep (drum_table.c). */
#include "direct.h"
#include "xpbd.h"

#define CAB_DRUM_ASIDE 1e-9f

/* A vector across d, about as long. */
CAB_INLINE vec3 cab_drum_across(vec3 d, real length)
{
    return 2 * d.z * d.z < length * length ? vec3_make(-d.y, d.x, 0) : vec3_make(0, -d.z, d.y);
}

/* Places a particle that leaves the drum: on the line to the particle that was the first free one, at its
 * part `along` of that line, and `aside` of its length beside it. Cable leaves the drum along this line. */
CAB_INLINE void cab_release(int p, int drum, int next, real along, real aside, real speed, real decay,
                            global float4 *position, global float4 *residual, global float4 *velocity)
{
    float4 x = position[drum], r = residual[drum];
    vec3 d = cab_between(vec3_of(x), vec3_of(r), vec3_of(position[next]), vec3_of(residual[next]));
    real length = vec3_length(d), rx, ry, rz;
    vec3 leaves = vec3_add_scaled(vec3_of(velocity[drum]), length > 0 ? speed / length : 0, d);
    vec3 v = vec3_mix(leaves, vec3_of(velocity[next]), along);
    vec3 to = vec3_add_scaled(vec3_of(r), along, d);
    if (aside > 0) to = vec3_add_scaled(to, aside, cab_drum_across(d, length));
    x.x = cab_two_sum(x.x, to.x, &rx);
    x.y = cab_two_sum(x.y, to.y, &ry);
    x.z = cab_two_sum(x.z, to.z, &rz);
    position[p] = x;
    residual[p] = CAB_FLOAT4(rx, ry, rz, 0);
    velocity[p] = CAB_FLOAT4(v.x, v.y, v.z, decay);
}

/* By how much two segments are longer than the straight line over both: from a drum to the particle that comes onto it, and from
 * there to the next. */
CAB_INLINE real cab_round_corner(int drum, int corner, int next, global const float4 *position,
                                 global const float4 *residual)
{
    vec3 x = vec3_of(position[corner]), r = vec3_of(residual[corner]);
    vec3 before = cab_between(vec3_of(position[drum]), vec3_of(residual[drum]), x, r);
    vec3 after = cab_between(x, r, vec3_of(position[next]), vec3_of(residual[next]));
    real a = vec3_length(before), b = vec3_length(after), c = vec3_length(vec3_add(before, after));
    vec3 turn =
        vec3_sub_scaled(vec3_scale(before, b), a, after); /* its square is 2 a b (a b - before . after) */
    /* a + b - c = ((a + b)^2 - c^2)/(a + b + c), where (a + b)^2 - c^2 = turn^2/(a b): small, but no difference of large numbers */
    real area = a * b * (a + b + c);
    return area > 0 ? vec3_dot(turn, turn) / area : 0;
}

/* Ahead of drum_move, what only the direct method has: steps (motion.h), tables of branches, and lengths that are met at once.
 *
 * The steps of a particle that comes onto the drum are the drum's; of one that leaves it, as its velocity, the mean of those of the
 * next one and of what leaves the drum. The segment at the mouth pulls as the one did that was there.
 *
 * Where a cable is bent at the particle that comes onto the drum, the straight line to the next one is shorter than both segments
 * were. Met at once, that length would be a blow. So the segment at the mouth is shorter by as much, drum_slack[2 drum], which fades
 * while cable is fed. That is d ~ s l/(s + l) a^2/2 for segments s and l at a small angle a; from when it comes on at s = l/4 the line
 * shortens by 1 - 2/5 a^2 of the speed at which cable is fed, and if d fades to 1/e over l/4 the segment begins to do just that.
 * drum_slack[2 drum + 1]: where a particle that leaves the drum is to be for lengths that are so, as cab_drum_step.along; 0 = there.
 *
 * A cable that hangs straight down, to the last bit, cannot buckle when it is let down onto a floor: no force has a direction across
 * it, and lengths that are exact push it through. So what leaves the drum is CAB_DRUM_ASIDE of its way beside the line.
 * argument: the substep's first drum_step */
CAB_KERNEL(direct_feed, global const cab_params *params, global float4 *step, global float *distance_lambda,
           global cab_branch_node *branch_node, global float *drum_slack, global const float4 *position,
           global const float4 *residual, global const cab_drum_row *drum_node,
           global const cab_drum_step *drum_step)
{
    CAB_ITEM(i);
    int first_step = argument, n = params->particle_count;
    cab_drum_step s = drum_step[first_step + i];
    cab_drum_row out = drum_node[s.first_free], on = drum_node[s.first_free - 1];
    int drum = drum_node[s.row].particle;
    if (position[out.particle].w < 0) return; /* asleep */
    real slack = drum_slack[2 * i] * s.fade;
    drum_slack[2 * i + 1] = 0;
    if (s.first_free - 1 > s.row && position[on.particle].w > 0) { /* it has just come on */
        slack = slack + cab_round_corner(drum, on.particle, out.particle, position, residual);
        for (int k = 0; k < 3; k++) step[on.particle + k * n] = step[drum + k * n];
        distance_lambda[on.distance] = 0;
    }
    if (s.released) {
        cab_drum_row next = drum_node[s.first_free + 1];
        vec3 d = cab_between(vec3_of(position[drum]), vec3_of(residual[drum]),
                             vec3_of(position[next.particle]), vec3_of(residual[next.particle]));
        real length = vec3_length(d), way = length > 0 ? s.speed * params->h / length : 0, along = s.along;
        if (slack > 0) along = real_max(1 - s.rest[1] / length, 0.5f * s.along);
        for (int k = 0; k < 3; k++) {
            vec3 leaves = vec3_add_scaled(vec3_of(step[drum + k * n]), way, d);
            vec3 v = vec3_mix(leaves, vec3_of(step[next.particle + k * n]), along);
            step[out.particle + k * n] = CAB_FLOAT4(v.x, v.y, v.z, 0);
        }
        distance_lambda[out.distance] = distance_lambda[next.distance];
        slack = real_min(slack, 0.5f * s.rest[0]);
        drum_slack[2 * i + 1] = along;
    }
    drum_slack[2 * i] = slack;
    branch_node[out.node].rest = s.rest[0] - slack;
    branch_node[out.node].wanted = s.rest[0] - slack;
}

/* Brings a drum and the first free nodes to the end of the substep. argument: the substep's first
 * drum_step */
CAB_KERNEL(drum_move, global float4 *position, global float4 *residual, global float4 *velocity,
           global cab_distance_constraint *distance, global cab_bending_constraint *bending,
           global const cab_drum_row *drum_node, global const cab_drum_step *drum_step,
           global const float *drum_slack)
{
    CAB_ITEM(i);
    int first_step = argument;
    cab_drum_step s = drum_step[first_step + i];
    int drum = drum_node[s.row].particle;
    if (position[drum_node[s.first_free].particle].w < 0) return; /* asleep */
    real direct = drum_slack[2 * i + 1], aside = direct > 0 ? CAB_DRUM_ASIDE : 0;
    s.rest[0] -= drum_slack[2 * i];
    if (direct > 0) s.along = direct;
    if (s.first_free - 1 > s.row) { /* the last node on the drum, which may just have arrived */
        cab_drum_row on = drum_node[s.first_free - 1];
        position[on.particle] = position[drum];
        residual[on.particle] = residual[drum];
        velocity[on.particle] = velocity[drum];
        distance[on.distance].rest = 0;
        if (on.bending >= 0) bending[on.bending].ga = bending[on.bending].gc = 0;
    }
    if (s.released)
        cab_release(drum_node[s.first_free].particle, drum, drum_node[s.first_free + 1].particle, s.along,
                    aside, s.speed, s.decay, position, residual, velocity);
    for (int k = 0; k < s.count; k++) {
        cab_drum_row row = drum_node[s.first_free + k];
        position[row.particle].w = s.weight[k];
        distance[row.distance].rest = s.rest[k];
        distance[row.distance].compliance = s.compliance[k];
        if (row.bending < 0) continue;
        bending[row.bending].ga = s.ga[k];
        bending[row.bending].gc = s.gc[k];
        bending[row.bending].compliance = s.bending_compliance[k];
    }
}

/* Moves what is on a drum with it. argument: as above */
CAB_KERNEL(drum_follow, global float4 *offset, global const cab_drum_row *drum_node,
           global const cab_drum_step *drum_step)
{
    CAB_ITEM(i);
    int first_step = argument;
    cab_drum_row row = drum_node[i];
    cab_drum_step s = drum_step[first_step + row.drum];
    if (i > s.row && i < s.first_free) offset[row.particle] = offset[drum_node[s.row].particle];
}
