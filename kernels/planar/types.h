/* Planar bodies and cable joints: what host and kernels share. Everything is in doubles.
 *
 * A batch is any number of scenes, one after the other in each buffer; where its part of a buffer begins says
 * the scene's record. Structs hold doubles and then pairs of ints, so that both compilers lay them out alike.
 *
 * Doubles, since no cable may be lost: rest and stored lengths are added to and taken from each other many
 * times a step. docs/methods/planar.md has what floats did.
 */
#ifndef CAB_PLANAR_TYPES_H
#define CAB_PLANAR_TYPES_H

#include "../dialect.h"

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef double cab_pr;

#define CAB_PL_CORNERS 8   /* of a polygon, at most */
#define CAB_PL_REST_TIME 1 /* s; so long must what falls asleep have rested */
#define CAB_PL_BUFFER 1e-5 /* m; what a joint that pinches gets of stored cable, so that it stays */

/* The stages of a step, in their order: X(word). */
#define CAB_PL_STAGES(X)                                                                                     \
    X(update_segments)                                                                                       \
    X(remove_joints)                                                                                         \
    X(segment_intersections)                                                                                 \
    X(add_joints)                                                                                            \
    X(pinch_broad)                                                                                           \
    X(pinch_narrow)                                                                                          \
    X(pinch_confirm)                                                                                         \
    X(configure_pinch)                                                                                       \
    X(sliding_update)                                                                                        \
    X(segments_init)                                                                                         \
    X(contacts_init)                                                                                         \
    X(solver)                                                                                                \
    X(slack)                                                                                                 \
    X(sleep)

#define CAB_PL_STAGE_ENUM(word) CAB_PL_STAGE_##word,
enum { CAB_PL_STAGES(CAB_PL_STAGE_ENUM) CAB_PL_STAGE_COUNT };
#define CAB_PL_ALL_STAGES ((1 << CAB_PL_STAGE_COUNT) - 1)

/* The argument of a launch: which stages of a step it runs, a bit each, and how many steps. */
#define CAB_PL_ARGUMENT(stages, steps) ((steps) << CAB_PL_STAGE_COUNT | (stages))
#define CAB_PL_HAS_STAGE(argument, stage) ((argument) >> (stage)&1)
#define CAB_PL_STEPS_OF(argument) ((argument) >> CAB_PL_STAGE_COUNT)

/* What a cable does where bodies pinch it. */
#define CAB_PL_PINCH_OFF 0         /* nothing: bodies meet through it */
#define CAB_PL_PINCH_CONTACT_OFF 1 /* it is led between them, but keeps them no distance apart */
#define CAB_PL_PINCH_FULL 2        /* and keeps them its width apart */

/* What pulls a body: a spring between a point of it and a place, with damping. */
typedef struct cab_pl_hand {
    cab_pr px, py; /* m; from the body's centre, turning with it */
    cab_pr tx, ty; /* m; the place */
    cab_pr rate;   /* rad/s; of the body at the spring */
    cab_pr most;   /* N */
    cab_pr ix, iy; /* impulse of the last substep, N s */
    int body, pad; /* -1 = nothing is pulled */
} cab_pl_hand;

/* A scene: its part of the buffers, what it is stepped with, what came out. */
typedef struct cab_pl_scene {
    cab_pr step;              /* s */
    cab_pr gx, gy;            /* gravity, m/s^2 */
    cab_pr skin;              /* contacts are looked for up to this gap, m */
    cab_pr slop;              /* depth of contact that is left alone, m */
    cab_pr push_out;          /* fastest that an overlap is pushed apart, m/s */
    cab_pr restitution_speed; /* slower than this nothing bounces, m/s */
    cab_pr max_speed;         /* of a body, m/s */
    cab_pr pinch_friction;    /* mu theta of a joint that pinches a wrapped cable */
    cab_pr width;             /* half of the widest cable's, m */
    cab_pr rest;              /* what does not go farther rests, m */
    cab_pl_hand hand;
    int body, bodies; /* first, count; so are the pairs below */
    int corner, corners;
    int cable, cables;
    int joint, joint_room;
    int contact, contact_room; /* two lists of this room: this step's and the last one's */
    int pair, pair_room;
    int cell, cell_room;
    int substeps, iterations;
    int pinch;             /* CAB_PL_PINCH_... */
    int chain, chain_room; /* segments that may be subdivided at once */
    int node, pieces;      /* of such a segment; 0 = none is */
    int list;              /* 0 or 1: which list of contacts is this step's */
    /* counts of the last step */
    int joints, segments;
    int rows, hits, splits, pairs;
    int contacts;       /* of all kinds */
    int near_contacts;  /* that the narrow phase found */
    int pinch_contacts; /* pairs of bodies with a cable between them */
    int transitional;   /* pinched segments from one wrap to the next */
    int non_transitional;
    int old_contacts;
    int free_joint;     /* list of unused joints; -1 = none */
    int dropped;        /* joints, pairs and contacts that there was no room for, over all steps */
    int added, removed; /* joints, over all steps */
    int merged;         /* pairs of joints made one, over all steps */
    int sleep;          /* 1 = what rests falls asleep */
    int asleep;         /* bodies */
    int all_asleep;     /* 1 = a step would change nothing */
    int kept_contacts;  /* of those that sleep, after the others in the list */
    int islands,
        swept;       /* of what is solved together, and of those that are left to the sweeps in this step */
    int listed, pad; /* 1 = what is in them is known in this substep */
} cab_pl_scene;

