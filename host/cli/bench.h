/* A benchmark: one case on one device in one way, timed. */
#ifndef CAB_BENCH_H
#define CAB_BENCH_H

#include <stdio.h>

#include "cli/bench_case.h"
#include "cli/options.h"

typedef struct cab_bench_row {
    const cab_bench_case *item;
    cab_world_info info;
    int frames; /* timed ones; the first is not */
    int substeps, iterations;
    double wall;                    /* s, the best of all repeats */
    double rate;                    /* particle-substeps/s */
    double stages[CAB_STAGE_COUNT]; /* s, of a second run that waits after each launch */
    double profiled_wall;           /* s, of that run */
    cab_measures measures;
    double energy_start, energy_end; /* J */
} cab_bench_row;

/* Runs and times it. `device` as in cab_world_def. */
cab_status cab_bench_measure(const cab_bench_case *item, const cab_options *options, const char *folder,
                             const char *device, cab_way way, cab_bench_row *row, cab_error *error);

/* bench_print.c */
void cab_bench_print_head(FILE *stream);
/* `base` is the row that the speed is compared with. */
void cab_bench_print_row(FILE *stream, const cab_bench_row *row, const cab_bench_row *base);
void cab_bench_print_stages(FILE *stream, const cab_bench_row *rows, int count);
/* `path` NULL = standard output. */
cab_status cab_bench_write_json(const cab_bench_row *rows, int count, const char *path, cab_error *error);

#endif
