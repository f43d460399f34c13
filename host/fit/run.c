/* Runs a scene with many sets of numbers in one world, and compares its probes with tracks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "fit/job.h"
#include "model/limits.h"
#include "model/merge.h"
#include "model/scene.h"
#include "run/rest.h"
#include "world/events.h"
#include "world/world.h"

#define FAR 10.0 /* m; what a set that diverges is off by */

/* Sets that run in one world. */
typedef struct together {
    cab_fit_job *job;
    cab_fit_clip_job *clip;
    const double *share; /* [sets][values] of all that are asked for */
    int *set;            /* [count] which of them are here; set k is group k */
    int count;
    cab_scene *scene;
    cab_world *world;
    cab_probe_info *info; /* [probes] */
    cab_probe_reading *reading;
    int probes;
    int *column;      /* [probes] the track's probe, -1 = none */
    cab_vec3 *before; /* [sets][track probes] places a frame ago, */
    cab_vec3 *now;    /* and now */
    double *off;      /* of set i, sample j: off[(i * samples + j) * 3] */
    bool *stop;
    cab_error *error;
} together;

/* ---- the scene ---- */

/* "POINTER=VALUE", of twelve digits; to be freed, NULL without memory. */
static char *change_of(const cab_fit_sought *sought, double share)
{
    size_t size = strlen(sought->pointer) + 32;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s=%.12g", sought->pointer, cab_fit_at(&sought->range, share));
    return text;
}

/* A scene with the numbers of a set. What it lacks it lacks in all sets. */
static cab_status make(const together *t, int set, cab_scene **scene)
{
    const cab_fit_def *def = t->job->def;
    char *changes[CAB_FIT_VALUES] = {NULL};
    cab_status status = CAB_OK;
    for (int k = 0; k < def->sought_count && !status; k++) {
        changes[k] = change_of(&def->sought[k], t->share[set * def->sought_count + k]);
        if (!changes[k]) status = cab_fail_memory(t->error, "fit", strlen(def->sought[k].pointer));
    }
    const char *const *words = (const char *const *)changes;
    if (!status)
        status = def->make ? def->make(def->user, t->clip->index, words, def->sought_count, scene, t->error)
                           : cab_scene_load(t->clip->given.scene, words, def->sought_count, scene, t->error);
    if (!status && !*scene)
        status =
            cab_fail(t->error, CAB_ERROR_INPUT, "%s: expected a scene, none was made", t->clip->given.scene);
    for (int k = 0; k < def->sought_count; k++) free(changes[k]);
    return status;
}

static bool seeks_colliders(const cab_fit_job *job)
{
    for (int k = 0; k < job->def->sought_count; k++)
        if (cab_pointer_is_of(job->def->sought[k].pointer, "colliders")) return true;
    return false;
}

static cab_status merge(together *t)
{
    cab_scene **scenes = calloc((size_t)t->count + 1, sizeof *scenes);
    cab_status status = scenes ? CAB_OK : cab_fail_memory(t->error, "scenes", sizeof *scenes);
    for (int i = 0; i < t->count && !status; i++) status = make(t, t->set[i], &scenes[i]);
    if (!status)
        status = cab_scene_merge((const cab_scene *const *)scenes, t->count, !seeks_colliders(t->job),
                                 &t->scene, t->error);
    for (int i = 0; scenes && i < t->count; i++) cab_scene_destroy(scenes[i]);
    free(scenes);
    return status;
}

/* ---- probes ---- */

/* "3/NAME": of which set the probe is, and which of the tracks it belongs to. */
static void place_probe(const together *t, int i, int *set, int *column)
{
    char *rest;
    *set = (int)strtol(t->info[i].name, &rest, 10);
    *column = -1;
    for (int k = 0; k < t->clip->given.probe_count && *rest == '/'; k++)
        if (strcmp(rest + 1, t->clip->given.probes[k]) == 0) *column = k;
}

static cab_status find_columns(together *t)
{
    const cab_fit_clip *tracks = &t->clip->given;
    bool *found;
    cab_status status = CAB_NEW(found, tracks->probe_count, t->error);
    for (int i = 0; !status && i < t->probes; i++) {
        int set, column;
        place_probe(t, i, &set, &column);
        t->column[i] = column < 0 ? -1 : set * tracks->probe_count + column;
        if (column >= 0) found[column] = true;
    }
    for (int k = 0; !status && k < tracks->probe_count; k++)
        if (!found[k])
            status = cab_fail(t->error, CAB_ERROR_INPUT, "%s: probe \"%s\": expected one that %s has",
                              tracks->file, tracks->probes[k], tracks->scene);
    CAB_FREE(found);
    return status;
}

