/* What a sweep came out as: a table, percentiles, a report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/envelope.h"
#include "cli/sweep.h"
#include "io/file.h"
#include "io/json_text.h"
#include "io/writers.h"

/* The percentiles that are told. */
static const struct {
    const char *name;
    double share;
} percentiles[] = {{"min", 0}, {"p5", 0.05}, {"p50", 0.5}, {"p95", 0.95}, {"max", 1}};
enum { SHARE_COUNT = sizeof percentiles / sizeof percentiles[0] };

const char *cab_result_name(cab_result result)
{
    static const char *const names[CAB_RESULT_COUNT] = {
        [CAB_RESULT_TENSION] = "tension_max",
        [CAB_RESULT_STRETCH] = "stretch_max",
        [CAB_RESULT_BEND_RADIUS] = "bend_radius_min",
        [CAB_RESULT_PENETRATION] = "penetration_max",
        [CAB_RESULT_SAG] = "sag",
        [CAB_RESULT_END_X] = "end_x",
        [CAB_RESULT_END_Y] = "end_y",
        [CAB_RESULT_END_Z] = "end_z",
        [CAB_RESULT_BROKEN] = "broken",
        [CAB_RESULT_CLIP_FORCE] = "clip_force_max",
        [CAB_RESULT_CONNECTOR_FORCE] = "connector_force_max",
        [CAB_RESULT_HOLD_FORCE] = "hold_force_max",
        [CAB_RESULT_CLEARANCE_COLLIDER] = "clearance_collider_min",
        [CAB_RESULT_CLEARANCE_CABLE] = "clearance_cable_min",
        [CAB_RESULT_TORQUE] = "torque_max",
    };
    return names[result];
}

unsigned cab_result_asked(cab_result result)
{
    static const unsigned asked[CAB_RESULT_COUNT] = {
        [CAB_RESULT_CLIP_FORCE] = CAB_SWEEP_FORCES,
        [CAB_RESULT_CONNECTOR_FORCE] = CAB_SWEEP_FORCES,
        [CAB_RESULT_HOLD_FORCE] = CAB_SWEEP_FORCES,
        [CAB_RESULT_CLEARANCE_COLLIDER] = CAB_SWEEP_CLEARANCES,
        [CAB_RESULT_CLEARANCE_CABLE] = CAB_SWEEP_CLEARANCES,
        [CAB_RESULT_TORQUE] = CAB_SWEEP_TORQUE,
    };
    return asked[result];
}

static const char *status_name(cab_variant_status status)
{
    static const char *const names[] = {[CAB_VARIANT_NOT_RUN] = "not run",
                                        [CAB_VARIANT_OK] = "ok",
                                        [CAB_VARIANT_DIVERGED] = "diverged",
                                        [CAB_VARIANT_UNSETTLED] = "unsettled"};
    return names[status];
}

/* ---- columns ---- */

enum { WHOLE = CAB_SWEEP_WHOLE };

/* Is there a column of it, for the whole or for a cable? */
static bool has_column(const cab_sweep *sweep, cab_result r, int cable)
{
    bool end = r >= CAB_RESULT_END_X && r <= CAB_RESULT_END_Z;
    unsigned asked = cab_result_asked(r);
    return (sweep->columns & asked) == asked && (cable == WHOLE || !end);
}

/* Has it come to an end, even if not to one that counts? */
static bool has_results(const cab_variant *v)
{
    return v->status == CAB_VARIANT_OK || v->status == CAB_VARIANT_UNSETTLED;
}

const double *cab_sweep_value(const cab_variant *v, cab_result r, int cable)
{
    if (!has_results(v)) return NULL;
    if (cable == WHOLE) return &v->result[r];
    if (cable < v->cable_count && v->cables[cable].name == cable)
        return &v->cables[cable].result[r]; /* as the first variant has them */
    for (int i = 0; i < v->cable_count; i++)
        if (v->cables[i].name == cable) return &v->cables[i].result[r];
    return NULL;
}

