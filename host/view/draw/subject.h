/* What a picture shows: cables, or a study in the plane. It is a table of functions, so that pictures, films
 * and legends need not know which of them it is. */
#ifndef CAB_SUBJECT_H
#define CAB_SUBJECT_H

#include <clcable/clcable.h>

#include "view/draw/renderer.h"

enum { CAB_NAME_SIZE = 300 };

typedef struct cab_clock {
    int frame;
    double time; /* s */
} cab_clock;

/* A text at a place of the scene. */
typedef struct cab_label {
    char text[64];
    vec3 at;    /* of the middle of its lower edge, m */
    float room; /* above it, that pictures leave free for it, m */
} cab_label;

typedef struct cab_subject_kind {
    /* Gives the renderer what does not change: before the first frame, and when colours are to mean something
     * else. Then gives it each frame. */
    cab_status (*load)(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error);
    cab_status (*update)(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error);
    cab_clock (*clock)(const void *self);
    /* What the colours stand for, where they show no quantity. */
    int (*name_count)(const void *self, cab_paint paint);
    void (*name)(const void *self, cab_paint paint, int index, char text[CAB_NAME_SIZE],
                 unsigned char rgba[4]);
    bool own_names; /* these names are shown beside a quantity, too: some things have colours of their own */
    /* Label `index`; false past the last. NULL = there are none. */
    bool (*label)(const void *self, int index, cab_label *label);
} cab_subject_kind;

typedef struct cab_subject {
    const cab_subject_kind *kind;
    void *self;
} cab_subject;

/* Adds the labels to a fit, with the room that they need. */
void cab_subject_take_in_labels(const cab_subject *subject, cab_framing *fit);

/* Cables as a subject. */
typedef struct cab_cables {
    const cab_scene *scene;
    cab_world *world;
} cab_cables;

/* The cables must live as long as the subject. */
cab_subject cab_subject_of_cables(cab_cables *cables);

#endif
