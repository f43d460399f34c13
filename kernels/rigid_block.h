/* Blocks of two junctions' equations, as rigid bodies add to them. */
#ifndef CAB_RIGID_BLOCK_H
#define CAB_RIGID_BLOCK_H

#include "rigid.h"

/* Three rows of a block. */
typedef struct cab_rigid_block {
    vec3 row[3];
} cab_rigid_block;

CAB_INLINE cab_rigid_block cab_rigid_turned(cab_rigid_block b)
{
    cab_rigid_block t = {{vec3_make(b.row[0].x, b.row[1].x, b.row[2].x),
                          vec3_make(b.row[0].y, b.row[1].y, b.row[2].y),
                          vec3_make(b.row[0].z, b.row[1].z, b.row[2].z)}};
    return t;
}

/* s + v row^T */
CAB_INLINE cab_rigid_block cab_rigid_outer(cab_rigid_block b, real s, vec3 v, vec3 row)
{
    b.row[0] = vec3_add_scaled(b.row[0], s * v.x, row);
    b.row[1] = vec3_add_scaled(b.row[1], s * v.y, row);
    b.row[2] = vec3_add_scaled(b.row[2], s * v.z, row);
    return b;
}

CAB_INLINE cab_rigid_block cab_rigid_nothing(void)
{
    cab_rigid_block b = {{vec3_zero(), vec3_zero(), vec3_zero()}};
    return b;
}

/* A K: each column is multiplied from the left by a symmetric matrix, or by the arm, [r]x. */
CAB_INLINE cab_rigid_block cab_rigid_times(cab_sym3 a, cab_rigid_block b)
{
    cab_rigid_block t = cab_rigid_turned(b);
    for (int k = 0; k < 3; k++) t.row[k] = cab_sym3_times(a, t.row[k]);
    return cab_rigid_turned(t);
}

CAB_INLINE cab_rigid_block cab_rigid_arms(vec3 r, cab_rigid_block b)
{
    cab_rigid_block t = cab_rigid_turned(b);
    for (int k = 0; k < 3; k++) t.row[k] = vec3_cross(r, t.row[k]);
    return cab_rigid_turned(t);
}

/* Adds a block; target: its number, or -1 - junction on the diagonal, of which the upper triangle is taken. */
CAB_INLINE void cab_rigid_put(cab_rigid_block b, int target, global float *diagonal, global float *block)
{
    global float *to = target < 0 ? diagonal + 6 * (-1 - target) : block + 9 * target;
    if (target < 0) {
        cab_sym3 m = {b.row[0].x, b.row[1].y, b.row[2].z, b.row[0].y, b.row[0].z, b.row[1].z};
        cab_sym3_store(to, cab_sym3_add(cab_sym3_load(to), m));
        return;
    }
    for (int k = 0; k < 3; k++) vec3_put(to + 3 * k, vec3_add(cab_row_of(to, k), b.row[k]));
}

/* Adds to the right side of a junction. */
CAB_INLINE void cab_rigid_push(global float4 *move, int junction, vec3 push)
{
    vec3 sum = vec3_add(vec3_of(move[junction]), push);
    move[junction] = CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
}

/* The block of two junctions, of which the one that is eliminated first has the column; -1 = there is none. */
CAB_INLINE int cab_rigid_block_of(int row, int column, global const cab_junction *junction,
                                  global const cab_block *block)
{
    int at = junction[column].block, end = junction[column + 1].block;
    while (at < end && block[at].row != row) at++;
    return at < end ? at : -1;
}

/* The equations of junctions, of which some are bodies'. */
typedef struct cab_rigid_equations {
    global float4 *move;
    global float *diagonal, *block;
    global const cab_junction *junction;
    global const cab_block *blocks;
    global const cab_rigid *rigid;
} cab_rigid_equations;

/* Does the lower triangle, of which equations have all, have a block of two junctions? */
CAB_INLINE int cab_rigid_has(const cab_rigid_equations *e, int row, int column)
{
    return row == column || (row > column && cab_rigid_block_of(row, column, e->junction, e->blocks) >= 0);
}

/* Adds to it. */
CAB_INLINE void cab_rigid_put_at(cab_rigid_block b, int row, int column, const cab_rigid_equations *e)
{
    int target = row == column ? -1 - row : cab_rigid_block_of(row, column, e->junction, e->blocks);
    cab_rigid_put(b, target, e->diagonal, e->block);
}

#endif
