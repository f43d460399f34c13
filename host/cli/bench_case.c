#include "cli/bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/scene.h"

/* The first of a family says what it shows. */
const cab_bench_case cab_bench_cases[] = {
    {"hang-16", "hang", "hang",
     "16 cables hung by one end, no contact: what launches cost, and the solver at its best",
     .copies = {4, 4}},
    {"hang-256", "hang", "hang", "256 of them", .copies = {16, 16}},
    {"hang-1024", "hang", "hang", "1,024 of them", .copies = {32, 32}},
    {"hang-4096", "hang", "hang", "4,096 of them", .copies = {64, 64}},
    {"far-4096", "far", "hang",
     "4,096 of them over a floor that they never meet: what contact costs that has nothing to do",
     .copies = {64, 64}, .contact = true, .floor = -10, .by_frame = true},
    {"floor-1024", "floor", "floor",
     "1,024 cables that lie on a floor and touch nothing else: contact with colliders", .copies = {32, 32},
     .contact = true, .duration = 0.5, .settle = 0.5, .by_frame = true},
    {"pile-16", "pile", "pile",
     "16 cables stacked crosswise and dropped on a floor: contact between cables, friction, rest",
     .copies = {4, 2}, .contact = true},
    {"pile-256", "pile", "pile", "256 of them", .copies = {16, 8}, .contact = true},
    {"pile-1024", "pile", "pile", "1,024 of them", .copies = {16, 32}, .contact = true},
    {"pile-4096", "pile", "pile", "4,096 of them", .copies = {32, 64}, .contact = true},
    {"rest-256", "rest", "rest",
     "256 rods stacked crosswise, at rest: what contact costs where nothing happens", .copies = {32, 4},
     .contact = true, .duration = 0.5, .settle = 1.5},
    {"sleep-256", "rest", "rest", "the same asleep", .copies = {32, 4}, .contact = true, .duration = 0.5,
     .settle = 1.5, .sleep = true},
    {"harness-1", "harness", "car-harness",
     "a car's wire harness of 71 cables: joints, short light leaves under heavy junctions", .copies = {1, 1},
     .contact = true, .spacing = {3, 2}, .by_frame = true},
    {"harness-16", "harness", "car-harness", "16 of them", .copies = {4, 4}, .contact = true,
     .spacing = {3, 2}, .by_frame = true},
    {"harness-64", "harness", "car-harness", "64 of them", .copies = {8, 8}, .contact = true,
     .spacing = {3, 2}, .by_frame = true},
    {"atwood-16", "atwood", "atwood", "16 of Atwood's machines: ropes over wheels that turn",
     .copies = {4, 4}, .contact = true, .spacing = {0.3, 0.3}, .by_frame = true},
    {"atwood-1000", "atwood", "atwood", "1,000 of them", .copies = {40, 25}, .contact = true, .duration = 0.1,
     .spacing = {0.3, 0.3}, .by_frame = true},
    {"knots-16", "knots", "knot", "16 ropes knotted and pulled: contact of a cable with itself",
     .copies = {4, 4}, .contact = true, .spacing = {3, 0.6}, .duration = 1},
    {"knots-256", "knots", "knot", "256 of them", .copies = {16, 16}, .contact = true, .spacing = {3, 0.6},
     .duration = 1},
    {"one-long", "one-long", "overhead-line",
     "one cable of 100,000 segments on masts, swinging: nothing to share out but the cable itself",
     .copies = {1, 1}, .duration = 0.25, .by_frame = true},
    {"tiny", "tiny", "hang", "100,000 cables of 8 segments: what each cable costs, however short",
     .copies = {400, 250}, .segments = 8, .duration = 0.25},
    {"cloth-200", "cloth", "cloth",
     "a cloth of 200 x 200 particles with diagonals falls on a ball: many links to a particle",
     .copies = {200, 200}, .contact = true, .duration = 0.25},
};
const int cab_bench_case_count = sizeof cab_bench_cases / sizeof cab_bench_cases[0];

bool cab_bench_case_matches(const cab_bench_case *item, const char *word)
{
    return strcmp(item->name, word) == 0 || strcmp(item->family, word) == 0;
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

/* Layers of cable 0 (copies along y) and 1 (along x) in turn, spread as wide as in the file. */
static void cross(const cab_bench_case *item, cab_scene *scene)
{
    cab_cable_def *along = &scene->cables[0], *across = &scene->cables[1];
    double spacing = along->spacing[1] * (along->copies[1] - 1) / (item->copies[0] - 1);
    along->copies[1] = across->copies[0] = item->copies[0];
    along->copies[2] = across->copies[2] = item->copies[1];
    along->spacing[1] = across->spacing[0] = spacing;
}

/* A grid of copies of all that the scene has. */
static void multiply(const cab_bench_case *item, cab_scene *scene)
{
    for (int i = 0; i < scene->cable_count; i++) {
        cab_cable_def *cable = &scene->cables[i];
        for (int axis = 0; axis < 2; axis++) {
            cable->copies[axis] = item->copies[axis];
            if (item->spacing[axis] > 0) cable->spacing[axis] = item->spacing[axis];
        }
        if (item->segments) cable->segments = item->segments;
    }
    for (int i = 0; i < scene->body_count; i++)
        for (int axis = 0; axis < 2; axis++) {
            scene->bodies[i].copies[axis] = item->copies[axis];
            if (item->spacing[axis] > 0) scene->bodies[i].spacing[axis] = item->spacing[axis];
        }
    for (int i = 0; i < scene->sheet_count; i++)
        for (int axis = 0; axis < 2; axis++) scene->sheets[i].count[axis] = item->copies[axis];
}

cab_status cab_bench_case_load(const cab_bench_case *item, const char *folder, cab_scene **scene,
                               cab_error *error)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s.json", folder, item->scene);
    cab_status status = cab_scene_load(path, NULL, 0, scene, error);
    if (status != CAB_OK) return status;
    cab_scene_settings(*scene)->contact.sleep = item->sleep;
    if (strcmp(item->family, "pile") == 0 || strcmp(item->family, "rest") == 0)
        cross(item, *scene);
    else
        multiply(item, *scene);
    if (item->floor == 0) return CAB_OK;
    cab_collider_def floor = cab_collider_default();
    floor.center.z = item->floor;
    return cab_scene_add_collider(*scene, &floor, error);
}
