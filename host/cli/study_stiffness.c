/* clcable study stiffness: how iterations and time steps change a cable's stiffness, method by method (figures 3.37 to
 * 3.39 of the thesis on cable simulation). */
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

enum { METHODS = 3, ITERATIONS = 3, STEPS = 3, OF_METHOD = STEPS * ITERATIONS, RUNS = METHODS * OF_METHOD };

/* How a method is set up: its own words for "the same cable". */
typedef struct stiffness_method {
    cab_method method;
    double stiffness, double_stiffness; /* pbd; 1 = not used */
} stiffness_method;

/* One run: where the cable was at the study's time. */
typedef struct stiffness_run {
    const stiffness_method *method;
    double step; /* s */
    int iterations;
    double (*at)[3];     /* [nodes] m */
    double stretch_max;  /* of a segment's rest length */
    double stretch_mean; /* of the whole: length over rest length, less 1 */
    double swing;        /* degrees that the free half has turned against the held half since the start */
    double off;          /* m, mean distance of its particles from those of xpbd's last run */
} stiffness_run;

typedef struct stiffness_study {
    int nodes;
    double time;              /* s */
    double length;            /* m, rest length */
    double (*start)[3];       /* [nodes] m */
    stiffness_run runs[RUNS]; /* method by method, step by step, by iterations */
} stiffness_study;

/* jakobsen knows no stiffness but that of its iterations; pbd's shares are of the same order; xpbd's
 * compliance is the scene's. */
static const stiffness_method methods[METHODS] = {
    {CAB_METHOD_JAKOBSEN, 1, 1}, {CAB_METHOD_PBD, 0.9, 0.2}, {CAB_METHOD_XPBD, 1, 1}};
static const int iterations[ITERATIONS] = {1, 12, 25};
static const double steps[STEPS] = {0.02, 0.002, 0.0002};

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

static void judge(const stiffness_study *study, stiffness_run *run)
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
static cab_status begin(stiffness_study *study, cab_world *world, cab_error *error)
{
    if (study->start) return CAB_OK;
    cab_world_info info = cab_world_get_info(world);
    if (info.cables != 1) return cab_fail(error, CAB_ERROR_INPUT, "stiffness.json: expected one cable");
    study->nodes = info.nodes;
    study->length = cab_world_get_cable(world, 0).length;
    cab_status status = CAB_NEW(study->start, info.nodes, error);
    return status == CAB_OK ? cab_world_read(world, study->start[0], NULL, NULL, error) : status;
}

static cab_status run_one(const cab_options *options, cab_scene *scene, stiffness_study *study,
                          stiffness_run *run, cab_error *error)
{
    cab_settings *settings = cab_scene_settings(scene), before = *settings;
    settings->method = run->method->method;
    settings->pbd.stiffness = run->method->stiffness;
    settings->pbd.double_stiffness = run->method->double_stiffness;
    if (settings->method != CAB_METHOD_XPBD) settings->doubles.compliance = 0;
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

static void find_differences(stiffness_study *study)
{
    const stiffness_run *right = &study->runs[RUNS - 1];
    for (int i = 0; i < RUNS; i++) {
        stiffness_run *run = &study->runs[i];
        for (int n = 0; n < study->nodes; n++) run->off += distance(run->at[n], right->at[n]);
        run->off /= study->nodes;
    }
}

static void print_table(const stiffness_study *study, const cab_settings *settings)
{
    printf("%d segments, %g m, at %g s; pbd: k = %g, of double distances %g; xpbd: double distances %g m/N\n",
           study->nodes - 1, study->length, study->time, methods[1].stiffness, methods[1].double_stiffness,
           settings->doubles.compliance);
    printf("%-9s %10s %8s %9s %9s %9s %9s\n", "method", "iterations", "step", "worst", "stretch", "swing",
           "off");
    printf("%-9s %10s %8s %9s %9s %9s %9s\n", "", "", "s", "%", "%", "degrees", "mm");
    for (int i = 0; i < RUNS; i++) {
        const stiffness_run *run = &study->runs[i];
        printf("%-9s %10d %8g %9.2f %9.2f %9.1f %9.1f\n", cab_method_name(run->method->method),
               run->iterations, run->step, 100 * run->stretch_max, 100 * run->stretch_mean, run->swing,
               1e3 * run->off);
    }
}

/* ---- files: tables, and a picture of each method drawn as SVG ---- */

/* Of a picture, pixels. */
enum { PANEL = 220, MARGIN = 70, TOP = 56, FOOT = 12 };

static void write_table(cab_file *file, const void *of)
{
    const stiffness_study *study = of;
    cab_file_print(file, "method,iterations,step_s,stretch_max,stretch_mean,swing_degrees,off_m\n");
    for (int i = 0; i < RUNS; i++) {
        const stiffness_run *r = &study->runs[i];
        cab_file_print(file, "%s,%d,%g,%.9g,%.9g,%.9g,%.9g\n", cab_method_name(r->method->method),
                       r->iterations, r->step, r->stretch_max, r->stretch_mean, r->swing, r->off);
    }
}

static void write_positions(cab_file *file, const void *of)
{
    const stiffness_study *study = of;
    cab_file_print(file, "method,iterations,step_s,particle,x,y,z\n");
    for (int i = 0; i < RUNS; i++) {
        const stiffness_run *r = &study->runs[i];
        for (int n = 0; n < study->nodes; n++)
            cab_file_print(file, "%s,%d,%g,%d,%.9g,%.9g,%.9g\n", cab_method_name(r->method->method),
                           r->iterations, r->step, n, r->at[n][0], r->at[n][1], r->at[n][2]);
    }
}

/* What all panels of all pictures show: x and z of every shape, to one scale. */
typedef struct view {
    double x, z;  /* of the upper left corner, m */
    double scale; /* pixels per m */
} view;

static void widen(double (*at)[3], int nodes, double low[2], double high[2])
{
    for (int n = 0; n < nodes; n++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[n][2 * k]);
            high[k] = fmax(high[k], at[n][2 * k]);
        }
}

