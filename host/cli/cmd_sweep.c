/* clcable sweep: many variants of a scene at once. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "cli/envelope.h"
#include "cli/interrupt.h"
#include "cli/sweep.h"
#include "io/file.h"
#include "study/study.h"

#define BATCH_SIZE 4096

/* Before anything is run: can what is asked for be written? What killed runs have left is for the first of several processes to remove:
 * none knows which processes live on another machine. */
static int check_files(const cab_options *options)
{
    cab_error fault;
    cab_status status = cab_ranks_here().rank == 0 ? cab_cli_check_outputs(options, &fault) : CAB_OK;
    if (!status) status = cab_cli_check_envelope(options, &fault);
    if (status) {
        cab_cli_error("%s", fault.message);
        return cab_cli_exit_code(status);
    }
    for (int i = 0; i <= options->outputs.count; i++) {
        bool table = i < options->outputs.count;
        const char *path = table ? options->outputs.word[i] : options->report;
        cab_file file;
        cab_error error;
        if (!path) continue;
        if (table && !cab_path_ends(path, ".csv")) {
            cab_cli_error("%s: a sweep's table is written as .csv", path);
            return CAB_EXIT_USAGE;
        }
        if (cab_file_open(&file, path, &error)) {
            cab_cli_error("%s", error.message);
            return CAB_EXIT_FAILED;
        }
        cab_file_close(&file);
    }
    return CAB_EXIT_DONE;
}

static bool tell_unsettled(const cab_sweep *sweep)
{
    int first = -1, count = 0;
    for (int i = 0; i < sweep->plan.variant_count; i++) {
        if (sweep->variants[i].status != CAB_VARIANT_UNSETTLED) continue;
        if (count++ == 0) first = i;
    }
    if (count)
        cab_cli_error("%s: %d of %d variants came to no rest, the first is variant %d", sweep->path, count,
                      sweep->plan.variant_count, first);
    return count > 0;
}

/* --envelope: of what there is, also after Ctrl-C. */
static int write_envelope(cab_sweep *sweep)
{
    cab_error error;
    if (!sweep->options->envelope) return CAB_EXIT_DONE;
    sweep->told.of_sweep = true;
    cab_status status = cab_cli_write_envelope(sweep->options, &sweep->envelope, &sweep->told, &error);
    if (status) cab_cli_error("%s", error.message);
    return cab_cli_exit_code(status);
}

/* The table, the report and the volume, and a summary. */
static int write_all(cab_sweep *sweep)
{
    int code = write_envelope(sweep);
    if (!sweep->options->quiet) cab_sweep_print(sweep);
    if (!sweep->options->quiet) cab_best_print(sweep);
    int written = cab_sweep_write(sweep);
    return code == CAB_EXIT_DONE ? written : code;
}

/* Of several processes that mpirun has started the first one whose turn it is writes for all. */
static int finish(cab_sweep *sweep)
{
    if (sweep->folder && !cab_queue_turn(&sweep->queue))
        return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
    cab_sweep_tell_warnings(sweep);
    if (sweep->interrupted)
        cab_cli_error("interrupted: the variants whose world was not done are \"not run\"");
    int code = write_all(sweep);
    if (sweep->folder && code == CAB_EXIT_DONE && !sweep->interrupted) cab_queue_written(&sweep->queue);
    if (code == CAB_EXIT_DONE && sweep->interrupted) return CAB_EXIT_INTERRUPTED;
    return tell_unsettled(sweep) && code == CAB_EXIT_DONE ? CAB_EXIT_FAILED : code;
}

/* Do several processes share it, and where? */
static int find_folder(cab_sweep *sweep)
{
    const cab_options *o = sweep->options;
    cab_error error;
    const char *beside = o->outputs.count ? o->outputs.word[0] : o->report;
    cab_status status = cab_queue_folder(o->share, beside, "sweep", &sweep->folder, &error);
    if (!status && sweep->folder && o->envelope)
        status = cab_fail(&error, CAB_ERROR_UNSUPPORTED,
                          "sweep: --envelope expects one process: volumes are not put together from several");
    if (status) cab_cli_error("%s", error.message);
    return cab_cli_exit_code(status);
}

static int run_plan(cab_sweep *sweep)
{
    sweep->variants = calloc((size_t)sweep->plan.variant_count + 1, sizeof *sweep->variants);
    if (!sweep->variants) {
        cab_cli_error("sweep: out of memory");
        return CAB_EXIT_FAILED;
    }
    int code = find_folder(sweep);
    if (code == CAB_EXIT_DONE) code = check_files(sweep->options);
    if (code == CAB_EXIT_DONE) code = sweep->best.asked ? cab_sweep_seek(sweep) : cab_sweep_run(sweep);
    return code == CAB_EXIT_DONE ? finish(sweep) : code;
}

/* "forces,cables" */
static bool read_columns(const char *text, unsigned *columns)
{
    static const char *const words[] = {"forces", "clearances", "cables", "torque"};
    enum { WORDS = sizeof words / sizeof words[0] };
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        int i = 0;
        while (i < WORDS && (strlen(words[i]) != length || strncmp(at, words[i], length) != 0)) i++;
        if (i == WORDS) {
            cab_cli_error("sweep: --columns: expected forces, clearances, cables or torque, or several with "
                          "commas between, got '%s'",
                          text);
            return false;
        }
        *columns |= 1u << i;
    }
    return true;
}

static void free_results(cab_sweep *sweep)
{
    for (int i = 0; i < sweep->plan.variant_count && sweep->variants; i++) free(sweep->variants[i].cables);
    for (int i = 0; i < sweep->name_count; i++) free(sweep->names[i]);
    CAB_FREE(sweep->names, sweep->variants, sweep->folder);
    cab_sweep_forget_warnings(sweep);
    cab_queue_close(&sweep->queue);
    cab_envelope_free(&sweep->envelope);
}

static int sweep(const cab_options *options, const char *path)
{
    int code = CAB_EXIT_USAGE;
    cab_sweep sweep = {.options = options,
                       .path = path,
                       .queue = {.file = -1},
                       .batch_size = options->batch ? (int)options->batch : BATCH_SIZE,
                       .envelope = cab_envelope_of(options->envelope_cell)};
    cab_draw_rule rule = {.random = options->random,
                          .seed = options->seed ? options->seed : 1,
                          .latin = options->latin,
                          .seeks = options->best != NULL};
    const cab_study_kind *kind;
    if (!cab_cli_study_of(path, &kind))
        code = CAB_EXIT_FAILED;
    else if (kind)
        cab_cli_error("sweep: %s: scenes of cables can be varied, not those with the key \"%s\"", path,
                      kind->key);
    else if (!options->random && (options->latin || options->seed))
        cab_cli_error("sweep: --latin and --seed expect --random N, too");
    else if (options->random && options->best)
        cab_cli_error("sweep: --best and --random exclude each other");
    else if (read_columns(options->columns, &sweep.columns) &&
             cab_best_read(options->best, &sweep.best, &sweep.columns) &&
             cab_plan_make(&options->varied, &rule, &sweep.plan)) {
        cab_interrupt_install();
        code = run_plan(&sweep);
    } else if (sweep.plan.lost)
        code = CAB_EXIT_FAILED;
    free_results(&sweep);
    cab_plan_free(&sweep.plan);
    return code;
}

const cab_command cab_cmd_sweep = {"sweep",
                                   CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE |
                                       CAB_TAKES_SWEEP | CAB_TAKES_ENVELOPE,
                                   "a scene", sweep, NULL};
