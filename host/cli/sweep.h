/* Variants of a scene, run side by side. */
#ifndef CAB_SWEEP_H
#define CAB_SWEEP_H

#include <stdbool.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/vary.h"

/* What a variant comes out as: columns of the table, in this order. */
typedef enum cab_result {
    CAB_RESULT_TENSION =
        0, /* N, the largest of the run, at its start and the ends of frames; so are the next three */
    CAB_RESULT_STRETCH,     /* |l - l0| / l0 */
    CAB_RESULT_BEND_RADIUS, /* m, the smallest; INFINITY = straight */
    CAB_RESULT_PENETRATION, /* m */
    CAB_RESULT_SAG,         /* m, of the last frame: how far a cable hangs below the line between its ends */
    CAB_RESULT_END_X,       /* m, of the last frame: the end of the first cable; 0 without cables */
    CAB_RESULT_END_Y,
    CAB_RESULT_END_Z,
    CAB_RESULT_BROKEN, /* attachments that broke or let go */
    CAB_RESULT_COUNT
} cab_result;

/* "tension_max", ... */
const char *cab_result_name(cab_result result);

typedef enum cab_variant_status {
    CAB_VARIANT_NOT_RUN = 0,
    CAB_VARIANT_OK,
    CAB_VARIANT_DIVERGED
} cab_variant_status;

typedef struct cab_variant {
    cab_variant_status status;
    int diverged_frame;
    double result[CAB_RESULT_COUNT]; /* when it is ok */
} cab_variant;

typedef struct cab_sweep {
    const cab_options *options;
    const char *path; /* of the scene */
    cab_plan plan;
    cab_variant *variants; /* [plan.variant_count] */
    int batch_size;        /* variants in a world, at most */
    char device[256];
    int worlds;  /* that were stepped to the end or to a divergence */
    double wall; /* s */
    bool interrupted;
} cab_sweep;

/* sweep_run.c: runs all variants, those with the same settings in one world. Returns the exit code so far,
 * after a message. */
int cab_sweep_run(cab_sweep *sweep);

/* sweep_write.c: percentiles to standard output; the table and the report as files. Returns the exit code. */
void cab_sweep_print(const cab_sweep *sweep);
int cab_sweep_write(const cab_sweep *sweep);

#endif
