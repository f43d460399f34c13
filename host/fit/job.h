/* A fit: numbers of scenes that bring them nearest to tracks. The search itself (fit/fit.h) knows of no scenes. */
#ifndef CAB_FIT_JOB_H
#define CAB_FIT_JOB_H

#include "fit/fit.h"

/* A motion that was measured, and where it lies among the residuals. */
typedef struct cab_fit_clip_job {
    cab_fit_clip given; /* with a name for what has none */
    int index;
    int fitted; /* of its samples, the first ones */
    int first;  /* of its residuals */
    int first_block;
} cab_fit_clip_job;

typedef struct cab_fit_job {
    const cab_fit_def *def;
    cab_fit_found *found;
    cab_fit_clip_job *clips; /* [clip_count] */
    int residuals, blocks;
    int measured; /* coordinates that are fitted: residuals but those that were not measured */
    int *block;
    cab_fit_result result;
} cab_fit_job;

/* run.c: cab_fit_run of a job. */
cab_fit_run cab_fit_job_run;
/* Runs it once with what was found, and tells how far all clips are off. */
cab_status cab_fit_job_judge(cab_fit_job *job, cab_error *error);

/* found.c: fills values, correlation and warnings. */
cab_status cab_fit_job_tell(const cab_fit_job *job, cab_error *error);

#endif
