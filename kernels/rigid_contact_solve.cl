/* rigid_contact_solve: contacts of rigid bodies in the Newton passes, with colliders and with each other; see rigid_contact.h. */
#include "rigid_block.h"
#include "rigid_contact.h"

/* How both sides of a contact have moved against each other since the substep's start. */
CAB_INLINE vec3 cab_rigid_contact_moved(global const cab_rigid_contact *c, int slot,
                                        global const cab_rigid *rigid, global const float4 *rigid_turn)
{
    global const float4 *own = rigid_turn + CAB_RIGID_ROWS * rigid[slot].body;
    vec3 moved =
        cab_rigid_place_moves(own[CAB_RIGID_TURN], own[CAB_RIGID_SHIFT], vec3_at(c->arm), vec3_at(c->round));
    if (c->slot < 0) return vec3_sub(moved, vec3_at(c->carried));
    global const float4 *other = rigid_turn + CAB_RIGID_ROWS * rigid[c->slot].body;
    return vec3_sub(moved, cab_rigid_place_moves(other[CAB_RIGID_TURN], other[CAB_RIGID_SHIFT],
                                                 vec3_at(c->other_arm), vec3_at(c->other_round)));
}

/* By how much the last pass has moved a place of a body, as its equations had it: along a straight line. */
CAB_INLINE vec3 cab_rigid_contact_step(global const cab_rigid *own, vec3 place,
                                       global const float4 *junction_move)
{
    vec3 shift = cab_rigid_step(own, 0, junction_move), turn = cab_rigid_step(own, 1, junction_move);
    return vec3_add(shift, vec3_cross(turn, place));
}

/* The force that the last pass has come to, as its equations had it. */
CAB_INLINE void cab_rigid_contact_give(global cab_rigid_contact *c, int slot, global const cab_rigid *rigid,
                                       global const float4 *junction_move)
{
    vec3 further = cab_rigid_contact_step(rigid + slot, vec3_at(c->place), junction_move);
    if (c->slot >= 0)
        further = vec3_sub(further,
                           cab_rigid_contact_step(rigid + c->slot, vec3_at(c->other_place), junction_move));
    vec3_put(c->given, vec3_sub(vec3_at(c->force), cab_sym3_times(cab_sym3_load(c->matrix), further)));
    c->applied = 0;
}

/* Where a contact acts, from both pivots: in the same place, so that what one body loses of turning momentum the other one gets. */
CAB_INLINE void cab_rigid_contact_place(global cab_rigid_contact *c, int slot, global const cab_rigid *rigid,
                                        global const float4 *rigid_turn)
{
    global const float4 *own = rigid_turn + CAB_RIGID_ROWS * rigid[slot].body;
    vec3 arm = vec3_at(c->arm), place = vec3_add(arm, cab_turn_moves(own[CAB_RIGID_TURN], arm));
    place = vec3_add(place, vec3_at(c->round));
    vec3_put(c->place, place);
    if (c->slot < 0) return;
    global const float4 *other = rigid_turn + CAB_RIGID_ROWS * rigid[c->slot].body;
    vec3 apart =
        vec3_sub(vec3_add(arm, vec3_at(c->round)), vec3_add(vec3_at(c->other_arm), vec3_at(c->other_round)));
    apart = vec3_sub_scaled(
        apart, c->gap, vec3_at(c->normal)); /* to the other's pivot from the body's, less how both moved */
    vec3 moved = vec3_sub(vec3_of(other[CAB_RIGID_SHIFT]), vec3_of(own[CAB_RIGID_SHIFT]));
    vec3_put(c->other_place, vec3_sub(place, vec3_add(apart, moved)));
}

/* What a contact does in the coming pass. Returns 1 where it is unsettled. flags: CAB_NEWTON_... */
CAB_INLINE int cab_rigid_contact_take(global cab_rigid_contact *c, vec3 moved, int flags, real least)
{
    int is_first = !(flags & CAB_NEWTON_GOES_ON);
    cab_pressed p = cab_rigid_pressed_of(c, is_first);
    cab_press_motion m;
    m.gap = c->gap + vec3_dot(p.n, moved);
    m.slip = m.way = cab_across(moved, p.n);
    m.push = c->before;
    if (is_first) m.way = cab_across(vec3_at(c->way), p.n);
    int unsettled =
        cab_rigid_contact_decide(&p, &m, vec3_dot(vec3_at(c->given), p.n), is_first, least, c->size);
    cab_sym3 block = cab_sym3_of(0);
    vec3 force = vec3_zero();
    if (cab_press_acts(&p, &m))
        block = cab_press_linearise(&p, &m, least, c->size, is_first || flags & CAB_NEWTON_DAMPED, &force);
    cab_sym3_store(c->matrix, block);
    vec3_put(c->force, force);
    c->lambda = p.lambda;
    c->state = p.state;
    vec3_put(c->way, p.way);
    return unsettled;
}

