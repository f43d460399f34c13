/* Options that several sub-commands share, parsed in one place. */
#ifndef CAB_OPTIONS_H
#define CAB_OPTIONS_H

#include <stdbool.h>

#include <clcable/clcable.h>

/* Which options a sub-command takes; --help, --version, --quiet always. */
enum {
    CAB_TAKES_SCENE = 1,      /* --method --set */
    CAB_TAKES_TIME = 64,      /* --substeps --iterations --frames --duration */
    CAB_TAKES_STATE = 128,    /* --checkpoint --checkpoint-every --resume */
    CAB_TAKES_OUTPUT = 2,     /* --out --report */
    CAB_TAKES_PROBES = 256,   /* --probes --bodies --sockets */
    CAB_TAKES_DEVICE = 4,     /* --device --threads --kernels */
    CAB_TAKES_RUN = 8,        /* --settle --release --verbose */
    CAB_TAKES_JSON = 16,      /* --json */
    CAB_TAKES_STUDY = 1024,   /* --out --set */
    CAB_TAKES_PICTURE = 2048, /* --size --view --camera and so on: kept as words */
    CAB_TAKES_VIEW =
        4096, /* --interop --paused --pictures --screenshot, and of others what makes sense in a window */
    CAB_TAKES_CONVERT = 8192,    /* --as --resolution and so on: kept as words */
    CAB_TAKES_CHECK = 16384,     /* --verbose */
    CAB_TAKES_BOARD = 131072,    /* --out --paper --allowance */
    CAB_TAKES_REPORT = 65536,    /* --limit --limits --strict --compare */
    CAB_TAKES_SWEEP = 32768,     /* --settle --vary --random --latin --seed --batch --columns --best
                                    --share */
    CAB_TAKES_ENVELOPE = 262144, /* --envelope --envelope-cell */
    CAB_TAKES_FIT = 524288,      /* --find --tries --seed --hold-out --settle --batch --share */
    CAB_TAKES_BENCH = 32,        /* --list --limits --scale --shootout --method --repeat --csv, --json FILE */
};

/* A growing list of strings that belong to someone else. */
typedef struct cab_word_list {
    const char **word;
    int count;
    bool lost; /* there was no memory for a word */
} cab_word_list;

typedef struct cab_options {
    cab_word_list arguments; /* what is no option: the scene, the cases */
    cab_word_list outputs, devices;
    cab_word_list overrides;  /* POINTER=VALUE */
    cab_word_list methods;    /* of a benchmark; the last one is also `method` */
    cab_word_list limits_set; /* WORD=VALUE */
    const char *limit_table;  /* of a report: "@FILE" or JSON; NULL = none */
    const char *compare_with; /* the report to compare another one with; NULL = none */
    cab_word_list varied;     /* POINTER=VALUES; of a fit POINTER=FROM:TO */
    cab_word_list scales;     /* "cables", "segments", "substeps" */
    cab_word_list picture;    /* CAB_TAKES_PICTURE: name, value, name, value; picture_options.c reads them */
    cab_word_list convert;    /* CAB_TAKES_CONVERT: name, value, name, value */
    const char *method;       /* NULL = the scene's; so are the four below when 0 */
    const char *report;
    const char *probes;   /* table of what probes say; NULL = none */
    const char *bodies;   /* table of where bodies are; NULL = none */
    const char *sockets;  /* table of how deep plugs are in them; NULL = none */
    const char *envelope; /* file; NULL = none */
    double envelope_cell; /* m; 0 = from the cables */
    const char *kernels;
    const char *json_file; /* NULL with `json` = standard output */
    const char *csv_file;
    const char *checkpoint;        /* state file to write; NULL = none; so is the next */
    const char *resume;            /* state file to begin with */
    const char *interop;           /* as written; NULL = not given; so is the next */
    const char *screenshot;        /* file */
    const char *paper, *allowance; /* of a board, as written; NULL = not given */
    long pictures;                 /* after which a window closes; 0 = not given */
    long checkpoint_every;         /* frames; 0 = not given */
    long frames;
    double duration; /* s */
    long substeps, iterations, threads, repeat;
    bool settle, release, quiet, verbose, json, list, limits, shootout, paused, strict, bundles;
    long random, seed, batch; /* of a sweep, of a fit its tries and their seed; 0 = not given */
    const char *hold_out;     /* of a fit, as written; NULL = not given */
    bool latin;
    const char *share;   /* folder where several processes share the work; NULL = none is named */
    const char *columns; /* of a sweep: words with commas between; NULL = none */
    const char *best;    /* of a sweep: "least:COLUMN", "most:COLUMN"; NULL = all variants count alike */
} cab_options;

/* A sub-command. */
typedef struct cab_command {
    const char *name;
    unsigned takes;    /* a sum of the above */
    const char *wants; /* the one argument that it must have, such as "a scene"; NULL = any number of them */
    /* Returns the exit code. `argument` is the one that it wants. */
    int (*run)(const cab_options *options, const char *argument);
    const char *help; /* NULL = the text help/NAME.txt */
} cab_command;

/* Parses argv, of which argv[0] is the command's name, and runs it, unless there is nothing to run: help, version, a
 * mistake. Returns the exit code. */
int cab_command_run(const cab_command *command, int argc, char **argv);

/* A text of host/cli/help, which are built in; "clcable" is that of the program. */
const char *cab_help_text(const char *name);

/* Each in a file of its own. */
extern const cab_command cab_cmd_bench, cab_cmd_check, cab_cmd_convert, cab_cmd_devices, cab_cmd_fit,
    cab_cmd_formboard, cab_cmd_render, cab_cmd_report, cab_cmd_run, cab_cmd_study, cab_cmd_sweep,
    cab_cmd_tune, cab_cmd_view;

/* Devices that may share a world. */
#define CAB_OPTION_DEVICES 64

/* False after an error message: more devices than the command takes, or both quiet and verbose. */
bool cab_options_agree(const cab_options *options, const char *command, int devices_most);

/* A world on the device that was given last, or on `device`, with the threads and kernels that were given. */
cab_world_def cab_options_world(const cab_options *options, const char *device);

/* Reads a scene with --set, --method and the time options. On failure the message is out and *code set. */
cab_scene *cab_options_load_scene(const cab_options *options, const char *path, int *code);

/* The same with `changes` (POINTER=VALUE) after those of --set, and with notes unless `quiet`. */
cab_scene *cab_options_load_changed(const cab_options *options, const char *path, const char *const *changes,
                                    int count, bool quiet, int *code);

/* The words of --set, and `changes` after them; to be freed, NULL when memory is out. */
const char **cab_options_words(const cab_options *options, const char *const *changes, int count);

/* "POINTER=VALUE", to be freed; NULL when memory is out. */
char *cab_override_of(const char *pointer, const char *value);

/* Before a run: fails where an output, the report or the checkpoint is the state to go on from (the checkpoint may be) or
 * would be written twice. Removes what killed runs have left beside them. */
cab_status cab_cli_check_outputs(const cab_options *options, cab_error *error);

/* Applies --duration, --frames, --substeps and --iterations. */
void cab_options_apply_time(const cab_options *options, cab_settings *settings);

/* Frames to compute: none where --settle is all that is asked for, else as cab_frame_count(). */
int cab_options_frames(const cab_options *options, const cab_settings *settings);

/* Frames of a run: whole ones, at least 1. */
int cab_frame_count(const cab_settings *settings);

#endif
