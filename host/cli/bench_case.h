/* The benchmark cases: scenes of scenes/ at several sizes. */
#ifndef CAB_BENCH_CASE_H
#define CAB_BENCH_CASE_H

#include <stdbool.h>

#include <clcable/clcable.h>

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

#endif
