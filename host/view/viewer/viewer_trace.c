/* Traces: tension and curvature over time at places that were picked and at probes, and the energy of all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "view/viewer/viewer_inside.h"
#include "world/probes.h"

static int node_of(const cab_viewer *v, const cab_trace *trace)
{
    return cab_world_get_cable(v->world, trace->cable).first_node + trace->index;
}

bool cab_viewer_trace_node(const cab_viewer *v, int trace, int *node)
{
    if (!v->world || trace >= v->traces.count) return false;
    *node = node_of(v, &v->traces.list[trace]);
    return true;
}

void cab_viewer_untrace(cab_viewer *v, int trace)
{
    cab_traces *t = &v->traces;
    if (trace < 0 || trace >= t->count) return;
    t->count--;
    memmove(&t->list[trace], &t->list[trace + 1], (size_t)(t->count - trace) * sizeof *t->list);
    if (!t->count && !t->with_energy) t->samples = 0;
    v->changed = true;
}

/* What a new world, as after points of a path were moved, does not have. */
static void drop_lost(cab_viewer *v)
{
    for (int i = v->traces.count - 1; i >= 0; i--) {
        const cab_trace *trace = &v->traces.list[i];
        if (trace->cable >= v->info.cables ||
            trace->index >= cab_world_get_cable(v->world, trace->cable).node_count)
            cab_viewer_untrace(v, i);
    }
}

/* Keeps every other sample, so that there is room for as many again. */
static void thin_out(cab_traces *t)
{
    t->every *= 2;
    int kept = 0;
    for (int i = 0; i < t->samples; i++) {
        if (t->frame[i] % t->every) continue;
        t->frame[kept] = t->frame[i];
        t->time[kept] = t->time[i];
        t->energy[kept] = t->energy[i];
        for (int k = 0; k < t->count; k++)
            for (int q = 0; q < CAB_TRACED_QUANTITIES; q++)
                t->list[k].values[q][kept] = t->list[k].values[q][i];
        kept++;
    }
    t->samples = kept;
}

/* Makes room for a sample of the present frame. What came after it once is forgotten, and so is the last one when it is not among
 * those that are kept: it was there as the latest. */
static int next_sample(cab_traces *t, const cab_world_info *info)
{
    if (t->samples == 0) t->every = 1;
    while (t->samples && t->frame[t->samples - 1] >= info->frame) t->samples--;
    if (t->samples && t->frame[t->samples - 1] % t->every) t->samples--;
    if (t->samples == CAB_TRACE_SAMPLES) thin_out(t);
    t->frame[t->samples] = info->frame;
    t->time[t->samples] = info->time;
    return t->samples++;
}

static cab_status read_traces(cab_viewer *v, int sample, float *rows, cab_error *error)
{
    static const cab_quantity quantities[CAB_TRACED_QUANTITIES] = {CAB_QUANTITY_TENSION,
                                                                   CAB_QUANTITY_CURVATURE};
    cab_traces *t = &v->traces;
    for (int q = 0; q < CAB_TRACED_QUANTITIES; q++) {
        cab_status status = cab_world_draw(v->world, quantities[q], rows, error);
        if (status) return status;
        for (int i = 0; i < t->count; i++) {
            const cab_trace *trace = &t->list[i];
            const float *value = rows + 4 * (size_t)node_of(v, trace) + 3;
            bool between = quantities[q] == CAB_QUANTITY_CURVATURE && trace->part > 0;
            t->list[i].values[q][sample] =
                between ? (float)((1 - trace->part) * value[0] + trace->part * value[4]) : value[0];
        }
    }
    return CAB_OK;
}

cab_status cab_traces_note(cab_viewer *v, cab_error *error)
{
    cab_traces *t = &v->traces;
    drop_lost(v);
    if (!t->count && !t->with_energy) return CAB_OK;
    int sample = next_sample(t, &v->info);
    t->energy[sample] = v->measures.kinetic + v->measures.potential;
    if (!t->count) return CAB_OK;
    size_t bytes = (size_t)v->info.nodes * 4 * sizeof(float);
    float *rows = malloc(bytes);
    if (!rows) return cab_fail_memory(error, "what is plotted", bytes);
    cab_status status = read_traces(v, sample, rows, error);
    free(rows);
    return status;
}

static bool note_now(cab_viewer *v)
{
    cab_error error;
    v->changed = true;
    return cab_traces_note(v, &error) ? cab_viewer_refuse(v, &error) : true;
}

/* A colour of the palette that no other trace has. */
static int free_colour(const cab_traces *t)
{
    for (int colour = 0;; colour++) {
        int i = 0;
        while (i < t->count && t->list[i].colour != colour) i++;
        if (i == t->count) return colour;
    }
}

