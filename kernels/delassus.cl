/* delassus: the Delassus operator of the contacts of a cable in a cluster (cluster.cl), A = G K^-1 G^T: how far the impulse of a
 * contact moves the points of another one. Its entries follow from the blocks that stiff_condense leaves (stiff.h): a node and
 * the segment before it follow the next node by d = G f, T = y . f with f = (coupling) d_next + u T_next. A lane has a column:
 * it goes from the end of the cable to its start, and notes at each contact what its own impulse has come to there.
 *
 * That gives L, what an impulse does from where it acts towards the start of the cable, and half of what it does where it acts;
 * A = L + L^T (cluster_turn). A contact of a cable with itself acts at two places of it. */
#define CAB_WIDE
#include "matrix.h"
#include "types.h"

CAB_INLINE vec3 cab_wide3(global const float *from)
{
    return vec3_make(real_of(from[0]), real_of(from[1]), real_of(from[2]));
}

CAB_INLINE cab_sym3 cab_wide_sym3(global const float *from)
{
    cab_sym3 m = {real_of(from[0]), real_of(from[1]), real_of(from[2]),
                  real_of(from[3]), real_of(from[4]), real_of(from[5])};
    return m;
}

/* How a node and the segment before it follow impulses of 1 along x, y and z somewhere behind: displacements, and changes of
 * tension. */
typedef struct cab_response {
    vec3 moved[3];
    real pulled[3];
} cab_response;

CAB_INLINE cab_response cab_response_none(void)
{
    cab_response r;
    for (int j = 0; j < 3; j++) {
        r.moved[j] = vec3_zero();
        r.pulled[j] = real_of(0);
    }
    return r;
}

/* The same of the node before, from that of a node. */
CAB_INLINE cab_response cab_response_before(global const cab_stiff_node *node, const cab_response *next)
{
    cab_sym3 coupling = cab_wide_sym3(node->coupling), inverse = cab_wide_sym3(node->inverse);
    vec3 u = cab_wide3(node->u), y = cab_wide3(node->y);
    cab_response r;
    for (int j = 0; j < 3; j++) {
        vec3 f = vec3_add_scaled(cab_sym3_times(coupling, next->moved[j]), next->pulled[j], u);
        r.moved[j] = cab_sym3_times(inverse, f);
        r.pulled[j] = vec3_dot(y, f);
    }
    return r;
}

/* What a node does that an impulse acts on. */
CAB_INLINE cab_response cab_response_own(global const float *mobility)
{
    cab_sym3 m = cab_wide_sym3(mobility);
    vec3 pulls = cab_wide3(mobility + CAB_MOBILITY_PULLS);
    cab_response r = {{vec3_make(m.xx, m.xy, m.xz), vec3_make(m.xy, m.yy, m.yz), vec3_make(m.xz, m.yz, m.zz)},
                      {pulls.x, pulls.y, pulls.z}};
    return r;
}

/* a segment's ends: that of its first node, with the segment before, and that of its second one */
typedef struct cab_response_ends {
    cab_response a;
    vec3 b[3];
} cab_response_ends;

/* The response to an impulse at the place of a share of the segment at a node. */
CAB_INLINE cab_response_ends cab_response_at(global const cab_stiff_node *node, global const float *mobility,
                                             cab_share at)
{
    cab_response first = cab_response_own(mobility), second = cab_response_own(mobility + CAB_MOBILITY);
    cab_response across =
        cab_response_before(node, &second); /* of the first node, to an impulse on the second */
    real a = real_of(at.a), b = real_of(at.b);
    vec3 x = across.moved[0], y = across.moved[1], z = across.moved[2];
    vec3 turned[3] = {vec3_make(x.x, y.x, z.x), vec3_make(x.y, y.y, z.y), vec3_make(x.z, y.z, z.z)};
    cab_response_ends r;
    for (int j = 0; j < 3; j++) {
        r.a.moved[j] = vec3_add_scaled(vec3_scale(first.moved[j], a), b, across.moved[j]);
        r.a.pulled[j] = a * first.pulled[j] + b * across.pulled[j];
        r.b[j] = vec3_add_scaled(vec3_scale(turned[j], a), b, second.moved[j]);
    }
    return r;
}

/* The columns of a work-item. */
typedef struct cab_columns {
    cab_response_ends r;
    cab_cluster_rows own;
    int column, stride; /* the first column in the block */
    int any;            /* an impulse acts already */
    global float *matrix;
} cab_columns;