static cab_status open_world(together *t)
{
    cab_status status = cab_world_create(t->scene, &t->job->def->world, &t->world, t->error);
    if (status) return status;
    cab_fit_found *found = t->job->found;
    snprintf(found->device, sizeof found->device, "%s", cab_world_get_info(t->world).device.name);
    t->probes = cab_world_get_probes(t->world, NULL, 0);
    size_t places = (size_t)t->count * (size_t)t->clip->given.probe_count;
    status = CAB_NEW(t->info, t->probes, t->error);
    if (!status) status = CAB_NEW(t->reading, t->probes, t->error);
    if (!status) status = CAB_NEW(t->column, t->probes, t->error);
    if (!status) status = CAB_NEW(t->before, places, t->error);
    if (!status) status = CAB_NEW(t->now, places, t->error);
    if (status) return status;
    cab_world_get_probes(t->world, t->info, t->probes);
    return find_columns(t);
}

static void close_world(together *t)
{
    cab_world_destroy(t->world);
    cab_scene_destroy(t->scene);
    CAB_FREE(t->info, t->reading, t->column, t->before, t->now);
    t->world = NULL;
    t->scene = NULL;
    t->info = NULL;
    t->reading = NULL;
    t->column = NULL;
    t->before = t->now = NULL;
}

/* ---- a run ---- */

static cab_status read_places(together *t)
{
    cab_vec3 *kept = t->before;
    t->before = t->now;
    t->now = kept;
    cab_status status = cab_world_read_probes(t->world, t->reading, t->error);
    for (int i = 0; !status && i < t->probes; i++)
        if (t->column[i] >= 0) t->now[t->column[i]] = t->reading[i].position;
    return status;
}

static double off_by(double is, double measured)
{
    return isnan(measured) ? 0 : is - measured;
}

/* What the samples up to this frame are off by, on the straight line between the frames. Returns the next sample. */
static int compare(together *t, int sample, double frame, double rate)
{
    const cab_fit_clip *tracks = &t->clip->given;
    for (; sample < tracks->count && tracks->sample[sample].t * rate <= frame; sample++) {
        const cab_track_sample *s = &tracks->sample[sample];
        double part = fmin(fmax(s->t * rate - (frame - 1), 0), 1);
        for (int i = 0; i < t->count; i++) {
            size_t at = (size_t)i * (size_t)tracks->probe_count + (size_t)s->probe;
            cab_vec3 x = cab_vec3_add_scaled(cab_vec3_scale(1 - part, t->before[at]), part, t->now[at]);
            double *off = t->off + 3 * ((size_t)t->set[i] * (size_t)tracks->count + (size_t)sample);
            off[0] = off_by(x.x, s->place.x);
            off[1] = off_by(x.y, s->place.y);
            off[2] = off_by(x.z, s->place.z);
        }
    }
    return sample;
}

static bool is_stopped(void *user)
{
    const cab_fit_def *def = user;
    return def->stop && def->stop(def->user);
}

static cab_status settle(together *t)
{
    cab_fit_def def = *t->job->def;
    cab_settle_def how = {.stop = is_stopped, .user = &def};
    cab_equilibrium rest;
    cab_status status = cab_world_settle_each(t->world, &how, &rest, NULL, t->error);
    if (!status && !rest.settled) *t->stop = *t->stop || is_stopped(&def);
    return status;
}

static cab_status check_frames(const together *t)
{
    const cab_fit_clip *tracks = &t->clip->given;
    double frames = tracks->sample[tracks->count - 1].t * t->scene->settings.frame_rate;
    if (frames <= CAB_FRAMES_MAX) return CAB_OK;
    return cab_fail(t->error, CAB_ERROR_INPUT, "%s: expected at most %.0f frames of %s, got %.0f",
                    tracks->file, CAB_FRAMES_MAX, tracks->scene, frames);
}

static cab_status step_all(together *t)
{
    const cab_fit_clip *tracks = &t->clip->given;
    double rate = t->scene->settings.frame_rate, slack = 1e-6; /* of a frame: times are rounded */
    cab_fit_def def = *t->job->def;
    cab_status status = check_frames(t);
    if (!status && def.settle) status = settle(t);
    if (!status) status = read_places(t);
    if (!status) memcpy(t->before, t->now, (size_t)t->count * (size_t)tracks->probe_count * sizeof *t->now);
    int sample = status ? 0 : compare(t, 0, slack, rate);
    for (int frame = 1; !status && sample < tracks->count && !*t->stop; frame++) {
        *t->stop = is_stopped(&def);
        status = cab_world_step(t->world, 1, t->error);
        if (!status) status = read_places(t);
        if (!status) sample = compare(t, sample, frame + slack, rate);
    }
    return status;
}

static void put_far(together *t, int set)
{
    size_t numbers = 3 * (size_t)t->clip->given.count;
    for (size_t i = 0; i < numbers; i++) t->off[(size_t)set * numbers + i] = FAR;
}

/* Takes those that have diverged out: the others begin again. */
static cab_status drop_diverged(together *t)
{
    int left = 0;
    bool *gone;
    cab_status status = CAB_NEW(gone, t->count, t->error);
    if (!status) status = cab_events_find_diverged(t->world, gone, t->error);
    for (int i = 0; !status && i < t->count; i++) {
        if (gone[i])
            put_far(t, t->set[i]);
        else
            t->set[left++] = t->set[i];
    }
    if (!status && left == t->count) status = CAB_ERROR_DIVERGED; /* cannot be: the world names one */
    t->count = left;
    CAB_FREE(gone);
    return status;
}

