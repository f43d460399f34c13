/* The native backend's two halves: kernels compiled as C, and the threads that run them. */
#ifndef CAB_NATIVE_H
#define CAB_NATIVE_H

#include <stddef.h>

#include "backend/kernels.h"

/* Runs a kernel for the indices begin ... end-1. buffer[CAB_BUFFER_COUNT] are the buffers, scratch is local
 * memory. */
typedef void cab_native_run(void *const *buffer, int begin, int end, int argument, float *scratch);

typedef struct cab_native_kernel {
    cab_native_run *run;
    int grain; /* indices that are worth waking a thread for */
} cab_native_kernel;

extern const cab_native_kernel cab_native_kernels[CAB_KERNEL_COUNT];

/* Floats to a vector of these kernels. */
extern const int cab_native_vector;

/* Threads that wait for work. */
typedef struct cab_pool cab_pool;

/* `threads` workers, the calling thread included; NULL when they could not be made. */
cab_pool *cab_pool_create(int threads);
void cab_pool_destroy(cab_pool *pool);
int cab_pool_threads(const cab_pool *pool);

/* Calls work(context, thread, begin, end) on slices of 0 ... count-1, one a thread at most, each at least
 * `grain` long; returns when all are done. */
void cab_pool_run(cab_pool *pool, int count, int grain,
                  void (*work)(void *context, int thread, int begin, int end), void *context);

#endif
