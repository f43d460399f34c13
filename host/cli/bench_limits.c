
#include "cli/bench.h"
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "backend/backend.h"

#include "kernels/types.h"

#define PROBE_SECONDS 0.25 /* of launches; the best of them counts */
#define LONG_ENOUGH 0.01   /* s, of one launch: no longer ones are tried */

enum {
    SMALLEST = 4,       /* groups, steps: where sizes start */
    MOST_BLOCKS = 4096, /* 64 MiB an array: more than caches hold */
    MOST_GROUPS = 256,  /* plenty for any number of cores or multiprocessors */
    MOST_STEPS = 4096,
};

/* A launch of some size. */
typedef struct probe {
    cab_kernel kernel;
    int groups, argument;
    double work; /* of one launch */
} probe;

static cab_status time_launch(cab_backend *backend, const probe *p, double *seconds, cab_error *error)
{
    double start = cab_now();
    cab_status status = backend->ops->run(backend, p->kernel, 0, p->groups, p->argument, 0, error);
    if (status == CAB_OK) status = backend->ops->finish(backend, error);
    *seconds = cab_now() - start;
    return status;
}

/* The second of two: drivers compile anew for a launch of another size. */
static cab_status time_warm(cab_backend *backend, const probe *p, double *seconds, cab_error *error)
{
    cab_status status = time_launch(backend, p, seconds, error);
    return status == CAB_OK ? time_launch(backend, p, seconds, error) : status;
}

static probe stream_of(int blocks)
{
    return (probe){CAB_KERNEL_limit_stream, blocks, 0, 3.0 * sizeof(float) * CAB_LIMIT_BLOCK * blocks};
}

static probe arithmetic_of(int groups, int steps)
{
    return (probe){CAB_KERNEL_limit_arithmetic, groups, steps,
                   2.0 * CAB_LIMIT_FLOATS * CAB_LIMIT_LANES * groups * steps};
}

/* Work per second of the best launch. */
static cab_status best_rate(cab_backend *backend, const probe *p, double *rate, cab_error *error)
{
    double left = PROBE_SECONDS;
    *rate = 0;
    while (left > 0) {
        double seconds;
        cab_status status = time_launch(backend, p, &seconds, error);
        if (status != CAB_OK) return status;
        if (p->work > *rate * seconds) *rate = p->work / seconds;
        left -= seconds;
    }
    return CAB_OK;
}

static cab_status allocate(cab_backend *backend, int blocks, cab_error *error)
{
    size_t bytes = sizeof(float) * CAB_LIMIT_BLOCK * (size_t)blocks;
    cab_status status = backend->ops->allocate(backend, CAB_BUFFER_limit_a, bytes, error);
    if (status == CAB_OK) status = backend->ops->allocate(backend, CAB_BUFFER_limit_b, bytes, error);
    if (status == CAB_OK) status = backend->ops->allocate(backend, CAB_BUFFER_limit_c, bytes, error);
    return status;
}

/* Four times the blocks until a launch takes long enough or the arrays are as large as wanted. */
static cab_status measure_stream(cab_backend *backend, double *bandwidth, cab_error *error)
{
    double seconds = 0;
    probe p = stream_of(SMALLEST);
    cab_status status = allocate(backend, SMALLEST, error);
    if (status == CAB_OK) status = time_warm(backend, &p, &seconds, error);
    while (status == CAB_OK && seconds < LONG_ENOUGH && p.groups < MOST_BLOCKS) {
        p = stream_of(4 * p.groups);
        status = allocate(backend, p.groups, error);
        if (status == CAB_OK) status = time_warm(backend, &p, &seconds, error);
    }
    return status == CAB_OK ? best_rate(backend, &p, bandwidth, error) : status;
}

static cab_status measure_arithmetic(cab_backend *backend, double *flops, cab_error *error)
{
    static const float numbers[] = {0.5f, 0.25f, 0.5f, 0.25f, 0.5f}; /* scale and addend: sums stay small */
    double seconds = 0;
    probe p = arithmetic_of(SMALLEST, SMALLEST);
    cab_status status = allocate(backend, MOST_GROUPS * CAB_LIMIT_LANES / CAB_LIMIT_BLOCK, error);
    if (status == CAB_OK)
        status = backend->ops->write(backend, CAB_BUFFER_limit_b, 0, sizeof numbers, numbers, error);
    if (status == CAB_OK) status = time_warm(backend, &p, &seconds, error);
    while (status == CAB_OK && seconds < LONG_ENOUGH && p.argument < MOST_STEPS) {
        p = arithmetic_of(p.groups < MOST_GROUPS ? 4 * p.groups : MOST_GROUPS, 2 * p.argument);
        status = time_warm(backend, &p, &seconds, error);
    }
    return status == CAB_OK ? best_rate(backend, &p, flops, error) : status;
}

cab_status cab_bench_limits_measure(const cab_world_def *def, cab_bench_limits *limits, cab_error *error)
{
    cab_backend *backend = NULL;
    *limits = (cab_bench_limits){0};
    cab_status status = cab_backend_open(def, &backend, error);
    if (status != CAB_OK) return status;
    snprintf(limits->device, sizeof limits->device, "%s", backend->info.id);
    status = measure_stream(backend, &limits->bandwidth, error);
    if (status == CAB_OK) status = measure_arithmetic(backend, &limits->flops, error);
    backend->ops->destroy(backend);
    return status;
}
