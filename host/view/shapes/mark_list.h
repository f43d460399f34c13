/* Marks: what is held, joined, loaded and broken, as small shapes at nodes. Made without OpenGL. */
#ifndef CAB_MARK_LIST_H
#define CAB_MARK_LIST_H

#include <stdint.h>

#include <clcable/clcable.h>

typedef enum cab_mark_shape {
    CAB_MARK_CONE = 0, /* tip at the place; held */
    CAB_MARK_BLOCK,    /* along its axis; held with its direction */
    CAB_MARK_BALL,     /* joined; a mass */
    CAB_MARK_SPRING,   /* from place to place; held softly */
    CAB_MARK_ROD,      /* from place to place; the way of a target */
    CAB_MARK_ARROW,    /* from place to place; a force */
    CAB_MARK_ARC,      /* about its axis; a moment */
    CAB_MARK_CROSS,    /* faces the eye; broken, or let go */
    CAB_MARK_COUNT
} cab_mark_shape;

typedef struct cab_mark {
    int32_t from, to;  /* nodes that the places are counted from; -1 = from the world's origin */
    float start[3];    /* m */
    float end[3];      /* m; the axis goes from start to end */
    float width;       /* half, m */
    float pixels;      /* half, at least */
    uint8_t colour[4]; /* sRGB; alpha 0 = turned light on a dark background */
} cab_mark;

typedef struct cab_mark_list {
    cab_mark *marks[CAB_MARK_COUNT];
    int count[CAB_MARK_COUNT], room[CAB_MARK_COUNT];
    cab_attachment_info *attachments; /* room for the world's */
    cab_load_info *loads;
    float *radius;       /* [bodies] m */
    double strongest[2]; /* largest force (N) and moment (N m) of any load at any time */
} cab_mark_list;

/* Room for a world. Frees what was there. */
cab_status cab_mark_list_start(cab_mark_list *list, const cab_scene *scene, const cab_world *world,
                               cab_error *error);
/* The marks as they are now. size: of the scene, m; what arrows go by. */
cab_status cab_mark_list_make(cab_mark_list *list, const cab_scene *scene, const cab_world *world, float size,
                              cab_error *error);
void cab_mark_list_free(cab_mark_list *list);

#endif
