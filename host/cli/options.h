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
    CAB_TAKES_DEVICE = 4,     /* --device --threads --kernels */
    CAB_TAKES_RUN = 8,        /* --settle --verbose */
    CAB_TAKES_JSON = 16,      /* --json */
    CAB_TAKES_STUDY = 1024,   /* --out --set */
    CAB_TAKES_PICTURE = 2048, /* --size --view --camera and so on: kept as words */
    CAB_TAKES_VIEW =
        4096, /* --interop --paused --pictures --screenshot, and of others what makes sense in a window */
    CAB_TAKES_CONVERT = 8192, /* --as --resolution and so on: kept as words; --verbose */
    CAB_TAKES_CHECK = 16384,  /* --verbose */
    CAB_TAKES_REPORT = 65536, /* --limit --strict */
    CAB_TAKES_SWEEP = 32768,  /* --vary --random --latin --seed --batch */
    CAB_TAKES_BENCH = 32,     /* --list --limits --scale --shootout --method --repeat --csv, --json FILE */
};

/* A growing list of strings that belong to someone else. */
typedef struct cab_word_list {
    const char **word;
    int count;
} cab_word_list;

typedef struct cab_options {
    cab_word_list arguments; /* what is no option: the scene, the cases */
    cab_word_list outputs;
    cab_word_list devices;
    cab_word_list overrides;  /* POINTER=VALUE */
    cab_word_list methods;    /* of a benchmark; the last one is also `method` */
    cab_word_list limits_set; /* WORD=VALUE */
    cab_word_list varied;     /* POINTER=VALUES */
    cab_word_list scales;     /* "cables", "segments", "substeps" */
    cab_word_list picture;    /* CAB_TAKES_PICTURE: name, value, name, value; picture_options.c reads them */
    cab_word_list convert;    /* CAB_TAKES_CONVERT: name, value, name, value */
    const char *method;       /* NULL = the scene's; so are the four below when 0 */
    const char *report;
    const char *kernels;
    const char *json_file; /* NULL with `json` = standard output */
    const char *csv_file;
    const char *checkpoint; /* state file to write; NULL = none; so is the next */
    const char *resume;     /* state file to begin with */
    const char *interop;    /* as written; NULL = not given; so is the next */
    const char *screenshot; /* file */
    long pictures;          /* after which a window closes; 0 = not given */
    long checkpoint_every;  /* frames; 0 = not given */
    long frames;
    double duration; /* s */
    long substeps, iterations, threads, repeat;
    bool settle, quiet, verbose, json, list, limits, shootout, paused, strict;
    long random, seed, batch; /* of a sweep; 0 = not given */
    bool latin;
} cab_options;

/* Parses argv; `takes` is a sum of the above.
 *
 * @return true to go on; else the sub-command is over and *code is its exit code (help, version, a mistake)
 */
bool cab_options_parse(int argc, char **argv, unsigned takes, const char *help, cab_options *options,
                       int *code);
void cab_options_free(cab_options *options);

/* The one argument that a sub-command wants, such as "a scene"; NULL after an error message. */
const char *cab_options_single(const cab_options *options, const char *command, const char *what);

/* Reads a scene with --set, --method and the time options applied. On failure the message is out and *code
 * set. */
cab_scene *cab_options_load_scene(const cab_options *options, const char *path, int *code);

/* Applies --duration, --frames, --substeps and --iterations. */
void cab_options_apply_time(const cab_options *options, cab_settings *settings);

/* Frames of a run: whole ones, at least 1. */
int cab_frame_count(const cab_settings *settings);

#endif
