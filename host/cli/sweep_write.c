/* What a sweep came out as: a table, percentiles, a report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/json.h"
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
    };
    return names[result];
}

static const char *status_name(cab_variant_status status)
{
    static const char *const names[] = {
        [CAB_VARIANT_NOT_RUN] = "not run", [CAB_VARIANT_OK] = "ok", [CAB_VARIANT_DIVERGED] = "diverged"};
    return names[status];
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
    if (part == 0) return sorted[below]; /* infinity times 0 is no number */
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/* Of the variants that are ok; returns how many these are. */
static int spread_of(const cab_sweep *sweep, cab_result result, double *room, double out[SHARE_COUNT])
{
    int count = 0;
    for (int i = 0; i < sweep->plan.variant_count; i++)
        if (sweep->variants[i].status == CAB_VARIANT_OK) room[count++] = sweep->variants[i].result[result];
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
    printf("%s: %d variants, %d ok, %d diverged, %d worlds in %.3g s on %s\n", sweep->path,
           sweep->plan.variant_count, ok, diverged, sweep->worlds, sweep->wall, sweep->device);
    if (!room || ok == 0) {
        free(room);
        return;
    }
    printf("%-16s", "");
    for (int k = 0; k < SHARE_COUNT; k++) printf(" %12s", percentiles[k].name);
    printf("\n");
    for (int r = 0; r < CAB_RESULT_COUNT; r++) {
        spread_of(sweep, (cab_result)r, room, spread);
        printf("%-16s", cab_result_name((cab_result)r));
        for (int k = 0; k < SHARE_COUNT; k++) printf(" %12.6g", spread[k] + 0);
        printf("\n");
    }
    free(room);
}

/* ---- the table ---- */

static void write_table(cab_file *file, const void *of)
{
    const cab_sweep *sweep = of;
    const cab_plan *plan = &sweep->plan;
    cab_file_print(file, "variant");
    for (int k = 0; k < plan->varied_count; k++) {
        cab_file_print(file, ",");
        cab_write_csv_text(file, plan->varied[k].pointer);
    }
    cab_file_print(file, ",status");
    for (int r = 0; r < CAB_RESULT_COUNT; r++) cab_file_print(file, ",%s", cab_result_name((cab_result)r));
    cab_file_print(file, "\n");
    for (int i = 0; i < plan->variant_count; i++) {
        const cab_variant *v = &sweep->variants[i];
        cab_file_print(file, "%d", i);
        for (int k = 0; k < plan->varied_count; k++) {
            cab_file_print(file, ",");
            cab_write_csv_text(file, cab_plan_value(plan, i, k));
        }
        cab_file_print(file, ",%s", status_name(v->status));
        for (int r = 0; r < CAB_RESULT_COUNT; r++)
            if (v->status == CAB_VARIANT_OK)
                cab_file_print(file, ",%.9g", v->result[r] + 0);
            else
                cab_file_print(file, ",");
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

static json_t *row_of(const cab_sweep *sweep, int i)
{
    const cab_variant *v = &sweep->variants[i];
    json_t *row = json_pack("{s:i}", "variant", i), *values = json_array();
    for (int k = 0; k < sweep->plan.varied_count; k++)
        json_array_append_new(values, value_of(cab_plan_value(&sweep->plan, i, k)));
    json_object_set_new(row, "values", values);
    json_object_set_new(row, "status", json_string(status_name(v->status)));
    if (v->status == CAB_VARIANT_DIVERGED) json_object_set_new(row, "frame", json_integer(v->diverged_frame));
    for (int r = 0; r < CAB_RESULT_COUNT && v->status == CAB_VARIANT_OK; r++)
        json_object_set_new(row, cab_result_name((cab_result)r), cab_json_number(v->result[r]));
    return row;
}

static json_t *spreads_of(const cab_sweep *sweep, double *room)
{
    json_t *spreads = json_object();
    for (int r = 0; r < CAB_RESULT_COUNT; r++) {
        double spread[SHARE_COUNT];
        if (spread_of(sweep, (cab_result)r, room, spread) == 0) break;
        json_t *one = json_object();
        for (int k = 0; k < SHARE_COUNT; k++)
            json_object_set_new(one, percentiles[k].name, cab_json_number(spread[k]));
        json_object_set_new(spreads, cab_result_name((cab_result)r), one);
    }
    return spreads;
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
        vary, "spread", spreads_of(sweep, room), "rows", rows);
    free(room);
    return report;
}

static void write_text(cab_file *file, const void *of)
{
    const cab_text *text = of;
    cab_file_write(file, text->bytes, text->size);
}

static cab_status write_report(const cab_sweep *sweep, const char *path, cab_error *error)
{
    cab_text text = {0};
    json_t *report = report_of(sweep);
    cab_status status = report ? cab_json_text(report, &text, error)
                               : cab_fail(error, CAB_ERROR_MEMORY, "sweep: out of memory");
    if (!status) status = cab_file_make(path, write_text, &text, error);
    free(text.bytes);
    json_decref(report);
    return status;
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
