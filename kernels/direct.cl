/* direct: the direct method stage by stage, for cables that are joined or touch. A branch is a piece of cable
 * between its ends or junctions, worked through by one work-item. What several branches share is solved in
 * between: the bending of the particles at and next to junctions (separators of the matrix), and the moves of
 * junctions that the tensions ask for.
 *
 * Equations: direct.h. A branch condenses to its two ends: with the elimination of T = J M^-1 J^T +
 * compliance from the end to the start and u = U^-1 e_m, its first and last multipliers are lambda_0 =
 * y_0/d_0 + a/d_0 + b u_0/d_0        a = n_0 . move of the start lambda_m = sum u y/d + a u_0/d_0 + b sum u
 * u/d        b = -n_m . move of the end
 */
#include "loads.h"

/* What of h_s the substep of a particle has: h_s/h, and 1/(1 + damping h_s). `rate`: damping times h */
typedef struct cab_span {
    real step, slow;
} cab_span;

CAB_INLINE cab_span cab_span_of(int first_order, real rate)
{
    cab_span s;
    s.step = first_order ? 1 : 2.0f / 3;
    s.slow = 1 / (1 + rate * s.step);
    return s;
}

/* x from 0 to 1 as a multiple of 2^-23: where some of these add up to 1 they do so exactly, so that steps
 * last. */
CAB_INLINE real cab_even(real x)
{
    return (x + 1) - 1;
}

/* x~ in offsets. order[component]: 1 = this substep is of first order */
CAB_KERNEL(direct_predict, global const cab_params *params, global float4 *offset, global float4 *step,
           global const float4 *position, global const float4 *residual, global const float4 *velocity,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    int n = params->particle_count, first_order = order[component[i]];
    if (first_order == CAB_ORDER_ASLEEP) return;
    float4 r = residual[i], v = velocity[i];
    if (position[i].w > 0) {
        cab_span s = cab_span_of(first_order, v.w);
        real h = params->h * s.step, fall = h * h * s.slow;
        float4 d = step[i], d1 = step[i + n], d2 = step[i + 2 * n];
        real c1 = cab_even(7.0f / 9 * s.slow), c2 = cab_even(s.slow / 9);
        real c = (1 + 2 * s.slow) / 3 + c1 - c2;
        if (first_order) {
            d = CAB_FLOAT4(params->h * v.x, params->h * v.y, params->h * v.z, 0);
            step[i] = d;
            c = s.slow;
            c1 = c2 = 0;
        }
        r.x = r.x + c * d.x - c1 * d1.x + c2 * d2.x + fall * params->gx;
        r.y = r.y + c * d.y - c1 * d1.y + c2 * d2.y + fall * params->gy;
        r.z = r.z + c * d.z - c1 * d1.z + c2 * d2.z + fall * params->gz;
    }
    offset[i] = r;
}

/* A loaded particle's forces and couples, as in the kernel load. argument: 0 into the prediction; 1 into the
 * right side of the bending, which comes to the same, but a couple does not kink the places that bending
 * starts from. */
