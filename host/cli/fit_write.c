/* What fit has found: on standard output, and as a report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/fit.h"
#include "io/file.h"
#include "io/json_text.h"

/* ---- on standard output ---- */

static void print_value(const cab_fit_command *fit, int k)
{
    const cab_fit_sought *s = &fit->sought[k];
    const cab_fit_value *found = &fit->found.values[k];
    printf("  %-44s %-10.4g", s->pointer, found->value);
    if (isfinite(found->spread) && s->range.by_ratio)
        printf(" +- %.2g %%", 100 * found->spread);
    else if (isfinite(found->spread))
        printf(" +- %.2g", found->spread);
    printf("\n");
}

static void print_clip(const char *file, const cab_fit_clip_found *clip)
{
    const cab_fit_off *fitted = &clip->fitted, *held = &clip->held_out;
    if (!fitted->numbers) return; /* it was stopped before */
    printf("%s: off by %.3g mm a coordinate in the mean (root mean square %.3g mm)", file, 1e3 * fitted->mean,
           1e3 * fitted->root);
    if (held->numbers)
        printf(", where it was held out %.3g mm (%.3g mm)", 1e3 * held->mean, 1e3 * held->root);
    printf("\n");
}

void cab_fit_print(const cab_fit_command *fit)
{
    const cab_fit_found *found = &fit->found;
    printf("%d numbers from %d places, %d runs in %.1f s on %s\n", fit->count, found->places, found->runs,
           fit->wall, found->device);
    for (int k = 0; k < fit->count; k++) print_value(fit, k);
    for (int c = 0; c < fit->clip_count; c++) print_clip(fit->clips[c].file, &found->clips[c]);
    fflush(stdout);
    for (int i = 0; i < found->warning_count; i++) cab_cli_warning(found->warnings[i].text);
}

/* ---- the report ---- */

static json_t *off_json(const cab_fit_off *off)
{
    if (!off->numbers) return json_null();
    return json_pack("{s:i,s:o,s:o}", "numbers", off->numbers, "mean", cab_json_number(off->mean),
                     "root_mean_square", cab_json_number(off->root));
}

static json_t *value_json(const cab_fit_sought *s, const cab_fit_value *v)
{
    return json_pack("{s:s,s:o,s:o,s:b,s:o,s:o,s:b,s:b}", "pointer", s->pointer, "found",
                     cab_json_number(v->value), "spread",
                     isfinite(v->spread) ? cab_json_number(v->spread) : json_null(), "by_ratio",
                     s->range.by_ratio, "from", cab_json_number(s->range.from), "to",
                     cab_json_number(s->range.to), "told", v->told, "at_end", v->at_end);
}

static json_t *clip_json(const cab_fit_clip *given, const cab_fit_clip_found *clip)
{
    return json_pack("{s:s,s:s,s:i,s:o,s:o,s:o}", "scene", given->scene, "tracks", given->file, "probes",
                     given->probe_count, "fitted_until", cab_json_number(clip->until), "fitted",
                     off_json(&clip->fitted), "held_out", off_json(&clip->held_out));
}

static json_t *report_of(const cab_fit_command *fit)
{
    const cab_fit_found *found = &fit->found;
    json_t *values = json_array(), *clips = json_array(), *correlation = json_array();
    for (int k = 0; k < fit->count; k++) {
        json_t *row = json_array();
        for (int i = 0; i < fit->count; i++)
            json_array_append_new(row, cab_json_number(found->correlation[k][i]));
        json_array_append_new(correlation, row);
        json_array_append_new(values, value_json(&fit->sought[k], &found->values[k]));
    }
    for (int c = 0; c < fit->clip_count; c++)
        json_array_append_new(clips, clip_json(&fit->clips[c], &found->clips[c]));
    return json_pack("{s:s,s:s,s:s,s:i,s:o,s:o,s:o,s:o}", "clcable", cab_version(), "device", found->device,
                     "status", found->interrupted ? "interrupted" : "ok", "runs", found->runs, "wall_s",
                     cab_json_number(fit->wall), "values", values, "correlation", correlation, "clips",
                     clips);
}

cab_status cab_fit_write_report(const cab_fit_command *fit, const char *path, cab_error *error)
{
    cab_json_build();
    return cab_json_file(path, report_of(fit), "fit", error);
}
