/* The benchmark cases: scenes of scenes/ at four sizes. */
#ifndef CAB_BENCH_CASE_H
#define CAB_BENCH_CASE_H

#include <stdbool.h>

#include <clcable/clcable.h>

typedef struct cab_bench_case {
    const char *name;  /* "hang-256" */
    const char *scene; /* "hang" */
    int cables;
    int grid[2]; /* hang: along x and y; pile: side by side in a layer, layers of each direction */
    bool contact;
    const char *about;
} cab_bench_case;

extern const cab_bench_case cab_bench_cases[];
extern const int cab_bench_case_count;

/* Is it meant by `word`: its name, or its scene's, which stands for all sizes? */
bool cab_bench_case_matches(const cab_bench_case *item, const char *word);

/* The folder of the scenes: $CLCABLE_SCENES, or the one that came with the program. False: no such folder. */
bool cab_find_scenes(char *folder, int size);

/* The case's scene, resized. */
cab_status cab_bench_case_load(const cab_bench_case *item, const char *folder, cab_scene **scene,
                               cab_error *error);

#endif