/* The contacts of a body before a pass. Flags: CAB_NEWTON_... */
CAB_BLOCK_KERNEL(rigid_contact_press, global const cab_params *params,
                 global cab_rigid_contact *rigid_contact, global const int *rigid_contact_count,
                 global int *rigid_bumped, global const float4 *rigid_turn,
                 global const float4 *junction_move, global const cab_rigid *rigid, global const int *order,
                 global const int *stiff)
{
    CAB_ITEM(i);
    int c = rigid[i].component, is_first = !(argument & CAB_NEWTON_GOES_ON), any = 0;
    if (order[c] == CAB_ORDER_ASLEEP || (argument & CAB_NEWTON_STIFF && stiff[c] == CAB_STIFF_SETTLED))
        return;
    for (int k = CAB_RIGID_CONTACTS * i; k < CAB_RIGID_CONTACTS * i + rigid_contact_count[i]; k++) {
        global cab_rigid_contact *own = rigid_contact + k;
        if (!is_first && !own->applied) continue;
        vec3 moved = cab_rigid_contact_moved(own, i, rigid, rigid_turn);
        if (own->applied) cab_rigid_contact_give(own, i, rigid, junction_move);
        any |= cab_rigid_contact_take(own, moved, argument, params->slip_least);
        cab_rigid_contact_place(own, i, rigid, rigid_turn);
    }
    rigid_bumped[i] = (rigid_contact_count[i] > 0 ? CAB_BUMPED_NEAR : 0) | (any ? CAB_BUMPED_UNSETTLED : 0);
}

/* What the bodies of a component have come to: `bumped`, CAB_BUMPED_..., and that it takes another pass, or that contact has moved
 * something. argument: CAB_RIGID_CONTACT_END */
CAB_BLOCK_KERNEL(rigid_contact_look, global int *bumped, global int *off, global int *touched,
                 global const int *rigid_bumped, global const cab_joined *joined)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int any = 0;
    if (own.rigid_count == 0) return;
    for (int k = own.rigid; k < own.rigid + own.rigid_count; k++) any |= rigid_bumped[k];
    bumped[own.component] = any;
    if (argument == CAB_RIGID_CONTACT_END)
        touched[own.component] |= (any & CAB_BUMPED_PRESSED) != 0;
    else
        off[own.component] |= (any & CAB_BUMPED_UNSETTLED) != 0;
}

/* One side of a contact: a body's displacement or its turn. */
typedef struct cab_rigid_unknown {
    int slot, turns;
    vec3 place; /* from the body's pivot */
} cab_rigid_unknown;

CAB_INLINE int cab_rigid_junction(global const cab_rigid *rigid, cab_rigid_unknown u)
{
    return u.turns ? rigid[u.slot].rotation : rigid[u.slot].translation;
}

/* From the left: T^T of one side, with what its bearing leaves. */
CAB_INLINE cab_rigid_block cab_rigid_unknown_side(cab_rigid_block b, cab_rigid_unknown u,
                                                  global const cab_rigid *rigid)
{
    if (u.turns) b = cab_rigid_arms(u.place, b);
    return cab_rigid_times(cab_rigid_leaves(rigid + u.slot, u.turns), b);
}

/* Adds sign T_r^T P T_c to the block of two unknowns. */
CAB_INLINE void cab_rigid_contact_add(const cab_rigid_equations *e, cab_sym3 p, real sign,
                                      cab_rigid_unknown row, cab_rigid_unknown column)
{
    int r = cab_rigid_junction(e->rigid, row), c = cab_rigid_junction(e->rigid, column);
    if (!cab_rigid_has(e, r, c)) return;
    cab_rigid_block b = {
        {vec3_make(p.xx, p.xy, p.xz), vec3_make(p.xy, p.yy, p.yz), vec3_make(p.xz, p.yz, p.zz)}};
    for (int k = 0; k < 3; k++) b.row[k] = vec3_scale(b.row[k], sign);
    b = cab_rigid_unknown_side(b, row, e->rigid);
    b = cab_rigid_turned(cab_rigid_unknown_side(cab_rigid_turned(b), column, e->rigid));
    cab_rigid_put_at(b, r, c, e);
}

