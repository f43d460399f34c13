/* clcable tune: which way is the fastest here? */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "kernels/types.h"
#include "model/scene.h"
#include "carrier/tuned.h"

#define ROUNDS 3         /* each way in turn; the best of them counts */
#define LEAST_TIME 0.1   /* s of a way's frames in a round, */
#define CHUNK_TRIALS 7   /* 1, 4, 16, ... chunks */
#define MOST_FRAMES 1000 /* or so many */

/* A way on trial. */
typedef struct trial {
    cab_way way;
    int chunks;  /* of a cable, in the chunks way */
    double best; /* s per frame; 0 = not timed */
} trial;

typedef struct tuning {
    const cab_options *options;
    cab_scene *scene;
    trial trials[CAB_WAY_COUNT + CHUNK_TRIALS];
    int count;
    cab_world_info info;
} tuning;

static cab_status open_world(const tuning *t, cab_way way, int chunks, cab_world **world, cab_error *error)
{
    cab_world_def def = cab_options_world(t->options, NULL);
    cab_scene_settings(t->scene)->way = way;
    if (way == CAB_WAY_CHUNKS) cab_scene_settings(t->scene)->chunks.count = chunks;
    return cab_world_create(t->scene, &def, world, error);
}

/* Frames for LEAST_TIME, or as many as are asked for. The first is not timed: it compiles and fills caches.
 */
static cab_status time_frames(const tuning *t, cab_world *world, double *best, cab_error *error)
{
    const cab_settings *s = cab_scene_settings(t->scene);
    bool asked = t->options->frames > 0 || t->options->duration > 0;
    int most = asked ? cab_frame_count(s) : MOST_FRAMES, frames = 0;
    cab_status status = cab_world_step(world, 1, error);
    double start = cab_now(), spent = 0;
    while (status == CAB_OK && frames < most && (asked || spent < LEAST_TIME) && !cab_interrupted()) {
        status = cab_world_step(world, 1, error);
        frames++;
        spent = cab_now() - start;
    }
    if (status == CAB_OK && frames > 0 && (*best == 0 || spent / frames < *best)) *best = spent / frames;
    return status;
}

/* The chunks way in as many as are asked for, or in more and more of them. */
static void add_trials(tuning *t, cab_way way, int chunks)
{
    int longest = t->info.cables > 0 ? t->info.particles / t->info.cables : 0;
    t->trials[t->count++] = (trial){.way = way, .chunks = way == CAB_WAY_CHUNKS && chunks == 0 ? 1 : chunks};
    if (way != CAB_WAY_CHUNKS || chunks > 0) return;
    for (int k = 1, n = 4; k < CHUNK_TRIALS && n * CAB_CHUNK_LEAST <= longest; k++, n *= 4)
        t->trials[t->count++] = (trial){.way = way, .chunks = n};
}

/* Opens the scene in each way; what cannot be had is told and left out. */
static cab_status find_ways(tuning *t, cab_error *error)
{
    cab_world *world = NULL;
    int wished = cab_scene_settings(t->scene)->chunks.count;
    cab_status status = open_world(t, CAB_WAY_AUTO, 0, &world, error); /* is the scene good at all? */
    if (status != CAB_OK) return status;
    t->info = cab_world_get_info(world);
    cab_world_destroy(world);
    for (int w = CAB_WAY_AUTO + 1; w < CAB_WAY_COUNT; w++) {
        cab_error reason;
        world = NULL;
        status = open_world(t, (cab_way)w, wished, &world, &reason);
        cab_world_destroy(world);
        if (status == CAB_OK)
            add_trials(t, (cab_way)w, wished);
        else if (status != CAB_ERROR_INPUT)
            return *error = reason, status;
    }
    return CAB_OK;
}

/* In turns, so that what disturbs the machine for a while disturbs all of them. */
static cab_status time_ways(tuning *t, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; status == CAB_OK && i < t->count && !cab_interrupted(); i++) {
            cab_world *world = NULL;
            status = open_world(t, t->trials[i].way, t->trials[i].chunks, &world, error);
            if (status == CAB_OK) status = time_frames(t, world, &t->trials[i].best, error);
            cab_world_destroy(world);
        }
    }
    return status;
}

static int fastest(const tuning *t)
{
    int best = 0;
    for (int i = 1; i < t->count; i++)
        if (t->trials[i].best < t->trials[best].best) best = i;
    return best;
}

static cab_status note(const tuning *t, const trial *best, cab_error *error)
{
    cab_tuned_key key = cab_tuned_key_of(&t->info.device, cab_scene_settings(t->scene)->method,
                                         t->info.cables, t->info.particles);
    char *path = cab_tuned_path(NULL);
    if (!path) {
        if (!t->options->quiet) printf("nothing is noted: there is no cache folder\n");
        return CAB_OK;
    }
    cab_status status = cab_tuned_write(path, &key, best->way, best->chunks, error);
    if (status == CAB_OK && !t->options->quiet) {
        printf("noted for %s, %s, %d to %d cables of %d to %d particles: %s\n", key.device,
               cab_method_name(key.method), key.cables, 2 * key.cables - 1, key.particles,
               2 * key.particles - 1, cab_way_name(best->way));
    }
    free(path);
    return status;
}

static cab_status find_fastest(tuning *t, cab_error *error)
{
    cab_status status = find_ways(t, error);
    if (status == CAB_OK) status = time_ways(t, error);
    if (status != CAB_OK || cab_interrupted()) return status;
    int best = fastest(t), substeps = cab_scene_settings(t->scene)->substeps;
    for (int i = 0; i < t->count && !t->options->quiet; i++) {
        const trial *x = &t->trials[i];
        char count[16] = "";
        if (x->way == CAB_WAY_CHUNKS) snprintf(count, sizeof count, "%d", x->chunks);
        printf("%-8s %-6s %10.3f ms/frame %10.2f Mp-sub/s %6.2f\n", cab_way_name(x->way), count,
               1e3 * x->best, 1e-6 * t->info.particles * substeps / x->best, t->trials[best].best / x->best);
    }
    return note(t, &t->trials[best], error);
}

static int tune(const cab_options *options, const char *path)
{
    int code;
    cab_error error;
    tuning t = {.options = options};
    if (!cab_options_agree(options, "tune", 1)) return CAB_EXIT_USAGE;
    t.scene = cab_options_load_scene(options, path, &code);
    if (!t.scene) return code;
    cab_interrupt_install();
    cab_status status = find_fastest(&t, &error);
    if (status != CAB_OK) cab_cli_error("%s", error.message);
    cab_scene_destroy(t.scene);
    if (status != CAB_OK) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}

const cab_command cab_cmd_tune = {"tune", CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_DEVICE, "a scene",
                                  tune, NULL};
