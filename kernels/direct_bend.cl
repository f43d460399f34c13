/* direct_bend: implicit bending stage by stage, for cables that are joined or touch. A work-item solves a
 * branch, the part of a cable between two ends or junctions. The particles at and next to junctions, which
 * several branches share, are separators of the matrix: they are solved in between. Equations: direct.h. */
#include "direct.h"
#include "xpbd.h"

/* Multipliers of the bendings at the predicted places: h_s^2 EI/cell (target - D) in units of h_s^2, or of
 * h^2 with CAB_BEND_IN_SUBSTEPS. With CAB_BEND_VISCOUS also -h_s^2 EI/cell tau/h_s viscous_change. */
CAB_KERNEL(direct_bend, global float4 *bending_lambda, global const float4 *position,
           global const float4 *offset, global const cab_bending_constraint *bending,
           global const float4 *bending_target, global const float4 *viscous_change,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    cab_bending_constraint c = bending[i];
    if (order[component[c.b]] == CAB_ORDER_ASLEEP) return;
    int a = c.a < 0 ? c.b : c.a, e = c.c < 0 ? c.b : c.c;
    vec3 p = vec3_of(position[c.b]), o = vec3_of(offset[c.b]);
    vec3 d = cab_curvature(cab_between(p, o, vec3_of(position[a]), vec3_of(offset[a])),
                           cab_between(p, o, vec3_of(position[e]), vec3_of(offset[e])), c.ga, c.gc);
    vec3 target = c.target < 0 ? vec3_zero() : vec3_of(bending_target[c.target]);
    if (c.rest > 0) target = cab_curved_target(d, target, c.rest);
    real scale = argument & CAB_BEND_IN_SUBSTEPS || order[component[c.b]] ? 1 : 4.0f / 9;
    vec3 off = vec3_sub(target, d);
    if (argument & CAB_BEND_VISCOUS)
        off = vec3_sub_scaled(off, viscous_change[i].w, vec3_of(viscous_change[i]));
    vec3 lambda = vec3_scale(off, c.compliance > 0 ? scale / c.compliance : 0);
    bending_lambda[i] = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
}

/* The right side -K x~ of each particle. bend_item: 4 bending + (0: the particle is its a, 1: b, 2: c). With CAB_BEND_VISCOUS also
 * what the moment of twist pulls by (viscous_pull). */
CAB_KERNEL(direct_gather, global float4 *bend, global const float4 *bending_lambda,
           global const float4 *viscous_pull, global const cab_bending_constraint *bending,
           global const int *bend_start, global const int *bend_item)
{
    CAB_ITEM(i);
    vec3 sum = vec3_zero();
    for (int k = bend_start[i]; k < bend_start[i + 1]; k++) {
        int b = bend_item[k] >> 2, place = bend_item[k] & 3;
        real ga = bending[b].ga, gc = bending[b].gc;
        real g = place == 0 ? ga : place == 1 ? -(ga + gc) : gc;
        sum = vec3_add_scaled(sum, g, vec3_of(bending_lambda[b]));
        if (!(argument & CAB_BEND_VISCOUS)) continue;
        if (bending[b].c < 0) ga = -ga; /* the clamp of an end counts backwards */
        g = place == 0 ? -ga : place == 1 ? ga - gc : gc;
        sum = vec3_add_scaled(sum, g, vec3_of(viscous_pull[b]));
    }
    bend[i] = CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
}

CAB_INLINE void cab_take_bend(global float4 *bend, int particle, real factor, vec3 z)
{
    vec3 r = cab_band_take(vec3_of(bend[particle]), factor, z);
    bend[particle] = CAB_FLOAT4(r.x, r.y, r.z, 0);
}

/* Forward substitution inside a branch. What it adds to the separators at the branch's ends goes to
 * branch_bend[4 branch + 0 ... 3]. */
CAB_BLOCK_KERNEL(direct_forward, global const cab_params *params, global float4 *bend,
                 global float4 *branch_bend, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    int shift = order[own.component] ? params->node_count : 0;
    vec3 right = vec3_zero(), right_next = right, start = right, start_next = right;
    for (int k = own.run; k < own.run + own.run_count; k++) {
        int p = branch_node[k].particle;
        cab_branch_factor f = branch_factor[k + shift];
        vec3 z = vec3_add(vec3_of(bend[p]), right);
        right = cab_band_take(right_next, f.band, z);
        right_next = cab_band_take(vec3_zero(), f.band_next, z);
        start = cab_band_take(start, f.spike, z);
        start_next = cab_band_take(start_next, f.spike_next, z);
        bend[p] = CAB_FLOAT4(z.x, z.y, z.z, 0);
    }
    branch_bend[4 * i] = CAB_FLOAT4(start.x, start.y, start.z, 0);
    branch_bend[4 * i + 1] = CAB_FLOAT4(start_next.x, start_next.y, start_next.z, 0);
    branch_bend[4 * i + 2] = CAB_FLOAT4(right.x, right.y, right.z, 0);
    branch_bend[4 * i + 3] = CAB_FLOAT4(right_next.x, right_next.y, right_next.z, 0);
}

