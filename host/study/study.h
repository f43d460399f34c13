/* Studies: scenes of engines beside that of cables, in motion. A table of functions for each kind, which the command
 * line and the viewer both go by; how a study is drawn is the viewer's own (view/study).
 */
#ifndef CAB_STUDY_H
#define CAB_STUDY_H

#include <jansson.h>

#include <clcable/particles.h>
#include <clcable/world.h>

#include "io/file.h"
#include "io/polydata.h"

typedef struct cab_study_kind cab_study_kind;

/* How a scene is opened. All words outlive the study. */
typedef struct cab_study_def {
    const char *path;
    const char *const *overrides; /* POINTER=VALUE, as `--set` */
    int override_count;
    const char *device; /* these three as of cab_world_def */
    int threads;
    const char *kernel_dir;
    bool profile;                      /* times stages, where the kind has some */
    long frames, substeps, iterations; /* of the command line; 0 = the scene's; so is the next */
    double duration;                   /* s */
    const char *compare;               /* NULL, or what is shown in all its ways side by side: "pinch" */
} cab_study_def;

/* An opened scene. Each kind's own struct begins with it. */
typedef struct cab_study {
    const cab_study_kind *kind;
    const char *path;
    cab_world_def device;
    double rate;                  /* frames a second of the scene's time */
    int frames;                   /* of a run */
    int frame;                    /* that it is at */
    double wall_setup, wall_step; /* s; what it took to put it on its device, and to step it since */
} cab_study;

/* Something that can be switched while the study runs. */
typedef struct cab_choice {
    const char *name;
    const char *words[12]; /* static storage */
    int count;             /* of words; 0 = a whole number */
    int now;               /* index of the word, or the number */
    int least, most;       /* of a number */
    bool from_start;       /* switching goes back to time 0 */
    bool idle;             /* the scene has nothing that it would change */
} cab_choice;

enum { CAB_STUDY_LINE = 96, CAB_STUDY_TEXT = 1000 };

/* Rows of equal structs that a study has at the moment. */
typedef struct cab_study_rows {
    const void *row;
    size_t stride; /* bytes from row to row */
    int count;
} cab_study_rows;

/* An array of a study's .npz: one member of the rows' structs. */
typedef struct cab_study_array {
    const char *name;
    cab_study_rows (*rows)(const cab_study *study);
    size_t member;    /* bytes from the start of a row */
    const char *type; /* "f8", "i4" or "b1" */
    int width;        /* numbers of a row; 0 = one, which is no axis of its own */
    bool once;        /* the same in all frames */
    const char
        *offsets; /* where frames have different numbers of rows: the array that tells which row is a frame's
                            first; all rows then follow one another. NULL = a frame is an axis */
} cab_study_array;

/* Texts of a study's .npz, the same in all frames. */
typedef struct cab_study_names {
    const char *name;
    int (*count)(const cab_study *study);
    const char *(*text)(const cab_study *study, int index);
} cab_study_names;

struct cab_study_kind {
    const char *key;       /* of the scene's document */
    const char *elsewhere; /* what options that it has not are for: "cables" */

    /* Reads a scene; no device is opened. A fault of the scene is CAB_ERROR_INPUT. *study is to be closed. */
    cab_status (*load)(const cab_study_def *def, cab_study **study, cab_error *error);
    void (*close)(cab_study *study);
    /* Puts the scene on its device as it is at time 0, the first time as later. Before it nothing below may be called
     * but `check` and `warning`. */
    cab_status (*start)(cab_study *study, cab_error *error);
    /* A frame. */
    cab_status (*step)(cab_study *study, cab_error *error);
    /* CAB_ERROR_DIVERGED, in words, when it has stopped before its time; NULL = `step` tells. */
    cab_status (*fault)(cab_study *study, cab_error *error);

    /* False past the last. */
    bool (*choice)(const cab_study *study, int index, cab_choice *choice);
    /* `value` as cab_choice.now. What is out of range is CAB_ERROR_INPUT and changes nothing. */
    cab_status (*choose)(cab_study *study, int index, int value, cab_error *error);
    /* Takes hold of what is within `reach` m of a place: *held tells whether anything is. Then it is pulled to places,
     * until it is let go. */
    cab_status (*grab)(cab_study *study, cab_vec2 at, double reach, bool *held, cab_error *error);
    cab_status (*pull)(cab_study *study, cab_vec2 to, cab_error *error);
    cab_status (*let_go)(cab_study *study, cab_error *error);
    /* Statistics of the last frame, line by line; false past the last. */
    bool (*line)(cab_study *study, int index, char text[CAB_STUDY_LINE]);

    /* Tells of a loaded scene what is in it: "4 bodies, ...". */
    cab_status (*check)(cab_study *study, char text[CAB_STUDY_TEXT], cab_error *error);
    /* What is to be said of the scene, then of the run; false past the last. Those of a run come behind. */
    bool (*warning)(const cab_study *study, int index, char text[CAB_STUDY_TEXT]);
    /* Seconds that a stage has taken so far; false past the last. NULL = none is timed. */
    bool (*stage)(const cab_study *study, int index, const char **name, double *seconds);

    /* Reads the moment that there is now from the device, which all that follows tells of. */
    cab_status (*read)(cab_study *study, cab_error *error);
    void (*summary)(const cab_study *study, char text[CAB_STUDY_TEXT]);
    json_t *(*report)(const cab_study *study); /* NULL without memory */
    void (*write_csv)(const cab_study *study, cab_file *file);
    cab_status (*fill)(const cab_study *study, cab_polydata *data, cab_error *error);
    const cab_study_array *arrays; /* up to the first without a name */
    const cab_study_names *names;  /* the same */
};

extern const cab_study_kind cab_particles_study, cab_planar_study;

/* The kind whose scenes have this key; NULL = none. */
const cab_study_kind *cab_study_kind_of(const char *key);
/* The kind of the scene in a file; NULL for cables and for what cannot be read: their reader tells why. */
const cab_study_kind *cab_study_of_file(const char *path);

/* Reads a scene and puts it on its device; *study is to be closed. */
cab_status cab_study_open(const cab_study_kind *kind, const cab_study_def *def, cab_study **study,
                          cab_error *error);
void cab_study_close(cab_study *study);
/* s; of the frame that it is at */
static inline double cab_study_time(const cab_study *study)
{
    return study->frame / study->rate;
}
/* A frame. CAB_ERROR_DIVERGED: it stays where it was. */
cab_status cab_study_step(cab_study *study, cab_error *error);

/* For kinds: a study of `size` bytes that begins with its cab_study; NULL, with an error, without memory. */
void *cab_study_create(const cab_study_kind *kind, const cab_study_def *def, size_t size, cab_error *error);
/* Is the value one that the choice has? Else CAB_ERROR_INPUT. */
cab_status cab_study_check_choice(const cab_study *study, int index, int value, cab_choice *choice,
                                  cab_error *error);
/* Frames of a run: whole ones, at least 1. */
int cab_study_frame_count(const cab_study_def *def, double duration, double rate);

#endif
