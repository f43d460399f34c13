/* The methods against one another: the same rope, without stiffness against bending, which not all of them
 * know, at several substeps: error against time. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "cli/bench_run.h"
#include "model/method.h"
#include "model/model.h"
#include "model/scene.h"

enum { FIRST_SUBSTEPS = 5, LAST_SUBSTEPS = 320, FINEST_SUBSTEPS = 8 * LAST_SUBSTEPS };

/* Its substeps change from run to run. */
static cab_bench_case shootout_case = {
    .name = "rope-16", .family = "rope", .scene = "rope", .copies = {4, 4}};

/* Where the centre of mass was after each frame, m. */
typedef struct path {
    cab_vec3 *at;
    int count;
} path;

/* All cables are made of the same: inner nodes weigh one segment, ends half of one. */
static cab_status centre_of_mass(cab_world *world, double *position, cab_vec3 *centre, cab_error *error)
{
    cab_world_info info = cab_world_get_info(world);
    cab_status status = cab_world_read(world, position, NULL, NULL, error);
    double weight = 0;
    *centre = (cab_vec3){0, 0, 0};
    for (int c = 0; status == CAB_OK && c < info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(world, c);
        for (int i = 0; i < cable.node_count; i++) {
            const double *x = &position[3 * (cable.first_node + i)];
            double w = i == 0 || i == cable.node_count - 1 ? 0.5 : 1;
            centre->x += w * x[0];
            centre->y += w * x[1];
            centre->z += w * x[2];
            weight += w;
        }
    }
    centre->x /= weight;
    centre->y /= weight;
    centre->z /= weight;
    return status;
}

/* Steps through all frames; only the stepping is timed, and not that of the first frame. */
static cab_status follow(cab_world *world, path *way, double *wall, cab_error *error)
{
    double *position = NULL;
    *wall = 0;
    cab_status status = CAB_NEW(position, 3 * (size_t)cab_world_get_info(world).nodes, error);
    for (int i = 0; status == CAB_OK && i < way->count; i++) {
        double begun = cab_now();
        status = cab_world_step(world, 1, error);
        if (i > 0) *wall += cab_now() - begun;
        if (status == CAB_OK) status = centre_of_mass(world, position, &way->at[i], error);
    }
    free(position);
    return status;
}

static double farthest(const path *a, const path *b)
{
    double largest = 0;
    for (int i = 0; i < a->count; i++) {
        double x = a->at[i].x - b->at[i].x, y = a->at[i].y - b->at[i].y, z = a->at[i].z - b->at[i].z;
        largest = fmax(largest, sqrt(x * x + y * y + z * z));
    }
    return largest;
}

/* N/m: springs that stretch by up to 2.7 % in this swing and need 27 substeps. Their path is another one. */
#define SPRING_STIFFNESS 2000

/* Fills a row and the path. */
static cab_status run_path(const cab_bench_setup *setup, cab_bench_row *row, path *way, cab_error *error)
{
    cab_scene *scene = NULL;
    cab_world *world = NULL;
    cab_status status = cab_bench_load(setup, &scene, error);
    if (status != CAB_OK) return status;
    cab_settings *settings = cab_scene_settings(scene);
    if (setup->method == CAB_METHOD_SPRINGS) settings->springs.stiffness = SPRING_STIFFNESS;
    cab_bench_start_row(setup, settings, row);
    way->count = row->frames + 1;
    status = CAB_NEW(way->at, way->count, error);
    cab_world_def def = cab_bench_def(setup->options, setup->device);
    if (status == CAB_OK) status = cab_world_create(scene, &def, &world, error);
    if (status == CAB_OK) row->info = cab_world_get_info(world);
    if (status == CAB_OK) status = follow(world, way, &row->wall, error);
    if (status == CAB_OK) status = cab_world_measure(world, &row->measures, error);
    if (status == CAB_OK) status = cab_bench_count(world, &row->counts, error);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return status;
}

