/* clcable bench: the benchmark cases, devices and methods side by side. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "model/scene.h"

static bool case_is_wanted(const cab_word_list *words, const cab_bench_case *item)
{
    for (int i = 0; i < words->count; i++)
        if (cab_bench_case_matches(item, words->word[i])) return true;
    return false;
}

static bool refuse(const char *what, const char *word, const char *const *names, int count,
                   const char *otherwise)
{
    const char *near = cab_nearest(word, names, count);
    cab_cli_error("bench: no %s '%s'%s%s%s", what, word, near ? ", did you mean '" : otherwise,
                  near ? near : "", near ? "'?" : "");
    return false;
}

static bool cases_are_known(const cab_word_list *words)
{
    const char *names[32];
    for (int i = 0; i < cab_bench_case_count; i++) names[i] = cab_bench_cases[i].name;
    for (int w = 0; w < words->count; w++) {
        bool known = false;
        for (int i = 0; i < cab_bench_case_count; i++)
            known |= cab_bench_case_matches(&cab_bench_cases[i], words->word[w]);
        if (!known) return refuse("case", words->word[w], names, cab_bench_case_count, ", see --list");
    }
    return true;
}

static bool methods_are_known(const cab_word_list *words)
{
    const char *names[CAB_METHOD_COUNT];
    for (int i = 0; i < CAB_METHOD_COUNT; i++) names[i] = cab_method_name((cab_method)i);
    for (int w = 0; w < words->count; w++)
        if (cab_method_find(words->word[w]) < 0)
            return refuse("method", words->word[w], names, CAB_METHOD_COUNT, "");
    return true;
}

static bool scales_are_known(const cab_options *options)
{
    for (int w = 0; w < options->scales.count; w++) {
        const char *word = options->scales.word[w];
        cab_bench_kind kind;
        int last;
        if (!cab_bench_scale_read(word, &kind, &last)) {
            cab_cli_error("bench: --scale: expected cables, segments or substeps, or one of them with an end "
                          "within its range such as cables=1024, got '%s'",
                          word);
            return false;
        }
        if (kind == CAB_BENCH_SCALE_SUBSTEPS && options->substeps) {
            cab_cli_error("bench: --scale substeps and --substeps exclude each other");
            return false;
        }
    }
    if (options->shootout && options->substeps) {
        cab_cli_error("bench: --shootout and --substeps exclude each other");
        return false;
    }
    return true;
}

static void choose_devices(cab_bench *b)
{
    const cab_word_list *words = &b->options->devices;
    b->device_count = words->count < CAB_BENCH_DEVICES_MAX ? words->count : CAB_BENCH_DEVICES_MAX;
    for (int i = 0; i < b->device_count; i++) b->devices[i] = words->word[i];
    if (b->device_count) return;
    int count = cab_devices(b->all, CAB_BENCH_DEVICES_MAX);
    b->device_count = count < CAB_BENCH_DEVICES_MAX ? count : CAB_BENCH_DEVICES_MAX;
    for (int i = 0; i < b->device_count; i++) b->devices[i] = b->all[i].id;
}

/* Those named, else all: what is not built drops out when it is tried. */
static void choose_methods(cab_bench *b)
{
    const cab_word_list *words = &b->options->methods;
    for (int i = 0; i < words->count; i++) {
        cab_method method = (cab_method)cab_method_find(words->word[i]);
        bool twice = false;
        for (int k = 0; k < b->method_count; k++) twice |= b->methods[k] == method;
        if (!twice) b->methods[b->method_count++] = method;
    }
    if (words->count) return;
    for (int i = 0; i < CAB_METHOD_COUNT; i++) b->methods[b->method_count++] = (cab_method)i;
}

