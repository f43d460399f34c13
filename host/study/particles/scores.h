/* The experiments of T. Hurks and J. Aben: how far each integrator can be pushed. What they leave open is
 * chosen here and told. */
#ifndef CAB_STUDY_SCORES_H
#define CAB_STUDY_SCORES_H

#include <clcable/particles.h>

/* What the paper has of an integrator; 0 = nothing. */
typedef struct cab_paper_score {
    double pendulum; /* largest stable step, in Euler's */
    double ellipse;  /* m/s */
} cab_paper_score;
extern const cab_paper_score cab_paper_scores[CAB_INTEGRATOR_COUNT];

/* What was found of an integrator. */
typedef struct cab_integrator_score {
    double step;           /* s; the largest stable one of pendulums, rods of form C2 */
    double step_squared;   /* s; the same of form C1 */
    double step_damped;    /* s; the same of form C2 with cab_pendulum_damped() */
    double circle;         /* s; the largest step that comes to the wire from within a circle of form C2 */
    double circle_squared; /* s; the same of form C1 */
    double speed;          /* m/s; the largest that stays on the ellipse */
    double drag;           /* N s/m; that keeps it constant */
    double order;          /* of convergence; cab_compare_orders() */
} cab_integrator_score;

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

/* Gains 25 1/s^2 and 10 1/s: what swings limits the step. */
cab_pendulum_setup cab_pendulum_default(void);
/* The same with gains 100 1/s^2 and 40 1/s: an error of a rod decays at about 37 1/s, which limits the step. */
cab_pendulum_setup cab_pendulum_damped(void);
/* A particle at rest inside a circle that it is to be on. */
typedef struct cab_circle_setup {
    double radius, inside; /* m; how far inside it begins */
    double mass;           /* kg */
    double position_gain, velocity_gain;
    double duration;  /* s */
    double off_limit; /* m; at the end */
    bool squared;     /* form C1 instead of C2 */
} cab_circle_setup;

cab_ellipse_setup cab_ellipse_default(void);
cab_circle_setup cab_circle_default(void);

/* The largest stable step of each integrator, s, to 3 %. */
cab_status cab_score_pendulum(const cab_pendulum_setup *setup, const cab_world_def *device,
                              double steps[CAB_INTEGRATOR_COUNT], cab_error *error);
/* The largest step of each integrator with which the particle is on the circle in the end, s, to 3 %. */
cab_status cab_score_circle(const cab_circle_setup *setup, const cab_world_def *device,
                            double steps[CAB_INTEGRATOR_COUNT], cab_error *error);
/* The largest speed of each integrator, to 3 %, and the drag that kept it constant. */
cab_status cab_score_ellipse(const cab_ellipse_setup *setup, const cab_world_def *device,
                             cab_integrator_score scores[CAB_INTEGRATOR_COUNT], cab_error *error);

#endif
