/* Two reports compared, without a run. */
#include "cli/report_compare.h"

#include <stdio.h>

#include "base/path.h"
#include "cli/cli.h"
#include "rules/compare.h"

enum { FORMS = 3 };
static const char *const endings[FORMS] = {".html", ".json", ".csv"};

static int form_of(const char *path)
{
    int form = 0;
    while (form < FORMS && !cab_path_ends(path, endings[form])) form++;
    return form;
}

/* Options of a run mean nothing here, and none is passed over in silence. */
static bool check(const cab_options *o)
{
    const struct {
        bool given;
        const char *word;
    } others[] = {
        {o->limits_set.count > 0, "--limit"},
        {o->limit_table, "--limits"},
        {o->strict, "--strict"},
        {o->settle, "--settle"},
        {o->overrides.count > 0, "--set"},
        {o->method, "--method"},
        {o->devices.count > 0, "--device"},
        {o->threads, "--threads"},
        {o->kernels, "--kernels"},
        {o->frames, "--frames"},
        {o->duration > 0, "--duration"},
        {o->substeps, "--substeps"},
        {o->iterations, "--iterations"},
        {o->report, "--report"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!others[i].given) continue;
        cab_cli_error("report: %s says how to run a scene; with --compare nothing is run", others[i].word);
        return false;
    }
    for (int i = 0; i < o->outputs.count; i++) {
        if (form_of(o->outputs.word[i]) < FORMS) continue;
        cab_cli_error("report: %s: comparisons are written as .html, .json or .csv", o->outputs.word[i]);
        return false;
    }
    return true;
}

static cab_status write_one(const cab_comparison *c, const char *path, cab_error *error)
{
    cab_file file;
    int form = form_of(path);
    cab_status status = cab_file_open(&file, path, error);
    if (status) return status;
    if (form == 0)
        cab_compare_write_html(c, &file);
    else if (form == 1)
        status = cab_compare_write_json(c, &file, error);
    else
        cab_compare_write_csv(c, &file);
    if (!status) status = cab_file_finish(&file, error);
    if (!status) status = cab_file_rename(&file, error);
    cab_file_close(&file);
    return status;
}

int cab_cli_report_compare(const cab_options *options, const char *now_file)
{
    if (!check(options)) return CAB_EXIT_USAGE;
    cab_comparison c;
    cab_error error;
    char said[2000];
    cab_status status = cab_compare(&c, options->compare_with, now_file, &error);
    bool bad_input = status == CAB_ERROR_IO || status == CAB_ERROR_INPUT;
    for (int i = 0; i < options->outputs.count && !status; i++)
        status = write_one(&c, options->outputs.word[i], &error);
    int code = CAB_EXIT_DONE;
    if (status) {
        cab_cli_error("%s", error.message);
        code = bad_input ? CAB_EXIT_USAGE : cab_cli_exit_code(status);
    } else {
        cab_compare_say(&c, said, sizeof said);
        if (!options->quiet) printf("%s\n", said);
        code = cab_compare_is_good(&c) ? CAB_EXIT_DONE : CAB_EXIT_FAILED;
    }
    cab_compare_free(&c);
    return code;
}
