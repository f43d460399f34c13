/* How crowded the board is: a grid of shares from 0, free, to 1, taken by a bundle, and more where a connector is. */
#ifndef CAB_BOARD_FIELD_H
#define CAB_BOARD_FIELD_H

#include "board/plane.h"

#include <clcable/status.h>

typedef struct cab_field {
    cab_point origin;
    double cell; /* mm */
    int columns, rows;
    float *taken, *kept; /* [rows * columns] by what is there; for what is to come */
} cab_field;

/* A field that covers a box; what lies outside is free. */
cab_status cab_field_make(cab_field *field, cab_box box, cab_error *error);
void cab_field_free(cab_field *field);

/* A line takes what is nearer to it than `half` by this share, and less and less as far as `reach` from it. */
void cab_field_take(cab_field *field, cab_point a, cab_point b, double half, double reach, double share);
/* Keeps a disc free by this share; gives it back by the negative one. */
void cab_field_keep(cab_field *field, cab_point centre, double radius, double share);
double cab_field_at(const cab_field *field, cab_point p);

#endif
