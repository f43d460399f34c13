#include "cli/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "cli/compiling.h"
#include "cli/envelope.h"
#include "cli/interrupt.h"
#include "cli/settle.h"
#include "cli/together.h"
#include "io/file.h"
#include "model/scene.h"

#define CALM_TIME 0.1 /* s, --release */

static void keep_warning(cab_run *run, const char *text)
{
    if (CAB_RESIZE(run->warnings, run->warning_count + 1, NULL) != CAB_OK) return;
    char *copy = strdup(text);
    if (copy) run->warnings[run->warning_count++] = copy;
}

/* What the library has to say. */
static void on_log(void *user, int level, const char *text)
{
    cab_run *run = user;
    if (level == 0) keep_warning(run, text);
    if (run->options->quiet || (level == 1 && !run->options->verbose)) return;
    cab_progress_clear(&run->progress);
    if (level == 0)
        cab_cli_warning(text);
    else if (level == 2)
        cab_cli_compiling(text);
    else
        printf("%s\n", text);
}

/* `--probes`, `--bodies`, `--sockets`: a table of what the scene has `count` of. NULL as the path = it is not asked for. */
static cab_status open_table(cab_run *run, const char *what, const char *path, int count,
                             const cab_output_kind *kind)
{
    if (!path) return CAB_OK;
    if (count == 0)
        return cab_fail(&run->error, CAB_ERROR_INPUT, "%s: /%s: expected at least one, for --%s", run->path,
                        what, what);
    return cab_output_open_of(what, path, kind, 1, &run->outputs[run->output_count++], &run->error);
}

/* Before anything is computed: can what is asked for be written? */
static cab_status open_outputs(cab_run *run)
{
    const cab_word_list *paths = &run->options->outputs;
    cab_status status = cab_cli_check_outputs(run->options, &run->error);
    if (status == CAB_OK) status = cab_cli_check_envelope(run->options, &run->error);
    if (status != CAB_OK) return status;
    run->outputs = calloc((size_t)paths->count + 3, sizeof *run->outputs);
    run->output_count = paths->count;
    if (!run->outputs) {
        snprintf(run->error.message, sizeof run->error.message, "out of memory");
        return CAB_ERROR_MEMORY;
    }
    for (int i = 0; i < paths->count; i++) {
        status = cab_output_open(paths->word[i], run->scene, run->extra, &run->outputs[i], &run->error);
        if (status != CAB_OK) return status;
    }
    const cab_options *options = run->options;
    status = open_table(run, "probes", options->probes, run->scene->probe_count, &cab_output_probes);
    if (status == CAB_OK)
        status = open_table(run, "bodies", options->bodies, run->scene->body_count, &cab_output_bodies);
    if (status == CAB_OK)
        status = open_table(run, "sockets", options->sockets, run->scene->socket_count, &cab_output_sockets);
    if (status != CAB_OK) return status;
    const char *checkpoint = run->options->checkpoint, *report = run->options->report;
    status = checkpoint ? cab_file_check(checkpoint, &run->error) : CAB_OK;
    if (status == CAB_OK && report) status = cab_file_check(report, &run->error);
    return status;
}

/* `--resume`. A state that cannot be read is bad input, whatever the reason, as with scenes. */
static cab_status resume(cab_run *run, cab_world *world)
{
    const char *path = run->options->resume;
    if (!path) return CAB_OK;
    cab_status status = cab_world_load(world, path, &run->error);
    return status == CAB_ERROR_IO ? CAB_ERROR_INPUT : status;
}

static cab_status make_world(cab_run *run, bool silent, cab_world **world)
{
    const cab_options *options = run->options;
    cab_world_def def = cab_options_world(options, NULL);
    cab_status status = cab_together_devices(options, &def, &run->error);
    if (status != CAB_OK) return status;
    def.log = !silent ? on_log : run->options->quiet ? NULL : cab_cli_log_compiling;
    def.user = run;
    def.profile = options->verbose;
    cab_way way = cab_scene_settings(run->scene)->way; /* those of whole frames measure no forces */
    def.forces = run->forces && way != CAB_WAY_FUSED && way != CAB_WAY_LANES;
    status = cab_world_create(run->scene, &def, world, &run->error);
    if (status != CAB_OK) return status;
    status = silent ? CAB_OK
                    : resume(run, *world); /* pictures of a resumed run are framed as those of a whole one */
    if (status == CAB_OK) return CAB_OK;
    cab_world_destroy(*world);
    *world = NULL;
    return status;
}

