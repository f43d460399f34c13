/* Vectors of three doubles and distances of segments, straight from their definitions. */
#ifndef CAB_TESTS_SEGMENTS_H
#define CAB_TESTS_SEGMENTS_H

#include <math.h>

static inline double distance3(const double *a, const double *b)
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static inline void mix3(const double *a, const double *b, double t, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
}

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void sub3(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline void cross3(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline double point_to_segment(const double *p, const double *a, const double *b)
{
    double u[3], r[3], x[3];
    sub3(b, a, u);
    sub3(p, a, r);
    mix3(a, b, fmax(0, fmin(1, dot3(u, r) / dot3(u, u))), x);
    return distance3(p, x);
}

/* The nearest of the ends to the other segment, or where the two lines pass, if that is inside of both. */
static inline double segment_to_segment(const double *a, const double *b, const double *c, const double *d)
{
    double best = fmin(fmin(point_to_segment(a, c, d), point_to_segment(b, c, d)),
                       fmin(point_to_segment(c, a, b), point_to_segment(d, a, b)));
    double u[3], v[3], r[3], p[3], q[3];
    sub3(b, a, u);
    sub3(d, c, v);
    sub3(c, a, r);
    double uu = dot3(u, u), vv = dot3(v, v), uv = dot3(u, v), determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-12 * uu * vv)) return best;
    double s = (dot3(u, r) * vv - dot3(v, r) * uv) / determinant;
    double t = (s * uv - dot3(v, r)) / vv;
    if (s < 0 || s > 1 || t < 0 || t > 1) return best;
    mix3(a, b, s, p);
    mix3(c, d, t, q);
    return fmin(best, distance3(p, q));
}

#endif
