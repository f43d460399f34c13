/* clcable study, and its study stiffness: how iterations and time steps change a cable's stiffness, method by
 * method (figures 3.37 to 3.39 of the thesis on cable simulation).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/bench_case.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/study.h"
#include "model/model.h"
#include "model/scene.h"

static const char help[] =
    "usage: clcable study stiffness | particles [options]\n"
    "\n"
    "stiffness: runs scenes/stiffness.json by jakobsen, pbd and xpbd with 1, 12 and 25\n"
    "iterations and steps of 0.02, 0.002 and 0.0002 s, and prints how far the cable\n"
    "has stretched and swung at 0.25 s. A cable that gets stiffer swings more.\n"
    "\n"
    "  -o, --out FOLDER     write stiffness.csv (the table), positions.csv (all shapes)\n"
    "                       and a picture of each method, 3 x 3 shapes: jakobsen.svg,\n"
    "                       pbd.svg, xpbd.svg\n"
    "  --set POINTER=VALUE  any value of the scene by its JSON pointer; repeatable\n"
    "  --device D, --threads N\n"
    "                       as with `clcable run`; default: native, one thread\n"
    "  -q, --quiet          no table\n"
    "  --help               this text\n"
    "\n"
    "Columns: the worst stretch of a segment; the stretch of the whole; the degrees\n"
    "that the free half has turned against the held half since the start; the mean\n"
    "distance of particles from those of xpbd at 25 iterations and 0.0002 s.\n"
    "Where the time is not a whole number of steps, places are blended between two.\n"
    "\n"
    "Environment: CLCABLE_SCENES names the folder of the scene.\n"
    "\n"
    "Exit code: 0 done, 1 a run failed, 2 bad usage or scene, 130 ended by Ctrl-C.\n"
    "\n"
    "particles: how far each integrator can be pushed with particles under Lagrange\n"
    "multipliers, beside the figures of the paper; orders of convergence; what the\n"
    "solvers need. Default device: native, all cores.\n"
    "\n"
    "  -o, --out FOLDER     write integrators.csv and solvers.csv\n"
    "  --json               as JSON instead of tables\n"
    "\n"
    "example: clcable study stiffness --out stiffness\n";

/* jakobsen knows no stiffness but that of its iterations; pbd's shares are of the same order; xpbd's
 * compliance is the scene's. */
const cab_study_method cab_study_methods[CAB_STUDY_METHODS] = {
    {CAB_METHOD_JAKOBSEN, 1, 1}, {CAB_METHOD_PBD, 0.9, 0.2}, {CAB_METHOD_XPBD, 1, 1}};
const int cab_study_iterations[CAB_STUDY_ITERATIONS] = {1, 12, 25};
const double cab_study_steps[CAB_STUDY_STEPS] = {0.02, 0.002, 0.0002};

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

static void judge(const cab_study *study, cab_study_run *run)
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
static cab_status begin(cab_study *study, cab_world *world, cab_error *error)
{
    if (study->start) return CAB_OK;
    cab_world_info info = cab_world_get_info(world);
    if (info.cables != 1) return cab_fail(error, CAB_ERROR_INPUT, "stiffness.json: expected one cable");
    study->nodes = info.nodes;
    study->length = cab_world_get_cable(world, 0).length;
    cab_status status = CAB_NEW(study->start, info.nodes, error);
    return status == CAB_OK ? cab_world_read(world, study->start[0], NULL, NULL, error) : status;
}

static cab_status run_one(const cab_options *options, cab_scene *scene, cab_study *study, int m, int s, int i,
                          cab_error *error)
{
    cab_study_run *run = &study->run[m][s][i];
    cab_settings *settings = cab_scene_settings(scene), before = *settings;
    settings->method = cab_study_methods[m].method;
    settings->stiffness = cab_study_methods[m].stiffness;
    settings->double_stiffness = cab_study_methods[m].double_stiffness;
    if (settings->method != CAB_METHOD_XPBD) settings->double_compliance = 0;
    settings->iterations = cab_study_iterations[i];
    settings->substeps = 1;
    settings->frame_rate = 1 / cab_study_steps[s];
    cab_world_def def = cab_world_default();
    def.device = options->devices.count ? options->devices.word[options->devices.count - 1] : "native";
    def.threads = options->threads ? (int)options->threads : 1; /* one small cable */
    cab_world *world = NULL;
    cab_status status = cab_world_create(scene, &def, &world, error);
    if (status == CAB_OK) status = begin(study, world, error);
    if (status == CAB_OK) status = CAB_NEW(run->at, study->nodes, error);
    if (status == CAB_OK)
        status = follow(world, study->time, cab_study_steps[s], study->nodes, run->at, error);
    if (status == CAB_OK) judge(study, run);
    cab_world_destroy(world);
    *settings = before;
    return status;
}