/* --settle */
static cab_status put_to_rest(cab_run *run, cab_world *world, cab_equilibrium *rest)
{
    if (!run->options->settle) return CAB_OK;
    cab_status status = run->drawn ? run->drawn(run->user, world, &run->error) : CAB_OK;
    return status == CAB_OK ? cab_cli_settle(run->options, world, rest, NULL, &run->interrupted, &run->error)
                            : status;
}

/* --envelope; a cell that is too small says so now, not after hours. */
static cab_status begin_envelope(cab_run *run)
{
    if (!run->options->envelope) return CAB_OK;
    run->envelope = cab_envelope_of(run->options->envelope_cell);
    cab_status status = cab_motion_begin(&run->motion, &run->envelope, run->world, &run->error);
    if (status == CAB_ERROR_INPUT) { /* nothing is written */
        cab_world_destroy(run->world);
        run->world = NULL;
    }
    return status;
}

static cab_status open_world(cab_run *run)
{
    cab_status status = make_world(run, false, &run->world);
    if (status == CAB_OK) status = begin_envelope(run);
    if (status != CAB_OK) return status;
    if (run->options->resume) run->first = run->report.resumed_at = cab_world_get_info(run->world).frame;
    status = put_to_rest(run, run->world, &run->rest);
    run->has_rest = run->options->settle && status == CAB_OK;
    if (status == CAB_ERROR_UNSUPPORTED) { /* nothing is written */
        cab_world_destroy(run->world);
        run->world = NULL;
    }
    if (status != CAB_OK || !run->options->checkpoint) return status;
    void *state = NULL; /* a scene without states says so now, not after hours */
    size_t size;
    status = cab_world_pack(run->world, &state, &size, &run->error);
    free(state);
    return status;
}

static cab_status write_frame(cab_run *run)
{
    double start = cab_now();
    cab_status status = CAB_OK;
    for (int i = 0; i < run->output_count && status == CAB_OK; i++) {
        status = cab_output_frame(run->outputs[i], run->world, &run->error);
        if (status != CAB_OK) {
            cab_output_close(run->outputs[i], NULL, false, NULL);
            run->outputs[i] = NULL;
        }
    }
    if (status == CAB_OK && run->options->envelope)
        status = cab_motion_add(&run->motion, run->world, NULL, &run->error);
    run->report.wall_output += cab_now() - start;
    return status;
}

static cab_status is_calm(cab_run *run, cab_world *world, bool *calm)
{
    cab_measures measures;
    cab_status status = run->options->release ? cab_world_measure(world, &measures, &run->error) : CAB_OK;
    if (status != CAB_OK || !run->options->release) return status;
    double frame_rate = cab_scene_settings(run->scene)->frame_rate;
    *calm = measures.calm >= CALM_TIME * frame_rate - 1e-9; /* rounding of the product */
    return CAB_OK;
}

/* ---- a run before the run: films are framed for all that will be seen, and colours mean the same throughout. Runs of
 * one scene are the same bit for bit, so nothing is kept of it but what the outputs noted ---- */

static bool is_rehearsed(const cab_run *run)
{
    if (run->frames == 0) return false; /* its only frame is shown to them first */
    for (int i = 0; i < run->output_count; i++)
        if (cab_output_looks_ahead(run->outputs[i])) return true;
    return false;
}

static cab_status show_ahead(cab_run *run, cab_world *world)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < run->output_count && status == CAB_OK; i++)
        if (cab_output_looks_ahead(run->outputs[i]))
            status = cab_output_look_ahead(run->outputs[i], world, &run->error);
    return status;
}

static cab_status run_through(cab_run *run, cab_world *world)
{
    bool calm = false;
    int frame = cab_world_get_info(world).frame;
    cab_status status = show_ahead(run, world);
    if (status == CAB_OK) status = is_calm(run, world, &calm);
    while (frame++ < run->frames && status == CAB_OK && !calm && !run->interrupted) {
        status = cab_world_step(world, 1, &run->error);
        if (status == CAB_OK) status = show_ahead(run, world);
        if (status == CAB_OK) status = is_calm(run, world, &calm);
        cab_progress_show(&run->progress, frame);
        run->interrupted = cab_interrupted();
    }
    return status;
}

