/* spans: lengths of long held cables with the stiffness of their tension (equations: stiff.h), for branches that end at
 * no junction, side by side. It is stiff_condense and stiff_substitute in one, with the same bits: nothing is to be
 * solved between them. A lane goes through a branch; behind the end of a short one come held nodes without
 * segments. For substeps in which nothing can touch colliders. */
#define CAB_WIDE
#include "stiff.h"

/* The lanes of a work-item. */
typedef struct cab_span_lanes {
    int branch[CAB_VECTOR], first[CAB_VECTOR], count[CAB_VECTOR];
    int moves[CAB_VECTOR];      /* 1: this lane is solved */
    int particle[CAB_VECTOR];   /* of the node that is looked at */
    real_mask first_order;
    real nodes, per_h, softer;
    global real_memory *memory; /* of this work-item's lanes */
    global const real_memory *numbers;
} cab_span_lanes;

/* Numbers of each lane. */
typedef union cab_numbers {
    real all;
    float one[CAB_VECTOR];
} cab_numbers;

CAB_INLINE global real_memory *cab_span_slot(const cab_span_lanes *s, int node, int slot)
{
    return s->memory + (node * CAB_SPAN_SLOTS + slot) * CAB_GROUP_SIZE;
}

CAB_INLINE real cab_span_constant(const cab_span_lanes *s, int node, int which)
{
    return s->numbers[(node * CAB_SPAN_CONSTANTS + which) * CAB_GROUP_SIZE];
}

CAB_INLINE vec3 cab_span_get3(const cab_span_lanes *s, int node, int slot)
{
    return vec3_make(*cab_span_slot(s, node, slot), *cab_span_slot(s, node, slot + 1),
                     *cab_span_slot(s, node, slot + 2));
}

CAB_INLINE void cab_span_put3(const cab_span_lanes *s, int node, int slot, vec3 v)
{
    *cab_span_slot(s, node, slot) = v.x;
    *cab_span_slot(s, node, slot + 1) = v.y;
    *cab_span_slot(s, node, slot + 2) = v.z;
}

/* Node `node` of a lane's branch; its last where it has fewer. */
CAB_INLINE int cab_span_node(const cab_span_lanes *s, int lane, int node)
{
    int last = s->count[lane] - 1;
    return s->first[lane] + (node < last ? node : last);
}

CAB_INLINE void cab_span_go_to(cab_span_lanes *s, int node, global const cab_branch_node *branch_node)
{
    for (int l = 0; l < CAB_VECTOR; l++) s->particle[l] = branch_node[cab_span_node(s, l, node)].particle;
}

CAB_INLINE vec3 cab_span_gather(const cab_span_lanes *s, global const float4 *from)
{
    cab_numbers x, y, z;
    for (int l = 0; l < CAB_VECTOR; l++) {
        float4 v = from[s->particle[l]];
        x.one[l] = v.x;
        y.one[l] = v.y;
        z.one[l] = v.z;
    }
    return vec3_make(x.all, y.all, z.all);
}

/* Does a segment start at the node? Else it is the last one of its branch, or behind that. */
CAB_INLINE real_mask cab_span_goes_on(const cab_span_lanes *s, int node)
{
    return real_of((float)node + 1) < s->nodes;
}

CAB_INLINE real cab_span_weight(const cab_span_lanes *s, int node)
{
    return real_select(s->first_order, cab_span_constant(s, node, CAB_SPAN_WEIGHT + 1),
                       cab_span_constant(s, node, CAB_SPAN_WEIGHT));
}

/* Fills the lanes of a work-item. Returns whether any is to be solved. */
CAB_INLINE int cab_span_begin(cab_span_lanes *s, global const int *span_branch, global const cab_branch *branch,
                              global const int *order, global const int *stiff)
{
    cab_numbers nodes, per_h, softer, first_order;
    int any = 0;
    for (int l = 0; l < CAB_VECTOR; l++) {
        int b = span_branch[CAB_LANE * CAB_VECTOR + l], live = b >= 0;
        if (!live) b = ~b;
        cab_branch own = branch[b];
        s->branch[l] = b;
        s->first[l] = own.first;
        s->count[l] = own.count;
        s->moves[l] = live && stiff[own.component] == CAB_STIFF_MOVES;
        any |= s->moves[l];
        nodes.one[l] = (float)own.count;
        first_order.one[l] = order[own.component] == 1 ? 1.0f : 0.0f;
        per_h.one[l] = order[own.component] ? 1.0f : 2.25f;
        softer.one[l] = own.taut ? CAB_STIFF_SOFTER : 1.0f;
    }
    s->nodes = nodes.all;
    s->per_h = per_h.all;
    s->softer = softer.all;
    s->first_order = first_order.all > real_of(0);
    return any;
}

