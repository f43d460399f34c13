/* clcable fit: from measured tracks to numbers of a scene. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/path.h"
#include "cli/cli.h"
#include "cli/fit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "io/file.h"

#define TRIES 64     /* a number that is sought, without --tries */
#define HOLD_OUT 0.2 /* of the time of each clip */
#define HOLD_OUT_MOST 0.9
/* By this share of a number, or of its range, derivatives are taken: well above what floats leave of a run, and so little that a swing
 * of many periods still answers in proportion. */
#define STEP 1e-3
#define STEP_MOST 0.01
#define BLOCK 1.0       /* s; errors of one probe in so much time have one cause, */
#define BLOCKS_LEAST 10 /* but a clip has so many pieces of time at least */

/* ---- what is asked for ---- */

static bool refuse_find(const char *word)
{
    cab_cli_error(
        "--find: expected POINTER=FROM:TO such as /materials/wire/bending_stiffness=1e-5:1e-2, got '%s'",
        word);
    return false;
}

static bool read_find(const char *word, cab_sought *sought)
{
    const char *equals = strchr(word, '=');
    char *end;
    if (word[0] != '/' || !equals) return refuse_find(word);
    double from = strtod(equals + 1, &end);
    if (end == equals + 1 || *end != ':') return refuse_find(word);
    const char *second = end + 1;
    double to = strtod(second, &end);
    if (end == second || *end || !isfinite(from) || !isfinite(to) || !(from < to)) return refuse_find(word);
    sought->range = (cab_fit_range){from, to, from > 0};
    sought->pointer = strndup(word, (size_t)(equals - word));
    if (!sought->pointer) {
        cab_cli_error("fit: out of memory");
        return false;
    }
    if (!cab_pointer_is_setting(sought->pointer)) return true;
    cab_cli_error("--find: expected a number of a material, a cable, a collider or the like; '%s' is one of "
                  "the whole scene, in "
                  "which all tries run",
                  sought->pointer);
    free(sought->pointer);
    return false;
}

static bool read_finds(const cab_word_list *words, cab_fit_job *job)
{
    if (words->count == 0 || words->count > CAB_FIT_VALUES) {
        cab_cli_error("fit: expected 1 to %d --find POINTER=FROM:TO, see 'clcable fit --help'",
                      CAB_FIT_VALUES);
        return false;
    }
    for (int i = 0; i < words->count; i++) {
        if (!read_find(words->word[i], &job->sought[i])) return false;
        job->count = i + 1;
    }
    return true;
}

static bool read_hold_out(const char *text, double *share)
{
    char *end;
    *share = HOLD_OUT;
    if (!text) return true;
    *share = strtod(text, &end);
    if (end != text && !*end && *share >= 0 && *share <= HOLD_OUT_MOST) return true;
    cab_cli_error("--hold-out: expected a share of the time from 0 to %g, got '%s'", HOLD_OUT_MOST, text);
    return false;
}

/* ---- clips ---- */

static int blocks_of(const cab_clip_of_fit *clip, double *length)
{
    *length = fmin(BLOCK, clip->until / BLOCKS_LEAST);
    return *length > 0 ? (int)(clip->until / *length) + 1 : 1;
}

static void add_clip(cab_fit_job *job, cab_clip_of_fit *clip, double held_out)
{
    const cab_tracks *t = &clip->tracks;
    double length;
    clip->until = (1 - held_out) * t->sample[t->count - 1].t;
    while (clip->fitted < t->count && t->sample[clip->fitted].t <= clip->until) clip->fitted++;
    for (int i = 0; i < clip->fitted; i++) {
        cab_vec3 x = t->sample[i].place;
        job->measured += !isnan(x.x) + !isnan(x.y) + !isnan(x.z);
    }
    clip->first = job->residuals;
    clip->first_block = job->blocks;
    job->residuals += 3 * clip->fitted;
    job->blocks += t->probe_count * blocks_of(clip, &length);
}

static void fill_blocks(const cab_fit_job *job, const cab_clip_of_fit *clip)
{
    double length;
    int pieces = blocks_of(clip, &length);
    for (int i = 0; i < clip->fitted; i++) {
        const cab_track_sample *s = &clip->tracks.sample[i];
        int piece = length > 0 ? (int)(s->t / length) : 0;
        for (int k = 0; k < 3; k++)
            job->block[clip->first + 3 * i + k] = clip->first_block + s->probe * pieces + piece;
    }
}

