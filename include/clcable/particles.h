/* clcable: particles in the plane under Lagrange multipliers.
 *
 * A study beside the cable engine: forces, constraints C(x) = 0 solved for multipliers,
 *     J W J^T lambda = -Jdot qdot - J W Q - ks C - kd Cdot,    W = M^-1
 * (A. Witkin, D. Baraff, "Physically Based Modeling", 1997; T. Hurks, J. Aben, "Simulation in CG", 2016), and
 * explicit integrators. docs/methods/particles.md has the formulas. All in doubles; native and OpenCL give
 * the same bits. SI units, y up.
 *
 * A batch is any number of systems that know nothing of each other: a small one is a work-item's, many go at
 * once; a large one can be staged, a launch for each stage of a step. Both ways give the same bits.
 */
#ifndef CLCABLE_PARTICLES_H
#define CLCABLE_PARTICLES_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A point or a direction in the plane; metres unless a field says otherwise. */
typedef struct cab_vec2 {
    double x, y;
} cab_vec2;

/** A particle at the start. */
typedef struct cab_particle_def {
    double mass;       /**< kg, 1e-9 to 1e9 */
    cab_vec2 position; /**< m, each -1e6 to 1e6 */
    cab_vec2 velocity; /**< m/s, each -1e6 to 1e6 */
} cab_particle_def;

typedef enum cab_particle_force_kind {
    CAB_PARTICLE_SPRING = 0, /**< between particles 0 and 1, damped along itself */
    /** Angular springs between the rays from particle 1 to particles 0 and 2. */
    CAB_PARTICLE_ANGLE_GOAL,   /**< ad hoc: springs from both ends to where they would be, turned
                                  symmetrically. Rests at the angle, counted from the first ray on against
                                  the clock */
    CAB_PARTICLE_ANGLE_ENERGY, /**< from C = acos(cosine of the angle) - angle: rests at plus and minus the
                                  angle */
    CAB_PARTICLE_ANGLE_ATAN2,  /**< from C = atan2 - angle, around the circle: rests at the angle only */
    CAB_PARTICLE_EXPRESSION,   /**< the user's own, on particle 0 or all */
    CAB_PARTICLE_FORCE_KINDS
} cab_particle_force_kind;

/** The kind's word: "spring", "angle-goal", "angle-energy", "angle-atan2", "expression". Static storage. */
CAB_API const char *cab_particle_force_name(cab_particle_force_kind kind);

/** A force. Gravity, drag and mouse springs are a system's own. */
typedef struct cab_particle_force_def {
    cab_particle_force_kind kind;
    int particles[3];   /**< as many as the kind has, different ones; an expression's may be -1: all */
    double rest_length; /**< m, of a spring, 0 to 1e6 */
    double angle;       /**< rad, of angular springs, -pi to pi; energy: 0 to pi */
    double stiffness;   /**< ks, 0 to 1e12: N/m of a spring and of goals, N m of energies */
    double damping; /**< kd, 0 to 1e12: N s/m, N m s. Goals are taken as standing still: their springs damp
                       the ends' own velocities */
    const char *fx, *fy; /**< N, expressions of x, y, vx, vy (m, m/s), t (s), m (kg); NULL = 0 */
} cab_particle_force_def;

typedef enum cab_particle_constraint_kind {
    CAB_PARTICLE_ROD_SQUARED = 0, /**< particles 0 and 1: C1 = (l.l - d^2)/2 */
    CAB_PARTICLE_ROD,             /**< C2 = |l| - d */
    CAB_PARTICLE_CIRCLE_SQUARED,  /**< particle 0 on a circle around `point`: C1 */
    CAB_PARTICLE_CIRCLE,          /**< C2 */
    CAB_PARTICLE_ELLIPSE,         /**< |x - point| + |x - point2| = length */
    CAB_PARTICLE_POINT,           /**< particle 0 at `point`; two rows */
    CAB_PARTICLE_LINE,            /**< particle 0 on the line through `point` along `direction` */
    CAB_PARTICLE_N_ELLIPSE,       /**< |x - foci[0]| + ... + |x - foci[focus_count - 1]| = length */
    CAB_PARTICLE_CONSTRAINT_KINDS
} cab_particle_constraint_kind;

/** The kind's word: "rod-squared", "rod", "circle-squared", "circle", "ellipse", "point", "line", "n-ellipse". */
CAB_API const char *cab_particle_constraint_name(cab_particle_constraint_kind kind);

typedef struct cab_particle_constraint_def {
    cab_particle_constraint_kind kind;
    int particles[2];
    double length;        /**< m, 1e-9 to 1e6: of a rod, a radius; of an ellipse its long axis, more than the
                             distance of the two points; of an n-ellipse the sum of distances, more than the
                             least that a place has, up to 1e13 */
    cab_vec2 point;       /**< centre, first focus, place, a point of the line */
    cab_vec2 point2;      /**< second focus */
    cab_vec2 direction;   /**< of a line, any length but 0 */
    const cab_vec2 *foci; /**< of an n-ellipse, m, each -1e6 to 1e6, none where the particle begins; copied.
                             A place counts as often as it is in the list */
    int focus_count;      /**< of an n-ellipse, 1 to 10,000,000; 1: a circle, 2: an ellipse */
} cab_particle_constraint_def;