/* The tension in the last substep: from its multipliers in the first pass, kept for the others. */
CAB_INLINE real cab_span_last(const cab_span_lanes *s, int node, int goes_on,
                              global const cab_branch_node *branch_node, global const float *distance_lambda)
{
    cab_numbers lambda;
    if (goes_on) return *cab_span_slot(s, node, CAB_SPAN_LAST);
    for (int l = 0; l < CAB_VECTOR; l++) {
        int d = branch_node[cab_span_node(s, l, node)].distance;
        lambda.one[l] = d >= 0 ? distance_lambda[d] : 0;
    }
    real last = 0 - lambda.all / s->per_h;
    *cab_span_slot(s, node, CAB_SPAN_LAST) = last;
    return last;
}

/* The segment r that starts at a node. */
CAB_INLINE cab_stretch cab_span_stretch(const cab_span_lanes *s, int node, vec3 r, int goes_on, real last)
{
    real_mask any = cab_span_goes_on(s, node);
    real none = real_of(0), length = vec3_length(r), inverse = cab_inverse_length(length);
    real compliance = cab_span_constant(s, node, CAB_SPAN_COMPLIANCE) * s->per_h;
    real tension = none;
    if (goes_on) tension = 0 - *cab_span_slot(s, node, CAB_SPAN_TOTAL);
    real error = length - cab_span_constant(s, node, CAB_SPAN_REST) - compliance * tension;
    real soft = compliance + cab_span_constant(s, node, CAB_SPAN_REGULARISATION) * s->softer;
    real stiffness = real_select(any, real_max(last, none) * inverse, none);
    cab_stretch out;
    out.u = vec3_select(any, vec3_scale(r, inverse), vec3_zero());
    out.length = real_select(any, length, none);
    out.tension = real_select(any, tension, none);
    out.error = real_select(any, error, none);
    out.soft = real_select(any, soft, real_of(1));
    out.stiffness = cab_stiffness_across(stiffness, out.u);
    *cab_span_slot(s, node, CAB_SPAN_STIFFNESS) = stiffness;
    *cab_span_slot(s, node, CAB_SPAN_LENGTH) = out.length;
    cab_span_put3(s, node, CAB_SPAN_U, out.u);
    return out;
}

CAB_INLINE void cab_span_keep(const cab_span_lanes *s, int node, const cab_stiff_left *left)
{
    *cab_span_slot(s, node, CAB_SPAN_INVERSE) = left->inverse.xx;
    *cab_span_slot(s, node, CAB_SPAN_INVERSE + 1) = left->inverse.yy;
    *cab_span_slot(s, node, CAB_SPAN_INVERSE + 2) = left->inverse.zz;
    *cab_span_slot(s, node, CAB_SPAN_INVERSE + 3) = left->inverse.xy;
    *cab_span_slot(s, node, CAB_SPAN_INVERSE + 4) = left->inverse.xz;
    *cab_span_slot(s, node, CAB_SPAN_INVERSE + 5) = left->inverse.yz;
    cab_span_put3(s, node, CAB_SPAN_Y, left->y);
    cab_span_put3(s, node, CAB_SPAN_Z, left->z);
    *cab_span_slot(s, node, CAB_SPAN_PULL) = left->pull;
}

/* Elimination from the start to the end. */
CAB_INLINE void cab_span_eliminate(cab_span_lanes *s, int count, int goes_on,
                                   global const cab_branch_node *branch_node, global const float4 *position,
                                   global const float4 *offset, global const float4 *inertia,
                                   global const float *distance_lambda)
{
    real none = real_of(0);
    cab_stiff_left left = cab_stiff_left_none();
    cab_stretch before = cab_stretch_none();
    cab_span_go_to(s, 0, branch_node);
    vec3 x = cab_span_gather(s, position), e = cab_span_gather(s, offset);
    for (int k = 0; k < count; k++) {
        real w = cab_span_weight(s, k);
        real_mask free = w > none;
        real mass = real_select(free, 1 / w, none);
        vec3 residual = vec3_scale(vec3_sub(cab_span_gather(s, inertia), e), mass);
        cab_span_go_to(s, k + 1, branch_node);
        vec3 x_next = cab_span_gather(s, position), e_next = cab_span_gather(s, offset);
        real last = cab_span_last(s, k, goes_on, branch_node, distance_lambda);
        cab_stretch after = cab_span_stretch(s, k, cab_between(x, e, x_next, e_next), goes_on, last);
        cab_stiff_before b = cab_look_back(&before, before.stiffness, &left);
        cab_stiff_row row;
        row.diagonal = cab_sym3_add(cab_sym3_of(mass), before.stiffness);
        row.diagonal = cab_sym3_add(row.diagonal, after.stiffness);
        row.residual = vec3_sub_scaled(residual, before.tension, before.u);
        row.residual = vec3_add_scaled(row.residual, after.tension, after.u);
        left = cab_stiff_eliminate(row, &b, free);
        cab_span_keep(s, k, &left);
        before = after;
        x = x_next;
        e = e_next;
    }
}

