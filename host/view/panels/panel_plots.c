/* Side panel: plots over time of tension and curvature at places that were picked and at probes, and of energy. */
#include <math.h>
#include <stdio.h>

#include "view/panels/panels_inside.h"
#include "view/scale/colour.h"
#include "view/scale/units.h"

enum { ROW = 24, LINE = 18, HEIGHT = 64, TICKS = 4, TEXT_SIZE = 64 };

static const struct {
    const char *name, *unit;
} quantities[CAB_TRACED_QUANTITIES] = {{"Tension", "N"}, {"Curvature", "1/m"}};

/* A curve: its values where its samples are, and the colour. */
typedef struct curve {
    const float *values; /* one of these two is NULL */
    const double *doubles;
    struct nk_color colour;
} curve;

/* A plot of curves over the same samples. */
typedef struct chart {
    const char *name, *unit;
    const cab_traces *traces;
    curve curves[CAB_TRACES_MOST];
    int count;
    double low, high; /* ends of its scale, round numbers; 0 is between them */
} chart;

static double value_at(const curve *c, int sample)
{
    return c->values ? (double)c->values[sample] : c->doubles[sample];
}

static void set_scale(chart *c)
{
    double low = 0, high = 0;
    for (int k = 0; k < c->count; k++) {
        for (int i = 0; i < c->traces->samples; i++) { /* fmin and fmax leave out what is no number */
            low = fmin(low, value_at(&c->curves[k], i));
            high = fmax(high, value_at(&c->curves[k], i));
        }
    }
    double step = cab_round_above(fmax(high - low, 1e-12) / TICKS);
    c->low = step * floor(low / step);
    c->high = fmax(step * ceil(high / step), c->low + step);
}

static struct nk_vec2 point_of(const chart *c, struct nk_rect place, int sample, double value)
{
    const double *time = c->traces->time;
    double length = fmax(time[c->traces->samples - 1] - time[0], 1e-12);
    return nk_vec2(place.x + place.w * (float)((time[sample] - time[0]) / length),
                   place.y + place.h * (float)((c->high - value) / (c->high - c->low)));
}

/* Draws a piece of a curve without gaps; a single point as a dot. */
static void draw_piece(struct nk_command_buffer *canvas, float *points, int count, struct nk_color colour)
{
    if (count == 1) nk_fill_circle(canvas, nk_rect(points[0] - 2, points[1] - 2, 4, 4), colour);
    if (count > 1) nk_stroke_polyline(canvas, points, count, 1.5f, colour);
}

static void draw_curve(const chart *c, const curve *values, struct nk_rect place,
                       struct nk_command_buffer *canvas)
{
    float points[2 * CAB_TRACE_SAMPLES];
    int count = 0;
    for (int i = 0; i < c->traces->samples; i++) {
        double value = value_at(values, i);
        if (isfinite(value)) {
            struct nk_vec2 at = point_of(c, place, i, value);
            points[2 * count] = at.x;
            points[2 * count++ + 1] = at.y;
        } else {
            draw_piece(canvas, points, count, values->colour);
            count = 0;
        }
    }
    draw_piece(canvas, points, count, values->colour);
}

/* The name and the ends of the scale, and below them the curves. */
static void show_chart(cab_panels *panels, chart *c)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    char low[TEXT_SIZE], high[TEXT_SIZE], range[2 * TEXT_SIZE + 8];
    struct nk_rect place;
    set_scale(c);
    cab_write_quantity(low, sizeof low, c->low, c->unit, 3);
    cab_write_quantity(high, sizeof high, c->high, c->unit, 3);
    snprintf(range, sizeof range, "%s … %s", low, high);
    cab_ui_fact(panels->ui, c->name, range);
    nk_layout_row_dynamic(nk, HEIGHT, 1);
    if (nk_widget(&place, nk) == NK_WIDGET_INVALID) return;
    struct nk_command_buffer *canvas = nk_window_get_canvas(nk);
    nk_fill_rect(canvas, place, 2, cab_ui_dark.field);
    float zero = place.y + place.h * (float)(c->high / (c->high - c->low));
    nk_stroke_line(canvas, place.x, zero, place.x + place.w, zero, 1, cab_ui_dark.line);
    for (int k = 0; k < c->count; k++) draw_curve(c, &c->curves[k], place, canvas);
}

