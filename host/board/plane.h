/* Points in the plane, in millimetres. */
#ifndef CAB_BOARD_PLANE_H
#define CAB_BOARD_PLANE_H

#include <math.h>

typedef struct cab_point {
    double x, y;
} cab_point;

typedef struct cab_box {
    double left, bottom, right, top;
} cab_box;

static inline cab_point cab_point_add(cab_point a, double s, cab_point b)
{
    return (cab_point){a.x + s * b.x, a.y + s * b.y};
}

static inline double cab_point_distance(cab_point a, cab_point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static inline double cab_point_cross(cab_point a, cab_point b)
{
    return a.x * b.y - a.y * b.x;
}

/* The unit vector at an angle, rad. */
static inline cab_point cab_point_at(double angle)
{
    return (cab_point){cos(angle), sin(angle)};
}

static inline cab_point cab_point_between(cab_point a, cab_point b, double share)
{
    return (cab_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

/* The empty box, which grows. */
static inline cab_box cab_box_none(void)
{
    return (cab_box){HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
}

static inline void cab_box_add(cab_box *box, cab_point p, double round)
{
    box->left = fmin(box->left, p.x - round), box->right = fmax(box->right, p.x + round);
    box->bottom = fmin(box->bottom, p.y - round), box->top = fmax(box->top, p.y + round);
}

static inline int cab_box_meet(const cab_box *a, const cab_box *b)
{
    return a->left <= b->right && b->left <= a->right && a->bottom <= b->top && b->bottom <= a->top;
}

/* Does one of two lines lie over part of the other? Within a micrometre. */
static inline int cab_lines_cover(cab_point a, cab_point b, cab_point c, cab_point d)
{
    double length = cab_point_distance(a, b);
    if (length < 1e-3) return 0;
    cab_point along = {(b.x - a.x) / length, (b.y - a.y) / length}, ac = {c.x - a.x, c.y - a.y},
              ad = {d.x - a.x, d.y - a.y};
    if (fabs(cab_point_cross(along, ac)) > 1e-3 || fabs(cab_point_cross(along, ad)) > 1e-3) return 0;
    double from = along.x * ac.x + along.y * ac.y, to = along.x * ad.x + along.y * ad.y;
    return fmin(length, fmax(from, to)) - fmax(0, fmin(from, to)) > 1e-3;
}

/* Do the lines from a to b and from c to d cross or touch? Parallel ones do not. */
static inline int cab_lines_cross(cab_point a, cab_point b, cab_point c, cab_point d)
{
    cab_point ab = {b.x - a.x, b.y - a.y}, cd = {d.x - c.x, d.y - c.y}, ac = {c.x - a.x, c.y - a.y};
    double turn = cab_point_cross(ab, cd);
    if (fabs(turn) < 1e-9 * hypot(ab.x, ab.y) * hypot(cd.x, cd.y)) return 0;
    double s = cab_point_cross(ac, cd) / turn, t = cab_point_cross(ac, ab) / turn;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

#endif
