/* A whole run of `clcable bench`: devices, methods, and the rows so far. */
#ifndef CAB_BENCH_RUN_H
#define CAB_BENCH_RUN_H

#include <limits.h>
#include <stdio.h>

#include "cli/bench.h"

enum { CAB_BENCH_DEVICES_MAX = 64 };

typedef struct cab_bench {
    const cab_options *options;
    char folder[PATH_MAX]; /* of the scenes */
    cab_device_info all[CAB_BENCH_DEVICES_MAX];
    const char *devices[CAB_BENCH_DEVICES_MAX];
    cab_bench_limits limits[CAB_BENCH_DEVICES_MAX]; /* of each of them */
    int device_count;
    cab_method methods[CAB_METHOD_COUNT];
    int method_count;
    FILE *talk; /* where tables go; NULL = nowhere */
    cab_bench_row *rows;
    int row_count, capacity;
    int code; /* exit code so far */
} cab_bench;

/* Makes a row by `measure`, which gets `user`, keeps it and prints it. `base`: the row that its speed is compared with. */
typedef cab_status cab_bench_measuring(const cab_bench_setup *setup, const void *user, cab_bench_row *row,
                                       cab_error *error);
void cab_bench_run_row(cab_bench *bench, const cab_bench_setup *setup, cab_bench_measuring *measure,
                       const void *user, int base);

/* What became of a row that was not to be had: nothing when the program chose a method that is not built or
 * a way that the scene cannot go, else a line and an exit code. */
void cab_bench_note_failure(cab_bench *bench, const cab_bench_setup *setup, const cab_error *error);

/* The case on a device by every method and in every way; prints each row. */
void cab_bench_run_item(cab_bench *bench, cab_bench_kind kind, const cab_bench_case *item, int device,
                        int base);

/* bench_scale.c: reads "cables", "segments", "substeps" or such a word with the value to end at,
 * "cables=1024". Runs over that range. */
bool cab_bench_scale_read(const char *word, cab_bench_kind *kind, int *last);
void cab_bench_scale(cab_bench *bench, cab_bench_kind kind, int last);

/* bench_shootout.c */
void cab_bench_shootout(cab_bench *bench);

/* Which machine a benchmark ran on. */
typedef struct cab_machine {
    char cpu[128];
    char system[256]; /* kernel and its version */
    char date[32];    /* "2024-01-31T12:00:00Z" */
    int cores;
} cab_machine;

/* bench_print.c */
cab_machine cab_machine_describe(void);
void cab_bench_print_machine(FILE *stream);
void cab_bench_print_limits(FILE *stream, const cab_bench_limits *limits, int count);
void cab_bench_print_head(FILE *stream, cab_bench_kind kind);
/* `base` is the row that the speed is compared with. */
void cab_bench_print_row(FILE *stream, const cab_bench_row *row, const cab_bench_row *base);
/* What lying on a floor costs over hanging in the air, where both have been measured. */
void cab_bench_print_floor(FILE *stream, const cab_bench_row *rows, int count);
void cab_bench_print_stages(FILE *stream, const cab_bench_row *rows, int count);

/* bench_write.c; `path` NULL = standard output */
cab_status cab_bench_write_json(const cab_bench *bench, const char *path, cab_error *error);
cab_status cab_bench_write_csv(const cab_bench *bench, const char *path, cab_error *error);
/* The kind in both: "case", "cables", ... */
const char *cab_bench_kind_name(cab_bench_kind kind);

#endif
