/* direct_junction: the displacements of the junctions of joined cables that balance the pulls of their
 * branches. */
#include "types.h"
#include "vector.h"

/* A symmetric 3 x 3 matrix. */
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

/* Solves m x = b for a positive definite m by L D L^T, which is good for very unequal stiffness. */
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

/* The diagonal block and the right side of a junction, from the branches that end there. */
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
    mass = real_max(mass, pull); /* reduced as inside the branches, see cab_slow_branch */
    cab_sym3 m = {mass, mass, mass, 0, 0, 0};
    vec3 b = vec3_zero();
    for (int j = own.item; j < end; j++) {
        int turn = junction_item[j] & 3; /* 0: the branch's start, 1: its end, 2: both */
        cab_condensed c = condensed[junction_item[j] >> 2];
        vec3 n = cab_end_direction(&c, turn == 1);
        m = cab_sym3_add_outer(m, turn == 1 ? c.end_end : c.start_start, n);
        b = vec3_add_scaled(b, turn == 1 ? c.end_pull : -c.start_pull, n);
        if (turn == 2) { /* a branch with both ends here: -g (n_0 n_m^T + n_m n_0^T) */
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

/* The block of two junctions, from the branches between them: -g n_row n_column^T. */
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

/* The equations of the junctions of joined cables. Flags as in direct_condense. */
CAB_BLOCK_KERNEL(direct_assemble, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const int *junction_item, global const int *block_item,
                 global const cab_condensed *condensed, global const float4 *branch_slow,
                 global const int *order, global const int *off)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int last = own.junction + own.junction_count, first_order = order[own.component];
    if (first_order == CAB_ORDER_ASLEEP || (argument & CAB_NEWTON_WHERE_OFF && !off[own.component])) return;
    for (int k = own.junction; k < last; k++) {
        cab_junction_gather(junction[k], junction[k + 1].item,
                            first_order ? junction[k].mass_first : junction[k].mass, junction_item, condensed,
                            branch_slow, junction_diagonal + 6 * k, junction_move + k);
        for (int j = junction[k].block; j < junction[k + 1].block; j++)
            cab_block_gather(block[j].item, block[j + 1].item, block_item, condensed, junction_block + 9 * j);
    }
}

/* Solves the equations of direct_assemble by a block L D L^T, in an order that makes no fill for trees. Flags
 * as in direct_condense. */
CAB_BLOCK_KERNEL(direct_junction, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global float4 *offset, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const cab_block_term *block_term, global const int *order, global const int *off)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int last = own.junction + own.junction_count, first_order = order[own.component];
    if (first_order == CAB_ORDER_ASLEEP || (argument & CAB_NEWTON_WHERE_OFF && !off[own.component])) return;
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