static cab_status run_clip(together *t)
{
    cab_status status = CAB_OK;
    while (t->count > 0 && !*t->stop) {
        status = merge(t);
        if (!status) status = open_world(t);
        if (!status) status = step_all(t);
        bool again = status == CAB_ERROR_DIVERGED;
        if (again) status = drop_diverged(t);
        close_world(t);
        if (status || !again) break;
    }
    return status;
}

/* What a clip's pieces are computed of. */
typedef struct clip_pieces {
    cab_fit_job *job;
    cab_fit_clip_job *clip;
    cab_fit_pieces pieces;
} clip_pieces;

static cab_status compute(void *of, int piece, bool *stop, cab_error *error)
{
    const clip_pieces *c = of;
    const cab_fit_pieces *p = &c->pieces;
    size_t first = (size_t)piece * (size_t)p->batch, left = (size_t)p->sets - first;
    int count = left < (size_t)p->batch ? (int)left : p->batch;
    together t = {.job = c->job,
                  .clip = c->clip,
                  .share = p->share + first * p->share_size / sizeof *p->share,
                  .count = count,
                  .off = p->off + first * p->numbers,
                  .stop = stop,
                  .error = error};
    cab_status status = CAB_NEW(t.set, count, error);
    for (int i = 0; !status && i < count; i++) t.set[i] = i;
    if (!status) status = run_clip(&t);
    CAB_FREE(t.set);
    return status;
}

/* What all samples of a clip are off by with `count` sets: off [count][samples][3]. */
static cab_status run_sets(cab_fit_job *job, cab_fit_clip_job *clip, const double *share, int count,
                           double *off, bool *stop, cab_error *error)
{
    const cab_fit_sharing *sharing = job->sharing;
    clip_pieces c = {.job = job,
                     .clip = clip,
                     .pieces = {.share = share,
                                .share_size = (size_t)job->def->sought_count * sizeof *share,
                                .sets = count,
                                .batch = sharing->batch < count ? sharing->batch : count,
                                .off = off,
                                .numbers = 3 * (size_t)clip->given.count,
                                .device = job->found->device,
                                .compute = compute,
                                .of = &c}};
    if (sharing->run) return sharing->run(sharing->user, &c.pieces, stop, error);
    cab_status status = CAB_OK;
    for (int i = 0; i * (long long)c.pieces.batch < count && !status && !*stop; i++)
        status = compute(&c, i, stop, error);
    return status;
}

cab_status cab_fit_job_run(void *user, const double *share, int count, double *residual, bool *stop,
                           cab_error *error)
{
    cab_fit_job *job = user;
    cab_status status = CAB_OK;
    for (int c = 0; c < job->def->clip_count && !status && !*stop; c++) {
        cab_fit_clip_job *clip = &job->clips[c];
        size_t samples = (size_t)clip->given.count, fitted = 3 * (size_t)clip->fitted;
        double *off;
        status = CAB_NEW(off, 3 * samples * (size_t)count, error);
        if (!status) status = run_sets(job, clip, share, count, off, stop, error);
        for (int i = 0; i < count && !status; i++)
            memcpy(residual + (size_t)i * (size_t)job->residuals + clip->first, off + 3 * (size_t)i * samples,
                   fitted * sizeof *off);
        CAB_FREE(off);
    }
    return status;
}

/* Of the samples from `first` to the one before `end`. */
static cab_fit_off off_of(const cab_fit_clip *tracks, const double *off, int first, int end)
{
    cab_fit_off e = {0};
    for (int i = first; i < end; i++) {
        const cab_vec3 *place = &tracks->sample[i].place;
        const double measured[3] = {place->x, place->y, place->z};
        for (int k = 0; k < 3; k++) {
            if (isnan(measured[k])) continue;
            e.numbers++;
            e.mean += fabs(off[3 * i + k]);
            e.root += off[3 * i + k] * off[3 * i + k];
        }
    }
    e.mean /= fmax(1, e.numbers);
    e.root = sqrt(e.root / fmax(1, e.numbers));
    return e;
}

cab_status cab_fit_job_judge(cab_fit_job *job, cab_error *error)
{
    cab_status status = CAB_OK;
    bool stop = false;
    for (int c = 0; c < job->def->clip_count && !status; c++) {
        cab_fit_clip_job *clip = &job->clips[c];
        double *off;
        status = CAB_NEW(off, 3 * (size_t)clip->given.count, error);
        if (!status) status = run_sets(job, clip, job->result.share, 1, off, &stop, error);
        if (stop) job->found->interrupted = true;
        if (!status && !stop) {
            job->found->clips[c].fitted = off_of(&clip->given, off, 0, clip->fitted);
            job->found->clips[c].held_out = off_of(&clip->given, off, clip->fitted, clip->given.count);
        }
        CAB_FREE(off);
    }
    return status;
}
