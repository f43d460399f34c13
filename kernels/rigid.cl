/* rigid: rigid bodies on which cables end. What is computed is in rigid.h. */
#include "motion.h"
#include "rigid.h"
#include "stiff.h"

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
 * have been bent, with masses that the body's share of was added to; or 0. */
CAB_BLOCK_KERNEL(rigid_fit, global float4 *offset, global float4 *rigid_turn, global float4 *rigid_begun,
                 global const float4 *rigid_rotation, global const cab_rigid *rigid,
                 global const cab_rigid_member *rigid_member, global const float4 *position,
                 global const float4 *residual, global const int *order)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    int first_order = order[own.component], last = own.member + own.member_count;
    if (first_order == CAB_ORDER_ASLEEP) return;
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    cab_sym3 p = cab_rigid_shifts(own.motion, axis), q = cab_rigid_turns(own.motion, axis);
    float4 rotation = rigid_rotation[own.body];
    float4 turn = argument == CAB_RIGID_BEGIN ? cab_turn_none()
                                              : rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN];
    float4 before = rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT];
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
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN] = turn;
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT] =
        CAB_FLOAT4(shift.x, shift.y, shift.z, argument == CAB_RIGID_BEGIN ? 0 : before.w);
    int first = rigid_member[own.member].particle;
    vec3 pivot = vec3_sub(vec3_add(vec3_of(position[first]), vec3_of(residual[first])),
                          cab_rigid_arm(rigid_member + own.member, rotation));
    rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_PIVOT] = CAB_FLOAT4(pivot.x, pivot.y, pivot.z, 0);
    for (int k = own.member; k < last; k++) {
        int particle = rigid_member[k].particle;
        vec3 moved = vec3_add(shift, cab_turn_moves(turn, cab_rigid_arm(rigid_member + k, rotation)));
        vec3 e = vec3_add(vec3_of(residual[particle]), moved);
        offset[particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        if (argument == CAB_RIGID_BEGIN) rigid_begun[k] = CAB_FLOAT4(e.x, e.y, e.z, 0);
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

/* s + v row^T */
CAB_INLINE cab_rigid_block cab_rigid_outer(cab_rigid_block b, real s, vec3 v, vec3 row)
{
    b.row[0] = vec3_add_scaled(b.row[0], s * v.x, row);
    b.row[1] = vec3_add_scaled(b.row[1], s * v.y, row);
    b.row[2] = vec3_add_scaled(b.row[2], s * v.z, row);
    return b;
}

CAB_INLINE cab_rigid_block cab_rigid_nothing(void)
{
    cab_rigid_block b = {{vec3_zero(), vec3_zero(), vec3_zero()}};
    return b;
}

/* ---- branches that touch bodies ---- */

/* The direction of a body's column, and whether it is that of a turn. */
CAB_INLINE vec3 cab_rigid_way(global const cab_rigid *own, int column, int *turns)
{
    int k = column % 3;
    *turns = own->motion == CAB_RIGID_HINGE || own->motion == CAB_RIGID_BALL || column > 2;
    if (own->motion == CAB_RIGID_HINGE || own->motion == CAB_RIGID_SLIDER) return vec3_at(own->axis);
    return vec3_make(k == 0, k == 1, k == 2);
}

/* A touch's arrays in rigid_column. */
typedef struct cab_rigid_arrays {
    global float *start, *end, *right, *square, *work;
} cab_rigid_arrays;

CAB_INLINE cab_rigid_arrays cab_rigid_arrays_of(cab_rigid_touch t, global float *column)
{
    global float *at = column + t.data;
    int n = t.columns;
    cab_rigid_arrays a = {at, at + 3 * n, at + 6 * n, at + 7 * n, at + (7 + n) * n};
    return a;
}

/* What the kernels of touches read. */
typedef struct cab_rigid_touching {
    cab_rigid_touch touch;
    global const int *touched; /* [2] a body's place in rigid, and its first column */
    global const cab_rigid *rigid;
    global const float *press;
    global const int *near_start, *near_count;
    int near;
} cab_rigid_touching;

/* Sum of w P v over the contacts of a segment with a body, where the body moves by u and turns by w about its pivot: what pulls at the
 * segment's end 0 or 1. */
CAB_INLINE vec3 cab_rigid_pulls(const cab_rigid_touching *v, int segment, int end, int body, vec3 shift,
                                vec3 turn)
{
    vec3 sum = vec3_zero();
    if (!v->near || segment < 0) return sum;
    int first = v->near_start[segment];
    for (int k = first; k < first + v->near_count[segment]; k++) {
        global const float *p = v->press + CAB_RIGID_PRESS * k;
        if (p[CAB_RIGID_PRESS_BODY] != body + 1) continue;
        real t = p[CAB_RIGID_PRESS_PLACE], weight = end ? t : 1 - t;
        vec3 moves = vec3_add(shift, vec3_cross(turn, vec3_at(p + CAB_RIGID_PRESS_ARM)));
        sum = vec3_add_scaled(sum, weight, cab_sym3_times(cab_sym3_load(p), moves));
    }
    return sum;
}

/* The same of a column, at a node between two segments. */
CAB_INLINE vec3 cab_rigid_column_pulls(const cab_rigid_touching *v, int before, int after, int slot,
                                       int column)
{
    int turns;
    global const cab_rigid *own = v->rigid + slot;
    vec3 way = cab_rigid_way(own, column, &turns), none = vec3_zero();
    vec3 shift = turns ? none : way, turn = turns ? way : none;
    return vec3_add(cab_rigid_pulls(v, before, 1, own->body, shift, turn),
                    cab_rigid_pulls(v, after, 0, own->body, shift, turn));
}

/* What the contacts of a segment add to the square of the columns of a body, and to their right sides. */
CAB_INLINE void cab_rigid_press_body(const cab_rigid_touching *v, int segment, int slot, int first,
                                     const cab_rigid_arrays *a)
{
    global const cab_rigid *own = v->rigid + slot;
    int n = cab_rigid_columns(own->motion), from = v->near && segment >= 0 ? v->near_start[segment] : 0;
    int to = v->near && segment >= 0 ? from + v->near_count[segment] : 0;
    for (int k = from; k < to; k++) {
        global const float *p = v->press + CAB_RIGID_PRESS * k;
        if (p[CAB_RIGID_PRESS_BODY] != own->body + 1) continue;
        vec3 arm = vec3_at(p + CAB_RIGID_PRESS_ARM);
        for (int c = 0; c < n; c++) {
            int turns;
            vec3 way = cab_rigid_way(own, c, &turns), moves = turns ? vec3_cross(way, arm) : way;
            vec3 pull = cab_sym3_times(cab_sym3_load(p), moves);
            a->right[first + c] -= vec3_dot(moves, vec3_at(p + CAB_RIGID_PRESS_FORCE));
            for (int d = 0; d < n; d++) {
                way = cab_rigid_way(own, d, &turns);
                moves = turns ? vec3_cross(way, arm) : way;
                a->square[(first + c) * v->touch.columns + first + d] += vec3_dot(moves, pull);
            }
        }
    }
}

/* Column c in the work memory of a node: its displacement at the node before; its right side; the error of the segment before, and the
 * change of its tension; its displacement. */
#define CAB_RIGID_Z 0
#define CAB_RIGID_RIGHT 3
#define CAB_RIGID_ERROR 6
#define CAB_RIGID_PULL 7
#define CAB_RIGID_NEXT 8

/* The right sides of all columns at node k, as they are once the nodes before are eliminated. */
CAB_INLINE void cab_rigid_carry(const cab_rigid_touching *v, global const cab_branch_node *branch_node,
                                cab_branch own, int k, global const cab_stiff_node *node,
                                const cab_rigid_arrays *a)
{
    int last = own.first + own.count - 1, inside = k > own.first;
    int before = inside ? branch_node[k - 1].segment : -1, after = k < last ? branch_node[k].segment : -1;
    for (int b = v->touch.first; b < v->touch.first + v->touch.count; b++) {
        int slot = v->touched[2 * b], first = v->touched[2 * b + 1],
            n = cab_rigid_columns(v->rigid[slot].motion);
        for (int c = 0; c < n; c++) {
            global float *w = a->work + CAB_RIGID_WORK * (first + c);
            vec3 right = cab_rigid_column_pulls(v, before, after, slot, c), z = vec3_at(w + CAB_RIGID_Z);
            if (inside) right = vec3_add(right, cab_sym3_times(cab_sym3_load(node[-1].coupling), z));
            vec3_put(w + CAB_RIGID_RIGHT, right);
            w[CAB_RIGID_ERROR] = inside ? 0 - vec3_dot(vec3_at(node[-1].u), z) : 0;
        }
        cab_rigid_press_body(v, after, slot, first, a);
    }
}

/* Columns at a branch's end that is a junction. w: how the segment before follows the start. */
CAB_INLINE void cab_rigid_end_columns(const cab_rigid_touching *v, global const cab_stiff_node *node, vec3 w,
                                      const cab_rigid_arrays *a)
{
    int n = v->touch.columns;
    for (int c = 0; c < n; c++) {
        global float *at = a->work + CAB_RIGID_WORK * c;
        real error = at[CAB_RIGID_ERROR];
        vec3_put(a->end + 3 * c, vec3_sub_scaled(vec3_at(at + CAB_RIGID_RIGHT), error, vec3_at(node->y)));
        vec3_put(a->start + 3 * c, vec3_add_scaled(vec3_at(a->start + 3 * c), error * node->pivot, w));
        a->right[c] -= error * node->pull;
        for (int d = 0; d < n; d++)
            a->square[c * n + d] += error * a->work[CAB_RIGID_WORK * d + CAB_RIGID_ERROR] * node->pivot;
    }
}

/* Eliminates an inner node from the columns. q, w: of the spike */
CAB_INLINE void cab_rigid_inner_columns(const cab_rigid_touching *v, global const cab_stiff_node *node,
                                        const cab_spike *q, vec3 w, const cab_rigid_arrays *a)
{
    int n = v->touch.columns;
    vec3 y = vec3_at(node->y);
    for (int c = 0; c < n; c++) {
        global float *at = a->work + CAB_RIGID_WORK * c;
        vec3 right = vec3_at(at + CAB_RIGID_RIGHT);
        real error = at[CAB_RIGID_ERROR], pull = error * node->pivot + vec3_dot(y, right);
        vec3 z = vec3_sub_scaled(cab_sym3_times(cab_sym3_load(node->inverse), right), error, y);
        at[CAB_RIGID_PULL] = pull;
        vec3_put(at + CAB_RIGID_NEXT, z);
        a->right[c] += vec3_dot(right, vec3_at(node->z)) - error * node->pull;
        vec3 start = vec3_add(vec3_at(a->start + 3 * c), cab_spike_turned(q, z));
        vec3_put(a->start + 3 * c, vec3_add_scaled(start, pull, w));
    }
    for (int c = 0; c < n; c++) {
        global float *at = a->work + CAB_RIGID_WORK * c;
        for (int d = 0; d < n; d++) {
            global const float *other = a->work + CAB_RIGID_WORK * d;
            a->square[c * n + d] -= vec3_dot(vec3_at(at + CAB_RIGID_RIGHT), vec3_at(other + CAB_RIGID_NEXT)) -
                                    at[CAB_RIGID_ERROR] * other[CAB_RIGID_PULL];
        }
    }
    for (int c = 0; c < n; c++) {
        global float *at = a->work + CAB_RIGID_WORK * c;
        vec3_put(at + CAB_RIGID_Z, vec3_at(at + CAB_RIGID_NEXT));
    }
}

/* Condenses a branch to the bodies that it touches, beside its ends: with b the pulls of their columns at its nodes and K the
 * branch's own equations, A = sum v P v - b K^-1 b and the right side -sum v f + b K^-1 (residual), by the elimination that
 * stiff_condense has left. After that; flags as in direct_condense. */
CAB_BLOCK_KERNEL(rigid_condense, global float *rigid_column, global const cab_rigid_touch *rigid_touch,
                 global const int *rigid_touched, global const cab_rigid *rigid,
                 global const float *rigid_press, global const int *near_start, global const int *near_count,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_stiff_node *stiff_node, global const int *stiff)
{
    CAB_ITEM(i);
    cab_rigid_touching v = {rigid_touch[i],
                            rigid_touched,
                            rigid,
                            rigid_press,
                            near_start,
                            near_count,
                            argument & CAB_NEWTON_NEAR};
    cab_branch own = branch[v.touch.branch];
    if (stiff[own.component] != CAB_STIFF_MOVES) return;
    cab_rigid_arrays a = cab_rigid_arrays_of(v.touch, rigid_column);
    int last = own.first + own.count - 1, started = own.start >= 0;
    for (int k = 0; k < cab_rigid_touch_floats(v.touch.columns); k++) a.start[k] = 0;
    cab_spike spike = {vec3_make(1, 0, 0), vec3_make(0, 1, 0), vec3_make(0, 0, 1)};
    for (int k = own.first; k <= last; k++) {
        global const cab_stiff_node *node = stiff_node + v.touch.branch + k;
        cab_rigid_carry(&v, branch_node, own, k, node, &a);
        if (k == own.first && started) {
            for (int c = 0; c < v.touch.columns; c++)
                vec3_put(a.start + 3 * c, vec3_at(a.work + CAB_RIGID_WORK * c + CAB_RIGID_RIGHT));
            continue;
        }
        vec3 w = vec3_zero();
        cab_spike q = {w, w, w};
        if (started) {
            q = cab_spike_times(cab_sym3_load(node[-1].coupling), &spike);
            w = cab_spike_turned(&spike, vec3_at(node[-1].u));
        }
        if (k == last && own.end >= 0) {
            cab_rigid_end_columns(&v, node, w, &a);
        } else {
            cab_rigid_inner_columns(&v, node, &q, w, &a);
            if (started)
                spike = cab_spike_add_outer(cab_spike_times(cab_sym3_load(node->inverse), &q),
                                            vec3_at(node->y), w);
        }
    }
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

/* Lets the nodes of branches follow the bodies that they touch. After direct_junction, before rigid_move and stiff_substitute. */
CAB_BLOCK_KERNEL(rigid_follow, global cab_stiff_node *stiff_node, global const cab_rigid_touch *rigid_touch,
                 global const int *rigid_touched, global const cab_rigid *rigid,
                 global const float *rigid_press, global const int *near_start, global const int *near_count,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const float4 *junction_move, global const int *stiff)
{
    CAB_ITEM(i);
    cab_rigid_touching v = {rigid_touch[i],
                            rigid_touched,
                            rigid,
                            rigid_press,
                            near_start,
                            near_count,
                            argument & CAB_NEWTON_NEAR};
    cab_branch own = branch[v.touch.branch];
    int last = own.first + own.count - 1;
    vec3 z = vec3_zero();
    if (stiff[own.component] != CAB_STIFF_MOVES || !v.near) return;
    for (int k = own.first; k <= last; k++) {
        global cab_stiff_node *node = stiff_node + v.touch.branch + k;
        int before = k > own.first ? branch_node[k - 1].segment : -1,
            after = k < last ? branch_node[k].segment : -1;
        vec3 right = vec3_zero();
        real error = 0;
        if (k == own.first && own.start >= 0) continue;
        for (int b = v.touch.first; b < v.touch.first + v.touch.count; b++) {
            cab_rigid body = rigid[rigid_touched[2 * b]];
            vec3 axis = vec3_make(body.axis[0], body.axis[1], body.axis[2]);
            vec3 shift =
                cab_sym3_times(cab_rigid_shifts(body.motion, axis), vec3_of(junction_move[body.translation]));
            vec3 turn =
                cab_sym3_times(cab_rigid_turns(body.motion, axis), vec3_of(junction_move[body.rotation]));
            right = vec3_add(right, cab_rigid_pulls(&v, before, 1, body.body, shift, turn));
            right = vec3_add(right, cab_rigid_pulls(&v, after, 0, body.body, shift, turn));
        }
        if (k > own.first) {
            right = vec3_add(right, cab_sym3_times(cab_sym3_load(node[-1].coupling), z));
            error = 0 - vec3_dot(vec3_at(node[-1].u), z);
        }
        if (k == last && own.end >= 0) {
            node->pull += error * node->pivot;
            return;
        }
        vec3 y = vec3_at(node->y);
        node->pull += error * node->pivot + vec3_dot(y, right);
        z = vec3_sub_scaled(cab_sym3_times(cab_sym3_load(node->inverse), right), error, y);
        vec3_put(node->z, vec3_add(vec3_at(node->z), z));
    }
}

/* ---- the equations ---- */

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
    return vec3_add(arm, cab_turn_moves(v->turn[CAB_RIGID_ROWS * body + CAB_RIGID_TURN], arm));
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
    float4 shift = v->turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT];
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
    int row = own.rotation + own.translation - column, at = junction[column].block;
    while (block[at].row != row) at++;
    return at;
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
    if (own.rigid_count == 0 || first_order == CAB_ORDER_ASLEEP ||
        cab_newton_skips(argument, stiff[own.component], off[own.component]))
        return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    cab_rigid_view v = {rigid, rigid_member, rigid_rotation, rigid_turn, 0};
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
        cab_sym3 leaves = cab_rigid_leaves(&v, t.row_body, row_turns);
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
    if (order[own.component] == CAB_ORDER_ASLEEP ||
        cab_newton_skips(argument, stiff[own.component], off[own.component]))
        return;
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    vec3 further =
        cab_sym3_times(cab_rigid_shifts(own.motion, axis), vec3_of(junction_move[own.translation]));
    vec3 about = cab_sym3_times(cab_rigid_turns(own.motion, axis), vec3_of(junction_move[own.rotation]));
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
