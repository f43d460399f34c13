/* What the kernels of contacts of rigid bodies, with colliders and with each other, share with the host. */
#ifndef CAB_RIGID_CONTACT_TYPES_H
#define CAB_RIGID_CONTACT_TYPES_H

#include "dialect.h"

#define CAB_RIGID_CONTACTS 32 /* of a body at most, with all that it looks for; the shallowest are left out */
#define CAB_RIGID_MATES 24    /* bodies near a body that it looks for, at most */
#define CAB_RIGID_APART 8     /* what a body does not touch since it overlapped at the start, at most */
#define CAB_RIGID_FEATURES 64 /* places of a shape where it may touch, at most, and as many of the other's */

#define CAB_RIGID_SLACK                                                                                      \
    0.05f /* of a body's reach: contacts are looked for so much further out than it will move */
#define CAB_RIGID_BESIDE 1e-3f /* of its reach: as far beside a face a place touches it */
#define CAB_RIGID_OVERLAPS                                                                                   \
    0.05f /* of its reach: what overlaps by more at the start of a run does not touch in all of it */

/* A contact of a rigid body. Vectors from pivots and displacements are those of the substep's start; the skeleton of a shape is what
 * is left of it within its radius: the centre of a ball, the axis of a capsule, corners and edges. */
typedef struct cab_rigid_contact {
    int other;       /* a collider of the scene, or a shape of the other body, as a collider's number */
    int feature;     /* where on which shape, CAB_RIGID_FEATURES a shape and side */
    int slot;        /* the other body's place in rigid; -1 = it is a collider */
    int applied;     /* 1: it stood in the equations of the last Newton pass */
    float normal[3]; /* unit vector towards the body */
    float gap;       /* m; the allowed overlap is added already */
    float friction;
    float mass;         /* at the contact, along the normal, kg */
    float size;         /* m: overlaps are compared with it */
    float arm[3];       /* from the body's pivot to its skeleton, or to the place on its surface, m */
    float round[3];     /* from there to the surface; does not turn along with the body */
    float other_arm[3]; /* the same of the other body */
    float other_round[3];
    float carried[3]; /* how far a collider carries the place in the substep, m */
    float lambda;     /* normal force of the last pass, times h_s^2, kg m */
    float state;      /* CAB_PRESS_... */
    float before;     /* normal force of the last substep, times h^2, kg m */
    float way[3]; /* where it slid in the last pass; before the first one the slip of the last substep, m */
    float matrix[6], force[3];      /* what it adds in this pass: kg, kg m */
    float place[3], other_place[3]; /* where that acts, from both pivots as they are now, m */

    float given[3]; /* the force that passes have come to so far, kg m */
    float unused[2];
} cab_rigid_contact;

/* What the next substep takes over of a contact. */
typedef struct cab_rigid_pressed {
    int other, feature; /* as above; other -1 = none */
    float force;        /* N, along the normal */
    float slip[3];      /* m/s */
    float unused[2];
} cab_rigid_pressed;

/* Bits of rigid_bumped and bumped: there are contacts in this substep; one is not settled; one has pressed. */
#define CAB_BUMPED_NEAR 1
#define CAB_BUMPED_UNSETTLED 2
#define CAB_BUMPED_PRESSED 4

/* rigid_contact_find: the first substep of a run, in which what overlaps is noted. rigid_contact_look: after the passes. */
#define CAB_RIGID_CONTACT_START 1
#define CAB_RIGID_CONTACT_END 1

#endif
