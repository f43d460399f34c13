/* Bending and lengths in one system: one Newton step for the places and the tensions of joined cables together,
 *
 *   H d + J^T T = residual      H = M + tension's stiffness + sum g g^T K, for all bendings
 *   J d - soft T = -C           K = k (D^ D^T + max(0, 1 - rest/|D|) (1 - D^ D^T)), D^ = D/|D|
 *
 * with the terms of stiff.h, and of each bending what it is stiff by along its curvature D and across it: energies
 * k/2 (|D| - rest)^2 of what is curved at rest do not know in which direction they bend, so its target turns along within the step.
 *
 * An unknown block is the displacement of a particle and the change of tension of one segment that ends there. The matrix is
 * symmetric and quasi-definite, so that any order of elimination exists (R. Vanderbei, "Symmetric quasi-definite matrices",
 * 1995): L D L^T by blocks of four. In doubles, since bending may be 10^7 times what the masses are. */
#ifndef CAB_COUPLED_H
#define CAB_COUPLED_H

#include "types.h"
#include "vector.h"

#if defined __OPENCL_VERSION__ && !defined cl_khr_fp64
typedef float cab_double; /* the host does not run these kernels then */
#define CAB_COUPLED_SQRT(x) sqrt(x)
#else
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double cab_double;
#define CAB_COUPLED_SQRT(x) CAB_SQRT_DOUBLE(x)
#endif

typedef struct cab_double3 {
    cab_double x, y, z;
} cab_double3;

CAB_INLINE cab_double3 cab_double3_make(cab_double x, cab_double y, cab_double z)
{
    cab_double3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

CAB_INLINE cab_double3 cab_double3_of(float4 v)
{
    return cab_double3_make((cab_double)v.x, (cab_double)v.y, (cab_double)v.z);
}

CAB_INLINE cab_double3 cab_double3_add(cab_double3 a, cab_double s, cab_double3 b)
{
    return cab_double3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

CAB_INLINE cab_double3 cab_double3_scale(cab_double3 a, cab_double s)
{
    return cab_double3_make(s * a.x, s * a.y, s * a.z);
}

CAB_INLINE cab_double cab_double3_dot(cab_double3 a, cab_double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

CAB_INLINE cab_double cab_double3_length(cab_double3 a)
{
    return CAB_COUPLED_SQRT(cab_double3_dot(a, a));
}

/* Adds s (even + (1 - even) u u^T) to the first three rows and columns of a block, column by column. */
CAB_INLINE void cab_coupled_add(global cab_double *block, cab_double s, cab_double even, cab_double3 u)
{
    cab_double along = s * (1 - even), plain = s * even;
    block[0] += plain + along * u.x * u.x;
    block[1] += along * u.x * u.y;
    block[2] += along * u.x * u.z;
    block[4] += along * u.x * u.y;
    block[5] += plain + along * u.y * u.y;
    block[6] += along * u.y * u.z;
    block[8] += along * u.x * u.z;
    block[9] += along * u.y * u.z;
    block[10] += plain + along * u.z * u.z;
}

/* The same of a symmetric matrix xx, yy, zz, xy, xz, yz. */
CAB_INLINE void cab_coupled_add_sym(global cab_double *block, global const float *m)
{
    block[0] += (cab_double)m[0];
    block[1] += (cab_double)m[3];
    block[2] += (cab_double)m[4];
    block[4] += (cab_double)m[3];
    block[5] += (cab_double)m[1];
    block[6] += (cab_double)m[5];
    block[8] += (cab_double)m[4];
    block[9] += (cab_double)m[5];
    block[10] += (cab_double)m[2];
}

CAB_INLINE void cab_coupled_add_right(global cab_double *column, cab_double s, cab_double3 v)
{
    column[CAB_COUPLED_RIGHT] += s * v.x;
    column[CAB_COUPLED_RIGHT + 1] += s * v.y;
    column[CAB_COUPLED_RIGHT + 2] += s * v.z;
}

/* A diagonal block becomes L D L^T: 1/D on its diagonal, L below. */
CAB_INLINE void cab_coupled_factor(global cab_double *a)
{
    for (int k = 0; k < 4; k++) {
        cab_double pivot = a[5 * k], inverse = pivot != 0 ? 1 / pivot : 0;
        a[5 * k] = inverse;
        for (int c = k + 1; c < 4; c++) {
            cab_double scaled = a[4 * k + c] * inverse;
            for (int r = c; r < 4; r++) a[4 * c + r] -= a[4 * k + r] * scaled;
        }
        for (int r = k + 1; r < 4; r++) a[4 * k + r] *= inverse;
    }
}

/* A block beside a diagonal one that is factored: V = B L^-T. */
CAB_INLINE void cab_coupled_divide(global cab_double *b, global const cab_double *a)
{
    for (int k = 0; k < 4; k++)
        for (int c = k + 1; c < 4; c++)
            for (int r = 0; r < 4; r++) b[4 * c + r] -= b[4 * k + r] * a[4 * k + c];
}

/* target -= V D^-1 W^T, with V and W beside the diagonal block a. */
CAB_INLINE void cab_coupled_update(global cab_double *target, global const cab_double *v,
                                   global const cab_double *w, global const cab_double *a)
{
    cab_double inverse[4];
    for (int k = 0; k < 4; k++) inverse[k] = a[5 * k];
    for (int c = 0; c < 4; c++) {
        cab_double w0 = w[c] * inverse[0], w1 = w[4 + c] * inverse[1], w2 = w[8 + c] * inverse[2],
                   w3 = w[12 + c] * inverse[3];
        for (int r = 0; r < 4; r++)
            target[4 * c + r] -= v[r] * w0 + v[4 + r] * w1 + v[8 + r] * w2 + v[12 + r] * w3;
    }
}

/* Right side of a column becomes D^-1 L^-1 of it. */
CAB_INLINE void cab_coupled_forward(global cab_double *column)
{
    global cab_double *x = column + CAB_COUPLED_RIGHT;
    for (int k = 0; k < 4; k++)
        for (int r = k + 1; r < 4; r++) x[r] -= column[4 * k + r] * x[k];
    for (int k = 0; k < 4; k++) x[k] *= column[5 * k];
}

/* Takes a column's part from the right side of a row. */
CAB_INLINE void cab_coupled_take(global cab_double *row, global const cab_double *v,
                                 global const cab_double *column)
{
    global cab_double *y = row + CAB_COUPLED_RIGHT;
    global const cab_double *x = column + CAB_COUPLED_RIGHT;
    for (int r = 0; r < 4; r++) y[r] -= v[r] * x[0] + v[4 + r] * x[1] + v[8 + r] * x[2] + v[12 + r] * x[3];
}

/* The way back: takes a row's solution from a column, */
CAB_INLINE void cab_coupled_return(global cab_double *column, global const cab_double *v,
                                   global const cab_double *row)
{
    global cab_double *x = column + CAB_COUPLED_RIGHT;
    global const cab_double *y = row + CAB_COUPLED_RIGHT;
    for (int k = 0; k < 4; k++)
        x[k] -= column[5 * k] *
                (v[4 * k] * y[0] + v[4 * k + 1] * y[1] + v[4 * k + 2] * y[2] + v[4 * k + 3] * y[3]);
}

/* and solves it. */
CAB_INLINE void cab_coupled_back(global cab_double *column)
{
    global cab_double *x = column + CAB_COUPLED_RIGHT;
    for (int k = 3; k >= 0; k--)
        for (int r = k + 1; r < 4; r++) x[k] -= column[4 * k + r] * x[r];
}

#endif