/** Explicit integrators; the formulas are in host/study/particles/integrators.c. */
typedef enum cab_integrator {
    CAB_INTEGRATOR_EULER = 0,
    CAB_INTEGRATOR_MIDPOINT,
    CAB_INTEGRATOR_LEAPFROG,   /**< velocities live half a step back; forces see those */
    CAB_INTEGRATOR_LEAPFROG_2, /**< asks a second time, with velocities brought to the same time: the midpoint
                                  rule for leapfrog's velocities */
    CAB_INTEGRATOR_RK4,
    CAB_INTEGRATOR_VERLET,            /**< velocity Verlet, two evaluations since forces see velocities */
    CAB_INTEGRATOR_MIDPOINT_VERLET,   /**< the first half step of velocity by midpoint */
    CAB_INTEGRATOR_MIDPOINT_VERLET_2, /**< and the second */
    CAB_INTEGRATOR_COUNT
} cab_integrator;

/** "euler", "midpoint", "leapfrog", "leapfrog-2", "rk4", "verlet", "midpoint-verlet", "midpoint-verlet-2". */
CAB_API const char *cab_integrator_name(cab_integrator integrator);
/** How often a step asks for the acceleration. */
CAB_API int cab_integrator_evaluations(cab_integrator integrator);

/** How multipliers are found. What a solver does not end within its cap, a system that contradicts itself
 * above all, goes to least squares. */
typedef enum cab_particles_solver {
    CAB_PARTICLES_CG = 0,        /**< conjugate gradients */
    CAB_PARTICLES_PCG,           /**< preconditioned (Barrett et al., "Templates", 1994) */
    CAB_PARTICLES_JACOBI,        /**< always from zero */
    CAB_PARTICLES_LEAST_SQUARES, /**< conjugate residuals, always from zero */
    CAB_PARTICLES_SOLVERS
} cab_particles_solver;

/** "cg", "pcg", "jacobi", "least-squares". */
CAB_API const char *cab_particles_solver_name(cab_particles_solver solver);

/** What CAB_PARTICLES_PCG is preconditioned by. */
typedef enum cab_particles_preconditioner {
    CAB_PARTICLES_BLOCK_JACOBI = 0, /**< blocks on the diagonal, of rows that follow one another */
    CAB_PARTICLES_CHOLESKY, /**< incomplete Cholesky in an order of elimination by levels: exact where rods
                               make chains, trees and single loops, so that a solve takes an iteration or two
                               whatever the length; elsewhere numbers outside the pattern are dropped */
    CAB_PARTICLES_PLAIN,    /**< none: conjugate gradients as in "Templates" */
    CAB_PARTICLES_PRECONDITIONERS
} cab_particles_preconditioner;

/** "block-jacobi", "incomplete-cholesky", "none". */
CAB_API const char *cab_particles_preconditioner_name(cab_particles_preconditioner preconditioner);

/** Settings of a system; fill with cab_particles_default(). */
typedef struct cab_particles_settings {
    cab_vec2 gravity;            /**< m/s^2; (0, -9.81) */
    double drag;                 /**< N s/m, of each particle, 0 to 1e9; 0 */
    double position_gain;        /**< ks, 1/s^2, 0 to 1e12; 100 */
    double velocity_gain;        /**< kd, 1/s, 0 to 1e12; 20: critical with ks */
    double step;                 /**< s, 1e-9 to 10; 0.001 */
    cab_integrator integrator;   /**< midpoint-verlet-2 */
    cab_particles_solver solver; /**< cg */
    double tolerance;            /**< of a solve, 0 to 1: |b - A lambda| <= tolerance |b|; 1e-3 */
    bool absolute;               /**< |b - A lambda| <= tolerance instead; false */
    int iterations;              /**< of a solve at most, 1 to 1,000,000; 1000 */
    bool cold;                   /**< solves begin at zero instead of the last multipliers; false */
    int block;                   /**< block-jacobi: rows to a block, 1 to 8; 8. 1: the diagonal */
    double guard;     /**< of CAB_PARTICLE_ANGLE_ENERGY: sqrt(1 + guard - y^2) instead of sqrt(1 - y^2), so
                         that 0 and 180 degrees can be passed, 0 to 10; 0.05 */
    double off_limit; /**< m; a constraint further off stops the system; 0 = none */
    double duration;  /**< s; the system stops there; 0 = none */
    cab_particles_preconditioner preconditioner; /**< pcg; block-jacobi */
} cab_particles_settings;

CAB_API cab_particles_settings cab_particles_default(void);

/** A system: everything is copied. */
typedef struct cab_particles_def {
    const cab_particle_def *particles;
    int particle_count; /**< 0 to 10,000,000 */
    const cab_particle_force_def *forces;
    int force_count;
    const cab_particle_constraint_def *constraints;
    int constraint_count;
    cab_particles_settings settings;
} cab_particles_def;

