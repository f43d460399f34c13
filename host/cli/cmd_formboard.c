/* clcable formboard: a wire harness laid flat at true lengths, and what it is made of as lists. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"
#include "board/board.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "io/file.h"
#include "io/inputs.h"
#include "io/kbl/convert.h"
#include "io/read_file.h"

#define MOST_ALLOWANCE 10000.0 /* mm */

/* What is written, by the ends of names. */
typedef enum kind { SVG, DXF, PDF, CUT_LIST, PARTS, KINDS } kind;
static const char *const endings[KINDS] = {".svg", ".dxf", ".pdf", "-cut-list.csv", "-parts.csv"};

typedef struct board_job {
    const cab_paper *paper;
    double allowance; /* mm */
    char **paths;     /* what to write */
    kind *kinds;
    int count;
    const char **made; /* folders that were not there */
    int made_count;
    cab_board board;
    cab_tiling tiling;
} board_job;

/* ---- what is asked for ---- */

static bool read_allowance(const char *text, double *value)
{
    char *end;
    if (!text) return true;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0 && *value <= MOST_ALLOWANCE) return true;
    cab_cli_error("formboard: --allowance: expected millimetres from 0 to %.0f, got '%.60s'", MOST_ALLOWANCE,
                  text);
    return false;
}

static bool read_options(const cab_options *options, board_job *job)
{
    job->paper = cab_paper_of(options->paper ? options->paper : "a4");
    if (!job->paper) {
        cab_cli_error("formboard: --paper: expected %s, got '%.60s'", cab_paper_list, options->paper);
        return false;
    }
    return read_allowance(options->allowance, &job->allowance) && cab_options_agree(options, "formboard", 1);
}

