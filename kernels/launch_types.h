/* Beside its buffers a kernel gets one int, `argument`: a number, whose meaning stands at the kernel, or
 * flags from this file, or both: CAB_ARGUMENT(flags, number). */
#ifndef CAB_LAUNCH_TYPES_H
#define CAB_LAUNCH_TYPES_H

#define CAB_FLAG_BITS 8
#define CAB_ARGUMENT(flags, number) ((number) << CAB_FLAG_BITS | (flags))
#define CAB_NUMBER(argument) ((argument) >> CAB_FLAG_BITS)
#define CAB_NUMBER_MOST ((1 << (31 - CAB_FLAG_BITS)) - 1)

/* How constraints are solved. */
enum {
    CAB_SOLVE_FIRST = 1,           /* a substep's first iteration: multipliers start from 0 */
    CAB_SOLVE_FORGET = 2,          /* each iteration starts from multipliers of 0 (PBD) */
    CAB_SOLVE_ROOTLESS = 4,        /* length by one Newton step, without a square root */
    CAB_SOLVE_AT_MOST = 8,         /* inequality: corrects only what is too long, */
    CAB_SOLVE_AT_LEAST = 16,       /* or only what is too short */
    CAB_SOLVE_HALVES = 32,         /* each end moves by half, even where the other one is held */
    CAB_SOLVE_DOUBLE_AT_MOST = 64, /* AT_MOST for double distances in a launch that has segments, too */
    CAB_SOLVE_DOUBLE_AT_LEAST = 128
};

/* The most pieces that a substep is cut into where something is fast near what it may touch; a power of two. */
#define CAB_PIECES_MOST 512

/* Who is held while others take their pieces: see pace_hold; something is led; lengths that can be met are met. */
enum { CAB_PACE_SETTLE = 1, CAB_PACE_LED = 2, CAB_PACE_EXACT = 4 };

/* A share of its thickness: what may meet something comes no nearer to it in a substep, or a piece of one; docs/design.md, "Pace", says
 * what others did. */
#define CAB_PACE_SHARE 0.09375f
/* Lengths that are off by less than the first part of them when pieces begin are corrected by the second part of that in a substep. */
#define CAB_PACE_SMALL 3e-3f
#define CAB_PACE_SLOWLY 0.125f
/* Weight of a segment's turn, rad, that is compared with it: a step of the direct method is linear in the turn. */
#define CAB_PACE_PIECE 0.75f /* of a substep: what is shorter is a piece of one, a half at most */
#define CAB_PACE_TURN 0.4f
/* What slides along something round comes nearer only as that bends away, so it is taken for so much of its way. Along a plane it
 * never does. */
#define CAB_PACE_ALONG 0.25f
/* Fewer pieces are taken again only where the share could be so much larger: each change begins in first order. */
#define CAB_PACE_BACK 1.5f
#define CAB_PACE_HELD 1e-30f     /* 1/kg; stands for the 0 of a particle that is held anyway */
enum { CAB_WRENCH_PRESSED = 2 }; /* to rigid_wrench, beside the next one: components may be stiff */
enum { CAB_FORCE_ASLEEP = 1 };   /* to attach_force: what sleeps counts now */

/* Contacts with segments and colliders. */
enum {
    CAB_CONTACT_NEW_LISTS = 1, /* pairs have just been listed */
    CAB_CONTACT_FAST = 2,      /* only what is so fast that it may be pulled through something */
    CAB_CONTACT_FIRST = 4,     /* the first pass of a substep */
    CAB_CONTACT_LAST = 8,   /* the last pass of an iteration: no over-relaxation, so that nothing bounces */
    CAB_CONTACT_ALONE = 16, /* no contacts between segments: colliders write first */
    CAB_CONTACT_STIFF = 32, /* not in components whose colliders are in the elimination of lengths, */
    CAB_CONTACT_CLUSTERS = 64, /* and not in clusters */
    CAB_CONTACT_BEGIN = 256,   /* with _FIRST: no pass, but what contacts begin with; see cab_begin */
    CAB_CONTACT_BEFORE = 128   /* before the first substep; to collider_measure alone, which has no number */
};

/* Which contacts contact_pressing counts; to contact_force: particles have orders of time integration. */
enum { CAB_FORCE_CABLES = 1, CAB_FORCE_COLLIDERS = 2, CAB_FORCE_DIRECT = 4 };

