/* rigid_clamp: clamps of cables on rigid bodies, among the unknowns of bending; see cab_rigid_bent. */
#include "rigid.h"

/* Turns the directions of clamps along with their bodies: to where these are predicted, or have been brought to. argument:
 * CAB_RIGID_ENDED, where the turn of the substep is in the body's rotation. */
CAB_BLOCK_KERNEL(rigid_clamp_turn, global float4 *bending_target, global const float4 *rigid_rotation,
                 global const float4 *rigid_turn, global const cab_rigid *rigid,
                 global const cab_rigid_bent *rigid_bent, global const cab_rigid_clamp *rigid_clamp,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    cab_rigid_bent bent = rigid_bent[i];
    int still = argument == CAB_RIGID_ENDED || order[own.component] == CAB_ORDER_ASLEEP;
    float4 rotation = rigid_rotation[own.body];
    if (!still) rotation = cab_turn_times(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN], rotation);
    for (int k = bent.clamp; k < bent.clamp + bent.clamp_count; k++) {
        vec3 t = vec3_at(rigid_clamp[k].direction);
        t = vec3_add(t, cab_turn_moves(rotation, t));
        bending_target[rigid_clamp[k].target] = CAB_FLOAT4(t.x, t.y, t.z, 0);
    }
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
