/* What the kernels of rigid bodies share with the host. */
#ifndef CAB_RIGID_TYPES_H
#define CAB_RIGID_TYPES_H

#include "dialect.h"

/* How a rigid body moves: as forces move it, about an axis, along one, about a point. */
#define CAB_RIGID_FREE 0
#define CAB_RIGID_HINGE 1
#define CAB_RIGID_SLIDER 2
#define CAB_RIGID_BALL 3

#define CAB_RIGID_POINTS 4 /* mass points of a body, its first particles */

/* A rigid body, component by component: two junctions, of which one has its displacement for an unknown, the other
 * one the vector by which it turns. */
typedef struct cab_rigid {
    int member, member_count;  /* in rigid_member */
    int term, term_count;      /* in rigid_term */
    int translation, rotation; /* its junctions */
    int component;
    int motion;      /* CAB_RIGID_... */
    float axis[3];   /* hinge, slider: a unit vector */
    float speed;     /* of its motor: m or rad in a substep, */
    float most;      /* and what that gives at most: force h^2, kg m, or torque h^2, kg m^2; 0 = no motor */
    float friction;  /* the same of its bearing */
    float stiffness; /* of motor and friction while they hold: kg, or kg m^2 */
    int body;        /* its place in rigid_rotation and rigid_turn */
    int shape, shape_count; /* in rigid_shape */
} cab_rigid;

/* Rows of a body in rigid_turn: its turn in this substep, a quaternion; the displacement of its pivot, and in w
 * what motor and friction have given so far, times h_s^2; both as they were when contacts were found; where
 * the pivot was at the substep's start; and the torque of twist at its clamps, times h_s^2, kg m^2. */
#define CAB_RIGID_TURN 0
#define CAB_RIGID_SHIFT 1
#define CAB_RIGID_FOUND_TURN 2
#define CAB_RIGID_FOUND_SHIFT 3
#define CAB_RIGID_PIVOT 4
#define CAB_RIGID_TWISTED 5
#define CAB_RIGID_ROWS 6

/* A particle that moves along with a rigid body: one of its mass points, or what is attached. */
typedef struct cab_rigid_member {
    float arm[3]; /* from the pivot, in the axes of space at the start, m */
    int particle;
    float mass, mass_first; /* as of a junction */
    float bending; /* by how much heavier it counts for bending; 0 = what it moves by there does not count */
    int port;      /* its displacement in junction_move; -1 = no cable ends here */
} cab_rigid_member;

/* A body that cables are clamped to, for bending: its place, and up to three vectors g in which it turns, each with the mass of the
 * body; a place r from the pivot moves by u + the sum of (d_k . r) g_k. That is a motion in which the body may be strained, so that
 * unknowns are scalars for each direction of space, as those of particles are; rigid_fit makes a rigid one of it, with the same
 * momentum: that of g_k turns about the pivot by its mass times c_k x g_k. The unknowns stand in the rows of the mass points. */
typedef struct cab_rigid_bent {
    int count;              /* of vectors, 0 to 3 */
    int moves;              /* 1: its pivot, too */
    int clamp, clamp_count; /* in rigid_clamp */
    float mass, mass_first; /* as of a junction; 0: it is no such body */
    float spread[3][3];     /* c_k, m */
} cab_rigid_bent;

/* A clamp on a body. */
typedef struct cab_rigid_clamp {
    int bending, target;
    float direction[3]; /* that it holds, t, in the axes of space at the start; a unit vector */
    float share[3];     /* d_k . t, 1/m */
    int hold;           /* of the roll, in twist_frame; -1 = none */
    float director[3];  /* and the director at roll 0, as the direction */
    float sense;        /* the tangent of the roll's run is so many times the direction: 1 or -1 */
} cab_rigid_clamp;

/* The pull of a hand at a place of a body, which moves as `share` of each mass point does. */
typedef struct cab_rigid_hand {
    int slot;               /* the body's place in rigid; -1 = none is pulled */
    int particle;           /* its first mass point */
    int moving;             /* the row of the hand's target */
    float reach;            /* m; farther away it pulls no harder */
    float arm[3];           /* of the place, as of a member */
    float mass, mass_first; /* of the spring, kg */
    float kept, kept_first; /* 1 less the damper's part of it */
    float share[CAB_RIGID_POINTS];
    float goal[3]; /* by how much the place would be moved in this substep, m */
} cab_rigid_hand;

/* A branch and the bodies that it may touch. Each has a column for each of its ways to move. In rigid_column lie, one
 * behind the other: how each column acts on the branch's start, and on its end, 3 floats each; its right side; the
 * square of all columns; and work memory. */
typedef struct cab_rigid_touch {
    int branch;
    int first, count; /* in rigid_touched: bodies, by their place in rigid */
    int columns;      /* of all of them */
    int data;         /* first float in rigid_column */
    int unused[3];
} cab_rigid_touch;

#define CAB_RIGID_WORK 11 /* floats of work memory for a column */

/* Floats of a touch with so many columns. */
CAB_INLINE int cab_rigid_touch_floats(int columns)
{
    return columns * (7 + columns + CAB_RIGID_WORK);
}

/* Ways to move. */
CAB_INLINE int cab_rigid_columns(int motion)
{
    return motion == CAB_RIGID_FREE ? 6 : motion == CAB_RIGID_BALL ? 3 : 1;
}

/* What a contact with a body adds, in floats: a symmetric matrix, kg; the force on the cable, kg m; the arm from the
 * body's pivot, m; the place on the segment; 1 + the body, as cab_collider.rigid, 0 = the contact does not act; how the cable had moved
 * there, less the surface, m; and what the contact gave the cable in the last pass, kg m. Of a led body arm and place are not set. */
#define CAB_RIGID_PRESS_FORCE 6
#define CAB_RIGID_PRESS_ARM 9
#define CAB_RIGID_PRESS_PLACE 12
#define CAB_RIGID_PRESS_BODY 13
#define CAB_RIGID_PRESS_SLIDE 14
#define CAB_RIGID_PRESS_GAVE 17
#define CAB_RIGID_PRESS 20

/* What a branch adds to the equations of two junctions, of which one at least is a rigid body's: T_r^T K T_c, where K
 * is the block of two of its sides. T is 1 of a particle and of a body's translation, -[arm]x of its rotation. */
typedef struct cab_rigid_term {
    int branch; /* or its place in rigid_touch, where a side is a body that it touches */
    int sides; /* CAB_RIGID_SIDES (the row's) + the column's: 0 the branch's start, 1 its end, 2 + 2 k how the k-th
                   body that it touches is displaced, 3 + 2 k how that turns */
    int row, column;           /* in rigid_member; -1 = a particle, or a body that is touched */
    int turns;                 /* CAB_RIGID_ROW_TURNS: the row's is a rotation; _COLUMN_TURNS */
    int row_body, column_body; /* in rigid; -1 = as above */
    int target;                /* block, or -1 - junction: a diagonal one */
} cab_rigid_term;

#define CAB_RIGID_SIDES 1024
#define CAB_RIGID_ROW_TURNS 1
#define CAB_RIGID_COLUMN_TURNS 2

/* What rigid_fit is called for: the substep's start; after bending; the start again, with the pull of a hand; 0: after contacts. */
#define CAB_RIGID_BEGIN 1
#define CAB_RIGID_BENT 2
#define CAB_RIGID_PULLED 3

/* rigid_place: where bodies are at the end of a substep, instead of where they are to come. */
#define CAB_RIGID_ENDED 1

#endif
