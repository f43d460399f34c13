/* Symmetric 3 x 3 matrices, blocks of nine numbers, row by row, and how matrices and vectors lie in memory. */
#ifndef CAB_MATRIX_H
#define CAB_MATRIX_H

#include "vector.h"

/* A symmetric 3 x 3 matrix. */
typedef struct cab_sym3 {
    real xx, yy, zz, xy, xz, yz;
} cab_sym3;

/* s times the unit matrix */
CAB_INLINE cab_sym3 cab_sym3_of(real s)
{
    real none = real_of(0);
    cab_sym3 m = {s, s, s, none, none, none};
    return m;
}

CAB_INLINE cab_sym3 cab_sym3_add(cab_sym3 a, cab_sym3 b)
{
    cab_sym3 m = {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    return m;
}

CAB_INLINE cab_sym3 cab_sym3_sub(cab_sym3 a, cab_sym3 b)
{
    cab_sym3 m = {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
    return m;
}

/* m where the mask is set, else 0 */
CAB_INLINE cab_sym3 cab_sym3_select(real_mask mask, cab_sym3 m)
{
    real none = real_of(0);
    cab_sym3 p = {real_select(mask, m.xx, none), real_select(mask, m.yy, none),
                  real_select(mask, m.zz, none), real_select(mask, m.xy, none),
                  real_select(mask, m.xz, none), real_select(mask, m.yz, none)};
    return p;
}

CAB_INLINE cab_sym3 cab_sym3_choose(real_mask mask, cab_sym3 yes, cab_sym3 no)
{
    cab_sym3 p = {real_select(mask, yes.xx, no.xx), real_select(mask, yes.yy, no.yy),
                  real_select(mask, yes.zz, no.zz), real_select(mask, yes.xy, no.xy),
                  real_select(mask, yes.xz, no.xz), real_select(mask, yes.yz, no.yz)};
    return p;
}

CAB_INLINE cab_sym3 cab_sym3_scale(cab_sym3 m, real s)
{
    cab_sym3 p = {m.xx * s, m.yy * s, m.zz * s, m.xy * s, m.xz * s, m.yz * s};
    return p;
}

CAB_INLINE vec3 cab_sym3_times(cab_sym3 m, vec3 v)
{
    return vec3_make(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                     m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

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

/* The inverse of a positive definite m = L D L^T: L^-T D^-1 L^-1. */
CAB_INLINE cab_sym3 cab_sym3_inverse(cab_sym3 m)
{
    real x = 1 / m.xx, l1 = m.xy * x, l2 = m.xz * x, y = 1 / (m.yy - l1 * m.xy), t = m.yz - l1 * m.xz;
    real l3 = t * y, z = 1 / (m.zz - l2 * m.xz - l3 * t), corner = l1 * l3 - l2;
    cab_sym3 i;
    i.zz = z;
    i.yz = 0 - l3 * z;
    i.xz = corner * z;
    i.yy = y - l3 * i.yz;
    i.xy = 0 - l1 * y - l3 * i.xz;
    i.xx = x + l1 * l1 * y + corner * i.xz;
    return i;
}

/* b a b for symmetric a and b */
CAB_INLINE cab_sym3 cab_sym3_between(cab_sym3 b, cab_sym3 a)
{
    vec3 x = cab_sym3_times(a, vec3_make(b.xx, b.xy, b.xz)),
         y = cab_sym3_times(a, vec3_make(b.xy, b.yy, b.yz));
    vec3 z = cab_sym3_times(a, vec3_make(b.xz, b.yz, b.zz));
    x = cab_sym3_times(b, x);
    y = cab_sym3_times(b, y);
    z = cab_sym3_times(b, z);
    cab_sym3 m = {x.x, y.y, z.z, y.x, z.x, z.y};
    return m;
}

/* A vector in memory whose numbers are `apart` reals from each other. */
CAB_INLINE vec3 cab_apart3(global const real_memory *from, int apart)
{
    return vec3_make(from[0], from[apart], from[2 * apart]);
}

CAB_INLINE void cab_apart3_put(global real_memory *to, int apart, vec3 v)
{
    to[0] = v.x;
    to[apart] = v.y;
    to[2 * apart] = v.z;
}

/* A matrix in memory whose numbers are `apart` reals from each other. */
CAB_INLINE cab_sym3 cab_sym3_apart(global const real_memory *from, int apart)
{
    vec3 d = cab_apart3(from, apart), o = cab_apart3(from + 3 * apart, apart);
    cab_sym3 m = {d.x, d.y, d.z, o.x, o.y, o.z};
    return m;
}

CAB_INLINE void cab_sym3_apart_put(global real_memory *to, int apart, cab_sym3 m)
{
    cab_apart3_put(to, apart, vec3_make(m.xx, m.yy, m.zz));
    cab_apart3_put(to + 3 * apart, apart, vec3_make(m.xy, m.xz, m.yz));
}

#ifndef CAB_WIDE /* matrices in memory */

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

CAB_INLINE vec3 vec3_at(global const float *from)
{
    return vec3_make(from[0], from[1], from[2]);
}

CAB_INLINE vec3 cab_row_of(global const float *block, int row)
{
    return vec3_at(block + 3 * row);
}

CAB_INLINE void vec3_put(global float *to, vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* Writes a block's rows. */
CAB_INLINE void cab_block_put(global float *block, vec3 x, vec3 y, vec3 z)
{
    vec3_put(block, x);
    vec3_put(block + 3, y);
    vec3_put(block + 6, z);
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

/* block + block^T */
CAB_INLINE cab_sym3 cab_sym3_twice(global const float *block)
{
    cab_sym3 m = {2 * block[0],        2 * block[4],        2 * block[8],
                  block[1] + block[3], block[2] + block[6], block[5] + block[7]};
    return m;
}

#endif
#endif
