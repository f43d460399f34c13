/* clcable report: a run that is held to the limits of its parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "cli/guard.h"
#include "cli/interrupt.h"
#include "cli/report_compare.h"
#include "cli/report_pictures.h"
#include "cli/run.h"
#include "cli/together.h"
#include "model/scene.h"
#include "rules/assess.h"
#include "study/study.h"

/* Near views, beside the one of the whole. */
enum { NEAR_MOST = CAB_REPORT_PICTURES_MOST - 1 };

/* What the outputs of a run share. */
typedef struct session {
    cab_limits limits;
    cab_limit_table table;
    const cab_run *run;
    cab_assessment assessment;
    bool begun, sorted;
    cab_report_pictures pictures;
} session;

typedef struct writer {
    session *session;
    cab_file file;
    enum { PAGE, DATA, TABLE } form;
} writer;

static cab_status open_writer(void *user, const char *path, const cab_scene *scene, void **made,
                              cab_error *error)
{
    session *s = user;
    writer *w = calloc(1, sizeof *w);
    if (!w) return cab_fail_memory(error, "an output", sizeof *w);
    const char *ending = strrchr(path, '.');
    w->session = s;
    w->form = strcmp(ending, ".html") == 0 ? PAGE : strcmp(ending, ".json") == 0 ? DATA : TABLE;
    cab_status status = cab_limit_table_check(&s->table, scene, error);
    if (!status) status = cab_file_open(&w->file, path, error);
    if (status) {
        free(w);
        return status;
    }
    if (!s->begun) cab_assess_begin(&s->assessment, scene, &s->limits);
    s->begun = true;
    if (w->form == TABLE && !s->assessment.csv) s->assessment.csv = &w->file;
    *made = w;
    return CAB_OK;
}

static bool looks_ahead(const void *made)
{
    return ((const writer *)made)->form == PAGE && cab_report_pictures_are_built();
}

static cab_status look_ahead(void *made, cab_world *world, cab_error *error)
{
    return cab_assess_take(&((writer *)made)->session->assessment, world, error);
}

static cab_status take_drawn(void *user, cab_world *world, cab_error *error)
{
    session *s = user;
    if (s->assessment.frame_count > 0) return CAB_OK; /* a run before the run has shown its frames already */
    return cab_assess_take_drawn(&s->assessment, world, error);
}

static void sort_once(session *s)
{
    if (!s->sorted) cab_assess_sort(&s->assessment);
    s->sorted = true;
}

/* Worth a near view: it is somewhere, and no worse finding shows the same cable. */
static bool is_shown(const cab_assessment *a, int index)
{
    const cab_finding *f = &a->findings[index];
    if (f->frame < 0 || f->node < 0 || f->rule == CAB_REQUIREMENT_SAG) return false;
    if (cab_requirement_kind_of(f->rule)->error && !(f->use > 1)) return false;
    for (int i = 0; i < index; i++)
        if (a->findings[i].cable == f->cable && a->findings[i].node >= 0) return false;
    return true;
}

static cab_status show_findings(session *s, cab_world *world, cab_error *error)
{
    const cab_assessment *a = &s->assessment;
    int frame = cab_world_get_info(world).frame, shown = 0;
    cab_status status = CAB_OK;
    for (int i = 0; i < a->finding_count && shown < NEAR_MOST && status == CAB_OK; i++) {
        if (!is_shown(a, i)) continue;
        shown++;
        if (a->findings[i].frame == frame)
            status = cab_report_picture_finding(&s->pictures, a, &a->findings[i], world, error);
    }
    return status;
}

static cab_status frame(void *made, cab_world *world, cab_error *error)
{
    const writer *w = made;
    session *s = w->session;
    bool known = cab_world_get_info(world).frame <= s->assessment.last_frame; /* looked ahead */
    if (!known || w->form != PAGE) return cab_assess_take(&s->assessment, world, error);
    if (!cab_report_pictures_are_built()) return CAB_OK;
    sort_once(s);
    return show_findings(s, world, error);
}

static cab_status write_it(writer *w, cab_world *world, cab_error *error)
{
    session *s = w->session;
    const cab_settings *settings = cab_scene_settings(s->run->scene);
    cab_world_info info = cab_world_get_info(world);
    char title[256];
    cab_path_stem(s->run->path, title, sizeof title);
    cab_assess_run run = {.title = title,
                          .scene = s->run->path,
                          .method = cab_method_name(settings->method),
                          .device = info.device.name,
                          .status = s->run->status                 ? "diverged"
                                    : s->run->interrupted          ? "interrupted"
                                    : cab_run_is_unsettled(s->run) ? "unsettled"
                                                                   : "ok",
                          .rest = s->run->has_rest ? &s->run->rest : NULL,
                          .substeps = settings->substeps,
                          .frames = info.frame,
                          .duration = info.time};
    cab_status status = cab_world_measure(world, &run.measures, error);
    if (status) return status;
    run.judgement_count = cab_world_get_judgements(world, run.judgements, CAB_JUDGED_COUNT);
    sort_once(s);
    if (w->form == DATA) return cab_assess_write_json(&s->assessment, &run, &w->file, error);
    if (w->form == TABLE) return CAB_OK;
    if (cab_report_pictures_are_built())
        status = cab_report_picture_whole(&s->pictures, s->run->scene, world, error);
    if (!status)
        cab_assess_write_html(&s->assessment, &run, s->pictures.picture, s->pictures.count, &w->file);
    return status;
}

