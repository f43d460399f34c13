/* From measured tracks to numbers of scenes: checks what is asked for, lays out the residuals, lets the search run. */
#include <clcable/fit.h>

#include <limits.h>
#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "fit/job.h"
#include "model/limits.h"
#include "model/merge.h"

/* Coordinates, and pieces of time of all probes, so that a row of them for each number can be counted. */
#define ROWS_MOST (INT_MAX / CAB_FIT_VALUES)
/* By this share of a number, or of its range, derivatives are taken: well above what floats leave of a run, and so little that a swing
 * of many periods still answers in proportion. */
#define STEP 1e-3
#define STEP_MOST 0.01
#define BLOCK 1.0       /* s; errors of one probe in so much time have one cause, */
#define BLOCKS_LEAST 10 /* but a clip has so many pieces of time at least */

/* ---- what is asked for ---- */

static cab_status check_sought(const cab_fit_sought *s, cab_error *error)
{
    const cab_fit_range *r = &s->range;
    if (!s->pointer || s->pointer[0] != '/')
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: expected a pointer such as "
                        "/materials/wire/bending_stiffness, got '%.300s'",
                        s->pointer ? s->pointer : "");
    if (cab_pointer_is_setting(s->pointer))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: %.300s: expected a number of a material, a cable, a collider or the like, not "
                        "one of the whole scene, in which all tries run",
                        s->pointer);
    if (!isfinite(r->from) || !isfinite(r->to) || !(r->from < r->to))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: %.300s: expected a range from less to more, got %g to %g", s->pointer, r->from,
                        r->to);
    if (r->by_ratio && !(r->from > 0))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: %.300s: expected a range above 0, for it is sought by ratios, got %g to %g",
                        s->pointer, r->from, r->to);
    return CAB_OK;
}

static const char *name_of(const cab_fit_clip *clip)
{
    return clip->file ? clip->file : "tracks";
}

static cab_status check_sample(const cab_fit_clip *c, int i, cab_error *error)
{
    const cab_track_sample *s = &c->sample[i];
    const char *file = name_of(c);
    if (!(s->t >= 0 && s->t <= CAB_TRACK_TIME_MAX) || (i > 0 && s->t < s[-1].t))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%.300s: sample %d: expected a time from 0 to %g s, not before the one above, got %g",
                        file, i, CAB_TRACK_TIME_MAX, s->t);
    if (s->probe < 0 || s->probe >= c->probe_count)
        return cab_fail(error, CAB_ERROR_INPUT, "%.300s: sample %d: expected a probe from 0 to %d, got %d",
                        file, i, c->probe_count - 1, s->probe);
    if (isinf(s->place.x) || isinf(s->place.y) || isinf(s->place.z))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%.300s: sample %d: expected a place, got one that is infinitely far away", file, i);
    return CAB_OK;
}

static cab_status check_clip(const cab_fit_def *def, const cab_fit_clip *c, cab_error *error)
{
    const char *file = name_of(c);
    cab_status status = CAB_OK;
    if (!def->make && !c->scene)
        return cab_fail(error, CAB_ERROR_INPUT, "%.300s: expected the file of its scene", file);
    if (!c->sample || c->count < 1 || !c->probes || c->probe_count < 1)
        return cab_fail(error, CAB_ERROR_INPUT, "%.300s: expected a place that was measured, or more", file);
    for (int k = 0; k < c->probe_count; k++)
        if (!c->probes[k])
            return cab_fail(error, CAB_ERROR_INPUT, "%.300s: probe %d: expected a name", file, k);
    for (int i = 0; i < c->count && !status; i++) status = check_sample(c, i, error);
    return status;
}

static cab_status check(const cab_fit_def *def, cab_error *error)
{
    cab_status status = CAB_OK;
    if (!def->sought || def->sought_count < 1 || def->sought_count > CAB_FIT_VALUES)
        return cab_fail(error, CAB_ERROR_INPUT, "fit: expected 1 to %d numbers that are sought, got %d",
                        CAB_FIT_VALUES, def->sought_count);
    if (!def->clips || def->clip_count < 1)
        return cab_fail(error, CAB_ERROR_INPUT, "fit: expected a scene with tracks, or more");
    if (!(def->hold_out >= 0 && def->hold_out <= CAB_FIT_HOLD_OUT_MOST))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: hold_out: expected a share of the time from 0 to %g, got %g",
                        CAB_FIT_HOLD_OUT_MOST, def->hold_out);
    if (def->tries < 0 || def->tries > CAB_FIT_TRIES_MOST)
        return cab_fail(error, CAB_ERROR_INPUT, "fit: tries: expected 0 to %d, got %d", CAB_FIT_TRIES_MOST,
                        def->tries);
    for (int k = 0; k < def->sought_count && !status; k++) status = check_sought(&def->sought[k], error);
    for (int c = 0; c < def->clip_count && !status; c++) status = check_clip(def, &def->clips[c], error);
    return status;
}

