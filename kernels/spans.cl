/* spans: lengths of long held cables with the stiffness of their tension (equations: stiff.h), for branches that end at
 * no junction, side by side. It is stiff_condense and stiff_substitute in one, with the same bits: nothing is to be
 * solved between them. A lane goes through a branch; behind the end of a short one come held nodes without
 * segments. For substeps in which nothing can touch colliders. */
#define CAB_WIDE
#include "stiff.h"

/* The lanes of a work-item. */
typedef struct cab_span_lanes {
    int branch[CAB_VECTOR], first[CAB_VECTOR], count[CAB_VECTOR];
    int moves[CAB_VECTOR];   /* 1: this lane is solved */
    float scale[CAB_VECTOR]; /* h^2/h_s^2, as per_h */
    real_mask first_order, taut;
    real nodes, per_h, softer, tolerance;
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

#define CAB_SPAN_CHUNK 16 /* nodes that are read from the buffers and written to them at once */

/* What is read of such nodes and of the one behind them: each lane's numbers lie apart in the buffers. */
typedef struct cab_span_stage {
    cab_numbers position[CAB_SPAN_CHUNK + 1][3], offset[CAB_SPAN_CHUNK + 1][3],
        inertia[CAB_SPAN_CHUNK + 1][3];
    cab_numbers lambda[CAB_SPAN_CHUNK + 1];
} cab_span_stage;

CAB_INLINE vec3 cab_span_vector(const cab_numbers *n)
{
    return vec3_make(n[0].all, n[1].all, n[2].all);
}

CAB_INLINE void cab_span_set(cab_numbers *n, int lane, float4 v)
{
    n[0].one[lane] = v.x;
    n[1].one[lane] = v.y;
    n[2].one[lane] = v.z;
}

/* Reads the nodes from `first` on. goes_on: multipliers are not needed any more */
CAB_INLINE void cab_span_read(const cab_span_lanes *s, cab_span_stage *to, int first, int goes_on,
                              global const cab_branch_node *branch_node, global const float4 *position,
                              global const float4 *offset, global const float4 *inertia,
                              global const float *distance_lambda)
{
    for (int l = 0; l < CAB_VECTOR; l++) {
        for (int k = 0; k <= CAB_SPAN_CHUNK; k++) {
            cab_branch_node node = branch_node[cab_span_node(s, l, first + k)];
            if (k % 4 == 0) {
                CAB_FETCH_AHEAD(position + node.particle + CAB_SPAN_CHUNK);
                CAB_FETCH_AHEAD(offset + node.particle + CAB_SPAN_CHUNK);
                CAB_FETCH_AHEAD(inertia + node.particle + CAB_SPAN_CHUNK);
            }
            if (k % 2 == 0) CAB_FETCH_AHEAD(branch_node + cab_span_node(s, l, first + k) + CAB_SPAN_CHUNK);
            cab_span_set(to->position[k], l, position[node.particle]);
            cab_span_set(to->offset[k], l, offset[node.particle]);
            cab_span_set(to->inertia[k], l, inertia[node.particle]);
            to->lambda[k].one[l] = goes_on || node.distance < 0 ? 0 : distance_lambda[node.distance];
        }
    }
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
CAB_INLINE int cab_span_begin(cab_span_lanes *s, global const int *span_branch,
                              global const cab_branch *branch, global const int *order,
                              global const int *stiff)
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
        per_h.one[l] = s->scale[l] = order[own.component] ? 1.0f : 2.25f;
        softer.one[l] = own.taut ? CAB_STIFF_SOFTER : 1.0f;
    }
    s->nodes = nodes.all;
    s->per_h = per_h.all;
    s->softer = softer.all;
    s->first_order = first_order.all > real_of(0);
    s->taut = softer.all < real_of(1);
    s->tolerance = real_select(s->taut, real_of(CAB_TAUT_ERROR), real_of(CAB_LENGTH_ERROR));
    return any;
}

