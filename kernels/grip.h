/* The friction that contacts keep from substep to substep: each segment has a list of CAB_GRIPS of them. */
#ifndef CAB_GRIP_H
#define CAB_GRIP_H

#include "rods.h"

/* The friction with what `other` names in a segment's list, N; 0 if it is not there. */
CAB_INLINE vec3 cab_grip_of(global const cab_grip *list, int other)
{
    for (int k = 0; k < CAB_GRIPS && list[k].other != CAB_GRIP_NONE; k++)
        if (list[k].other == other) return vec3_make(list[k].x, list[k].y, list[k].z);
    return vec3_zero();
}

/* The friction of segment i on segment j, N. a, b: their first particles. Which of both owns their pair, and so keeps it, may have
 * changed since lists were made anew. */
CAB_INLINE vec3 cab_grip_between(global const cab_grip *grip, int i, int j, int a, int b)
{
    return vec3_sub(cab_grip_of(grip + CAB_GRIPS * i, 1 + b), cab_grip_of(grip + CAB_GRIPS * j, 1 + a));
}

/* What names a place on a collider: at the segment's start or end, or between. */
CAB_INLINE int cab_grip_collider(int collider, real t)
{
    return -1 - (4 * collider + (t == 0 ? 0 : t == 1 ? 1 : 2));
}

#endif
