/* clcable fit: from measured tracks to numbers of a scene. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/compiling.h"
#include "cli/fit.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "fit/fit.h"
#include "io/file.h"
#include "model/merge.h"

/* ---- what is asked for ---- */

static cab_status refuse_find(const char *word, cab_error *error)
{
    return cab_fail(
        error, CAB_ERROR_INPUT,
        "--find: expected POINTER=FROM:TO such as /materials/wire/bending_stiffness=1e-5:1e-2, got '%s'",
        word);
}

static cab_status read_find(const char *word, cab_fit_sought *sought, char **pointer, cab_error *error)
{
    const char *equals = strchr(word, '=');
    char *end;
    if (word[0] != '/' || !equals) return refuse_find(word, error);
    double from = strtod(equals + 1, &end);
    if (end == equals + 1 || *end != ':') return refuse_find(word, error);
    const char *second = end + 1;
    double to = strtod(second, &end);
    if (end == second || *end || !isfinite(from) || !isfinite(to) || !(from < to))
        return refuse_find(word, error);
    *pointer = strndup(word, (size_t)(equals - word));
    *sought = (cab_fit_sought){*pointer, {from, to, from > 0}};
    if (!*pointer) return cab_fail_memory(error, "fit", strlen(word));
    if (!cab_pointer_is_setting(*pointer)) return CAB_OK;
    return cab_fail(
        error, CAB_ERROR_INPUT,
        "--find: expected a number of a material, a cable, a collider or the like; '%s' is one of "
        "the whole scene, in which all tries run",
        *pointer);
}

static cab_status read_finds(const cab_word_list *words, cab_fit_command *fit, cab_error *error)
{
    cab_status status = CAB_OK;
    if (words->count == 0 || words->count > CAB_FIT_VALUES)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: expected 1 to %d --find POINTER=FROM:TO, see 'clcable fit --help'",
                        CAB_FIT_VALUES);
    for (int i = 0; i < words->count && !status; i++)
        status = read_find(words->word[i], &fit->sought[i], &fit->pointer[i], error);
    fit->count = words->count;
    return status;
}

static cab_status read_hold_out(const char *text, double *share, cab_error *error)
{
    char *end;
    if (!text) return CAB_OK;
    *share = strtod(text, &end);
    if (end != text && !*end && *share >= 0 && *share <= CAB_FIT_HOLD_OUT_MOST) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "--hold-out: expected a share of the time from 0 to %g, got '%s'",
                    CAB_FIT_HOLD_OUT_MOST, text);
}

/* What the words ask for. */
static cab_status read_words(cab_fit_command *fit, cab_fit_def *def, cab_error *error)
{
    const cab_options *o = fit->options;
    if (o->arguments.count < 2 || o->arguments.count % 2)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "fit: expected SCENE TRACKS.csv, once or more, see 'clcable fit --help'");
    cab_status status = read_finds(&o->varied, fit, error);
    return status ? status : read_hold_out(o->hold_out, &def->hold_out, error);
}

/* ---- clips ---- */

static cab_status read_clips(cab_fit_command *fit, cab_error *error)
{
    const cab_word_list *words = &fit->options->arguments;
    cab_status status = CAB_NEW(fit->clips, words->count / 2, error);
    if (!status) status = CAB_NEW(fit->tracks, words->count / 2, error);
    if (!status) fit->clip_count = words->count / 2;
    for (int c = 0; c < fit->clip_count && !status; c++) {
        const char *scene = words->word[2 * c], *file = words->word[2 * c + 1];
        status = cab_tracks_read(file, &fit->tracks[c], error);
        if (!status) fit->clips[c] = cab_fit_clip_of(&fit->tracks[c], scene, file);
    }
    return status;
}

/* ---- the search ---- */

static cab_progress bar;

static void show(void *user, int runs)
{
    (void)user;
    cab_progress_show(&bar, runs < bar.frames ? runs : bar.frames - 1);
}

static bool stop(void *user)
{
    (void)user;
    return cab_interrupted();
}

/* Errors are told here, so the message is empty. */
static cab_status make(void *user, int clip, const char *const *changes, int count, cab_scene **scene,
                       cab_error *error)
{
    const cab_fit_command *fit = user;
    int code;
    *scene = cab_options_load_changed(fit->options, fit->clips[clip].scene, changes, count, true, &code);
    if (*scene) return CAB_OK;
    error->message[0] = 0;
    return error->status = code == CAB_EXIT_USAGE ? CAB_ERROR_INPUT : CAB_ERROR_IO;
}

