/* What a fit has found, how sure that is, and what the tracks do not tell. */
#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/error.h"
#include "fit/job.h"

#define EDGE 0.01   /* of a range: what lies so near to its end may lie beyond it */
#define UNTOLD 0.25 /* of a range: a spread as large as this tells no more than the range does */
#define ALIKE 0.98  /* a correlation beyond which two numbers are told apart by little */

/* Another number could take its place. */
static bool is_alike(const cab_fit_job *job, int k)
{
    bool alike = false;
    for (int i = 0; i < job->def->sought_count; i++)
        alike = alike || (i != k && fabs(job->result.correlation[k][i]) > ALIKE);
    return alike;
}

/* As many coordinates as numbers are met exactly: nothing is left to tell how sure they are. */
static bool is_exact(const cab_fit_job *job)
{
    return job->measured <= job->def->sought_count;
}

static bool is_told(const cab_fit_job *job, int k)
{
    if (is_exact(job)) return isfinite(job->result.spread[k]);
    return job->result.spread[k] < UNTOLD && !is_alike(job, k);
}

static double spread_of(const cab_fit_job *job, int k)
{
    const cab_fit_range *r = &job->def->sought[k].range;
    double spread = is_exact(job) ? INFINITY : job->result.spread[k];
    return r->by_ratio ? spread * log(r->to / r->from) : spread * (r->to - r->from);
}

static cab_fit_value value_of(const cab_fit_job *job, int k)
{
    double share = job->result.share[k];
    return (cab_fit_value){.value = cab_fit_at(&job->def->sought[k].range, share),
                           .spread = spread_of(job, k),
                           .told = is_told(job, k),
                           .at_end = share < EDGE || share > 1 - EDGE};
}

/* ---- warnings ---- */

static void warn_of_one(const cab_fit_job *job, int k)
{
    cab_fit_found *f = job->found;
    const cab_fit_sought *s = &job->def->sought[k];
    char *text = f->warnings[f->warning_count].text;
    if (!(job->result.spread[k] < UNTOLD)) /* also where nothing is left: no influence is seen */
        snprintf(text, CAB_FIT_WARNING_SIZE, "%s: these tracks do not tell it", s->pointer);
    else if (f->values[k].at_end)
        snprintf(text, CAB_FIT_WARNING_SIZE, "%s: found at the end of its range, %g to %g: it may lie beyond",
                 s->pointer, s->range.from, s->range.to);
    else
        return;
    f->warning_count++;
}

static void warn_of_two(const cab_fit_job *job, int i, int k)
{
    cab_fit_found *f = job->found;
    double c = job->result.correlation[i][k];
    if (!(fabs(c) > ALIKE)) return;
    snprintf(f->warnings[f->warning_count++].text, CAB_FIT_WARNING_SIZE,
             "%s and %s can hardly be told apart by these tracks (correlation %.3f)",
             job->def->sought[k].pointer, job->def->sought[i].pointer, c);
}

cab_status cab_fit_job_tell(const cab_fit_job *job, cab_error *error)
{
    int n = job->def->sought_count;
    cab_fit_found *f = job->found;
    cab_status status = CAB_NEW(f->warnings, n + n * (n - 1) / 2, error);
    if (status) return status;
    for (int k = 0; k < n; k++) {
        f->values[k] = value_of(job, k);
        for (int i = 0; i < n; i++) f->correlation[k][i] = job->result.correlation[k][i];
    }
    for (int k = 0; k < n && !f->interrupted; k++) warn_of_one(job, k);
    for (int i = 0; i < n && !f->interrupted; i++)
        for (int k = 0; k < i; k++) warn_of_two(job, i, k);
    return CAB_OK;
}
