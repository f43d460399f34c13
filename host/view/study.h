/* A study in the plane, particles or planar bodies, in motion: what pictures and the viewer need of one. */
#ifndef CAB_STUDY_VIEW_H
#define CAB_STUDY_VIEW_H

#include <clcable/particles.h>

#include "view/subject.h"

/* How a scene is opened. */
typedef struct cab_study_def {
    const char *path;
    const char *const *overrides; /* POINTER=VALUE, as `--set` */
    int override_count;
    const char *device; /* these three as of cab_world_def */
    int threads;
    const char *kernel_dir;
    long frames, substeps, iterations; /* of the command line; 0 = the scene's; so is the next */
    double duration;                   /* s */
    const char *compare;               /* NULL, or what is shown in all its ways side by side: "pinch" */
} cab_study_def;

/* Something that can be switched while the study runs. */
typedef struct cab_choice {
    const char *name;
    const char *words[12];
    int count; /* of words; 0 = a number */
    int now;   /* index of the word */
    double number, least, most;
} cab_choice;

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
} cab_study_kind;

extern const cab_study_kind cab_particles_study, cab_planar_study;

/* The kind whose scenes have this key; NULL = none. */
const cab_study_kind *cab_study_kind_of(const char *key);

#endif