/* ---- clips ---- */

static int blocks_of(double until, double *length)
{
    *length = fmin(BLOCK, until / BLOCKS_LEAST);
    return *length > 0 ? (int)(until / *length) + 1 : 1;
}

static cab_status add_clip(cab_fit_job *job, int index, cab_error *error)
{
    cab_fit_clip_job *clip = &job->clips[index];
    cab_fit_clip *given = &clip->given;
    *given = job->def->clips[index];
    given->file = name_of(given);
    if (!given->scene) given->scene = "the scene";
    double length, until = (1 - job->def->hold_out) * given->sample[given->count - 1].t;
    job->found->clips[index].until = until;
    clip->index = index;
    while (clip->fitted < given->count && given->sample[clip->fitted].t <= until) clip->fitted++;
    for (int i = 0; i < clip->fitted; i++) {
        cab_vec3 x = given->sample[i].place;
        job->measured += !isnan(x.x) + !isnan(x.y) + !isnan(x.z);
    }
    clip->first = job->residuals;
    clip->first_block = job->blocks;
    long long residuals = job->residuals + 3LL * clip->fitted;
    long long blocks = job->blocks + (long long)given->probe_count * blocks_of(until, &length);
    if (residuals > ROWS_MOST || blocks > ROWS_MOST)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%.300s: expected at most %d coordinates, and as many seconds of all probes",
                        given->file, ROWS_MOST);
    job->residuals = (int)residuals;
    job->blocks = (int)blocks;
    return CAB_OK;
}

static void fill_blocks(const cab_fit_job *job, const cab_fit_clip_job *clip)
{
    double length;
    int pieces = blocks_of(job->found->clips[clip->index].until, &length);
    for (int i = 0; i < clip->fitted; i++) {
        const cab_track_sample *s = &clip->given.sample[i];
        int piece = length > 0 ? (int)(s->t / length) : 0;
        for (int k = 0; k < 3; k++)
            job->block[clip->first + 3 * i + k] = clip->first_block + s->probe * pieces + piece;
    }
}

static cab_status lay_out(cab_fit_job *job, cab_error *error)
{
    int clips = job->def->clip_count;
    cab_status status = CAB_NEW(job->clips, clips, error);
    if (!status) status = CAB_NEW(job->found->clips, clips, error);
    for (int c = 0; c < clips && !status; c++) status = add_clip(job, c, error);
    if (!status && job->measured < job->def->sought_count)
        status = cab_fail(error, CAB_ERROR_INPUT,
                          "%s: expected at least as many coordinates as numbers that are sought",
                          job->clips[0].given.file);
    if (!status) status = CAB_NEW(job->block, job->residuals, error);
    for (int c = 0; c < clips && !status; c++) fill_blocks(job, &job->clips[c]);
    job->found->places = job->residuals / 3;
    return status;
}

/* ---- the search ---- */

static void show(void *user, int runs)
{
    const cab_fit_def *def = ((const cab_fit_job *)user)->def;
    if (def->progress) def->progress(def->user, runs);
}

static cab_status search(cab_fit_job *job, cab_error *error)
{
    const cab_fit_def *def = job->def;
    cab_fit_problem problem = {.values = def->sought_count,
                               .residuals = job->residuals,
                               .block = job->block,
                               .blocks = job->blocks,
                               .tries = def->tries ? def->tries : CAB_FIT_TRIES * def->sought_count,
                               .seed = def->seed,
                               .run = cab_fit_job_run,
                               .user = job,
                               .progress = show};
    for (int k = 0; k < def->sought_count; k++) {
        const cab_fit_range *r = &def->sought[k].range;
        problem.step[k] = r->by_ratio ? fmin(STEP / log(r->to / r->from), STEP_MOST) : STEP;
    }
    cab_status status = cab_fit_search(&problem, &job->result, error);
    job->found->runs = job->result.runs;
    job->found->interrupted = job->result.interrupted;
    job->found->any = !status && isfinite(job->result.square);
    if (job->found->any) status = cab_fit_job_judge(job, error);
    if (!status && job->found->any) status = cab_fit_job_tell(job, error);
    return status;
}

cab_status cab_fit(const cab_fit_def *def, cab_fit_found *found, cab_error *error)
{
    cab_fit_sharing alone = {.batch = INT_MAX};
    return cab_fit_shared(def, &alone, found, error);
}

cab_status cab_fit_shared(const cab_fit_def *def, const cab_fit_sharing *sharing, cab_fit_found *found,
                          cab_error *error)
{
    cab_error unheard;
    cab_fit_job job = {.def = def, .sharing = sharing, .found = found};
    if (!error) error = &unheard; /* what makes scenes may write into it */
    *found = (cab_fit_found){0};
    cab_status status = check(def, error);
    if (!status) status = lay_out(&job, error);
    if (!status) status = search(&job, error);
    CAB_FREE(job.clips, job.block);
    return status;
}
