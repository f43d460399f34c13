/* The parts of a world: what each concern keeps between calls. Functions of a concern are in the header of
 * its name, in this folder (attached, colliders, events, forces, loads, sleep) or in the folder above that
 * owns it. */
#ifndef CAB_WORLD_PARTS_H
#define CAB_WORLD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/draw.h>
#include <clcable/judge.h>

#include "backend/kernels.h"
#include "kernels/types.h"
#include "model/branches.h"
#include "model/components.h"
#include "model/coupled.h"
#include "model/model.h"
#include "model/tiles.h"

/* The substeps that the tables of what moves (targets, colliders, forces, drums) are made for. Row k of such a table is a substep; it
 * holds what is true when (first + k + 1)/of of the frame are over. */
typedef struct cab_window {
    int first, count, of;
} cab_window;

/* A substep that may be taken again: what was at its start beside the buffers that are put aside; see run/again.h. */
typedef struct cab_again {
    int *pieces; /* [components] then */
    /* [components] a length is off at the end that was not at the start, or something has become too deep */
    bool *missed;
    /* [components] a length is off at the start and now by more than what is ever accepted */
    bool *contradicted;
    float *error; /* [lengths] share by which each was off at the start, */
    float *now;   /* and is now */
    /* the largest share by which a length is off now that was off by more than what is accepted at the start already */
    float beyond;
    bool watches;          /* it is looked at how deep things lie in each other within it: */
    float *depth;          /* [segments] now, m */
    bool *was_deep, *deep; /* [segments] too deep at its start; at some time since */
    bool sunk;             /* something has become too deep */
    int ticks, asleep;
    long long iterations;
    double last_step, speed;
    float drift[3];
} cab_again;

/* How finely a frame is stepped where something is fast near what it may touch; see run/pace.h and world/pieces.h. */
typedef struct cab_pace {
    double *led; /* [substeps of the settings] how far what is led moves in each of this frame, at most, m */
    float *led_target;           /* [substeps][targets] each target, m */
    float *led_collider;         /* [substeps][colliders] each collider, m */
    size_t target_room;          /* numbers in led_target, */
    int led_room, collider_room; /* and in the buffers of a substep's */
    bool made;                   /* something has been fast: what follows is there */
    cab_components components;
    int *pieces;          /* [components] into which a substep of the settings is cut: a power of two */
    int *wanted, *parent; /* [components] the same for the coming one; islands of components (base/union.h) */
    float *share;  /* [components] how far it would move in the coming substep, as a share of its thickness */
    bool *changed; /* [components] has the number changed? */
    float *growth; /* [components] how often as many there are now as before */
    int (*meet)[2]; /* [pairs] components that may meet */
    size_t meet_room;
    int held;   /* pieces of those that are stepped now while others are held; 0 = nobody is held */
    bool first; /* these are the first in the substep */
    int more; /* times as many iterations as asked for, where there are no more pieces to be had; 0 = as asked for */
    cab_again again;
    /* For tests: NULL, or called after each substep and each piece of one. part: the part of the frame that is over. */
    void (*watch)(void *user, cab_world *world, double part);
    void (*unwatch)(void *user,
                    cab_world *world); /* what was seen since the substep began has not happened */
    void *user;
} cab_pace;

/* A held particle that may move, or a soft attachment. */
typedef struct cab_moving {
    int attachment;    /* index in the model */
    bool by_user;      /* cab_world_set_target has taken over from the keyframes */
    cab_vec3 from, to; /* by_user: start and end of its motion in the next frame, m */
    cab_vec3 velocity; /* in the last substep of the tables, m/s */
} cab_moving;

typedef struct cab_attached {
    cab_moving *moving;
    int moving_count;
    int soft_count;  /* number of soft ones, with the pull of a hand */
    float4 *target;  /* [substeps][targets][2], as the buffer target */
    bool target_due; /* the device has others */
    float *moved;    /* [substeps][targets] how far each moves, m */
    double
        jerk; /* by which the way of a target in a substep of the tables differs most from that in the substep before, m */
} cab_attached;

/* A collider that may move. */
typedef struct cab_collider_motion {
    bool by_user;      /* cab_world_set_collider has taken over from the keyframes */
    cab_pose from, to; /* by_user: start and end of its motion in the next frame; then it stays at `to` */
} cab_collider_motion;

/* A body that is led: `pose` is that of its own axes in space, as are velocity, m/s, and spin, rad/s, in the last substep. */
typedef struct cab_led_motion {
    cab_collider_motion pose;
    cab_vec3 velocity, spin;
} cab_led_motion;

