/* rigid_assemble: the equations of rigid bodies among those of junctions: inertia, bearings, the branches that end on them and those that
 * touch them. What is computed is in rigid.h. */
#include "motion.h"
#include "rigid_block.h"
#include "rigid_touch.h"

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

/* K of two sides of a branch, of which one at least is a body that it touches; see cab_rigid_term. */
CAB_INLINE cab_rigid_block cab_rigid_touch_of(global const cab_rigid_touch *touch, global const int *touched,
                                              global const cab_rigid *rigid, global float *column, int row,
                                              int side)
{
    cab_rigid_block b = cab_rigid_nothing();
    cab_rigid_touch own = *touch;
    cab_rigid_arrays a = cab_rigid_arrays_of(own, column);
    int r = row < 2 ? -1 : own.first + (row - 2) / 2, s = side < 2 ? -1 : own.first + (side - 2) / 2;
    int rows = r < 0 ? 1 : cab_rigid_columns(rigid[touched[2 * r]].motion);
    int columns = s < 0 ? 1 : cab_rigid_columns(rigid[touched[2 * s]].motion);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            int row_turns = 0, side_turns = 0, c = r < 0 ? 0 : touched[2 * r + 1] + i;
            int d = s < 0 ? 0 : touched[2 * s + 1] + j;
            vec3 row_way = r < 0 ? vec3_at((row ? a.end : a.start) + 3 * d)
                                 : cab_rigid_way(rigid + touched[2 * r], i, &row_turns);
            vec3 side_way = s < 0 ? vec3_at((side ? a.end : a.start) + 3 * c)
                                  : cab_rigid_way(rigid + touched[2 * s], j, &side_turns);
            if ((r >= 0 && row_turns != (row & 1)) || (s >= 0 && side_turns != (side & 1))) continue;
            b = cab_rigid_outer(b, r < 0 || s < 0 ? -1 : a.square[c * own.columns + d], row_way, side_way);
        }
    }
    return b;
}

/* The right side of a body's junction from a branch that it touches. */
CAB_INLINE vec3 cab_rigid_touch_right(global const cab_rigid_touch *touch, global const int *touched,
                                      global const cab_rigid *rigid, global float *column, int side)
{
    cab_rigid_touch own = *touch;
    cab_rigid_arrays a = cab_rigid_arrays_of(own, column);
    int b = own.first + (side - 2) / 2, turns;
    vec3 sum = vec3_zero();
    for (int k = 0; k < cab_rigid_columns(rigid[touched[2 * b]].motion); k++) {
        vec3 way = cab_rigid_way(rigid + touched[2 * b], k, &turns);
        if (turns == (side & 1)) sum = vec3_add_scaled(sum, a.right[touched[2 * b + 1] + k], way);
    }
    return sum;
}

/* What the kernels below read of a body's state. */
typedef struct cab_rigid_view {
    global const cab_rigid *rigid;
    global const cab_rigid_member *member;
    global const float4 *rotation, *turn, *bearing, *residual;
    global const cab_rigid_hand *hand;
} cab_rigid_view;

/* R a of a member. */
CAB_INLINE vec3 cab_rigid_arm_now(const cab_rigid_view *v, int member, int slot)
{
    int body = v->rigid[slot].body;
    vec3 arm = cab_rigid_arm(v->member + member, v->rotation[body]);
    return vec3_add(arm, cab_turn_moves(v->turn[CAB_RIGID_ROWS * body + CAB_RIGID_TURN], arm));
}

/* One side of T_r^T K T_c: of the row; the column's is the same of the block turned. */
CAB_INLINE cab_rigid_block cab_rigid_side(const cab_rigid_view *v, cab_rigid_block b, int member, int slot,
                                          int turns)
{
    if (slot < 0) return b;
    if (turns) b = cab_rigid_arms(cab_rigid_arm_now(v, member, slot), b);
    return cab_rigid_times(cab_rigid_leaves(v->rigid + slot, turns), b);
}

/* The inertia of a body, and where it pulls while its members are off: of what is stiff, whose passes count from there. */
CAB_INLINE void cab_rigid_take_inertia(const cab_rigid_view *v, int slot, int first_order, int is_stiff,
                                       global const float4 *inertia, global const float4 *offset,
                                       global float4 *move, global float *diagonal, global float *block,
                                       int coupling)
{
    cab_rigid own = v->rigid[slot];
    cab_sym3 p = cab_rigid_leaves(v->rigid + slot, 0), q = cab_rigid_leaves(v->rigid + slot, 1);
    cab_rigid_sum sum = cab_rigid_sum_none();
    for (int k = own.member; k < own.member + own.member_count; k++) {
        int particle = v->member[k].particle;
        vec3 off = vec3_zero();
        if (is_stiff) off = vec3_sub(vec3_of(inertia[particle]), vec3_of(offset[particle]));
        cab_rigid_add(&sum, cab_rigid_mass(v->member + k, first_order), cab_rigid_arm_now(v, k, slot), off);
    }
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    float4 shift = v->turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT];
    if (v->hand->slot == slot) {
        float4 turned = v->turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN];
        vec3 arm, at = cab_rigid_hand_moved(v->hand, v->rotation[own.body], turned, vec3_of(shift), &arm);
        if (is_stiff) at = cab_rigid_hand_of(v->hand, inertia, v->residual);
        cab_rigid_add_hand(&sum, v->hand, first_order, v->rotation[own.body], turned, vec3_of(shift), at);
    }
    real moved = cab_rigid_moved(own, v->turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN], shift),
         stiffness = 0, force = is_stiff ? 0 : -shift.w;
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
    return cab_rigid_block_of(own.rotation + own.translation - column, column, junction, block);
}