static cab_status rehearse(cab_run *run)
{
    cab_world *world = NULL;
    if (!is_rehearsed(run)) return CAB_OK;
    cab_status status = make_world(run, true, &world);
    cab_equilibrium rest;
    if (status == CAB_OK) status = put_to_rest(run, world, &rest);
    if (status != CAB_OK) {
        cab_world_destroy(world);
        return status;
    }
    double frame_rate = cab_scene_settings(run->scene)->frame_rate;
    run->progress = cab_progress_begin(!run->options->quiet, run->frames, frame_rate);
    status = run_through(run, world);
    cab_progress_clear(&run->progress);
    cab_world_destroy(world);
    /* one that diverges will say so when it is run, after what can be seen of it */
    return status == CAB_ERROR_DIVERGED ? CAB_OK : status;
}

/* ---- the run ---- */

/* `--checkpoint`: every n frames, and at the end. */
static cab_status save_state(cab_run *run, bool at_end)
{
    const cab_options *options = run->options;
    int frame = cab_world_get_info(run->world).frame;
    bool due = options->checkpoint_every && frame % options->checkpoint_every == 0;
    if (!options->checkpoint || frame == run->saved || !(due || at_end)) return CAB_OK;
    double start = cab_now();
    cab_status status = cab_world_save(run->world, options->checkpoint, &run->error);
    run->saved = frame;
    run->report.wall_output += cab_now() - start;
    return status;
}

static cab_status step_frame(cab_run *run)
{
    double start = cab_now();
    cab_status status = cab_world_step(run->world, 1, &run->error);
    run->report.wall_step += cab_now() - start;
    if (status == CAB_OK) status = write_frame(run);
    if (status == CAB_OK) status = is_calm(run, run->world, &run->calm);
    if (status == CAB_OK) status = save_state(run, false);
    return status;
}

static cab_status step_all(cab_run *run)
{
    cab_status status = run->frames == 0 ? show_ahead(run, run->world) : CAB_OK;
    if (status == CAB_OK) status = write_frame(run);
    if (status == CAB_OK) status = is_calm(run, run->world, &run->calm); /* a state may be calm */
    bool goes_on = !run->has_rest || run->rest.settled;
    for (int frame = run->first + 1; frame <= run->frames && status == CAB_OK && goes_on && !run->calm;
         frame++) {
        if (cab_interrupted()) {
            run->interrupted = true;
            break;
        }
        status = step_frame(run);
        cab_progress_show(&run->progress, frame);
    }
    cab_progress_clear(&run->progress);
    return status == CAB_OK ? save_state(run, true) : status;
}

/* The first error stays the one to tell. */
static void note_failure(cab_run *run, cab_status status, const cab_error *error)
{
    if (run->status != CAB_OK) {
        cab_cli_error("%s", error->message);
        return;
    }
    run->status = status;
    run->error = *error;
}

static void write_envelope(cab_run *run)
{
    cab_error error;
    cab_status status = cab_motion_join(&run->motion, &run->envelope, 1, &error);
    if (status == CAB_OK) status = cab_cli_write_envelope(run->options, &run->envelope, &run->told, &error);
    if (status == CAB_OK)
        run->report.envelope = &run->told;
    else
        note_failure(run, status, &error);
}

/* Keeps what was computed, unless the device itself is in doubt. */
static void close_outputs(cab_run *run)
{
    double start = cab_now();
    bool commit = run->world &&
                  (run->status == CAB_OK || run->status == CAB_ERROR_DIVERGED || run->status == CAB_ERROR_IO);
    for (int i = 0; run->outputs && i < run->output_count; i++) {
        cab_error error;
        cab_status status = cab_output_close(run->outputs[i], run->world, commit, &error);
        run->outputs[i] = NULL;
        if (status != CAB_OK) note_failure(run, status, &error);
    }
    if (commit && run->options->envelope) write_envelope(run);
    run->report.wall_output += cab_now() - start;
}

static const char *outcome(const cab_run *run)
{
    if (run->status == CAB_ERROR_DIVERGED) return "diverged";
    if (run->status != CAB_OK) return "failed";
    return run->interrupted ? "interrupted" : cab_run_is_unsettled(run) ? "unsettled" : "ok";
}

/* The cable's name stands in the message between `cable "` and the last `": `. */
static void find_diverged(cab_run *run)
{
    static const char before[] = "cable \"";
    const char *name = strstr(run->error.message, before), *end = NULL;
    if (run->status != CAB_ERROR_DIVERGED || !name) return;
    name += sizeof before - 1;
    for (const char *at = name; (at = strstr(at, "\": ")); at++) end = at;
    if (!end) return;
    snprintf(run->diverged, sizeof run->diverged, "%.*s", (int)(end - name), name);
    run->report.diverged_cable = run->diverged;
}