/* A Newton pass of the direct method. */
enum {
    CAB_NEWTON_GOES_ON = 1,    /* multipliers are added to, not started from 0 */
    CAB_NEWTON_WHERE_OFF = 2,  /* only in components whose lengths are off */
    CAB_NEWTON_LAST = 4,       /* the substep's last pass */
    CAB_NEWTON_STIFF = 8,      /* there may be components that are solved by kernels/stiff.cl */
    CAB_NEWTON_NEAR = 32,      /* some of them may touch colliders */
    CAB_NEWTON_SPANS = 64,     /* spans are solved by kernels/spans.cl */
    CAB_NEWTON_DAMPED = 16,    /* friction as a damper, which can only take energy */
    CAB_NEWTON_TAUT = 128,     /* only in components with long held branches */
    CAB_NEWTON_CLUSTERS = 256, /* some may be in clusters (kernels/cluster.cl) */
    CAB_NEWTON_LANES = 512,    /* branches of tiles are solved by kernels/direct_lanes.cl, */
    CAB_NEWTON_CONTACT = 1024  /* which moves them before by what contacts push */
};
/* To stiff_...: segments may touch each other, or colliders; only components with long held branches go on; some
 * may be in clusters. */
enum { CAB_STIFF_PAIRS = 1, CAB_STIFF_NEAR = 2, CAB_STIFF_TAUT = 4, CAB_STIFF_CLUSTERS = 8 };

/* To far_parts; number: segments of a part, and a cosine. */
enum { CAB_FAR_HITS = 1, CAB_PARTS_LONGEST = 1024, CAB_PARTS_COSINES = 1000 };
#define CAB_PARTS(segments, cosine) ((cosine)*CAB_PARTS_LONGEST + (segments))

/* The way lanes. */
enum {
    CAB_FRAME_FIRST_ORDER = 1,  /* the launch's first substep is of first order */
    CAB_FRAME_CHAIN = 2,        /* tiles are of XPBD */
    CAB_FRAME_SOLVED = 4,       /* the last substep is solved and not yet ended in the tiles; */
    CAB_FRAME_SOLVED_FIRST = 8, /* it was of first order */
    CAB_FRAME_BACKWARDS =
        16,               /* the last tile comes first: what a cache still has of the launch before is used */
    CAB_FRAME_BENDS = 32, /* to near_equal: tiles of cables that bend */
    CAB_FRAME_COLLIDERS = 64, /* to it and near_mixed: some colliders move, */
    CAB_FRAME_EXCLUDES = 128  /* some segments have no contact with some colliders: near_part */
};
/* The numbers of the launches that compute a frame of near_equal and near_mixed in pieces: how many pieces a substep has, and whether the launch is the
 * frame's first one or the last one. 0: whole substeps. */
enum { CAB_NEAR_ENTERS = 1, CAB_NEAR_LEAVES = 2 };
#define CAB_NEAR_NUMBER(pieces, places) ((pieces) << 2 | (places))
/* What chain_near tells after a launch: it is done (0 and less: how many times as long, at most 64, substeps or pieces of them might be, in eighths,
 * times -1), it cannot be done, or (more) into how many pieces substeps would have to be cut. */
enum { CAB_NEAR_DONE, CAB_NEAR_FAILED };
#define CAB_NEAR_SPARE_ONE 8
#define CAB_NEAR_SPARE_MOST (64 * CAB_NEAR_SPARE_ONE)
#define CAB_NEAR_REACH 1e-5f   /* m; near_equal and near_mixed take the way of a frame in steps of this */
#define CAB_NEAR_LISTED 4      /* floats of each lane and collider, cab_near.listed */
#define CAB_NEAR_SOLID 18      /* and of its place and shape, cab_near.solids */
#define CAB_NEAR_NUMBERS 6     /* of each lane of theirs, in work memory; see lanes_near.cl */
enum { CAB_LOAD_BENDING = 1 }; /* direct_load: forces go to the right side of the bending */
/* direct_bend: multipliers for h^2, not h_s^2; some bendings are damped */
enum { CAB_BEND_IN_SUBSTEPS = 1, CAB_BEND_VISCOUS = 2 };
enum { CAB_SOFT_OVER = 1 };      /* direct_soft: masses become what they were */
enum { CAB_NOTE_COLLIDERS = 1 }; /* grid_note: for lists of colliders, not of pairs */
enum { CAB_SORT_FROM_B = 1 };    /* sorting from key_b and value_b to key_a and value_a */

/* The number of the kernel draw: the quantity, as cab_quantity in clcable/draw.h. */
enum {
    CAB_DRAW_NONE,
    CAB_DRAW_TENSION,
    CAB_DRAW_CURVATURE,
    CAB_DRAW_SPEED,
    CAB_DRAW_CONTACT,
    CAB_DRAW_TORQUE
};

#endif
