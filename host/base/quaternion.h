/* Unit quaternions, which are rotations, in double. */
#ifndef CAB_QUATERNION_H
#define CAB_QUATERNION_H

#include "base/vec3.h"

/* w, x, y, z */
typedef struct cab_quaternion {
    double w;
    cab_vec3 v;
} cab_quaternion;

/* Of any length but 0. */
static inline cab_quaternion cab_quaternion_unit(const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (cab_quaternion){q[0] / length, {q[1] / length, q[2] / length, q[3] / length}};
}

static inline cab_quaternion cab_quaternion_inverse(cab_quaternion q)
{
    return (cab_quaternion){q.w, cab_vec3_scale(-1, q.v)};
}

/* The rotation b, then a. */
static inline cab_quaternion cab_quaternion_times(cab_quaternion a, cab_quaternion b)
{
    cab_vec3 v = cab_vec3_add(cab_vec3_scale(a.w, b.v), cab_vec3_scale(b.w, a.v));
    return (cab_quaternion){a.w * b.w - cab_vec3_dot(a.v, b.v), cab_vec3_add(v, cab_vec3_cross(a.v, b.v))};
}

static inline cab_vec3 cab_quaternion_rotate(cab_quaternion q, cab_vec3 v)
{
    cab_vec3 t = cab_vec3_scale(2, cab_vec3_cross(q.v, v));
    return cab_vec3_add(cab_vec3_add_scaled(v, q.w, t), cab_vec3_cross(q.v, t));
}

static inline void cab_quaternion_store(cab_quaternion q, double out[4])
{
    out[0] = q.w;
    out[1] = q.v.x;
    out[2] = q.v.y;
    out[3] = q.v.z;
}

#endif
