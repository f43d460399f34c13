/* All frames of a run in a scratch file, for formats that hold a quantity's frames one behind the other: they
 * are written at the end, and memory never holds more than a frame, however long the run. The scratch file lies beside the output,
 * has no name and goes with the program. */
#ifndef CAB_RECORD_H
#define CAB_RECORD_H

#include <stdio.h>

#include "io/file.h"
#include "io/snapshot.h"

/* What a frame is made of, in this order, each for all nodes. */
typedef enum cab_track {
    CAB_TRACK_POSITION = 0, /* [nodes][3] */
    CAB_TRACK_VELOCITY,     /* [nodes][3] */
    CAB_TRACK_TENSION,      /* [nodes]; so are the others */
    CAB_TRACK_CURVATURE,
    CAB_TRACK_CONTACT,
    CAB_TRACK_TORQUE, /* only where something can twist */
    CAB_TRACK_COUNT,
    CAB_TRACK_SPEED = CAB_TRACK_COUNT, /* [nodes] of velocities as they are read; not kept */
    CAB_TRACK_BODY_POSITION,           /* [bodies][3], of rigid bodies' poses as they are read: m */
    CAB_TRACK_BODY_ROTATION            /* [bodies][4], w, x, y, z */
} cab_track;

typedef struct cab_record {
    const char *name; /* of the output, for messages */
    FILE *stream;     /* frame by frame: the time, double, s; cab_pose [colliders + bodies]; the tracks */
    float *values;    /* room for a track of one frame */
    cab_body_reading *readings; /* [bodies] */
    int nodes, colliders, bodies;
    int tracks;      /* up to which it has them; CAB_TRACK_COUNT or CAB_TRACK_TORQUE */
    int first_frame; /* of the world, that it begins with */
    int frame_count;
    int errnum; /* of the first time or pose that could not be read; 0 = none */
} cab_record;

/* Numbers that a track has for a node or a body; its word in files, "positions", "tension", ... */
int cab_track_width(cab_track track);
const char *cab_track_name(cab_track track);
/* How many nodes or bodies it is of. */
int cab_record_rows(const cab_record *record, cab_track track);

/* path: of the output, which must live as long as the record. */
cab_status cab_record_open(cab_record *record, const char *path, cab_error *error);
void cab_record_close(cab_record *record);

/* Adds the world's frame, with its rigid bodies. colliders: how many of its colliders are to be remembered, from the first on; faces: whose
 * points count as nodes behind all others, NULL = none. */
cab_status cab_record_add(cab_record *record, cab_world *world, int colliders, const cab_body_faces *faces,
                          cab_error *error);

/* Reads a track of a frame; the values stay until the next call. NULL after an error. */
const float *cab_record_read(cab_record *record, int frame, cab_track track, cab_error *error);

/* Where a collider, or with the number `colliders` + b rigid body b, was in a frame. A failure is remembered for cab_record_check(), so that a writer need not ask each time. */
cab_pose cab_record_pose(cab_record *record, int frame, int collider);
cab_status cab_record_check(const cab_record *record, cab_error *error);

/* An array of all frames, [frames][nodes][width] of a track or [frames] of times, as a writer asks for its bytes: `self`
 * of these two is a cab_record_stream. */
typedef struct cab_record_stream {
    cab_record *record;
    cab_track track;
    int frame; /* whose values the record holds; -1 to begin with */
    double time;
} cab_record_stream;
const void *cab_record_track_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error);
const void *cab_record_time_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error);

#endif
