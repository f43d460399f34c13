/* The scalar of the physics. A `real` is a float. In a file that defines CAB_WIDE before it includes anything
 * it is CAB_VECTOR floats side by side, one for each cable that a work-item computes at once; on a GPU that
 * is one cable. Functions of reals are written once and mean the same in both.
 *
 * Only + - * / of the type are used directly. All else that differs between widths and compilers is here:
 * conditions are masks, and both sides of a choice are computed. */
#ifndef CAB_REAL_H
#define CAB_REAL_H

#include "dialect.h"

#if defined CAB_WIDE && CAB_VECTOR > 1

#ifdef __OPENCL_VERSION__

#if CAB_VECTOR == 16
typedef float16 real;
typedef int16 real_mask;
#elif CAB_VECTOR == 8
typedef float8 real;
typedef int8 real_mask;
#else
typedef float4 real;
typedef int4 real_mask;
#endif
typedef real real_memory;

#define real_of(x) ((real)(x))
#define real_select(mask, yes, no) select(no, yes, mask)
#define real_any(mask) any(mask)
#ifdef CAB_SQRT
CAB_INLINE real real_sqrt(real x)
{
    union {
        real v;
        float f[CAB_VECTOR];
    } u;
    u.v = x;
    for (int i = 0; i < CAB_VECTOR; i++) u.f[i] = CAB_SQRT(u.f[i]);
    return u.v;
}
#else
#define real_sqrt(x) sqrt(x)
#endif

#else /* C11 with vector extensions */

typedef float real __attribute__((vector_size(4 * CAB_VECTOR)));
typedef real real_memory __attribute__((may_alias)); /* for reading floats as reals */
typedef int32_t real_mask __attribute__((vector_size(4 * CAB_VECTOR)));

CAB_INLINE real real_of(float x)
{
    return x - (real){0}; /* both compilers make a broadcast of this */
}

CAB_INLINE real real_select(real_mask mask, real yes, real no)
{
    return (real)(((real_mask)yes & mask) | ((real_mask)no & ~mask));
}

#if defined __AVX512F__
#define real_any(mask) (_mm512_test_epi32_mask((__m512i)(mask), (__m512i)(mask)) != 0)
#define real_sqrt(x) ((real)_mm512_sqrt_ps((__m512)(x)))
#elif defined __AVX__
#define real_any(mask) (_mm256_movemask_ps((__m256)(mask)) != 0)
#define real_sqrt(x) ((real)_mm256_sqrt_ps((__m256)(x)))
#else
CAB_INLINE int real_any(real_mask mask)
{
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}
CAB_INLINE real real_sqrt(real x)
{
    for (int i = 0; i < CAB_VECTOR; i++) x[i] = sqrtf(x[i]);
    return x;
}
#endif

#endif

#else /* one float */

typedef float real, real_memory;
typedef int real_mask;

#define real_of(x) ((real)(x))
#define real_any(mask) (mask)
#define real_sqrt(x) sqrt(x)

CAB_INLINE real real_select(real_mask mask, real yes, real no)
{
    return mask ? yes : no;
}

#endif

/* Where a mask is false: 0 is false in masks of all widths, true is 1 or -1. */
#define real_not(mask) ((mask) == 0)

CAB_INLINE real real_min(real a, real b)
{
    return real_select(a < b, a, b);
}

CAB_INLINE real real_max(real a, real b)
{
    return real_select(a > b, a, b);
}

CAB_INLINE real real_clamp(real x, real low, real high)
{
    return real_min(real_max(x, low), high);
}

#ifdef CAB_WIDE
/* Numbers of each lane. */
typedef union cab_numbers {
    real all;
    float one[CAB_VECTOR];
} cab_numbers;
#endif

#endif
