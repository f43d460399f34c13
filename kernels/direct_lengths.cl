/* direct_lengths: solves the lengths branch by branch (equations: direct.h). First a branch is condensed to
 * its two ends, then the junctions move (direct_junction.cl), then the branch's inner particles. With the
 * elimination of T = J M^-1 J^T + compliance from the end to the start and u = U^-1 e_m, its first and last
 * multipliers are
 *
 *   lambda_0 = y_0/d_0 + a/d_0 + b u_0/d_0               a = n_0 . displacement of the start
 *   lambda_m = sum u y/d + a u_0/d_0 + b sum u u/d       b = -n_m . displacement of the end */
#include "direct.h"

/* Eliminates the lengths of a branch from its end to its start, and condenses the branch to its two ends.
 * branch_state[2 node]: the segment, m, and 1/length; [2 node + 1]: right side over pivot, band, spike over
 * pivot, multiplier. Flags: CAB_NEWTON_... */
CAB_BLOCK_KERNEL(direct_condense, global const cab_params *params, global float4 *branch_state,
                 global cab_condensed *condensed, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const float4 *position, global const float4 *offset, global const int *order,
                 global const int *off, global const float *slow, global const int *stiff)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int first_order = order[own.component], shift = first_order ? params->node_count : 0;
    if (first_order == CAB_ORDER_ASLEEP || (argument & CAB_NEWTON_WHERE_OFF && !off[own.component])) return;
    if ((argument & CAB_NEWTON_STIFF && stiff[own.component]) || (argument & CAB_NEWTON_LANES && own.lane))
        return;
    int last = own.first + own.count - 1, p_next = branch_node[last].particle;
    vec3 x_next = vec3_of(position[p_next]), e_next = vec3_of(offset[p_next]), r_next = vec3_zero();
    real w_next = branch_factor[last + shift].weight * slow[last], inverse_next = 0;
    real spike = own.end >= 0 ? -1 : 0;
    cab_elimination rows = {0, 0};
    real per_h = cab_per_h(first_order), corner = 0, pulled = 0;
    cab_condensed c;
    for (int k = last - 1; k >= own.first; k--) {
        cab_branch_node node = branch_node[k];
        real w = branch_factor[k + shift].weight * slow[k], compliance = node.compliance * per_h;
        vec3 x = vec3_of(position[node.particle]), e = vec3_of(offset[node.particle]);
        vec3 r = cab_between(x, e, x_next, e_next);
        real length = vec3_length(r), inverse = cab_inverse_length(length);
        real before = argument & CAB_NEWTON_GOES_ON ? branch_state[2 * k + 1].w : 0;
        real diagonal = w + w_next + compliance + node.regularisation;
        if (!(diagonal > 0)) diagonal = INFINITY; /* both particles are held */
        real shared = cab_shared_entry(w_next, r, inverse, r_next, inverse_next);
        real band = cab_eliminate_length(&rows, diagonal, shared, node.wanted - length - compliance * before);
        spike = k == last - 1 ? -spike : -band * spike;
        corner = corner + spike * spike * rows.inverse_pivot;
        pulled = pulled + spike * rows.right * rows.inverse_pivot;
        branch_state[2 * k] = CAB_FLOAT4(r.x, r.y, r.z, inverse);
        branch_state[2 * k + 1] =
            CAB_FLOAT4(rows.right * rows.inverse_pivot, band, spike * rows.inverse_pivot, before);
        x_next = x;
        e_next = e;
        r_next = r;
        inverse_next = inverse;
        w_next = w;
    }
    float4 r_last = branch_state[2 * (last - 1)]; /* the last segment; every branch has one */
    c.start_x = r_next.x * inverse_next;
    c.start_y = r_next.y * inverse_next;
    c.start_z = r_next.z * inverse_next;
    c.end_x = r_last.x * r_last.w;
    c.end_y = r_last.y * r_last.w;
    c.end_z = r_last.z * r_last.w;
    c.start_start = rows.inverse_pivot;
    c.start_end = spike * rows.inverse_pivot;
    c.end_end = corner;
    c.start_pull = rows.right * rows.inverse_pivot;
    c.end_pull = pulled;
    c.unused = 0;
    condensed[i] = c;
}

/* Sets by how much the inverse masses of a branch's particles are reduced in the next substep. off: its
 * lengths are not met. */