typedef struct cab_world_colliders {
    bool move;
    cab_collider_motion *motion; /* [colliders] */
    cab_collider *path;          /* [substeps][colliders] in the window */
    double *moved;               /* [substeps] how far the surface point that moves farthest moves, m */
    float *each;                 /* [substeps][colliders] how far each one's surface moves at most, m */
} cab_world_colliders;

/* Forces on bodies by contact; see constraint/rigid_wrench.h. */
typedef struct cab_wrench {
    bool any;  /* some segment is near a shape, */
    int lists; /* by the lists of contact that the tables are for: their near_made */
} cab_wrench;

/* The scene's force of a load, which the user may have replaced. */
typedef struct cab_user_load {
    bool set;
    cab_vec3 force; /* N */
    int keyframe_count;
} cab_user_load;

typedef struct cab_world_loads {
    float4 *path;        /* [substeps][loads] in the window, N */
    int last_row;        /* of it that was filled in last */
    cab_user_load *user; /* [scene loads]; NULL = no force was set by the user */
} cab_world_loads;

/* A place where an attachment's force is measured: a row of the buffer `breakable`. */
typedef struct cab_watch {
    int attachment; /* index in the model */
    int node;
    bool couple; /* only the force of a clamp between cables on this node's neighbour */
    double
        clamp; /* only that of a clamp on a body on a neighbour, which is this, 1/m, times its couple; 0 = another */
    cab_vec3 load;     /* mean force on the node over the frame, N */
    cab_vec3 velocity; /* at the start of the frame, m/s */
} cab_watch;

typedef struct cab_forces {
    cab_watch *watch;
    int watch_count;
    cab_vec3 *mean; /* [attachments] mean forces over the last frame where watched, N; NULL = none yet */
    cab_vec3 *
        couple; /* [attachments] of clamps on bodies: the mean of what with their direction gives the couple, N m; as mean */
    bool at_rest; /* instead those of a rest that was solved for, of all: until the next frame */
} cab_forces;

typedef struct cab_events {
    cab_event *list; /* in the order of time; their member time is not filled in */
    int count;
} cab_events;

/* What a run has found out about itself; see judge/judge.h. */
typedef struct cab_judging {
    cab_judgement found[CAB_JUDGED_COUNT];
    bool beyond[CAB_JUDGED_COUNT];     /* it has been found */
    cab_judged told[CAB_JUDGED_COUNT]; /* which have been, in that order */
    int told_count;
    int first_frame; /* the one that it began after */
    double led;      /* the fastest that anything was led so far, m/s */
    double forces;   /* the most that loads pulled so far, N */
    double hand;     /* the fastest that a hand moved so far, m/s; its pull is `pulled` */
    double pulled;   /* s */
    double stored;   /* J in bending and springs before the first frame */
    /* the scene's, found when it is first asked for and after a change */
    bool known;
    cab_components components; /* of `load` */
    double *load;              /* [components] N, weights and forces */
    double *fed;               /* [drums] m on each after the last frame */
    double mass, lightest;     /* kg of all that moves, of the lightest component */
    double longest;            /* rest length of a component, m */
    bool all_held;             /* every component is held somewhere */
    int overlap_next;          /* frame before which no pair is looked for again */
    int length_next;           /* and no length */
    /* energy */
    bool referenced, driven;  /* `allowed` holds; something has driven since then */
    int energy_next, changes; /* frame of the next look; number of what had broken and happened at the last */
    double speed_seen;        /* of the last look, m/s */
    double allowed, reference; /* J: what it may be at most, what it was when it was last driven */
    double gained;             /* as often as all that is sensible, at the last look */
    double moved;              /* J, that have been seen in motion since then */
} cab_judging;

typedef struct cab_sleep {
    bool on;
    cab_components components;
    int *island; /* [components] the first component of its island; -1 = awake */
    bool *due;   /* [components] it wakes before the next substep */
    bool any_due;
    int *quiet; /* [components] frames that it has been quiet, as on the device */
    int asleep; /* number of sleeping components */
} cab_sleep;

/* A buffer that a state keeps; see cab_table in world/device.h. */
typedef struct cab_kept {
    const char *tag; /* NULL = not kept */
    size_t count, size;
} cab_kept;

/* What cab_world_draw needs; see run/draw.c. */
typedef struct cab_drawing {
    cab_gl gl;   /* def.gl's */
    bool listed; /* draw_node is as the model is, */
    int broken;  /* and this is the number of broken attachments for which it is */
    float *rows; /* [nodes][4] to copy into an OpenGL buffer that is not shared */
} cab_drawing;

