/* Vectors of the plane in doubles, for particles and planar bodies. */
#ifndef CAB_PLANE_H
#define CAB_PLANE_H

#include "dialect.h"

typedef struct cab_p2 {
    double x, y;
} cab_p2;

CAB_INLINE cab_p2 p2_make(double x, double y)
{
    cab_p2 r;
    r.x = x;
    r.y = y;
    return r;
}

CAB_INLINE cab_p2 p2_add(cab_p2 a, cab_p2 b)
{
    return p2_make(a.x + b.x, a.y + b.y);
}

CAB_INLINE cab_p2 p2_sub(cab_p2 a, cab_p2 b)
{
    return p2_make(a.x - b.x, a.y - b.y);
}

CAB_INLINE cab_p2 p2_scale(cab_p2 a, double s)
{
    return p2_make(a.x * s, a.y * s);
}

CAB_INLINE double p2_dot(cab_p2 a, cab_p2 b)
{
    return a.x * b.x + a.y * b.y;
}

CAB_INLINE double p2_cross(cab_p2 a, cab_p2 b)
{
    return a.x * b.y - a.y * b.x;
}

CAB_INLINE double p2_length(cab_p2 a)
{
    return CAB_SQRT_DOUBLE(a.x * a.x + a.y * a.y);
}

#endif
