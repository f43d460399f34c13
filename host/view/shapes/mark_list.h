/* Marks show what is held, joined, loaded and broken, as small shapes at nodes. A list without OpenGL. */
#ifndef CAB_MARK_LIST_H
#define CAB_MARK_LIST_H

#include <stdint.h>

#include <clcable/clcable.h>

typedef enum cab_mark_shape {
    CAB_MARK_CONE = 0, /* a point that is held, at the cone's tip */
    CAB_MARK_BLOCK,    /* a point that is held together with its direction, along the block's axis */
    CAB_MARK_BALL,     /* a joint, or a mass */
    CAB_MARK_SPRING,   /* from a point to the target that it is softly held to */
    CAB_MARK_ROD,      /* a tie, or a piece of the path of a moving target, from point to point */
    CAB_MARK_ARROW,    /* a force */
    CAB_MARK_ARC,      /* a moment, about its axis */
    CAB_MARK_CROSS,    /* broken or let go; faces the eye */
    CAB_MARK_COUNT
} cab_mark_shape;

typedef struct cab_mark {
    int32_t from, to;  /* nodes that start and end are counted from; -1 = from the world's origin */
    float start[3];    /* m */
    float end[3];      /* m; the axis goes from start to end */
    float width;       /* half of it, m */
    float pixels;      /* half of the width that it has at least */
    uint8_t colour[4]; /* sRGB; with alpha 0 it is made light on a dark background */
} cab_mark;

typedef struct cab_mark_list {
    cab_mark *marks[CAB_MARK_COUNT];
    int count[CAB_MARK_COUNT], room[CAB_MARK_COUNT];
    cab_attachment_info *attachments; /* as many as the world has */
    cab_load_info *loads;
    float *radius;       /* [bodies] m */
    double strongest[2]; /* the largest force (N) and moment (N m) of any load at any time */
} cab_mark_list;

/* Begins a list for a world. Frees what was in it. */
cab_status cab_mark_list_start(cab_mark_list *list, const cab_scene *scene, const cab_world *world,
                               cab_error *error);
/* Makes the marks of the world's current state. `size`: of the scene, m; arrows are in proportion to it. */
cab_status cab_mark_list_make(cab_mark_list *list, const cab_scene *scene, const cab_world *world, float size,
                              cab_error *error);
void cab_mark_list_free(cab_mark_list *list);

#endif
