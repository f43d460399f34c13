/* clcable fit: numbers of a scene that make it come nearest to measured tracks. */
#ifndef CAB_CLI_FIT_H
#define CAB_CLI_FIT_H

#include "cli/options.h"
#include "fit/fit.h"
#include "io/tracks.h"

/* A --find. */
typedef struct cab_sought {
    char *pointer;
    cab_fit_range range;
} cab_sought;

/* How far the scene is from the tracks. */
typedef struct cab_fit_error {
    int numbers;
    double mean,
        root; /* m a coordinate: the mean of what it is off by, without sign, and the root of the mean square */
} cab_fit_error;

/* A motion that was measured, and the scene of it. */
typedef struct cab_clip_of_fit {
    const char *scene, *file;
    cab_tracks tracks;
    double until; /* s; what is later is held out */
    int fitted;   /* of the tracks' samples, the first ones */
    int first;    /* of its residuals */
    int first_block;
    cab_fit_error error[2]; /* with what was found: of what was fitted, and of what was held out */
} cab_clip_of_fit;

typedef struct cab_fit_job {
    const cab_options *options;
    cab_sought sought[CAB_FIT_VALUES];
    int count;
    cab_clip_of_fit *clips;
    int clip_count;
    int residuals, blocks;
    int measured; /* coordinates that are fitted: residuals but those that were not measured */
    int *block;
    cab_fit_result result;
    char device[256];
    double wall; /* s */
} cab_fit_job;

/* fit_run.c: cab_fit_run of a job; the first message about a scene goes into the error. */
cab_fit_run cab_fit_job_run;
/* Runs it once with what was found, and fills the errors of all clips. */
cab_status cab_fit_job_judge(cab_fit_job *job, cab_error *error);
/* The text of an override: POINTER=VALUE, of twelve digits; to be freed, NULL without memory. */
char *cab_fit_override(const cab_sought *sought, double share);

/* fit_write.c */
void cab_fit_print(const cab_fit_job *job);
cab_status cab_fit_write_report(const cab_fit_job *job, const char *path, cab_error *error);

#endif
