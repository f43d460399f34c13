/* A run from the scene file to the last output. */
#ifndef CAB_RUN_H
#define CAB_RUN_H

#include <stdbool.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "envelope/motion.h"
#include "io/output.h"
#include "io/report.h"

typedef struct cab_run {
    const cab_options *options;
    const char *path;             /* of the scene */
    const cab_output_kind *extra; /* kind of output beside the library's; NULL = none */
    bool forces;                  /* measure what attachments bear, where the way can */
    /* With --settle: shown the world as it is drawn, before rest is sought; NULL = nobody is. */
    cab_status (*drawn)(void *user, cab_world *world, cab_error *error);
    void *user;
    cab_scene *scene;
    cab_world *world;
    cab_output *
        *outputs; /* [output_count] those of -o, then those of --probes, --bodies, --sockets; NULL = closed */
    int output_count;
    cab_envelope envelope;    /* --envelope, as the next two */
    cab_motion motion;        /* what is taken up of it */
    cab_report_envelope told; /* when `report.envelope` is set */
    char **warnings;
    int warning_count;
    cab_progress progress;
    cab_report report;
    char diverged[256]; /* name of the cable */
    int first;          /* frame that the run begins with: 0, or where --resume takes it up */
    int frames;         /* wanted, from frame 0 on */
    int saved;          /* frame of the last checkpoint; -1 = none */
    bool calm;          /* --release: nothing moves any more */
    bool has_rest;      /* --settle has been carried out, with this result: */
    cab_equilibrium rest;
    bool interrupted;
    double started; /* s, clock */
    double memory;  /* bytes of its own that the program had taken then */
    cab_status status;
    cab_error error; /* when status is not CAB_OK */
} cab_run;

/* Does it all; returns the exit code. The error, if any, has been printed. */
int cab_run_all(cab_run *run);
void cab_run_free(cab_run *run);

/* A rest was sought and not found. */
bool cab_run_is_unsettled(const cab_run *run);

/* picture_options.c: pictures as outputs of `run`, the kind for .png, .mp4 and .gif as they come by default; without the
 * viewer, what says that they are not in this build. */
const cab_output_kind *cab_cli_pictures(void);

/* run_print.c: the summary line, the details of --verbose. */
void cab_run_print_start(const cab_run *run);
void cab_run_print_stages(const cab_run *run);
/* A warning where devices were to share the world, and could not. */
void cab_run_print_devices(const cab_run *run);
void cab_run_print_events(const cab_run *run);
void cab_run_print_summary(const cab_run *run);
/* Bytes that the program has taken at most until now, beside the pages of its own files that are in memory. */
double cab_run_own_memory(void);
void cab_run_print_interrupted(const cab_run *run);

#endif
