/* The volume that cables sweep as a world moves, or those of several worlds: a union of capsules, and how near these come to
 * colliders. Segments go straight from where they are in a frame to where they are in the next. Sheets are not part of it. */
#ifndef CAB_ENVELOPE_MOTION_H
#define CAB_ENVELOPE_MOTION_H

#include <clcable/facts.h>
#include <clcable/world.h>

#include "envelope/distances.h"

/* What comes nearest to a collider. */
typedef struct cab_envelope_nearest {
    cab_clearance clearance;        /* `other`: the collider; distance INFINITY = there is none */
    char cable[256], collider[256]; /* their names; the collider's is empty where it has none */
    int group;                      /* of the cable */
    double time;                    /* s, of the frame, or of the next one where it is between two */
} cab_envelope_nearest;

typedef struct cab_envelope {
    double
        cell; /* m, asked for; 0 = from the cables: a third of the least radius, more where they are long */
    int most; /* blocks of the grid */
    int sources; /* worlds, or variants, that are in it */
    cab_distances field;
    cab_envelope_nearest nearest;
} cab_envelope;

/* What a world adds to one. */
typedef struct cab_motion {
    cab_distances field;
    cab_envelope_nearest nearest;
    int segments;         /* of cables, which come before those of sheets */
    bool started;         /* there are places: */
    double *position;     /* [nodes][3] m, now */
    cab_vec3 (*taken)[2]; /* [segments] ends of a segment as it was added last, m */
} cab_motion;

/* cell: m, or 0. */
cab_envelope cab_envelope_of(double cell);
void cab_envelope_free(cab_envelope *envelope);
/* What its distances take at most, MiB. */
double cab_envelope_room(const cab_envelope *envelope);

/* A world that has not moved yet. Fails where cells that were asked for are too small for the cables as they are drawn, or
 * where there are none (CAB_ERROR_INPUT). */
cab_status cab_motion_begin(cab_motion *motion, cab_envelope *envelope, cab_world *world, cab_error *error);

/* Adds the cables on their way from the last call, or at first where they are. without: [groups] whose cables are left out, the same
 * at each call; NULL = none. */
cab_status cab_motion_add(cab_motion *motion, cab_world *world, const bool *without, cab_error *error);

/* All of it becomes part of the envelope, as so many sources; cab_motion_free() remains to be called. */
cab_status cab_motion_join(cab_motion *motion, cab_envelope *envelope, int sources, cab_error *error);
void cab_motion_free(cab_motion *motion);

#endif
