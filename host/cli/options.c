#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/notes.h"
#include "io/kbl/convert.h"
#include "model/scene.h"

enum { TAKES_ANY = ~0u, OPTION_MAX = 48, NAME_SIZE = 64 };

/* An option: its word, its letter (or any number above 255), what takes it. */
typedef struct option_row {
    const char *name;
    int key;
    int argument; /* no_argument, required_argument */
    unsigned takes;
} option_row;

enum {
    KEY_REPORT = 256,
    KEY_DEVICE,
    KEY_THREADS,
    KEY_KERNELS,
    KEY_METHOD,
    KEY_FRAMES,
    KEY_DURATION,
    KEY_SUBSTEPS,
    KEY_ITERATIONS,
    KEY_SET,
    KEY_SETTLE,
    KEY_JSON,
    KEY_LIST,
    KEY_REPEAT,
    KEY_LIMITS,
    KEY_SCALE,
    KEY_SHOOTOUT,
    KEY_CSV,
    KEY_CHECKPOINT,
    KEY_CHECKPOINT_EVERY,
    KEY_RESUME,
    KEY_PICTURE,
    KEY_CONVERT,
    KEY_LIMIT,
    KEY_STRICT,
    KEY_INTEROP,
    KEY_PAUSED,
    KEY_PICTURES,
    KEY_SCREENSHOT,
    KEY_VARY,
    KEY_RANDOM,
    KEY_LATIN,
    KEY_SEED,
    KEY_BATCH,
    KEY_VERSION
};

static const option_row rows[] = {
    {"out", 'o', required_argument, CAB_TAKES_OUTPUT | CAB_TAKES_STUDY},
    {"report", KEY_REPORT, required_argument, CAB_TAKES_OUTPUT},
    {"device", KEY_DEVICE, required_argument, CAB_TAKES_DEVICE},
    {"threads", KEY_THREADS, required_argument, CAB_TAKES_DEVICE},
    {"kernels", KEY_KERNELS, required_argument, CAB_TAKES_DEVICE},
    {"method", KEY_METHOD, required_argument, CAB_TAKES_SCENE | CAB_TAKES_BENCH},
    {"frames", KEY_FRAMES, required_argument, CAB_TAKES_TIME},
    {"duration", KEY_DURATION, required_argument, CAB_TAKES_TIME},
    {"substeps", KEY_SUBSTEPS, required_argument, CAB_TAKES_TIME | CAB_TAKES_VIEW},
    {"iterations", KEY_ITERATIONS, required_argument, CAB_TAKES_TIME | CAB_TAKES_VIEW},
    {"set", KEY_SET, required_argument, CAB_TAKES_SCENE | CAB_TAKES_STUDY},
    {"checkpoint", KEY_CHECKPOINT, required_argument, CAB_TAKES_STATE},
    {"checkpoint-every", KEY_CHECKPOINT_EVERY, required_argument, CAB_TAKES_STATE},
    {"resume", KEY_RESUME, required_argument, CAB_TAKES_STATE},
    {"settle", KEY_SETTLE, no_argument, CAB_TAKES_RUN},
    {"verbose", 'v', no_argument, CAB_TAKES_RUN | CAB_TAKES_VIEW | CAB_TAKES_CONVERT | CAB_TAKES_CHECK},
    {"json", KEY_JSON, no_argument, CAB_TAKES_JSON},
    {"json", KEY_JSON, optional_argument, CAB_TAKES_BENCH},
    {"list", KEY_LIST, no_argument, CAB_TAKES_BENCH},
    {"limits", KEY_LIMITS, no_argument, CAB_TAKES_BENCH},
    {"scale", KEY_SCALE, required_argument, CAB_TAKES_BENCH},
    {"shootout", KEY_SHOOTOUT, no_argument, CAB_TAKES_BENCH},
    {"csv", KEY_CSV, required_argument, CAB_TAKES_BENCH},
    {"repeat", KEY_REPEAT, required_argument, CAB_TAKES_BENCH},
    {"size", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"view", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"camera", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE},
    {"target", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE},
    {"fov", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"zoom", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE},
    {"fit", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE},
    {"orthographic", KEY_PICTURE, no_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"colour", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"range", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"background", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"legend", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE},
    {"grid", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"marks", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"quality", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"every", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE},
    {"compare", KEY_PICTURE, required_argument, CAB_TAKES_PICTURE | CAB_TAKES_VIEW},
    {"as", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"resolution", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"length-tolerance", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"gap", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"bond", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"play", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"friction", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"grip", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"holding-force", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"pull-out-force", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"tie-distance", KEY_CONVERT, required_argument, CAB_TAKES_CONVERT},
    {"limit", KEY_LIMIT, required_argument, CAB_TAKES_REPORT},
    {"strict", KEY_STRICT, no_argument, CAB_TAKES_REPORT},
    {"interop", KEY_INTEROP, required_argument, CAB_TAKES_VIEW},
    {"paused", KEY_PAUSED, no_argument, CAB_TAKES_VIEW},
    {"pictures", KEY_PICTURES, required_argument, CAB_TAKES_VIEW},
    {"screenshot", KEY_SCREENSHOT, required_argument, CAB_TAKES_VIEW},
    {"vary", KEY_VARY, required_argument, CAB_TAKES_SWEEP},
    {"random", KEY_RANDOM, required_argument, CAB_TAKES_SWEEP},
    {"latin", KEY_LATIN, no_argument, CAB_TAKES_SWEEP},
    {"seed", KEY_SEED, required_argument, CAB_TAKES_SWEEP},
    {"batch", KEY_BATCH, required_argument, CAB_TAKES_SWEEP},
    {"quiet", 'q', no_argument, TAKES_ANY},
    {"help", 'h', no_argument, TAKES_ANY},
    {"version", KEY_VERSION, no_argument, TAKES_ANY},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* getopt's table for one sub-command. */
static int collect(unsigned takes, struct option *table)
{
    int count = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (!(rows[i].takes & takes)) continue;
        table[count++] = (struct option){rows[i].name, rows[i].argument, NULL, rows[i].key};
    }
    table[count] = (struct option){0};
    return count;
}

