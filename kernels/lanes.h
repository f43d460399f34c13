/* Bundles of reals, one for each cable of a tile, for kernels that sweep many chains at once: a vector type
 * where a work-item has the CPU's vector unit to itself, a plain float where each work-item of a group is a
 * lane.
 *
 * Arithmetic is + - * / of the type; what differs between the compilers is here.
 */
#ifndef CAB_LANES_H
#define CAB_LANES_H

#include "dialect.h"

#ifdef __OPENCL_VERSION__

#if CAB_VECTOR == 16
typedef float16 lanes;
typedef int16 lane_mask;
#elif CAB_VECTOR == 8
typedef float8 lanes;
typedef int8 lane_mask;
#elif CAB_VECTOR == 4
typedef float4 lanes;
typedef int4 lane_mask;
#else
typedef float lanes;
typedef int lane_mask;
#endif

typedef lanes lanes_memory;

CAB_INLINE lanes lanes_of(float x)
{
    return (lanes)(x);
}

#if CAB_VECTOR > 1
CAB_INLINE lanes lanes_select(lane_mask mask, lanes yes, lanes no)
{
    return select(no, yes, mask);
}
CAB_INLINE int lanes_any(lane_mask mask)
{
    return any(mask);
}
#ifdef CAB_SQRT
CAB_INLINE lanes lanes_sqrt(lanes x)
{
    union {
        lanes v;
        float f[CAB_VECTOR];
    } u;
    u.v = x;
    for (int i = 0; i < CAB_VECTOR; i++) u.f[i] = CAB_SQRT(u.f[i]);
    return u.v;
}
#else
#define lanes_sqrt(x) sqrt(x)
#endif
#else
CAB_INLINE lanes lanes_select(lane_mask mask, lanes yes, lanes no)
{
    return mask ? yes : no;
}
CAB_INLINE int lanes_any(lane_mask mask)
{
    return mask;
}
#define lanes_sqrt(x) sqrt(x)
#endif

#else /* C11 with vector extensions */

typedef float lanes __attribute__((vector_size(4 * CAB_VECTOR)));
typedef lanes lanes_memory __attribute__((may_alias)); /* where floats are read as bundles */
typedef int32_t lane_mask __attribute__((vector_size(4 * CAB_VECTOR)));

CAB_INLINE lanes lanes_of(float x)
{
    return x - (lanes){0}; /* the way to a broadcast that both compilers take */
}

CAB_INLINE lanes lanes_select(lane_mask mask, lanes yes, lanes no)
{
    return (lanes)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
}

CAB_INLINE int lanes_any(lane_mask mask)
{
#if defined __AVX512F__
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined __AVX__
    return _mm256_movemask_ps((__m256)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

#if defined __AVX512F__
CAB_INLINE lanes lanes_sqrt(lanes x)
{
    return (lanes)_mm512_sqrt_ps((__m512)x);
}
#elif defined __AVX__
CAB_INLINE lanes lanes_sqrt(lanes x)
{
    return (lanes)_mm256_sqrt_ps((__m256)x);
}
#else
CAB_INLINE lanes lanes_sqrt(lanes x)
{
    for (int i = 0; i < CAB_VECTOR; i++) x[i] = sqrtf(x[i]);
    return x;
}
#endif

#endif

CAB_INLINE lanes lanes_max(lanes a, lanes b)
{
    return lanes_select(a > b, a, b);
}

CAB_INLINE lanes lanes_min(lanes a, lanes b)
{
    return lanes_select(a < b, a, b);
}

CAB_INLINE lanes lanes_abs(lanes a)
{
    return lanes_select(a < 0, -a, a);
}

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

CAB_INLINE lanes3 lanes3_make(lanes x, lanes y, lanes z)
{
    lanes3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

CAB_INLINE lanes3 lanes3_zero(void)
{
    return lanes3_make(lanes_of(0), lanes_of(0), lanes_of(0));
}

CAB_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b)
{
    return lanes3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

CAB_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b)
{
    return lanes3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

CAB_INLINE lanes3 lanes3_scale(lanes3 a, lanes s)
{
    return lanes3_make(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
CAB_INLINE lanes3 lanes3_add_scaled(lanes3 a, lanes s, lanes3 b)
{
    return lanes3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* a - s b */
CAB_INLINE lanes3 lanes3_sub_scaled(lanes3 a, lanes s, lanes3 b)
{
    return lanes3_make(a.x - s * b.x, a.y - s * b.y, a.z - s * b.z);
}

CAB_INLINE lanes lanes3_dot(lanes3 a, lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
