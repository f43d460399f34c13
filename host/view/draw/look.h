/* How a picture is made: what colours mean, what is shown beside the cables, how fine it is. */
#ifndef CAB_LOOK_H
#define CAB_LOOK_H

#include <stdbool.h>

#include <clcable/draw.h>

#include "view/shapes/geometry.h"

typedef enum cab_background {
    CAB_BACKGROUND_LIGHT = 0,
    CAB_BACKGROUND_DARK,
    CAB_BACKGROUND_TRANSPARENT, /* the ground only catches shadows */
    CAB_BACKGROUND_COUNT
} cab_background;

/* How much work a picture may be; cab_look_set_quality() makes numbers of it. */
typedef enum cab_quality {
    CAB_QUALITY_DRAFT = 0, /* for software GL: one sample, edges smoothed afterwards, hard shadows */
    CAB_QUALITY_NORMAL,    /* four samples, soft shadows, ambient occlusion */
    CAB_QUALITY_HIGH,      /* as normal, with four times the pixels */
    CAB_QUALITY_COUNT
} cab_quality;

typedef struct cab_look {
    cab_paint paint;       /* where `quantity` is none */
    cab_quantity quantity; /* else colours show this */
    float lowest, highest; /* of the quantity: the ends of the colour map; equal = cab_renderer_range() */
    cab_background background;
    bool grid;  /* on the ground */
    bool marks; /* what is held, joined, loaded, broken */

    cab_quality quality; /* that was set last, and what it stands for; each may be set by itself afterwards */
    int samples;         /* of a pixel, by the hardware: 1, 2, 4, 8 */
    int oversampling;    /* 1 to 4: a pixel is made of so many by so many */
    float error;         /* that straight pieces may be off a cable's curve, pixels; > 0 */
    bool flat;           /* tubes have the depth of ribbons: fast, but they do not cut into things roundly */
    int shadow_size;     /* texels along the edge of the shadow map; 0 = no shadows */
    bool soft;           /* shadows grow softer away from what casts them */
    bool occlusion;      /* crevices get less of the light from all around */
    bool smooth;         /* edges are looked for and smoothed in the picture: for one sample */
} cab_look;

/* Normal quality, light, a grid, marks, a colour for each cable. */
cab_look cab_look_default(void);

void cab_look_set_quality(cab_look *look, cab_quality quality);

/* "draft", "normal", "high"; NULL past the end. */
const char *cab_quality_name(int quality);

/* For a window on the current context: draft on software GL, else normal. */
cab_quality cab_quality_for_window(void);

#endif
