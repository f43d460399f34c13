/* The closest points of two line segments, in doubles: kernels may treat nearly parallel lines as parallel. */
#ifndef CAB_CLOSEST_H
#define CAB_CLOSEST_H

#include <math.h>

#include "base/vec3.h"

/* A line segment: from a point, over a span. */
typedef struct cab_line {
    cab_vec3 from, span; /* m */
} cab_line;

/* How far apart two segments are, and where on each, 0 to 1. */
typedef struct cab_approach {
    double distance, s, t; /* m, 1, 1 */
} cab_approach;

static inline cab_vec3 cab_line_point(const cab_line *p, double s)
{
    return cab_vec3_add_scaled(p->from, s, p->span);
}

/* The point that is nearest to x, 0 to 1. */
static inline double cab_line_nearest(const cab_line *p, cab_vec3 x)
{
    double span2 = cab_vec3_dot(p->span, p->span);
    return span2 > 0 ? fmin(fmax(cab_vec3_dot(cab_vec3_sub(x, p->from), p->span) / span2, 0), 1) : 0;
}

static inline void cab_approach_take_nearer(cab_approach *c, const cab_line *p, double s, const cab_line *q,
                                            double t)
{
    double distance = cab_vec3_distance(cab_line_point(p, s), cab_line_point(q, t));
    if (distance < c->distance) *c = (cab_approach){distance, s, t};
}

/* That of the two lines, clamped, and that of each end: one of them is the closest of all. */
static inline cab_approach cab_approach_of(const cab_line *p, const cab_line *q)
{
    cab_approach c = {.distance = INFINITY};
    double uu = cab_vec3_dot(p->span, p->span), vv = cab_vec3_dot(q->span, q->span),
           uv = cab_vec3_dot(p->span, q->span);
    cab_vec3 between = cab_vec3_sub(q->from, p->from);
    double determinant = uu * vv - uv * uv;
    if (determinant > 0) {
        double s = (cab_vec3_dot(between, p->span) * vv - cab_vec3_dot(between, q->span) * uv) / determinant;
        s = fmin(fmax(s, 0), 1);
        cab_approach_take_nearer(&c, p, s, q, cab_line_nearest(q, cab_line_point(p, s)));
    }
    for (int end = 0; end < 2; end++) {
        cab_approach_take_nearer(&c, p, end, q, cab_line_nearest(q, cab_line_point(p, end)));
        cab_approach_take_nearer(&c, p, cab_line_nearest(p, cab_line_point(q, end)), q, end);
    }
    return c;
}

#endif