CAB_INLINE void cab_slow_branch(int i, cab_branch own, int shift, int off, global float *slow,
                                global float4 *branch_slow, global const float4 *branch_state,
                                global const cab_branch_factor *branch_factor)
{
    int last = own.first + own.count - 1;
    real before = 0, start = 0;
    if (!off && branch_slow[i].z == 0) return;
    for (int k = own.first; k <= last; k++) {
        real lambda = k < last && off ? branch_state[2 * k + 1].w : 0;
        real pull = cab_pull_of(lambda, branch_state[2 * k].w);
        slow[k] = cab_slow_of(branch_factor[k + shift].weight, before + pull);
        if (k == own.first) start = pull;
        if (k < last) before = pull;
    }
    branch_slow[i] = CAB_FLOAT4(start, before, off ? 1.0f : 0.0f, 0);
}

/* Computes multipliers and places inside the branches. off_branch: a length is still off. */
CAB_BLOCK_KERNEL(direct_substitute, global const cab_params *params, global float4 *branch_state,
                 global float4 *offset, global float *distance_lambda, global int *off_branch,
                 global float *slow, global float4 *branch_slow, global const cab_condensed *condensed,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_branch_factor *branch_factor, global const float4 *junction_move,
                 global const int *order, global const int *off, global const int *stiff)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int first_order = order[own.component], shift = first_order ? params->node_count : 0,
        last = own.first + own.count - 1;
    if (first_order == CAB_ORDER_ASLEEP || (argument & CAB_NEWTON_STIFF && stiff[own.component])) return;
    if (argument & CAB_NEWTON_LANES && own.lane) return;
    if (argument & CAB_NEWTON_WHERE_OFF && !off[own.component]) {
        if (argument & CAB_NEWTON_LAST)
            cab_slow_branch(i, own, shift, 0, slow, branch_slow, branch_state, branch_factor);
        return;
    }
    real per_h = cab_per_h(first_order), a = 0, b = 0, wanted = 0;
    int any = 0;
    cab_substitution back = cab_substitution_none();
    vec3 none = vec3_zero(), moved_last = none, move_end = none, r = none;
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
        vec3 push = back.pull, next = none, moved;
        real length = 0;
        if (k < last) {
            float4 s = branch_state[2 * k], t = branch_state[2 * k + 1];
            next = vec3_of(s);
            push = cab_substitute_length(&back, t.x + t.z * b + (k == own.first ? a : 0), t.y, next, s.w);
            t.w = t.w + back.lambda;
            branch_state[2 * k + 1] = t;
            distance_lambda[branch_node[k].distance] = t.w * per_h;
            length = branch_node[k].wanted - branch_node[k].compliance * per_h * t.w;
        }
        moved = vec3_scale(push, branch_factor[k + shift].weight * slow[k]);
        if (k == own.first && own.start >= 0) moved = moved_last;
        if (k == last && own.end >= 0) moved = move_end;
        if (k > own.first) any = cab_length_off(any, vec3_add(r, vec3_sub(moved, moved_last)), wanted);
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
    if (argument & CAB_NEWTON_LAST)
        cab_slow_branch(i, own, shift, any, slow, branch_slow, branch_state, branch_factor);
}

/* off[component]: is a length in one of its branches still off? */
CAB_BLOCK_KERNEL(direct_check, global int *off, global const int *off_branch,
                 global const int *component_branch_start, global const int *component_branch)
{
    CAB_ITEM(i);
    int any = 0;
    for (int k = component_branch_start[i]; k < component_branch_start[i + 1]; k++)
        any = any | off_branch[component_branch[k]];
    off[i] = any;
}

/* Particles that count as heavier for the lengths do so for contacts, too. Otherwise light particles would be
 * thrown to and fro where contacts and lengths contradict each other. bend: the offsets before contact
 * (direct_note). */
CAB_BLOCK_KERNEL(direct_slow_contact, global float4 *offset, global const float4 *bend,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const float *slow, global const float4 *branch_slow, global const int *order)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (branch_slow[i].z == 0 || order[own.component] == CAB_ORDER_ASLEEP) return;
    int first = own.first + (own.start >= 0), end = own.first + own.count - (own.end >= 0);
    for (int k = first; k < end; k++) {
        int p = branch_node[k].particle;
        vec3 was = vec3_of(bend[p]), displacement = vec3_sub(vec3_of(offset[p]), was);
        vec3 e = vec3_add_scaled(was, slow[k], displacement);
        if (slow[k] < 1) offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}