static void find_differences(cab_study *study)
{
    const cab_study_run *right =
        &study->run[CAB_STUDY_METHODS - 1][CAB_STUDY_STEPS - 1][CAB_STUDY_ITERATIONS - 1];
    for (int m = 0; m < CAB_STUDY_METHODS; m++)
        for (int s = 0; s < CAB_STUDY_STEPS; s++)
            for (int i = 0; i < CAB_STUDY_ITERATIONS; i++) {
                cab_study_run *run = &study->run[m][s][i];
                for (int n = 0; n < study->nodes; n++) run->off += distance(run->at[n], right->at[n]);
                run->off /= study->nodes;
            }
}

static void print_row(const cab_study *study, int m, int s, int i)
{
    const cab_study_run *run = &study->run[m][s][i];
    printf("%-9s %10d %8g %9.2f %9.2f %9.1f %9.1f\n", cab_method_name(cab_study_methods[m].method),
           cab_study_iterations[i], cab_study_steps[s], 100 * run->stretch_max, 100 * run->stretch_mean,
           run->swing, 1e3 * run->off);
}

static void print_table(const cab_study *study, const cab_settings *settings)
{
    printf("%d segments, %g m, at %g s; pbd: k = %g, of double distances %g; xpbd: double distances %g m/N\n",
           study->nodes - 1, study->length, study->time, cab_study_methods[1].stiffness,
           cab_study_methods[1].double_stiffness, settings->double_compliance);
    printf("%-9s %10s %8s %9s %9s %9s %9s\n", "method", "iterations", "step", "worst", "stretch", "swing",
           "off");
    printf("%-9s %10s %8s %9s %9s %9s %9s\n", "", "", "s", "%", "%", "degrees", "mm");
    for (int m = 0; m < CAB_STUDY_METHODS; m++)
        for (int s = 0; s < CAB_STUDY_STEPS; s++)
            for (int i = 0; i < CAB_STUDY_ITERATIONS; i++) print_row(study, m, s, i);
}

static cab_status run_all(const cab_options *options, cab_scene *scene, cab_study *study, cab_error *error)
{
    cab_status status = CAB_OK;
    study->time = cab_scene_settings(scene)->duration;
    for (int m = 0; m < CAB_STUDY_METHODS; m++)
        for (int s = 0; s < CAB_STUDY_STEPS; s++)
            for (int i = 0; i < CAB_STUDY_ITERATIONS; i++)
                if (status == CAB_OK && !cab_interrupted())
                    status = run_one(options, scene, study, m, s, i, error);
    if (status != CAB_OK || cab_interrupted()) return status;
    find_differences(study);
    if (!options->quiet) print_table(study, cab_scene_settings(scene));
    return options->outputs.count ? cab_study_write(study, options->outputs.word[0], error) : CAB_OK;
}

static void free_study(cab_study *study)
{
    for (int m = 0; m < CAB_STUDY_METHODS; m++)
        for (int s = 0; s < CAB_STUDY_STEPS; s++)
            for (int i = 0; i < CAB_STUDY_ITERATIONS; i++) free(study->run[m][s][i].at);
    free(study->start);
}

static int study_stiffness(const cab_options *options)
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
    cab_study study = {0};
    cab_error error = {0};
    cab_interrupt_install();
    cab_status status = run_all(options, scene, &study, &error);
    if (status != CAB_OK) cab_cli_error("%s", error.message);
    free_study(&study);
    cab_scene_destroy(scene);
    if (status != CAB_OK) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}

int cab_cmd_study(int argc, char **argv)
{
    cab_options options;
    int code;
    if (!cab_options_parse(argc, argv, CAB_TAKES_STUDY | CAB_TAKES_DEVICE | CAB_TAKES_JSON, help, &options,
                           &code))
        return code;
    const char *name = cab_options_single(&options, "study", "\"stiffness\" or \"particles\"");
    code = CAB_EXIT_USAGE;
    bool particles = name && strcmp(name, "particles") == 0;
    if (name && !particles && strcmp(name, "stiffness") != 0) {
        cab_cli_error("study: expected \"stiffness\" or \"particles\", got '%s'", name);
    } else if (name && !particles && options.json) {
        cab_cli_error("study stiffness: takes no --json");
    } else if (options.outputs.count > 1) {
        cab_cli_error("study: --out is given twice, '%s' and '%s'", options.outputs.word[0],
                      options.outputs.word[1]);
    } else if (options.devices.count > 1) {
        cab_cli_error("study: --device is given twice, '%s' and '%s'", options.devices.word[0],
                      options.devices.word[1]);
    } else if (name) {
        code = particles ? cab_study_particles(&options) : study_stiffness(&options);
    }
    cab_options_free(&options);
    return code;
}
