/* Distances in double, straight from their definitions, to check what the devices find. Include cmocka first.
 */
#ifndef CAB_TESTS_GEOMETRY_H
#define CAB_TESTS_GEOMETRY_H

#include "worlds.h"

/* How far a point is outside of a collider; negative inside. */
static inline double outside(const cab_collider_def *c, const double *p)
{
    const double centre[3] = {c->center.x, c->center.y, c->center.z}, to[3] = {c->to.x, c->to.y, c->to.z};
    const double n[3] = {c->normal.x, c->normal.y, c->normal.z};
    double r[3], d[3], far = 0, inside = -INFINITY;
    sub3(p, centre, r);
    if (c->shape == CAB_SHAPE_PLANE) return dot3(r, n) / sqrt(dot3(n, n));
    if (c->shape == CAB_SHAPE_SPHERE) return distance3(p, centre) - c->radius;
    if (c->shape == CAB_SHAPE_CAPSULE) return point_to_segment(p, centre, to) - c->radius;
    const double half[3] = {c->half_extents.x, c->half_extents.y, c->half_extents.z}; /* not rotated */
    for (int k = 0; k < 3; k++) {
        d[k] = fabs(r[k]) - half[k];
        far += fmax(0, d[k]) * fmax(0, d[k]);
        inside = fmax(inside, d[k]);
    }
    return inside > 0 ? sqrt(far) : inside;
}

/* Of all points of a segment the one least outside: a convex function along it. */
static inline double segment_outside(const cab_collider_def *c, const double *a, const double *b)
{
    double low = 0, high = 1, p[3], q[3];
    for (int k = 0; k < 60; k++) {
        double s = low + (high - low) / 3, t = high - (high - low) / 3;
        mix3(a, b, s, p);
        mix3(a, b, t, q);
        if (outside(c, p) < outside(c, q))
            high = t;
        else
            low = s;
    }
    mix3(a, b, low, p);
    return fmin(outside(c, p), fmin(outside(c, a), outside(c, b)));
}

/* By the words of the interface, for cables of equal segments that are not joined: on one cable two segments
 * never touch when fewer than two lie between them, or an arc under 2 r + one segment. */
static inline bool may_touch(const cab_cable_info *a, int i, const cab_cable_info *b, int j)
{
    if (a != b) return true;
    int between = abs(i - j) - 1;
    double segment = a->length / (a->node_count - 1);
    return between >= 2 && between * segment >= (2 * a->radius + segment) * (1 - 1e-6);
}

/* What is to be looked at. */
typedef struct touchables {
    bool cables, self;
    const cab_collider_def *colliders;
    int collider_count;
} touchables;

/* Every pair of segments, every segment and collider: the deepest overlap, m; 0 when there is none. */
static inline double deepest_overlap(cab_world *world, touchables t)
{
    snapshot s = read_world(world);
    cab_cable_info *cable = calloc((size_t)s.cables, sizeof *cable);
    double deepest = 0;
    for (int a = 0; a < s.cables; a++) cable[a] = cab_world_get_cable(world, a);
    for (int a = 0; a < s.cables; a++) {
        for (int i = 0; i + 1 < cable[a].node_count; i++) {
            double *p = s.x[cable[a].first_node + i];
            for (int k = 0; k < t.collider_count; k++)
                deepest = fmax(deepest, cable[a].radius - segment_outside(&t.colliders[k], p, p + 3));
            for (int b = a; b < s.cables; b++) {
                if (a == b ? !t.self : !t.cables) continue;
                for (int j = a == b ? i + 1 : 0; j + 1 < cable[b].node_count; j++) {
                    if (!may_touch(&cable[a], i, &cable[b], j)) continue;
                    double *q = s.x[cable[b].first_node + j];
                    double reach = cable[a].radius + cable[b].radius;
                    deepest = fmax(deepest, reach - segment_to_segment(p, p + 3, q, q + 3));
                }
            }
        }
    }
    free(cable);
    snapshot_free(&s);
    return deepest;
}

/* Gauss' integral of two segments, in whole turns: the signed share of directions from which they cross
 * (Klenin and Langowski, Biopolymers 54, 2000). Summed over two curves it changes little by little while
 * they move, and by one when they pass through each other. */
static inline double gauss_of(const double *a, const double *b, const double *c, const double *d)
{
    double r13[3], r14[3], r23[3], r24[3], n[4][3], u[3], v[3], w[3], sum = 0;
    sub3(c, a, r13);
    sub3(d, a, r14);
    sub3(c, b, r23);
    sub3(d, b, r24);
    cross3(r13, r14, n[0]);
    cross3(r14, r24, n[1]);
    cross3(r24, r23, n[2]);
    cross3(r23, r13, n[3]);
    for (int k = 0; k < 4; k++) {
        double length = sqrt(dot3(n[k], n[k]));
        if (!(length > 0)) return 0;
        for (int i = 0; i < 3; i++) n[k][i] /= length;
    }
    for (int k = 0; k < 4; k++) sum += asin(fmax(-1, fmin(1, dot3(n[k], n[(k + 1) % 4]))));
    sub3(b, a, u);
    sub3(d, c, v);
    cross3(v, u, w);
    double sign = dot3(w, r13);
    return sign > 0 ? sum / (4 * acos(-1)) : sign < 0 ? -sum / (4 * acos(-1)) : 0;
}

/* Of the curves x[0 ... n] and y[0 ... m]; the same curve twice counts each pair once. */
static inline double gauss_of_curves(double (*x)[3], int n, double (*y)[3], int m)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = x == y ? i + 2 : 0; j < m; j++) sum += gauss_of(x[i], x[i + 1], y[j], y[j + 1]);
    }
    return sum;
}

#endif
