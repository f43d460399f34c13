/* clcable bench chain: one long chain of rods by each of the ways to keep its lengths. */
#ifndef CAB_BENCH_CHAIN_H
#define CAB_BENCH_CHAIN_H

#include <stdbool.h>

#include "cli/options.h"

/* "chain" or "chain-N"; rods (may be NULL): N, 0 where it is no number in range. */
bool cab_bench_is_chain(const char *word, int *rods);

/* Returns the exit code. */
int cab_bench_chain(const cab_options *options);

#endif
