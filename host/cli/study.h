/* The studies. Stiffness: methods by iterations by time steps. */
#ifndef CAB_STUDY_H
#define CAB_STUDY_H

#include <clcable/clcable.h>

#include "cli/options.h"
#include "io/file.h"

enum { CAB_STUDY_METHODS = 3, CAB_STUDY_ITERATIONS = 3, CAB_STUDY_STEPS = 3 };

/* How a method is set up: its own words for "the same cable". */
typedef struct cab_study_method {
    cab_method method;
    double stiffness, double_stiffness; /* pbd; 1 = not used */
} cab_study_method;

extern const cab_study_method cab_study_methods[CAB_STUDY_METHODS];
extern const int cab_study_iterations[CAB_STUDY_ITERATIONS];
extern const double cab_study_steps[CAB_STUDY_STEPS]; /* s */

/* One run: where the cable was at the study's time. */
typedef struct cab_study_run {
    double (*at)[3];     /* [nodes] m */
    double stretch_max;  /* of a segment's rest length */
    double stretch_mean; /* of the whole: length over rest length, less 1 */
    double swing;        /* degrees that the free half has turned against the held half since the start */
    double off;          /* m, mean distance of its particles from those of xpbd's last run */
} cab_study_run;

typedef struct cab_study {
    int nodes;
    double time;        /* s */
    double length;      /* m, rest length */
    double (*start)[3]; /* [nodes] m */
    cab_study_run run[CAB_STUDY_METHODS][CAB_STUDY_STEPS][CAB_STUDY_ITERATIONS];
} cab_study;

/* study_write.c: a folder, made when it is not there, and a file in it, complete or not there, with what
 * `content` writes of `of`. */
typedef void cab_study_content(cab_file *file, const void *of);
cab_status cab_study_make_folder(const char *folder, cab_error *error);
cab_status cab_study_write_file(const char *folder, const char *name, cab_study_content *content,
                                const void *of, cab_error *error);

/* study_write.c: positions.csv, stiffness.csv and a picture NAME.svg of each method into `folder`, which is
 * made when it is not there. */
cab_status cab_study_write(const cab_study *study, const char *folder, cab_error *error);

/* study_particles.c: `clcable study particles`; returns the exit code. */
int cab_study_particles(const cab_options *options);

#endif