/* The pull of a hand; see run/hand.c. */
typedef struct cab_hand {
    cab_vec3 from, to;  /* its place at the start and end of the next frame, m */
    double asked;       /* stiffness that the user asked for, N/m; 0 = by mass */
    cab_way way_before; /* the world's way before the pull */
} cab_hand;

/* An attachment that has let go. */
typedef struct cab_broken {
    int attachment; /* index in the model */
    bool released;  /* a soft one was pulled too far; else the force was too large */
    int frame;      /* it let go at the end of this frame */
    double force;   /* mean force over the frame; released: force at its end, N */
} cab_broken;

typedef struct cab_breaks {
    cab_broken *list; /* in the order of time */
    int count;
} cab_breaks;

/* A launch of an iteration. Small colours share one. */
typedef struct cab_launch_plan {
    cab_stage stage;
    cab_kernel kernel;
    int first, count;
    int argument; /* CAB_SOLVE_..., and the number of merged colours */
} cab_launch_plan;

/* The iterations of a substep: the launches of one, and what tells when to stop. */
typedef struct cab_iterated {
    cab_launch_plan *launch;
    int launch_count;
    float *change;        /* [blocks][2] read back where iterations end by a tolerance */
    long long iterations; /* number since the start, over all substeps */
} cab_iterated;

/* Kinds of gangs, by what their launches compute. */
typedef enum cab_gang_kind {
    CAB_GANG_LANES, /* cables that touch nothing */
    CAB_GANG_NEAR,  /* cables that may touch colliders (carrier/near.h) */
    CAB_GANG_KIND_COUNT
} cab_gang_kind;

typedef struct cab_lanes {
    cab_tiles tiles;
    cab_tile_move *move;
    bool taken;     /* tiles have the state of their cables, */
    bool ahead;     /* and the buffers of particles do not */
    bool backwards; /* the next launch goes through them from the last to the first */
    int level; /* lane_constant has constants for substeps in up to 2^level pieces (carrier/near_pieces.h); -1 = it cannot have more */
    bool solved, solved_first; /* CAB_FRAME_SOLVED, CAB_FRAME_SOLVED_FIRST of their last substep */
    unsigned tables;           /* how often the tables were made or, in a gang, ought to have been */
    bool tables_due,
        moves_due; /* its own tables, and those of what moves, are not the present ones: it was in a gang meanwhile */
    /* It may share tiles with other worlds (carrier/gang.h): the gangs that it is a member of, NULL = none; does its state lie in the tiles
     * of one of them, instead of its own, and of which? */
    struct cab_gang *gangs[CAB_GANG_KIND_COUNT];
    int member; /* the same in all */
    bool resident;
    cab_gang_kind in;
} cab_lanes;

/* How a frame of the carrier staged is computed. */
typedef enum cab_frame_kind {
    CAB_FRAME_STAGED, /* stage by stage */
    CAB_FRAME_CLEAR,  /* in lanes, as nothing can touch anything */
    CAB_FRAME_NEAR,   /* in lanes with contact (carrier/near.h) */
    CAB_FRAME_SPANS,  /* in tiles of spans (carrier/span_frame.h) */
    CAB_FRAME_NETS    /* in tiles of nets (carrier/net_frame.h) */
} cab_frame_kind;

/* How far things may move in a frame, m. */
typedef struct cab_travel {
    double way;       /* a particle, at most */
    double more;      /* the part of that that is not by its speed */
    double turn;      /* a segment against its neighbours, beside what it turns at now, rad */
    double led;       /* what is led */
    double colliders; /* the surface of a collider */
} cab_travel;

/* What is known of how far everything is from what it could touch; see carrier/clear.h. Distances in m. */
typedef struct cab_clear {
    bool asked, possible; /* the question whether such frames are possible has been answered; the answer */
    bool spans;           /* frames are possible in tiles of spans (carrier/span_frame.h) instead, */
    bool nets;            /* or in those of nets (carrier/net_frame.h) */
    bool tables;          /* those of the carrier lanes, or of frames of spans, are the present model's */
    bool now;             /* the last frame was a clear one, */
    bool near;            /* or one in lanes with contact, see carrier/near.h, */
    bool near_possible;   /* which the scene allows; */
    bool near_partial;    /* not all segments touch all colliders there */
    cab_frame_kind next;  /* how the frame that has begun is computed; */
    bool alone;           /* by the world itself, although a gang was to */
    cab_travel travel;    /* how far things may move in it; */
    bool was_now;         /* was the one before it a clear one? */
    int near_level;       /* near frames begin with substeps in 2^near_level pieces (carrier/near_pieces.h) */
    int near_wait, near_left; /* as wait and left, after one that had to be computed stage by stage */
    bool stepped;             /* a frame has been stepped since masses or constraints changed last */
    int wait, left;      /* frames without a survey after the last one that said no; of these that are left */
    double acceleration; /* the most that gravity and loads give a particle, m/s^2 */
    double shortest;     /* rest length of a segment */
    bool surveyed;       /* what follows is known */
    double gap;          /* of any cable from any collider, at the survey */
    double free_gap;     /* of those that are not held too far from all colliders to reach one */
    double reach;        /* of the others, how far short of the nearest collider they stay */
    double apart;        /* two cables */
    /* gap and free_gap less how far each cable may come by its own speed in the frame after the survey */
    double slack, free_slack;
    double moved, led; /* since the survey: how far anything may have moved; what is led, and colliders */
} cab_clear;

