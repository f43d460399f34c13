/* The entries of the Delassus operator of a cluster (cluster.cl), cable by cable: how far the impulse of a contact moves
 * another one on the same cable. They follow from the blocks that stiff_condense leaves (stiff.h): a node and the segment
 * before it follow the next node by d = G f, T = y . f with f = (coupling) d_next + u T_next. */
#ifndef CAB_DELASSUS_H
#define CAB_DELASSUS_H

#include "direct.h"
#include "matrix.h"
#include "types.h"

/* Three columns. */
typedef struct cab_columns {
    vec3 x, y, z;
} cab_columns;

CAB_INLINE cab_columns cab_columns_of(cab_sym3 m, real s)
{
    cab_columns c = {vec3_make(s * m.xx, s * m.xy, s * m.xz), vec3_make(s * m.xy, s * m.yy, s * m.yz),
                     vec3_make(s * m.xz, s * m.yz, s * m.zz)};
    return c;
}

/* s a + t b */
CAB_INLINE cab_columns cab_columns_mix(real s, cab_columns a, real t, cab_columns b)
{
    cab_columns c = {vec3_add_scaled(vec3_scale(a.x, s), t, b.x), vec3_add_scaled(vec3_scale(a.y, s), t, b.y),
                     vec3_add_scaled(vec3_scale(a.z, s), t, b.z)};
    return c;
}

CAB_INLINE cab_columns cab_columns_turned(cab_columns a)
{
    cab_columns c = {vec3_make(a.x.x, a.y.x, a.z.x), vec3_make(a.x.y, a.y.y, a.z.y),
                     vec3_make(a.x.z, a.y.z, a.z.z)};
    return c;
}

/* How a node and the segment before it follow a force of 1 along x, y and z somewhere behind: displacements, and changes of
 * tension. */
typedef struct cab_response {
    cab_columns moved;
    vec3 pulled;
} cab_response;

/* The same of the node before, from that of a node. */
CAB_INLINE cab_response cab_response_before(global const cab_stiff_node *node, const cab_response *next)
{
    cab_sym3 coupling = cab_sym3_load(node->coupling), inverse = cab_sym3_load(node->inverse);
    vec3 u = vec3_at(node->u), y = vec3_at(node->y);
    vec3 a = vec3_add_scaled(cab_sym3_times(coupling, next->moved.x), next->pulled.x, u),
         b = vec3_add_scaled(cab_sym3_times(coupling, next->moved.y), next->pulled.y, u),
         c = vec3_add_scaled(cab_sym3_times(coupling, next->moved.z), next->pulled.z, u);
    cab_response r = {{cab_sym3_times(inverse, a), cab_sym3_times(inverse, b), cab_sym3_times(inverse, c)},
                      vec3_make(vec3_dot(y, a), vec3_dot(y, b), vec3_dot(y, c))};
    return r;
}

/* Floats of a node in `mobility`: how it is moved by a force on it, how that changes the tension of the segment before,
 * and how a change of length of that segment does. */
#define CAB_MOBILITY_PULLS 6
#define CAB_MOBILITY_STRETCHES 9

/* A cable of a cluster. */
typedef struct cab_cluster_cable {
    global const cab_branch_node *node;
    global const cab_stiff_node *stiff_node; /* of node k: [k] */
    global const float *mobility;
    global const cab_share *share;
    global const int *share_start, *share_count, *place;
    global float *matrix; /* [count][count][9] blocks, row by row */
    int count;            /* contacts of the cluster */
} cab_cluster_cable;

/* Adds a block to A, and its transpose on the other side of the diagonal. */
CAB_INLINE void cab_cluster_add(const cab_cluster_cable *v, int row, int column, cab_columns block, int twice)
{
    global float *to = v->matrix + 9 * (row * v->count + column);
    cab_columns rows = cab_columns_turned(block);
    cab_block_put(to, vec3_add(vec3_at(to), rows.x), vec3_add(vec3_at(to + 3), rows.y),
                  vec3_add(vec3_at(to + 6), rows.z));
    if (!twice) return;
    to = v->matrix + 9 * (column * v->count + row);
    cab_block_put(to, vec3_add(vec3_at(to), block.x), vec3_add(vec3_at(to + 3), block.y),
                  vec3_add(vec3_at(to + 6), block.z));
}

/* Adds how the contacts of the segment at node k, before its share `until`, follow an impulse of contact `column`. a, b: the
 * displacements of the segment's ends. */
CAB_INLINE void cab_cluster_follow(const cab_cluster_cable *v, int k, int until, int column, cab_columns a,
                                   cab_columns b)
{
    for (int m = v->share_start[v->node[k].segment]; m < until; m++) {
        cab_share own = v->share[m];
        int row = v->place[own.contact];
        if (row >= 0) cab_cluster_add(v, row, column, cab_columns_mix(own.a, a, own.b, b), 1);
    }
}

/* Adds what an impulse at share m of the segment at node k does to the contacts of the cable, from there to node `lowest`. */
CAB_INLINE void cab_cluster_column(const cab_cluster_cable *v, int k, int m, int lowest)
{
    cab_share own = v->share[m];
    int column = v->place[own.contact];
    if (column < 0) return;
    global const float *at_a = v->mobility + CAB_MOBILITY * k, *at_b = at_a + CAB_MOBILITY;
    cab_sym3 moves_a = cab_sym3_load(at_a), moves_b = cab_sym3_load(at_b);
    cab_response end = {cab_columns_of(moves_b, 1), vec3_at(at_b + CAB_MOBILITY_PULLS)};
    cab_response r = cab_response_before(v->stiff_node + k, &end);
    cab_columns b = cab_columns_mix(own.a, cab_columns_turned(r.moved), own.b, end.moved);
    r.moved = cab_columns_mix(own.b, r.moved, own.a, cab_columns_of(moves_a, 1));
    r.pulled = vec3_add_scaled(vec3_scale(r.pulled, own.b), own.a, vec3_at(at_a + CAB_MOBILITY_PULLS));
    cab_cluster_follow(v, k, m, column, r.moved, b);
    cab_cluster_add(v, column, column, cab_columns_mix(own.a, r.moved, own.b, b), 0);
    for (int j = k - 1; j >= lowest; j--) {
        b = r.moved;
        r = cab_response_before(v->stiff_node + j, &r);
        int s = v->node[j].segment;
        cab_cluster_follow(v, j, v->share_start[s] + v->share_count[s], column, r.moved, b);
    }
}

/* Adds a cable to A. */
CAB_INLINE void cab_cluster_add_cable(const cab_cluster_cable *v, cab_branch own)
{
    int last = own.first + own.count - 1, lowest = own.first;
    while (lowest < last && v->share_count[v->node[lowest].segment] == 0) lowest++;
    for (int k = last - 1; k >= lowest; k--) {
        int s = v->node[k].segment;
        for (int m = v->share_start[s]; m < v->share_start[s] + v->share_count[s]; m++)
            cab_cluster_column(v, k, m, lowest);
    }
}

#endif