/* ---- percentiles ---- */

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Between neighbours in proportion, as NumPy's percentile has it by default. */
static double share_of(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int below = (int)at;
    if (below + 1 >= count) return sorted[count - 1];
    double part = at - below;
    if (part == 0 || sorted[below] == sorted[below + 1])
        return sorted[below]; /* infinity less infinity is no number */
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/* Of the variants that are ok; returns how many these are. */
static int spread_of(const cab_sweep *sweep, cab_result result, int cable, double *room,
                     double out[SHARE_COUNT])
{
    int count = 0;
    for (int i = 0; i < sweep->plan.variant_count; i++) {
        const double *value = cab_sweep_value(&sweep->variants[i], result, cable);
        if (value && sweep->variants[i].status == CAB_VARIANT_OK) room[count++] = *value;
    }
    if (count > 0) qsort(room, (size_t)count, sizeof *room, by_size);
    for (int k = 0; k < SHARE_COUNT && count > 0; k++) out[k] = share_of(room, count, percentiles[k].share);
    return count;
}

static int count_of(const cab_sweep *sweep, cab_variant_status status)
{
    int count = 0;
    for (int i = 0; i < sweep->plan.variant_count; i++) count += sweep->variants[i].status == status;
    return count;
}

void cab_sweep_print(const cab_sweep *sweep)
{
    double spread[SHARE_COUNT], *room = calloc((size_t)sweep->plan.variant_count, sizeof *room);
    int ok = count_of(sweep, CAB_VARIANT_OK), diverged = count_of(sweep, CAB_VARIANT_DIVERGED);
    printf("%s: %d variants, %d ok, %d diverged, ", sweep->path, sweep->plan.variant_count, ok, diverged);
    if (sweep->options->settle) printf("%d unsettled, ", count_of(sweep, CAB_VARIANT_UNSETTLED));
    printf("%d worlds", sweep->worlds);
    if (sweep->folder) printf(" (%d of %d pieces by this process)", sweep->queue.own, sweep->pieces);
    printf(" in %.3g s on %s\n", sweep->wall, sweep->device);
    if (sweep->told.triangles) {
        printf("of %d variants ", sweep->told.variants);
        cab_cli_print_envelope(&sweep->told);
        printf(", wrote %s\n", sweep->told.file);
    }
    if (!room || ok == 0) {
        free(room);
        return;
    }
    int width = sweep->columns ? 22 : 16; /* of the longest name */
    printf("%-*s", width, "");
    for (int k = 0; k < SHARE_COUNT; k++) printf(" %12s", percentiles[k].name);
    printf("\n");
    for (int r = 0; r < CAB_RESULT_COUNT; r++) {
        if (!has_column(sweep, (cab_result)r, WHOLE)) continue;
        spread_of(sweep, (cab_result)r, WHOLE, room, spread);
        printf("%-*s", width, cab_result_name((cab_result)r));
        for (int k = 0; k < SHARE_COUNT; k++) printf(" %12.6g", spread[k] + 0);
        printf("\n");
    }
    free(room);
}

/* ---- the table ---- */

static void write_head(const cab_sweep *sweep, cab_file *file)
{
    const cab_plan *plan = &sweep->plan;
    char name[400];
    cab_file_print(file, "variant");
    for (int k = 0; k < plan->varied_count; k++) {
        cab_file_print(file, ",");
        cab_write_csv_text(file, plan->varied[k].pointer);
    }
    cab_file_print(file, ",status");
    for (int cable = WHOLE; cable < sweep->name_count; cable++) {
        for (int r = 0; r < CAB_RESULT_COUNT; r++) {
            if (!has_column(sweep, (cab_result)r, cable)) continue;
            cab_file_print(file, ",");
            if (cable == WHOLE)
                snprintf(name, sizeof name, "%s", cab_result_name((cab_result)r));
            else
                snprintf(name, sizeof name, "%s[%s]", cab_result_name((cab_result)r), sweep->names[cable]);
            cab_write_csv_text(file, name);
        }
    }
    cab_file_print(file, "\n");
}

static void write_table(cab_file *file, const void *of)
{
    const cab_sweep *sweep = of;
    const cab_plan *plan = &sweep->plan;
    write_head(sweep, file);
    for (int i = 0; i < plan->variant_count; i++) {
        const cab_variant *v = &sweep->variants[i];
        cab_file_print(file, "%d", i);
        for (int k = 0; k < plan->varied_count; k++) {
            cab_file_print(file, ",");
            cab_write_csv_text(file, cab_plan_value(plan, i, k));
        }
        cab_file_print(file, ",%s", status_name(v->status));
        for (int cable = WHOLE; cable < sweep->name_count; cable++) {
            for (int r = 0; r < CAB_RESULT_COUNT; r++) {
                if (!has_column(sweep, (cab_result)r, cable)) continue;
                const double *value = cab_sweep_value(v, (cab_result)r, cable);
                if (value)
                    cab_file_print(file, ",%.9g", *value + 0);
                else
                    cab_file_print(file, ",");
            }
        }
        cab_file_print(file, "\n");
    }
}

/* ---- the report ---- */

/* A value as the scene got it. */
static json_t *value_of(const char *text)
{
    json_error_t fault;
    bool lost;
    json_t *value = cab_json_load(text, strlen(text), JSON_DECODE_ANY, &fault, &lost);
    return value ? value : json_string(text);
}

/* The columns of a variant, or of one of its cables, into an object. */
static void set_results(const cab_sweep *sweep, const cab_variant *v, int cable, json_t *into)
{
    for (int r = 0; r < CAB_RESULT_COUNT; r++) {
        const double *value =
            has_column(sweep, (cab_result)r, cable) ? cab_sweep_value(v, (cab_result)r, cable) : NULL;
        if (value) json_object_set_new(into, cab_result_name((cab_result)r), cab_json_number(*value));
    }
}

static json_t *row_of(const cab_sweep *sweep, int i)
{
    const cab_variant *v = &sweep->variants[i];
    json_t *row = json_pack("{s:i}", "variant", i), *values = json_array();
    for (int k = 0; k < sweep->plan.varied_count; k++)
        json_array_append_new(values, value_of(cab_plan_value(&sweep->plan, i, k)));
    json_object_set_new(row, "values", values);
    json_object_set_new(row, "status", json_string(status_name(v->status)));
    if (v->status == CAB_VARIANT_DIVERGED) json_object_set_new(row, "frame", json_integer(v->diverged_frame));
    set_results(sweep, v, WHOLE, row);
    if (!sweep->name_count || !has_results(v)) return row;
    json_t *cables = json_object();
    for (int k = 0; k < v->cable_count; k++) {
        json_t *own = json_object();
        set_results(sweep, v, v->cables[k].name, own);
        json_object_set_new(cables, sweep->names[v->cables[k].name], own);
    }
    json_object_set_new(row, "cables", cables);
    return row;
}

static json_t *spreads_of(const cab_sweep *sweep, int cable, double *room)
{
    json_t *spreads = json_object();
    for (int r = 0; r < CAB_RESULT_COUNT; r++) {
        double spread[SHARE_COUNT];
        if (!has_column(sweep, (cab_result)r, cable)) continue;
        if (spread_of(sweep, (cab_result)r, cable, room, spread) == 0) break;
        json_t *one = json_object();
        for (int k = 0; k < SHARE_COUNT; k++)
            json_object_set_new(one, percentiles[k].name, cab_json_number(spread[k]));
        json_object_set_new(spreads, cab_result_name((cab_result)r), one);
    }
    return spreads;
}

static json_t *cable_spreads_of(const cab_sweep *sweep, double *room)
{
    json_t *all = json_object();
    for (int cable = 0; cable < sweep->name_count; cable++)
        json_object_set_new(all, sweep->names[cable], spreads_of(sweep, cable, room));
    return all;
}

static json_t *report_of(const cab_sweep *sweep)
{
    const cab_plan *plan = &sweep->plan;
    double *room = calloc((size_t)plan->variant_count, sizeof *room);
    if (!room) return NULL;
    json_t *vary = json_array(), *rows = json_array();
    for (int k = 0; k < plan->varied_count; k++)
        json_array_append_new(
            vary, json_pack("{s:s,s:s}", "pointer", plan->varied[k].pointer, "values", plan->varied[k].spec));
    for (int i = 0; i < plan->variant_count; i++) json_array_append_new(rows, row_of(sweep, i));
    json_t *report = json_pack(
        "{s:s,s:s,s:s,s:i,s:i,s:i,s:s,s:o,s:o,s:o}", "clcable", cab_version(), "scene", sweep->path, "device",
        sweep->device, "variants", plan->variant_count, "ok", count_of(sweep, CAB_VARIANT_OK), "diverged",
        count_of(sweep, CAB_VARIANT_DIVERGED), "status", sweep->interrupted ? "interrupted" : "ok", "vary",
        vary, "spread", spreads_of(sweep, WHOLE, room), "rows", rows);
    if (report && sweep->options->settle)
        json_object_set_new(report, "unsettled", json_integer(count_of(sweep, CAB_VARIANT_UNSETTLED)));
    if (report && sweep->told.triangles)
        json_object_set_new(report, "envelope", cab_report_envelope_json(&sweep->told));
    const cab_best *best = &sweep->best;
    if (report && best->variant >= 0)
        json_object_set_new(report, "best",
                            json_pack("{s:i,s:o,s:o,s:o,s:o}", "variant", best->variant, "at",
                                      cab_json_number(best->at), "value", cab_json_number(best->value), "low",
                                      cab_json_number(best->low), "high", cab_json_number(best->high)));
    if (report && sweep->name_count)
        json_object_set_new(report, "spread_by_cable", cable_spreads_of(sweep, room));
    free(room);
    return report;
}

static cab_status write_report(const cab_sweep *sweep, const char *path, cab_error *error)
{
    cab_json_build();
    return cab_json_file(path, report_of(sweep), "sweep", error);
}

int cab_sweep_write(const cab_sweep *sweep)
{
    const cab_options *options = sweep->options;
    int code = CAB_EXIT_DONE;
    for (int i = 0; i <= options->outputs.count; i++) {
        bool table = i < options->outputs.count;
        cab_error error;
        cab_status status = CAB_OK;
        if (table)
            status = cab_file_make(options->outputs.word[i], write_table, sweep, &error);
        else if (options->report)
            status = write_report(sweep, options->report, &error);
        if (!status) continue;
        cab_cli_error("%s", error.message);
        code = CAB_EXIT_FAILED;
    }
    return code;
}