/* The tension in the last substep: from its multipliers in the first pass, kept for the others. */
CAB_INLINE real cab_span_last(const cab_span_lanes *s, int node, int goes_on, real lambda)
{
    if (!goes_on) *cab_span_slot(s, node, CAB_SPAN_LAST) = 0 - lambda / s->per_h;
    return *cab_span_slot(s, node, CAB_SPAN_LAST);
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
    last = real_select(s->taut, real_max(last, tension), last);
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

CAB_INLINE cab_sym3 cab_span_inverse(const cab_span_lanes *s, int node)
{
    cab_sym3 m;
    m.xx = *cab_span_slot(s, node, CAB_SPAN_INVERSE);
    m.yy = *cab_span_slot(s, node, CAB_SPAN_INVERSE + 1);
    m.zz = *cab_span_slot(s, node, CAB_SPAN_INVERSE + 2);
    m.xy = *cab_span_slot(s, node, CAB_SPAN_INVERSE + 3);
    m.xz = *cab_span_slot(s, node, CAB_SPAN_INVERSE + 4);
    m.yz = *cab_span_slot(s, node, CAB_SPAN_INVERSE + 5);
    return m;
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

/* What the elimination has come to. */
typedef struct cab_span_front {
    cab_stiff_left left;
    cab_stretch before;
} cab_span_front;

/* Eliminates node k; `at` is its place in the stage. */
CAB_INLINE void cab_span_eliminate(const cab_span_lanes *s, cab_span_front *f, int k, int at, int goes_on,
                                   const cab_span_stage *stage)
{
    real none = real_of(0), w = cab_span_weight(s, k);
    real_mask free = w > none;
    real mass = real_select(free, 1 / w, none);
    vec3 e = cab_span_vector(stage->offset[at]);
    vec3 residual = vec3_scale(vec3_sub(cab_span_vector(stage->inertia[at]), e), mass);
    vec3 r = cab_between(cab_span_vector(stage->position[at]), e, cab_span_vector(stage->position[at + 1]),
                         cab_span_vector(stage->offset[at + 1]));
    real last = cab_span_last(s, k, goes_on, stage->lambda[at].all);
    cab_stretch before = f->before, after = cab_span_stretch(s, k, r, goes_on, last);
    cab_stiff_before b = cab_look_back(&before, before.stiffness, &f->left, s->taut);
    cab_stiff_row row;
    row.diagonal = cab_sym3_add(cab_sym3_of(mass), before.stiffness);
    row.diagonal = cab_sym3_add(row.diagonal, after.stiffness);
    row.residual = vec3_sub_scaled(residual, before.tension, before.u);
    row.residual = vec3_add_scaled(row.residual, after.tension, after.u);
    f->left = cab_stiff_eliminate(row, &b, free, s->taut);
    cab_span_keep(s, k, &f->left);
    f->before = after;
}

/* What the way back has come to, and what it gives some nodes. */
typedef struct cab_span_back {
    vec3 next; /* displacement of the node behind */
    real tension;
    real_mask off; /* lanes in which a length is still off */
    cab_numbers moved[CAB_SPAN_CHUNK][3], total[CAB_SPAN_CHUNK];
    cab_numbers weight[CAB_SPAN_CHUNK]; /* 0: the node is held, and may be one of several spans */
} cab_span_back;

CAB_INLINE void cab_span_substitute(const cab_span_lanes *s, cab_span_back *f, int k, int at, int goes_on)
{
    real none = real_of(0), total = none;
    vec3 u = cab_span_get3(s, k, CAB_SPAN_U);
    cab_sym3 inverse = cab_span_inverse(s, k);
    cab_sym3 coupling = cab_stiffness_across(*cab_span_slot(s, k, CAB_SPAN_STIFFNESS), u);
    vec3 follows = vec3_add_scaled(cab_sym3_times(coupling, f->next), f->tension, u);
    if (goes_on) total = *cab_span_slot(s, k, CAB_SPAN_TOTAL);
    total = total - f->tension;
    *cab_span_slot(s, k, CAB_SPAN_TOTAL) = total;
    vec3 moved = vec3_add(cab_span_get3(s, k, CAB_SPAN_Z), cab_sym3_times(inverse, follows));
    vec3 r = vec3_add(vec3_scale(u, *cab_span_slot(s, k, CAB_SPAN_LENGTH)), vec3_sub(f->next, moved));
    real wanted = cab_span_constant(s, k, CAB_SPAN_REST) -
                  cab_span_constant(s, k, CAB_SPAN_COMPLIANCE) * s->per_h * total;
    f->off = f->off | (cab_length_off_by(none != none, r, wanted, s->tolerance) & cab_span_goes_on(s, k));
    f->tension = *cab_span_slot(s, k, CAB_SPAN_PULL) + vec3_dot(cab_span_get3(s, k, CAB_SPAN_Y), follows);
    f->next = moved;
    f->total[at].all = total;
    f->weight[at].all = cab_span_weight(s, k);
    f->moved[at][0].all = moved.x;
    f->moved[at][1].all = moved.y;
    f->moved[at][2].all = moved.z;
}

/* Moves the nodes from `first` on, and writes the multipliers of their segments. */
CAB_INLINE void cab_span_write(const cab_span_lanes *s, const cab_span_back *from, int first,
                               global const cab_branch_node *branch_node, global float4 *offset,
                               global float4 *branch_state, global float *distance_lambda)
{
    for (int l = 0; l < CAB_VECTOR; l++) {
        int nodes = s->moves[l] ? s->count[l] - first : 0;
        for (int k = 0; k < CAB_SPAN_CHUNK && k < nodes; k++) {
            int n = s->first[l] + first + k;
            cab_branch_node node = branch_node[n];
            const cab_numbers *d = from->moved[k];
            if (k % 4 == 0) CAB_FETCH_AHEAD(offset + node.particle - CAB_SPAN_CHUNK);
            if (k % 2 == 0) CAB_FETCH_AHEAD(branch_state + 2 * n - 2 * CAB_SPAN_CHUNK);
            if (k % 2 == 0) CAB_FETCH_AHEAD(branch_node + n - CAB_SPAN_CHUNK);
            if (from->weight[k].one[l] > 0) {
                float4 e = offset[node.particle];
                offset[node.particle] =
                    CAB_FLOAT4(e.x + d[0].one[l], e.y + d[1].one[l], e.z + d[2].one[l], 0);
            }
            if (k == nodes - 1) continue;
            float total = from->total[k].one[l];
            branch_state[2 * n + 1] = CAB_FLOAT4(0, 0, 0, total);
            distance_lambda[node.distance] = total * s->scale[l];
        }
    }
}

/* A Newton pass for a tile of spans. Flag: CAB_NEWTON_GOES_ON */
CAB_GROUP_KERNEL(stiff_spans, global const cab_span_tile *span_tile, global const int *span_branch,
                 global const float *span_constant, global float *span_memory,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const float4 *position, global float4 *offset, global const float4 *inertia,
                 global float4 *branch_state, global float *distance_lambda, global int *off_branch,
                 global const int *order, global const int *stiff)
{
    CAB_GROUP(tile);
    cab_span_tile t = span_tile[tile];
    cab_span_lanes s;
    int goes_on = argument & CAB_NEWTON_GOES_ON;
    if (!cab_span_begin(&s, span_branch + tile * CAB_TILE, branch, order, stiff)) return;
    s.memory = (global real_memory *)(span_memory + (size_t)t.first * (CAB_SPAN_SLOTS * CAB_TILE)) + CAB_LANE;
    s.numbers =
        (global const real_memory *)(span_constant + (size_t)t.first * (CAB_SPAN_CONSTANTS * CAB_TILE)) +
        CAB_LANE;
    cab_span_stage stage;
    cab_span_front front = {cab_stiff_left_none(), cab_stretch_none()};
    for (int first = 0; first < t.count; first += CAB_SPAN_CHUNK) {
        cab_span_read(&s, &stage, first, goes_on, branch_node, position, offset, inertia, distance_lambda);
        for (int k = 0; k < CAB_SPAN_CHUNK && first + k < t.count; k++)
            cab_span_eliminate(&s, &front, first + k, k, goes_on, &stage);
    }
    cab_span_back back;
    back.next = vec3_zero();
    back.tension = real_of(0);
    back.off = real_of(0) != real_of(0);
    for (int first = (t.count - 1) / CAB_SPAN_CHUNK * CAB_SPAN_CHUNK; first >= 0; first -= CAB_SPAN_CHUNK) {
        int nodes = t.count - first;
        for (int k = (nodes < CAB_SPAN_CHUNK ? nodes : CAB_SPAN_CHUNK) - 1; k >= 0; k--)
            cab_span_substitute(&s, &back, first + k, k, goes_on);
        cab_span_write(&s, &back, first, branch_node, offset, branch_state, distance_lambda);
    }
    cab_numbers off;
    off.all = real_select(back.off, real_of(1), real_of(0));
    for (int l = 0; l < CAB_VECTOR; l++)
        if (s.moves[l]) off_branch[s.branch[l]] = off.one[l] > 0;
}
