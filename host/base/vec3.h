/* Small vector arithmetic of the host, in double. */
#ifndef CAB_VEC3_H
#define CAB_VEC3_H

#include <math.h>

#include <clcable/scene.h>

static inline cab_vec3 cab_vec3_add(cab_vec3 a, cab_vec3 b)
{
    return (cab_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline cab_vec3 cab_vec3_sub(cab_vec3 a, cab_vec3 b)
{
    return (cab_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline cab_vec3 cab_vec3_scale(double s, cab_vec3 a)
{
    return (cab_vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline cab_vec3 cab_vec3_add_scaled(cab_vec3 a, double s, cab_vec3 b)
{
    return (cab_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double cab_vec3_dot(cab_vec3 a, cab_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cab_vec3 cab_vec3_cross(cab_vec3 a, cab_vec3 b)
{
    return (cab_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double cab_vec3_length(cab_vec3 a)
{
    return sqrt(cab_vec3_dot(a, a));
}

static inline double cab_vec3_distance(cab_vec3 a, cab_vec3 b)
{
    return cab_vec3_length(cab_vec3_sub(a, b));
}

/* a without its component along the unit vector u */
static inline cab_vec3 cab_vec3_reject(cab_vec3 a, cab_vec3 u)
{
    return cab_vec3_add_scaled(a, -cab_vec3_dot(a, u), u);
}

/* The unit vector of a; zero stays zero. */
static inline cab_vec3 cab_vec3_unit(cab_vec3 a)
{
    double length = cab_vec3_length(a);
    return length > 0 ? cab_vec3_scale(1 / length, a) : a;
}

/* v, which is at right angles to the unit vector `axis`, turned about it; angle in rad. */
static inline cab_vec3 cab_vec3_turned(cab_vec3 v, cab_vec3 axis, double angle)
{
    return cab_vec3_add_scaled(cab_vec3_scale(cos(angle), v), sin(angle), cab_vec3_cross(axis, v));
}

/* As three floats, for drawing. */
static inline void cab_vec3_to_floats(cab_vec3 a, float to[3])
{
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
}

static inline cab_vec3 cab_vec3_from_floats(const float x[3])
{
    return (cab_vec3){x[0], x[1], x[2]};
}

static inline bool cab_vec3_finite(cab_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* A unit vector perpendicular to the unit vector u. */
static inline cab_vec3 cab_vec3_any_normal(cab_vec3 u)
{
    double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    cab_vec3 axis = {0, 0, 0};
    if (x <= y && x <= z)
        axis.x = 1;
    else if (y <= z)
        axis.y = 1;
    else
        axis.z = 1;
    return cab_vec3_unit(cab_vec3_reject(axis, u));
}

#endif
