/* Branches that touch rigid bodies: the columns of the ways in which bodies can move (cab_rigid_touch). */
#ifndef CAB_RIGID_TOUCH_H
#define CAB_RIGID_TOUCH_H

#include "rigid.h"

/* The direction of a body's column, and whether it is that of a turn. */
CAB_INLINE vec3 cab_rigid_way(global const cab_rigid *own, int column, int *turns)
{
    int k = column % 3;
    *turns = own->motion == CAB_RIGID_HINGE || own->motion == CAB_RIGID_BALL || column > 2;
    if (own->motion == CAB_RIGID_HINGE || own->motion == CAB_RIGID_SLIDER) return vec3_at(own->axis);
    return vec3_make(k == 0, k == 1, k == 2);
}

/* A touch's arrays in rigid_column. */
typedef struct cab_rigid_arrays {
    global float *start, *end, *right, *square, *work;
} cab_rigid_arrays;

CAB_INLINE cab_rigid_arrays cab_rigid_arrays_of(cab_rigid_touch t, global float *column)
{
    global float *at = column + t.data;
    int n = t.columns;
    cab_rigid_arrays a = {at, at + 3 * n, at + 6 * n, at + 7 * n, at + (7 + n) * n};
    return a;
}

#endif
