/* Which straight pieces the strands are drawn with: long ones where a cable is straight or far away, several
 * to a segment where it bends close by, none where it is out of the picture. No GL in here. */
#ifndef CAB_SPANS_H
#define CAB_SPANS_H

#include <clcable/status.h>

#include "view/camera/camera.h"
#include "view/shapes/geometry.h"

/* From a place of a strand to another, counted in nodes. Attributes of tube.vert. */
typedef struct cab_span {
    uint32_t strand;
    float from, to;
} cab_span;

/* A stretch of a strand that is judged as a whole. */
typedef struct cab_stretch {
    int strand, first, last; /* nodes of the strand */
    float *bend; /* of the strand's nodes: how far one is off the line of its neighbours, twice; m */
    vec3 middle;
    float radius;  /* of a ball around it, m */
    float segment; /* the longest, m */
} cab_stretch;

typedef struct cab_spans {
    const cab_strand *strands; /* the geometry's */
    cab_stretch *stretches;
    int stretch_count;
    float *bend;
    cab_span *list;
    int count, room;
    bool known; /* where the nodes are */
} cab_spans;

/* Who looks. The matrix makes a place in clip space of one in the world (a depth map's or the camera's). */
typedef struct cab_spans_view {
    mat4 clip;
    float pixel;  /* size of a pixel, m; in perspective at a distance of 1 m */
    vec3 eye;     /* in perspective */
    vec3 forward; /* in perspective */
    bool orthographic;
    float error;   /* that a piece may be off the curve, pixels */
    float longest; /* piece, pixels: where colours change along a cable */
} cab_spans_view;

cab_status cab_spans_create(cab_spans *spans, const cab_strand *strands, int strand_count, cab_error *error);
/* Where the nodes are now: [nodes][4]. */
void cab_spans_measure(cab_spans *spans, const float (*rows)[4]);
/* They are somewhere else now: until the next measure every segment gets the same pieces. */
void cab_spans_forget(cab_spans *spans);
/* Makes `list`, `count` long. */
cab_status cab_spans_choose(cab_spans *spans, const cab_spans_view *view, cab_error *error);
void cab_spans_free(cab_spans *spans);

#endif
