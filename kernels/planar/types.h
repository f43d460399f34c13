/* Planar bodies and cable joints: what host and kernels share. Everything is in doubles.
 *
 * A batch is any number of scenes, one after the other in each buffer; a scene's record says where its part
 * of each buffer begins. Structs hold doubles and then pairs of ints, so that both compilers lay them out
 * alike.
 *
 * Doubles, because the total length of a cable must not drift: rest and stored lengths are added to and
 * taken from each other many times a step. docs/methods/planar.md shows what happened with floats.
 */
#ifndef CAB_PLANAR_TYPES_H
#define CAB_PLANAR_TYPES_H

#include "../dialect.h"

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef double cab_pr;

#define CAB_PL_CORNERS 8   /* of a polygon, at most */
#define CAB_PL_REST_TIME 1 /* s; a body falls asleep after resting for so long */
#define CAB_PL_BUFFER 1e-5 /* m; stored cable given to a joint of a pinch, so that it is not removed */

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
#define CAB_PL_PINCH_OFF 0         /* nothing: the bodies meet as if there were no cable */
#define CAB_PL_PINCH_CONTACT_OFF 1 /* it is led between them, but does not keep them apart */
#define CAB_PL_PINCH_FULL 2        /* it is led between them and keeps them its width apart */

/* A hand that pulls a body: a damped spring between a point of the body and a fixed place. */
typedef struct cab_pl_hand {
    cab_pr px, py; /* m; from the body's centre, turning with it */
    cab_pr tx, ty; /* m; the fixed place */
    cab_pr rate;   /* rad/s; frequency of the body at the spring */
    cab_pr most;   /* N */
    cab_pr ix, iy; /* impulse of the last substep, N s */
    int body, pad; /* -1 = nothing is pulled */
} cab_pl_hand;

/* A scene: its parts of the buffers, its settings, and counts of its last step. */
typedef struct cab_pl_scene {
    cab_pr step;              /* s */
    cab_pr gx, gy;            /* gravity, m/s^2 */
    cab_pr skin;              /* contacts are looked for up to this gap, m */
    cab_pr slop;              /* depth of contact that is left alone, m */
    cab_pr push_out;          /* fastest that an overlap is pushed apart, m/s */
    cab_pr restitution_speed; /* a slower contact does not bounce, m/s */
    cab_pr max_speed;         /* limit of a body's speed, m/s */
    cab_pr pinch_friction;    /* mu theta of a joint that pinches a wrapped cable */
    cab_pr width;             /* half of the widest cable's width, m */
    cab_pr rest;              /* a body that stays within this distance is at rest, m */
    cab_pl_hand hand;
    int body, bodies; /* first, count; so are the pairs below */
    int corner, corners;
    int cable, cables;
    int joint, joint_room;
    int contact, contact_room; /* two lists of this size: this step's and the last one's */
    int pair, pair_room;
    int cell, cell_room;
    int substeps, iterations;
    int pinch;             /* CAB_PL_PINCH_... */
    int chain, chain_room; /* segments that may be subdivided at once */
    int node, pieces;      /* pieces of such a segment; 0 = no segment is subdivided */
    int list;              /* 0 or 1: which list of contacts is this step's */
    /* counts of the last step */
    int joints, segments;
    int rows, hits, splits, pairs;
    int contacts;       /* of all kinds */
    int near_contacts;  /* those that the narrow phase found */
    int pinch_contacts; /* pairs of bodies with a cable between them */
    int transitional;   /* pinched segments from one wrap to the next */
    int non_transitional;
    int old_contacts;
    int free_joint;     /* list of unused joints; -1 = none */
    int dropped;        /* joints, pairs and contacts that there was no room for, over all steps */
    int added, removed; /* joints, over all steps */
    int merged;         /* pairs of joints made one, over all steps */
    int sleep;          /* 1 = islands at rest fall asleep */
    int asleep;         /* bodies */
    int all_asleep;     /* 1 = a step would change nothing */
    int kept_contacts;  /* contacts of sleeping bodies, after the others in the list */
    int islands, swept; /* islands in all, and those of them that are left to the sweeps in this step */
    int listed, pad;    /* 1 = their lists of runs and touches are made for this substep */
} cab_pl_scene;