static void letters(const struct option *table, int count, char *text)
{
    *text++ = ':';
    for (int i = 0; i < count; i++) {
        if (table[i].val > UCHAR_MAX) continue;
        *text++ = (char)table[i].val;
        if (table[i].has_arg == required_argument) *text++ = ':';
    }
    *text = 0;
}

static bool add_word(cab_word_list *words, const char *word)
{
    if (CAB_RESIZE(words->word, words->count + 1, NULL) != CAB_OK) {
        cab_cli_error("out of memory");
        return false;
    }
    words->word[words->count++] = word;
    return true;
}

static bool read_integer(const char *name, const char *text, long most, long *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < 1 || number > most) {
        cab_cli_error("--%s: expected an integer from 1 to %ld, got '%s'", name, most, text);
        return false;
    }
    *value = number;
    return true;
}

static bool read_seconds(const char *name, const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || number <= 0) {
        cab_cli_error("--%s: expected seconds above 0, got '%s'", name, text);
        return false;
    }
    *value = number;
    return true;
}

static bool read_override(cab_word_list *overrides, const char *text)
{
    if (text[0] != '/' || !strchr(text, '=')) {
        cab_cli_error("--set: expected POINTER=VALUE such as /time/substeps=40, got '%s'", text);
        return false;
    }
    return add_word(overrides, text);
}

