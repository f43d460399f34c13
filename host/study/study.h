/* Studies: scenes of engines beside that of cables, in motion. Each kind of study is a table of functions,
 * which the command line and the viewer both call. How a study is drawn belongs to the viewer (view/study).
 */
#ifndef CAB_STUDY_H
#define CAB_STUDY_H

#include <jansson.h>

#include <clcable/particles.h>
#include <clcable/world.h>

#include "io/file.h"
#include "io/polydata.h"

typedef struct cab_study_kind cab_study_kind;

/* How a scene is opened. All strings must outlive the study. */
typedef struct cab_study_def {
    const char *path;
    const char *const *overrides; /* POINTER=VALUE, as `--set` */
    int override_count;
    const char *device; /* this and the next two: as in cab_world_def */
    int threads;
    const char *kernel_dir;
    void (*log)(void *user, int level, const char *text); /* as in cab_world_def, with `user`; may be NULL */
    void *user;
    bool profile;                      /* measure the time of each stage, if the kind has stages */
    long frames, substeps, iterations; /* given on the command line; 0 = as in the scene */
    double duration;                   /* s; the same */
    const char *compare; /* NULL, or the setting all of whose values run side by side: "pinch" */
} cab_study_def;

/* An opened scene. Each kind's own struct begins with it. */
typedef struct cab_study {
    const cab_study_kind *kind;
    const char *path;
    cab_world_def device;
    double rate;                  /* frames a second of the scene's time */
    int frames;                   /* of a whole run */
    int frame;                    /* the present one; 0 is the start */
    double wall_setup, wall_step; /* s; time spent on setting up its device, and on stepping since */
} cab_study;

/* Something that can be switched while the study runs. */
typedef struct cab_choice {
    const char *name;
    const char *words[12]; /* static storage */
    int count;             /* of words; 0 = a whole number */
    int now;               /* the present word's index, or the present number */
    int least, most;       /* of a number */
    bool from_start;       /* switching goes back to time 0 */
    bool idle;             /* it would change nothing in this scene */
} cab_choice;

enum { CAB_STUDY_LINE = 96, CAB_STUDY_TEXT = 1000 };

/* An array of a study's .npz: one member of the structs of a list, which the study's own struct has a pointer to. */
typedef struct cab_study_array {
    const char *name;
    size_t list, count; /* where the pointer and the number of structs, an int, are in the study */
    size_t stride;      /* bytes of a struct */
    size_t member;      /* bytes from its start */
    const char *type;   /* "f8", "i4" or "b1" */
    int width;          /* numbers of a row; 0 = one, which is no axis of its own */
    bool once;          /* the same in all frames */
    /* NULL = all frames have the same number of rows, and the array's first axis is the frame. Else the rows
     * of all frames follow one another, and the array of this name tells which row is a frame's first. */
    const char *offsets;
} cab_study_array;

/* Texts of a study's .npz, the same in all frames. */
typedef struct cab_study_names {
    const char *name;
    size_t count; /* where their number, an int, is in the study */
    const char *(*text)(const cab_study *study, int index);
} cab_study_names;

struct cab_study_kind {
    const char *key;       /* the key of its scenes: "planar" */
    const char *elsewhere; /* what an option is for that these scenes do not have, in messages: "cables" */

    /* Reads a scene; opens no device. An error in the scene is CAB_ERROR_INPUT. The caller closes *study. */
    cab_status (*load)(const cab_study_def *def, cab_study **study, cab_error *error);
    void (*close)(cab_study *study);
    /* Puts the scene on its device as it is at time 0, when called for the first time and later. Before the
     * first call, only `check` and `warning` of the functions below may be called. */
    cab_status (*start)(cab_study *study, cab_error *error);
    /* Steps by a frame. */
    cab_status (*step)(cab_study *study, cab_error *error);
    /* CAB_ERROR_DIVERGED with a message if the motion has stopped before its end. NULL = `step` says so. */
    cab_status (*fault)(cab_study *study, cab_error *error);

    /* Gets a choice; false past the last one. */
    bool (*choice)(const cab_study *study, int index, cab_choice *choice);
    /* `value` means the same as cab_choice.now. Out of range it is CAB_ERROR_INPUT, and nothing changes. */
    cab_status (*choose)(cab_study *study, int index, int value, cab_error *error);
    /* Takes hold of a particle or body within `reach` m of a place; *held tells whether there is one. It is
     * pulled towards the places that `pull` gets, until `let_go`. */
    cab_status (*grab)(cab_study *study, cab_vec2 at, double reach, bool *held, cab_error *error);
    cab_status (*pull)(cab_study *study, cab_vec2 to, cab_error *error);
    cab_status (*let_go)(cab_study *study, cab_error *error);
    /* Statistics of the last frame, line by line; false past the last. */
    bool (*line)(cab_study *study, int index, char text[CAB_STUDY_LINE]);

    /* What is in a loaded scene: "4 bodies, ...". */
    cab_status (*check)(cab_study *study, char text[CAB_STUDY_TEXT], cab_error *error);
    /* Warnings about the scene, then those about the run; false past the last one. */
    bool (*warning)(const cab_study *study, int index, char text[CAB_STUDY_TEXT]);
    /* Seconds that a stage has taken so far; false past the last one. NULL = stages are not timed. */
    bool (*stage)(const cab_study *study, int index, const char **name, double *seconds);

    /* Reads the present state from the device. All functions below use what was read last. */
    cab_status (*read)(cab_study *study, cab_error *error);
    void (*summary)(const cab_study *study, char text[CAB_STUDY_TEXT]);
    json_t *(*report)(const cab_study *study); /* NULL without memory */
    void (*write_csv)(const cab_study *study, cab_file *file);
    cab_status (*fill)(const cab_study *study, cab_polydata *data, cab_error *error);
    const cab_study_array *arrays; /* the last one has no name */
    const cab_study_names *names;  /* the same */
};

extern const cab_study_kind cab_particles_study, cab_planar_study;

/* The kind whose scenes have this key; NULL = none. */
const cab_study_kind *cab_study_kind_of(const char *key);
/* The kind of the scene in a file: NULL for a scene of cables, and for a file that cannot be read (the reader of cables
 * then says why). CAB_OK or CAB_ERROR_MEMORY. */
cab_status cab_study_of_file(const char *path, const cab_study_kind **kind, cab_error *error);

/* Reads a scene and puts it on its device. The caller closes *study. */
cab_status cab_study_open(const cab_study_kind *kind, const cab_study_def *def, cab_study **study,
                          cab_error *error);
void cab_study_close(cab_study *study);
/* s; time of the present frame */
static inline double cab_study_time(const cab_study *study)
{
    return study->frame / study->rate;
}
/* Steps by a frame. After CAB_ERROR_DIVERGED it stays at the frame before. */
cab_status cab_study_step(cab_study *study, cab_error *error);

/* For the kinds: allocates a study of `size` bytes, which begins with a cab_study. NULL without memory. */
void *cab_study_create(const cab_study_kind *kind, const cab_study_def *def, size_t size, cab_error *error);
/* Gets a choice and checks the value: CAB_ERROR_INPUT if the choice does not have it. */
cab_status cab_study_check_choice(const cab_study *study, int index, int value, cab_choice *choice,
                                  cab_error *error);
/* Frames of a run: whole ones, at least 1. */
int cab_study_frame_count(const cab_study_def *def, double duration, double rate);

#endif
