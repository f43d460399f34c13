/* rigid: rigid bodies on which cables end. What is computed is in rigid.h. */
#include "motion.h"
#include "rigid.h"

#define CAB_RIGID_PASSES                                                                                     \
    3 /* Newton passes of a fit; each leaves the square of the turn in a substep of what was off */

CAB_INLINE vec3 cab_rigid_arm(global const cab_rigid_member *member, float4 rotation)
{
    vec3 arm = vec3_at(member->arm);
    return vec3_add(arm, cab_turn_moves(rotation, arm));
}

CAB_INLINE real cab_rigid_mass(global const cab_rigid_member *member, int first_order)
{
    return first_order ? member->mass_first : member->mass;
}

/* Brings each body's members, which are where their own inertia, bending and contacts have taken them, to their places on the body,
 * and this to where it keeps their momentum. argument: CAB_RIGID_BEGIN, where the substep begins; CAB_RIGID_BENT, where the members
 * have been bent, with masses that the body's share of was added to; or 0. rigid_turn[2 body]: the turn in this substep, and the
 * displacement of the pivot; w: what its motor and its friction have given so far, times h^2. */
CAB_BLOCK_KERNEL(rigid_fit, global float4 *offset, global float4 *rigid_turn, global float4 *rigid_begun,
                 global const float4 *rigid_rotation, global const cab_rigid *rigid,
                 global const cab_rigid_member *rigid_member, global const float4 *residual,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    int first_order = order[own.component], last = own.member + own.member_count;
    if (first_order == CAB_ORDER_ASLEEP) return;
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    cab_sym3 p = cab_rigid_shifts(own.motion, axis), q = cab_rigid_turns(own.motion, axis);
    float4 rotation = rigid_rotation[own.body];
    float4 turn = argument == CAB_RIGID_BEGIN ? cab_turn_none() : rigid_turn[2 * own.body];
    float4 before = rigid_turn[2 * own.body + 1];
    vec3 shift = argument == CAB_RIGID_BEGIN ? vec3_zero() : vec3_of(before);
    for (int pass = 0; pass < CAB_RIGID_PASSES; pass++) {
        cab_rigid_sum sum = cab_rigid_sum_none();
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
        vec3 further, about;
        cab_rigid_solve(&sum, p, q, &further, &about);
        shift = vec3_add(shift, further);
        turn = cab_turn_times(cab_turn_by(about), turn);
    }
    rigid_turn[2 * own.body] = turn;
    rigid_turn[2 * own.body + 1] =
        CAB_FLOAT4(shift.x, shift.y, shift.z, argument == CAB_RIGID_BEGIN ? 0 : before.w);
    for (int k = own.member; k < last; k++) {
        int particle = rigid_member[k].particle;
        vec3 moved = vec3_add(shift, cab_turn_moves(turn, cab_rigid_arm(rigid_member + k, rotation)));
        vec3 e = vec3_add(vec3_of(residual[particle]), moved);
        offset[particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        if (argument == CAB_RIGID_BEGIN) rigid_begun[k] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* Three rows of a block. */
typedef struct cab_rigid_block {
    vec3 row[3];
} cab_rigid_block;

CAB_INLINE cab_rigid_block cab_rigid_turned(cab_rigid_block b)
{
    cab_rigid_block t = {{vec3_make(b.row[0].x, b.row[1].x, b.row[2].x),
                          vec3_make(b.row[0].y, b.row[1].y, b.row[2].y),
                          vec3_make(b.row[0].z, b.row[1].z, b.row[2].z)}};
    return t;
}

/* K of two ends of a branch, 1: its end. */
CAB_INLINE cab_rigid_block cab_rigid_of(global const cab_condensed *c, int row_end, int column_end)
{
    vec3 start = vec3_make(c->start_x, c->start_y, c->start_z), end = vec3_make(c->end_x, c->end_y, c->end_z);
    real k = row_end == column_end ? (row_end ? c->end_end : c->start_start) : -c->start_end;
    vec3 row = vec3_scale(row_end ? end : start, k), column = column_end ? end : start;
    cab_rigid_block b = {{vec3_scale(column, row.x), vec3_scale(column, row.y), vec3_scale(column, row.z)}};
    return b;
}

CAB_INLINE cab_rigid_block cab_rigid_stiff_of(global const cab_stiff_condensed *c, int row_end,
                                              int column_end)
{
    cab_rigid_block cross = {{cab_row_of(c->cross, 0), cab_row_of(c->cross, 1), cab_row_of(c->cross, 2)}};
    if (row_end != column_end) return row_end ? cross : cab_rigid_turned(cross);
    cab_sym3 m = cab_sym3_load(row_end ? c->end : c->start);
    cab_rigid_block b = {
        {vec3_make(m.xx, m.xy, m.xz), vec3_make(m.xy, m.yy, m.yz), vec3_make(m.xz, m.yz, m.zz)}};
    return b;
}

/* A K: each column is multiplied from the left by a symmetric matrix, or by the arm, [r]x. */
CAB_INLINE cab_rigid_block cab_rigid_times(cab_sym3 a, cab_rigid_block b)
{
    cab_rigid_block t = cab_rigid_turned(b);
    for (int k = 0; k < 3; k++) t.row[k] = cab_sym3_times(a, t.row[k]);
    return cab_rigid_turned(t);
}

CAB_INLINE cab_rigid_block cab_rigid_arms(vec3 r, cab_rigid_block b)
{
    cab_rigid_block t = cab_rigid_turned(b);
    for (int k = 0; k < 3; k++) t.row[k] = vec3_cross(r, t.row[k]);
    return cab_rigid_turned(t);
}

/* What the kernels below read of a body's state. */
typedef struct cab_rigid_view {
    global const cab_rigid *rigid;
    global const cab_rigid_member *member;
    global const float4 *rotation, *turn, *bearing;
} cab_rigid_view;

/* R a of a member. */
CAB_INLINE vec3 cab_rigid_arm_now(const cab_rigid_view *v, int member, int slot)
{
    int body = v->rigid[slot].body;
    vec3 arm = cab_rigid_arm(v->member + member, v->rotation[body]);
    return vec3_add(arm, cab_turn_moves(v->turn[2 * body], arm));
}

/* P or Q of a body. */
CAB_INLINE cab_sym3 cab_rigid_leaves(const cab_rigid_view *v, int slot, int turns)
{
    global const cab_rigid *own = v->rigid + slot;
    vec3 axis = vec3_at(own->axis);
    return turns ? cab_rigid_turns(own->motion, axis) : cab_rigid_shifts(own->motion, axis);
}

/* One side of T_r^T K T_c: of the row; the column's is the same of the block turned. */
CAB_INLINE cab_rigid_block cab_rigid_side(const cab_rigid_view *v, cab_rigid_block b, int member, int slot,
                                          int turns)
{
    if (slot < 0) return b;
    if (turns) b = cab_rigid_arms(cab_rigid_arm_now(v, member, slot), b);
    return cab_rigid_times(cab_rigid_leaves(v, slot, turns), b);
}

CAB_INLINE void cab_rigid_put(cab_rigid_block b, int target, global float *diagonal, global float *block)
{
    global float *to = target < 0 ? diagonal + 6 * (-1 - target) : block + 9 * target;
    if (target < 0) {
        cab_sym3 m = {b.row[0].x, b.row[1].y, b.row[2].z, b.row[0].y, b.row[0].z, b.row[1].z};
        cab_sym3_store(to, cab_sym3_add(cab_sym3_load(to), m));
        return;
    }
    for (int k = 0; k < 3; k++) vec3_put(to + 3 * k, vec3_add(cab_row_of(to, k), b.row[k]));
}

/* Adds to the right side of a junction. */
CAB_INLINE void cab_rigid_push(global float4 *move, int junction, vec3 push)
{
    vec3 sum = vec3_add(vec3_of(move[junction]), push);
    move[junction] = CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
}

/* A body's motor (0) or friction (1). bearing: what each of both gave last, times h^2, and its way. */
CAB_INLINE cab_rigid_drive cab_rigid_drive_of(cab_rigid own, float4 bearing, int which, real per_h)
{
    real most = which ? own.friction : own.most, last = which ? bearing.y : bearing.x;
    cab_rigid_drive d = {which ? 0 : own.speed, most / per_h, most > 0 ? own.stiffness : 0, last / per_h,
                         which ? bearing.w : bearing.z};
    return d;
}

/* How far a bearing has moved in this substep, m or rad. */
CAB_INLINE real cab_rigid_moved(cab_rigid own, float4 turn, float4 shift)
{
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    return own.motion == CAB_RIGID_HINGE ? 2 * vec3_dot(vec3_of(turn), axis) : vec3_dot(vec3_of(shift), axis);
}

/* The inertia of a body, and where it pulls while its members are off: of what is stiff, whose passes count from there. */
CAB_INLINE void cab_rigid_take_inertia(const cab_rigid_view *v, int slot, int first_order, int is_stiff,
                                       global const float4 *inertia, global const float4 *offset,
                                       global float4 *move, global float *diagonal, global float *block,
                                       int coupling)
{
    cab_rigid own = v->rigid[slot];
    cab_sym3 p = cab_rigid_leaves(v, slot, 0), q = cab_rigid_leaves(v, slot, 1);
    cab_rigid_sum sum = cab_rigid_sum_none();
    for (int k = own.member; k < own.member + own.member_count; k++) {
        int particle = v->member[k].particle;
        vec3 off = vec3_zero();
        if (is_stiff) off = vec3_sub(vec3_of(inertia[particle]), vec3_of(offset[particle]));
        cab_rigid_add(&sum, cab_rigid_mass(v->member + k, first_order), cab_rigid_arm_now(v, k, slot), off);
    }
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    float4 shift = v->turn[2 * own.body + 1];
    real moved = cab_rigid_moved(own, v->turn[2 * own.body], shift), stiffness = 0,
         force = is_stiff ? 0 : -shift.w;
    for (int k = 0; k < 2; k++) {
        cab_rigid_drive d = cab_rigid_drive_of(own, v->bearing[own.body], k, cab_per_h(first_order));
        force = force + cab_rigid_drive_force(&d, moved);
        stiffness = stiffness + (d.way == 0 ? d.stiffness : 0);
    }
    cab_sym3 mass = cab_rigid_leave(p, cab_sym3_of(sum.mass), sum.mass);
    cab_sym3 about = cab_rigid_leave(q, sum.second, sum.second.xx + sum.second.yy + sum.second.zz);
    vec3 push = cab_sym3_times(p, sum.push), turn = cab_sym3_times(q, sum.turn);
    if (own.motion == CAB_RIGID_HINGE) {
        about = cab_sym3_add_outer(about, stiffness, axis);
        turn = vec3_add_scaled(turn, force, axis);
    } else if (own.motion == CAB_RIGID_SLIDER) {
        mass = cab_sym3_add_outer(mass, stiffness, axis);
        push = vec3_add_scaled(push, force, axis);
    }
    cab_sym3_store(diagonal + 6 * own.translation,
                   cab_sym3_add(mass, cab_sym3_load(diagonal + 6 * own.translation)));
    cab_sym3_store(diagonal + 6 * own.rotation,
                   cab_sym3_add(about, cab_sym3_load(diagonal + 6 * own.rotation)));
    cab_rigid_push(move, own.translation, push);
    cab_rigid_push(move, own.rotation, turn);
    /* the rotation's rows: [m r]x */
    vec3 f = sum.first;
    cab_rigid_block between = {{vec3_make(0, -f.z, f.y), vec3_make(f.z, 0, -f.x), vec3_make(-f.y, f.x, 0)}};
    between = cab_rigid_times(q, between);
    between = cab_rigid_times(p, cab_rigid_turned(between)); /* rows of the translation */
    if (own.rotation > own.translation) between = cab_rigid_turned(between);
    cab_rigid_put(between, coupling, diagonal, block);
}

/* The block of a body's own two junctions. */
CAB_INLINE int cab_rigid_coupling(cab_rigid own, global const cab_junction *junction,
                                  global const cab_block *block)
{
    int column = own.rotation > own.translation ? own.translation : own.rotation;
    int row = own.rotation + own.translation - column, at = junction[column].block;
    while (block[at].row != row) at++;
    return at;
}

/* What the last tension of a branch's end, which pulls along the arm, makes a body stiffer against turning, as mass: T/r. */
CAB_INLINE real cab_rigid_hangs(cab_branch own, int end, vec3 arm, real per_h,
                                global const cab_branch_node *branch_node,
                                global const float *distance_lambda)
{
    int last = own.first + own.count - 1;
    real pull = 0 - distance_lambda[branch_node[end ? last - 1 : own.first].distance] / per_h;
    real length = vec3_length(arm);
    return length > 0 ? real_max(pull, real_of(0)) / length : 0;
}

/* The inertia of rigid bodies and their bearings, in the equations of junctions. After direct_assemble; flags as in direct_condense. */
CAB_BLOCK_KERNEL(rigid_weigh, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const cab_rigid *rigid, global const cab_rigid_member *rigid_member,
                 global const float4 *rigid_rotation, global const float4 *rigid_turn,
                 global const float4 *rigid_bearing, global const float4 *inertia,
                 global const float4 *offset, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int first_order = order[own.component];
    if (own.rigid_count == 0 || first_order == CAB_ORDER_ASLEEP ||
        cab_newton_skips(argument, stiff[own.component], off[own.component]))
        return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    cab_rigid_view v = {rigid, rigid_member, rigid_rotation, rigid_turn, rigid_bearing};
    for (int k = own.rigid; k < own.rigid + own.rigid_count; k++)
        cab_rigid_take_inertia(&v, k, first_order, is_stiff, inertia, offset, junction_move,
                               junction_diagonal, junction_block,
                               cab_rigid_coupling(rigid[k], junction, block));
}

/* What the branches that end on rigid bodies add. After rigid_weigh; flags as in direct_condense. */
CAB_BLOCK_KERNEL(rigid_assemble, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global const cab_joined *joined, global const cab_rigid *rigid,
                 global const cab_rigid_member *rigid_member, global const cab_rigid_term *rigid_term,
                 global const float4 *rigid_rotation, global const float4 *rigid_turn,
                 global const cab_condensed *condensed, global const cab_stiff_condensed *stiff_condensed,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const float *distance_lambda, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int first_order = order[own.component];
    if (own.rigid_count == 0 || first_order == CAB_ORDER_ASLEEP ||
        cab_newton_skips(argument, stiff[own.component], off[own.component]))
        return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    cab_rigid_view v = {rigid, rigid_member, rigid_rotation, rigid_turn, 0};
    cab_rigid first = rigid[own.rigid];
    for (int k = first.term; k < first.term + first.term_count; k++) {
        cab_rigid_term t = rigid_term[k];
        int b = t.branch >> 2, row_end = (t.branch >> 1) & 1, column_end = t.branch & 1;
        int row_turns = t.turns & CAB_RIGID_ROW_TURNS, column_turns = t.turns & CAB_RIGID_COLUMN_TURNS;
        cab_rigid_block m = is_stiff ? cab_rigid_stiff_of(stiff_condensed + b, row_end, column_end)
                                     : cab_rigid_of(condensed + b, row_end, column_end);
        m = cab_rigid_side(&v, m, t.row, t.row_body, row_turns);
        m = cab_rigid_turned(cab_rigid_side(&v, cab_rigid_turned(m), t.column, t.column_body, column_turns));
        cab_rigid_put(m, t.target, junction_diagonal, junction_block);
        if (t.row != t.column || t.target >= 0 || row_end != column_end) continue;
        /* the end of a branch with itself: its pull, once for the displacement, once for the turn */
        vec3 pull;
        if (is_stiff)
            pull = vec3_at(row_end ? stiff_condensed[b].end_right : stiff_condensed[b].start_right);
        else if (row_end)
            pull = vec3_scale(vec3_make(condensed[b].end_x, condensed[b].end_y, condensed[b].end_z),
                              condensed[b].end_pull);
        else
            pull = vec3_scale(vec3_make(condensed[b].start_x, condensed[b].start_y, condensed[b].start_z),
                              -condensed[b].start_pull);
        vec3 arm = cab_rigid_arm_now(&v, t.row, t.row_body);
        if (row_turns && is_stiff) {
            real hangs = cab_rigid_hangs(branch[b], row_end, arm, cab_per_h(first_order), branch_node,
                                         distance_lambda);
            cab_sym3 about = cab_sym3_between(cab_rigid_leaves(&v, t.row_body, 1),
                                              cab_rigid_about(cab_sym3_of(0), hangs, arm));
            global float *to = junction_diagonal + 6 * (-1 - t.target);
            cab_sym3_store(to, cab_sym3_add(cab_sym3_load(to), about));
        }
        if (row_turns) pull = vec3_cross(arm, pull);
        cab_rigid_push(junction_move, -1 - t.target,
                       cab_sym3_times(cab_rigid_leaves(&v, t.row_body, row_turns), pull));
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
    if (order[own.component] == CAB_ORDER_ASLEEP ||
        cab_newton_skips(argument, stiff[own.component], off[own.component]))
        return;
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    vec3 further =
        cab_sym3_times(cab_rigid_shifts(own.motion, axis), vec3_of(junction_move[own.translation]));
    vec3 about = cab_sym3_times(cab_rigid_turns(own.motion, axis), vec3_of(junction_move[own.rotation]));
    float4 rotation = rigid_rotation[own.body], turn = rigid_turn[2 * own.body];
    vec3 shift = vec3_add(vec3_of(rigid_turn[2 * own.body + 1]), further);
    turn = cab_turn_times(cab_turn_by(about), turn);
    float4 now = CAB_FLOAT4(shift.x, shift.y, shift.z, 0);
    real moved = cab_rigid_moved(own, turn, now), per_h = cab_per_h(order[own.component]);
    cab_rigid_drive motor = cab_rigid_drive_of(own, rigid_bearing[own.body], 0, per_h);
    cab_rigid_drive friction = cab_rigid_drive_of(own, rigid_bearing[own.body], 1, per_h);
    now.w = cab_rigid_drive_force(&motor, moved) + cab_rigid_drive_force(&friction, moved);
    int other = cab_rigid_drive_take(&motor, moved);
    rigid_other[own.body] = cab_rigid_drive_take(&friction, moved) | other;
    rigid_bearing[own.body] = CAB_FLOAT4(motor.last * per_h, friction.last * per_h, motor.way, friction.way);
    rigid_turn[2 * own.body] = turn;
    rigid_turn[2 * own.body + 1] = now;
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
                 global const cab_rigid *rigid)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
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
    rigid_rotation[own.body] = cab_turn_times(rigid_turn[2 * own.body], rigid_rotation[own.body]);
}