static cab_status read_clips(cab_fit_job *job, double held_out, cab_error *error)
{
    const cab_word_list *words = &job->options->arguments;
    job->clip_count = words->count / 2;
    cab_status status = CAB_NEW(job->clips, job->clip_count, error);
    for (int c = 0; c < job->clip_count && !status; c++) {
        cab_clip_of_fit *clip = &job->clips[c];
        clip->scene = words->word[2 * c];
        clip->file = words->word[2 * c + 1];
        status = cab_tracks_read(clip->file, &clip->tracks, error);
        if (!status) add_clip(job, clip, held_out);
    }
    if (!status && job->measured < job->count)
        status = cab_fail(error, CAB_ERROR_INPUT,
                          "%s: expected at least as many coordinates as numbers that are sought",
                          job->clips[0].file);
    if (!status) status = CAB_NEW(job->block, job->residuals, error);
    for (int c = 0; c < job->clip_count && !status; c++) fill_blocks(job, &job->clips[c]);
    return status;
}

/* ---- the search ---- */

static cab_progress bar;

static void show(void *user, int runs)
{
    (void)user;
    cab_progress_show(&bar, runs < bar.frames ? runs : bar.frames - 1);
}

static cab_status search(cab_fit_job *job, cab_error *error)
{
    const cab_options *o = job->options;
    double start = cab_now();
    cab_fit_problem problem = {.values = job->count,
                               .residuals = job->residuals,
                               .block = job->block,
                               .blocks = job->blocks,
                               .tries = o->random ? (int)o->random : TRIES * job->count,
                               .seed = o->seed ? (unsigned long)o->seed : 1,
                               .run = cab_fit_job_run,
                               .user = job,
                               .progress = show};
    for (int k = 0; k < job->count; k++) {
        const cab_fit_range *r = &job->sought[k].range;
        problem.step[k] = r->by_ratio ? fmin(STEP / log(r->to / r->from), STEP_MOST) : STEP;
    }
    bar = cab_progress_begin(!o->quiet, problem.tries + 60, 1);
    bar.what = "try";
    bar.speed = "1/s";
    cab_status status = cab_fit_search(&problem, &job->result, error);
    if (!status && isfinite(job->result.square)) status = cab_fit_job_judge(job, error);
    cab_progress_clear(&bar);
    job->wall = cab_now() - start;
    return status;
}

/* The first clip's scene with what was found. */
static cab_status write_scene(const cab_fit_job *job, const char *path, cab_error *error)
{
    const cab_options *o = job->options;
    char *made[CAB_FIT_VALUES] = {NULL};
    bool whole = true;
    for (int k = 0; k < job->count; k++) {
        made[k] = cab_fit_override(&job->sought[k], job->result.share[k]);
        whole = whole && made[k];
    }
    const char **words = whole ? cab_options_words(o, made, job->count) : NULL;
    cab_status status =
        words ? cab_scene_save(job->clips[0].scene, words, o->overrides.count + job->count, path, error)
              : cab_fail_memory(error, "fit", sizeof *words);
    for (int k = 0; k < job->count; k++) free(made[k]);
    CAB_FREE(words);
    return status;
}

static int finish(const cab_fit_job *job, cab_status status, cab_error *error)
{
    const cab_options *o = job->options;
    bool found = !status && isfinite(job->result.square);
    if (found && !o->quiet) cab_fit_print(job);
    for (int i = 0; i < o->outputs.count && found && !status; i++)
        status = write_scene(job, o->outputs.word[i], error);
    if (found && !status && o->report) status = cab_fit_write_report(job, o->report, error);
    if (status && error->message[0]) cab_cli_error("%s", error->message);
    if (!status && !found && !job->result.interrupted) {
        cab_cli_error("fit: nothing found: no try could be run");
        return CAB_EXIT_FAILED;
    }
    if (!status && job->result.interrupted)
        cab_cli_error(found ? "interrupted: the best until then" : "interrupted before any try was done");
    return !status && job->result.interrupted ? CAB_EXIT_INTERRUPTED : cab_cli_exit_code(status);
}

static int fit(const cab_options *options, const char *none)
{
    cab_fit_job job = {.options = options};
    cab_error error = {0};
    double held_out;
    int code = CAB_EXIT_USAGE;
    (void)none;
    if (options->arguments.count < 2 || options->arguments.count % 2)
        cab_cli_error("fit: expected SCENE TRACKS.csv, once or more, see 'clcable fit --help'");
    else if (read_finds(&options->varied, &job) && read_hold_out(options->hold_out, &held_out)) {
        cab_interrupt_install();
        cab_status status = cab_cli_check_outputs(options, &error);
        if (!status) status = read_clips(&job, held_out, &error);
        if (!status) status = search(&job, &error);
        code = finish(&job, status, &error);
    }
    for (int k = 0; k < job.count; k++) free(job.sought[k].pointer);
    for (int c = 0; c < job.clip_count && job.clips; c++) cab_tracks_free(&job.clips[c].tracks);
    CAB_FREE(job.clips, job.block);
    return code;
}

const cab_command cab_cmd_fit = {"fit", CAB_TAKES_SCENE | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE | CAB_TAKES_FIT,
                                 NULL, fit, NULL};
