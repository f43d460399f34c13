/* What a substep takes by count: operations, and bytes to and from memory. */
#ifndef CAB_BENCH_COUNTS_H
#define CAB_BENCH_COUNTS_H

#include <clcable/clcable.h>

typedef struct cab_bench_counts {
    double flops, bytes; /* per particle and substep; NAN when the method has not been counted */
} cab_bench_counts;

/* Of the world as it is now: contacts are counted as they were in the last substep. */
cab_status cab_bench_count(cab_world *world, cab_bench_counts *counts, cab_error *error);

#endif