/* Adds what the columns have come to at a share, in row `row`; s times of it. */
CAB_INLINE void cab_columns_note(const cab_columns *c, int row, cab_share at, const cab_response_ends *r,
                                 real s)
{
    real a = s * at.a, b = s * at.b;
    for (int j = 0; j < 3; j++) {
        vec3 v = vec3_add_scaled(vec3_scale(r->a.moved[j], a), b, r->b[j]);
        global float *to = c->matrix + (row * 9 + j) * c->stride + c->column;
        *(global real_memory *)to = *(global real_memory *)to + v.x;
        to += 3 * c->stride;
        *(global real_memory *)to = *(global real_memory *)to + v.y;
        to += 3 * c->stride;
        *(global real_memory *)to = *(global real_memory *)to + v.z;
    }
}

/* From here on the impulse of the column of `row` acts, too. */
CAB_INLINE void cab_columns_begin(cab_columns *c, int row, cab_share at, global const cab_stiff_node *node,
                                  global const float *mobility)
{
    int lane = row - c->column;
    if (lane < 0 || lane >= CAB_VECTOR) return;
    union {
        real all;
        float one[CAB_VECTOR];
    } own;
    for (int l = 0; l < CAB_VECTOR; l++) own.one[l] = l == lane ? 1.0f : 0.0f;
    cab_response_ends r = cab_response_at(node, mobility, at);
    cab_columns_note(c, row, at, &r, own.all * 0.5f);
    for (int j = 0; j < 3; j++) {
        c->r.a.moved[j] = vec3_add_scaled(c->r.a.moved[j], own.all, r.a.moved[j]);
        c->r.a.pulled[j] = c->r.a.pulled[j] + own.all * r.a.pulled[j];
        c->r.b[j] = vec3_add_scaled(c->r.b[j], own.all, r.b[j]);
    }
    c->any = 1;
}

/* Nothing yet, for all rows. */
CAB_INLINE void cab_columns_clear(const cab_columns *c)
{
    for (int k = 0; k < 9 * c->own.count; k++)
        *(global real_memory *)(c->matrix + k * c->stride + c->column) = real_of(0);
}

/* L of a tile of columns. */
CAB_GROUP_KERNEL(cluster_columns, global float *delassus, global const cab_cluster_rows *cluster_rows,
                 global const int *cluster_row, global const float *mobility,
                 global const cab_stiff_node *stiff_node, global const int *component_branch_start,
                 global const int *component_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const int4 *contact_end,
                 global const int *component, global const cab_share *share, global const int *share_start,
                 global const int *share_count, global const int *stiff)
{
    CAB_GROUP(tile);
    int row = tile * CAB_TILE + CAB_LANE * CAB_VECTOR;
    cab_columns c;
    c.own = cluster_rows[row / CAB_CLUSTER_GROUP];
    c.column = row - c.own.first;
    c.stride = cab_cluster_stride(c.own.count);
    c.any = 0;
    c.matrix = delassus + c.own.matrix;
    c.r.a = cab_response_none();
    for (int j = 0; j < 3; j++) c.r.b[j] = vec3_zero();
    if (c.column >= c.own.count || stiff[c.own.component] != CAB_STIFF_MOVES) return;
    cab_columns_clear(&c);
    int i = component_branch[component_branch_start[c.own.component]], self = 0;
    cab_branch cable = branch[i];
    for (int k = cable.first + cable.count - 2, more = 1; more && k >= cable.first; k--) {
        int s = branch_node[k].segment, first = share_start[s];
        if (c.any) {
            for (int j = 0; j < 3; j++) c.r.b[j] = c.r.a.moved[j];
            c.r.a = cab_response_before(stiff_node + i + k, &c.r.a);
        }
        for (int m = first + share_count[s] - 1; m >= first; m--) {
            cab_share at = share[m];
            int4 end = contact_end[at.contact];
            int of_first = component[end.x] == c.own.component;
            int r = cluster_row[2 * at.contact + !of_first] - c.own.first;
            if (r < 0 || r >= c.own.count) continue;
            if (c.any) cab_columns_note(&c, r, at, &c.r, real_of(1));
            cab_columns_begin(&c, r, at, stiff_node + i + k, mobility + CAB_MOBILITY * k);
            /* rows are in the order of their contacts' first places on the cable: behind the first one there is nothing */
            if (r == 0 && component[end.x] == component[end.z]) self = !self;
            if (r == 0 && !self) more = 0;
        }
    }
}
