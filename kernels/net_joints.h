/* The separators and junctions of a net in lanes (nets.cl), solved by its work-item one after the other: the equations of
 * direct_bend.cl and direct_junction.cl. Vectors have the same number in all lanes here. */
#ifndef CAB_NET_JOINTS_H
#define CAB_NET_JOINTS_H

#include "matrix.h"
#include "net_sweep.h"

/* Where nets keep their numbers, tile_memory and net_memory, and the tables of their junctions. */
typedef struct cab_net_tables {
    global float *work, *memory;
    global const int *item;
    global const cab_joined *joined;
    global const cab_separator *separator;
    global const int *separator_row;
    global const float *separator_factor;
    global const cab_junction *junction;
    global const cab_block *block;
    global const cab_block_term *block_term;
} cab_net_tables;

typedef struct cab_net_joints {
    cab_net net;
    cab_net_tables t;
} cab_net_joints;

CAB_INLINE void cab_net_put(global float *to, vec3 v)
{
    to[0] = cab_net_one(v.x);
    to[1] = cab_net_one(v.y);
    to[2] = cab_net_one(v.z);
}

/* Displacements of the separators of cables that are joined to each other; their right sides are the sums of what their
 * copies in the lanes hold, which then hold the displacements. */
CAB_INLINE void cab_net_separate(const cab_net_joints *n, cab_joined own, int first, int first_order)
{
    global const int *start = n->t.item + n->net.copy;
    global float *x = n->t.memory + n->net.separator - 3 * first;
    int last = own.separator + own.separator_count;
    for (int k = own.separator; k < last; k++) {
        float sum[3] = {0, 0, 0};
        for (int j = start[k - first]; j < start[k - first + 1]; j++)
            for (int c = 0; c < 3; c++) sum[c] += n->t.work[n->t.item[j] + c * CAB_TILE];
        for (int c = 0; c < 3; c++) x[3 * k + c] = sum[c];
    }
    for (int k = own.separator; k < last; k++) {
        for (int j = n->t.separator[k].row; j < n->t.separator[k + 1].row; j++) {
            global float *to = x + 3 * n->t.separator_row[j];
            float factor = n->t.separator_factor[2 * j + first_order];
            for (int c = 0; c < 3; c++) to[c] = to[c] - factor * x[3 * k + c];
        }
    }
    for (int k = last - 1; k >= own.separator; k--) {
        cab_separator s = n->t.separator[k];
        float pivot = first_order ? s.pivot_first : s.pivot, sum[3];
        for (int c = 0; c < 3; c++) sum[c] = x[3 * k + c] * pivot;
        for (int j = s.row; j < n->t.separator[k + 1].row; j++) {
            global const float *from = x + 3 * n->t.separator_row[j];
            float factor = n->t.separator_factor[2 * j + first_order];
            for (int c = 0; c < 3; c++) sum[c] = sum[c] - factor * from[c];
        }
        for (int c = 0; c < 3; c++) x[3 * k + c] = sum[c];
        for (int j = start[k - first]; j < start[k - first + 1]; j++)
            for (int c = 0; c < 3; c++) n->t.work[n->t.item[j] + c * CAB_TILE] = sum[c];
    }
}

CAB_INLINE real cab_net_numbers(const cab_net_joints *n, int lane, int which)
{
    return real_of(n->t.memory[n->net.number + which * n->net.lanes + lane]);
}

CAB_INLINE vec3 cab_net_direction(const cab_net_joints *n, int lane, int end)
{
    return cab_net_spread(n->t.memory + n->net.number + (end ? CAB_NET_END : CAB_NET_START) * n->net.lanes +
                              lane,
                          n->net.lanes);
}

/* The diagonal block and the right side of a junction, whose branches are item ... end - 1. */
CAB_INLINE vec3 cab_net_gather(const cab_net_joints *n, int item, int end, float mass, cab_sym3 *diagonal)
{
    cab_sym3 m = cab_sym3_of(real_of(mass));
    vec3 b = vec3_zero();
    for (int j = item; j < end; j++) {
        int lane = n->t.item[j] >> 2, turn = n->t.item[j] & 3;
        if (turn != 1) {
            vec3 u = cab_net_direction(n, lane, 0);
            m = cab_sym3_add_outer(m, cab_net_numbers(n, lane, CAB_NET_START_START), u);
            b = vec3_sub_scaled(b, cab_net_numbers(n, lane, CAB_NET_START_PULL), u);
        }
        if (turn != 0) {
            vec3 u = cab_net_direction(n, lane, 1);
            m = cab_sym3_add_outer(m, cab_net_numbers(n, lane, CAB_NET_END_END), u);
            b = vec3_add_scaled(b, cab_net_numbers(n, lane, CAB_NET_END_PULL), u);
        }
        if (turn == 2) { /* both ends are here: -g (u_0 u_1^T + u_1 u_0^T) */
            vec3 u = cab_net_direction(n, lane, 0), w = cab_net_direction(n, lane, 1);
            real g = cab_net_numbers(n, lane, CAB_NET_START_END);
            m = cab_sym3_add_outer(m, real_of(0) - g, vec3_add(u, w));
            m = cab_sym3_add_outer(cab_sym3_add_outer(m, g, u), g, w);
        }
    }
    *diagonal = m;
    return b;
}

