/* spans: lengths of long held cables with the stiffness of their tension (equations: stiff.h), for branches that end at
 * no junction, side by side. It is stiff_condense and stiff_substitute in one, with the same bits: nothing is to be
 * solved between them. A lane goes through a branch; behind the end of a short one come held nodes without
 * segments. For substeps in which nothing can touch colliders. */
#define CAB_WIDE
#include "spans.h"

/* A pass over the lanes of a work-item. */
typedef struct cab_span_pass {
    float scale[CAB_VECTOR]; /* h^2/h_s^2, as per_h */
    real_mask first_order;
    int goes_on; /* it is not the substep's first */
    global const real_memory *numbers;
} cab_span_pass;

CAB_INLINE real cab_span_constant(const cab_span_pass *p, int node, int which)
{
    return p->numbers[(node * CAB_SPAN_CONSTANTS + which) * CAB_GROUP_SIZE];
}

CAB_INLINE cab_span_segment cab_span_segment_at(const cab_span_pass *p, int node)
{
    cab_span_segment c = {cab_span_constant(p, node, CAB_SPAN_REST),
                          cab_span_constant(p, node, CAB_SPAN_COMPLIANCE),
                          cab_span_constant(p, node, CAB_SPAN_REGULARISATION)};
    return c;
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

CAB_INLINE real cab_span_weight(const cab_span_pass *p, int node)
{
    return real_select(p->first_order, cab_span_constant(p, node, CAB_SPAN_WEIGHT + 1),
                       cab_span_constant(p, node, CAB_SPAN_WEIGHT));
}

/* Fills the lanes of a work-item. Returns whether any is to be solved. */
CAB_INLINE int cab_span_begin(cab_span_lanes *s, cab_span_pass *p, global const int *span_branch,
                              global const cab_branch *branch, global const int *order,
                              global const int *stiff)
{
    cab_numbers per_h, first_order;
    int any = 0;
    cab_span_lanes_of(s, span_branch, branch);
    for (int l = 0; l < CAB_VECTOR; l++) {
        int component = branch[s->branch[l]].component;
        s->moves[l] = s->moves[l] && stiff[component] == CAB_STIFF_MOVES;
        any |= s->moves[l];
        first_order.one[l] = order[component] == 1 ? 1.0f : 0.0f;
        per_h.one[l] = p->scale[l] = cab_per_h(order[component]);
    }
    s->per_h = per_h.all;
    p->first_order = first_order.all > real_of(0);
    return any;
}

/* The tension in the last substep: from its multipliers in the first pass, kept for the others. */
CAB_INLINE real cab_span_last(const cab_span_lanes *s, int node, int goes_on, real lambda)
{
    if (!goes_on) *cab_span_slot(s, node, CAB_SPAN_LAST) = 0 - lambda / s->per_h;
    return *cab_span_slot(s, node, CAB_SPAN_LAST);
}

/* Eliminates node k; `at` is its place in the stage. */
CAB_INLINE void cab_span_take(const cab_span_lanes *s, const cab_span_pass *p, cab_span_front *f, int k,
                              int at, const cab_span_stage *stage)
{
    vec3 e = cab_span_vector(stage->offset[at]);
    vec3 r = cab_between(cab_span_vector(stage->position[at]), e, cab_span_vector(stage->position[at + 1]),
                         cab_span_vector(stage->offset[at + 1]));
    real last = cab_span_last(s, k, p->goes_on, stage->lambda[at].all), tension = real_of(0);
    if (p->goes_on) tension = 0 - *cab_span_slot(s, k, CAB_SPAN_TOTAL);
    cab_span_segment c = cab_span_segment_at(p, k);
    cab_stretch after = cab_span_stretch(s, k, r, cab_span_goes_on(s, k), &c, last, tension);
    real w = cab_span_weight(p, k), none = real_of(0);
    cab_span_eliminate(s, f, k, real_select(w > none, 1 / w, none),
                       vec3_sub(cab_span_vector(stage->inertia[at]), e), &after);
}

/* What the way back gives some nodes. */
typedef struct cab_span_given {
    real_mask off; /* lanes in which a length is still off */
    cab_numbers moved[CAB_SPAN_CHUNK][3], total[CAB_SPAN_CHUNK];
    cab_numbers weight[CAB_SPAN_CHUNK]; /* 0: the node is held, and may be one of several spans */
} cab_span_given;

CAB_INLINE void cab_span_give(const cab_span_lanes *s, const cab_span_pass *p, cab_span_back *f,
                              cab_span_given *to, int k, int at)
{
    real total = real_of(0);
    cab_span_segment c = cab_span_segment_at(p, k);
    if (p->goes_on) total = *cab_span_slot(s, k, CAB_SPAN_TOTAL);
    cab_span_substitute(s, f, k, total, cab_span_stretched(s, k));
    *cab_span_slot(s, k, CAB_SPAN_TOTAL) = f->total;
    real_mask none = total != total;
    real wanted = cab_span_wanted(s, &c, f->total);
    to->off = to->off | (cab_length_off_by(none, f->segment, wanted, s->tolerance) & cab_span_goes_on(s, k));
    to->total[at].all = f->total;
    to->weight[at].all = cab_span_weight(p, k);
    to->moved[at][0].all = f->next.x;
    to->moved[at][1].all = f->next.y;
    to->moved[at][2].all = f->next.z;
}

/* Moves the nodes from `first` on, and writes the multipliers of their segments. */
CAB_INLINE void cab_span_write(const cab_span_lanes *s, const cab_span_pass *p, const cab_span_given *from,
                               int first, global const cab_branch_node *branch_node, global float4 *offset,
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
            distance_lambda[node.distance] = total * p->scale[l];
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
    cab_span_pass p;
    p.goes_on = argument & CAB_NEWTON_GOES_ON;
    if (!cab_span_begin(&s, &p, span_branch + tile * CAB_TILE, branch, order, stiff)) return;
    s.memory = (global real_memory *)(span_memory + (size_t)t.first * (CAB_SPAN_SLOTS * CAB_TILE)) + CAB_LANE;
    p.numbers =
        (global const real_memory *)(span_constant + (size_t)t.first * (CAB_SPAN_CONSTANTS * CAB_TILE)) +
        CAB_LANE;
    cab_span_stage stage;
    cab_span_front front = {cab_stiff_left_none(), cab_stretch_none()};
    for (int first = 0; first < t.count; first += CAB_SPAN_CHUNK) {
        cab_span_read(&s, &stage, first, p.goes_on, branch_node, position, offset, inertia, distance_lambda);
        for (int k = 0; k < CAB_SPAN_CHUNK && first + k < t.count; k++)
            cab_span_take(&s, &p, &front, first + k, k, &stage);
    }
    cab_span_back back = cab_span_back_none();
    cab_span_given given;
    given.off = real_of(0) != real_of(0);
    for (int first = (t.count - 1) / CAB_SPAN_CHUNK * CAB_SPAN_CHUNK; first >= 0; first -= CAB_SPAN_CHUNK) {
        int nodes = t.count - first;
        for (int k = (nodes < CAB_SPAN_CHUNK ? nodes : CAB_SPAN_CHUNK) - 1; k >= 0; k--)
            cab_span_give(&s, &p, &back, &given, first + k, k);
        cab_span_write(&s, &p, &given, first, branch_node, offset, branch_state, distance_lambda);
    }
    cab_numbers off;
    off.all = real_select(given.off, real_of(1), real_of(0));
    for (int l = 0; l < CAB_VECTOR; l++)
        if (s.moves[l]) off_branch[s.branch[l]] = off.one[l] > 0;
}