/* Options with a value. */
static bool take_value(cab_options *o, int key, const char *text)
{
    switch (key) {
    case 'o':
        return add_word(&o->outputs, text);
    case KEY_REPORT:
        o->report = text;
        return true;
    case KEY_DEVICE:
        return add_word(&o->devices, text);
    case KEY_THREADS:
        return read_integer("threads", text, 1024, &o->threads);
    case KEY_KERNELS:
        o->kernels = text;
        return true;
    case KEY_METHOD:
        o->method = text;
        return add_word(&o->methods, text);
    case KEY_SCALE:
        return add_word(&o->scales, text);
    case KEY_CSV:
        o->csv_file = text;
        return true;
    case KEY_CHECKPOINT:
        o->checkpoint = text;
        return true;
    case KEY_CHECKPOINT_EVERY:
        return read_integer("checkpoint-every", text, INT_MAX, &o->checkpoint_every);
    case KEY_RESUME:
        o->resume = text;
        return true;
    case KEY_FRAMES:
        return read_integer("frames", text, INT_MAX, &o->frames);
    case KEY_DURATION:
        return read_seconds("duration", text, &o->duration);
    case KEY_SUBSTEPS:
        return read_integer("substeps", text, 100000, &o->substeps);
    case KEY_ITERATIONS:
        return read_integer("iterations", text, 10000, &o->iterations);
    case KEY_SET:
        return read_override(&o->overrides, text);
    case KEY_LIMIT:
        return add_word(&o->limits_set, text);
    case KEY_INTEROP:
        o->interop = text;
        return true;
    case KEY_PICTURES:
        return read_integer("pictures", text, 1000000, &o->pictures);
    case KEY_SCREENSHOT:
        o->screenshot = text;
        return true;
    case KEY_VARY:
        return add_word(&o->varied, text);
    case KEY_RANDOM:
        return read_integer("random", text, 1000000, &o->random);
    case KEY_SEED:
        return read_integer("seed", text, INT_MAX, &o->seed);
    case KEY_BATCH:
        return read_integer("batch", text, 1000000, &o->batch);
    case KEY_REPEAT:
        return read_integer("repeat", text, 1000, &o->repeat);
    default:
        return false;
    }
}

static bool take_pair(cab_word_list *words, const char *name, const char *text)
{
    return add_word(words, name) && add_word(words, text ? text : "");
}

/* Options without one. */
static void take_flag(cab_options *o, int key)
{
    switch (key) {
    case KEY_SETTLE:
        o->settle = true;
        break;
    case KEY_STRICT:
        o->strict = true;
        break;
    case KEY_LATIN:
        o->latin = true;
        break;
    case KEY_PAUSED:
        o->paused = true;
        break;
    case KEY_LIST:
        o->list = true;
        break;
    case KEY_LIMITS:
        o->limits = true;
        break;
    case KEY_SHOOTOUT:
        o->shootout = true;
        break;
    case KEY_JSON:
        o->json = true;
        break;
    case 'v':
        o->verbose = true;
        break;
    case 'q':
        o->quiet = true;
        break;
    default:
        break;
    }
}

/* `--json`, `--json=FILE` and, as a file's name cannot be a case, `--json FILE.json` and `--json -`. */
static void take_json_file(cab_options *o, int argc, char **argv)
{
    const char *file = optarg;
    if (!file && optind < argc) {
        const char *next = argv[optind];
        size_t length = strlen(next);
        bool is_file = strcmp(next, "-") == 0 || (length > 5 && strcmp(next + length - 5, ".json") == 0);
        if (is_file) file = argv[optind++];
    }
    o->json = true;
    o->json_file = file && strcmp(file, "-") != 0 ? file : NULL;
}

static void complain_unknown(const char *command, const char *word, const struct option *table, int count)
{
    const char *names[OPTION_MAX];
    for (int i = 0; i < count; i++) names[i] = table[i].name;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = strncmp(name, "--", 2) == 0 ? cab_nearest(name + 2, names, count) : NULL;
    if (near) {
        cab_cli_error("%s: unknown option '%s', did you mean '--%s'?", command, name, near);
    } else {
        cab_cli_error("%s: unknown option '%s', see 'clcable %s --help'", command, name, command);
    }
}

/* What getopt found fault with: a long option is the word before optind, a letter stands in optopt. */
static void complain(int key, char **argv, const struct option *table, int count)
{
    const char *word = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, 0};
    if (optopt && optopt <= UCHAR_MAX) word = letter;
    const struct option *known = NULL;
    for (int i = 0; i < count && optopt; i++) {
        if (table[i].val == optopt) known = &table[i];
    }
    if (key == ':') {
        cab_cli_error("%s: option '%s' expects a value", argv[0], word);
    } else if (known) {
        cab_cli_error("%s: option '--%s' takes no value", argv[0], known->name);
    } else {
        complain_unknown(argv[0], word, table, count);
    }
}