bool cab_run_is_unsettled(const cab_run *run)
{
    return run->has_rest && !run->rest.settled;
}

static void collect(cab_run *run)
{
    cab_report *report = &run->report;
    const cab_settings *settings = cab_scene_settings(run->scene);
    report->scene = run->path;
    report->method = cab_method_name(settings->method);
    report->method_against = cab_scene_method_against(run->scene);
    report->substeps = settings->substeps;
    report->substeps_for = cab_scene_substeps_for(run->scene);
    report->iterations = settings->iterations;
    report->profiled = run->options->verbose;
    report->rest = run->has_rest ? &run->rest : NULL;
    cab_error error;
    cab_status status = run->world ? cab_report_collect(report, run->world, &error) : CAB_OK;
    if (status != CAB_OK && run->status == CAB_OK) {
        run->status = status;
        run->error = error;
    }
    report->warnings = (const char *const *)run->warnings;
    report->warning_count = run->warning_count;
    report->wall_total = cab_now() - run->started;
    report->status = outcome(run);
    report->message = run->status == CAB_OK ? NULL : run->error.message;
    report->diverged_frame = report->info.frame;
    find_diverged(run);
}

static void write_report(cab_run *run)
{
    cab_error error;
    if (!run->options->report) return;
    cab_status status = cab_report_write(&run->report, run->options->report, &error);
    if (status == CAB_OK) return;
    cab_cli_error("%s", error.message);
    if (run->status == CAB_OK) run->status = status;
    run->error.message[0] = 0;
}

/* From the scene to a world that is ready to step. */
static cab_status set_up(cab_run *run)
{
    const cab_settings *settings = cab_scene_settings(run->scene);
    run->frames = cab_options_frames(run->options, settings);
    run->status = open_outputs(run);
    if (run->status == CAB_OK) run->status = rehearse(run);
    if (run->status == CAB_OK && !run->interrupted) run->status = open_world(run);
    run->report.wall_setup = cab_now() - run->started;
    if (run->status != CAB_OK || !run->world) return run->status;
    run->progress = cab_progress_begin(!run->options->quiet, run->frames, settings->frame_rate);
    if (run->options->verbose) cab_run_print_start(run);
    return CAB_OK;
}

static void tell(cab_run *run)
{
    const cab_options *options = run->options;
    if (run->status == CAB_ERROR_DIVERGED)
        cab_cli_error("%s: %s", run->path, run->error.message);
    else if (run->status != CAB_OK && run->error.message[0])
        cab_cli_error("%s", run->error.message);
    if (!run->world && run->interrupted)
        cab_cli_error("interrupted before the first frame, nothing is written");
    if (!run->world) return;
    if (run->interrupted) cab_run_print_interrupted(run);
    if (run->has_rest && !run->interrupted)
        cab_cli_tell_rest(run->path, run->world, &run->rest, options->quiet);
    if (!options->quiet) cab_run_print_devices(run);
    if (options->verbose) cab_run_print_events(run);
    if (options->verbose) cab_run_print_stages(run);
    if (!options->quiet) cab_run_print_summary(run);
}

int cab_run_all(cab_run *run)
{
    int code = CAB_EXIT_DONE;
    run->started = cab_now();
    run->memory = cab_run_own_memory();
    run->scene = cab_options_load_scene(run->options, run->path, &code);
    if (!run->scene) return code;
    if (set_up(run) == CAB_OK && run->world) run->status = step_all(run);
    close_outputs(run);
    code = cab_cli_exit_code(run->status);
    collect(run);
    if (code != CAB_EXIT_USAGE) write_report(run);
    tell(run);
    if (run->status != CAB_OK) return cab_cli_exit_code(run->status);
    if (run->interrupted) return CAB_EXIT_INTERRUPTED;
    return cab_run_is_unsettled(run) ? CAB_EXIT_FAILED : CAB_EXIT_DONE;
}

void cab_run_free(cab_run *run)
{
    for (int i = 0; i < run->warning_count; i++) free(run->warnings[i]);
    CAB_FREE(run->warnings, run->outputs);
    cab_motion_free(&run->motion);
    cab_envelope_free(&run->envelope);
    cab_report_free(&run->report);
    cab_world_destroy(run->world);
    cab_scene_destroy(run->scene);
}
