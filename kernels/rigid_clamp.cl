/* rigid_clamp: clamps of cables on rigid bodies, among the unknowns of bending; see cab_rigid_bent. */
#include "rigid.h"

/* Turns the directions of clamps, and the directors of those that hold the roll, along with their bodies: to where these are predicted, or
 * have been brought to. */
CAB_BLOCK_KERNEL(rigid_clamp_turn, global float4 *bending_target, global float4 *twist_frame,
                 global const float4 *rigid_rotation, global const float4 *rigid_turn,
                 global const cab_rigid *rigid, global const cab_rigid_bent *rigid_bent,
                 global const cab_rigid_clamp *rigid_clamp, global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    cab_rigid_bent bent = rigid_bent[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    float4 rotation =
        cab_turn_times(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN], rigid_rotation[own.body]);
    for (int k = bent.clamp; k < bent.clamp + bent.clamp_count; k++) {
        vec3 t = vec3_at(rigid_clamp[k].direction);
        t = vec3_add(t, cab_turn_moves(rotation, t));
        bending_target[rigid_clamp[k].target] = CAB_FLOAT4(t.x, t.y, t.z, 0);
        if (rigid_clamp[k].hold < 0) continue;
        vec3 d = vec3_at(rigid_clamp[k].director);
        d = vec3_add(d, cab_turn_moves(rotation, d));
        t = vec3_scale(t, rigid_clamp[k].sense);
        twist_frame[2 * rigid_clamp[k].hold] = CAB_FLOAT4(t.x, t.y, t.z, 0);
        twist_frame[2 * rigid_clamp[k].hold + 1] = CAB_FLOAT4(d.x, d.y, d.z, 0);
    }
}

/* What the twist of cables turns bodies by in the substep, for rigid_fit. After direct_twist. */
CAB_BLOCK_KERNEL(rigid_clamp_twist, global const cab_params *params, global float4 *rigid_turn,
                 global const float4 *twist_couple, global const cab_rigid *rigid,
                 global const cab_rigid_bent *rigid_bent, global const cab_rigid_clamp *rigid_clamp,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    cab_rigid_bent bent = rigid_bent[i];
    float h2 = params->h * params->h * (order[own.component] ? 1 : 4.0f / 9);
    vec3 sum = vec3_zero();
    for (int k = bent.clamp; k < bent.clamp + bent.clamp_count; k++) {
        int hold = rigid_clamp[k].hold;
        if (hold < 0) continue;
        sum = vec3_add(vec3_add(sum, vec3_of(twist_couple[2 * hold])), vec3_of(twist_couple[2 * hold + 1]));
    }
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TWISTED] =
        CAB_FLOAT4(h2 * sum.x, h2 * sum.y, h2 * sum.z, 0);
}

/* The right sides of bodies' unknowns: C = D - t, and t changes by the sum of share_k g_k. After direct_gather. */
CAB_BLOCK_KERNEL(rigid_clamp_push, global float4 *bend, global const float4 *bending_lambda,
                 global const cab_rigid *rigid, global const cab_rigid_member *rigid_member,
                 global const cab_rigid_bent *rigid_bent, global const cab_rigid_clamp *rigid_clamp,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    cab_rigid_bent bent = rigid_bent[i];
    int first = rigid_member[own.member].particle + 1;
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    for (int k = 0; k < bent.count; k++) {
        vec3 sum = vec3_zero();
        for (int c = bent.clamp; c < bent.clamp + bent.clamp_count; c++)
            sum = vec3_sub_scaled(sum, rigid_clamp[c].share[k],
                                  vec3_of(bending_lambda[rigid_clamp[c].bending]));
        bend[first + k] = CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
    }
}
