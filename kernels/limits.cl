/* limits: measures what the device can do at best, for `clcable bench`: multiplications and additions in
 * registers, not contracted, as in all kernels; and three arrays that are streamed through memory. */
#include "types.h"

/* Vectors as wide as the processor's. The results of CAB_LIMIT_CHAINS vectors do not depend on one another,
 * which hides how long a multiplication takes. */
#if defined(__AVX512F__)
#define CAB_LIMIT_WIDTH 16
#elif defined(__AVX__)
#define CAB_LIMIT_WIDTH 8
#else
#define CAB_LIMIT_WIDTH 4
#endif
#define CAB_LIMIT_CHAINS 12

#ifdef __OPENCL_VERSION__
#define CAB_LIMIT_VECTOR_OF(n) float##n
#define CAB_LIMIT_VECTOR(n) CAB_LIMIT_VECTOR_OF(n)
typedef CAB_LIMIT_VECTOR(CAB_LIMIT_WIDTH) cab_limit_vector;
#define CAB_LIMIT_ALL(s) ((cab_limit_vector)(s))
#else
typedef float cab_limit_vector __attribute__((vector_size(4 * CAB_LIMIT_WIDTH)));
#define CAB_LIMIT_ALL(s) ((cab_limit_vector){0} + (s))
#endif

/* X(k) for each chain. PoCL would keep an array in memory. */
#define CAB_LIMIT_EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define CAB_LIMIT_START(k) cab_limit_vector x##k = CAB_LIMIT_ALL((float)k);
#define CAB_LIMIT_STEP(k) x##k = x##k * scale + add;
#define CAB_LIMIT_SUM(k) total += x##k;

/* A multiplication and an addition in each of CAB_LIMIT_WIDTH x CAB_LIMIT_CHAINS numbers, `steps` times. */
CAB_INLINE float cab_limit_chains(int steps, float scale, float add)
{
    CAB_LIMIT_EACH(CAB_LIMIT_START)
    cab_limit_vector total = CAB_LIMIT_ALL(0.0f);
    for (int step = 0; step < steps; step++) {
        CAB_LIMIT_EACH(CAB_LIMIT_STEP)
    }
    CAB_LIMIT_EACH(CAB_LIMIT_SUM)
    float sum = 0;
    for (int i = 0; i < CAB_LIMIT_WIDTH; i++) sum += ((float *)&total)[i];
    return sum;
}

/* argument: steps. A lane makes 2 CAB_LIMIT_FLOATS operations per step, however wide the vectors are. */
CAB_GROUP_KERNEL(limit_arithmetic, global float *limit_a, global const float *limit_b)
{
    CAB_GROUP(group);
    CAB_LANES(i, CAB_LIMIT_LANES)
    {
        float sum = 0;
        for (int k = 0; k < CAB_LIMIT_FLOATS / (CAB_LIMIT_WIDTH * CAB_LIMIT_CHAINS); k++)
            sum += cab_limit_chains(argument, limit_b[k], limit_b[k + 1]);
        limit_a[group * CAB_LIMIT_LANES + i] = sum;
    }
}

/* a = b + s c, a block per group. */
CAB_GROUP_KERNEL(limit_stream, global float *limit_a, global const float *limit_b,
                 global const float *limit_c)
{
    CAB_GROUP(group);
    int first = group * CAB_LIMIT_BLOCK;
    CAB_VECTOR_LANES(i, CAB_LIMIT_BLOCK)
    {
        limit_a[first + i] = limit_b[first + i] + 3.0f * limit_c[first + i];
    }
}
