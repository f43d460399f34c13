/* Texts of a drawing where there is room for them. */
#ifndef CAB_BOARD_PLACE_H
#define CAB_BOARD_PLACE_H

#include "board/drawing.h"
#include "board/label.h"

typedef struct cab_pad {
    cab_drawing *drawing;
    cab_labels labels;
} cab_pad;

/* What lying over these costs. */
#define CAB_OVER_TEXT 10.0
#define CAB_OVER_SYMBOL 8.0
#define CAB_OVER_BUNDLE 6.0
#define CAB_OVER_LEADER 3.0

/* A text that wants a place. */
typedef struct cab_wish {
    const char *text;
    cab_layer layer;
    double height; /* mm */
    double grey;
    bool dispensable; /* left out where it would lie over something */
} cab_wish;

/* Beside a polyline, along its pieces; else with a line that leads there. off: mm from its middle to where the text may begin. */
void cab_place_along(cab_pad *pad, const cab_wish *wish, const cab_point *points, int count, double off);
/* Beyond a point in a direction, rad; else around it. */
void cab_place_beyond(cab_pad *pad, const cab_wish *wish, cab_point at, double angle, double off);

#endif
