/* clcable study stiffness: methods by iterations by time steps. */
#ifndef CAB_STUDY_STIFFNESS_H
#define CAB_STUDY_STIFFNESS_H

#include <clcable/clcable.h>

enum {
    CAB_STIFFNESS_METHODS = 3,
    CAB_STIFFNESS_ITERATIONS = 3,
    CAB_STIFFNESS_STEPS = 3,
    CAB_STIFFNESS_OF_METHOD = CAB_STIFFNESS_STEPS * CAB_STIFFNESS_ITERATIONS,
    CAB_STIFFNESS_RUNS = CAB_STIFFNESS_METHODS * CAB_STIFFNESS_OF_METHOD
};

/* How a method is set up: its own words for "the same cable". */
typedef struct cab_stiffness_method {
    cab_method method;
    double stiffness, double_stiffness; /* pbd; 1 = not used */
} cab_stiffness_method;

/* One run: where the cable was at the study's time. */
typedef struct cab_stiffness_run {
    const cab_stiffness_method *method;
    double step; /* s */
    int iterations;
    double (*at)[3];     /* [nodes] m */
    double stretch_max;  /* of a segment's rest length */
    double stretch_mean; /* of the whole: length over rest length, less 1 */
    double swing;        /* degrees that the free half has turned against the held half since the start */
    double off;          /* m, mean distance of its particles from those of xpbd's last run */
} cab_stiffness_run;

typedef struct cab_stiffness {
    int nodes;
    double time;                                /* s */
    double length;                              /* m, rest length */
    double (*start)[3];                         /* [nodes] m */
    cab_stiffness_run runs[CAB_STIFFNESS_RUNS]; /* method by method, step by step, by iterations */
} cab_stiffness;

/* study_stiffness_write.c: positions.csv, stiffness.csv and a picture NAME.svg of each method into `folder`, which is
 * made when it is not there. */
cab_status cab_stiffness_write(const cab_stiffness *study, const char *folder, cab_error *error);

#endif
