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

/* Runs of some sets, each a world of its own: pieces that may be computed in any order, and by several processes. */
typedef struct cab_fit_pieces {
    const double *share; /* [sets][values] of the ranges: what is run; */
    size_t share_size;   /* bytes of a set */
    int sets, batch;     /* piece i has the sets from i * batch on, `batch` of them unless it is the last */
    double *off;         /* [sets][numbers] what comes out of it */
    size_t numbers;      /* of a set */
    char *device;        /* [256] its name, once one has been computed */
    /* Computes a piece. *stop: it has been stopped, off says nothing. */
    cab_status (*compute)(void *of, int piece, bool *stop, cab_error *error);
    void *of;
} cab_fit_pieces;

/* How to run pieces. */
typedef struct cab_fit_sharing {
    int batch; /* sets in a world, at most */
    /* Fills `off` of all pieces. NULL: they are computed one after the other. */
    cab_status (*run)(void *user, const cab_fit_pieces *pieces, bool *stop, cab_error *error);
    void *user;
} cab_fit_sharing;

/* cab_fit() with another way to run pieces. */
cab_status cab_fit_shared(const cab_fit_def *def, const cab_fit_sharing *sharing, cab_fit_found *found,
                          cab_error *error);

typedef struct cab_fit_job {
    const cab_fit_def *def;
    const cab_fit_sharing *sharing;
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
