/* One language for two compilers: OpenCL C for devices, C11 for the native backend.
 *
 * A kernel file is written once. It says
 *
 *     CAB_KERNEL(finish, global const cab_params *params, global float4 *position)
 *     {
 *         CAB_ITEM(i);          // this work-item's index; returns when it lies past the end
 *         ...
 *     }
 *
 * OpenCL compiles this as a kernel, C as a function of one index (host/backend/native). Group kernels have
 * local memory and barriers; natively a group is one thread that walks through all lanes between two
 * barriers.
 *
 * For the same bits from both: only + - * / sqrt and comparisons (all correctly rounded), no contraction, no
 * library functions, no vector arithmetic, the same order everywhere. */
#ifndef CAB_DIALECT_H
#define CAB_DIALECT_H

#ifdef __OPENCL_VERSION__

#pragma OPENCL FP_CONTRACT OFF

#ifndef CAB_ITEM_SIZE /* work-items per group of an item kernel */
#define CAB_ITEM_SIZE 64
#endif
#ifndef CAB_BLOCK_SIZE /* work-items per group of a block kernel */
#define CAB_BLOCK_SIZE 32
#endif
#ifndef CAB_GROUP_SIZE /* work-items per group of a group kernel */
#define CAB_GROUP_SIZE 32
#endif

#define CAB_INLINE static inline __attribute__((always_inline))
#define CAB_FLOAT4(x, y, z, w) ((float4)((x), (y), (z), (w)))
#define CAB_INT4(x, y, z, w) ((int4)((x), (y), (z), (w)))

#define CAB_KERNEL(name, ...)                                                                                \
    __attribute__((reqd_work_group_size(CAB_ITEM_SIZE, 1, 1)))                                               \
    kernel void cab_##name(int cab_first, int cab_count, int argument, __VA_ARGS__)
#define CAB_ITEM(i)                                                                                          \
    int i = (int)get_global_id(0);                                                                           \
    if (i >= cab_count) return;                                                                              \
    i += cab_first

/* An item kernel with few and long items. */
#define CAB_BLOCK_KERNEL(name, ...)                                                                          \
    __attribute__((reqd_work_group_size(CAB_BLOCK_SIZE, 1, 1)))                                              \
    kernel void cab_##name(int cab_first, int cab_count, int argument, __VA_ARGS__)
#define CAB_GROUP_KERNEL(name, ...)                                                                          \
    __attribute__((reqd_work_group_size(CAB_GROUP_SIZE, 1, 1)))                                              \
    kernel void cab_##name(int cab_first, int cab_count, int argument, local float *scratch, __VA_ARGS__)
#define CAB_GROUP(g) int g = cab_first + (int)get_group_id(0)
#define CAB_LANES(i, n) for (int i = (int)get_local_id(0); i < (n); i += CAB_GROUP_SIZE)
/* A loop over lanes that touch different data, so that a group of one may use vector instructions. */
#if CAB_GROUP_SIZE == 1
#define CAB_VECTOR_LANES(i, n) _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < (n); i++)
#else
#define CAB_VECTOR_LANES(i, n) CAB_LANES(i, n)
#endif
/* A loop of one work-item whose iterations touch different data. */
#ifdef __clang__
#define CAB_VECTOR_LOOP(i, n) _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < (n); i++)
#else
#define CAB_VECTOR_LOOP(i, n) for (int i = 0; i < (n); i++)
#endif
/* Before a loop of few and long iterations: it stays one, which compiles sooner. */
#ifdef __clang__
#define CAB_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define CAB_ROLLED
#endif
#if CAB_GROUP_SIZE == 1
#define CAB_BARRIER_LOCAL() ((void)0)
#define CAB_BARRIER_GLOBAL() ((void)0)
#else
#define CAB_BARRIER_LOCAL() barrier(CLK_LOCAL_MEM_FENCE)
#define CAB_BARRIER_GLOBAL() barrier(CLK_GLOBAL_MEM_FENCE)
#endif
/* Kernels of the way lanes: cables of a tile lie side by side, in a vector or over a GPU's work-items. */
#ifndef CAB_VECTOR /* cables per work-item: the device's vector width, set by the host */
#define CAB_VECTOR 1
#endif
#define CAB_TILE (CAB_GROUP_SIZE * CAB_VECTOR)
#define CAB_LANE ((int)get_local_id(0))
#ifdef CAB_SQRT /* square root as an instruction, which can be vectorised */
#define CAB_SQRT_DOUBLE(x) __builtin_sqrt(x)
#undef sqrt /* PoCL has a macro of that name */
#define sqrt(x) CAB_SQRT(x)
#else
#define CAB_SQRT_DOUBLE(x) sqrt(x)
#endif
#define CAB_FLOOR_DOUBLE(x) floor(x)
#if CAB_GROUP_SIZE == 1 && defined __clang__ /* as C, below */
#define CAB_FETCH_AHEAD(p) __builtin_prefetch((const void *)(size_t)(p), 0, 2)
#else
#define CAB_FETCH_AHEAD(p) ((void)(p))
#endif

