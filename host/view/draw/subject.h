/* What a picture is made of: cables, or a study in the plane. A table of functions, so that pictures, films
 * and legends need not know which. */
#ifndef CAB_SUBJECT_H
#define CAB_SUBJECT_H

#include <clcable/clcable.h>

#include "view/draw/renderer.h"

enum { CAB_NAME_SIZE = 300 };

typedef struct cab_clock {
    int frame;
    double time; /* s */
} cab_clock;

/* A text in the picture. */
typedef struct cab_label {
    char text[64];
    vec3 at;    /* m; the middle of its lower edge */
    float room; /* m, above it, that pictures leave */
} cab_label;

typedef struct cab_subject_kind {
    /* What is fixed, before the first frame and when colours are to mean something else; then each frame. */
    cab_status (*load)(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error);
    cab_status (*update)(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error);
    cab_clock (*clock)(const void *self);
    /* Names of the colours, where they show no quantity. */
    int (*name_count)(const void *self, cab_paint paint);
    void (*name)(const void *self, cab_paint paint, int index, char text[CAB_NAME_SIZE],
                 unsigned char rgba[4]);
    bool own_names; /* they count beside a quantity, too: of what shows none */
    /* False past the last. NULL = none. */
    bool (*label)(const void *self, int index, cab_label *label);
} cab_subject_kind;

typedef struct cab_subject {
    const cab_subject_kind *kind;
    void *self;
} cab_subject;

/* Labels as far as they reach. */
void cab_subject_take_in_labels(const cab_subject *subject, cab_fit *fit);

/* Cables. */
typedef struct cab_cables {
    const cab_scene *scene;
    cab_world *world;
} cab_cables;

/* The cables must live as long. */
cab_subject cab_subject_of_cables(cab_cables *cables);

#endif