/* Where a node is on its cable, 0 to 1 of the length of the line through the nodes. */
static double place_of(const cab_viewer *v, const cab_cable_info *cable, int index)
{
    double before = 0, all = 0;
    for (int i = 0; i + 1 < cable->node_count; i++) {
        const float(*x)[4] = cab_renderer_rows(v->renderer) + cable->first_node + i;
        all += hypot(hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]), x[1][2] - x[0][2]);
        if (i + 1 == index) before = all;
    }
    return all > 0 ? before / all : 0;
}

static void append(cab_traces *t, cab_trace trace)
{
    trace.colour = free_colour(t);
    for (int q = 0; q < CAB_TRACED_QUANTITIES; q++)
        for (int i = 0; i < CAB_TRACE_SAMPLES; i++) trace.values[q][i] = NAN;
    t->list[t->count++] = trace;
}

/* ---- probes ---- */

static void put_probe(const cab_viewer *v, cab_trace *trace, const cab_probe_info *probe)
{
    trace->cable = probe->cable;
    trace->index = probe->node - cab_world_get_cable(v->world, probe->cable).first_node;
    trace->part = probe->part;
    snprintf(trace->name, sizeof trace->name, "%s", probe->name);
}

static int trace_called(const cab_traces *t, const char *name)
{
    int i = 0;
    while (i < t->count && strcmp(t->list[i].name, name) != 0) i++;
    return i < t->count ? i : -1;
}

static void add_probes(cab_viewer *v, const cab_probes *probes)
{
    cab_traces *t = &v->traces;
    for (int i = 0; i < probes->count && t->count < CAB_TRACES_MOST; i++) {
        cab_trace trace = {0};
        if (trace_called(t, probes->info[i].name) >= 0) continue;
        put_probe(v, &trace, &probes->info[i]);
        append(t, trace);
    }
}

void cab_traces_begin(cab_viewer *v)
{
    cab_probes probes;
    if (cab_probes_list(v->world, &probes, NULL)) return;
    add_probes(v, &probes);
    cab_probes_free(&probes);
}

void cab_traces_find_probes(cab_viewer *v)
{
    cab_probes probes = {0};
    cab_probes_list(v->world, &probes, NULL);
    for (int i = v->traces.count - 1; i >= 0; i--) {
        cab_trace *trace = &v->traces.list[i];
        int k = 0;
        while (k < probes.count && strcmp(probes.info[k].name, trace->name) != 0) k++;
        if (k < probes.count)
            put_probe(v, trace, &probes.info[k]);
        else if (trace->name[0])
            cab_viewer_untrace(v, i);
    }
    cab_probes_free(&probes);
}

int cab_viewer_probes(const cab_viewer *v)
{
    return v->world ? cab_world_get_probes(v->world, NULL, 0) : 0;
}

bool cab_viewer_traces_probes(const cab_viewer *v)
{
    int plotted = 0, count = cab_viewer_probes(v);
    for (int i = 0; i < v->traces.count; i++) plotted += v->traces.list[i].name[0] != 0;
    return plotted > 0 && (plotted == count || v->traces.count == CAB_TRACES_MOST);
}

bool cab_viewer_trace_probes(cab_viewer *v, bool on)
{
    if (!cab_viewer_has_cables(v, "plots")) return false;
    for (int i = v->traces.count - 1; i >= 0 && !on; i--)
        if (v->traces.list[i].name[0]) cab_viewer_untrace(v, i);
    if (on) cab_traces_begin(v);
    return note_now(v);
}

/* ---- places that are picked ---- */

bool cab_viewer_trace(cab_viewer *v, int cable, int node)
{
    cab_traces *t = &v->traces;
    if (!cab_viewer_has_cables(v, "plots")) return false;
    if (cable < 0 || node < 0) {
        cab_viewer_tell(v, false, "click a cable first: its plot is of the place that was clicked");
        return false;
    }
    cab_cable_info info = cab_world_get_cable(v->world, cable);
    cab_trace trace = {.cable = cable, .index = node - info.first_node};
    for (int i = 0; i < t->count; i++) {
        if (t->list[i].name[0] || t->list[i].cable != cable || t->list[i].index != trace.index) continue;
        cab_viewer_untrace(v, i);
        return true;
    }
    if (t->count == CAB_TRACES_MOST) {
        cab_viewer_tell(v, true, "plots: %d places at most; remove one", CAB_TRACES_MOST);
        return false;
    }
    if (!cab_viewer_read_rows(v)) return false;
    trace.at = place_of(v, &info, trace.index);
    append(t, trace);
    return note_now(v);
}

bool cab_viewer_trace_selected(cab_viewer *v)
{
    return cab_viewer_trace(v, v->selected, v->selected_node);
}

bool cab_viewer_trace_energy(cab_viewer *v, bool on)
{
    cab_traces *t = &v->traces;
    if (!cab_viewer_has_cables(v, "a plot of energy")) return false;
    t->with_energy = on;
    if (!t->count) t->samples = 0;
    return note_now(v);
}
