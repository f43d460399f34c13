/* All frames of a run in a scratch file, for formats that hold a quantity's frames one behind the other: they
 * are written at the end, and memory never holds more than a frame. The scratch file lies beside the output,
 * has no name and goes with the program. */
#ifndef CAB_RECORD_H
#define CAB_RECORD_H

#include <stdio.h>

#include "io/snapshot.h"

/* What a frame is made of, in this order, each for all nodes. */
typedef enum cab_track {
    CAB_TRACK_POSITION = 0, /* [nodes][3] */
    CAB_TRACK_VELOCITY,     /* [nodes][3] */
    CAB_TRACK_TENSION,      /* [nodes]; so are the others */
    CAB_TRACK_CURVATURE,
    CAB_TRACK_CONTACT,
    CAB_TRACK_COUNT
} cab_track;

typedef struct cab_record {
    const char *name; /* of the output, for messages */
    FILE *stream;
    cab_pose *pose; /* [frames][colliders] */
    double *time;   /* [frames] s */
    float *values;  /* room for a track of one frame */
    int nodes, colliders;
    int first_frame; /* of the world, that it begins with */
    int frame_count, capacity;
} cab_record;

/* Numbers that a track has for a node, 3 or 1; its word in files, "positions", "tension", ... */
int cab_track_width(cab_track track);
const char *cab_track_name(cab_track track);

/* path: of the output, which must live as long as the record. */
cab_status cab_record_open(cab_record *record, const char *path, cab_error *error);
void cab_record_close(cab_record *record);

/* Adds the world's frame. colliders: how many of its colliders are to be remembered, from the first on. */
cab_status cab_record_add(cab_record *record, cab_world *world, int colliders, cab_error *error);

/* Reads a track of a frame; the values stay until the next call. NULL after an error. */
const float *cab_record_read(cab_record *record, int frame, cab_track track, cab_error *error);

#endif
