#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cab_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double cab_processor_now(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
