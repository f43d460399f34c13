/* direct_bend: implicit bending stage by stage, for cables that are joined or touch. A work-item solves a
 * branch, the part of a cable between two ends or junctions. The particles at and next to junctions, which
 * several branches share, are separators of the matrix: they are solved in between. Equations: direct.h. */
#include "direct.h"
#include "xpbd.h"

/* Multipliers of the bendings at the predicted places: h_s^2 EI/cell (target - D) in units of h_s^2, or of
 * h^2 with CAB_BEND_IN_SUBSTEPS. */
CAB_KERNEL(direct_bend, global float4 *bending_lambda, global const float4 *position,
           global const float4 *offset, global const cab_bending_constraint *bending,
           global const float4 *bending_target, global const int *component, global const int *order)
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
    vec3 lambda = vec3_scale(vec3_sub(target, d), c.compliance > 0 ? scale / c.compliance : 0);
    bending_lambda[i] = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
}

/* The right side -K x~ of each particle. bend_item: 4 bending + (0: the particle is its a, 1: b, 2: c) */
CAB_KERNEL(direct_gather, global float4 *bend, global const float4 *bending_lambda,
           global const cab_bending_constraint *bending, global const int *bend_start,
           global const int *bend_item)
{
    CAB_ITEM(i);
    vec3 sum = vec3_zero();
    for (int k = bend_start[i]; k < bend_start[i + 1]; k++) {
        int b = bend_item[k] >> 2, place = bend_item[k] & 3;
        real ga = bending[b].ga, gc = bending[b].gc;
        real g = place == 0 ? ga : place == 1 ? -(ga + gc) : gc;
        sum = vec3_add_scaled(sum, g, vec3_of(bending_lambda[b]));
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

/* Forward and back substitution of the separators of cables that are joined to each other. */
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
            z = cab_band_take(z, separator_factor[2 * j + first_order],
                              vec3_of(bend[separator[separator_row[j]].particle]));
        bend[s.particle] = CAB_FLOAT4(z.x, z.y, z.z, 0);
        vec3 e = vec3_add(vec3_of(offset[s.particle]), z);
        offset[s.particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
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
