/* What a device can do at best, measured by kernels/limits.cl. */
#ifndef CAB_BENCH_LIMITS_H
#define CAB_BENCH_LIMITS_H

#include <clcable/clcable.h>

typedef struct cab_bench_limits {
    char device[32];  /* its id */
    double flops;     /* 1/s: multiplications and additions, not contracted */
    double bandwidth; /* B/s: two arrays read, one written */
} cab_bench_limits;

/* Opens the device, measures, closes it: half a second. */
cab_status cab_bench_limits_measure(const cab_world_def *def, cab_bench_limits *limits, cab_error *error);

#endif
