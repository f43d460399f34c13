/* rigid: how rigid bodies move in a substep; see rigid.h. */
#include "motion.h"
#include "rigid.h"
#include "soft.h"

#define CAB_RIGID_PASSES                                                                                     \
    3 /* Newton passes of a fit; each leaves the square of the turn in a substep of what was off */

/* Where a hand pulls a place of a body to in this substep. Before rigid_fit. argument: the substep; see direct_soft */
CAB_BLOCK_KERNEL(rigid_hand_aim, global const cab_params *params, global cab_rigid_hand *rigid_hand,
                 global const float4 *offset, global const float4 *position, global const float4 *residual,
                 global const float4 *step, global const float4 *target, global const int *component,
                 global const int *order)
{
    CAB_ITEM(i);
    global cab_rigid_hand *own = rigid_hand + i;
    int first = own->particle, first_order = order[component[first]];
    int k = 2 * (argument * params->moving_count + own->moving);
    vec3 to = vec3_of(target[k + 1]), from = vec3_zero(), off = cab_rigid_hand_of(own, offset, residual);
    for (int j = 0; j < CAB_RIGID_POINTS; j++) {
        real share = own->share[j];
        vec3 x = vec3_of(position[first + j]), left = vec3_of(residual[first + j]);
        to = vec3_add_scaled(to, share, vec3_sub(vec3_sub(vec3_of(target[k]), x), left));
        if (!first_order) from = vec3_add_scaled(from, share / 3, vec3_of(step[first + j]));
    }
    vec3 stretch = cab_soft_towards(to, own->reach, first_order ? own->kept_first : own->kept, from, off);
    vec3_put(own->goal, vec3_add(off, stretch));
}

/* Brings each body's members, which are where their own inertia, bending and contacts have taken them, to their places on the body,
 * and this to where it keeps their momentum. argument: CAB_RIGID_BEGIN, where the substep begins; CAB_RIGID_PULLED, the
 * same with the pull of a hand; CAB_RIGID_BENT, where the members
 * have been bent, with masses that the body's share of was added to; or 0. */