/* The part of a body that the solver reads and writes: one cache line each. */
typedef struct cab_pl_motion {
    cab_pr x, y, angle;     /* m, m, rad; centre of mass */
    cab_pr vx, vy, w;       /* m/s, m/s, rad/s */
    cab_pr inverse_mass;    /* 1/kg; 0 = static, or on an axle */
    cab_pr inverse_inertia; /* 1/(kg m^2); 0 = does not turn by itself */
} cab_pl_motion;

#define CAB_PL_BODY_CABLES 1   /* cables run against it */
#define CAB_PL_BODY_COLLIDES 2 /* it meets other bodies */
#define CAB_PL_BODY_ASLEEP 4   /* it does not change until it wakes */

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
    cab_pr edges;                      /* sum of the edges' lengths, m */
    cab_pr gravity;                    /* factor of the scene's gravity */
    cab_pr push_x, push_y, push_w;     /* impulses of the solver, while it works */
    cab_pr reach;                      /* m; the farthest of its points from the centre */
    cab_pr rest_x, rest_y, rest_angle; /* where it was when it last moved */
    cab_pr still;                      /* s; time since then */
    int island, busy;                  /* first body of its island; 1 = the island may not sleep */
    int corner, corners;
    int flags, group;  /* bodies of one group, other than 0, do not meet */
    int first_joint;   /* list of the joints on it */
    int first_contact; /* list of the last step's contacts whose first body it is */
    int first_end;     /* list of the ends of contacts and segments at it */
    int mark;          /* 1 + its island; 0 = none; negative while the order is being found */
    int unknown;       /* the first of its unknowns; -1 = it cannot move, or is left to the sweeps */
    int stands;        /* 1 = a circle that may turn, but whose centre stays where it is */
} cab_pl_body;

/* A corner of a convex polygon, counterclockwise. A circle has one, at its centre. */
typedef struct cab_pl_corner {
    cab_pr x, y;   /* m, from the centre of mass */
    cab_pr nx, ny; /* outward normal of the edge to the next corner */
    cab_pr edge;   /* length of that edge, m */
    cab_pr before; /* edges from corner 0 to here, m */
} cab_pl_corner;

typedef struct cab_pl_cable {
    cab_pr width;                     /* half of the width, m */
    cab_pr compliance;                /* 1/EA, 1/N; 0 = it does not stretch */
    cab_pr still;                     /* s; time at rest */
    cab_pr left, right, below, above; /* m; box around its segments when it fell asleep */
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
    cab_pr ox, oy; /* the point, from the body's centre, m */
    int corner, pad;
} cab_pl_attach;

#define CAB_PL_POINT 0 /* fixed to a point of a body */
#define CAB_PL_ROLL 1  /* wrapped on a body */

#define CAB_PL_JOINT_REEL 1    /* an end that is wound up */
#define CAB_PL_JOINT_PINCHED 2 /* its segment has no length: the two bodies pinch it */
#define CAB_PL_JOINT_MIDDLE 4  /* middle one of the three where a body pinches a wrapped cable */
#define CAB_PL_JOINT_SPOOL 8   /* turns lie on each other: a reel, or a part cut off by a pinch */

/* A joint: a link, and the segment that leads to it from the joint before. */
typedef struct cab_pl_joint {
    cab_pl_attach tail, head;
    cab_pr px, py;  /* m; of a point, from the body's centre, turning with it */
    cab_pr stored;  /* s; wrapped on the body, m */
    cab_pr under;   /* of a spool: length of cable under this wrap, m */
    cab_pr rest;    /* l; of the segment, m */
    cab_pr ex, ey;  /* the segment's direction */
    cab_pr length;  /* L; of the segment, m */
    cab_pr impulse; /* of the last substep, N s */
    cab_pr sum;     /* over the last step's substeps, N s */
    cab_pr tension; /* of the segment in the last step, N */
    cab_pr slip;    /* cable that has slid from the tail's segment to the head's in the last step, m */
    cab_pr grip;    /* mu theta; negative = never slides */
    int body, cable;
    int before, after; /* -1 = none */
    int kind, spin;    /* +1: the cable runs counterclockwise round the body */
    int flags, slide;  /* 0 = holds; +1, -1: slides towards the head, the tail */
    int next_on_body, id;
    int chain, pad; /* of a slack segment: its row of points; -1 = it is straight */
} cab_pl_joint;

