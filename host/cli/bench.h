/* A benchmark: one case on one device by one method in one way, timed. */
#ifndef CAB_BENCH_H
#define CAB_BENCH_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "cli/options.h"

/* bench_case.c: the benchmark cases, scenes of scenes/ at several sizes. */
typedef struct cab_bench_case {
    const char *name;   /* "hang-256" */
    const char *family; /* "hang" */
    const char *scene;  /* its file without ".json" */
    const char *about;
    int copies[2]; /* of each cable, along x and y; crossed: side by side in a layer, layers each way;
                           particles of a sheet along and across */
    bool contact;  /* or joints: between substeps all cables are needed, so no fast way can be had */
    /* 0 = as in the scene */
    double spacing[2]; /* of the copies, m */
    int segments;      /* of each cable */
    int substeps;
    double floor;    /* m; height of a floor that the scene does not have */
    bool by_frame;   /* the way is chosen frame by frame, which only `auto` does */
    double duration; /* s */
    double settle;   /* s before that, not timed */
    bool sleep;      /* cables at rest fall asleep */
} cab_bench_case;

extern const cab_bench_case cab_bench_cases[];
extern const int cab_bench_case_count;

/* Is it meant by `word`: its name, or its family's, which stands for all sizes? */
bool cab_bench_case_matches(const cab_bench_case *item, const char *word);

/* The folder of the scenes: $CLCABLE_SCENES, or the one that came with the program. False: no such folder. */
bool cab_find_scenes(char *folder, int size);

/* The case's scene, resized. */
cab_status cab_bench_case_load(const cab_bench_case *item, const char *folder, cab_scene **scene,
                               cab_error *error);

/* What a substep takes by count: operations, and bytes to and from memory. */
typedef struct cab_bench_counts {
    double flops, bytes; /* per particle and substep; NAN when the method has not been counted */
} cab_bench_counts;

/* What a device can do at best, measured by kernels/limits.cl. */
typedef struct cab_bench_limits {
    char device[32];  /* its id */
    double flops;     /* 1/s: multiplications and additions, not contracted */
    double bandwidth; /* B/s: two arrays read, one written */
} cab_bench_limits;

/* What a row is for. */
typedef enum cab_bench_kind {
    CAB_BENCH_CASE = 0,
    CAB_BENCH_SCALE_CABLES,
    CAB_BENCH_SCALE_SEGMENTS,
    CAB_BENCH_SCALE_SUBSTEPS,
    CAB_BENCH_SHOOTOUT,
    CAB_BENCH_KIND_COUNT
} cab_bench_kind;

/* What is to be run. */
typedef struct cab_bench_setup {
    cab_bench_kind kind;
    const cab_bench_case *item;
    const cab_options *options; /* --duration and so on, --repeat, --threads, --kernels */
    const char *folder;         /* of the scenes */
    const char *device;         /* as in cab_world_def */
    cab_method method;
    cab_way way;
    const cab_bench_limits *limits;
} cab_bench_setup;

typedef struct cab_bench_row {
    cab_bench_kind kind;
    char name[24]; /* the case's */
    cab_method method;
    cab_world_info info;
    int frames; /* timed ones; the first is not */
    int substeps, iterations;
    double frame_rate;
    double wall;                    /* s, the best of all repeats */
    double processor;               /* s of all threads together, of the same repeat */
    double rate;                    /* particle-substeps/s */
    double speed;                   /* simulated s per s */
    double stages[CAB_STAGE_COUNT]; /* s, of a second run that waits after each launch; cases only */
    double profiled_wall;           /* s, of that run */
    cab_measures measures;
    double energy_start, energy_end; /* J; cases only */
    double energy_exchanged;         /* J: the larger of the ranges of kinetic and of potential energy */
    double path_error; /* m, farthest distance of the centre of mass from the reference; shoot-out only */
    cab_bench_limits limits;
    cab_bench_counts counts;
} cab_bench_row;

/* The part of the energy exchanged that came (+) or went (-) over the run; NAN when it was not measured. */
double cab_bench_drift(const cab_bench_row *row);
/* Of the device's limits, 0 to 1; NAN when the method has not been counted. */
double cab_bench_flop_share(const cab_bench_row *row);
double cab_bench_byte_share(const cab_bench_row *row);

/* The device, and what was asked for about it. */
cab_world_def cab_bench_def(const cab_options *options, const char *device);

/* The case's scene with the options, the method and the way in it. */
cab_status cab_bench_load(const cab_bench_setup *setup, cab_scene **scene, cab_error *error);

/* A row with what is known before the run, and what follows from its wall time and counts after it. */
void cab_bench_start_row(const cab_bench_setup *setup, const cab_settings *settings, cab_bench_row *row);
void cab_bench_finish_row(cab_bench_row *row);

/* Runs and times it. */
cab_status cab_bench_measure(const cab_bench_setup *setup, const void *unused, cab_bench_row *row,
                             cab_error *error);

/* bench_counts.c: Of the world as it is now: contacts are counted as they were in the last substep. */
cab_status cab_bench_count(cab_world *world, cab_bench_counts *counts, cab_error *error);

/* bench_limits.c: Opens the device, measures, closes it: half a second. */
cab_status cab_bench_limits_measure(const cab_world_def *def, cab_bench_limits *limits, cab_error *error);

/* bench_write.c: a document as text, with so many digits; `path` NULL = to standard output. */
cab_status cab_bench_write_document(const json_t *document, int digits, const char *path, cab_error *error);

/* bench_chain.c, bench_planar.c: what is run instead of cases. Both return the exit code. */
int cab_bench_chain(const cab_options *options);
int cab_bench_planar(const cab_options *options);
/* "chain" or "chain-N"; rods (may be NULL): N, 0 where it is no number in range. */
bool cab_bench_is_chain(const char *word, int *rods);

#endif