/* As often as --repeat says; the best time counts. */
static cab_status run_row(const cab_bench_setup *setup, const void *right, cab_bench_row *row,
                          cab_error *error)
{
    double best = INFINITY;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < setup->options->repeat; i++) {
        path way = {0};
        status = run_path(setup, row, &way, error);
        best = fmin(best, row->wall);
        if (status == CAB_OK) row->path_error = farthest(&way, right);
        free(way.at);
    }
    row->wall = best;
    if (status == CAB_OK) cab_bench_finish_row(row);
    return status;
}

/* What all rows are compared with. */
typedef struct reference {
    path way;
    cab_method method;
    int substeps;
    double doubt; /* m, how far the same method at half the substeps was from it */
} reference;

/* A copy of the path takes the place of the reference so far. */
static cab_status keep(reference *best, const path *way, cab_method method, double doubt, cab_error *error)
{
    cab_vec3 *at = NULL;
    cab_status status = CAB_NEW(at, way->count, error);
    if (status != CAB_OK) return status;
    memcpy(at, way->at, (size_t)way->count * sizeof *at);
    free(best->way.at);
    *best = (reference){{at, way->count}, method, shootout_case.substeps, doubt};
    return CAB_OK;
}

/* Finer and finer runs of a method. Not the finest is the best: with ever smaller steps the rounding of
 * single precision adds up. */
static cab_status refine(const cab_bench_setup *setup, reference *best, cab_error *error)
{
    cab_bench_row row;
    path before = {0};
    cab_status status = CAB_OK;
    for (int n = FIRST_SUBSTEPS; status == CAB_OK && n <= FINEST_SUBSTEPS; n *= 2) {
        path way = {0};
        shootout_case.substeps = n;
        status = run_path(setup, &row, &way, error);
        double doubt = status == CAB_OK && before.at ? farthest(&before, &way) : INFINITY;
        free(before.at);
        before = way;
        if (doubt < best->doubt) status = keep(best, &way, setup->method, doubt, error);
    }
    free(before.at);
    return status;
}

/* Does it converge to the motion of a cable whose lengths are right? */
static bool is_true(cab_method method)
{
    cab_rule rule = cab_method_traits_of(method)->rule;
    return rule == CAB_RULE_COMPLIANT || rule == CAB_RULE_DIRECT;
}

/* Of these methods' fine runs the surest. No path when there is none. */
static void find_reference(cab_bench *bench, cab_bench_setup setup, bool of_true_ones, reference *best)
{
    for (int i = 0; i < bench->method_count; i++) {
        cab_error error = {0};
        setup.method = bench->methods[i];
        if (is_true(setup.method) != of_true_ones) continue;
        if (refine(&setup, best, &error) != CAB_OK) cab_bench_note_failure(bench, &setup, &error);
    }
    if (!best->way.at || !bench->talk) return;
    fprintf(bench->talk, "Reference: %s at %d substeps, %.3g mm from itself at half of them\n",
            cab_method_name(best->method), best->substeps, 1e3 * best->doubt);
}

static void run_device(cab_bench *bench, cab_bench_setup setup, const path *right)
{
    int base = bench->row_count;
    for (int i = 0; i < bench->method_count; i++) {
        setup.method = bench->methods[i];
        for (int substeps = FIRST_SUBSTEPS; substeps <= LAST_SUBSTEPS; substeps *= 2) {
            shootout_case.substeps = substeps;
            cab_bench_run_row(bench, &setup, run_row, right, base);
        }
    }
}

void cab_bench_shootout(cab_bench *bench)
{
    reference best = {.doubt = INFINITY};
    cab_bench_setup setup = {.kind = CAB_BENCH_SHOOTOUT,
                             .item = &shootout_case,
                             .options = bench->options,
                             .folder = bench->folder,
                             .device = bench->devices[0],
                             .way = CAB_WAY_AUTO,
                             .limits = &bench->limits[0]};
    if (bench->talk) cab_bench_print_head(bench->talk, CAB_BENCH_SHOOTOUT);
    find_reference(bench, setup, true, &best);
    if (!best.way.at) find_reference(bench, setup, false, &best);
    for (int d = 0; best.way.at && d < bench->device_count; d++) {
        setup.device = bench->devices[d];
        setup.limits = &bench->limits[d];
        run_device(bench, setup, &best.way);
    }
    free(best.way.at);
}