CAB_BLOCK_KERNEL(rigid_fit, global float4 *offset, global float4 *rigid_turn, global float4 *rigid_begun,
                 global const cab_rigid_hand *rigid_hand, global const float4 *rigid_rotation,
                 global const cab_rigid *rigid, global const cab_rigid_member *rigid_member,
                 global const cab_rigid_bent *rigid_bent, global const float4 *bend,
                 global const float4 *position, global const float4 *residual, global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    int first_order = order[own.component], last = own.member + own.member_count;
    if (first_order == CAB_ORDER_ASLEEP) return;
    cab_rigid_bent bent = rigid_bent[i];
    int clamped = argument == CAB_RIGID_BENT && bent.mass > 0;
    int begins = argument == CAB_RIGID_BEGIN || argument == CAB_RIGID_PULLED;
    int pulled = rigid_hand->slot == i && argument != CAB_RIGID_BEGIN;
    cab_sym3 p = cab_rigid_leaves(rigid + i, 0), q = cab_rigid_leaves(rigid + i, 1);
    float4 rotation = rigid_rotation[own.body];
    float4 turn = begins ? cab_turn_none() : rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN];
    float4 before = rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT];
    vec3 shift = begins ? vec3_zero() : vec3_of(before), arm_pulled, goal = vec3_at(rigid_hand->goal);
    if (pulled && argument != CAB_RIGID_PULLED)
        goal = cab_rigid_hand_moved(rigid_hand, rotation, turn, shift, &arm_pulled);
    for (int pass = 0; pass < CAB_RIGID_PASSES; pass++) {
        cab_rigid_sum sum = cab_rigid_sum_none();
        if (clamped) {
            cab_rigid_add_bent(&sum, &bent, first_order, rotation, bend + rigid_member[own.member].particle);
            sum.turn = vec3_add(sum.turn, vec3_of(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TWISTED]));
        }
        for (int k = own.member; k < last; k++) {
            global const cab_rigid_member *member = rigid_member + k;
            vec3 arm = cab_rigid_arm(member, rotation), e = vec3_of(offset[member->particle]);
            vec3 moved = cab_turn_moves(turn, arm);
            if (argument == CAB_RIGID_BENT) {
                vec3 begun = vec3_of(rigid_begun[k]);
                e = vec3_add_scaled(begun, member->bending, vec3_sub(e, begun));
            }
            vec3 off = vec3_sub(vec3_sub(e, vec3_of(residual[member->particle])), vec3_add(shift, moved));
            cab_rigid_add(&sum, cab_rigid_mass(member, first_order), vec3_add(arm, moved), off);
        }
        if (pulled) cab_rigid_add_hand(&sum, rigid_hand, first_order, rotation, turn, shift, goal);
        vec3 further, about;
        cab_rigid_solve(&sum, p, q, &further, &about);
        shift = vec3_add(shift, further);
        turn = cab_turn_times(cab_turn_by(about), turn);
    }
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN] = turn;
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT] =
        CAB_FLOAT4(shift.x, shift.y, shift.z, begins ? 0 : before.w);
    int first = rigid_member[own.member].particle;
    vec3 pivot = vec3_sub(vec3_add(vec3_of(position[first]), vec3_of(residual[first])),
                          cab_rigid_arm(rigid_member + own.member, rotation));
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_PIVOT] = CAB_FLOAT4(pivot.x, pivot.y, pivot.z, 0);
    for (int k = own.member; k < last; k++) {
        int particle = rigid_member[k].particle;
        vec3 moved = vec3_add(shift, cab_turn_moves(turn, cab_rigid_arm(rigid_member + k, rotation)));
        vec3 e = vec3_add(vec3_of(residual[particle]), moved);
        offset[particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        if (begins) rigid_begun[k] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* Puts the shapes of bodies where they are predicted at the substep's end, and notes the prediction for contacts. argument:
 * CAB_RIGID_ENDED. rigid_shape: at the start, with the arm of the shape's own point from the pivot in mx, my, mz */
CAB_BLOCK_KERNEL(rigid_place, global const cab_params *params, global cab_collider *collider,
                 global float4 *rigid_turn, global const cab_collider *rigid_shape,
                 global const float4 *rigid_rotation, global const cab_rigid *rigid,
                 global const cab_rigid_member *rigid_member, global const float4 *position,
                 global const float4 *residual, global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    int still = argument == CAB_RIGID_ENDED || order[own.component] == CAB_ORDER_ASLEEP;
    global float4 *row = rigid_turn + CAB_RIGID_ROWS * own.body;
    float4 rotation = rigid_rotation[own.body];
    float4 turn = still ? cab_turn_none() : row[CAB_RIGID_TURN], all = cab_turn_times(turn, rotation);
    vec3 shift = still ? vec3_zero() : vec3_of(row[CAB_RIGID_SHIFT]);
    int first = rigid_member[own.member].particle;
    vec3 pivot = vec3_sub(vec3_add(vec3_of(position[first]), vec3_of(residual[first])),
                          cab_rigid_arm(rigid_member + own.member, rotation));
    row[CAB_RIGID_FOUND_TURN] = turn;
    row[CAB_RIGID_FOUND_SHIFT] = CAB_FLOAT4(shift.x, shift.y, shift.z, 0);
    for (int k = own.shape; k < own.shape + own.shape_count; k++) {
        cab_collider c = rigid_shape[k];
        vec3 arm = vec3_make(c.mx, c.my, c.mz), t = vec3_make(c.tx, c.ty, c.tz);
        arm = vec3_add(arm, cab_turn_moves(rotation, arm));
        vec3 moved = vec3_add(shift, cab_turn_moves(turn, arm)), at = vec3_add(vec3_add(pivot, arm), moved);
        if (c.shape != CAB_SHAPE_IS_BOX) t = vec3_add(t, cab_turn_moves(all, t));
        float4 axes = cab_turn_times(all, CAB_FLOAT4(c.qx, c.qy, c.qz, c.qw));
        c.cx = at.x, c.cy = at.y, c.cz = at.z;
        c.tx = t.x, c.ty = t.y, c.tz = t.z;
        c.qw = axes.w, c.qx = axes.x, c.qy = axes.y, c.qz = axes.z;
        c.moves = !still;
        c.mx = moved.x, c.my = moved.y, c.mz = moved.z;
        c.rw = turn.w, c.rx = turn.x, c.ry = turn.y, c.rz = turn.z;
        collider[params->collider_count - params->rigid_shape_count + k] = c;
    }
}

/* Moves bodies, and with them their members, by what direct_junction has found. Flags as in direct_condense. */
CAB_BLOCK_KERNEL(rigid_move, global float4 *offset, global float4 *junction_move, global float4 *rigid_turn,
                 global float4 *rigid_bearing, global int *rigid_other, global const float4 *rigid_rotation,
                 global const cab_rigid *rigid, global const cab_rigid_member *rigid_member,
                 global const float4 *residual, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    rigid_other[own.body] = 0;
    if (cab_newton_skips(argument, order[own.component], stiff[own.component], off[own.component])) return;
    vec3 further = cab_rigid_step(rigid + i, 0, junction_move),
         about = cab_rigid_step(rigid + i, 1, junction_move);
    float4 rotation = rigid_rotation[own.body], turn = rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN];
    vec3 shift = vec3_add(vec3_of(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT]), further);
    turn = cab_turn_times(cab_turn_by(about), turn);
    float4 now = CAB_FLOAT4(shift.x, shift.y, shift.z, 0);
    real moved = cab_rigid_moved(own, turn, now), per_h = cab_per_h(order[own.component]);
    cab_rigid_drive motor = cab_rigid_drive_of(own, rigid_bearing[own.body], 0, per_h);
    cab_rigid_drive friction = cab_rigid_drive_of(own, rigid_bearing[own.body], 1, per_h);
    now.w = cab_rigid_drive_force(&motor, moved) + cab_rigid_drive_force(&friction, moved);
    int other = cab_rigid_drive_take(&motor, moved);
    rigid_other[own.body] = cab_rigid_drive_take(&friction, moved) | other;
    rigid_bearing[own.body] = CAB_FLOAT4(motor.last * per_h, friction.last * per_h, motor.way, friction.way);
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN] = turn;
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT] = now;
    for (int k = own.member; k < own.member + own.member_count; k++) {
        int particle = rigid_member[k].particle, port = rigid_member[k].port;
        vec3 place = vec3_add(shift, cab_turn_moves(turn, cab_rigid_arm(rigid_member + k, rotation)));
        vec3 e = vec3_add(vec3_of(residual[particle]), place);
        vec3 way = vec3_sub(e, vec3_of(offset[particle]));
        offset[particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        if (port >= 0) junction_move[port] = CAB_FLOAT4(way.x, way.y, way.z, 0);
    }
}

/* A component takes another Newton pass where the bearing of a body gives way, or holds again. After direct_check. */
CAB_BLOCK_KERNEL(rigid_check, global int *off, global const int *rigid_other, global const cab_joined *joined,
                 global const cab_rigid *rigid, global const int *order)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    for (int k = own.rigid; k < own.rigid + own.rigid_count; k++)
        off[own.component] |= rigid_other[rigid[k].body];
}

/* The turn of the substep is added to the body's rotation. */
CAB_BLOCK_KERNEL(rigid_finish, global float4 *rigid_rotation, global const float4 *rigid_turn,
                 global const cab_rigid *rigid, global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    rigid_rotation[own.body] =
        cab_turn_times(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN], rigid_rotation[own.body]);
}
