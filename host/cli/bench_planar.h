/* clcable bench planar: cable joints and pinch joints. */
#ifndef CAB_BENCH_PLANAR_H
#define CAB_BENCH_PLANAR_H

#include "cli/options.h"

/* Returns the exit code. */
int cab_bench_planar(const cab_options *options);

#endif
