/* rigid_touch: branches that touch rigid bodies. A contact with a body is a spring and a damper between the cable and a place of the body
 * (press.h): with P its matrix, f its force on the cable, and v the way that the place goes where the body moves by a unit, its column,
 * it adds P to the cable's equations, -P v between both, and v P v to the body's. The branch is condensed to its ends and to all
 * bodies that it touches, by the elimination that stiff_condense has left; after direct_junction its nodes follow the bodies. */
#include "rigid_touch.h"
#include "stiff.h"

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

/* The same at a node, of the segments before and after it. */
CAB_INLINE vec3 cab_rigid_node_pulls(const cab_rigid_touching *v, int before, int after, int body, vec3 shift,
                                     vec3 turn)
{
    return vec3_add(cab_rigid_pulls(v, before, 1, body, shift, turn),
                    cab_rigid_pulls(v, after, 0, body, shift, turn));
}

/* The same of a column. */
CAB_INLINE vec3 cab_rigid_column_pulls(const cab_rigid_touching *v, int before, int after, int slot,
                                       int column)
{
    int turns;
    global const cab_rigid *own = v->rigid + slot;
    vec3 way = cab_rigid_way(own, column, &turns), none = vec3_zero();
    vec3 shift = turns ? none : way, turn = turns ? way : none;
    return cab_rigid_node_pulls(v, before, after, own->body, shift, turn);
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
            global const cab_rigid *body = rigid + rigid_touched[2 * b];
            vec3 shift = cab_rigid_step(body, 0, junction_move),
                 turn = cab_rigid_step(body, 1, junction_move);
            right = vec3_add(right, cab_rigid_node_pulls(&v, before, after, body->body, shift, turn));
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