/* A segment in the solver. Segments that slide into each other are a run, which is one constraint. */
typedef struct cab_pl_row {
    cab_pr ex, ey;
    cab_pr ca, cb;                  /* r x e of both ends, m */
    cab_pr off;                     /* C = L - l, m */
    cab_pr weight;                  /* tension as a multiple of that of the run's first segment */
    cab_pr impulse;                 /* N s */
    cab_pr mass;                    /* effective mass, kg; the first row has that of the run */
    cab_pr compliance;              /* m/N */
    cab_pr run_off, compliance_run; /* of the whole run, in its first row; m, m/N */
    /* While islands are solved, in the first row of a run: the wanted change of speed, the softness of the
     * spring, what is left of that change, and the change by this round of Newton's method, m/s. */
    cab_pr wish, soft, left, see;
    int a, b;          /* bodies */
    int joint, run;    /* rows of the run that begins here */
    int holds, behind; /* 1 = taut, while islands are solved; the body that is coupled with b */
} cab_pl_row;

/* Flags of a contact's point while islands are solved: which of its springs hold. */
#define CAB_PL_HOLDS_NORMAL 1
#define CAB_PL_HOLDS_FRICTION 2 /* it sticks, so friction is a spring */

typedef struct cab_pl_touch {
    cab_pr ax, ay, bx, by;  /* from the bodies' centres, when it was found */
    cab_pr gap;             /* when it was found, m */
    cab_pr normal, tangent; /* impulses, N s */
    cab_pr most;            /* largest normal impulse in this step, N s */
    cab_pr speed;           /* at which they approached, m/s */
    cab_pr normal_mass, tangent_mass;
    /* While islands are solved: the same as in a row, along the normal, then along the tangent. most_tangent:
     * friction's bound, N s. */
    cab_pr wish, soft, left, see;
    cab_pr most_tangent, tangent_wish, tangent_left, tangent_see;
    int holds, id;
} cab_pl_touch;

typedef struct cab_pl_contact {
    cab_pr nx, ny; /* from a to b */
    cab_pr margin; /* distance at which the two are kept apart, m */
    cab_pr friction, restitution;
    cab_pl_touch touch[2];
    int a, b;
    int count, pinched;
    int transitional, non_transitional; /* pinches of each kind */
    int next, pad;                      /* next contact in the list of the same first body */
} cab_pl_contact;

/* A component of a body's velocity, and its row and column of the matrix. */
typedef struct cab_pl_unknown {
    cab_pr diagonal, inverse; /* the diagonal of the matrix, and the inverse of its pivot */
    cab_pr mass;              /* kg or kg m^2 */
    cab_pr gone, change; /* change of the speed so far, and in this round of Newton's method, m/s or rad/s */
    int low, at;         /* the row's first column in the envelope, and that column's cell */
} cab_pl_unknown;

#define CAB_PL_UNDECIDED 0
#define CAB_PL_TOGETHER 1
#define CAB_PL_SWEPT 2

/* Bodies that segments and contacts hold to each other. Each pair is the first index and the count in a
 * list. */
typedef struct cab_pl_island {
    int body, bodies; /* in `order` */
    int unknown, unknowns;
    int run, runs;
    int touch, touches;
    int cells,
        way; /* cells of its matrix, -1 = not yet given in this substep; way: CAB_PL_UNDECIDED and so on */
} cab_pl_island;

/* A point of a slack segment, with the row of the piece that begins at it in the system for the lengths. */
typedef struct cab_pl_node {
    cab_pr x, y;        /* m */
    cab_pr px, py;      /* a step ago */
    cab_pr ex, ey;      /* the piece's direction */
    cab_pr pivot, pull; /* of the elimination */
} cab_pl_node;

/* A body's box, sorted by its left edge, for the sweep over pairs. */
typedef struct cab_pl_sweep {
    cab_pr left, right, below, above; /* m */
    cab_pr farthest;                  /* largest `right` of all up to this one */
    int body, pad;
} cab_pl_sweep;

/* Pairs of the broad phase: a, b. Hits of segments: joint, body, spin. Splits: joint, contact. */
typedef struct cab_pl_pair {
    int a, b, c, pad;
} cab_pl_pair;

#endif