/* Whole frames of nets (carrier/net_frame.h). */
typedef struct cab_nets {
    int count, tiles;
    float *report;     /* [nets][CAB_NET_REPORT] after the last frame */
    int *group;        /* [nets] of its bodies; -1 = they are of several */
    bool taken, ahead; /* as in cab_lanes */
    bool solved_first; /* the last substep was of first order */
} cab_nets;

/* For what on a drum the tables of its cable are: metres, NaN = they are those of another time; and its first free node then. */
typedef struct cab_fed {
    double stored;
    int free;
} cab_fed;

typedef struct cab_staged {
    cab_branches branches;
    bool chosen;  /* in this substep components may be stiff: buffer `stiff` says which */
    bool stiff;   /* some are, */
    bool near;    /* and some may touch colliders, */
    bool leaning; /* components may lean on their own segments: with bodies in them, pulled hard (press.cl) */
    bool clusters; /* or segments: there are clusters (carrier/cluster.h) */
    bool bumped;   /* some body may touch something in this substep (constraint/rigid_contact.h) */
    int cluster_need[CAB_CLUSTERS_NUMBERS];    /* the buffer cluster_count, of this substep */
    size_t cluster_room[CAB_CLUSTERS_NUMBERS]; /* and what there is room for */
    /* tiles of spans (carrier/spans.h) */
    cab_span_tile *span_tile;
    int *span_lane; /* as the buffer span_branch */
    cab_tile_move *span_move;
    int span_tiles, span_nodes, span_moves;
    bool all_in_lanes; /* no branch is left to be solved by itself */
    bool
        each_alone; /* each particle is in a branch, each branch is a component by itself, its segments numbered in a row */
    int branch_tiles; /* of branches side by side (carrier/direct_lanes.h) */
    cab_nets nets;
    cab_coupled_tables coupled; /* carrier/coupled.h */
    cab_fed *fed;               /* [drums] */
    /* Whole frames in them: as in cab_lanes. */
    bool span_taken, span_ahead, span_solved, span_solved_first;
} cab_staged;

/* Contact on the host: candidate lists and their sizes; see contact/contact.h. */
typedef struct cab_contact_state {
    bool cables;            /* segments against segments */
    bool colliders;         /* segments against colliders */
    bool listed;            /* candidate lists exist */
    double skin, near_skin; /* skins of the lists of pairs and colliders, m */
    double mean[3];         /* mean displacement since pairs were listed, m */
    double last_step;       /* largest step of the last substep, m */
    double speed;           /* last_step over the substep's length, or of the scene's start, m/s */
    double collider_step, collider_moved; /* how far colliders have moved in this substep, since listed; m */
    double smallest_rest;                 /* over segments, m */
    double largest_rest, largest_radius, smallest_radius; /* over segments, m */
    int key_bits;                                         /* bits of a grid bucket */
    int segment_bits;                                     /* bits of a segment index, in whole bytes */
    size_t pair_room, near_room, sort_room;               /* entries that the buffers hold */
    float *moved;                                         /* [blocks][8]; see kernels/grid.cl */
    bool fresh;                                           /* no substep has seen these lists yet */
    int near_count;                                       /* entries in the list of colliders */
    int near_made;                                        /* how often that was made */
    bool touching;                                        /* contacts may exist in this substep */
    bool after;      /* colliders are met after the iterations: CAB_TOUCHING_PARTICLES_AFTER, */
    bool put_out;    /* and some particle may have been put out of one in this substep */
    bool begun;      /* the substep's contacts have begun with their forces: masses are split */
    bool grips;      /* the buffer grip may hold friction */
    bool pressing;   /* the buffer contact_force may hold forces */
    bool forces_due; /* they are not there yet: what they are made of lies in a gang (carrier/gang.h) */
    bool clusters;   /* contacts of clusters are met there, too (carrier/cluster.h) */
    bool pressed;    /* colliders of stiff components are met inside the elimination of lengths */
} cab_contact_state;

#endif