static view find_view(const stiffness_study *study)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, edge = 12;
    widen(study->start, study->nodes, low, high);
    for (int i = 0; i < RUNS; i++) widen(study->runs[i].at, study->nodes, low, high);
    double side = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-9), scale = (PANEL - 2 * edge) / side;
    return (view){(low[0] + high[0]) / 2 - PANEL / scale / 2, (low[1] + high[1]) / 2 + PANEL / scale / 2,
                  scale};
}

static void draw_line(cab_file *file, view v, double (*at)[3], int nodes, const char *style)
{
    cab_file_print(file, "<polyline %s points=\"", style);
    for (int n = 0; n < nodes; n++)
        cab_file_print(file, "%.2f,%.2f ", (at[n][0] - v.x) * v.scale, (v.z - at[n][2]) * v.scale);
    cab_file_print(file, "\"/>\n");
}

static void draw_panel(cab_file *file, view v, const stiffness_study *study, const stiffness_run *run,
                       int row, int column)
{
    cab_file_print(file,
                   "<g transform=\"translate(%d,%d)\">\n<rect width=\"%d\" height=\"%d\" class=\"p\"/>\n",
                   MARGIN + column * PANEL, TOP + row * PANEL, PANEL, PANEL);
    draw_line(file, v, study->start, study->nodes, "class=\"s\"");
    draw_line(file, v, run->at, study->nodes, "class=\"c\"");
    for (int n = 0; n < study->nodes; n++)
        cab_file_print(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\"/>\n", (run->at[n][0] - v.x) * v.scale,
                       (v.z - run->at[n][2]) * v.scale);
    cab_file_print(file, "</g>\n");
}

/* The picture of one method. */
typedef struct picture {
    const stiffness_study *study;
    const stiffness_run *runs; /* of the method */
} picture;

static void draw_picture(cab_file *file, const void *of)
{
    const picture *p = of;
    const stiffness_study *study = p->study;
    const stiffness_run *runs = p->runs;
    int width = MARGIN + ITERATIONS * PANEL + FOOT, height = TOP + STEPS * PANEL + FOOT;
    cab_file_print(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"14\">\n"
        "<style>.p{fill:#fff;stroke:#bbb}.s{fill:none;stroke:#ccc;stroke-width:2}"
        ".c{fill:none;stroke:#3b6ea5;stroke-width:2}circle{fill:#1d3f63}</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        width, height, width, height, width, height);
    cab_file_print(file,
                   "<text x=\"%d\" y=\"20\" font-weight=\"bold\">%s after %g s (grey: the start)</text>\n",
                   MARGIN, cab_method_name(runs->method->method), study->time);
    for (int i = 0; i < ITERATIONS; i++)
        cab_file_print(file, "<text x=\"%d\" y=\"46\" text-anchor=\"middle\">%d iteration%s</text>\n",
                       MARGIN + i * PANEL + PANEL / 2, runs[i].iterations,
                       runs[i].iterations == 1 ? "" : "s");
    view v = find_view(study);
    for (int s = 0; s < STEPS; s++, runs += ITERATIONS) {
        cab_file_print(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%g s</text>\n", MARGIN - 6,
                       TOP + s * PANEL + PANEL / 2, runs->step);
        for (int i = 0; i < ITERATIONS; i++) draw_panel(file, v, study, &runs[i], s, i);
    }
    cab_file_print(file, "</svg>\n");
}

static cab_status write_all(const stiffness_study *study, const char *folder, cab_error *error)
{
    cab_status status = cab_study_write_file(folder, "stiffness.csv", write_table, study, error);
    if (status == CAB_OK)
        status = cab_study_write_file(folder, "positions.csv", write_positions, study, error);
    for (int m = 0; status == CAB_OK && m < METHODS; m++) {
        char name[64];
        picture of = {study, &study->runs[m * OF_METHOD]};
        snprintf(name, sizeof name, "%s.svg", cab_method_name(of.runs->method->method));
        status = cab_study_write_file(folder, name, draw_picture, &of, error);
    }
    return status;
}

/* ---- the study ---- */

static cab_status run_all(const cab_options *options, cab_scene *scene, stiffness_study *study,
                          cab_error *error)
{
    cab_status status = CAB_OK;
    study->time = cab_scene_settings(scene)->duration;
    for (int i = 0; i < RUNS && status == CAB_OK && !cab_interrupted(); i++) {
        int of_method = i % OF_METHOD;
        study->runs[i] = (stiffness_run){.method = &methods[i / OF_METHOD],
                                         .step = steps[of_method / ITERATIONS],
                                         .iterations = iterations[of_method % ITERATIONS]};
        status = run_one(options, scene, study, &study->runs[i], error);
    }
    if (status != CAB_OK || cab_interrupted()) return status;
    find_differences(study);
    if (!options->quiet) print_table(study, cab_scene_settings(scene));
    return options->outputs.count ? write_all(study, options->outputs.word[0], error) : CAB_OK;
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
    stiffness_study study = {0};
    cab_error error = {0};
    cab_interrupt_install();
    cab_status status = run_all(options, scene, &study, &error);
    if (status != CAB_OK) cab_cli_error("%s", error.message);
    for (int i = 0; i < RUNS; i++) free(study.runs[i].at);
    free(study.start);
    cab_scene_destroy(scene);
    if (status != CAB_OK) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}
