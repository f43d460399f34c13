/* Plugs and sockets, by the direct method: a plug, a place of a rigid body with an axis, goes into a socket, another such place. Where it is
 * caught it is led onto the socket's axis within the first way that is as long as the radius in which it is caught, as by a chamfer; it
 * goes along that axis against friction, up to a stop, and is held there by a latch.
 *
 * Each of these is a row: a spring of a number C, of which the force at the pass's end counts, so that it is stable however stiff it is; friction is
 * an augmented Lagrangian as in bearings (rigid.h). The gradient of C is a direction at the plug's point and one about which its body turns; the
 * socket's body gets the opposite in the same place, so that momentum and turning momentum stay. */
#ifndef CAB_SOCKET_H
#define CAB_SOCKET_H

#include "motion.h"
#include "rigid.h"
#include "socket_types.h"

#define CAB_SOCKET_DAMPED 1e-3f /* s: by how much longer than it takes a spring lags behind, as plastics do */
#define CAB_SOCKET_HELD 100.0f  /* of what resists: the stiffness of friction that holds */
#define CAB_SOCKET_SETTLED 3e-4f  /* a force that a pass is off by less of itself is settled, */
#define CAB_SOCKET_CLOSE 2e-9f    /* and so is what is off by less, m, */
#define CAB_SOCKET_STRAIGHT 2e-7f /* or as a sine: some times what floats are off by */
#define CAB_SOCKET_FUNNEL                                                                                    \
    1.0f /* of the capture radius: as far before the mouth it is caught, corners that are askew first, */
#define CAB_SOCKET_AWAY 1.2f /* and as far from it is it outside */

/* Where the plug is, as the socket sees it. */
typedef struct cab_socket_pose {
    vec3 axis, up, side; /* the socket's own, unit vectors */
    real along;          /* of the plug's point from home, m; negative in the socket */
    real across[2];      /* along `up` and `side`, m */
    vec3
        turned; /* of the plug's axes about up, side and axis: the axis times the sine of the angle; where it is not keyed only how its
                    axis is tilted, and 0 about it */
    real cosine; /* of the largest angle between axes that are to lie on each other */
} cab_socket_pose;

CAB_INLINE cab_socket_pose cab_socket_pose_of(vec3 apart, const vec3 axis[2], const vec3 up[2], int keyed)
{
    cab_socket_pose p;
    vec3 side[2] = {vec3_cross(axis[0], up[0]), vec3_cross(axis[1], up[1])};
    p.axis = axis[1], p.up = up[1], p.side = side[1];
    p.along = vec3_dot(apart, p.axis);
    p.across[0] = vec3_dot(apart, p.up);
    p.across[1] = vec3_dot(apart, p.side);
    vec3 off = vec3_cross(axis[1], axis[0]);
    p.cosine = vec3_dot(axis[1], axis[0]);
    if (keyed) {
        off = vec3_add(off, vec3_add(vec3_cross(up[1], up[0]), vec3_cross(side[1], side[0])));
        off = vec3_scale(off, 0.5f);
        p.cosine = real_min(p.cosine, real_min(vec3_dot(up[1], up[0]), vec3_dot(side[1], side[0])));
    }
    p.turned = vec3_make(vec3_dot(off, p.up), vec3_dot(off, p.side), keyed ? vec3_dot(off, p.axis) : 0);
    return p;
}

/* A vector in a pair of them. */
CAB_INLINE vec3 cab_socket_of(global const float *pair, int which)
{
    return vec3_at(pair + 3 * which);
}

/* How far both points have moved in the substep so far, the plug's less the socket's; and where their axes are now. */
CAB_INLINE vec3 cab_socket_moved(global const cab_socket *own, global const cab_socket_work *work,
                                 global const cab_rigid *rigid, global const float4 *rigid_turn, vec3 axis[2],
                                 vec3 up[2])
{
    vec3 moved[2];
    for (int k = 0; k < 2; k++) {
        axis[k] = cab_socket_of(work->axis, k);
        up[k] = cab_socket_of(work->up, k);
        moved[k] = cab_socket_of(work->step, k);
        if (own->slot[k] < 0) continue;
        global const float4 *rows = rigid_turn + CAB_RIGID_ROWS * rigid[own->slot[k]].body;
        float4 turn = rows[CAB_RIGID_TURN];
        moved[k] =
            vec3_add(vec3_of(rows[CAB_RIGID_SHIFT]), cab_turn_moves(turn, cab_socket_of(work->arm, k)));
        axis[k] = vec3_add(axis[k], cab_turn_moves(turn, axis[k]));
        up[k] = vec3_add(up[k], cab_turn_moves(turn, up[k]));
    }
    return vec3_sub(moved[0], moved[1]);
}

/* Notes how far off the plug is where it is caught. */
CAB_INLINE void cab_socket_enter(global cab_socket_state *state, const cab_socket_pose *p)
{
    state->entered = p->along;
    state->across[0] = p->across[0], state->across[1] = p->across[1];
    vec3_put(state->turned, p->turned);
}

/* Is the plug where the socket catches it? */
CAB_INLINE int cab_socket_catches(global const cab_socket *own, const cab_socket_pose *p)
{
    real beside = p->across[0] * p->across[0] + p->across[1] * p->across[1];
    return p->along >= -(own->depth + CAB_SOCKET_FUNNEL * own->capture) &&
           p->along <= CAB_SOCKET_PLAY * own->depth && beside <= own->capture * own->capture &&
           p->cosine >= own->capture_cosine;
}

/* Friction at a place, N: none before the mouth; along straight lines between rows, and as at its ends beyond them. */
CAB_INLINE real cab_socket_friction_at(global const cab_socket *own, global const float *friction, real along)
{
    real depth = along + own->depth;
    global const float *row = friction + 2 * own->friction; /* depth, force */
    if (own->friction_count == 0 || depth < 0) return 0;
    if (!(depth > row[0])) return row[1];
    for (int k = 1; k < own->friction_count; k++, row += 2) {
        if (depth >= row[2]) continue;
        return row[1] + (depth - row[0]) / (row[2] - row[0]) * (row[3] - row[1]);
    }
    return row[1];
}

/* The share that is left of how far off it was caught, and what that changes by per metre. */
CAB_INLINE real cab_socket_left(global const cab_socket *own, global const cab_socket_state *state,
                                real along, real *slope)
{
    real left = 1 - (along - state->entered) / own->capture;
    *slope = left > 0 && left < 1 ? -1 / own->capture : 0;
    return real_clamp(left, 0, 1);
}

#endif