static bool parse_all(int argc, char **argv, const struct option *table, int count, const char *help,
                      cab_options *options, int *code)
{
    char text[2 * OPTION_MAX];
    letters(table, count, text);
    opterr = 0;
    optind = 1;
    for (int key, row; (key = getopt_long(argc, argv, text, table, &row)) != -1;) {
        if (key == '?' || key == ':') {
            complain(key, argv, table, count);
            return false;
        }
        if (key == 'h' || key == KEY_VERSION) {
            if (key == 'h') fputs(help, stdout);
            if (key == KEY_VERSION) printf("clcable %s\n", cab_version());
            *code = CAB_EXIT_DONE;
            return false;
        }
        if (key == KEY_JSON && strcmp(argv[0], "bench") == 0) {
            take_json_file(options, argc, argv);
        } else if (key == KEY_PICTURE) {
            if (!take_pair(&options->picture, table[row].name, optarg)) return false;
        } else if (key == KEY_CONVERT) {
            if (!take_pair(&options->convert, table[row].name, optarg)) return false;
        } else if (!optarg) {
            take_flag(options, key);
        } else if (!take_value(options, key, optarg)) {
            return false;
        }
    }
    for (int i = optind; i < argc; i++) {
        if (!add_word(&options->arguments, argv[i])) return false;
    }
    return true;
}

bool cab_options_parse(int argc, char **argv, unsigned takes, const char *help, cab_options *options,
                       int *code)
{
    struct option table[OPTION_MAX];
    int count = collect(takes, table);
    *options = (cab_options){.repeat = 1};
    *code = CAB_EXIT_USAGE;
    bool go = parse_all(argc, argv, table, count, help, options, code);
    if (go && options->frames && options->duration > 0) {
        cab_cli_error("%s: --frames and --duration exclude each other", argv[0]);
        go = false;
    }
    if (go && options->checkpoint_every && !options->checkpoint) {
        cab_cli_error("%s: --checkpoint-every expects --checkpoint FILE, too", argv[0]);
        go = false;
    }
    if (!go) cab_options_free(options);
    return go;
}

void cab_options_free(cab_options *options)
{
    free(options->arguments.word);
    free(options->outputs.word);
    free(options->devices.word);
    free(options->overrides.word);
    free(options->methods.word);
    free(options->scales.word);
    free(options->limits_set.word);
    free(options->varied.word);
    free(options->picture.word);
    free(options->convert.word);
    *options = (cab_options){0};
}

const char *cab_options_single(const cab_options *options, const char *command, const char *what)
{
    if (options->arguments.count == 1) return options->arguments.word[0];
    if (options->arguments.count == 0) {
        cab_cli_error("%s: expected %s, see 'clcable %s --help'", command, what, command);
    } else {
        cab_cli_error("%s: expected %s and nothing more, got '%s'", command, what,
                      options->arguments.word[1]);
    }
    return NULL;
}

void cab_options_apply_time(const cab_options *options, cab_settings *settings)
{
    if (options->substeps) settings->substeps = (int)options->substeps;
    if (options->iterations) settings->iterations = (int)options->iterations;
    if (options->duration > 0) settings->duration = options->duration;
    if (options->frames) settings->duration = (double)options->frames / settings->frame_rate;
}

int cab_frame_count(const cab_settings *settings)
{
    double frames = nearbyint(settings->duration * settings->frame_rate);
    return frames < 1 ? 1 : frames > INT_MAX ? INT_MAX : (int)frames;
}

cab_scene *cab_options_load_scene(const cab_options *options, const char *path, int *code)
{
    cab_word_list all = {0};
    char method[NAME_SIZE + 16];
    bool fits = true;
    for (int i = 0; i < options->overrides.count && fits; i++) {
        fits = add_word(&all, options->overrides.word[i]);
    }
    if (options->method && fits) {
        snprintf(method, sizeof method, "/method/name=\"%.*s\"", NAME_SIZE, options->method);
        fits = add_word(&all, method);
    }
    cab_scene *scene = NULL;
    cab_error error;
    if (!fits) {
        *code = CAB_EXIT_FAILED;
    } else if (cab_scene_load(path, all.word, all.count, &scene, &error) != CAB_OK) {
        cab_cli_error("%s", error.message);
        /* a scene that cannot be read is bad input, whatever the reason */
        *code = error.status == CAB_ERROR_MEMORY ? CAB_EXIT_FAILED : CAB_EXIT_USAGE;
    } else {
        cab_options_apply_time(options, cab_scene_settings(scene));
        if (cab_kbl_is(path)) cab_cli_notes(scene, path, options->quiet, options->verbose);
    }
    free(all.word);
    return scene;
}
