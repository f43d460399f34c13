/* How a picture is made: what colours mean, what is shown beside the cables, how fine it is. */
#ifndef CAB_LOOK_H
#define CAB_LOOK_H

#include <stdbool.h>

#include <clcable/draw.h>

#include "view/geometry.h"

typedef enum cab_background {
    CAB_BACKGROUND_LIGHT = 0,
    CAB_BACKGROUND_DARK,
    CAB_BACKGROUND_TRANSPARENT,
    CAB_BACKGROUND_COUNT
} cab_background;

typedef struct cab_look {
    cab_paint paint;       /* where `quantity` is none */
    cab_quantity quantity; /* else colours show this */
    float lowest, highest; /* of the quantity: the ends of the colour map; equal = from what is there */
    cab_background background;
    bool grid;        /* on the ground */
    bool marks;       /* what is held, joined, loaded, broken */
    int samples;      /* of a pixel, by the hardware: 1, 2, 4, 8 */
    int oversampling; /* 1 to 4: a pixel is made of so many by so many */
    int pieces;       /* that a segment's curve is drawn with, 1 to 8 */
} cab_look;

cab_look cab_look_default(void);

#endif