static struct nk_color colour_of(const cab_trace *trace)
{
    unsigned char rgba[4];
    cab_palette(trace->colour, rgba);
    return nk_rgb(rgba[0], rgba[1], rgba[2]);
}

/* A place: its colour, where it is, what it has now, and a button that removes it. Returns whether that was clicked. */
static bool show_trace(cab_panels *panels, const cab_trace *trace)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    char text[300];
    struct nk_rect place;
    cab_ui_row(panels->ui, LINE, 5, (float[]){10, 0, 62, 62, 18});
    if (nk_widget(&place, nk) != NK_WIDGET_INVALID)
        nk_fill_circle(nk_window_get_canvas(nk), nk_rect(place.x, place.y + 4, 10, 10), colour_of(trace));
    if (trace->name[0])
        snprintf(text, sizeof text, "%s", trace->name);
    else
        snprintf(text, sizeof text, "%.2f of %s", trace->at,
                 cab_world_get_cable(panels->viewer->world, trace->cable).name);
    cab_ui_label(panels->ui, CAB_FONT_SMALL, text, NK_TEXT_LEFT, cab_ui_dark.text);
    for (int q = 0; q < CAB_TRACED_QUANTITIES; q++) {
        double now = trace->values[q][panels->viewer->traces.samples - 1];
        cab_write_quantity(text, sizeof text, now, quantities[q].unit, 3);
        cab_ui_label(panels->ui, CAB_FONT_SMALL, text, NK_TEXT_RIGHT, cab_ui_dark.faint);
    }
    return cab_ui_icon_button(panels->ui, CAB_ICON_CLOSE, "Remove this plot");
}

static void show_places(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    const cab_traces *t = &v->traces;
    int removed = -1;
    for (int q = 0; q < CAB_TRACED_QUANTITIES; q++) {
        chart c = {.name = quantities[q].name, .unit = quantities[q].unit, .traces = t, .count = t->count};
        for (int i = 0; i < t->count; i++)
            c.curves[i] = (curve){.values = t->list[i].values[q], .colour = colour_of(&t->list[i])};
        show_chart(panels, &c);
    }
    for (int i = 0; i < t->count; i++)
        if (show_trace(panels, &t->list[i])) removed = i;
    cab_viewer_untrace(v, removed);
}

void cab_panel_plots(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    const cab_traces *t = &v->traces;
    bool *open = &panels->open[CAB_SECTION_PLOTS];
    char from[TEXT_SIZE], to[TEXT_SIZE];
    if (t->count > panels->traced) *open = true;
    panels->traced = t->count;
    if (!cab_ui_section(panels->ui, "Plots", open)) return;
    nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW, 2);
    if (cab_ui_chip(panels->ui, "Plot this place", false, "Where a cable was clicked (P)"))
        cab_viewer_trace_selected(v);
    if (cab_ui_chip(panels->ui, "Energy", t->with_energy, "Kinetic and potential energy of all"))
        cab_viewer_trace_energy(v, !t->with_energy);
    bool probes = cab_viewer_traces_probes(v);
    if (cab_viewer_probes(v) && cab_ui_chip(panels->ui, "Probes", probes, "Those of the scene"))
        cab_viewer_trace_probes(v, !probes);
    if (!t->samples) return;
    cab_write_quantity(from, sizeof from, t->time[0], "s", 3);
    cab_write_quantity(to, sizeof to, t->time[t->samples - 1], "s", 3);
    cab_ui_fact(panels->ui, from, to); /* the ends of what comes below */
    if (t->with_energy) {
        chart c = {.name = "Energy", .unit = "J", .traces = t, .count = 1};
        c.curves[0] = (curve){.doubles = t->energy, .colour = cab_ui_dark.text};
        show_chart(panels, &c);
    }
    if (t->count) show_places(panels);
}