static cab_status close_writer(void *made, cab_world *world, bool commit, cab_error *error)
{
    writer *w = made;
    cab_status status = CAB_OK;
    if (commit) status = write_it(w, world, error);
    if (commit && !status) status = cab_file_finish(&w->file, error);
    if (commit && !status) status = cab_file_rename(&w->file, error);
    if (w->session->assessment.csv == &w->file) w->session->assessment.csv = NULL;
    cab_file_close(&w->file);
    free(w);
    return status;
}

static bool has_report(const cab_options *options)
{
    for (int i = 0; i < options->outputs.count; i++) {
        const char *ending = strrchr(options->outputs.word[i], '.');
        if (ending && (!strcmp(ending, ".html") || !strcmp(ending, ".json") || !strcmp(ending, ".csv")))
            return true;
    }
    return false;
}

/* The exit code where something cannot be, after a line. */
static int check(const cab_options *options, const char *path, const cab_study_kind *kind, session *s)
{
    cab_error error;
    s->limits = cab_limits_default();
    for (int i = 0; i < options->limits_set.count; i++) {
        if (!cab_limits_set(&s->limits, options->limits_set.word[i], &error)) continue;
        cab_cli_error("report: --limit: %s", error.message);
        return CAB_EXIT_USAGE;
    }
    if (options->limit_table) {
        if (cab_limit_table_read(&s->table, options->limit_table, &error)) {
            cab_cli_error("%s", error.message);
            return error.status == CAB_ERROR_MEMORY ? CAB_EXIT_FAILED : CAB_EXIT_USAGE;
        }
        s->limits.table = &s->table;
    }
    if (kind) {
        cab_cli_error(
            "report: %s: scenes of kind \"%s\" have no report; `clcable run --report` writes theirs", path,
            kind->key);
    } else if (!has_report(options)) {
        cab_cli_error("report: expected -o NAME.html, NAME.json or NAME.csv");
    } else {
        return cab_options_agree(options, "report", CAB_OPTION_DEVICES) ? CAB_EXIT_DONE : CAB_EXIT_USAGE;
    }
    return CAB_EXIT_USAGE;
}

/* True when nothing speaks against it: no limit is broken, no error is worth naming. */
static bool tell(const session *s, const cab_options *options)
{
    char text[2000];
    const cab_assessment *a = &s->assessment;
    const cab_report *report = &s->run->report;
    cab_assess_run run = {.status = report->status,
                          .rest = report->rest,
                          .frames = report->frames,
                          .measures = report->measures,
                          .judgement_count = report->judgement_count};
    memcpy(run.judgements, report->judgements, sizeof run.judgements);
    cab_assess_verdict(a, &run, text, sizeof text);
    if (!options->quiet) printf("%s: %s\n", cab_assess_judged(&run), text);
    return !cab_assess_broken(a) && !cab_assess_errors(a, CAB_REQUIREMENT_STRETCH) &&
           !cab_assess_errors(a, CAB_REQUIREMENT_OVERLAP) && !run.judgement_count && !cab_assess_unjudged(a);
}

static int assess(const cab_options *options, const char *path, session *s)
{
    cab_interrupt_install();
    int code;
    if (cab_guard_draws(options, path, &code)) return code;
    cab_output_kind kind = {.endings = ".html .json .csv",
                            .user = s,
                            .open = open_writer,
                            .looks_ahead = looks_ahead,
                            .look_ahead = look_ahead,
                            .frame = frame,
                            .close = close_writer};
    cab_run run = {.options = options,
                   .path = path,
                   .extra = &kind,
                   .forces = true,
                   .drawn = take_drawn,
                   .user = s,
                   .saved = -1};
    s->run = &run;
    code = cab_run_all(&run);
    bool told = s->sorted && (code == CAB_EXIT_DONE || code == CAB_EXIT_INTERRUPTED ||
                              run.status == CAB_ERROR_DIVERGED || cab_run_is_unsettled(&run));
    bool good = !told || tell(s, options);
    if (!good && code == CAB_EXIT_DONE && options->strict) code = CAB_EXIT_LIMIT;
    cab_report_pictures_free(&s->pictures);
    cab_assess_free(&s->assessment);
    cab_run_free(&run);
    return code;
}

static int report_here(const cab_options *options, const char *path)
{
    if (options->compare_with) return cab_cli_report_compare(options, path);
    session *s = &(session){0};
    const cab_study_kind *study;
    if (!cab_cli_study_of(path, &study)) return CAB_EXIT_FAILED;
    int code = check(options, path, study, s);
    if (code == CAB_EXIT_DONE) code = assess(options, path, s);
    cab_limit_table_free(&s->table);
    return code;
}

static int report(const cab_options *options, const char *path)
{
    return cab_together(report_here, options, path);
}

const cab_command cab_cmd_report = {"report",
                                    CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE |
                                        CAB_TAKES_RUN | CAB_TAKES_REPORT,
                                    "a scene, or with --compare a report", report, NULL};
