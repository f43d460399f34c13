#include "cli/bench.h"

#include <math.h>

#include "base/clock.h"

#define ENERGY_SAMPLES 16 /* of a run, for the ranges of its energies */

double cab_bench_drift(const cab_bench_row *row)
{
    if (!(row->energy_exchanged > 0)) return NAN;
    return (row->energy_end - row->energy_start) / row->energy_exchanged;
}

double cab_bench_flop_share(const cab_bench_row *row)
{
    return row->limits.flops > 0 ? row->rate * row->counts.flops / row->limits.flops : NAN;
}

double cab_bench_byte_share(const cab_bench_row *row)
{
    return row->limits.bandwidth > 0 ? row->rate * row->counts.bytes / row->limits.bandwidth : NAN;
}

cab_world_def cab_bench_def(const cab_options *options, const char *device)
{
    cab_world_def def = cab_options_world(options, NULL);
    def.device = device;
    return def;
}

cab_status cab_bench_load(const cab_bench_setup *setup, cab_scene **scene, cab_error *error)
{
    const cab_bench_case *item = setup->item;
    cab_status status = cab_bench_case_load(item, setup->folder, scene, error);
    if (status != CAB_OK) return status;
    cab_settings *settings = cab_scene_settings(*scene);
    if (item->duration > 0) settings->duration = item->duration;
    cab_options_apply_time(setup->options, settings);
    if (item->substeps) settings->substeps = item->substeps;
    settings->method = setup->method;
    settings->way = setup->way;
    return CAB_OK;
}

void cab_bench_start_row(const cab_bench_setup *setup, const cab_settings *settings, cab_bench_row *row)
{
    int frames = cab_frame_count(settings);
    *row = (cab_bench_row){.kind = setup->kind,
                           .method = setup->method,
                           .substeps = settings->substeps,
                           .iterations = settings->iterations,
                           .frame_rate = settings->frame_rate,
                           .frames = frames > 1 ? frames - 1 : 1,
                           .processor = NAN,
                           .path_error = NAN,
                           .limits = *setup->limits};
    snprintf(row->name, sizeof row->name, "%s", setup->item->name);
}

void cab_bench_finish_row(cab_bench_row *row)
{
    if (!(row->wall > 0)) return;
    row->rate = (double)row->info.particles * row->frames * row->substeps / row->wall;
    row->speed = row->frames / row->frame_rate / row->wall;
}

/* Frames that are stepped but not timed: the first, which compiles kernels and warms caches, and those in
 * which the case settles. */
static int untimed(const cab_bench_setup *setup, const cab_bench_row *row)
{
    return 1 + (int)(setup->item->settle * row->frame_rate);
}

/* What stepping took, s. */
typedef struct spent {
    double wall, processor;
} spent;

static cab_status time_frames(cab_world *world, int before, int frames, spent *took, cab_error *error)
{
    cab_status status = cab_world_step(world, before, error);
    spent begun = {cab_now(), cab_processor_now()};
    if (status == CAB_OK) status = cab_world_step(world, frames, error);
    *took = (spent){cab_now() - begun.wall, cab_processor_now() - begun.processor};
    return status;
}

static cab_status run_timed(const cab_scene *scene, const cab_world_def *def, const cab_bench_setup *setup,
                            cab_bench_row *row, spent *took, cab_error *error)
{
    cab_world *world = NULL;
    cab_status status = cab_world_create(scene, def, &world, error);
    if (status != CAB_OK) return status;
    row->info = cab_world_get_info(world);
    status = time_frames(world, untimed(setup, row), row->frames, took, error);
    if (status == CAB_OK) status = cab_world_measure(world, &row->measures, error);
    if (status == CAB_OK) status = cab_bench_count(world, &row->counts, error);
    cab_world_destroy(world);
    return status;
}

/* Lowest and highest of a run. */
typedef struct range {
    double low, high;
} range;

static void widen(range *r, double value)
{
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

/* Steps on, looking at the energies now and then. */
static cab_status watch_energy(cab_world *world, cab_bench_row *row, cab_error *error)
{
    cab_measures now;
    cab_status status = cab_world_measure(world, &now, error);
    if (status != CAB_OK) return status;
    range kinetic = {now.kinetic, now.kinetic}, potential = {now.potential, now.potential};
    row->energy_start = now.kinetic + now.potential;
    int stride = row->frames / ENERGY_SAMPLES + 1;
    for (int left = row->frames; status == CAB_OK && left > 0; left -= stride) {
        int frames = left < stride ? left : stride;
        double begun = cab_now();
        status = cab_world_step(world, frames, error);
        row->profiled_wall += cab_now() - begun;
        if (status == CAB_OK) status = cab_world_measure(world, &now, error);
        widen(&kinetic, now.kinetic);
        widen(&potential, now.potential);
    }
    row->energy_end = now.kinetic + now.potential;
    row->energy_exchanged = fmax(kinetic.high - kinetic.low, potential.high - potential.low);
    return status;
}

/* Once more, for the times of the stages and the energies. */
static cab_status run_profiled(const cab_scene *scene, cab_world_def def, const cab_bench_setup *setup,
                               cab_bench_row *row, cab_error *error)
{
    cab_world *world = NULL;
    def.profile = true;
    cab_status status = cab_world_create(scene, &def, &world, error);
    if (status != CAB_OK) return status;
    double before[CAB_STAGE_COUNT], after[CAB_STAGE_COUNT];
    status = cab_world_step(world, untimed(setup, row), error);
    cab_world_get_times(world, before);
    if (status == CAB_OK) status = watch_energy(world, row, error);
    cab_world_get_times(world, after);
    for (int i = 0; i < CAB_STAGE_COUNT; i++) row->stages[i] = after[i] - before[i];
    cab_world_destroy(world);
    return status;
}

static cab_status run_all(const cab_scene *scene, const cab_bench_setup *setup, cab_bench_row *row,
                          cab_error *error)
{
    cab_world_def def = cab_bench_def(setup->options, setup->device);
    cab_status status = CAB_OK;
    for (int i = 0; i < setup->options->repeat && status == CAB_OK; i++) {
        spent took = {0};
        status = run_timed(scene, &def, setup, row, &took, error);
        if (i > 0 && took.wall >= row->wall) continue;
        row->wall = took.wall;
        row->processor = took.processor;
    }
    if (status == CAB_OK && setup->kind == CAB_BENCH_CASE)
        status = run_profiled(scene, def, setup, row, error);
    return status;
}

cab_status cab_bench_measure(const cab_bench_setup *setup, const void *unused, cab_bench_row *row,
                             cab_error *error)
{
    (void)unused;
    cab_scene *scene = NULL;
    cab_status status = cab_bench_load(setup, &scene, error);
    if (status != CAB_OK) return status;
    cab_bench_start_row(setup, cab_scene_settings(scene), row);
    status = run_all(scene, setup, row, error);
    cab_bench_finish_row(row);
    cab_scene_destroy(scene);
    return status;
}
