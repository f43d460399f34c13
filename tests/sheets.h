/* Scenes and models of sheets. Include cmocka first. */
#ifndef CAB_TESTS_SHEETS_H
#define CAB_TESTS_SHEETS_H

#include <unistd.h>

#include "worlds.h"

#include "model/model.h"
#include "model/scene.h"
#undef kernel /* words of OpenCL C that are names here */
#undef global
#undef local
#undef constant

static inline cab_scene *load_with(const char *name, const char *const *overrides, int count)
{
    const char *folder = getenv("CLCABLE_SCENES");
    char path[1024];
    cab_scene *scene = NULL;
    cab_error error = {0};
    snprintf(path, sizeof path, "%s/%s.json", folder ? folder : "scenes", name);
    must(cab_scene_load(path, overrides, count, &scene, &error), &error);
    return scene;
}

static inline cab_scene *load(const char *name)
{
    return load_with(name, NULL, 0);
}

#define HEAD "{\"clcable\": 1, \"materials\": {\"wire\": {\"radius\": 0.01, \"linear_density\": 0.05}}, "
#define RECTANGLE                                                                                            \
    "\"name\": \"s\", \"material\": \"wire\", \"corner\": [0, 0, 1], \"along\": [1, 0, 0], "                 \
    "\"across\": [0, 0.6, 0], \"count\": [6, 4]"
#define POINTS "\"name\": \"s\", \"material\": \"wire\", \"points\": [[0, 0, 1], [1, 0, 1], [1, 1, 1]]"
#define SHEET(body) HEAD "\"sheets\": [{" body "}]"

static inline cab_status parse(const char *text, cab_scene **scene, cab_error *error)
{
    *scene = NULL;
    return cab_scene_parse("cloth.json", text, strlen(text), NULL, 0, scene, error);
}

static inline char *write_obj(const char *text)
{
    static char folder[64];
    snprintf(folder, sizeof folder, "/tmp/clcable-sheets-%d.obj", (int)getpid());
    FILE *file = fopen(folder, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return folder;
}

static inline snapshot run_on(const cab_scene *scene, const char *device, int frames)
{
    return snapshot_after(world_on(scene, device, 2), frames);
}

/* Native and PoCL, and native with one thread, to the bit. */
static inline void assert_same_everywhere(const cab_scene *scene, int frames, const char *what)
{
    char id[32];
    snapshot two = run_on(scene, "native", frames);
    cab_world *world = world_on(scene, "native", 1);
    step(world, frames);
    snapshot one = read_world(world);
    same_bytes(&two, &one, what);
    cab_world_destroy(world);
    snapshot_free(&one);
    if (find_device(POCL, id)) {
        snapshot other = run_on(scene, id, frames);
        same_bytes(&two, &other, what);
        snapshot_free(&other);
    }
    snapshot_free(&two);
}

#endif
