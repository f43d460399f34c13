/* Particles under Lagrange multipliers, in the plane: what host and kernels share. Everything is in doubles.
 *
 * A batch is any number of systems, one after the other in each buffer. A system's part of the buffers
 * particles_table and particles_work is cut up by the offsets in its record.
 */
#ifndef CAB_PARTICLES_TYPES_H
#define CAB_PARTICLES_TYPES_H

#include "../dialect.h"

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define CAB_P_MICE 10       /* mouse springs of a system, at most: a hand has five fingers */
#define CAB_P_EVALUATIONS 4 /* of the acceleration in a step, at most */
#define CAB_P_BLOCK_MAX 8   /* rows of a block of the preconditioner, at most */
#define CAB_P_PART 256      /* numbers that one work-item sums up; a sum is the sum of such parts */

/* Forces. */
#define CAB_P_SPRING 0       /* a, b: damped spring of a rest length */
#define CAB_P_ANGLE_GOAL 1   /* a, b, c: springs to where the ends would be, turned symmetrically */
#define CAB_P_ANGLE_ENERGY 2 /* a, b, c: from C = acos(y) - theta0 */
#define CAB_P_ANGLE_ATAN2 3  /* a, b, c: from C = atan2 - theta0 */
#define CAB_P_EXPRESSION 4   /* a: fx and fy as expressions of x, y, vx, vy, t, m */

/* Constraints. */
#define CAB_P_ROD_SQUARED 0    /* C1 = (l.l - d^2) / 2, l from b to a */
#define CAB_P_ROD_LENGTH 1     /* C2 = |l| - d */
#define CAB_P_CIRCLE_SQUARED 2 /* the same of a particle and a centre */
#define CAB_P_CIRCLE_LENGTH 3
#define CAB_P_ELLIPSE 4   /* |l1| + |l2| - r, from two centres */
#define CAB_P_POINT 5     /* x - c; two rows */
#define CAB_P_LINE 6      /* (x - b) across a direction */
#define CAB_P_N_ELLIPSE 7 /* |l1| + ... + |ln| - r, from n foci */

/* Solvers. */
#define CAB_P_CG 0     /* conjugate gradients; the residual made anew every CAB_P_REFRESH iterations */
#define CAB_P_PCG 1    /* preconditioned (Templates for the Solution of Linear Systems, 2.3.1) */
#define CAB_P_JACOBI 2 /* iterations begin at zero in each solve */
#define CAB_P_LEAST 3  /* conjugate residuals: least squares, even if constraints contradict each other */
#define CAB_P_REFRESH 64

/* Preconditioners of CAB_P_PCG. */
#define CAB_P_NONE 0
#define CAB_P_BLOCKS 1   /* blocks on the diagonal */
#define CAB_P_CHOLESKY 2 /* incomplete Cholesky; cholesky.h */

/* The vectors of a system that have a number for each row of the constraints. */
#define CAB_P_LAMBDA 0 /* multipliers */
#define CAB_P_B 1      /* right side */
#define CAB_P_R 2      /* residual */
#define CAB_P_P 3      /* direction of search */
#define CAB_P_Q 4      /* A p */
#define CAB_P_W 5      /* preconditioned residual; least squares: A r */
#define CAB_P_BIAS 6   /* -Jdot qdot - ks C - kd Cdot */
#define CAB_P_OFF 7    /* m; how far the constraint is off */
#define CAB_P_VECTORS 8

/* The argument of a staged launch: what the stage itself takes, and the number of the system. */
#define CAB_P_ARGUMENT(own, system) ((own) | (system) << 16)
#define CAB_P_OWN_OF(argument) ((argument)&0xffff)
#define CAB_P_SYSTEM_OF(argument) ((argument) >> 16)

/* What stages take of vectors: `sums` the four of two dot products a.b and c.d; `direct` the one that it
 * adds, and the one that it changes. */
#define CAB_P_DOTS(a, b, c, d) ((a) | (b) << 3 | (c) << 6 | (d) << 9)
#define CAB_P_FROM_INTO(from, into) ((from) | (into) << 3)
#define CAB_P_VECTOR_OF(own, place) ((own) >> (3 * (place)) & 7)

/* Where multipliers begin: at zero, but ... */
#define CAB_P_FROM_LAST 0 /* ... where the last solve ended */
#define CAB_P_FROM_HERE 1 /* ... where this one stands, unless `anew` */

/* Stages that run once for a system: they add up the parts' sums, and decide by the sums. */
#define CAB_P_ONCE_RIGHT_SIDE 0  /* parts: b.b */
#define CAB_P_ONCE_START 1       /* r.r, r.w */
#define CAB_P_ONCE_ALPHA 2       /* p.q, p.p */
#define CAB_P_ONCE_BETA 3        /* r.r, r.w */
#define CAB_P_ONCE_RESIDUAL 4    /* r.r; Jacobi */
#define CAB_P_ONCE_LEAST_START 5 /* r.A r, r.r */
#define CAB_P_ONCE_LEAST_ALPHA 6 /* q.q */
#define CAB_P_ONCE_LEAST_BETA 7  /* r.A r, r.r */
#define CAB_P_ONCE_SOLVE 8       /* from here on also of a solve that is done: a solve begins */
#define CAB_P_ONCE_LEAST 9       /* the solver has ended: is least squares needed? */
#define CAB_P_ONCE_SOLVED 10     /* the solve ends */
#define CAB_P_ONCE_STEP 11       /* a step ends: the largest number and the largest distance */
#define CAB_P_ONCE_END 12        /* was this the last step? */

