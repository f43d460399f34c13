/* clcable study stiffness: how iterations and time steps change a cable's stiffness, method by method (figures 3.37 to
 * 3.39 of the thesis on cable simulation).
 */
#include "cli/study_stiffness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/study_commands.h"
#include "model/model.h"
#include "model/scene.h"

/* jakobsen knows no stiffness but that of its iterations; pbd's shares are of the same order; xpbd's
 * compliance is the scene's. */
static const cab_stiffness_method methods[CAB_STIFFNESS_METHODS] = {
    {CAB_METHOD_JAKOBSEN, 1, 1}, {CAB_METHOD_PBD, 0.9, 0.2}, {CAB_METHOD_XPBD, 1, 1}};
static const int iterations[CAB_STIFFNESS_ITERATIONS] = {1, 12, 25};
static const double steps[CAB_STIFFNESS_STEPS] = {0.02, 0.002, 0.0002};

static double distance(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* The angle in the plane of x and z by which the second half points elsewhere than the first, degrees. */
static double bend_of(double (*at)[3], int nodes)
{
    int half = nodes / 2, last = nodes - 1;
    double ax = at[half][0] - at[0][0], az = at[half][2] - at[0][2];
    double bx = at[last][0] - at[half][0], bz = at[last][2] - at[half][2];
    return atan2(ax * bz - az * bx, ax * bx + az * bz) * 180 / acos(-1);
}

static void judge(const cab_stiffness *study, cab_stiffness_run *run)
{
    int segments = study->nodes - 1;
    double rest = study->length / segments, sum = 0;
    for (int i = 0; i < segments; i++) {
        double length = distance(run->at[i], run->at[i + 1]);
        sum += length;
        run->stretch_max = fmax(run->stretch_max, fabs(length / rest - 1));
    }
    run->stretch_mean = sum / study->length - 1;
    run->swing = bend_of(run->at, study->nodes) - bend_of(study->start, study->nodes);
}

/* Leaves the places at `time` in `at`. */
static cab_status follow(cab_world *world, double time, double step, int nodes, double (*at)[3],
                         cab_error *error)
{
    int whole = (int)floor(time / step + 1e-6);
    double part = time / step - whole, (*next)[3] = NULL;
    cab_status status = cab_world_step(world, whole, error);
    if (status == CAB_OK) status = cab_world_read(world, at[0], NULL, NULL, error);
    if (status != CAB_OK || part < 1e-6) return status;
    status = CAB_NEW(next, nodes, error);
    if (status == CAB_OK) status = cab_world_step(world, 1, error);
    if (status == CAB_OK) status = cab_world_read(world, next[0], NULL, NULL, error);
    for (int i = 0; status == CAB_OK && i < nodes; i++)
        for (int k = 0; k < 3; k++) at[i][k] += part * (next[i][k] - at[i][k]);
    free(next);
    return status;
}

/* The first run tells how many nodes there are and where they start. */
static cab_status begin(cab_stiffness *study, cab_world *world, cab_error *error)
{
    if (study->start) return CAB_OK;
    cab_world_info info = cab_world_get_info(world);
    if (info.cables != 1) return cab_fail(error, CAB_ERROR_INPUT, "stiffness.json: expected one cable");
    study->nodes = info.nodes;
    study->length = cab_world_get_cable(world, 0).length;
    cab_status status = CAB_NEW(study->start, info.nodes, error);
    return status == CAB_OK ? cab_world_read(world, study->start[0], NULL, NULL, error) : status;
}

static cab_status run_one(const cab_options *options, cab_scene *scene, cab_stiffness *study,
                          cab_stiffness_run *run, cab_error *error)
{
    cab_settings *settings = cab_scene_settings(scene), before = *settings;
    settings->method = run->method->method;
    settings->stiffness = run->method->stiffness;
    settings->double_stiffness = run->method->double_stiffness;
    if (settings->method != CAB_METHOD_XPBD) settings->double_compliance = 0;
    settings->iterations = run->iterations;
    settings->substeps = 1;
    settings->frame_rate = 1 / run->step;
    cab_world_def def = cab_world_default();
    def.device = options->devices.count ? options->devices.word[options->devices.count - 1] : "native";
    def.threads = options->threads ? (int)options->threads : 1; /* one small cable */
    cab_world *world = NULL;
    cab_status status = cab_world_create(scene, &def, &world, error);
    if (status == CAB_OK) status = begin(study, world, error);
    if (status == CAB_OK) status = CAB_NEW(run->at, study->nodes, error);
    if (status == CAB_OK) status = follow(world, study->time, run->step, study->nodes, run->at, error);
    if (status == CAB_OK) judge(study, run);
    cab_world_destroy(world);
    *settings = before;
    return status;
}

static void find_differences(cab_stiffness *study)
{
    const cab_stiffness_run *right = &study->runs[CAB_STIFFNESS_RUNS - 1];
    for (int i = 0; i < CAB_STIFFNESS_RUNS; i++) {
        cab_stiffness_run *run = &study->runs[i];
        for (int n = 0; n < study->nodes; n++) run->off += distance(run->at[n], right->at[n]);
        run->off /= study->nodes;
    }
}

static void print_table(const cab_stiffness *study, const cab_settings *settings)
{
    printf("%d segments, %g m, at %g s; pbd: k = %g, of double distances %g; xpbd: double distances %g m/N\n",
           study->nodes - 1, study->length, study->time, methods[1].stiffness, methods[1].double_stiffness,
           settings->double_compliance);
    printf("%-9s %10s %8s %9s %9s %9s %9s\n", "method", "iterations", "step", "worst", "stretch", "swing",
           "off");
    printf("%-9s %10s %8s %9s %9s %9s %9s\n", "", "", "s", "%", "%", "degrees", "mm");
    for (int i = 0; i < CAB_STIFFNESS_RUNS; i++) {
        const cab_stiffness_run *run = &study->runs[i];
        printf("%-9s %10d %8g %9.2f %9.2f %9.1f %9.1f\n", cab_method_name(run->method->method),
               run->iterations, run->step, 100 * run->stretch_max, 100 * run->stretch_mean, run->swing,
               1e3 * run->off);
    }
}

static cab_status run_all(const cab_options *options, cab_scene *scene, cab_stiffness *study,
                          cab_error *error)
{
    cab_status status = CAB_OK;
    study->time = cab_scene_settings(scene)->duration;
    for (int i = 0; i < CAB_STIFFNESS_RUNS && status == CAB_OK && !cab_interrupted(); i++) {
        int of_method = i % CAB_STIFFNESS_OF_METHOD;
        study->runs[i] = (cab_stiffness_run){.method = &methods[i / CAB_STIFFNESS_OF_METHOD],
                                             .step = steps[of_method / CAB_STIFFNESS_ITERATIONS],
                                             .iterations = iterations[of_method % CAB_STIFFNESS_ITERATIONS]};
        status = run_one(options, scene, study, &study->runs[i], error);
    }
    if (status != CAB_OK || cab_interrupted()) return status;
    find_differences(study);
    if (!options->quiet) print_table(study, cab_scene_settings(scene));
    return options->outputs.count ? cab_stiffness_write(study, options->outputs.word[0], error) : CAB_OK;
}

static void free_study(cab_stiffness *study)
{
    for (int i = 0; i < CAB_STIFFNESS_RUNS; i++) free(study->runs[i].at);
    free(study->start);
}

int cab_study_stiffness(const cab_options *options)
{
    char folder[4000], path[4096];
    if (!cab_find_scenes(folder, sizeof folder)) {
        cab_cli_error("study: the folder of the scenes is not there; name it in CLCABLE_SCENES");
        return CAB_EXIT_USAGE;
    }
    snprintf(path, sizeof path, "%s/stiffness.json", folder);
    int code;
    cab_scene *scene = cab_options_load_scene(options, path, &code);
    if (!scene) return code;
    cab_stiffness study = {0};
    cab_error error = {0};
    cab_interrupt_install();
    cab_status status = run_all(options, scene, &study, &error);
    if (status != CAB_OK) cab_cli_error("%s", error.message);
    free_study(&study);
    cab_scene_destroy(scene);
    if (status != CAB_OK) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}