CAB_KERNEL(direct_load, global const cab_params *params, global float4 *offset, global float4 *bend,
           global const float4 *velocity, global const float4 *position, global const int *load_start,
           global const cab_load_force *load, global const int *component, global const int *order)
{
    CAB_ITEM(i);
    int p = load[load_start[i]].particle;
    if (order[component[p]] == CAB_ORDER_ASLEEP) return;
    cab_span s = cab_span_of(order[component[p]], velocity[p].w);
    real h = params->h * s.step, scale = h * h * s.slow * position[p].w;
    vec3 force = cab_load_sum(i, p, position, load_start, load);
    if (argument) {
        vec3 right = vec3_add_scaled(vec3_of(bend[p]), h * h, force);
        bend[p] = CAB_FLOAT4(right.x, right.y, right.z, 0);
        return;
    }
    vec3 e = vec3_add_scaled(vec3_of(offset[p]), scale, force);
    offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Air drag at the velocity of the last substep, as in the kernel drag. */
CAB_KERNEL(direct_drag, global const cab_params *params, global float4 *offset, global const float4 *velocity,
           global const float4 *position, global const int *incident_start, global const int *incident,
           global const cab_segment *segment, global const cab_segment_drag *drag,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    if (order[component[i]] == CAB_ORDER_ASLEEP) return;
    vec3 v = vec3_of(velocity[i]);
    cab_span s = cab_span_of(order[component[i]], velocity[i].w);
    real h = params->h * s.step;
    vec3 slower =
        cab_drag_slows(i, v, h * position[i].w, params, position, incident_start, incident, segment, drag);
    vec3 e = vec3_add_scaled(vec3_of(offset[i]), h * s.slow, vec3_sub(slower, v));
    if (position[i].w > 0) offset[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Multipliers of the bendings at the predicted places, h_s^2 EI/cell (target - D), counted in h_s^2;
 * argument: 1 = in h^2 */
CAB_KERNEL(direct_bend, global float4 *bending_lambda, global const float4 *position,
           global const float4 *offset, global const cab_bending_constraint *bending,
           global const float4 *bending_target, global const int *component, global const int *order)
{
    CAB_ITEM(i);
    cab_bending_constraint c = bending[i];
    if (order[component[c.b]] == CAB_ORDER_ASLEEP) return;
    int a = c.a < 0 ? c.b : c.a, e = c.c < 0 ? c.b : c.c;
    vec3 p = vec3_of(position[c.b]), o = vec3_of(offset[c.b]);
    vec3 d = vec3_scale(cab_between(p, o, vec3_of(position[a]), vec3_of(offset[a])), c.ga);
    d = vec3_add_scaled(d, c.gc, cab_between(p, o, vec3_of(position[e]), vec3_of(offset[e])));
    vec3 target = c.target < 0 ? vec3_make(0, 0, 0) : vec3_of(bending_target[c.target]);
    if (c.rest > 0) target = cab_curved_target(d, target, c.rest);
    real scale = argument || order[component[c.b]] ? 1 : 4.0f / 9;
    vec3 lambda = vec3_scale(vec3_sub(target, d), c.compliance > 0 ? scale / c.compliance : 0);
    bending_lambda[i] = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
}

/* The right side -K x~ of each particle. bend_item: 4 bending + (0: its a, 1: b, 2: c) */
CAB_KERNEL(direct_gather, global float4 *bend, global const float4 *bending_lambda,
           global const cab_bending_constraint *bending, global const int *bend_start,
           global const int *bend_item)
{
    CAB_ITEM(i);
    vec3 sum = vec3_make(0, 0, 0);
    for (int k = bend_start[i]; k < bend_start[i + 1]; k++) {
        int b = bend_item[k] >> 2, place = bend_item[k] & 3;
        real ga = bending[b].ga, gc = bending[b].gc;
        sum = vec3_add_scaled(sum,
                              place == 0   ? ga
                              : place == 1 ? -(ga + gc)
                                           : gc,
                              vec3_of(bending_lambda[b]));
    }
    bend[i] = CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
}

CAB_INLINE void cab_take_bend(global float4 *bend, int particle, real factor, vec3 z)
{
    vec3 r = vec3_add_scaled(vec3_of(bend[particle]), -factor, z);
    bend[particle] = CAB_FLOAT4(r.x, r.y, r.z, 0);
}

/* Forward substitution inside a branch. What it takes from the separators at its ends goes to branch_bend[4
 * branch + 0 ... 3]. */
CAB_BLOCK_KERNEL(direct_forward, global const cab_params *params, global float4 *bend,
                 global float4 *branch_bend, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    int shift = order[own.component] ? params->node_count : 0;
    vec3 right = vec3_make(0, 0, 0), right_next = right, start = right, start_next = right;
    for (int k = own.run; k < own.run + own.run_count; k++) {
        int p = branch_node[k].particle;
        cab_branch_factor f = branch_factor[k + shift];
        vec3 z = vec3_add(vec3_of(bend[p]), right);
        right = vec3_add_scaled(right_next, -f.band, z);
        right_next = vec3_scale(z, -f.band_next);
        start = vec3_add_scaled(start, -f.spike, z);
        start_next = vec3_add_scaled(start_next, -f.spike_next, z);
        bend[p] = CAB_FLOAT4(z.x, z.y, z.z, 0);
    }
    branch_bend[4 * i] = CAB_FLOAT4(start.x, start.y, start.z, 0);
    branch_bend[4 * i + 1] = CAB_FLOAT4(start_next.x, start_next.y, start_next.z, 0);
    branch_bend[4 * i + 2] = CAB_FLOAT4(right.x, right.y, right.z, 0);
    branch_bend[4 * i + 3] = CAB_FLOAT4(right_next.x, right_next.y, right_next.z, 0);
}

/* The separators of some joined cables: what its branches have left for them, forward and back. */
CAB_BLOCK_KERNEL(direct_separate, global float4 *bend, global float4 *offset,
                 global const float4 *branch_bend, global const cab_joined *joined,
                 global const cab_separator *separator, global const int *separator_row,
                 global const float *separator_factor, global const int *separator_item,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int first_order = order[own.component], last = own.separator + own.separator_count;
    if (first_order == CAB_ORDER_ASLEEP) return;
    for (int k = own.separator; k < last; k++) {
        cab_separator s = separator[k];
        vec3 z = vec3_of(bend[s.particle]);
        for (int j = s.item; j < separator[k + 1].item; j++)
            z = vec3_add(z, vec3_of(branch_bend[separator_item[j]]));
        bend[s.particle] = CAB_FLOAT4(z.x, z.y, z.z, 0);
    }
    for (int k = own.separator; k < last; k++) {
        cab_separator s = separator[k];
        vec3 z = vec3_of(bend[s.particle]);
        for (int j = s.row; j < separator[k + 1].row; j++)
            cab_take_bend(bend, separator[separator_row[j]].particle, separator_factor[2 * j + first_order],
                          z);
    }
    for (int k = last - 1; k >= own.separator; k--) {
        cab_separator s = separator[k];
        vec3 z = vec3_scale(vec3_of(bend[s.particle]), first_order ? s.pivot_first : s.pivot);
        for (int j = s.row; j < separator[k + 1].row; j++)
            z = vec3_add_scaled(z, -separator_factor[2 * j + first_order],
                                vec3_of(bend[separator[separator_row[j]].particle]));
        bend[s.particle] = CAB_FLOAT4(z.x, z.y, z.z, 0);
        vec3 e = vec3_add(vec3_of(offset[s.particle]), z);
        offset[s.particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* What the bending moves inside a branch. */
CAB_BLOCK_KERNEL(direct_back, global const cab_params *params, global float4 *offset, global float4 *bend,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_branch_factor *branch_factor, global const int *order)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    int shift = order[own.component] ? params->node_count : 0;
    vec3 none = vec3_make(0, 0, 0), next = none, after = none, start = none, start_next = none;
    if (own.separator[0] >= 0) start = vec3_of(bend[own.separator[0]]);
    if (own.separator[1] >= 0) start_next = vec3_of(bend[own.separator[1]]);
    if (own.separator[2] >= 0) next = vec3_of(bend[own.separator[2]]);
    if (own.separator[3] >= 0) after = vec3_of(bend[own.separator[3]]);
    for (int k = own.run + own.run_count - 1; k >= own.run; k--) {
        int p = branch_node[k].particle;
        cab_branch_factor f = branch_factor[k + shift];
        vec3 d = vec3_scale(vec3_of(bend[p]), f.pivot);
        d = vec3_add_scaled(d, -f.band, next);
        d = vec3_add_scaled(d, -f.band_next, after);
        d = vec3_add_scaled(d, -f.spike, start);
        d = vec3_add_scaled(d, -f.spike_next, start_next);
        after = next;
        next = d;
        vec3 e = vec3_add(vec3_of(offset[p]), d);
        offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* Where the particles are before contact, so that what contact moves can be seen. */
CAB_KERNEL(direct_note, global float4 *bend, global const float4 *offset)
{
    CAB_ITEM(i);
    bend[i] = offset[i];
}

/* touched[component] becomes 1 when contact has moved a particle of it since direct_note. What it moves in a
 * substep of second order changes the velocity by 3/2 of itself over h, in one of first order by itself over
 * h: of the former two thirds are taken, so that two cables that touch take up the same momentum. */
CAB_BLOCK_KERNEL(direct_touch, global int *touched, global float4 *offset, global const float4 *bend,
                 global const int *component_start, global const int *component_particle,
                 global const int *order)
{
    CAB_ITEM(i);
    int any = touched[i], first_order = order[i];
    if (first_order == CAB_ORDER_ASLEEP) return;
    for (int k = component_start[i]; k < component_start[i + 1] && !(any && first_order); k++) {
        int p = component_particle[k];
        vec3 was = vec3_of(bend[p]), way = vec3_sub(vec3_of(offset[p]), was);
        if (way.x == 0 && way.y == 0 && way.z == 0) continue;
        any = 1;
        if (first_order) continue;
        vec3 e = vec3_add_scaled(was, 2.0f / 3, way);
        offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
    touched[i] = any;
}

/* What counts as heavier for the lengths does so for contact, too: where these contradict each other neither
 * may throw a light particle to and fro. What direct_note has noted is where contact found it. */
CAB_BLOCK_KERNEL(direct_yield, global float4 *offset, global const float4 *bend,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const float *slow, global const float4 *branch_slow, global const int *order)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (branch_slow[i].z == 0 || order[own.component] == CAB_ORDER_ASLEEP) return;
    int first = own.first + (own.start >= 0), end = own.first + own.count - (own.end >= 0);
    for (int k = first; k < end; k++) {
        int p = branch_node[k].particle;
        vec3 was = vec3_of(bend[p]), way = vec3_sub(vec3_of(offset[p]), was);
        vec3 e = vec3_add_scaled(was, slow[k], way);
        if (slow[k] < 1) offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* Eliminates the lengths of a branch from its end to its start, and condenses them to these two.
 * branch_state[2 node]: segment and 1/length; [2 node + 1]: right side over pivot, band, spike over pivot,
 * multiplier. argument: CAB_PASS_... */
CAB_BLOCK_KERNEL(direct_condense, global const cab_params *params, global float4 *branch_state,
                 global cab_condensed *condensed, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const float4 *position, global const float4 *offset, global const int *order,
                 global const int *off, global const float *slow)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int first_order = order[own.component], shift = first_order ? params->node_count : 0;
    if (first_order == CAB_ORDER_ASLEEP || (argument & CAB_PASS_WHERE_OFF && !off[own.component])) return;
    int last = own.first + own.count - 1, p_next = branch_node[last].particle;
    vec3 x_next = vec3_of(position[p_next]), e_next = vec3_of(offset[p_next]), n_next = vec3_make(0, 0, 0);
    real w_next = branch_factor[last + shift].weight * slow[last], inverse_pivot = 0, right = 0,
         spike = own.end >= 0 ? -1 : 0;
    real per_h = first_order ? 1 : 2.25f, corner = 0, pulled = 0;
    cab_condensed c;
    for (int k = last - 1; k >= own.first; k--) {
        cab_branch_node node = branch_node[k];
        real w = branch_factor[k + shift].weight * slow[k], compliance = node.compliance * per_h;
        vec3 x = vec3_of(position[node.particle]), e = vec3_of(offset[node.particle]);
        vec3 r = cab_between(x, e, x_next, e_next);
        real length = vec3_length(r), inverse = 1 / real_max(length, 1e-20f);
        vec3 n = vec3_scale(r, inverse);
        real before = argument & CAB_PASS_GOES_ON ? branch_state[2 * k + 1].w : 0;
        real off_diagonal = -w_next * vec3_dot(n, n_next), band = off_diagonal * inverse_pivot;
        right = node.rest - length - compliance * before - band * right;
        spike = k == last - 1 ? -spike : -band * spike;
        real pivot = w + w_next + compliance + node.ease - off_diagonal * band;
        inverse_pivot = pivot > 0 ? 1 / pivot : 0;
        corner = corner + spike * spike * inverse_pivot;
        pulled = pulled + spike * right * inverse_pivot;
        branch_state[2 * k] = CAB_FLOAT4(r.x, r.y, r.z, inverse);
        branch_state[2 * k + 1] = CAB_FLOAT4(right * inverse_pivot, band, spike * inverse_pivot, before);
        if (k == last - 1) {
            c.end_x = n.x;
            c.end_y = n.y;
            c.end_z = n.z;
        }
        x_next = x;
        e_next = e;
        n_next = n;
        w_next = w;
    }
    c.start_x = n_next.x;
    c.start_y = n_next.y;
    c.start_z = n_next.z;
    c.start_start = inverse_pivot;
    c.start_end = spike * inverse_pivot;
    c.end_end = corner;
    c.start_pull = right * inverse_pivot;
    c.end_pull = pulled;
    c.unused = 0;
    condensed[i] = c;
}

/* How slow the particles of a branch must be in the next substep; off: its lengths are not met. */
CAB_INLINE void cab_slow_branch(int i, cab_branch own, int shift, int off, global float *slow,
                                global float4 *branch_slow, global const float4 *branch_state,
                                global const cab_branch_factor *branch_factor)
{
    int last = own.first + own.count - 1;
    real before = 0, start = 0;
    if (!off && branch_slow[i].z == 0) return;
    for (int k = own.first; k <= last; k++) {
        real lambda = k < last && off ? branch_state[2 * k + 1].w : 0;
        real pull = (lambda < 0 ? -lambda : 0) * branch_state[2 * k].w; /* pushed, it may buckle */
        slow[k] = 1 / real_max(1, branch_factor[k + shift].weight * (before + pull));
        if (k == own.first) start = pull;
        if (k < last) before = pull;
    }
    branch_slow[i] = CAB_FLOAT4(start, before, off ? 1.0f : 0.0f, 0);
}

/* Back into the branches: multipliers and places. off_branch: some length is still off. */
CAB_BLOCK_KERNEL(direct_substitute, global const cab_params *params, global float4 *branch_state,
                 global float4 *offset, global float *distance_lambda, global int *off_branch,
                 global float *slow, global float4 *branch_slow, global const cab_condensed *condensed,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_branch_factor *branch_factor, global const float4 *junction_move,
                 global const int *order, global const int *off)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int first_order = order[own.component], shift = first_order ? params->node_count : 0,
        last = own.first + own.count - 1;
    if (first_order == CAB_ORDER_ASLEEP) return;
    if (argument & CAB_PASS_WHERE_OFF && !off[own.component]) {
        if (argument & CAB_PASS_LAST)
            cab_slow_branch(i, own, shift, 0, slow, branch_slow, branch_state, branch_factor);
        return;
    }
    real per_h = first_order ? 1 : 2.25f, a = 0, b = 0, lambda = 0, band = 0, wanted = 0;
    int any = 0;
    vec3 none = vec3_make(0, 0, 0), pull = none, moved_last = none, move_end = none, r = none;
    if (own.start >= 0) {
        vec3 n = vec3_make(condensed[i].start_x, condensed[i].start_y, condensed[i].start_z);
        moved_last = vec3_of(junction_move[own.start]);
        a = vec3_dot(n, moved_last) * condensed[i].start_start;
    }
    if (own.end >= 0) {
        vec3 n = vec3_make(condensed[i].end_x, condensed[i].end_y, condensed[i].end_z);
        move_end = vec3_of(junction_move[own.end]);
        b = -vec3_dot(n, move_end);
    }
    for (int k = own.first; k <= last; k++) {
        vec3 push = pull, next = none, moved;
        real length = 0;
        if (k < last) {
            float4 s = branch_state[2 * k], t = branch_state[2 * k + 1];
            lambda = t.x + t.z * b - band * lambda + (k == own.first ? a : 0);
            band = t.y;
            next = vec3_of(s);
            pull = vec3_scale(next, lambda * s.w);
            push = vec3_sub(push, pull);
            t.w = t.w + lambda;
            branch_state[2 * k + 1] = t;
            distance_lambda[branch_node[k].distance] = t.w * per_h;
            length = branch_node[k].rest - branch_node[k].compliance * per_h * t.w;
        }
        moved = vec3_scale(push, branch_factor[k + shift].weight * slow[k]);
        if (k == own.first && own.start >= 0) moved = moved_last;
        if (k == last && own.end >= 0) moved = move_end;
        if (k > own.first) {
            vec3 now = vec3_add(r, vec3_sub(moved, moved_last));
            real square = wanted * wanted, error = vec3_dot(now, now) - square;
            any = any | (error > 2 * CAB_LENGTH_ERROR * square) | (error < -2 * CAB_LENGTH_ERROR * square);
        }
        if (branch_factor[k + shift].weight > 0) {
            int p = branch_node[k].particle;
            vec3 e = vec3_add(vec3_of(offset[p]), moved);
            offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        }
        r = next;
        wanted = length;
        moved_last = moved;
    }
    off_branch[i] = any;
    if (argument & CAB_PASS_LAST)
        cab_slow_branch(i, own, shift, any, slow, branch_slow, branch_state, branch_factor);
}

/* off[component]: does a branch of it still have lengths that are off? */
CAB_BLOCK_KERNEL(direct_check, global int *off, global const int *off_branch,
                 global const int *component_branch_start, global const int *component_branch)
{
    CAB_ITEM(i);
    int any = 0;
    for (int k = component_branch_start[i]; k < component_branch_start[i + 1]; k++)
        any = any | off_branch[component_branch[k]];
    off[i] = any;
}

/* A symmetric 3 x 3 matrix, and a full one. */
typedef struct cab_sym3 {
    real xx, yy, zz, xy, xz, yz;
} cab_sym3;

CAB_INLINE cab_sym3 cab_sym3_add_outer(cab_sym3 m, real s, vec3 n)
{
    m.xx = m.xx + s * n.x * n.x;
    m.yy = m.yy + s * n.y * n.y;
    m.zz = m.zz + s * n.z * n.z;
    m.xy = m.xy + s * n.x * n.y;
    m.xz = m.xz + s * n.x * n.z;
    m.yz = m.yz + s * n.y * n.z;
    return m;
}

CAB_INLINE vec3 cab_sym3_times(cab_sym3 m, vec3 v)
{
    return vec3_make(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                     m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

/* Of a positive definite one, by L D L^T, which is good for very unequal stiffness. */
CAB_INLINE vec3 cab_sym3_solve(cab_sym3 m, vec3 b)
{
    real l1 = m.xy / m.xx, l2 = m.xz / m.xx, d1 = m.yy - l1 * m.xy, t = m.yz - l1 * m.xz;
    real l3 = t / d1, d2 = m.zz - l2 * m.xz - l3 * t;
    real y1 = b.y - l1 * b.x, y2 = b.z - l2 * b.x - l3 * y1;
    real z = y2 / d2, y = y1 / d1 - l3 * z;
    return vec3_make(b.x / m.xx - l1 * y - l2 * z, y, z);
}

CAB_INLINE cab_sym3 cab_sym3_load(global const float *from)
{
    cab_sym3 m;
    m.xx = from[0];
    m.yy = from[1];
    m.zz = from[2];
    m.xy = from[3];
    m.xz = from[4];
    m.yz = from[5];
    return m;
}

CAB_INLINE void cab_sym3_store(global float *to, cab_sym3 m)
{
    to[0] = m.xx;
    to[1] = m.yy;
    to[2] = m.zz;
    to[3] = m.xy;
    to[4] = m.xz;
    to[5] = m.yz;
}

CAB_INLINE vec3 cab_row_of(global const float *block, int row)
{
    return vec3_make(block[3 * row], block[3 * row + 1], block[3 * row + 2]);
}

/* block v, and block^T v */
CAB_INLINE vec3 cab_block_times(global const float *block, vec3 v)
{
    return vec3_make(vec3_dot(cab_row_of(block, 0), v), vec3_dot(cab_row_of(block, 1), v),
                     vec3_dot(cab_row_of(block, 2), v));
}

CAB_INLINE vec3 cab_block_turned_times(global const float *block, vec3 v)
{
    vec3 sum = vec3_scale(cab_row_of(block, 0), v.x);
    sum = vec3_add_scaled(sum, v.y, cab_row_of(block, 1));
    return vec3_add_scaled(sum, v.z, cab_row_of(block, 2));
}

CAB_INLINE vec3 cab_end_direction(const cab_condensed *c, int end)
{
    return end ? vec3_make(c->end_x, c->end_y, c->end_z) : vec3_make(c->start_x, c->start_y, c->start_z);
}

/* Diagonal block and right side of a junction from the branches that end there. */
CAB_INLINE void cab_junction_gather(cab_junction own, int end, real mass, global const int *junction_item,
                                    global const cab_condensed *condensed, global const float4 *branch_slow,
                                    global float *diagonal, global float4 *move)
{
    real pull = 0;
    for (int j = own.item; j < end; j++) {
        int turn = junction_item[j] & 3;
        float4 s = branch_slow[junction_item[j] >> 2];
        pull = pull + (turn != 1 ? s.x : 0) + (turn != 0 ? s.y : 0);
    }
    mass = real_max(mass, pull); /* as the particles inside the branches, see cab_slow_branch */
    cab_sym3 m = {mass, mass, mass, 0, 0, 0};
    vec3 b = vec3_make(0, 0, 0);
    for (int j = own.item; j < end; j++) {
        int turn = junction_item[j] & 3; /* 0: the branch's start, 1: its end, 2: both */
        cab_condensed c = condensed[junction_item[j] >> 2];
        vec3 n = cab_end_direction(&c, turn == 1);
        m = cab_sym3_add_outer(m, turn == 1 ? c.end_end : c.start_start, n);
        b = vec3_add_scaled(b, turn == 1 ? c.end_pull : -c.start_pull, n);
        if (turn == 2) { /* a branch that comes back: -g (n_0 n_m^T + n_m n_0^T) */
            vec3 e = cab_end_direction(&c, 1), sum = vec3_add(n, e);
            m = cab_sym3_add_outer(m, c.end_end, e);
            m = cab_sym3_add_outer(m, -c.start_end, sum);
            m = cab_sym3_add_outer(m, c.start_end, n);
            m = cab_sym3_add_outer(m, c.start_end, e);
            b = vec3_add_scaled(b, c.end_pull, e);
        }
    }
    cab_sym3_store(diagonal, m);
    *move = CAB_FLOAT4(b.x, b.y, b.z, 0);
}

/* Block of two junctions from the branches between them: -g n_row n_column^T. */
CAB_INLINE void cab_block_gather(int item, int end, global const int *block_item,
                                 global const cab_condensed *condensed, global float *block)
{
    for (int k = 0; k < 9; k++) block[k] = 0;
    for (int j = item; j < end; j++) {
        cab_condensed c = condensed[block_item[j] >> 1];
        int row_end = block_item[j] & 1; /* 1: the row's junction is the branch's end */
        vec3 row = cab_end_direction(&c, row_end), column = cab_end_direction(&c, !row_end);
        row = vec3_scale(row, -c.start_end);
        block[0] += row.x * column.x;
        block[1] += row.x * column.y;
        block[2] += row.x * column.z;
        block[3] += row.y * column.x;
        block[4] += row.y * column.y;
        block[5] += row.y * column.z;
        block[6] += row.z * column.x;
        block[7] += row.z * column.y;
        block[8] += row.z * column.z;
    }
}

/* target -= B_1 D^-1 B_2^T; on the diagonal B_1 = B_2 */
CAB_INLINE void cab_block_update(cab_sym3 d, global const float *b1, global const float *b2,
                                 global float *target, int diagonal)
{
    for (int row = 0; row < 3; row++) {
        vec3 t = cab_sym3_solve(d, cab_row_of(b1, row));
        vec3 out = cab_block_times(b2, t);
        if (!diagonal) {
            target[3 * row] -= out.x;
            target[3 * row + 1] -= out.y;
            target[3 * row + 2] -= out.z;
        } else if (row == 0) {
            target[0] -= out.x;
            target[3] -= out.y;
            target[4] -= out.z;
        } else if (row == 1) {
            target[1] -= out.y;
            target[5] -= out.z;
        } else {
            target[2] -= out.z;
        }
    }
}

/* The junctions of some joined cables: moves that balance the pulls of their branches, by a block L D L^T in
 * an order that keeps trees free of fill. argument as in direct_condense */
CAB_BLOCK_KERNEL(direct_junction, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global float4 *offset, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const cab_block_term *block_term, global const int *junction_item,
                 global const int *block_item, global const cab_condensed *condensed,
                 global const float4 *branch_slow, global const int *order, global const int *off)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int last = own.junction + own.junction_count, first_order = order[own.component];
    if (first_order == CAB_ORDER_ASLEEP || (argument & CAB_PASS_WHERE_OFF && !off[own.component])) return;
    for (int k = own.junction; k < last; k++) {
        cab_junction_gather(junction[k], junction[k + 1].item,
                            first_order ? junction[k].mass_first : junction[k].mass, junction_item, condensed,
                            branch_slow, junction_diagonal + 6 * k, junction_move + k);
        for (int j = junction[k].block; j < junction[k + 1].block; j++)
            cab_block_gather(block[j].item, block[j + 1].item, block_item, condensed, junction_block + 9 * j);
    }
    for (int k = own.junction; k < last; k++) {
        cab_sym3 d = cab_sym3_load(junction_diagonal + 6 * k);
        vec3 b = cab_sym3_solve(d, vec3_of(junction_move[k]));
        for (int j = junction[k].block; j < junction[k + 1].block; j++) {
            int row = block[j].row;
            vec3 r = vec3_sub(vec3_of(junction_move[row]), cab_block_times(junction_block + 9 * j, b));
            junction_move[row] = CAB_FLOAT4(r.x, r.y, r.z, 0);
        }
        for (int j = junction[k].update; j < junction[k + 1].update; j++) {
            cab_block_term u = block_term[j];
            global float *target =
                u.target < 0 ? junction_diagonal + 6 * (-1 - u.target) : junction_block + 9 * u.target;
            cab_block_update(d, junction_block + 9 * u.row, junction_block + 9 * u.column, target,
                             u.target < 0);
        }
    }
    for (int k = last - 1; k >= own.junction; k--) {
        vec3 b = vec3_of(junction_move[k]);
        for (int j = junction[k].block; j < junction[k + 1].block; j++)
            b = vec3_sub(
                b, cab_block_turned_times(junction_block + 9 * j, vec3_of(junction_move[block[j].row])));
        b = cab_sym3_solve(cab_sym3_load(junction_diagonal + 6 * k), b);
        junction_move[k] = CAB_FLOAT4(b.x, b.y, b.z, 0);
        vec3 e = vec3_add(vec3_of(offset[junction[k].particle]), b);
        offset[junction[k].particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* Steps, velocity and position of the substep. */
CAB_KERNEL(direct_finish, global const cab_params *params, global float4 *position, global float4 *residual,
           global float4 *velocity, global float4 *step, global const float4 *offset,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    int n = params->particle_count;
    if (order[component[i]] == CAB_ORDER_ASLEEP) return;
    float4 p = position[i], r = residual[i], e = offset[i], last = step[i], before = step[i + n],
           v = velocity[i];
    float4 way = CAB_FLOAT4(e.x - r.x, e.y - r.y, e.z - r.z, 0);
    if (order[component[i]]) { /* as in cab_sweep_finish */
        step[i + 2 * n] =
            CAB_FLOAT4(3 * way.x - 2 * last.x, 3 * way.y - 2 * last.y, 3 * way.z - 2 * last.z, 0);
        before = way;
    } else {
        step[i + 2 * n] = before;
        before = last;
    }
    step[i] = way;
    step[i + n] = before;
    real s = params->inverse_h, rx, ry, rz;
    velocity[i] = CAB_FLOAT4((1.5f * way.x - 0.5f * before.x) * s, (1.5f * way.y - 0.5f * before.y) * s,
                             (1.5f * way.z - 0.5f * before.z) * s, v.w);
    p.x = cab_two_sum(p.x, e.x, &rx);
    p.y = cab_two_sum(p.y, e.y, &ry);
    p.z = cab_two_sum(p.z, e.z, &rz);
    position[i] = p;
    residual[i] = CAB_FLOAT4(rx, ry, rz, 0);
}

/* The next substep is of first order where contact has just moved something. */
CAB_KERNEL(direct_order, global int *order, global int *touched)
{
    CAB_ITEM(i);
    if (order[i] != CAB_ORDER_ASLEEP) order[i] = touched[i];
    touched[i] = 0;
}
