#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/fit.h>

#include "base/array.h"
#include "cli/cli.h"
#include "embedded.h"
#include "io/kbl/convert.h"
#include "model/scene.h"

enum { TAKES_ANY = ~0u, OPTION_MAX = 96, NAME_SIZE = 64 };

/* Made by cmake/Embed.cmake. */
extern const cab_embedded cab_help[];

/* What becomes of an option. */
typedef enum option_kind {
    FLAG = 0, /* true; a bool */
    WORD,     /* the last one given; a string */
    WORDS,    /* all that are given; a list */
    PAIR,     /* name and value into a list */
    PAIR_FLAG,
    INTEGER, /* 1 to `most`; a long */
    SECONDS, /* above 0; a double; so is the next */
    METRES,
    OVERRIDE, /* POINTER=VALUE, into a list */
    JSON_FILE,
    HELP,
    VERSION
} option_kind;

/* An option: its word, its letter or 0, what takes it, where it goes in cab_options. */
typedef struct option_row {
    const char *name;
    int letter;
    unsigned takes;
    option_kind kind;
    size_t place;
    long most;
} option_row;

#define AT(field) offsetof(cab_options, field)

static const option_row rows[] = {
    {"out", 'o', CAB_TAKES_OUTPUT | CAB_TAKES_STUDY | CAB_TAKES_BOARD, WORDS, AT(outputs), 0},
    {"report", 0, CAB_TAKES_OUTPUT, WORD, AT(report), 0},
    {"device", 0, CAB_TAKES_DEVICE, WORDS, AT(devices), 0},
    {"threads", 0, CAB_TAKES_DEVICE, INTEGER, AT(threads), 1024},
    {"kernels", 0, CAB_TAKES_DEVICE, WORD, AT(kernels), 0},
    {"method", 0, CAB_TAKES_SCENE | CAB_TAKES_BENCH, WORDS, AT(methods), 0},
    {"frames", 0, CAB_TAKES_TIME, INTEGER, AT(frames), INT_MAX},
    {"duration", 0, CAB_TAKES_TIME, SECONDS, AT(duration), 0},
    {"substeps", 0, CAB_TAKES_TIME | CAB_TAKES_VIEW, INTEGER, AT(substeps), 100000},
    {"iterations", 0, CAB_TAKES_TIME | CAB_TAKES_VIEW, INTEGER, AT(iterations), 10000},
    {"set", 0, CAB_TAKES_SCENE | CAB_TAKES_STUDY, OVERRIDE, AT(overrides), 0},
    {"checkpoint", 0, CAB_TAKES_STATE, WORD, AT(checkpoint), 0},
    {"checkpoint-every", 0, CAB_TAKES_STATE, INTEGER, AT(checkpoint_every), INT_MAX},
    {"resume", 0, CAB_TAKES_STATE | CAB_TAKES_VIEW, WORD, AT(resume), 0},
    {"probes", 0, CAB_TAKES_PROBES, WORD, AT(probes), 0},
    {"bodies", 0, CAB_TAKES_PROBES, WORD, AT(bodies), 0},
    {"sockets", 0, CAB_TAKES_PROBES, WORD, AT(sockets), 0},
    {"envelope", 0, CAB_TAKES_ENVELOPE, WORD, AT(envelope), 0},
    {"envelope-cell", 0, CAB_TAKES_ENVELOPE, METRES, AT(envelope_cell), 0},
    {"settle", 0, CAB_TAKES_RUN | CAB_TAKES_SWEEP | CAB_TAKES_FIT, FLAG, AT(settle), 0},
    {"release", 0, CAB_TAKES_RUN, FLAG, AT(release), 0},
    {"verbose", 'v', CAB_TAKES_RUN | CAB_TAKES_VIEW | CAB_TAKES_CHECK, FLAG, AT(verbose), 0},
    {"json", 0, CAB_TAKES_JSON, FLAG, AT(json), 0},
    {"json", 0, CAB_TAKES_BENCH, JSON_FILE, AT(json), 0},
    {"list", 0, CAB_TAKES_BENCH, FLAG, AT(list), 0},
    {"limits", 0, CAB_TAKES_BENCH, FLAG, AT(limits), 0},
    {"scale", 0, CAB_TAKES_BENCH, WORDS, AT(scales), 0},
    {"shootout", 0, CAB_TAKES_BENCH, FLAG, AT(shootout), 0},
    {"csv", 0, CAB_TAKES_BENCH, WORD, AT(csv_file), 0},
    {"repeat", 0, CAB_TAKES_BENCH, INTEGER, AT(repeat), 1000},
    {"size", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"view", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"camera", 0, CAB_TAKES_PICTURE, PAIR, AT(picture), 0},
    {"target", 0, CAB_TAKES_PICTURE, PAIR, AT(picture), 0},
    {"fov", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"zoom", 0, CAB_TAKES_PICTURE, PAIR, AT(picture), 0},
    {"fit", 0, CAB_TAKES_PICTURE, PAIR, AT(picture), 0},
    {"orthographic", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR_FLAG, AT(picture), 0},
    {"colour", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"range", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"background", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"legend", 0, CAB_TAKES_PICTURE, PAIR, AT(picture), 0},
    {"grid", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"marks", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"stripe", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"quality", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"every", 0, CAB_TAKES_PICTURE, PAIR, AT(picture), 0},
    {"compare", 0, CAB_TAKES_PICTURE | CAB_TAKES_VIEW, PAIR, AT(picture), 0},
    {"as", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"resolution", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"length-tolerance", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"gap", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"bond", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"play", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"friction", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"grip", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"holding-force", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"pull-out-force", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"tie-distance", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"loose-ends", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"hold", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"free", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"body", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"body-scale", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"stiffness", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"protection", 0, CAB_TAKES_CONVERT, PAIR, AT(convert), 0},
    {"bundles", 0, CAB_TAKES_CONVERT, FLAG, AT(bundles), 0},
    {"limit", 0, CAB_TAKES_REPORT, WORDS, AT(limits_set), 0},
    {"limits", 0, CAB_TAKES_REPORT, WORD, AT(limit_table), 0},
    {"compare", 0, CAB_TAKES_REPORT, WORD, AT(compare_with), 0},
    {"strict", 0, CAB_TAKES_REPORT, FLAG, AT(strict), 0},
    {"paper", 0, CAB_TAKES_BOARD, WORD, AT(paper), 0},
    {"allowance", 0, CAB_TAKES_BOARD, WORD, AT(allowance), 0},
    {"interop", 0, CAB_TAKES_VIEW, WORD, AT(interop), 0},
    {"paused", 0, CAB_TAKES_VIEW, FLAG, AT(paused), 0},
    {"pictures", 0, CAB_TAKES_VIEW, INTEGER, AT(pictures), 1000000},
    {"screenshot", 0, CAB_TAKES_VIEW, WORD, AT(screenshot), 0},
    {"vary", 0, CAB_TAKES_SWEEP, WORDS, AT(varied), 0},
    {"random", 0, CAB_TAKES_SWEEP, INTEGER, AT(random), 1000000},
    {"latin", 0, CAB_TAKES_SWEEP, FLAG, AT(latin), 0},
    {"find", 0, CAB_TAKES_FIT, WORDS, AT(varied), 0},
    {"tries", 0, CAB_TAKES_FIT, INTEGER, AT(random), CAB_FIT_TRIES_MOST},
    {"hold-out", 0, CAB_TAKES_FIT, WORD, AT(hold_out), 0},
    {"seed", 0, CAB_TAKES_SWEEP | CAB_TAKES_FIT, INTEGER, AT(seed), INT_MAX},
    {"columns", 0, CAB_TAKES_SWEEP, WORD, AT(columns), 0},
    {"best", 0, CAB_TAKES_SWEEP, WORD, AT(best), 0},
    {"share", 0, CAB_TAKES_SWEEP | CAB_TAKES_FIT, WORD, AT(share), 0},
    {"batch", 0, CAB_TAKES_SWEEP | CAB_TAKES_FIT, INTEGER, AT(batch), 1000000},
    {"quiet", 'q', TAKES_ANY, FLAG, AT(quiet), 0},
    {"help", 'h', TAKES_ANY, HELP, 0, 0},
    {"version", 0, TAKES_ANY, VERSION, 0, 0},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static int argument_of(const option_row *row)
{
    bool none = row->kind == FLAG || row->kind == PAIR_FLAG || row->kind >= HELP;
    return none ? no_argument : row->kind == JSON_FILE ? optional_argument : required_argument;
}

/* getopt's table and letters for one sub-command. An option without a letter gets a number above all letters. */
static int collect(unsigned takes, struct option *table, char *letters)
{
    int count = 0;
    *letters++ = ':';
    for (int i = 0; i < ROW_COUNT; i++) {
        const option_row *row = &rows[i];
        if (!(row->takes & takes)) continue;
        int key = row->letter ? row->letter : UCHAR_MAX + 1 + i;
        table[count++] = (struct option){row->name, argument_of(row), NULL, key};
        if (!row->letter) continue;
        *letters++ = (char)row->letter;
        if (argument_of(row) == required_argument) *letters++ = ':';
    }
    *letters = 0;
    table[count] = (struct option){0};
    return count;
}

/* The row of a key as collect() has made it. */
static const option_row *row_of(int key)
{
    const option_row *row = rows;
    if (key > UCHAR_MAX) return &rows[key - UCHAR_MAX - 1];
    while (row->letter != key) row++;
    return row;
}

static bool add_word(cab_word_list *words, const char *word)
{
    if (CAB_RESIZE(words->word, words->count + 1, NULL) != CAB_OK) {
        cab_cli_error("out of memory");
        words->lost = true;
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

static bool read_amount(const char *name, const char *unit, const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || number <= 0) {
        cab_cli_error("--%s: expected %s above 0, got '%s'", name, unit, text);
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

static bool take(cab_options *o, const option_row *row, const char *text)
{
    void *place = (char *)o + row->place;
    switch (row->kind) {
    case WORD:
        *(const char **)place = text;
        return true;
    case WORDS:
        return add_word(place, text);
    case PAIR:
    case PAIR_FLAG:
        return add_word(place, row->name) && add_word(place, text ? text : "");
    case INTEGER:
        return read_integer(row->name, text, row->most, place);
    case SECONDS:
        return read_amount(row->name, "seconds", text, place);
    case METRES:
        return read_amount(row->name, "metres", text, place);
    case OVERRIDE:
        return read_override(place, text);
    default:
        return *(bool *)place = true;
    }
}

static void complain_unknown(const char *command, const char *word, const struct option *table, int count)
{
    const char *names[OPTION_MAX];
    for (int i = 0; i < count; i++) names[i] = table[i].name;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = strncmp(name, "--", 2) == 0 ? cab_nearest(name + 2, names, count) : NULL;
    if (near)
        cab_cli_error("%s: unknown option '%s', did you mean '--%s'?", command, name, near);
    else
        cab_cli_error("%s: unknown option '%s', see 'clcable %s --help'", command, name, command);
}

/* What getopt found fault with: a long option is the word before optind, a letter stands in optopt. */
static void complain(int key, char **argv, const struct option *table, int count)
{
    const char *word = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, 0};
    if (optopt && optopt <= UCHAR_MAX) word = letter;
    const struct option *known = NULL;
    for (int i = 0; i < count && optopt; i++)
        if (table[i].val == optopt) known = &table[i];
    if (key == ':')
        cab_cli_error("%s: option '%s' expects a value", argv[0], word);
    else if (known)
        cab_cli_error("%s: option '--%s' takes no value", argv[0], known->name);
    else
        complain_unknown(argv[0], word, table, count);
}

const char *cab_help_text(const char *name)
{
    char file[NAME_SIZE];
    snprintf(file, sizeof file, "%s.txt", name);
    const cab_embedded *text = cab_help;
    while (strcmp(text->name, file) != 0) text++;
    return text->text;
}

static bool parse_all(int argc, char **argv, const cab_command *command, cab_options *options, int *code)
{
    struct option table[OPTION_MAX];
    char letters[2 * OPTION_MAX];
    int count = collect(command->takes, table, letters);
    opterr = 0;
    optind = 1;
    for (int key; (key = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
        if (key == '?' || key == ':') {
            complain(key, argv, table, count);
            return false;
        }
        const option_row *row = row_of(key);
        if (row->kind >= HELP) {
            if (row->kind == HELP)
                fputs(command->help ? command->help : cab_help_text(command->name), stdout);
            if (row->kind == VERSION) printf("clcable %s\n", cab_version());
            *code = CAB_EXIT_DONE;
            return false;
        }
        if (row->kind == JSON_FILE)
            take_json_file(options, argc, argv);
        else if (!take(options, row, optarg))
            return false;
    }
    if (options->methods.count) options->method = options->methods.word[options->methods.count - 1];
    for (int i = optind; i < argc; i++)
        if (!add_word(&options->arguments, argv[i])) return false;
    return true;
}

static bool parse(int argc, char **argv, const cab_command *command, cab_options *options, int *code)
{
    *options = (cab_options){.repeat = 1};
    *code = CAB_EXIT_USAGE;
    if (!parse_all(argc, argv, command, options, code)) return false;
    if (options->frames && options->duration > 0) {
        cab_cli_error("%s: --frames and --duration exclude each other", argv[0]);
        return false;
    }
    if (options->settle && options->resume) {
        cab_cli_error("%s: --settle and --resume exclude each other: a state goes on as it is", argv[0]);
        return false;
    }
    if (options->checkpoint_every && !options->checkpoint) {
        cab_cli_error("%s: --checkpoint-every expects --checkpoint FILE, too", argv[0]);
        return false;
    }
    if (options->envelope_cell > 0 && !options->envelope) {
        cab_cli_error("%s: --envelope-cell expects --envelope FILE, too", argv[0]);
        return false;
    }
    return true;
}

/* Has a sub-command the argument that it wants, and no other? */
static bool has_argument(const cab_options *options, const cab_command *command)
{
    int count = options->arguments.count;
    if (!command->wants || count == 1) return true;
    if (count == 0) {
        cab_cli_error("%s: expected %s, see 'clcable %s --help'", command->name, command->wants,
                      command->name);
    } else {
        cab_cli_error("%s: expected %s and nothing more, got '%s'", command->name, command->wants,
                      options->arguments.word[1]);
    }
    return false;
}

int cab_command_run(const cab_command *command, int argc, char **argv)
{
    cab_options options;
    int code;
    bool go = parse(argc, argv, command, &options, &code);
    if (go) code = CAB_EXIT_USAGE;
    if (go && has_argument(&options, command))
        code = command->run(&options, command->wants ? options.arguments.word[0] : NULL);
    cab_word_list *lists[] = {&options.arguments, &options.outputs, &options.devices,    &options.overrides,
                              &options.methods,   &options.scales,  &options.limits_set, &options.varied,
                              &options.picture,   &options.convert};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (lists[i]->lost) code = CAB_EXIT_FAILED;
        free(lists[i]->word);
    }
    return code;
}

bool cab_options_agree(const cab_options *options, const char *command, int devices_most)
{
    const cab_word_list *devices = &options->devices;
    if (devices->count > devices_most && devices_most == 1) {
        cab_cli_error("%s: --device is given twice, '%s' and '%s'", command, devices->word[0],
                      devices->word[1]);
    } else if (devices->count > devices_most) {
        cab_cli_error("%s: --device is given %d times, expected at most %d", command, devices->count,
                      devices_most);
    } else if (options->quiet && options->verbose) {
        cab_cli_error("%s: --quiet and --verbose exclude each other", command);
    } else {
        return true;
    }
    return false;
}

cab_world_def cab_options_world(const cab_options *options, const char *device)
{
    const cab_word_list *devices = &options->devices;
    cab_world_def def = cab_world_default();
    def.device = devices->count ? devices->word[devices->count - 1] : device;
    def.threads = (int)options->threads;
    def.kernel_dir = options->kernels;
    return def;
}

void cab_options_apply_time(const cab_options *options, cab_settings *settings)
{
    if (options->substeps) settings->substeps = (int)options->substeps;
    if (options->iterations) settings->iterations = (int)options->iterations;
    if (options->duration > 0) settings->duration = options->duration;
    if (options->frames) settings->duration = (double)options->frames / settings->frame_rate;
}

int cab_options_frames(const cab_options *options, const cab_settings *settings)
{
    bool asked = options->frames || options->duration > 0 || options->release;
    return options->settle && !asked ? 0 : cab_frame_count(settings);
}

int cab_frame_count(const cab_settings *settings)
{
    double frames = nearbyint(settings->duration * settings->frame_rate);
    return frames < 1 ? 1 : frames > INT_MAX ? INT_MAX : (int)frames;
}

char *cab_override_of(const char *pointer, const char *value)
{
    size_t size = strlen(pointer) + strlen(value) + 2;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s=%s", pointer, value);
    return text;
}

cab_scene *cab_options_load_scene(const cab_options *options, const char *path, int *code)
{
    cab_word_list all = {0};
    char own[3][NAME_SIZE + 16];
    bool fits = true;
    for (int i = 0; i < options->overrides.count && fits; i++)
        fits = add_word(&all, options->overrides.word[i]);
    /* as words of --set, so that the scene is checked with them and not as it was before */
    if (options->method && fits) {
        snprintf(own[0], sizeof own[0], "/method/name=\"%.*s\"", NAME_SIZE, options->method);
        fits = add_word(&all, own[0]);
    }
    if (options->substeps && fits) {
        snprintf(own[1], sizeof own[1], "/time/substeps=%ld", options->substeps);
        fits = add_word(&all, own[1]);
    }
    if (options->iterations && fits) {
        snprintf(own[2], sizeof own[2], "/time/iterations=%ld", options->iterations);
        fits = add_word(&all, own[2]);
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

const char **cab_options_words(const cab_options *options, const char *const *changes, int count)
{
    int given = options->overrides.count;
    const char **words = calloc((size_t)(given + count) + 1, sizeof *words);
    for (int i = 0; i < given && words; i++) words[i] = options->overrides.word[i];
    for (int k = 0; k < count && words; k++) words[given + k] = changes[k];
    return words;
}

cab_scene *cab_options_load_changed(const cab_options *options, const char *path, const char *const *changes,
                                    int count, bool quiet, int *code)
{
    cab_options own = *options;
    const char **words = cab_options_words(options, changes, count);
    *code = CAB_EXIT_FAILED;
    if (!words) {
        cab_cli_error("out of memory");
        return NULL;
    }
    own.quiet = own.quiet || quiet;
    own.overrides = (cab_word_list){.word = words, .count = own.overrides.count + count};
    cab_scene *scene = cab_options_load_scene(&own, path, code);
    if (scene) *code = CAB_EXIT_DONE;
    free(words);
    return scene;
}
