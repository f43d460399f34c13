/* clcable bench: the benchmark cases, devices side by side. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/cli.h"
#include "model/scene.h"

static const char help[] =
    "usage: clcable bench [CASE...] [options]\n"
    "\n"
    "Times the benchmark cases on every device and in every way it can go, and\n"
    "prints one table: particle-substeps per second, the ratio to the case's first\n"
    "row, stretch and overlap beside it. All cases take minutes; name some.\n"
    "\n"
    "  CASE            such as hang-256; hang or pile stand for all their sizes\n"
    "  --list          the cases\n"
    "  --device D      repeatable; default: all of `clcable devices`\n"
    "  --json [FILE]   as JSON, to standard output without FILE (`-` or ending in .json)\n"
    "  --repeat N      the best of N runs (1)\n"
    "  --threads N     for native\n"
    "  --duration S, --frames N, --substeps N, --iterations N\n"
    "                  override the scene's\n"
    "  --kernels DIR   read kernel sources from DIR\n"
    "  --quiet, --version, --help\n"
    "\n"
    "Scenes are found beside the program or in $CLCABLE_SCENES.\n"
    "\n"
    "example: clcable bench hang-256 pile-256 --device native --device opencl --duration 0.5\n";

enum { DEVICES_MAX = 64 };

typedef struct bench {
    const cab_options *options;
    char folder[PATH_MAX];
    cab_device_info all[DEVICES_MAX];
    const char *devices[DEVICES_MAX];
    int device_count;
    FILE *talk; /* where tables go; NULL = nowhere */
    cab_bench_row *rows;
    int row_count, capacity;
    bool failed;
} bench;

static int list_cases(void)
{
    for (int i = 0; i < cab_bench_case_count; i++) {
        printf("%-10s  %s\n", cab_bench_cases[i].name, cab_bench_cases[i].about);
    }
    return CAB_EXIT_DONE;
}

static bool case_is_wanted(const cab_words *words, const cab_bench_case *item)
{
    for (int i = 0; i < words->count; i++) {
        if (cab_bench_case_matches(item, words->word[i])) return true;
    }
    return words->count == 0;
}

static bool names_are_known(const cab_words *words)
{
    const char *names[32];
    for (int i = 0; i < cab_bench_case_count; i++) names[i] = cab_bench_cases[i].name;
    for (int w = 0; w < words->count; w++) {
        bool known = false;
        for (int i = 0; i < cab_bench_case_count; i++) {
            known |= cab_bench_case_matches(&cab_bench_cases[i], words->word[w]);
        }
        if (known) continue;
        const char *near = cab_nearest(words->word[w], names, cab_bench_case_count);
        cab_cli_error("bench: no case '%s', %s%s%s", words->word[w], near ? "did you mean '" : "see --list",
                      near ? near : "", near ? "'?" : "");
        return false;
    }
    return true;
}

static void choose_devices(bench *b)
{
    const cab_words *words = &b->options->devices;
    b->device_count = words->count < DEVICES_MAX ? words->count : DEVICES_MAX;
    for (int i = 0; i < b->device_count; i++) b->devices[i] = words->word[i];
    if (b->device_count) return;
    int count = cab_devices(b->all, DEVICES_MAX);
    b->device_count = count < DEVICES_MAX ? count : DEVICES_MAX;
    for (int i = 0; i < b->device_count; i++) b->devices[i] = b->all[i].id;
}

static cab_bench_row *new_row(bench *b)
{
    if (b->row_count == b->capacity) {
        int capacity = 2 * b->capacity + 16;
        cab_bench_row *bigger = realloc(b->rows, (size_t)capacity * sizeof *bigger);
        if (!bigger) return NULL;
        b->rows = bigger;
        b->capacity = capacity;
    }
    return &b->rows[b->row_count];
}

/* One line of the table. `base` is the index of the case's first row. */
static void run_one(bench *b, const cab_bench_case *item, const char *device, cab_way way, int base)
{
    cab_error error = {.message = "out of memory"};
    cab_bench_row *row = new_row(b);
    cab_status status =
        row ? cab_bench_measure(item, b->options, b->folder, device, way, row, &error) : CAB_ERROR_MEMORY;
    if (status != CAB_OK) {
        cab_cli_error("bench: %s on %s, %s: %s", item->name, device, cab_cli_way_name(way), error.message);
        b->failed = true;
        return;
    }
    b->row_count++;
    if (b->talk) cab_bench_print_row(b->talk, row, &b->rows[base]);
}

static void run_all(bench *b)
{
    if (b->talk) cab_bench_print_head(b->talk);
    for (int i = 0; i < cab_bench_case_count; i++) {
        const cab_bench_case *item = &cab_bench_cases[i];
        if (!case_is_wanted(&b->options->arguments, item)) continue;
        int base = b->row_count;
        for (int d = 0; d < b->device_count; d++) {
            run_one(b, item, b->devices[d], CAB_WAY_COLOURED, base);
            /* between substeps contact needs all cables: the fused way cannot */
            if (!item->contact) run_one(b, item, b->devices[d], CAB_WAY_FUSED, base);
        }
    }
    if (b->talk && b->row_count) cab_bench_print_stages(b->talk, b->rows, b->row_count);
}

static int run_bench(bench *b)
{
    const cab_options *options = b->options;
    if (!cab_find_scenes(b->folder, sizeof b->folder)) {
        cab_cli_error("bench: the scenes were not found, set CLCABLE_SCENES to their folder");
        return CAB_EXIT_FAILED;
    }
    bool json_alone = options->json && !options->json_file;
    b->talk = options->quiet ? NULL : json_alone ? stderr : stdout;
    choose_devices(b);
    run_all(b);
    cab_error error;
    if (options->json && cab_bench_write_json(b->rows, b->row_count, options->json_file, &error) != CAB_OK) {
        cab_cli_error("%s", error.message);
        b->failed = true;
    }
    return b->failed ? CAB_EXIT_FAILED : CAB_EXIT_DONE;
}

int cab_cmd_bench(int argc, char **argv)
{
    cab_options options;
    int code;
    unsigned takes = CAB_TAKES_BENCH | CAB_TAKES_TIME | CAB_TAKES_DEVICE;
    if (!cab_options_parse(argc, argv, takes, help, &options, &code)) return code;
    code = CAB_EXIT_USAGE;
    if (options.list) {
        code = list_cases();
    } else if (names_are_known(&options.arguments)) {
        bench *b = calloc(1, sizeof *b);
        if (b) b->options = &options;
        code = b ? run_bench(b) : CAB_EXIT_FAILED;
        if (b) free(b->rows);
        free(b);
    }
    cab_options_free(&options);
    return code;
}