/* What the contacts of bodies add to the equations of junctions. After rigid_assemble; flags as in direct_condense. */
CAB_BLOCK_KERNEL(rigid_contact_assemble, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global cab_rigid_contact *rigid_contact,
                 global const int *rigid_contact_count, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const cab_rigid *rigid, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    if (own.rigid_count == 0 ||
        cab_newton_skips(argument, order[own.component], stiff[own.component], off[own.component]))
        return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    cab_rigid_equations e = {junction_move, junction_diagonal, junction_block, junction, block, rigid};
    for (int s = own.rigid; s < own.rigid + own.rigid_count; s++) {
        for (int k = 0; k < rigid_contact_count[s]; k++) {
            global cab_rigid_contact *c = rigid_contact + CAB_RIGID_CONTACTS * s + k;
            cab_sym3 p = cab_sym3_load(c->matrix);
            vec3 force = vec3_at(c->force), place = vec3_at(c->place), other = vec3_at(c->other_place);
            cab_rigid_unknown side[4] = {
                {s, 0, place}, {s, 1, place}, {c->slot, 0, other}, {c->slot, 1, other}};
            int sides = c->slot < 0 ? 2 : 4;
            if (!is_stiff) force = vec3_sub(force, vec3_at(c->given));
            c->applied = 1;
            for (int m = 0; m < sides * sides; m++) {
                int row = m / sides, column = m % sides;
                cab_rigid_contact_add(&e, p, row / 2 == column / 2 ? 1 : -1, side[row], side[column]);
            }
            for (int m = 0; m < sides; m++) {
                vec3 push = side[m].turns ? vec3_cross(side[m].place, force) : force;
                push = cab_sym3_times(cab_rigid_leaves(rigid + side[m].slot, side[m].turns), push);
                cab_rigid_push(junction_move, cab_rigid_junction(rigid, side[m]),
                               vec3_scale(push, m < 2 ? 1 : -1));
            }
        }
    }
}

/* What contacts have come to, for the next substep. */
CAB_BLOCK_KERNEL(rigid_contact_end, global const cab_params *params, global cab_rigid_contact *rigid_contact,
                 global const int *rigid_contact_count, global int *rigid_bumped,
                 global cab_rigid_pressed *rigid_pressed, global const float4 *rigid_turn,
                 global const float4 *junction_move, global const cab_rigid *rigid, global const int *order)
{
    CAB_ITEM(i);
    int count = rigid_contact_count[i], any = count > 0 ? CAB_BUMPED_NEAR : 0;
    real per_h = params->inverse_h;
    if (order[rigid[i].component] == CAB_ORDER_ASLEEP) return;
    for (int k = 0; k < CAB_RIGID_CONTACTS; k++) {
        global cab_rigid_contact *c = rigid_contact + CAB_RIGID_CONTACTS * i + k;
        global cab_rigid_pressed *out = rigid_pressed + CAB_RIGID_CONTACTS * rigid[i].body + k;
        out->other = -1;
        if (k >= count) continue;
        vec3 moved = cab_rigid_contact_moved(c, i, rigid, rigid_turn), n = vec3_at(c->normal);
        if (c->applied) cab_rigid_contact_give(c, i, rigid, junction_move);
        c->lambda = real_max(0, vec3_dot(vec3_at(c->given), n));
        out->other = c->other;
        out->feature = c->feature;
        out->force = c->lambda * per_h * per_h;
        vec3_put(out->slip, vec3_scale(cab_across(moved, n), per_h));
        if (c->lambda > 0) any |= CAB_BUMPED_PRESSED;
    }
    rigid_bumped[i] = any;
}

/* The velocities of what moves along with bodies on which something has pressed, at the end of a substep whose velocity is its displacement
 * over h (direct_finish). Of what turns that is a chord, which is shorter than the way and lags behind by half of the turn; along it a
 * spinning body would lose the square of its turn in each substep. So it is along the tangent, and as long as the tangent of the angle, of
 * which the next substep's fit makes the angle again. After direct_finish. */
CAB_BLOCK_KERNEL(rigid_tangent, global const cab_params *params, global float4 *velocity,
                 global const float4 *rigid_turn, global const float4 *rigid_rotation,
                 global const cab_rigid *rigid, global const cab_rigid_member *rigid_member,
                 global const int *order, global const int *bumped)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    int c = own.component;
    if (order[c] == CAB_ORDER_ASLEEP || !(bumped[c] & CAB_BUMPED_PRESSED)) return;
    float4 turn = rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN];
    vec3 tangent = vec3_scale(vec3_of(turn), 1 / turn.w); /* of half the angle */
    vec3 shift = vec3_of(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT]);
    vec3 about = vec3_scale(tangent, 2 / (1 - real_min(vec3_dot(tangent, tangent), 0.5f)));
    for (int k = own.member; k < own.member + own.member_count; k++) {
        int p = rigid_member[k].particle;
        vec3 arm = cab_rigid_arm(rigid_member + k, rigid_rotation[own.body]);
        vec3 v = vec3_scale(vec3_add(shift, vec3_cross(about, arm)), params->inverse_h);
        velocity[p] = CAB_FLOAT4(v.x, v.y, v.z, velocity[p].w);
    }
}
