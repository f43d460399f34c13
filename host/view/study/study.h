/* A study in the plane, particles or planar bodies, in motion: what pictures and the viewer need of one. */
#ifndef CAB_STUDY_VIEW_H
#define CAB_STUDY_VIEW_H

#include <clcable/particles.h>

#include "view/draw/subject.h"

/* How a scene is opened. */
typedef struct cab_study_def {
    const char *path;
    const char *const *overrides; /* POINTER=VALUE, as `--set` */
    int override_count;
    const char *device; /* these three as of cab_world_def; the words outlive the study */
    int threads;
    const char *kernel_dir;
    long frames, substeps, iterations; /* of the command line; 0 = the scene's; so is the next */
    double duration;                   /* s */
    const char *compare;               /* NULL, or what is shown in all its ways side by side: "pinch" */
} cab_study_def;

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

enum { CAB_STUDY_LINE = 96 };

typedef struct cab_study_kind {
    const char *key; /* of the scene's document */
    cab_subject_kind subject;
    cab_quantity quantity; /* that colours can show; none = they cannot */
    /* A fault of the scene is CAB_ERROR_INPUT. On success *self is to be closed. */
    cab_status (*open)(const cab_study_def *def, void **self, cab_error *error);
    void (*close)(void *self);
    double (*rate)(const void *self); /* frames a second of the scene's time */
    int (*frames)(const void *self);  /* of a run */
    /* A frame. CAB_ERROR_DIVERGED: it stays where it was. */
    cab_status (*step)(void *self, cab_error *error);
    cab_status (*reset)(void *self, cab_error *error);
    /* False past the last. */
    bool (*choice)(const void *self, int index, cab_choice *choice);
    /* `value` as cab_choice.now. What is out of range is CAB_ERROR_INPUT and changes nothing. */
    cab_status (*choose)(void *self, int index, int value, cab_error *error);
    /* Takes hold of what is within `reach` m of a place: *held tells whether anything is. Then it is pulled
     * to places, until it is let go. NULL = nothing can be pulled. */
    cab_status (*grab)(void *self, cab_vec2 at, double reach, bool *held, cab_error *error);
    cab_status (*pull)(void *self, cab_vec2 to, cab_error *error);
    cab_status (*let_go)(void *self, cab_error *error);
    /* Statistics of the last frame, line by line; false past the last. */
    bool (*line)(void *self, int index, char text[CAB_STUDY_LINE]);
} cab_study_kind;

extern const cab_study_kind cab_particles_study, cab_planar_study;

/* What the def says of the device, as for a world. */
cab_world_def cab_study_device(const cab_study_def *def);

/* The kind whose scenes have this key; NULL = none. */
const cab_study_kind *cab_study_kind_of(const char *key);
/* The kind of the scene in a file; NULL for cables and for what cannot be read. */
const cab_study_kind *cab_study_of_file(const char *path);

#endif
