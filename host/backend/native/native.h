/* The native backend's parts: kernels compiled as C, the threads that run them, the memory they work on. */
#ifndef CAB_NATIVE_H
#define CAB_NATIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>

#include "backend/kernels.h"

/* Runs a kernel for the indices begin ... end-1. buffer: [CAB_BUFFER_COUNT]; scratch: local memory. */
typedef void cab_native_run(void *const *buffer, int begin, int end, int argument, float *scratch);

typedef struct cab_native_kernel {
    cab_native_run *run;
    int grain; /* the fewest indices for which a thread is woken and that it takes at once */
} cab_native_kernel;

/* A kernel compiled for an instruction set (baseline, avx2, avx512) is a function of its own. */
#define CAB_NATIVE_RUN(set, name) cab_native_run_##set##_##name

/* A table of them per instruction set, from one source. */
extern const cab_native_kernel cab_native_kernels_baseline[CAB_KERNEL_COUNT];
extern const cab_native_kernel cab_native_kernels_avx2[CAB_KERNEL_COUNT];
extern const cab_native_kernel cab_native_kernels_avx512[CAB_KERNEL_COUNT];

typedef struct cab_native_isa {
    const char *name;
    const cab_native_kernel *kernels; /* [CAB_KERNEL_COUNT] */
    int vector;                       /* floats to a vector: CAB_VECTOR of these kernels */
} cab_native_isa;

/* The best that this CPU can do. */
const cab_native_isa *cab_native_best_isa(void);
/* The set that the environment variable CLCABLE_ISA names, else the best. CAB_ERROR_INPUT for an unknown name
 * and for a set that the CPU does not have. */
cab_status cab_native_choose_isa(const cab_native_isa **isa, cab_error *error);

/* Threads that wait for work. */
typedef struct cab_pool cab_pool;

/* Number of cores that this process may use. */
int cab_pool_cores(void);
/* A pool of `threads` threads, the calling one included; NULL on failure. */
cab_pool *cab_pool_create(int threads);
void cab_pool_destroy(cab_pool *pool);
int cab_pool_threads(const cab_pool *pool);

/* Calls work(context, thread, begin, end) for parts of 0 ... count-1 that are at least `grain` long, except
 * the last ones; returns when all are done. A thread starts in a part of its own, the same at each call, then
 * helps the others. */
void cab_pool_run(cab_pool *pool, int count, int grain,
                  void (*work)(void *context, int thread, int begin, int end), void *context);

/* sleep.c: Sleeps until somebody wakes those who sleep at `number`; not at all if it is no longer `seen`. May
 * end too early. Who changes a number wakes the sleepers after it. */
void cab_sleep_while(atomic_uint *number, unsigned seen);
void cab_wake(atomic_uint *number);

#define CAB_NATIVE_ALIGNMENT 64 /* a cache line, and the widest vector */

/* Zeroed memory at a multiple of CAB_NATIVE_ALIGNMENT, for free(); NULL on failure. Large memory lies in
 * large pages if the system has them; each of the pool's threads touches its part of it first. */
void *cab_native_allocate(cab_pool *pool, size_t bytes);

#endif
