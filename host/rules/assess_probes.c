#include "rules/assess_probes.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/vec3.h"
#include "io/json_text.h"
#include "rules/plot_svg.h"

/* Probes whose curves are on the page; all are in the table and in the JSON. */
enum { PLOTTED_MOST = 12 };

/* ---- frame by frame ---- */

static cab_status begin(cab_assess_probes *a, const cab_world *world, cab_error *error)
{
    cab_status status = cab_probes_list(world, &a->probes, error);
    return status ? status : CAB_NEW(a->course, a->probes.count, error);
}

/* Room for one more frame. */
static cab_status grow(cab_assess_probes *a, cab_error *error)
{
    size_t count = (size_t)a->frame_count + 1, numbers = (size_t)a->probes.count * CAB_PROBE_QUANTITIES;
    if ((count & (count - 1)) != 0) return CAB_OK; /* doubled at each power of two */
    return CAB_RESIZE(a->series, 2 * count * numbers, error);
}

static void take_probe(cab_probe_course *c, const cab_probe_reading *reading, const cab_world_info *info,
                       bool first, double *series)
{
    cab_extreme now = {.frame = info->frame, .time = info->time, .place = reading->position};
    if (first) c->begun = reading->position;
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++) {
        series[q] = now.value = cab_probe_value(reading, q);
        if (first || now.value < c->least[q].value) c->least[q] = now;
        if (first || now.value > c->largest[q].value) c->largest[q] = now;
    }
    now.value = cab_vec3_distance(reading->position, c->begun);
    if (first || now.value > c->farthest.value) c->farthest = now;
}

cab_status cab_assess_probes_take(cab_assess_probes *a, cab_world *world, cab_error *error)
{
    cab_world_info info = cab_world_get_info(world);
    bool first = !a->course;
    cab_status status = first ? begin(a, world, error) : CAB_OK;
    if (!status) status = grow(a, error);
    if (!status) status = cab_world_read_probes(world, a->probes.reading, error);
    if (status) return status;
    size_t row = (size_t)a->frame_count * (size_t)a->probes.count;
    for (int i = 0; i < a->probes.count; i++)
        take_probe(&a->course[i], &a->probes.reading[i], &info, first,
                   a->series + (row + (size_t)i) * CAB_PROBE_QUANTITIES);
    a->frame_count++;
    return CAB_OK;
}

void cab_assess_probes_free(cab_assess_probes *a)
{
    cab_probes_free(&a->probes);
    CAB_FREE(a->course, a->series);
    *a = (cab_assess_probes){0};
}

/* ---- JSON ---- */

static json_t *extreme(const cab_extreme *e)
{
    return json_pack("{s:o, s:i, s:f, s:[o,o,o]}", "value", cab_json_number(e->value), "frame", e->frame,
                     "time", e->time, "place", cab_json_number(e->place.x), cab_json_number(e->place.y),
                     cab_json_number(e->place.z));
}

static json_t *series_of(const cab_assess_probes *a, int probe, int quantity)
{
    json_t *values = json_array();
    for (int i = 0; i < a->frame_count; i++) {
        size_t row = (size_t)i * (size_t)a->probes.count + (size_t)probe;
        json_array_append_new(values,
                              cab_json_number(a->series[row * CAB_PROBE_QUANTITIES + (size_t)quantity]));
    }
    return values;
}

static json_t *one(const cab_assess_probes *a, int probe)
{
    const cab_probe_course *c = &a->course[probe];
    json_t *entry =
        json_pack("{s:s, s:o}", "probe", a->probes.info[probe].name, "farthest", extreme(&c->farthest));
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++)
        json_object_set_new(entry, cab_probe_quantities[q].name,
                            json_pack("{s:o, s:o, s:o}", "least", extreme(&c->least[q]), "largest",
                                      extreme(&c->largest[q]), "series", series_of(a, probe, q)));
    return entry;
}

json_t *cab_assess_probes_json(const cab_assess_probes *a)
{
    json_t *list = json_array();
    for (int i = 0; i < a->probes.count; i++) json_array_append_new(list, one(a, i));
    return list;
}

/* ---- the page ---- */

static void write_extreme(const cab_extreme *e, double scale, const char *unit, cab_file *file)
{
    cab_file_print(file, "<td class=\"n\">%.4g %s</td><td class=\"n\">%.2f s</td>", e->value * scale, unit,
                   e->time);
}

static void write_row(const cab_assess_probes *a, int probe, cab_file *file)
{
    const cab_probe_course *c = &a->course[probe];
    cab_file_print(file, "<tr><td>");
    cab_file_print_xml(file, a->probes.info[probe].name);
    cab_file_print(file, "</td>");
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++) {
        write_extreme(&c->least[q], 1, cab_probe_quantities[q].unit, file);
        write_extreme(&c->largest[q], 1, cab_probe_quantities[q].unit, file);
    }
    write_extreme(&c->farthest, 1000, "mm", file);
    cab_file_print(file, "</tr>\n");
}

static void write_table(const cab_assess_probes *a, cab_file *file)
{
    cab_file_print(file, "<table><thead><tr><th>Probe</th>");
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++)
        cab_file_print(file,
                       "<th class=\"n\">Least %s</th><th class=\"n\">when</th><th class=\"n\">largest</th>"
                       "<th class=\"n\">when</th>",
                       cab_probe_quantities[q].name);
    cab_file_print(
        file, "<th class=\"n\">Farthest from its start</th><th class=\"n\">when</th></tr></thead><tbody>\n");
    for (int i = 0; i < a->probes.count; i++) write_row(a, i, file);
    cab_file_print(file, "</tbody></table>\n");
}

void cab_assess_probes_html(const cab_assess_probes *a, const double *time, cab_file *file)
{
    int count = a->probes.count;
    if (!count) return;
    cab_file_print(file, "<h2>Probes</h2>\n");
    write_table(a, file);
    cab_file_print(file, "<div class=\"plots\">\n");
    for (int i = 0; i < count && i < PLOTTED_MOST; i++) {
        for (int q = 0; q < CAB_PROBE_QUANTITIES; q++) {
            char title[400];
            if (a->course[i].least[q].value == 0 && a->course[i].largest[q].value == 0) continue;
            snprintf(title, sizeof title, "%s: %s", a->probes.info[i].name, cab_probe_quantities[q].title);
            cab_plot_write(&(cab_plot){.title = title,
                                       .unit = cab_probe_quantities[q].unit,
                                       .time = time,
                                       .value = a->series + i * CAB_PROBE_QUANTITIES + q,
                                       .count = a->frame_count,
                                       .stride = count * CAB_PROBE_QUANTITIES,
                                       .scale = 1,
                                       .limit = NAN},
                           file);
        }
    }
    cab_file_print(file, "</div>\n");
    if (count > PLOTTED_MOST)
        cab_file_print(file, "<p class=\"soft\">Curves are those of the first %d probes.</p>\n",
                       PLOTTED_MOST);
}
