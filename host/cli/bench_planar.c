/* clcable bench planar: the stress tests of the thesis on pinched cable joints by load and stage, its four
 * scenes of the intersection tests, and batches of scenes on every device. */

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <clcable/clcable.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/bench.h"
#include "cli/cli.h"

enum { LOADS = 5, BATCHES = 4, DEVICES = 16, TIMED = 25, ROUNDS = 40, SETTLE = 300 /* 5 s */ };
static const int loads[LOADS] = {1, 2, 5, 10, 20};
static const int batches[BATCHES] = {1, 64, 1024, 16384};
static const char *const kinds[] = {"both", "pinching", "near", "neither"};

typedef struct planar_bench {
    const cab_options *options;
    char folder[4096];
    FILE *talk;
    json_t *rows;
    cab_error error;
} planar_bench;

/* One measurement. */
typedef struct planar_row {
    const char *scene, *device, *name; /* of the row */
    bool sleep;
    int settle; /* steps before it is timed: joints are there then, programs built */
    int copies, threads;
    double step;                           /* s, of the whole batch */
    double stages[CAB_PLANAR_STAGE_COUNT]; /* s; of a run that times them, where copies is 1 */
    cab_planar_stats stats;
} planar_row;

static cab_status load(planar_bench *b, const planar_row *row, cab_planar_scene **scene)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/planar/%s.json", b->folder, row->scene);
    cab_status status = cab_planar_scene_load(path, NULL, 0, scene, &b->error);
    if (status) return status;
    cab_planar_settings *settings = cab_planar_scene_settings(*scene);
    settings->sleep = row->sleep;
    if (b->options->substeps) settings->substeps = (int)b->options->substeps;
    if (b->options->iterations) settings->iterations = (int)b->options->iterations;
    return CAB_OK;
}

static cab_status open_batch(planar_bench *b, const cab_planar_scene *scene, const planar_row *row,
                             bool profile, cab_planar **planar)
{
    const cab_planar_scene **list = calloc((size_t)row->copies, sizeof *list);
    if (!list) return cab_fail_memory(&b->error, "scenes", (size_t)row->copies * sizeof *list);
    for (int i = 0; i < row->copies; i++) list[i] = scene;
    cab_world_def def = cab_bench_def(b->options, row->device);
    def.threads = row->threads;
    def.profile = profile;
    cab_status status = cab_planar_create(list, row->copies, &def, planar, &b->error);
    free(list);
    return status;
}

/* The best of some rounds: other work on the machine only ever makes it slower. */
static cab_status time_steps(planar_bench *b, cab_planar *planar, planar_row *row)
{
    int steps = row->copies > 100 ? 4 : TIMED;
    int rounds = b->options->repeat ? (int)b->options->repeat : ROUNDS;
    cab_status status = cab_planar_step(planar, row->settle, &b->error);
    row->step = INFINITY;
    for (int i = 0; i < rounds && !status; i++) {
        double start = cab_now();
        status = cab_planar_step(planar, steps, &b->error);
        row->step = fmin(row->step, (cab_now() - start) / steps);
    }
    return status ? status : cab_planar_get_stats(planar, 0, &row->stats, &b->error);
}

static cab_status time_stages(planar_bench *b, const cab_planar_scene *scene, planar_row *row)
{
    cab_planar *planar = NULL;
    double before[CAB_PLANAR_STAGE_COUNT], after[CAB_PLANAR_STAGE_COUNT];
    int rounds = b->options->repeat ? (int)b->options->repeat : ROUNDS;
    cab_status status = open_batch(b, scene, row, true, &planar);
    if (!status) status = cab_planar_step(planar, row->settle, &b->error);
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT; i++) row->stages[i] = INFINITY;
    for (int i = 0; i < rounds && !status; i++) {
        cab_planar_get_times(planar, before);
        status = cab_planar_step(planar, TIMED, &b->error);
        cab_planar_get_times(planar, after);
        for (int k = 0; k < CAB_PLANAR_STAGE_COUNT; k++)
            row->stages[k] = fmin(row->stages[k], (after[k] - before[k]) / TIMED);
    }
    cab_planar_destroy(planar);
    return status;
}

static void keep_row(planar_bench *b, const planar_row *row)
{
    json_t *stages = json_object();
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT && row->copies == 1; i++)
        json_object_set_new(stages, cab_planar_stage_name((cab_planar_stage)i),
                            json_real(1e6 * row->stages[i]));
    json_array_append_new(
        b->rows, json_pack("{s:s,s:s,s:i,s:i,s:i,s:i,s:f,s:o}", "scene", row->name, "device", row->device,
                           "copies", row->copies, "bodies", row->stats.bodies, "joints", row->stats.joints,
                           "segments", row->stats.segments, "step_us", 1e6 * row->step, "stages_us", stages));
}

static cab_status measure(planar_bench *b, planar_row *row)
{
    cab_planar_scene *scene = NULL;
    cab_planar *planar = NULL;
    cab_status status = load(b, row, &scene);
    if (!status) status = open_batch(b, scene, row, false, &planar);
    if (!status) status = time_steps(b, planar, row);
    cab_planar_destroy(planar);
    if (!status && row->copies == 1) status = time_stages(b, scene, row);
    cab_planar_scene_destroy(scene);
    if (!status) keep_row(b, row);
    return status;
}