/* A device that cannot be had drops out. */
static void measure_limits(cab_bench *b)
{
    int kept = 0;
    for (int i = 0; i < b->device_count; i++) {
        cab_error error;
        cab_world_def def = cab_bench_def(b->options, b->devices[i]);
        b->devices[kept] = b->devices[i];
        if (cab_bench_limits_measure(&def, &b->limits[kept], &error) == CAB_OK) {
            kept++;
        } else {
            cab_cli_error("bench: %s", error.message);
            b->code = cab_cli_exit_code(error.status);
        }
    }
    b->device_count = kept;
}

static void run_cases(cab_bench *b)
{
    const cab_options *o = b->options;
    bool all = o->arguments.count == 0;
    if (all && (o->scales.count || o->shootout)) return;
    if (b->talk) cab_bench_print_head(b->talk, CAB_BENCH_CASE);
    for (int i = 0; i < cab_bench_case_count; i++) {
        const cab_bench_case *item = &cab_bench_cases[i];
        if (!all && !case_is_wanted(&o->arguments, item)) continue;
        int base = b->row_count;
        for (int d = 0; d < b->device_count; d++) cab_bench_run_item(b, CAB_BENCH_CASE, item, d, base);
    }
    if (b->talk) cab_bench_print_floor(b->talk, b->rows, b->row_count);
    if (b->talk) cab_bench_print_stages(b->talk, b->rows, b->row_count);
}

static void run_all(cab_bench *b)
{
    const cab_options *o = b->options;
    run_cases(b);
    for (int i = 0; i < o->scales.count; i++) {
        cab_bench_kind kind;
        int last;
        if (cab_bench_scale_read(o->scales.word[i], &kind, &last)) cab_bench_scale(b, kind, last);
    }
    if (o->shootout) cab_bench_shootout(b);
}

static void write_files(cab_bench *b)
{
    const cab_options *o = b->options;
    cab_error error;
    cab_status json = o->json ? cab_bench_write_json(b, o->json_file, &error) : CAB_OK;
    if (json) cab_cli_error("%s", error.message);
    cab_status csv = o->csv_file ? cab_bench_write_csv(b, o->csv_file, &error) : CAB_OK;
    if (csv) cab_cli_error("%s", error.message);
    if (json || csv) b->code = CAB_EXIT_FAILED;
}

static void run_bench(cab_bench *b)
{
    const cab_options *options = b->options;
    if (!cab_find_scenes(b->folder, sizeof b->folder)) {
        cab_cli_error("bench: the scenes were not found, set CLCABLE_SCENES to their folder");
        b->code = CAB_EXIT_FAILED;
        return;
    }
    bool json_alone = options->json && !options->json_file;
    b->talk = options->quiet ? NULL : json_alone ? stderr : stdout;
    choose_devices(b);
    choose_methods(b);
    measure_limits(b);
    if (b->talk && b->device_count) {
        cab_bench_print_machine(b->talk);
        cab_bench_print_limits(b->talk, b->limits, b->device_count);
    }
    if (b->device_count && !options->limits) run_all(b);
    write_files(b);
}

static int bench(const cab_options *options, const char *argument)
{
    const cab_word_list *words = &options->arguments;
    (void)argument;
    for (int i = 0; i < cab_bench_case_count && options->list; i++)
        printf("%-10s  %s\n", cab_bench_cases[i].name, cab_bench_cases[i].about);
    if (options->list) return CAB_EXIT_DONE;
    if (words->count && strcmp(words->word[0], "planar") == 0) return cab_bench_planar(options);
    if (words->count && cab_bench_is_chain(words->word[0], NULL)) return cab_bench_chain(options);
    if (!cases_are_known(words) || !methods_are_known(&options->methods) || !scales_are_known(options))
        return CAB_EXIT_USAGE;
    cab_bench *b = calloc(1, sizeof *b);
    if (!b) return CAB_EXIT_FAILED;
    b->options = options;
    run_bench(b);
    int code = b->code;
    CAB_FREE(b->rows, b);
    return code;
}

const cab_command cab_cmd_bench = {"bench", CAB_TAKES_BENCH | CAB_TAKES_TIME | CAB_TAKES_DEVICE, NULL, bench,
                                   NULL};
