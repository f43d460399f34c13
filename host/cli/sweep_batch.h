/* Variants of a sweep in one world: what running and measuring them share. */
#ifndef CAB_SWEEP_BATCH_H
#define CAB_SWEEP_BATCH_H

#include "cli/sweep.h"

typedef struct cab_sweep_batch {
    cab_sweep *sweep;
    int *variant; /* [count] */
    int count;
    cab_scene *scene; /* of all; variant i is its group i */
    cab_world *world;
    cab_world_info info;
    double *position, *velocity, *tension;
    double *torque;                          /* [nodes] where it is asked for; else NULL */
    float *depth;                            /* [segments] */
    int *node_of;                            /* [particles] a node of it */
    bool *flung;                             /* [count] has diverged */
    bool *restless;                          /* [count] --settle: no rest was found */
    int *place;                              /* [cables] which of its variant it is */
    cab_clearance *to_cables, *to_colliders; /* [cables] where clearances are asked for; else NULL */
    cab_attachment_info *holds;              /* [hold_count] where forces are asked for; else NULL */
    int hold_count, event_count;             /* events that have been seen */
    cab_motion motion;                       /* --envelope */
    cab_error error;
} cab_sweep_batch;

/* sweep_measure.c */
/* Room for what is measured, after the world has been made; freed by cab_sweep_measure_end(). */
cab_status cab_sweep_measure_begin(cab_sweep_batch *b);
void cab_sweep_measure_end(cab_sweep_batch *b);
/* Takes the start, and each frame after it, into the results of the variants. */
cab_status cab_sweep_measure(cab_sweep_batch *b);
/* Takes what counts at the end. */
cab_status cab_sweep_measure_last(cab_sweep_batch *b);

/* The number of a cable's name, which may be new, among the names of the sweep, where it may be at `guess`. -1: no memory. */
int cab_sweep_name(cab_sweep *sweep, const char *name, int guess, cab_error *error);

/* sweep_share.c */
/* Worlds that are to be run: piece i has the variants from first[i] to the one before first[i + 1]. */
typedef struct cab_sweep_pieces {
    int *variant, *first;
    int count;
} cab_sweep_pieces;

/* Joins those that share the sweep; a variant's scene has been read, and what it reads. */
cab_status cab_sweep_join(cab_sweep *sweep, cab_error *error);
/* Runs what others do not, and takes all that came out. `work` runs a piece in a sweep of its own and leaves its parcel. */
cab_status cab_sweep_share(cab_sweep *sweep, const cab_sweep_pieces *pieces, cab_queue_work *work, void *user,
                           void (*seen)(void *user, int done), cab_error *error);
/* Writes what came out of a piece for the others. */
cab_status cab_sweep_leave_parcel(const cab_sweep *own, const int *variant, int count, int piece,
                                  cab_error *error);

/* sweep_warnings.c */
/* A warning that was given `count` times: kept with those of the same shape. */
void cab_sweep_keep_warning(cab_sweep *sweep, const char *shape, const char *text, int variant, long count);
/* A warning of a world of this batch: kept, and told once for all that are like it. */
void cab_sweep_warn(cab_sweep_batch *b, const char *text);

#endif