static void print_stages_head(FILE *out)
{
    fprintf(out, "%-24s %6s %6s %9s %9s", "scene", "bodies", "joints", "step us", "joint ns");
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT; i++)
        fprintf(out, " %9.9s", cab_planar_stage_name((cab_planar_stage)i));
    fprintf(out, "\n");
}

static void print_stages_row(FILE *out, const planar_row *row)
{
    fprintf(out, "%-24s %6d %6d %9.1f %9.1f", row->name, row->stats.bodies, row->stats.joints,
            1e6 * row->step, 1e9 * row->step / row->stats.joints);
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT; i++) fprintf(out, " %9.2f", 1e6 * row->stages[i]);
    fprintf(out, "\n");
}

/* One scene on one core, by stage. */
static cab_status measure_stages(planar_bench *b, const char *scene)
{
    planar_row row = {
        .scene = scene, .device = "native", .name = scene, .settle = 4, .copies = 1, .threads = 1};
    cab_status status = measure(b, &row);
    if (!status && b->talk) print_stages_row(b->talk, &row);
    return status;
}

/* What sleep saves: scenes that have come to rest, all of them or all but a few bodies. */
static cab_status measure_sleep(planar_bench *b)
{
    static const char *const scenes[] = {"rest", "stress-20"};
    cab_status status = CAB_OK;
    char name[64];
    for (int i = 0; i < 4 && !status; i++) {
        snprintf(name, sizeof name, "%s, sleep %s", scenes[i / 2], i % 2 ? "on" : "off");
        planar_row row = {.scene = scenes[i / 2],
                          .device = "native",
                          .name = name,
                          .sleep = i % 2,
                          .settle = SETTLE,
                          .copies = 1,
                          .threads = 1};
        status = measure(b, &row);
        if (!status && b->talk) print_stages_row(b->talk, &row);
    }
    return status;
}

static cab_status measure_loads(planar_bench *b)
{
    cab_status status = CAB_OK;
    char name[64];
    if (b->talk) fprintf(b->talk, "\none scene, native, one core; stages of a step in us\n");
    if (b->talk) print_stages_head(b->talk);
    for (int pinched = 1; pinched >= 0; pinched--) {
        for (int i = 0; i < LOADS && !status; i++) {
            snprintf(name, sizeof name, "stress-%s%d", pinched ? "" : "cables-", loads[i]);
            status = measure_stages(b, name);
        }
    }
    for (int i = 0; i < 4 * LOADS && !status; i++) {
        snprintf(name, sizeof name, "intersection-%s-%d", kinds[i / LOADS], loads[i % LOADS]);
        status = measure_stages(b, name);
    }
    return status;
}

static cab_status measure_batches(planar_bench *b, const char *device)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < BATCHES && !status; i++) {
        planar_row row = {.scene = "stress-1",
                          .name = "stress-1",
                          .device = device,
                          .settle = 4,
                          .copies = batches[i],
                          .threads = (int)b->options->threads};
        status = measure(b, &row);
        if (!status && b->talk)
            fprintf(b->talk, "%-12s %8d %12.4f %12.3f\n", device, row.copies, 1e3 * row.step,
                    1e6 * row.step / row.copies);
    }
    return status;
}

static cab_status measure_devices(planar_bench *b)
{
    cab_device_info all[DEVICES];
    const cab_word_list *words = &b->options->devices;
    int count = words->count ? words->count : cab_devices(all, DEVICES);
    cab_status status = CAB_OK;
    if (b->talk)
        fprintf(b->talk, "\nbatches of stress-1\n%-12s %8s %12s %12s\n", "device", "scenes", "step ms",
                "scene us");
    for (int i = 0; i < count && i < DEVICES && !status; i++)
        status = measure_batches(b, words->count ? words->word[i] : all[i].id);
    return status;
}

static bool check_options(const cab_options *o)
{
    const char *wrong = o->arguments.count > 1         ? "another case"
                        : o->methods.count             ? "--method"
                        : o->scales.count              ? "--scale"
                        : o->shootout                  ? "--shootout"
                        : o->limits                    ? "--limits"
                        : o->csv_file                  ? "--csv"
                        : o->frames || o->duration > 0 ? "--duration"
                                                       : NULL;
    if (wrong) cab_cli_error("bench planar: %s has no meaning here", wrong);
    return !wrong;
}

int cab_bench_planar(const cab_options *options)
{
    planar_bench b = {.options = options, .rows = json_array()};
    if (!check_options(options)) {
        json_decref(b.rows);
        return CAB_EXIT_USAGE;
    }
    cab_status status = CAB_OK;
    if (!cab_find_scenes(b.folder, sizeof b.folder))
        status = cab_fail(&b.error, CAB_ERROR_IO,
                          "bench: the scenes were not found, set CLCABLE_SCENES to their folder");
    b.talk = options->quiet ? NULL : options->json && !options->json_file ? stderr : stdout;
    if (!status) status = measure_loads(&b);
    if (!status) status = measure_sleep(&b);
    if (!status) status = measure_devices(&b);
    if (!status && options->json) status = cab_bench_write_document(b.rows, 6, options->json_file, &b.error);
    if (status) cab_cli_error("%s", b.error.message);
    json_decref(b.rows);
    return cab_cli_exit_code(status);
}
