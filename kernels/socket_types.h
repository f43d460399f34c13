/* What the kernels of sockets share with the host. */
#ifndef CAB_SOCKET_TYPES_H
#define CAB_SOCKET_TYPES_H

#include "dialect.h"

/* What a plug is to its socket: outside of it; led by it; latched; led by it after the latch has given way, until it is outside. */
#define CAB_SOCKET_OUT 0
#define CAB_SOCKET_GUIDED 1
#define CAB_SOCKET_MATED 2
#define CAB_SOCKET_RELEASED 3

/* Rows of a socket: what it does to the plug. Two directions across its axis, two about them, about the axis, friction along it, and the
 * stop or the latch at home. */
#define CAB_SOCKET_ACROSS 0
#define CAB_SOCKET_TILT 2
#define CAB_SOCKET_ROLL 4
#define CAB_SOCKET_FRICTION 5
#define CAB_SOCKET_STOP 6
#define CAB_SOCKET_ROWS 7

#define CAB_SOCKET_PLAY 2e-3f      /* of the depth: how far a plug may move between its latch and the stop */
#define CAB_SOCKET_GIVES_WAY 2e-3f /* s; over which the pull on a latch is smoothed */
#define CAB_SOCKET_EVER 1e30f      /* a latch that never gives way */
/* A socket and its plug. Of pairs the plug's is the first. */
typedef struct cab_socket {
    int slot[2]; /* their bodies' places in rigid; -1 = it is led, or fixed in space: see socket_led */
    int component;
    int keyed, latches;
    int friction, friction_count; /* in socket_friction */
    float depth;                  /* m, from the mouth to home */
    float capture;                /* m, how far beside the axis it is caught, */
    float capture_cosine;         /* and at what angle to it */
    float hold;                   /* N; pulled by more the latch gives way */
    float arm[6];             /* of its point from the body's pivot, in the axes of space at the start, m; */
    float axis[6], up[6];     /* unit vectors there: in which it goes in, and one across that */
    float stiffness, turning; /* of its springs: N/m, N m */
    int unused;
} cab_socket;

/* Where what is led has its point and its axes: the point at the substep's start, m, and what rounding left out; by how much it goes in the
 * substep; axis and up at its end. float4 each. */
#define CAB_SOCKET_LED_PLACE 0
#define CAB_SOCKET_LED_REST 1
#define CAB_SOCKET_LED_STEP 2
#define CAB_SOCKET_LED_AXIS 3
#define CAB_SOCKET_LED_UP 4
#define CAB_SOCKET_LED 5

/* What a substep takes over from the last one. */
typedef struct cab_socket_state {
    int state;                    /* CAB_SOCKET_... */
    float entered;                /* where it was caught: along the axis from home, m, negative; */
    float across[2];              /* beside it, m; */
    float turned[3];              /* and how it was turned, as cab_socket_pose.turned */
    float force[CAB_SOCKET_ROWS]; /* of the rows: N, N m */
    float sum[6];  /* force and torque on the plug, about its point: sums over a frame's substeps, N, N m; */
    float told[6]; /* the same of the last frame, its mean */
    float pull, told_pull; /* likewise with what it is pulled out of the latch, N */
    float place;           /* along the axis from home, after the last substep, m */
    int frame;             /* at whose end it was found mated, or else, last; told */
    float stored;          /* in its springs, J */
    float bears;           /* what the latch is pulled by, smoothed over CAB_SOCKET_GIVES_WAY, N */
} cab_socket_state;

/* A row of a socket in a Newton pass. It acts along a direction on the plug's point, and about one on its body; on the other side the other
 * way round, in the same place. */
typedef struct cab_socket_row {
    float along[3], about[3];
    float stiffness; /* kg, kg m^2 */
    float force;     /* kg m, kg m^2: where the pass begins; */
    float given;     /* what passes have come to so far */
    float lambda;    /* friction: what it bears, as far as it is known */
    float way;       /* friction: see cab_rigid_drive; the stop: 1 it bears */
    float off;       /* what is to become 0, m or as a sine */
    float begun;     /* the same at the substep's start */
} cab_socket_row;

/* A socket in a substep. */
typedef struct cab_socket_work {
    float apart[3];               /* of the plug's point from the socket's at the substep's start, m */
    float arm[6], axis[6], up[6]; /* as of cab_socket, at the substep's start; of what is led at its end */
    float step[6];                /* by how much what is led goes, m */
    float gives[4]; /* of both bodies 1/mass, 1/kg, and 1/inertia, 1/(kg m^2); 0 of what is led */
    float most;     /* of friction, kg m */
    float place[6]; /* where rows act, from both pivots, m */
    int applied;    /* the rows stood in the equations of the last Newton pass */
    int flags;      /* CAB_BUMPED_... */
    cab_socket_row row[CAB_SOCKET_ROWS];
} cab_socket_work;

/* Of socket_look: after the passes; and where bodies touch nothing, so that `bumped` is set by sockets alone. */
#define CAB_SOCKET_END 1
#define CAB_SOCKET_ALONE 2

#endif
