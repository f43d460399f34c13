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

#define EDGE 0.01   /* of a range: what lies so near to its end may lie beyond it */
#define UNTOLD 0.25 /* of a range: a spread as large as this tells no more than the range does */
#define ALIKE 0.98  /* a correlation beyond which two numbers are told apart by little */

/* Another number could take its place. */
static bool is_alike(const cab_fit_job *job, int k)
{
    bool alike = false;
    for (int i = 0; i < job->count; i++)
        alike = alike || (i != k && fabs(job->result.correlation[k][i]) > ALIKE);
    return alike;
}

/* As many coordinates as numbers are met exactly: nothing is left to tell how sure they are. */
static bool is_exact(const cab_fit_job *job)
{
    return job->measured <= job->count;
}

static bool is_told(const cab_fit_job *job, int k)
{
    if (is_exact(job)) return isfinite(job->result.spread[k]);
    return job->result.spread[k] < UNTOLD && !is_alike(job, k);
}

static bool is_at_end(const cab_fit_job *job, int k)
{
    return job->result.share[k] < EDGE || job->result.share[k] > 1 - EDGE;
}

/* Standard deviation: of what is sought by its ratio as a share of it, else in its unit. */
static double spread_of(const cab_fit_job *job, int k)
{
    const cab_fit_range *r = &job->sought[k].range;
    double spread = is_exact(job) ? INFINITY : job->result.spread[k];
    return r->by_ratio ? spread * log(r->to / r->from) : spread * (r->to - r->from);
}

/* ---- on standard output ---- */

static void print_value(const cab_fit_job *job, int k)
{
    const cab_sought *s = &job->sought[k];
    double spread = spread_of(job, k);
    printf("  %-44s %-10.4g", s->pointer, cab_fit_at(&s->range, job->result.share[k]));
    if (isfinite(spread) && s->range.by_ratio)
        printf(" +- %.2g %%", 100 * spread);
    else if (isfinite(spread))
        printf(" +- %.2g", spread);
    printf("\n");
}

static void warn(const cab_fit_job *job)
{
    char text[512];
    for (int k = 0; k < job->count && !job->result.interrupted; k++) {
        const char *pointer = job->sought[k].pointer;
        if (!(job->result.spread[k] < UNTOLD)) /* also where nothing is left: no influence is seen */
            snprintf(text, sizeof text, "%s: these tracks do not tell it", pointer);
        else if (is_at_end(job, k))
            snprintf(text, sizeof text, "%s: found at the end of its range, %g to %g: it may lie beyond",
                     pointer, job->sought[k].range.from, job->sought[k].range.to);
        else
            continue;
        cab_cli_warning(text);
    }
    for (int i = 0; i < job->count && !job->result.interrupted; i++)
        for (int k = 0; k < i; k++) {
            double c = job->result.correlation[i][k];
            if (!(fabs(c) > ALIKE)) continue;
            snprintf(text, sizeof text,
                     "%s and %s can hardly be told apart by these tracks (correlation %.3f)",
                     job->sought[k].pointer, job->sought[i].pointer, c);
            cab_cli_warning(text);
        }
}

static void print_clip(const cab_clip_of_fit *clip)
{
    const cab_fit_error *fitted = &clip->error[0], *held = &clip->error[1];
    printf("%s: off by %.3g mm a coordinate in the mean (root mean square %.3g mm)", clip->file,
           1e3 * fitted->mean, 1e3 * fitted->root);
    if (held->numbers)
        printf(", where it was held out %.3g mm (%.3g mm)", 1e3 * held->mean, 1e3 * held->root);
    printf("\n");
}

void cab_fit_print(const cab_fit_job *job)
{
    printf("%d numbers from %d places, %d runs in %.1f s on %s\n", job->count, job->residuals / 3,
           job->result.runs, job->wall, job->device);
    for (int k = 0; k < job->count; k++) print_value(job, k);
    for (int c = 0; c < job->clip_count; c++) print_clip(&job->clips[c]);
    fflush(stdout);
    warn(job);
}

/* ---- the report ---- */

static json_t *error_json(const cab_fit_error *e)
{
    if (!e->numbers) return json_null();
    return json_pack("{s:i,s:o,s:o}", "numbers", e->numbers, "mean", cab_json_number(e->mean),
                     "root_mean_square", cab_json_number(e->root));
}

static json_t *value_json(const cab_fit_job *job, int k)
{
    const cab_sought *s = &job->sought[k];
    double spread = spread_of(job, k);
    return json_pack("{s:s,s:o,s:o,s:b,s:o,s:o,s:b,s:b}", "pointer", s->pointer, "found",
                     cab_json_number(cab_fit_at(&s->range, job->result.share[k])), "spread",
                     isfinite(spread) ? cab_json_number(spread) : json_null(), "by_ratio", s->range.by_ratio,
                     "from", cab_json_number(s->range.from), "to", cab_json_number(s->range.to), "told",
                     is_told(job, k), "at_end", is_at_end(job, k));
}

static json_t *report_of(const cab_fit_job *job)
{
    json_t *values = json_array(), *clips = json_array(), *correlation = json_array();
    for (int k = 0; k < job->count; k++) {
        json_t *row = json_array();
        for (int i = 0; i < job->count; i++)
            json_array_append_new(row, cab_json_number(job->result.correlation[k][i]));
        json_array_append_new(correlation, row);
        json_array_append_new(values, value_json(job, k));
    }
    for (int c = 0; c < job->clip_count; c++) {
        const cab_clip_of_fit *clip = &job->clips[c];
        json_array_append_new(
            clips, json_pack("{s:s,s:s,s:i,s:o,s:o,s:o}", "scene", clip->scene, "tracks", clip->file,
                             "probes", clip->tracks.probe_count, "fitted_until", cab_json_number(clip->until),
                             "fitted", error_json(&clip->error[0]), "held_out", error_json(&clip->error[1])));
    }
    return json_pack("{s:s,s:s,s:s,s:i,s:o,s:o,s:o,s:o}", "clcable", cab_version(), "device", job->device,
                     "status", job->result.interrupted ? "interrupted" : "ok", "runs", job->result.runs,
                     "wall_s", cab_json_number(job->wall), "values", values, "correlation", correlation,
                     "clips", clips);
}

cab_status cab_fit_write_report(const cab_fit_job *job, const char *path, cab_error *error)
{
    cab_json_build();
    return cab_json_file(path, report_of(job), "fit", error);
}
