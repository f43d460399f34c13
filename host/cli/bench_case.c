#include "cli/bench_case.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/scene.h"

const cab_bench_case cab_bench_cases[] = {
    {"hang-16", "hang", 16, {4, 4}, false, "16 cables hung by one end, no contact"},
    {"hang-256", "hang", 256, {16, 16}, false, "256 of them"},
    {"hang-1024", "hang", 1024, {32, 32}, false, "1,024 of them"},
    {"hang-4096", "hang", 4096, {64, 64}, false, "4,096 of them"},
    {"pile-16", "pile", 16, {4, 2}, true, "16 cables stacked crosswise and dropped on a floor"},
    {"pile-256", "pile", 256, {16, 8}, true, "256 of them"},
    {"pile-1024", "pile", 1024, {16, 32}, true, "1,024 of them"},
    {"pile-4096", "pile", 4096, {32, 64}, true, "4,096 of them"},
};
const int cab_bench_case_count = sizeof cab_bench_cases / sizeof cab_bench_cases[0];

bool cab_bench_case_matches(const cab_bench_case *item, const char *word)
{
    return strcmp(item->name, word) == 0 || strcmp(item->scene, word) == 0;
}

bool cab_find_scenes(char *folder, int size)
{
    const char *chosen = getenv("CLCABLE_SCENES");
    if (chosen && *chosen) return snprintf(folder, (size_t)size, "%s", chosen) < size;
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = 0;
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    *slash = 0;
    int wanted = snprintf(folder, (size_t)size, "%s/%s", program, CLCABLE_SCENES_FROM_PROGRAM);
    return wanted < size && access(folder, R_OK) == 0;
}

/* "hang": one grid of copies. */
static cab_status load_hang(const cab_bench_case *item, const char *path, cab_scene **scene, cab_error *error)
{
    char count[64];
    snprintf(count, sizeof count, "/cables/0/copies/count=[%d,%d,1]", item->grid[0], item->grid[1]);
    const char *overrides[] = {count};
    return cab_scene_load(path, overrides, 1, scene, error);
}

/* "pile": layers of cable 0 (copies along y) and 1 (along x) in turn, spread as wide as in the file. */
static cab_status load_pile(const cab_bench_case *item, const char *path, cab_scene **scene, cab_error *error)
{
    cab_status status = cab_scene_load(path, NULL, 0, scene, error);
    if (status != CAB_OK) return status;
    const cab_cable_def *cable = (*scene)->cables;
    double spacing = cable->spacing[1] * (cable->copies[1] - 1) / (item->grid[0] - 1);
    cab_scene_destroy(*scene);
    *scene = NULL;
    char text[4][64];
    snprintf(text[0], sizeof text[0], "/cables/0/copies/count=[1,%d,%d]", item->grid[0], item->grid[1]);
    snprintf(text[1], sizeof text[1], "/cables/1/copies/count=[%d,1,%d]", item->grid[0], item->grid[1]);
    snprintf(text[2], sizeof text[2], "/cables/0/copies/spacing/1=%.17g", spacing);
    snprintf(text[3], sizeof text[3], "/cables/1/copies/spacing/0=%.17g", spacing);
    const char *overrides[] = {text[0], text[1], text[2], text[3]};
    return cab_scene_load(path, overrides, 4, scene, error);
}

cab_status cab_bench_case_load(const cab_bench_case *item, const char *folder, cab_scene **scene,
                               cab_error *error)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s.json", folder, item->scene);
    return item->contact ? load_pile(item, path, scene, error) : load_hang(item, path, scene, error);
}
