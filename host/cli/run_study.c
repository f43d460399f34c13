#include "cli/run_study.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/compiling.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/wrote.h"
#include "io/file.h"
#include "study/output.h"

typedef struct study_run {
    const cab_options *options;
    const cab_study_kind *kind;
    cab_study *study;
    cab_study_outputs kinds;
    cab_output **outputs; /* [options->outputs.count]; NULL = closed */
    int warnings;         /* number of warnings that have been printed */
    bool written;         /* the outputs are there */
    cab_error error;
} study_run;

const char *cab_option_of_cables(const cab_options *o)
{
    return o->method       ? "--method"
           : o->settle     ? "--settle"
           : o->release    ? "--release"
           : o->checkpoint ? "--checkpoint"
           : o->resume     ? "--resume"
           : o->probes     ? "--probes"
           : o->bodies     ? "--bodies"
           : o->sockets    ? "--sockets"
           : o->envelope   ? "--envelope"
                           : NULL;
}

cab_study_def cab_study_def_of(const char *path, const cab_options *o)
{
    return (cab_study_def){.path = path,
                           .overrides = o->overrides.word,
                           .override_count = o->overrides.count,
                           .device = o->devices.count ? o->devices.word[o->devices.count - 1] : NULL,
                           .threads = (int)o->threads,
                           .kernel_dir = o->kernels,
                           .log = o->quiet ? NULL : cab_cli_log_compiling,
                           .profile = o->verbose,
                           .frames = o->frames,
                           .substeps = o->substeps,
                           .iterations = o->iterations,
                           .duration = o->duration};
}

/* Options that a study does not have are errors. */
static int load(study_run *run, const char *path)
{
    const cab_study_kind *kind = run->kind;
    const char *wrong = cab_option_of_cables(run->options);
    if (wrong) {
        cab_cli_error("%s: %s is for %s; see docs/methods/%s.md", kind->key, wrong, kind->elsewhere,
                      kind->key);
        return CAB_EXIT_USAGE;
    }
    cab_study_def def = cab_study_def_of(path, run->options);
    cab_status status = kind->load(&def, &run->study, &run->error);
    if (!status) return CAB_EXIT_DONE;
    cab_cli_error("%s", run->error.message);
    return status == CAB_ERROR_MEMORY ? CAB_EXIT_FAILED : CAB_EXIT_USAGE;
}

/* Prints the warnings that are new since the last call. */
static void warn(study_run *run)
{
    char text[CAB_STUDY_TEXT];
    for (; run->kind->warning(run->study, run->warnings, text); run->warnings++)
        if (!run->options->quiet) cab_cli_warning(text);
}

/* ---- outputs ---- */

static cab_status open_outputs(study_run *run)
{
    const cab_word_list *paths = &run->options->outputs;
    char what[64];
    snprintf(what, sizeof what, "scenes of \"%s\"", run->kind->key);
    run->outputs = calloc((size_t)paths->count + 1, sizeof *run->outputs);
    if (!run->outputs) return cab_fail_memory(&run->error, "outputs", sizeof *run->outputs);
    cab_study_make_outputs(run->study, &run->kinds);
    cab_status status = CAB_OK;
    for (int i = 0; i < paths->count && !status; i++)
        status = cab_output_open_of(what, paths->word[i], run->kinds.kinds, run->kinds.count,
                                    &run->outputs[i], &run->error);
    return status;
}

static cab_status write_frame(study_run *run)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < run->options->outputs.count && !status; i++)
        status = cab_output_frame(run->outputs[i], NULL, &run->error);
    return status;
}

/* All are closed; the first failure counts. */
static cab_status close_outputs(study_run *run, cab_status status)
{
    for (int i = 0; run->outputs && i < run->options->outputs.count; i++) {
        cab_error error;
        cab_status closed = cab_output_close(run->outputs[i], NULL, !status, &error);
        if (!closed || status) continue;
        status = closed;
        run->error = error;
    }
    free(run->outputs);
    return status;
}

static void write_report(cab_file *file, const void *of)
{
    const cab_study *study = of;
    json_t *root = study->kind->report(study);
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    cab_file_print(file, "%s\n", text ? text : "{}");
    free(text);
    json_decref(root);
}

/* ---- the run ---- */

static cab_status step_all(study_run *run)
{
    cab_study *s = run->study;
    cab_progress progress = cab_progress_begin(!run->options->quiet, s->frames, s->rate);
    cab_status status = write_frame(run);
    while (s->frame < s->frames && !status && !cab_interrupted()) {
        status = run->kind->step(s, &run->error);
        if (!status) status = write_frame(run);
        cab_progress_show(&progress, s->frame);
    }
    cab_progress_clear(&progress);
    return status ? status : run->kind->read(s, &run->error);
}

static void print_summary(const study_run *run)
{
    const cab_study *s = run->study;
    char text[CAB_STUDY_TEXT];
    const char *name;
    double seconds;
    bool stages = run->options->verbose && run->kind->stage && s->frame > 0;
    for (int i = 0; stages && run->kind->stage(s, i, &name, &seconds); i++)
        printf("%-22s %9.3f us a step\n", name, 1e6 * seconds / s->frame);
    run->kind->summary(s, text);
    printf("%s: %s", s->path, text);
    cab_cli_print_wrote(run->options, run->written, s->frame, 0, stdout);
    putchar('\n');
}

static cab_status simulate(study_run *run)
{
    cab_status status = cab_cli_check_outputs(run->options, &run->error);
    if (!status) status = open_outputs(run);
    if (!status) warn(run);
    if (!status) status = run->kind->start(run->study, &run->error);
    if (!status) status = step_all(run);
    status = close_outputs(run, status);
    run->written = !status;
    if (status || !run->options->report) return status;
    return cab_file_make(run->options->report, write_report, run->study, &run->error);
}

/* A run that has stopped before its end still writes its outputs. */
static int finish(study_run *run)
{
    cab_status status = run->kind->fault ? run->kind->fault(run->study, &run->error) : CAB_OK;
    if (!run->options->quiet) print_summary(run);
    warn(run);
    if (status) {
        cab_cli_error("%s: %s", run->study->path, run->error.message);
        return cab_cli_exit_code(status);
    }
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}

int cab_run_study(const cab_study_kind *kind, const char *path, const cab_options *options)
{
    study_run run = {.options = options, .kind = kind};
    int code = load(&run, path);
    if (code != CAB_EXIT_DONE) return code;
    cab_status status = simulate(&run);
    if (status) cab_cli_error("%s", run.error.message);
    code = status ? cab_cli_exit_code(status) : finish(&run);
    cab_study_close(run.study);
    return code;
}

int cab_check_study(const cab_study_kind *kind, const char *path, const cab_options *options)
{
    study_run run = {.options = options, .kind = kind};
    char text[CAB_STUDY_TEXT];
    int code = load(&run, path);
    if (code != CAB_EXIT_DONE) return code;
    warn(&run);
    cab_status status = kind->check(run.study, text, &run.error);
    if (status)
        cab_cli_error("%s", run.error.message);
    else if (!options->quiet)
        printf("%s: ok: %s\n", path, text);
    cab_study_close(run.study);
    return cab_cli_exit_code(status);
}
