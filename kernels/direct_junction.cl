/* direct_junction: the displacements of the junctions of joined cables that balance the pulls of their
 * branches. */
#include "matrix.h"
#include "types.h"

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

/* The same where the component is stiff. back: from where the junction is to where inertia would take it. */
CAB_INLINE void cab_stiff_junction_gather(cab_junction own, int end, real mass, vec3 back,
                                          global const int *junction_item,
                                          global const cab_stiff_condensed *condensed, global float *diagonal,
                                          global float4 *move)
{
    cab_sym3 m = cab_sym3_of(mass);
    vec3 b = vec3_scale(back, mass);
    for (int j = own.item; j < end; j++) {
        int turn = junction_item[j] & 3;
        global const cab_stiff_condensed *c = condensed + (junction_item[j] >> 2);
        if (turn != 1) {
            m = cab_sym3_add(m, cab_sym3_load(c->start));
            b = vec3_add(b, vec3_at(c->start_right));
        }
        if (turn != 0) {
            m = cab_sym3_add(m, cab_sym3_load(c->end));
            b = vec3_add(b, vec3_at(c->end_right));
        }
        if (turn == 2) m = cab_sym3_add(m, cab_sym3_twice(c->cross));
    }
    cab_sym3_store(diagonal, m);
    *move = CAB_FLOAT4(b.x, b.y, b.z, 0);
}

CAB_INLINE void cab_stiff_block_gather(int item, int end, global const int *block_item,
                                       global const cab_stiff_condensed *condensed, global float *block)
{
    for (int k = 0; k < 9; k++) block[k] = 0;
    for (int j = item; j < end; j++) {
        global const float *cross = condensed[block_item[j] >> 1].cross;
        int row_end = block_item[j] & 1;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                block[3 * row + column] += row_end ? cross[3 * row + column] : cross[3 * column + row];
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
                 global const cab_condensed *condensed, global const cab_stiff_condensed *stiff_condensed,
                 global const float4 *branch_slow, global const float4 *inertia, global const float4 *offset,
                 global const int *order, global const int *off, global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int last = own.junction + own.junction_count, first_order = order[own.component];
    if (cab_newton_skips(argument, first_order, stiff[own.component], off[own.component])) return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[own.component];
    for (int k = own.junction; k < last; k++) {
        cab_junction j = junction[k];
        real mass = first_order ? j.mass_first : j.mass;
        int end = junction[k + 1].item;
        global float *diagonal = junction_diagonal + 6 * k;
        if (is_stiff) {
            vec3 back = vec3_sub(vec3_of(inertia[j.particle]), vec3_of(offset[j.particle]));
            cab_stiff_junction_gather(j, end, mass, back, junction_item, stiff_condensed, diagonal,
                                      junction_move + k);
        } else {
            cab_junction_gather(j, end, mass, junction_item, condensed, branch_slow, diagonal,
                                junction_move + k);
        }
        for (int n = j.block; n < junction[k + 1].block; n++) {
            global float *to = junction_block + 9 * n;
            if (is_stiff)
                cab_stiff_block_gather(block[n].item, block[n + 1].item, block_item, stiff_condensed, to);
            else
                cab_block_gather(block[n].item, block[n + 1].item, block_item, condensed, to);
        }
    }
}

/* Solves the equations of direct_assemble by a block L D L^T, in an order that makes no fill for trees. Flags
 * as in direct_condense. */
CAB_BLOCK_KERNEL(direct_junction, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global float4 *offset, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const cab_block_term *block_term, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int last = own.junction + own.junction_count;
    if (cab_newton_skips(argument, order[own.component], stiff[own.component], off[own.component])) return;
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
        if (junction[k].rigid) continue;
        vec3 e = vec3_add(vec3_of(offset[junction[k].particle]), b);
        offset[junction[k].particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
}