CAB_INLINE void cab_net_gather_block(const cab_net_joints *n, int item, int end, global float *block)
{
    vec3 row[3] = {vec3_zero(), vec3_zero(), vec3_zero()};
    for (int j = item; j < end; j++) {
        int lane = n->t.item[j] >> 1, turn = n->t.item[j] & 1;
        vec3 u = cab_net_direction(n, lane, turn), w = cab_net_direction(n, lane, !turn);
        real g = cab_net_numbers(n, lane, CAB_NET_START_END);
        row[0] = vec3_sub_scaled(row[0], g * u.x, w);
        row[1] = vec3_sub_scaled(row[1], g * u.y, w);
        row[2] = vec3_sub_scaled(row[2], g * u.z, w);
    }
    for (int k = 0; k < 3; k++) cab_net_put(block + 3 * k, row[k]);
}

CAB_INLINE cab_sym3 cab_net_diagonal(global const float *from)
{
    cab_sym3 m = {real_of(from[0]), real_of(from[1]), real_of(from[2]),
                  real_of(from[3]), real_of(from[4]), real_of(from[5])};
    return m;
}

CAB_INLINE void cab_net_diagonal_put(global float *to, cab_sym3 m)
{
    to[0] = cab_net_one(m.xx);
    to[1] = cab_net_one(m.yy);
    to[2] = cab_net_one(m.zz);
    to[3] = cab_net_one(m.xy);
    to[4] = cab_net_one(m.xz);
    to[5] = cab_net_one(m.yz);
}

/* target -= B_1 D^-1 B_2^T */
CAB_INLINE void cab_net_update(cab_sym3 inverse, global const float *b1, global const float *b2,
                               global float *target, int diagonal)
{
    vec3 row[3], x = cab_net_spread(b2, 1), y = cab_net_spread(b2 + 3, 1), z = cab_net_spread(b2 + 6, 1);
    for (int k = 0; k < 3; k++) {
        vec3 t = cab_sym3_times(inverse, cab_net_spread(b1 + 3 * k, 1));
        row[k] = vec3_make(vec3_dot(x, t), vec3_dot(y, t), vec3_dot(z, t));
    }
    if (diagonal) {
        cab_sym3 take = {row[0].x, row[1].y, row[2].z, row[0].y, row[0].z, row[1].z};
        cab_net_diagonal_put(target, cab_sym3_sub(cab_net_diagonal(target), take));
        return;
    }
    for (int k = 0; k < 3; k++)
        cab_net_put(target + 3 * k, vec3_sub(cab_net_spread(target + 3 * k, 1), row[k]));
}

/* Moves the junctions of cables that are joined to each other: displacements to `move`. first, first_block: of the net */
CAB_INLINE void cab_net_join(const cab_net_joints *n, cab_joined own, int first, int first_block,
                             int first_order)
{
    int last = own.junction + own.junction_count;
    global float *move = n->t.memory + n->net.move - 3 * first,
                 *diagonal = n->t.memory + n->net.diagonal - 6 * first,
                 *block = n->t.memory + n->net.block - 9 * first_block;
    for (int k = own.junction; k < last; k++) {
        cab_junction j = n->t.junction[k];
        cab_sym3 m;
        cab_net_put(move + 3 * k, cab_net_gather(n, n->net.junction_item + j.item,
                                                 n->net.junction_item + n->t.junction[k + 1].item,
                                                 first_order ? j.mass_first : j.mass, &m));
        cab_net_diagonal_put(diagonal + 6 * k, m);
        for (int b = j.block; b < n->t.junction[k + 1].block; b++)
            cab_net_gather_block(n, n->net.block_item + n->t.block[b].item,
                                 n->net.block_item + n->t.block[b + 1].item, block + 9 * b);
    }
    for (int k = own.junction; k < last; k++) {
        cab_sym3 inverse = cab_sym3_inverse(cab_net_diagonal(diagonal + 6 * k));
        vec3 b = cab_sym3_times(inverse, cab_net_spread(move + 3 * k, 1));
        cab_net_diagonal_put(diagonal + 6 * k, inverse);
        for (int j = n->t.junction[k].block; j < n->t.junction[k + 1].block; j++) {
            global float *to = move + 3 * n->t.block[j].row, *of = block + 9 * j;
            vec3 take = vec3_make(vec3_dot(cab_net_spread(of, 1), b), vec3_dot(cab_net_spread(of + 3, 1), b),
                                  vec3_dot(cab_net_spread(of + 6, 1), b));
            cab_net_put(to, vec3_sub(cab_net_spread(to, 1), take));
        }
        for (int j = n->t.junction[k].update; j < n->t.junction[k + 1].update; j++) {
            cab_block_term u = n->t.block_term[j];
            cab_net_update(inverse, block + 9 * u.row, block + 9 * u.column,
                           u.target < 0 ? diagonal + 6 * (-1 - u.target) : block + 9 * u.target,
                           u.target < 0);
        }
    }
    for (int k = last - 1; k >= own.junction; k--) {
        vec3 b = cab_net_spread(move + 3 * k, 1);
        for (int j = n->t.junction[k].block; j < n->t.junction[k + 1].block; j++) {
            global const float *of = block + 9 * j;
            vec3 x = cab_net_spread(move + 3 * n->t.block[j].row, 1);
            b = vec3_sub_scaled(b, x.x, cab_net_spread(of, 1));
            b = vec3_sub_scaled(b, x.y, cab_net_spread(of + 3, 1));
            b = vec3_sub_scaled(b, x.z, cab_net_spread(of + 6, 1));
        }
        cab_net_put(move + 3 * k, cab_sym3_times(cab_net_diagonal(diagonal + 6 * k), b));
    }
}

#endif