/* Writes a node's new offset where it is free, and the multiplier of its segment. */
CAB_INLINE void cab_span_write(const cab_span_lanes *s, int node, real_mask free, vec3 offset_now, real total,
                               global const cab_branch_node *branch_node, global float4 *offset,
                               global float4 *branch_state, global float *distance_lambda)
{
    cab_numbers x, y, z, sum, scaled, writes;
    x.all = offset_now.x;
    y.all = offset_now.y;
    z.all = offset_now.z;
    sum.all = total;
    scaled.all = total * s->per_h;
    writes.all = real_select(free, real_of(1), real_of(0));
    for (int l = 0; l < CAB_VECTOR; l++) {
        if (!s->moves[l] || node >= s->count[l]) continue;
        if (writes.one[l] > 0) offset[s->particle[l]] = CAB_FLOAT4(x.one[l], y.one[l], z.one[l], 0);
        if (node >= s->count[l] - 1) continue;
        int k = s->first[l] + node;
        branch_state[2 * k + 1] = CAB_FLOAT4(0, 0, 0, sum.one[l]);
        distance_lambda[branch_node[k].distance] = scaled.one[l];
    }
}

/* Tensions and places from the end to the start. Returns the lanes in which a length is still off. */
CAB_INLINE real_mask cab_span_substitute(cab_span_lanes *s, int count, int goes_on,
                                         global const cab_branch_node *branch_node, global float4 *offset,
                                         global float4 *branch_state, global float *distance_lambda)
{
    real none = real_of(0), tension = none;
    real_mask off = none != none;
    vec3 next = vec3_zero();
    for (int k = count - 1; k >= 0; k--) {
        vec3 u = cab_span_get3(s, k, CAB_SPAN_U);
        cab_sym3 inverse = {*cab_span_slot(s, k, CAB_SPAN_INVERSE),     *cab_span_slot(s, k, CAB_SPAN_INVERSE + 1),
                            *cab_span_slot(s, k, CAB_SPAN_INVERSE + 2), *cab_span_slot(s, k, CAB_SPAN_INVERSE + 3),
                            *cab_span_slot(s, k, CAB_SPAN_INVERSE + 4), *cab_span_slot(s, k, CAB_SPAN_INVERSE + 5)};
        cab_sym3 coupling = cab_stiffness_across(*cab_span_slot(s, k, CAB_SPAN_STIFFNESS), u);
        vec3 follows = vec3_add_scaled(cab_sym3_times(coupling, next), tension, u);
        real total = none;
        if (goes_on) total = *cab_span_slot(s, k, CAB_SPAN_TOTAL);
        total = total - tension;
        *cab_span_slot(s, k, CAB_SPAN_TOTAL) = total;
        vec3 moved = vec3_add(cab_span_get3(s, k, CAB_SPAN_Z), cab_sym3_times(inverse, follows));
        vec3 r = vec3_add(vec3_scale(u, *cab_span_slot(s, k, CAB_SPAN_LENGTH)), vec3_sub(next, moved));
        real wanted = cab_span_constant(s, k, CAB_SPAN_REST) -
                      cab_span_constant(s, k, CAB_SPAN_COMPLIANCE) * s->per_h * total;
        off = off | (cab_length_off(none != none, r, wanted) & cab_span_goes_on(s, k));
        tension = *cab_span_slot(s, k, CAB_SPAN_PULL) + vec3_dot(cab_span_get3(s, k, CAB_SPAN_Y), follows);
        cab_span_go_to(s, k, branch_node);
        vec3 e = vec3_add(cab_span_gather(s, offset), moved);
        cab_span_write(s, k, cab_span_weight(s, k) > none, e, total, branch_node, offset, branch_state,
                       distance_lambda);
        next = moved;
    }
    return off;
}

/* A Newton pass for a tile of spans. Flag: CAB_NEWTON_GOES_ON */
CAB_GROUP_KERNEL(stiff_spans, global const cab_span_tile *span_tile, global const int *span_branch,
                 global const float *span_constant, global float *span_memory, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const float4 *position,
                 global float4 *offset, global const float4 *inertia, global float4 *branch_state,
                 global float *distance_lambda, global int *off_branch, global const int *order,
                 global const int *stiff)
{
    CAB_GROUP(tile);
    cab_span_tile t = span_tile[tile];
    cab_span_lanes s;
    int goes_on = argument & CAB_NEWTON_GOES_ON;
    if (!cab_span_begin(&s, span_branch + tile * CAB_TILE, branch, order, stiff)) return;
    s.memory = (global real_memory *)(span_memory + (size_t)t.first * (CAB_SPAN_SLOTS * CAB_TILE)) + CAB_LANE;
    s.numbers =
        (global const real_memory *)(span_constant + (size_t)t.first * (CAB_SPAN_CONSTANTS * CAB_TILE)) + CAB_LANE;
    cab_span_eliminate(&s, t.count, goes_on, branch_node, position, offset, inertia, distance_lambda);
    cab_numbers off;
    off.all = real_select(
        cab_span_substitute(&s, t.count, goes_on, branch_node, offset, branch_state, distance_lambda),
        real_of(1), real_of(0));
    for (int l = 0; l < CAB_VECTOR; l++)
        if (s.moves[l]) off_branch[s.branch[l]] = off.one[l] > 0;
}
