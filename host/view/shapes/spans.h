/* Strands are drawn in straight pieces. This chooses them: long ones where a cable is straight or far away,
 * several to a segment where it bends close by, none where it is out of the picture. No OpenGL in here. */
#ifndef CAB_SPANS_H
#define CAB_SPANS_H

#include <clcable/status.h>

#include "view/camera/camera.h"
#include "view/shapes/geometry.h"

/* A piece: from one place of a strand to another, counted in nodes. Vertex attributes of tube.vert. */
typedef struct cab_span {
    uint32_t strand;
    float from, to;
} cab_span;

/* A part of a strand (at most 64 segments) for which visibility and the size of a pixel are found once. */
typedef struct cab_stretch {
    int strand, first, last; /* nodes of the strand */
    float *bend; /* [nodes of the strand] twice the distance of a node from the middle of its neighbours, m */
    vec3 middle;
    float radius;  /* of a ball around the stretch, m */
    float segment; /* length of the longest segment, m */
} cab_stretch;

typedef struct cab_spans {
    const cab_strand *strands; /* the geometry's */
    cab_stretch *stretches;
    int stretch_count;
    float *bend;
    cab_span *list; /* the pieces that were chosen */
    int count, room;
    bool known; /* where the nodes are */
} cab_spans;

/* From where it is looked at: by the camera, or by the light for its shadow map. */
typedef struct cab_spans_view {
    mat4 clip;    /* from places in the world to clip space */
    float pixel;  /* size of a pixel, m; in perspective at a distance of 1 m */
    vec3 eye;     /* in perspective */
    vec3 forward; /* in perspective */
    bool orthographic;
    float error; /* by how much a piece may be off the curve, pixels */
    float
        longest; /* length of a piece at most, pixels: for where colours change along a cable. 0 = a segment */
} cab_spans_view;

cab_status cab_spans_create(cab_spans *spans, const cab_strand *strands, int strand_count, cab_error *error);
/* Takes the places of the nodes, [nodes][4], as they are now. */
void cab_spans_measure(cab_spans *spans, const float (*rows)[4]);
/* The nodes have moved to unknown places: until the next measure every segment gets the same pieces. */
void cab_spans_forget(cab_spans *spans);
/* Chooses the pieces for a view: fills `list`. */
cab_status cab_spans_choose(cab_spans *spans, const cab_spans_view *view, cab_error *error);
void cab_spans_free(cab_spans *spans);

#endif