static cab_status search(cab_fit_command *fit, cab_fit_def *def, cab_error *error)
{
    const cab_options *o = fit->options;
    double start = cab_now();
    def->sought = fit->sought;
    def->sought_count = fit->count;
    def->clips = fit->clips;
    def->clip_count = fit->clip_count;
    def->tries = (int)o->random;
    if (o->seed) def->seed = (unsigned long)o->seed;
    def->settle = o->settle;
    def->world = cab_options_world(o, NULL);
    def->world.log = o->quiet ? NULL : cab_cli_log_compiling;
    def->make = make;
    def->stop = stop;
    def->progress = show;
    def->user = fit;
    bar = cab_progress_begin(!o->quiet, (def->tries ? def->tries : CAB_FIT_TRIES * fit->count) + 60, 1);
    bar.what = "try";
    bar.speed = "1/s";
    cab_status status = cab_fit_join(fit, def, error);
    cab_fit_sharing sharing = cab_fit_sharing_of(fit);
    if (!status) status = cab_fit_shared(def, &sharing, &fit->found, error);
    cab_progress_clear(&bar);
    fit->wall = cab_now() - start;
    return status;
}

/* The first clip's scene with what was found. */
static cab_status write_scene(const cab_fit_command *fit, const char *path, cab_error *error)
{
    const cab_options *o = fit->options;
    char *made[CAB_FIT_VALUES] = {NULL}, number[32];
    bool whole = true;
    for (int k = 0; k < fit->count; k++) {
        snprintf(number, sizeof number, "%.12g", fit->found.values[k].value);
        made[k] = cab_override_of(fit->sought[k].pointer, number);
        whole = whole && made[k];
    }
    const char **words = whole ? cab_options_words(o, (const char *const *)made, fit->count) : NULL;
    cab_status status =
        words ? cab_scene_save(fit->clips[0].scene, words, o->overrides.count + fit->count, path, error)
              : cab_fail_memory(error, "fit", sizeof *words);
    for (int k = 0; k < fit->count; k++) free(made[k]);
    CAB_FREE(words);
    return status;
}

static int finish(cab_fit_command *fit, cab_status status, cab_error *error)
{
    const cab_options *o = fit->options;
    if (!status && fit->folder && !cab_queue_turn(&fit->queue))
        return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
    bool found = !status && fit->found.any, interrupted = fit->found.interrupted;
    if (found && !o->quiet) cab_fit_print(fit);
    for (int i = 0; i < o->outputs.count && found && !status; i++)
        status = write_scene(fit, o->outputs.word[i], error);
    if (found && !status && o->report) status = cab_fit_write_report(fit, o->report, error);
    if (status && error->message[0]) cab_cli_error("%s", error->message);
    if (!status && found && !interrupted && fit->folder) cab_queue_written(&fit->queue);
    if (!status && !found && !interrupted) {
        cab_cli_error("fit: nothing found: no try could be run");
        return CAB_EXIT_FAILED;
    }
    if (!status && interrupted)
        cab_cli_error(found ? "interrupted: the best until then" : "interrupted before any try was done");
    return !status && interrupted ? CAB_EXIT_INTERRUPTED : cab_cli_exit_code(status);
}

static int run_fit(const cab_options *options, const char *none)
{
    cab_fit_command fit = {.options = options, .queue = {.file = -1}};
    cab_fit_def def = cab_fit_default();
    cab_error error = {0};
    (void)none;
    cab_interrupt_install();
    cab_status status = read_words(&fit, &def, &error);
    if (!status && cab_ranks_here().rank == 0) status = cab_cli_check_outputs(options, &error);
    if (!status) status = read_clips(&fit, &error);
    if (!status) status = search(&fit, &def, &error);
    int code = finish(&fit, status, &error);
    for (int k = 0; k < CAB_FIT_VALUES; k++) free(fit.pointer[k]);
    for (int c = 0; c < fit.clip_count; c++) cab_tracks_free(&fit.tracks[c]);
    cab_fit_free(&fit.found);
    cab_queue_close(&fit.queue);
    CAB_FREE(fit.clips, fit.tracks, fit.folder);
    return code;
}

const cab_command cab_cmd_fit = {"fit", CAB_TAKES_SCENE | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE | CAB_TAKES_FIT,
                                 NULL, run_fit, NULL};
