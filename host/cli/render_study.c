#include "cli/render_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/picture_options.h"
#include "cli/progress.h"
#include "cli/run_study.h"
#include "cli/wrote.h"

typedef struct study_run {
    const cab_options *options;
    const char *path;
    cab_shots *shots;
    const cab_study_kind *kind;
    cab_shown_study *shown;
    cab_subject subject;
    cab_output_kind pictures;
    cab_output **files; /* [options->outputs.count]; NULL = closed */
    cab_error error;
} study_run;

cab_shots cab_study_shots(const cab_study_kind *kind)
{
    const cab_study_drawing *drawing = cab_study_drawing_of(kind);
    cab_shots shots = cab_shots_default();
    cab_camera_set_view(&shots.shot.aim.camera, "front");
    shots.shot.look.quantity = drawing->quantity;
    if (drawing->subject.own_names) shots.shot.legend_width = 205;
    return shots;
}

static bool takes_colour(const cab_study_kind *kind, cab_quantity quantity, const cab_options *options)
{
    const char *colour = cab_picture_word(options, "colour");
    const char *shown = cab_quantity_name(quantity);
    if (!colour || (quantity && (strcmp(colour, shown) == 0 || strcmp(colour, "cable") == 0))) return true;
    if (quantity)
        cab_cli_error("%s: --colour %s is for cables of particles, expected %s or cable", kind->key, colour,
                      shown);
    else
        cab_cli_error("%s: --colour is for cables", kind->key);
    return false;
}

bool cab_study_takes(const cab_study_kind *kind, const cab_options *o)
{
    cab_quantity quantity = cab_study_drawing_of(kind)->quantity;
    const char *wrong = cab_option_of_cables(o);
    if (!wrong && o->interop) wrong = "--interop";
    if (!wrong && cab_picture_word(o, "marks")) wrong = "--marks";
    if (!wrong && cab_picture_word(o, "stripe")) wrong = "--stripe";
    if (!wrong && !quantity && cab_picture_word(o, "range")) wrong = "--range";
    if (wrong) cab_cli_error("%s: %s is for cables; see docs/view.md", kind->key, wrong);
    if (!wrong && o->report) cab_cli_error("%s: --report comes from `clcable run`", kind->key);
    return !wrong && !o->report && takes_colour(kind, quantity, o);
}

static cab_status open_files(study_run *run)
{
    const cab_word_list *paths = &run->options->outputs;
    cab_status status = CAB_OK;
    run->shots->subject = &run->subject;
    run->shots->rate = run->shown->study->rate;
    run->pictures = cab_shots_kind(run->shots);
    run->files = calloc((size_t)paths->count + 1, sizeof *run->files);
    if (!run->files) return cab_fail_memory(&run->error, "outputs", sizeof *run->files);
    for (int i = 0; i < paths->count && !status; i++) {
        if (!cab_shots_is_picture(paths->word[i]))
            return cab_fail(&run->error, CAB_ERROR_INPUT,
                            "%s: expected .png, .mp4 or .gif; `clcable run` writes others", paths->word[i]);
        status =
            cab_output_open_of("pictures", paths->word[i], &run->pictures, 1, &run->files[i], &run->error);
    }
    return status;
}

typedef cab_status show_file(cab_output *file, cab_world *world, cab_error *error);

static cab_status look_ahead(cab_output *file, cab_world *world, cab_error *error)
{
    return cab_output_looks_ahead(file) ? cab_output_look_ahead(file, world, error) : CAB_OK;
}

static cab_status show(study_run *run, show_file *how)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < run->options->outputs.count && !status; i++)
        status = how(run->files[i], NULL, &run->error);
    return status;
}

/* Runs from the start and hands each frame to the outputs. */
static cab_status run_through(study_run *run, show_file *how)
{
    cab_study *study = run->shown->study;
    cab_progress progress = cab_progress_begin(!run->options->quiet, study->frames, study->rate);
    cab_status status = show(run, how);
    for (int i = 0; i < study->frames && !status && !cab_interrupted(); i++) {
        status = cab_study_step(study, &run->error);
        if (!status) status = show(run, how);
        cab_progress_show(&progress, i + 1);
    }
    cab_progress_clear(&progress);
    return status;
}

/* As with cables, the camera of a film is chosen for the whole motion, so the scene runs once for it
 * beforehand. If it diverges there, the second run says so. */
static cab_status rehearse(study_run *run)
{
    bool wanted = false;
    for (int i = 0; i < run->options->outputs.count; i++)
        wanted = wanted || cab_output_looks_ahead(run->files[i]);
    if (!wanted) return CAB_OK;
    cab_status status = run_through(run, look_ahead);
    if (status && status != CAB_ERROR_DIVERGED) return status;
    return run->kind->start(run->shown->study, &run->error);
}

/* Closes the files. After a divergence the frames so far are kept, as `render` does with cables. */
static cab_status close_files(study_run *run, cab_status status)
{
    bool commit = !status || status == CAB_ERROR_DIVERGED;
    for (int i = 0; run->files && i < run->options->outputs.count; i++) {
        cab_error error;
        cab_status closed = cab_output_close(run->files[i], NULL, commit, &error);
        if (!closed) continue;
        if (status) cab_cli_error("%s", error.message);
        if (status) continue;
        status = closed;
        run->error = error;
    }
    free(run->files);
    return status;
}

static cab_status render(study_run *run)
{
    cab_status status = open_files(run);
    if (!status) status = rehearse(run);
    if (!status && !cab_interrupted()) status = run_through(run, cab_output_frame);
    return close_files(run, status);
}

static void print_summary(const study_run *run, time_t since)
{
    int frames = run->shown->study->frame;
    printf("%s: %d frames", run->path, frames);
    cab_cli_print_wrote(run->options, true, frames, since, stdout);
    putchar('\n');
}

int cab_render_study(const cab_study_kind *kind, const char *path, const cab_options *options,
                     cab_shots *shots)
{
    study_run run = {.options = options, .path = path, .shots = shots, .kind = kind};
    cab_study_def def = cab_study_def_of(path, options);
    def.compare = cab_picture_word(options, "compare");
    time_t since = time(NULL);
    cab_status status = cab_shown_study_open(kind, &def, &run.shown, &run.error);
    if (!status) {
        run.subject = cab_shown_study_subject(run.shown);
        status = render(&run);
    }
    if (status) cab_cli_error("%s", run.error.message);
    if (!status && !options->quiet) print_summary(&run, since);
    cab_shown_study_close(run.shown);
    if (status) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}