typedef enum cab_particles_way {
    CAB_PARTICLES_AUTO = 0, /**< staged for one system of more than 2,000 particles, else fused */
    CAB_PARTICLES_FUSED,    /**< a work-item takes a system through whole steps */
    CAB_PARTICLES_STAGED,   /**< a launch per stage, system after system */
    CAB_PARTICLES_CLBLAST   /**< staged, a solve's vectors by CLBlast: an OpenCL device, and a clcable built
                               with it.   Other rounding than the others */
} cab_particles_way;

/** A batch on a device. */
typedef struct cab_particles cab_particles;

/** Puts systems on a device, which must calculate in doubles.
 *
 * @param device  as of a world: device, threads, kernel_dir, cache_dir, log, user; the rest is not used
 * @return CAB_OK; CAB_ERROR_INPUT: the message names the system and, as a JSON pointer, the value;
 *         CAB_ERROR_UNSUPPORTED: a device without doubles; CAB_ERROR_DEVICE, CAB_ERROR_MEMORY.
 *         On success *particles must be freed with cab_particles_destroy()
 */
CAB_API cab_status cab_particles_create(const cab_particles_def *systems, int count, cab_particles_way way,
                                        const cab_world_def *device, cab_particles **particles,
                                        cab_error *error);

/** NULL is allowed. */
CAB_API void cab_particles_destroy(cab_particles *particles);

/** Takes all systems `steps` steps on. One that diverges or passes its off_limit stays where it was before
 * that step; its report says so.
 *
 * @return CAB_OK, CAB_ERROR_DEVICE
 */
CAB_API cab_status cab_particles_step(cab_particles *particles, int steps, cab_error *error);

/** Everything as at the start. What is held by mouse springs is let go, settings stay as they are. */
CAB_API cab_status cab_particles_reset(cab_particles *particles, cab_error *error);

/** The state of a system; either array may be NULL. Leapfrog's velocities are those of half a step ago. */
CAB_API cab_status cab_particles_read(cab_particles *particles, int system, cab_vec2 *position,
                                      cab_vec2 *velocity, cab_error *error);

/** Multipliers of the last solve, one for each row of the constraints (a point has two rows): N for forms in
 * lengths. */
CAB_API cab_status cab_particles_read_multipliers(cab_particles *particles, int system, double *lambda,
                                                  cab_error *error);

typedef enum cab_particles_stop {
    CAB_PARTICLES_RUNS = 0,
    CAB_PARTICLES_DIVERGED,  /**< a coordinate or velocity passed 1e12 */
    CAB_PARTICLES_OFF_LIMIT, /**< a constraint passed off_limit */
    CAB_PARTICLES_ENDED      /**< it reached its duration */
} cab_particles_stop;

/** What a system has come to. */
typedef struct cab_particles_report {
    cab_particles_stop stop;
    int steps;   /**< done */
    double time; /**< s */
    double off;  /**< m; how far the farthest constraint was off at the start of the last step */
    double off_worst;
    int rows;              /**< of all constraints */
    int solves;            /**< for multipliers */
    int iterations;        /**< of all solves */
    int iterations_most;   /**< of one */
    double residual_worst; /**< |b - A lambda| / |b| of one */
    int least_squares;     /**< solves that a solver left to least squares */
    int inconsistent; /**< solves that ended with more than the tolerance: the constraints contradict each
                         other, or the cap is too low */
    double kinetic, potential; /**< J, at the state that cab_particles_read() gives; potential: gravity,
                                  springs, angular springs */
    int capped; /**< of the inconsistent ones: those that the cap of iterations ended. The others'
                   constraints contradict each other */
} cab_particles_report;

CAB_API cab_status cab_particles_get_report(cab_particles *particles, int system,
                                            cab_particles_report *report, cab_error *error);

/** Pulls a particle by a spring of no rest length, from the next step on: moves the spring `hand` when it is
 * there. A system has CAB_PARTICLES_HANDS of them. Unlike other springs it adds energy.
 *
 * @param stiffness  N/m, 0 to 1e12
 * @param damping    N s/m, along the spring, 0 to 1e12
 */
#define CAB_PARTICLES_HANDS 10
CAB_API cab_status cab_particles_pull(cab_particles *particles, int system, int hand, int particle,
                                      cab_vec2 point, double stiffness, double damping, cab_error *error);
CAB_API cab_status cab_particles_let_go(cab_particles *particles, int system, int hand, cab_error *error);

/** Other settings from the next step on. */
CAB_API cab_status cab_particles_change(cab_particles *particles, int system,
                                        const cab_particles_settings *settings, cab_error *error);

/** What a system's constraints are at its start, worked out on the host with a dense matrix. */
typedef struct cab_particles_facts {
    int rows;
    int rank;             /**< of J W J^T; -1: more than 500 rows, not worked out */
    double off;           /**< m; how far the farthest constraint is off */
    double contradiction; /**< |part of C that no motion changes| over |C|: 0, or constraints contradict each
                             other (to first order); -1: not worked out */
} cab_particles_facts;

CAB_API cab_status cab_particles_examine(const cab_particles_def *system, cab_particles_facts *facts,
                                         cab_error *error);

#ifdef __cplusplus
}
#endif
#endif
