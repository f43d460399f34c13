/* Vectors of three reals. */
#ifndef CAB_VECTOR_H
#define CAB_VECTOR_H

#include "real.h"

typedef struct vec3 {
    real x, y, z;
} vec3;

CAB_INLINE vec3 vec3_make(real x, real y, real z)
{
    vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

CAB_INLINE vec3 vec3_zero(void)
{
    return vec3_make(real_of(0), real_of(0), real_of(0));
}

CAB_INLINE vec3 vec3_add(vec3 a, vec3 b)
{
    return vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

CAB_INLINE vec3 vec3_sub(vec3 a, vec3 b)
{
    return vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

CAB_INLINE vec3 vec3_scale(vec3 a, real s)
{
    return vec3_make(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
CAB_INLINE vec3 vec3_add_scaled(vec3 a, real s, vec3 b)
{
    return vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* a - s b */
CAB_INLINE vec3 vec3_sub_scaled(vec3 a, real s, vec3 b)
{
    return vec3_make(a.x - s * b.x, a.y - s * b.y, a.z - s * b.z);
}

/* Component by component. */
CAB_INLINE vec3 vec3_min(vec3 a, vec3 b)
{
    return vec3_make(real_min(a.x, b.x), real_min(a.y, b.y), real_min(a.z, b.z));
}

CAB_INLINE vec3 vec3_max(vec3 a, vec3 b)
{
    return vec3_make(real_max(a.x, b.x), real_max(a.y, b.y), real_max(a.z, b.z));
}

CAB_INLINE vec3 vec3_select(real_mask mask, vec3 yes, vec3 no)
{
    return vec3_make(real_select(mask, yes.x, no.x), real_select(mask, yes.y, no.y),
                     real_select(mask, yes.z, no.z));
}

/* (1 - t) a + t b */
CAB_INLINE vec3 vec3_mix(vec3 a, vec3 b, real t)
{
    return vec3_make(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
}

CAB_INLINE real vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

CAB_INLINE vec3 vec3_cross(vec3 a, vec3 b)
{
    return vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

CAB_INLINE real vec3_length(vec3 a)
{
    return real_sqrt(vec3_dot(a, a));
}

#ifndef CAB_WIDE

/* The vector in the k-th float4 of an array of floats. Loading a float4 would hinder vectorisation. */
#define VEC3_AT(array, k) vec3_make((array)[4 * (k)], (array)[4 * (k) + 1], (array)[4 * (k) + 2])
#define AS_FLOAT4(numbers) ((local float4 *)(numbers)) /* fills such an array in local memory */

CAB_INLINE vec3 vec3_of(float4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

/* On all four numbers: for copies in memory, which compilers do in one instruction. */
CAB_INLINE float4 float4_sub(float4 a, float4 b)
{
    return CAB_FLOAT4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

CAB_INLINE float4 float4_add_scaled(float4 a, real s, float4 b)
{
    return CAB_FLOAT4(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w);
}

CAB_INLINE float4 float4_mix(float4 a, float4 b, real t)
{
    return CAB_FLOAT4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z),
                      a.w + t * (b.w - a.w));
}

#endif
#endif
