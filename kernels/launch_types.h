/* What a launch tells its kernel besides buffers is one int, `argument`: a number (which one, the kernel says), or flags
 * from here, or both: CAB_ARGUMENT(flags, number).
 */
#ifndef CAB_LAUNCH_TYPES_H
#define CAB_LAUNCH_TYPES_H

#define CAB_FLAG_BITS 8
#define CAB_ARGUMENT(flags, number) ((number) << CAB_FLAG_BITS | (flags))
#define CAB_NUMBER(argument) ((argument) >> CAB_FLAG_BITS) /* flags are tested as they are */
#define CAB_NUMBER_MOST ((1 << (31 - CAB_FLAG_BITS)) - 1)

/* How constraints are solved. */
enum {
    CAB_SOLVE_FIRST = 1,           /* a substep's first iteration: multipliers start from 0 */
    CAB_SOLVE_FORGET = 2,          /* an iteration does not know what those before have done (PBD) */
    CAB_SOLVE_ROOTLESS = 4,        /* length by one Newton step from the rest length */
    CAB_SOLVE_AT_MOST = 8,         /* inequality: only what is too long, */
    CAB_SOLVE_AT_LEAST = 16,       /* or too short is corrected */
    CAB_SOLVE_HALVES = 32,         /* each end takes half, even where the other one is held and stays */
    CAB_SOLVE_DOUBLE_AT_MOST = 64, /* where a launch has segments and double distances: what of the latter */
    CAB_SOLVE_DOUBLE_AT_LEAST = 128
};

/* Contact, of segments and colliders. */
enum {
    CAB_CONTACT_NEW_LISTS = 1, /* pairs have just been listed */
    CAB_CONTACT_FAST = 2,      /* only what has gone far enough in the substep to have been dragged through */
    CAB_CONTACT_FIRST = 4,     /* the first pass of a substep */
    CAB_CONTACT_LAST = 8,      /* the last of an iteration: not over-relaxed, or things would bounce */
    CAB_CONTACT_ALONE = 16     /* segments do not touch one another: colliders are the first to write */
};

/* Which contacts the kernel contact_pressing counts; to contact_force: particles have orders of time integration. */
enum { CAB_FORCE_CABLES = 1, CAB_FORCE_COLLIDERS = 2, CAB_FORCE_DIRECT = 4 };

/* A Newton pass of the direct method. */
enum {
    CAB_NEWTON_GOES_ON = 1,   /* multipliers go on from what they are in this substep */
    CAB_NEWTON_WHERE_OFF = 2, /* only where lengths are off */
    CAB_NEWTON_LAST = 4       /* of the substep */
};

enum { CAB_FRAME_FIRST_ORDER = 1 }; /* whole substeps in a launch: its first one is of first order */
enum { CAB_LOAD_BENDING = 1 }; /* direct_load: into the right side of the bending, not into the prediction */
enum { CAB_BEND_IN_SUBSTEPS = 1 }; /* direct_bend: multipliers counted in h^2, not in h_s^2 */
enum { CAB_SOFT_OVER = 1 };        /* direct_soft: the substep is over */
enum { CAB_NOTE_COLLIDERS = 1 };   /* grid_note: lists of colliders are made, not of pairs */
enum { CAB_SORT_FROM_B = 1 };      /* sorting: from key_b and value_b to key_a and value_a */

/* The number of the kernel draw: the quantity, as cab_quantity of clcable/draw.h. */
enum { CAB_DRAW_NONE, CAB_DRAW_TENSION, CAB_DRAW_CURVATURE, CAB_DRAW_SPEED, CAB_DRAW_CONTACT };

#endif
