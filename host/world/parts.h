/* The parts of a world that rooms above fill: what contact, drawing, the hand and the carriers keep from one call to the next. */
#ifndef CAB_WORLD_PARTS_H
#define CAB_WORLD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/draw.h>

#include "backend/kernels.h"
#include "model/branches.h"
#include "model/tiles.h"

/* A buffer that a state keeps; see cab_table in world/device.h. */
typedef struct cab_kept {
    const char *tag; /* NULL = it is not kept */
    size_t count, size;
} cab_kept;

/* What cab_world_draw needs; see run/draw.c. */
typedef struct cab_drawing {
    cab_gl gl;   /* def.gl's */
    bool listed; /* draw_node is as the model is, */
    int broken;  /* with so many attachments broken */
    float *rows; /* [nodes][4] on the way into an OpenGL buffer that is not shared */
} cab_drawing;

/* The pull of a hand; see run/hand.c. */
typedef struct cab_hand {
    cab_vec3 from, to;  /* where it is, over the next frame, m */
    double asked;       /* its stiffness as the user said, N/m; 0 = by mass */
    cab_way way_before; /* that the world went before it was pulled */
} cab_hand;

/* An attachment that has let go. */
typedef struct cab_broken {
    int attachment; /* of the model */
    bool released;  /* a soft one that was pulled too far; else by too large a force */
    int frame;      /* at whose end */
    double force;   /* that it bore: the mean over the frame; released: at its end, N */
} cab_broken;

typedef struct cab_breaks {
    cab_broken *list; /* in the order of time */
    int count;
} cab_breaks;

/* One launch of an iteration. Small colours share one. */
typedef struct cab_launch_plan {
    cab_stage stage;
    cab_kernel kernel;
    int first, count;
    int argument; /* CAB_SOLVE_... */
} cab_launch_plan;

/* Iterations of a substep: the launches of one, what tells when to stop. */
typedef struct cab_iterated {
    cab_launch_plan *launch;
    int launch_count;
    float *change;        /* [blocks][2] read back where iterations end by a tolerance */
    long long iterations; /* so far, over all substeps */
} cab_iterated;

typedef struct cab_lanes {
    cab_tiles tiles;
    cab_tile_move *move;
} cab_lanes;

typedef struct cab_staged {
    cab_branches branches;
} cab_staged;

/* Contact, the host's side: candidate lists and their sizes; see contact/contact.h. */
typedef struct cab_contact_state {
    bool cables;                                          /* segments against segments */
    bool colliders;                                       /* segments against colliders */
    bool listed;                                          /* candidate lists exist */
    double skin, near_skin;                               /* of the lists of pairs and of colliders, m */
    double mean[3];                                       /* mean way since pairs were listed, m */
    double last_step;                                     /* largest step of the last substep, m */
    double collider_step, collider_way;                   /* of colliders: in this substep, since listed; m */
    double largest_rest, largest_radius, smallest_radius; /* over segments, m */
    int key_bits;                                         /* of a grid bucket */
    int segment_bits;                                     /* of a segment index, in whole bytes */
    size_t pair_room, near_room, sort_room;               /* entries that the buffers hold */
    float *moved;                                         /* [blocks][8]; see kernels/grid.cl */
    bool fresh;                                           /* no substep has seen these lists yet */
    bool touching;                                        /* contacts may exist in this substep */
} cab_contact_state;

#endif