/* What the solver turns over: a cache line a body. */
typedef struct cab_pl_motion {
    cab_pr x, y, angle;     /* m, m, rad; centre of mass */
    cab_pr vx, vy, w;       /* m/s, m/s, rad/s */
    cab_pr inverse_mass;    /* 1/kg; 0 = static, or on an axle */
    cab_pr inverse_inertia; /* 1/(kg m^2); 0 = does not turn by itself */
} cab_pl_motion;

#define CAB_PL_BODY_CABLES 1   /* cables run against it */
#define CAB_PL_BODY_COLLIDES 2 /* it meets other bodies */
#define CAB_PL_BODY_ASLEEP 4   /* it stays as it is */

typedef struct cab_pl_body {
    cab_pr c, s;                       /* cosine and sine of the angle */
    cab_pr x0, y0, c0, s0;             /* at the start of the step */
    cab_pr fx, fy, torque;             /* N, N m */
    cab_pr motor_speed;                /* rad/s */
    cab_pr motor_torque;               /* N m, at most; 0 = none */
    cab_pr motor_impulse;              /* N m s */
    cab_pr linear_damping;             /* 1/s */
    cab_pr angular_damping;            /* 1/s */
    cab_pr friction;                   /* Coulomb, against bodies */
    cab_pr cable_friction;             /* Coulomb, against cables; negative = a cable never slides on it */
    cab_pr restitution;                /* 0 to 1 */
    cab_pr radius;                     /* m; round the corners */
    cab_pr edges;                      /* sum of the edges, m */
    cab_pr gravity;                    /* factor of it */
    cab_pr push_x, push_y, push_w;     /* work */
    cab_pr reach;                      /* m; the farthest of its points from the centre */
    cab_pr rest_x, rest_y, rest_angle; /* where it was when it was seen to move */
    cab_pr still;                      /* s; since then */
    int island, busy;                  /* its first body; it may not sleep */
    int corner, corners;
    int flags, group;  /* bodies of one group, other than 0, do not meet */
    int first_joint;   /* list of the joints on it */
    int first_contact; /* list of the last step's contacts whose first body it is */
    int first_end;     /* list of the ends of contacts and segments at it */
    int mark;          /* 1 + island of what is solved together; 0 = none; less, its order is being found */
    int unknown, pad;  /* its first; -1 = it cannot move, or is swept */
} cab_pl_body;

/* A corner of a convex polygon, counterclockwise. A circle has one, at its centre. */
typedef struct cab_pl_corner {
    cab_pr x, y;   /* m, from the centre of mass */
    cab_pr nx, ny; /* outward normal of the edge to the next corner */
    cab_pr edge;   /* its length, m */
    cab_pr before; /* edges from corner 0 to here, m */
} cab_pl_corner;

typedef struct cab_pl_cable {
    cab_pr width;                     /* half of it, m */
    cab_pr compliance;                /* 1/EA, 1/N; 0 = it does not stretch */
    cab_pr still;                     /* s; it has been at rest */
    cab_pr left, right, below, above; /* m; around its segments when it fell asleep */
    int first, last;                  /* joints */
    int loop;                         /* 1 = closed: the last joint is followed by the first */
    int count;                        /* of joints */
    int asleep, pad;
} cab_pl_cable;

/* Where a cable touches a body: on the circle of radius rho + w round a corner, or along an edge. */
typedef struct cab_pl_attach {
    cab_pr nx, ny; /* outward normal, in the world */
    cab_pr along;  /* m; from the corner along its edge */
    cab_pr angle;  /* of the body when this was noted, rad */
    cab_pr ox, oy; /* from the body's centre, m */
    int corner, pad;
} cab_pl_attach;

#define CAB_PL_POINT 0 /* fixed to a point of a body */
#define CAB_PL_ROLL 1  /* wrapped on a body */

#define CAB_PL_JOINT_REEL 1    /* an end that is wound up */
#define CAB_PL_JOINT_PINCHED 2 /* its segment has no length: the two bodies pinch it */
#define CAB_PL_JOINT_MIDDLE 4  /* of the three that lead a wrapped cable past a body that pinches it */
#define CAB_PL_JOINT_SPOOL 8   /* turns lie on each other: of a reel, and of what pinches cut off its wrap */

