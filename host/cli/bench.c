#include "cli/bench.h"

#include "cli/cli.h"

/* A scene on a device, and the time of its frames but the first: that one compiles kernels and warms caches.
 */
static cab_status time_once(const cab_scene *scene, const cab_world_def *def, int frames, cab_bench_row *row,
                            double *wall, cab_error *error)
{
    cab_world *world = NULL;
    cab_measures start;
    cab_status status = cab_world_create(scene, def, &world, error);
    if (status != CAB_OK) return status;
    status = cab_world_measure(world, &start, error);
    if (status == CAB_OK) status = cab_world_step(world, 1, error);
    double before[CAB_STAGE_COUNT], after[CAB_STAGE_COUNT];
    cab_world_get_times(world, before);
    double begun = cab_cli_now();
    if (status == CAB_OK) status = cab_world_step(world, frames, error);
    *wall = cab_cli_now() - begun;
    cab_world_get_times(world, after);
    for (int i = 0; i < CAB_STAGE_COUNT; i++) row->stages[i] = after[i] - before[i];
    if (status == CAB_OK) status = cab_world_measure(world, &row->measures, error);
    row->info = cab_world_get_info(world);
    row->energy_start = start.kinetic + start.potential;
    row->energy_end = row->measures.kinetic + row->measures.potential;
    cab_world_destroy(world);
    return status;
}

static cab_status time_all(const cab_scene *scene, cab_world_def *def, int repeats, cab_bench_row *row,
                           cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < repeats && status == CAB_OK; i++) {
        double wall;
        status = time_once(scene, def, row->frames, row, &wall, error);
        if (i == 0 || wall < row->wall) row->wall = wall;
    }
    def->profile = true;
    if (status == CAB_OK) status = time_once(scene, def, row->frames, row, &row->profiled_wall, error);
    return status;
}

cab_status cab_bench_measure(const cab_bench_case *item, const cab_options *options, const char *folder,
                             const char *device, cab_way way, cab_bench_row *row, cab_error *error)
{
    cab_scene *scene = NULL;
    cab_status status = cab_bench_case_load(item, folder, &scene, error);
    if (status != CAB_OK) return status;
    cab_settings *settings = cab_scene_settings(scene);
    cab_options_apply_time(options, settings);
    settings->way = way;
    int frames = cab_frame_count(settings);
    *row = (cab_bench_row){.item = item, .substeps = settings->substeps, .iterations = settings->iterations};
    row->frames = frames > 1 ? frames - 1 : 1;

    cab_world_def def = cab_world_default();
    def.device = device;
    def.threads = (int)options->threads;
    def.kernel_dir = options->kernels;
    status = time_all(scene, &def, (int)options->repeat, row, error);
    double work = (double)row->info.particles * row->frames * row->substeps;
    row->rate = row->wall > 0 ? work / row->wall : 0;
    cab_scene_destroy(scene);
    return status;
}