#else /* C11 */

#include <math.h>
#include <stdint.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

typedef struct float4 {
    _Alignas(16) float x;
    float y, z, w;
} float4;
typedef struct int4 {
    _Alignas(16) int32_t x;
    int32_t y, z, w;
} int4;
typedef uint32_t uint;

#define CAB_INLINE static inline __attribute__((always_inline))
#define CAB_FLOAT4(x, y, z, w) ((float4){(x), (y), (z), (w)})
#define CAB_INT4(x, y, z, w) ((int4){(x), (y), (z), (w)})

#define CAB_KERNEL(name, ...) static inline void cab_##name(int cab_item, int argument, __VA_ARGS__)
#define CAB_ITEM(i)                                                                                          \
    int i = cab_item;                                                                                        \
    (void)argument
#define CAB_BLOCK_KERNEL CAB_KERNEL
#define CAB_GROUP_KERNEL(name, ...)                                                                          \
    static inline void cab_##name(int cab_item, int argument, float *scratch, __VA_ARGS__)
#define CAB_GROUP_SIZE 1
#define CAB_GROUP(g)                                                                                         \
    int g = cab_item;                                                                                        \
    (void)argument;                                                                                          \
    (void)scratch
#define CAB_LANES(i, n) for (int i = 0; i < (n); i++)
#ifdef __clang__
#define CAB_VECTOR_LANES(i, n) _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < (n); i++)
#else
#define CAB_VECTOR_LANES(i, n) _Pragma("GCC ivdep") for (int i = 0; i < (n); i++)
#endif
#define CAB_VECTOR_LOOP CAB_VECTOR_LANES
#define CAB_ROLLED
#define CAB_BARRIER_LOCAL() ((void)0)
#define CAB_BARRIER_GLOBAL() ((void)0)
#if defined __AVX512F__
#define CAB_VECTOR 16
#elif defined __AVX__
#define CAB_VECTOR 8
#else
#define CAB_VECTOR 4
#endif
#define CAB_GROUP_SIZE 1
#define CAB_TILE CAB_VECTOR
#define CAB_LANE 0

/* Asks for a line of memory that will be needed soon. */
#define CAB_FETCH_AHEAD(p) __builtin_prefetch((p), 0, 2)

#define CAB_SQRT_DOUBLE(x) (sqrt)(x) /* brackets keep a macro of that name away */
#define CAB_FLOOR_DOUBLE(x) (floor)(x)

#ifdef CAB_KERNELS_AS_C /* OpenCL's keywords, only where kernels are compiled */
#define kernel
#define global
#define local
#define constant const
#define sqrt(x) sqrtf(x)
#define floor(x) floorf(x)
#endif

#endif
#endif