/* A joint: a link, and the segment that leads to it from the joint before. */
typedef struct cab_pl_joint {
    cab_pl_attach tail, head;
    cab_pr px, py;  /* m; of a point, from the body's centre, turning with it */
    cab_pr stored;  /* s; wrapped on the body, m */
    cab_pr under;   /* of a spool: cable that this wrap lies on, m */
    cab_pr rest;    /* l; of the segment, m */
    cab_pr ex, ey;  /* the segment's direction */
    cab_pr length;  /* L; of the segment, m */
    cab_pr impulse; /* of the last substep, N s */
    cab_pr sum;     /* over the last step's substeps, N s */
    cab_pr tension; /* of the segment in the last step, N */
    cab_pr slip;    /* that has slid from the tail's segment to the head's in the last step, m */
    cab_pr grip;    /* mu theta; negative = never slides */
    int body, cable;
    int before, after; /* -1 = none */
    int kind, spin;    /* +1: the cable runs counterclockwise round the body */
    int flags, slide;  /* 0 = holds; +1, -1: slides towards the head, the tail */
    int next_on_body, id;
    int chain, pad; /* of a slack segment: its points; -1 = it is straight */
} cab_pl_joint;

/* A segment as the solver sees it; a run of segments that slide into each other is one constraint. */
typedef struct cab_pl_row {
    cab_pr ex, ey;
    cab_pr ca, cb;                  /* r x e of both ends, m */
    cab_pr off;                     /* C = L - l, m */
    cab_pr weight;                  /* tension in units of the run's first */
    cab_pr impulse;                 /* N s */
    cab_pr mass;                    /* effective, kg; of a run with its first */
    cab_pr compliance;              /* m/N */
    cab_pr run_off, compliance_run; /* of the run with its first, m, m/N */
    /* while islands are solved, of a run with its first row: the change of speed that is wanted, the softness of
     * the spring, what is left of that change, and what a round of Newton's method changes, m/s */
    cab_pr wish, soft, left, see;
    int a, b;          /* bodies */
    int joint, run;    /* rows of the run that begins here */
    int holds, behind; /* work; the body that is coupled with b through the tail */
} cab_pl_row;

/* What holds of a contact's point that is solved together with others, as flags. */
#define CAB_PL_HOLDS_NORMAL 1
#define CAB_PL_HOLDS_FRICTION 2 /* it sticks */

typedef struct cab_pl_touch {
    cab_pr ax, ay, bx, by;  /* from the centres, when found */
    cab_pr gap;             /* when found, m */
    cab_pr normal, tangent; /* impulses, N s */
    cab_pr most;            /* of normal in this step */
    cab_pr speed;           /* at which they approached, m/s */
    cab_pr normal_mass, tangent_mass;
    /* while islands are solved: as of a row, along the normal, then along the tangent; most_tangent: friction's
     * bound, N s */
    cab_pr wish, soft, left, see;
    cab_pr most_tangent, tangent_wish, tangent_left, tangent_see;
    int holds, id;
} cab_pl_touch;

typedef struct cab_pl_contact {
    cab_pr nx, ny; /* from a to b */
    cab_pr margin; /* they keep so far apart, m */
    cab_pr friction, restitution;
    cab_pl_touch touch[2];
    int a, b;
    int count, pinched;
    int transitional, non_transitional; /* pinches */
    int next, pad;                      /* of the same first body */
} cab_pl_contact;

/* A component of a body's velocity, and its row and column of the matrix. */
typedef struct cab_pl_unknown {
    cab_pr diagonal, inverse; /* of the matrix, and of its pivot */
    cab_pr mass;              /* kg or kg m^2 */
    cab_pr gone, change; /* of the speed: up to now, and in this round of Newton's method, m/s or rad/s */
    int low, at;         /* first column, and the cell it has */
} cab_pl_unknown;

#define CAB_PL_UNDECIDED 0
#define CAB_PL_TOGETHER 1
#define CAB_PL_SWEPT 2

/* Bodies that segments and contacts hold to each other: parts of lists, first and count. */
typedef struct cab_pl_island {
    int body, bodies; /* in `order` */
    int unknown, unknowns;
    int run, runs;
    int touch, touches;
    int cells, way; /* of its matrix, -1 = not placed in this substep; how it is solved in this step */
} cab_pl_island;

/* A point of a slack segment, and of the system for the lengths the piece that begins at it. */
typedef struct cab_pl_node {
    cab_pr x, y;        /* m */
    cab_pr px, py;      /* a step ago */
    cab_pr ex, ey;      /* the piece's direction */
    cab_pr pivot, pull; /* of the elimination */
} cab_pl_node;

/* Bodies by their left ends, for the sweep. */
typedef struct cab_pl_sweep {
    cab_pr left, right, below, above; /* m */
    cab_pr farthest;                  /* right, of all up to this one */
    int body, pad;
} cab_pl_sweep;

/* Pairs of the broad phase: a, b. Hits of segments: joint, body, spin. Splits: joint, contact. */
typedef struct cab_pl_pair {
    int a, b, c, pad;
} cab_pl_pair;

#endif