static cab_status add_path(board_job *job, char *path, kind what, cab_error *error)
{
    cab_status status =
        path ? CAB_RESIZE(job->paths, job->count + 1, error) : cab_fail_memory(error, "a file name", 64);
    if (!status) status = CAB_RESIZE(job->kinds, job->count + 1, error);
    if (status) {
        free(path);
        return status;
    }
    job->paths[job->count] = path;
    job->kinds[job->count++] = what;
    return CAB_OK;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* All kinds, called as the harness is, in a folder. */
static cab_status add_folder(board_job *job, const char *folder, const char *harness, cab_error *error)
{
    char stem[256];
    cab_path_stem(harness, stem, sizeof stem);
    cab_status status = CAB_OK;
    if (!is_folder(folder)) {
        status = CAB_RESIZE(job->made, job->made_count + 1, error);
        if (!status && mkdir(folder, 0777) != 0)
            return cab_fail(error, CAB_ERROR_IO, "%s: cannot make this folder: %s", folder, strerror(errno));
        if (!status) job->made[job->made_count++] = folder;
    }
    for (int k = 0; k < KINDS && !status; k++) {
        size_t size = strlen(folder) + sizeof stem + 32;
        char *path = malloc(size);
        bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
        if (path) snprintf(path, size, "%s%s%s%s", folder, slash ? "" : "/", stem, endings[k]);
        status = add_path(job, path, (kind)k, error);
    }
    return status;
}

static cab_status add_output(board_job *job, const char *out, const char *harness, cab_error *error)
{
    size_t length = strlen(out);
    if ((length && out[length - 1] == '/') || is_folder(out)) return add_folder(job, out, harness, error);
    for (int k = 0; k < KINDS; k++)
        if (cab_path_ends(out, endings[k])) return add_path(job, strdup(out), (kind)k, error);
    return cab_fail(error, CAB_ERROR_INPUT,
                    "formboard: -o %s: expected a folder (FOLDER/), or a name that ends in .svg, .dxf, .pdf, "
                    "-cut-list.csv or -parts.csv",
                    out);
}

/* ---- writing ---- */

static void write_one(cab_file *file, const board_job *job, kind what)
{
    cab_board_list list = {&job->board, job->allowance};
    switch (what) {
    case SVG:
        cab_write_svg(file, &job->board.drawing);
        break;
    case DXF:
        cab_write_dxf(file, &job->board.drawing);
        break;
    case PDF:
        cab_write_pdf(file, &job->board.drawing, job->paper);
        break;
    case CUT_LIST:
        cab_write_cut_list(file, &list);
        break;
    default:
        cab_write_parts(file, &list);
    }
}

/* All are whole before the first gets its name. */
static cab_status write_all(const board_job *job, cab_error *error)
{
    cab_file *files = NULL;
    int opened = 0;
    cab_status status = cab_inputs_check_twice((const char *const *)job->paths, job->count, error);
    if (!status) status = CAB_NEW(files, job->count, error);
    for (; opened < job->count && !status;) {
        cab_file_clean(job->paths[opened]);
        status = cab_file_open(&files[opened], job->paths[opened], error);
        if (status) break;
        write_one(&files[opened], job, job->kinds[opened]);
        status = cab_file_finish(&files[opened++], error);
    }
    for (int i = 0; i < opened && !status; i++) status = cab_file_rename(&files[i], error);
    for (int i = 0; i < opened; i++) cab_file_close(&files[i]);
    free(files);
    return status;
}

/* ---- the command ---- */

static bool writes(const board_job *job, kind what)
{
    for (int i = 0; i < job->count; i++)
        if (job->kinds[i] == what) return true;
    return false;
}

static void tell(const cab_options *options, const board_job *job, const char *file)
{
    const cab_board *board = &job->board;
    size_t notes = json_array_size(board->kbl.notes);
    for (size_t i = 0; i < notes && !options->quiet; i++)
        if (options->verbose) cab_cli_warning(json_string_value(json_array_get(board->kbl.notes, i)));
    if (notes && !options->quiet && !options->verbose) {
        char text[600];
        snprintf(text, sizeof text,
                 "%.400s: %zu thing%s missing or contradictory, something was assumed; --verbose lists them",
                 file, notes, notes == 1 ? " was" : "s were");
        cab_cli_warning(text);
    }
    if (options->quiet) return;
    printf("%s: %.0f x %.0f mm, %d segments, %d wires, %d crossing%s", file, board->drawing.width,
           board->drawing.height, board->layout.edge_count, board->kbl.wire_count, board->layout.crossings,
           board->layout.crossings == 1 ? "" : "s");
    if (board->layout.cuts) printf(", %d loop%s cut", board->layout.cuts, board->layout.cuts == 1 ? "" : "s");
    if (writes(job, PDF))
        printf(", %d page%s of %s", job->tiling.pages, job->tiling.pages == 1 ? "" : "s",
               job->paper->width > 0 ? job->paper->name : "its own size");
    if (writes(job, PDF) && job->tiling.empty) printf(" (%d empty ones left out)", job->tiling.empty);
    printf(", wrote");
    for (int i = 0; i < job->count; i++) printf(" %s", job->paths[i]);
    printf("\n");
}

static cab_status read_harness(board_job *job, const char *file, cab_error *error)
{
    char *text = NULL;
    size_t size;
    if (!cab_kbl_is(file))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: a board is made of a wire harness; expected a name that ends in .kbl or .vec",
                        file);
    cab_status status = cab_read_file(file, &text, &size, error);
    if (status == CAB_ERROR_IO)
        status = CAB_ERROR_INPUT; /* what cannot be read is bad input, whatever the reason */
    if (!status) status = cab_board_make(&job->board, file, text, size, error);
    free(text);
    return status;
}

static cab_status run(const cab_options *options, board_job *job, const char *file, cab_error *error)
{
    cab_status status = read_harness(job, file, error);
    for (int i = 0; i < options->outputs.count && !status; i++)
        status = add_output(job, options->outputs.word[i], file, error);
    if (!status && writes(job, PDF)) status = cab_tile(&job->board.drawing, job->paper, &job->tiling, error);
    if (!status) status = write_all(job, error);
    /* a folder without anything in it helps nobody; one with something stays */
    for (int i = job->made_count - 1; i >= 0 && status; i--) rmdir(job->made[i]);
    return status;
}

static int formboard(const cab_options *options, const char *file)
{
    board_job job = {.count = 0};
    cab_error error;
    if (!read_options(options, &job)) return CAB_EXIT_USAGE;
    if (!options->outputs.count) {
        cab_cli_error("formboard: expected -o FOLDER/ or -o FILE, see 'clcable formboard --help'");
        return CAB_EXIT_USAGE;
    }
    cab_status status = run(options, &job, file, &error);
    if (status)
        cab_cli_error("%s", error.message);
    else
        tell(options, &job, file);
    for (int i = 0; i < job.count; i++) free(job.paths[i]);
    CAB_FREE(job.paths, job.kinds, job.made);
    cab_board_free(&job.board);
    return cab_cli_exit_code(status);
}

const cab_command cab_cmd_formboard = {"formboard", CAB_TAKES_BOARD | CAB_TAKES_CHECK, "a wire harness",
                                       formboard, NULL};
