/* Scenes with overrides, and worlds made of them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate.h"

const char *const val_method_names[VAL_METHODS] = {"xpbd", "direct"};

val_scene val_scene_of(const val_run *run, const char *file, val_grid grid)
{
    val_scene scene = {.file = file};
    bool direct = run->method == VAL_DIRECT;
    val_set(&scene, "/method/name=\"%s\"", val_method_names[run->method]);
    val_set(&scene, "/cables/0/segments=%d", grid.segments);
    val_set(&scene, "/time/substeps=%d", grid.substeps);
    val_set(&scene, "/time/iterations=%d", direct ? 1 : grid.iterations);
    if (direct) val_set(&scene, "/method/contact_passes=%d", grid.iterations);
    return scene;
}

void val_set(val_scene *scene, const char *format, ...)
{
    if (scene->count == VAL_OVERRIDES) {
        scene->failed = true;
        return;
    }
    va_list list;
    va_start(list, format);
    int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!text) {
        scene->failed = true;
        return;
    }
    va_start(list, format);
    vsnprintf(text, (size_t)size + 1, format, list);
    va_end(list);
    scene->overrides[scene->count++] = text;
}

void val_set_path(val_scene *scene, int cable, const cab_vec3 *points, int count)
{
    const size_t point_size = 96; /* three numbers of %.17g, brackets and commas */
    size_t size = (size_t)count * point_size + 1, used = 0;
    char *text = malloc(size);
    if (!text) {
        scene->failed = true;
        return;
    }
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s[%.17g,%.17g,%.17g]", i ? "," : "", points[i].x,
                                 points[i].y, points[i].z);
    val_set(scene, "/cables/%d/path=[%s]", cable, text);
    free(text);
}

static void free_overrides(val_scene *scene)
{
    for (int i = 0; i < scene->count; i++) free(scene->overrides[i]);
    scene->count = 0;
}

static void say(void *user, int level, const char *text)
{
    (void)user;
    if (level == 0) fprintf(stderr, "validate: %s\n", text);
}

static cab_scene *load(val_run *run, val_scene *scene)
{
    cab_error error;
    cab_scene *loaded = NULL;
    size_t size = strlen(run->scenes) + strlen(scene->file) + 2;
    char *path = scene->failed ? NULL : malloc(size);
    if (!path) {
        val_fail(run, "%s: overrides cannot be made", scene->file);
        return NULL;
    }
    snprintf(path, size, "%s/%s", run->scenes, scene->file);
    if (cab_scene_load(path, (const char *const *)scene->overrides, scene->count, &loaded, &error)) {
        val_fail(run, "%s", error.message);
        loaded = NULL;
    }
    free(path);
    return loaded;
}

static bool read_state(val_run *run, val_sim *sim)
{
    cab_error error;
    if (!cab_world_read(sim->world, &sim->position->x, &sim->velocity->x, sim->tension, &error)) return true;
    val_fail(run, "%s", error.message);
    return false;
}

bool val_open(val_run *run, val_scene *scene, val_sim *sim)
{
    *sim = (val_sim){0};
    cab_scene *loaded = load(run, scene);
    free_overrides(scene);
    if (!loaded) return false;

    cab_error error;
    cab_world_def def = cab_world_default();
    def.device = run->device;
    def.log = getenv("VALIDATE_VERBOSE") ? say : NULL;
    sim->frame = 1 / cab_scene_settings(loaded)->frame_rate;
    cab_status status = cab_world_create(loaded, &def, &sim->world, &error);
    cab_scene_destroy(loaded);
    if (status) {
        val_fail(run, "%s", error.message);
        sim->world = NULL;
        return false;
    }
    sim->info = cab_world_get_info(sim->world);
    size_t nodes = (size_t)sim->info.nodes;
    sim->position = calloc(nodes, sizeof *sim->position);
    sim->velocity = calloc(nodes, sizeof *sim->velocity);
    sim->tension = calloc(nodes, sizeof *sim->tension);
    if (!sim->position || !sim->velocity || !sim->tension) {
        val_fail(run, "out of memory");
    } else if (read_state(run, sim)) {
        return true;
    }
    val_close(sim);
    return false;
}

bool val_step(val_run *run, val_sim *sim, int frames)
{
    cab_error error;
    if (cab_world_step(sim->world, frames, &error)) {
        val_fail(run, "%s", error.message);
        return false;
    }
    return read_state(run, sim);
}

void val_close(val_sim *sim)
{
    cab_world_destroy(sim->world);
    free(sim->position);
    free(sim->velocity);
    free(sim->tension);
    *sim = (val_sim){0};
}

double val_crossing(const double *q, int count, double dt, int index)
{
    for (int i = 1; i < count; i++) {
        if ((q[i - 1] < 0) == (q[i] < 0)) continue;
        if (index-- == 0) return dt * (i - 1 + q[i - 1] / (q[i - 1] - q[i]));
    }
    return NAN;
}

double val_distance(cab_vec3 a, cab_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
