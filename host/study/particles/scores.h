/* The experiments of T. Hurks and J. Aben: how far each integrator can be pushed. What they leave open is
 * chosen here and told. */
#ifndef CAB_STUDY_SCORES_H
#define CAB_STUDY_SCORES_H

#include <clcable/particles.h>

/* Of the paper; 0 where it has none. Pendulum: Euler = 1. */
extern const double cab_scores_paper_pendulum[CAB_INTEGRATOR_COUNT];
extern const double cab_scores_paper_ellipse[CAB_INTEGRATOR_COUNT];

/* What was chosen. */
typedef struct cab_pendulum_setup {
    int chains;       /* of 1, 2, ... rods */
    double rod, mass; /* m, kg */
    double angle;     /* rad, out of the vertical at the start */
    double drag;      /* N s/m */
    double position_gain, velocity_gain;
    double duration;  /* s */
    double off_limit; /* m */
    bool squared;     /* rods of form C1 instead of C2 */
} cab_pendulum_setup;

typedef struct cab_ellipse_setup {
    double step; /* s */
    double mass; /* kg */
    double position_gain, velocity_gain;
    double duration;   /* s */
    double off_limit;  /* m */
    double speed_kept; /* share of the speed by which it may have changed at the end */
} cab_ellipse_setup;

cab_pendulum_setup cab_pendulum_default(void);
cab_ellipse_setup cab_ellipse_default(void);

/* The largest stable step of each integrator, to 3 %. */
cab_status cab_score_pendulum(const cab_pendulum_setup *setup, const cab_world_def *device, double *steps,
                              cab_error *error);
/* The largest speed of each integrator, to 3 %, and the drag that kept it constant. */
cab_status cab_score_ellipse(const cab_ellipse_setup *setup, const cab_world_def *device, double *speeds,
                             double *drags, cab_error *error);

#endif