/* What a branch pulls at its end with. */
CAB_INLINE vec3 cab_rigid_pull(global const cab_condensed *c, int end)
{
    vec3 way = end ? vec3_make(c->end_x, c->end_y, c->end_z) : vec3_make(c->start_x, c->start_y, c->start_z);
    return vec3_scale(way, end ? c->end_pull : -c->start_pull);
}

CAB_INLINE vec3 cab_rigid_stiff_pull(global const cab_stiff_condensed *c, int end)
{
    return vec3_at(end ? c->end_right : c->start_right);
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
                 global const float4 *rigid_bearing, global const cab_rigid_hand *rigid_hand,
                 global const float4 *inertia, global const float4 *residual, global const float4 *offset,
                 global const int *order, global const int *off, global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int first_order = order[own.component];
    if (own.rigid_count == 0 ||
        cab_newton_skips(argument, first_order, stiff[own.component], off[own.component]))
        return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    cab_rigid_view v = {rigid, rigid_member, rigid_rotation, rigid_turn, rigid_bearing, residual, rigid_hand};
    for (int k = own.rigid; k < own.rigid + own.rigid_count; k++)
        cab_rigid_take_inertia(&v, k, first_order, is_stiff, inertia, offset, junction_move,
                               junction_diagonal, junction_block,
                               cab_rigid_coupling(rigid[k], junction, block));
}

/* What the branches that end on rigid bodies add. After rigid_weigh; flags as in direct_condense. */
CAB_BLOCK_KERNEL(rigid_assemble, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global float *rigid_column,
                 global const cab_rigid_touch *rigid_touch, global const int *rigid_touched,
                 global const cab_joined *joined, global const cab_rigid *rigid,
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
    if (own.rigid_count == 0 ||
        cab_newton_skips(argument, first_order, stiff[own.component], off[own.component]))
        return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    cab_rigid_view v = {rigid, rigid_member, rigid_rotation, rigid_turn, 0, 0, 0};
    cab_rigid first = rigid[own.rigid];
    for (int k = first.term; k < first.term + first.term_count; k++) {
        cab_rigid_term t = rigid_term[k];
        int b = t.branch, row = t.sides / CAB_RIGID_SIDES, column = t.sides % CAB_RIGID_SIDES;
        int row_turns = t.turns & CAB_RIGID_ROW_TURNS, column_turns = t.turns & CAB_RIGID_COLUMN_TURNS;
        int touches = row > 1 || column > 1;
        if (touches && !is_stiff) continue;
        cab_rigid_block m =
            touches    ? cab_rigid_touch_of(rigid_touch + b, rigid_touched, rigid, rigid_column, row, column)
            : is_stiff ? cab_rigid_stiff_of(stiff_condensed + b, row, column)
                       : cab_rigid_of(condensed + b, row, column);
        m = cab_rigid_side(&v, m, t.row, t.row_body, row_turns);
        m = cab_rigid_turned(cab_rigid_side(&v, cab_rigid_turned(m), t.column, t.column_body, column_turns));
        cab_rigid_put(m, t.target, junction_diagonal, junction_block);
        if (t.target >= 0 || row != column) continue;
        if (touches) {
            cab_rigid_push(junction_move, -1 - t.target,
                           cab_rigid_touch_right(rigid_touch + b, rigid_touched, rigid, rigid_column, row));
            continue;
        }
        /* the end of a branch with itself: its pull, once for the displacement, once for the turn */
        vec3 arm = cab_rigid_arm_now(&v, t.row, t.row_body);
        vec3 pull =
            is_stiff ? cab_rigid_stiff_pull(stiff_condensed + b, row) : cab_rigid_pull(condensed + b, row);
        cab_sym3 leaves = cab_rigid_leaves(rigid + t.row_body, row_turns);
        if (row_turns && is_stiff) {
            real hangs =
                cab_rigid_hangs(branch[b], row, arm, cab_per_h(first_order), branch_node, distance_lambda);
            cab_sym3 about = cab_sym3_between(leaves, cab_rigid_about(cab_sym3_of(0), hangs, arm));
            global float *to = junction_diagonal + 6 * (-1 - t.target);
            cab_sym3_store(to, cab_sym3_add(cab_sym3_load(to), about));
        }
        if (row_turns) pull = vec3_cross(arm, pull);
        cab_rigid_push(junction_move, -1 - t.target, cab_sym3_times(leaves, pull));
    }
}