/* Why a system has stopped. */
#define CAB_P_GOES_ON 0
#define CAB_P_DIVERGED 1  /* its numbers grew without bound; its state is the last good one */
#define CAB_P_OFF_LIMIT 2 /* a constraint is further off than off_limit */
#define CAB_P_ENDED 3     /* it has reached its duration */

typedef struct cab_p_mouse {
    double x, y;               /* m */
    double stiffness, damping; /* N/m, N s/m */
} cab_p_mouse;

typedef struct cab_p_system {
    double gravity_x, gravity_y;         /* m/s^2 */
    double drag;                         /* N s/m, of each particle */
    double position_gain, velocity_gain; /* ks 1/s^2, kd 1/s */
    double step;                         /* s */
    double tolerance;                    /* of a solve: |r| over |b|, or |r| when `absolute` */
    double guard;                        /* in sqrt(1 + guard - y^2) of CAB_P_ANGLE_ENERGY */
    double off_limit;                    /* m; 0 = none */
    double duration;                     /* s; 0 = for ever */
    cab_p_mouse mouse[CAB_P_MICE];
    int mouse_particle[CAB_P_MICE];   /* -1 = none */
    int integrator, first_integrator; /* tableaus; the latter of the first step */
    int solver, preconditioner, block_size;
    int cap;            /* iterations of a solve */
    int absolute, cold; /* 0 or 1; cold: from zero instead of the last multipliers */
    int particles, forces, constraints, rows, entries, blocks, parts;
    /* first index in the buffers */
    int particle, force, constraint, table, work;
    /* in the table: CSR of J and of its transpose, forces by particle */
    int row_start, column, column_start, transpose, incident_start, incident;
    /* in work */
    int x, v, at_x, at_v, acceleration, force_sum, spread, vectors, jacobian, factor, push, partial;
    int mice;      /* mouse springs to look at */
    int sum_parts; /* parts of a dot product */
    int levels;    /* of the elimination; cholesky.h */
    int slots;     /* numbers of L below its diagonal */
    /* in the table: [levels + 1], [rows], [rows + 1], [slots], [rows + 1], [slots][2], [slots + 1], [][2] */
    int level_start, row_of, later_start, later, earlier_start, earlier, update_start, update;
} cab_p_system;

/* A system's progress, and the scalars of its solver. */
typedef struct cab_p_report {
    double time;             /* s */
    double rho, alpha, beta; /* the scalars of conjugate gradients, by their usual names */
    double rr, bb;
    double scale;          /* CG: the largest p.A p / p.p; least squares: rho at the start */
    double residual_worst; /* |r| over |b| of all solves */
    double off, off_worst; /* m; the farthest constraint, at the start of the last step and of all steps */
    double speed;          /* m/s or m: the largest coordinate or velocity after the last step */
    int steps, fresh;      /* fresh: the next step is a first one */
    int stopped;           /* CAB_P_DIVERGED and so on */
    int done;              /* the solve has ended */
    int broke;             /* it ended without an answer */
    int iterations;        /* of this solve */
    int iterations_most, iterations_sum;
    int solves;
    int least;        /* solves that went to least squares */
    int inconsistent; /* of those: left with more than the tolerance */
    int capped;       /* of those: where the cap ended least squares, too */
    int anew; /* iterations begin at zero: Jacobi; least squares, unless the cap ended a solver on its way */
    int padding;
} cab_p_report;

typedef struct cab_p_force {
    double rest;                /* m */
    double stiffness, damping;  /* N/m, N s/m; of angles N m, N m s; to goals N/m, N s/m */
    double cosine, sine, angle; /* of the rest angle */
    int kind;
    int a, b, c;
    int first_x, count_x, first_y, count_y; /* operations of fx, fy */
} cab_p_force;

typedef struct cab_p_constraint {
    double length; /* d, r */
    double x, y;   /* centre, point, point of a line */
    double x2, y2; /* second centre; unit direction of a line */
    int kind, a, b;
    int row;               /* its first */
    int entry;             /* its first in J */
    int first_focus, foci; /* of an n-ellipse, in particles_focus */
    int padding;
} cab_p_constraint;

/* An integrator. State k at which the acceleration is asked for, k = 0 ... evaluations - 1, and the end of
 * the step, k = CAB_P_EVALUATIONS, with h the step and x, v the state at its start:
 *     x_k = x + time[k] h v + h^2 sum_j place[k][j] a_j
 *     v_k = v + h sum_j speed[k][j] a_j
 */
typedef struct cab_p_tableau {
    double time[CAB_P_EVALUATIONS + 1];
    double place[CAB_P_EVALUATIONS + 1][CAB_P_EVALUATIONS];
    double speed[CAB_P_EVALUATIONS + 1][CAB_P_EVALUATIONS];
    int evaluations;
    int padding;
} cab_p_tableau;

/* An operation of an expression: as cab_own_op, in doubles. */
typedef struct cab_p_op {
    double value;
    int op, a, b, c;
} cab_p_op;

#ifndef __OPENCL_VERSION__
_Static_assert(sizeof(cab_p_system) == 640, "shared with kernels");
_Static_assert(sizeof(cab_p_report) == 144, "shared with kernels");
_Static_assert(sizeof(cab_p_force) == 80, "shared with kernels");
_Static_assert(sizeof(cab_p_constraint) == 72, "shared with kernels");
_Static_assert(sizeof(cab_p_tableau) == 368, "shared with kernels");
_Static_assert(sizeof(cab_p_op) == 24, "shared with kernels");
#endif
#endif