/* Forward and back substitution of the separators of cables that are joined to each other, whose right sides are
 * complete. */
CAB_INLINE void cab_separate(cab_joined own, int first_order, global float4 *bend,
                             global const cab_separator *separator, global const int *separator_row,
                             global const float *separator_factor)
{
    int last = own.separator + own.separator_count;
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
            z = cab_band_take(z, separator_factor[2 * j + first_order],
                              vec3_of(bend[separator[separator_row[j]].particle]));
        bend[s.particle] = CAB_FLOAT4(z.x, z.y, z.z, 0);
    }
}

/* Gathers the right sides of the separators, solves for their displacements and moves them. */
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
    cab_separate(own, first_order, bend, separator, separator_row, separator_factor);
    for (int k = own.separator; k < last; k++) {
        int p = separator[k].particle;
        vec3 e = vec3_add(vec3_of(offset[p]), vec3_of(bend[p]));
        offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}

/* The bending about a hold between two spans goes to the right sides of the separators beside it. */
CAB_INLINE void cab_span_hold_bend(cab_span_hold hold, int first_order, global float4 *bend,
                                   global const float4 *branch_bend, global const cab_branch *branch)
{
    global const float4 *before = branch_bend + 4 * hold.before, *after = branch_bend + 4 * hold.after;
    vec3 f = vec3_scale(vec3_of(after[0]), hold.stiff_after[first_order]);
    f = vec3_sub_scaled(f, hold.stiff_before[first_order], vec3_of(before[3]));
    f = vec3_sub(
        f, vec3_make(hold.target[first_order][0], hold.target[first_order][1], hold.target[first_order][2]));
    vec3 x = vec3_sub_scaled(vec3_of(before[2]), hold.before_factor, f);
    vec3 y = vec3_sub_scaled(vec3_of(after[1]), hold.after_factor, f);
    bend[branch[hold.before].separator[2]] = CAB_FLOAT4(x.x, x.y, x.z, 0);
    bend[branch[hold.after].separator[1]] = CAB_FLOAT4(y.x, y.y, y.z, 0);
}

/* Between two launches of span_frame.cl: counts in how many substeps in a row a component has missed its lengths
 * (CAB_FRAME_SOLVED; as in stiff_end), and solves for the displacements of the separators beside its holds (CAB_FRAME_BENDS, of first
 * order with CAB_FRAME_FIRST_ORDER). */
CAB_BLOCK_KERNEL(span_separate, global float4 *bend, global const float4 *branch_bend,
                 global const cab_joined *joined, global const cab_separator *separator,
                 global const int *separator_row, global const float *separator_factor,
                 global const cab_span_hold *span_hold, global const cab_branch *branch,
                 global const int *component_branch_start, global const int *component_branch,
                 global const int *span_joined, global const int *outcome, global int *lost)
{
    CAB_ITEM(i);
    int start = component_branch_start[i], end = component_branch_start[i + 1], out = 0;
    int first_order = argument & CAB_FRAME_FIRST_ORDER ? 1 : 0;
    for (int k = start; k < end; k++) {
        int b = component_branch[k];
        out |= outcome[b];
        if (argument & CAB_FRAME_BENDS && span_hold[b].before >= 0)
            cab_span_hold_bend(span_hold[b], first_order, bend, branch_bend, branch);
    }
    if (argument & CAB_FRAME_SOLVED) lost[i] = out & CAB_OUTCOME_OFF ? lost[i] + 1 : 0;
    if (argument & CAB_FRAME_BENDS && span_joined[i] >= 0)
        cab_separate(joined[span_joined[i]], first_order, bend, separator, separator_row, separator_factor);
}

/* Back-substitution inside a branch, which gives the displacements by bending. */
CAB_BLOCK_KERNEL(direct_back, global const cab_params *params, global float4 *offset, global float4 *bend,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_branch_factor *branch_factor, global const int *order)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    int shift = order[own.component] ? params->node_count : 0;
    vec3 none = vec3_zero(), next = none, after = none, start = none, start_next = none;
    if (own.separator[0] >= 0) start = vec3_of(bend[own.separator[0]]);
    if (own.separator[1] >= 0) start_next = vec3_of(bend[own.separator[1]]);
    if (own.separator[2] >= 0) next = vec3_of(bend[own.separator[2]]);
    if (own.separator[3] >= 0) after = vec3_of(bend[own.separator[3]]);
    for (int k = own.run + own.run_count - 1; k >= own.run; k--) {
        int p = branch_node[k].particle;
        cab_branch_factor f = branch_factor[k + shift];
        vec3 d = cab_band_back(vec3_of(bend[p]), f.pivot, f.band, next, f.band_next, after);
        d = cab_band_take(cab_band_take(d, f.spike, start), f.spike_next, start_next);
        after = next;
        next = d;
        vec3 e = vec3_add(vec3_of(offset[p]), d);
        offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}
