/* What the study of stiffness leaves behind: tables, and a picture of each method drawn as SVG. */
#include "cli/study_stiffness.h"

#include <math.h>
#include <stdio.h>

#include "cli/study_commands.h"
#include "model/scene.h"

/* Of a picture, pixels. */
enum { PANEL = 220, MARGIN = 70, TOP = 56, FOOT = 12 };

static void write_table(cab_file *file, const void *of)
{
    const cab_stiffness *study = of;
    cab_file_print(file, "method,iterations,step_s,stretch_max,stretch_mean,swing_degrees,off_m\n");
    for (int i = 0; i < CAB_STIFFNESS_RUNS; i++) {
        const cab_stiffness_run *r = &study->runs[i];
        cab_file_print(file, "%s,%d,%g,%.9g,%.9g,%.9g,%.9g\n", cab_method_name(r->method->method),
                       r->iterations, r->step, r->stretch_max, r->stretch_mean, r->swing, r->off);
    }
}

static void write_positions(cab_file *file, const void *of)
{
    const cab_stiffness *study = of;
    cab_file_print(file, "method,iterations,step_s,particle,x,y,z\n");
    for (int i = 0; i < CAB_STIFFNESS_RUNS; i++) {
        const cab_stiffness_run *r = &study->runs[i];
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

static view find_view(const cab_stiffness *study)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, edge = 12;
    widen(study->start, study->nodes, low, high);
    for (int i = 0; i < CAB_STIFFNESS_RUNS; i++) widen(study->runs[i].at, study->nodes, low, high);
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

static void draw_panel(cab_file *file, view v, const cab_stiffness *study, const cab_stiffness_run *run,
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
    const cab_stiffness *study;
    const cab_stiffness_run *runs; /* of the method */
} picture;

static void draw_picture(cab_file *file, const void *of)
{
    const picture *p = of;
    const cab_stiffness *study = p->study;
    const cab_stiffness_run *runs = p->runs;
    int width = MARGIN + CAB_STIFFNESS_ITERATIONS * PANEL + FOOT,
        height = TOP + CAB_STIFFNESS_STEPS * PANEL + FOOT;
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
    for (int i = 0; i < CAB_STIFFNESS_ITERATIONS; i++)
        cab_file_print(file, "<text x=\"%d\" y=\"46\" text-anchor=\"middle\">%d iteration%s</text>\n",
                       MARGIN + i * PANEL + PANEL / 2, runs[i].iterations,
                       runs[i].iterations == 1 ? "" : "s");
    view v = find_view(study);
    for (int s = 0; s < CAB_STIFFNESS_STEPS; s++, runs += CAB_STIFFNESS_ITERATIONS) {
        cab_file_print(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%g s</text>\n", MARGIN - 6,
                       TOP + s * PANEL + PANEL / 2, runs->step);
        for (int i = 0; i < CAB_STIFFNESS_ITERATIONS; i++) draw_panel(file, v, study, &runs[i], s, i);
    }
    cab_file_print(file, "</svg>\n");
}

cab_status cab_stiffness_write(const cab_stiffness *study, const char *folder, cab_error *error)
{
    cab_status status = cab_study_write_file(folder, "stiffness.csv", write_table, study, error);
    if (status == CAB_OK)
        status = cab_study_write_file(folder, "positions.csv", write_positions, study, error);
    for (int m = 0; status == CAB_OK && m < CAB_STIFFNESS_METHODS; m++) {
        char name[64];
        picture of = {study, &study->runs[m * CAB_STIFFNESS_OF_METHOD]};
        snprintf(name, sizeof name, "%s.svg", cab_method_name(of.runs->method->method));
        status = cab_study_write_file(folder, name, draw_picture, &of, error);
    }
    return status;
}
