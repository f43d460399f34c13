/* How a picture looks: what its colours mean, what is shown beside the cables, how fine it is. */
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

/* How much work a picture may be. cab_look_set_quality() sets the numbers that this stands for. */
typedef enum cab_quality {
    CAB_QUALITY_DRAFT = 0, /* for OpenGL in software: one sample, edges smoothed afterwards, hard shadows */
    CAB_QUALITY_NORMAL,    /* four samples, soft shadows, ambient occlusion */
    CAB_QUALITY_HIGH,      /* as normal, with four times the pixels */
    CAB_QUALITY_COUNT
} cab_quality;

/* A stripe along cables that shows how they are rolled. */
typedef enum cab_stripe {
    CAB_STRIPE_TWISTED = 0, /* in worlds where some cable is twisted between clamps (cab_world_info.twists) */
    CAB_STRIPE_OFF,
    CAB_STRIPE_ON /* wherever cables resist twisting, also where no two clamps hold it */
} cab_stripe;

typedef struct cab_look {
    cab_paint paint;       /* what the colours mean where `quantity` is none */
    cab_quantity quantity; /* shown by the colours */
    float lowest,
        highest; /* the quantity's values at the ends of the colour map; equal = cab_renderer_range() */
    cab_background background;
    bool grid;  /* on the ground */
    bool marks; /* what is held, joined, loaded, broken */
    cab_stripe stripe;

    /* The quality that was set last, and its numbers. Each may be changed by itself afterwards. */
    cab_quality quality;
    int samples;      /* of a pixel, by the hardware: 1, 2, 4, 8 */
    int oversampling; /* 1 to 4: a pixel is the mean of so many by so many */
    float error;      /* by how much straight pieces may be off a cable's curve, pixels; > 0 */
    bool flat;       /* a tube's depth is that of a ribbon: fast, but where tubes cross each other it shows */
    int shadow_size; /* texels along the edge of the shadow map; 0 = no shadows */
    bool soft;       /* shadows grow softer with the distance from what casts them */
    bool occlusion;  /* ambient occlusion: crevices are darker */
    bool smooth;     /* edges are found and smoothed in the finished picture, for where there is one sample */
} cab_look;

/* Normal quality, a light background, a grid, marks, stripes where cables are twisted, a colour for each cable. */
cab_look cab_look_default(void);

void cab_look_set_quality(cab_look *look, cab_quality quality);

/* Are the ends of the colour map fixed? Else they follow the values. */
bool cab_look_has_range(const cab_look *look);

/* Are stripes shown in a world, which twists or not? */
bool cab_look_has_stripes(const cab_look *look, bool twists);

/* The grey of floors and planes, which goes with the background; linear light. */
float cab_look_ground_grey(const cab_look *look);

/* The name of a quality: "draft", "normal", "high"; NULL past the last. */
const char *cab_quality_name(int quality);

/* The quality for a window in the current context: draft where OpenGL is done in software, else normal. */
cab_quality cab_quality_for_window(void);

#endif
