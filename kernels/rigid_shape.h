/* Where shapes of rigid bodies, and colliders, touch each other. Of two of them each is taken as a skeleton, points and lines that
 * the shape is within a radius of, and looked for in the distance from the other one. Both ways, this finds corners on faces, edges
 * across edges and rims on faces; a ball and a capsule are their own skeletons, so for them one way is enough. */
#ifndef CAB_RIGID_SHAPE_H
#define CAB_RIGID_SHAPE_H

#include "mesh.h"
#include "rigid.h"

/* A shape's skeleton in features: what is looked for, one after the other. */
#define CAB_FEATURE_POINT 0 /* a point */
#define CAB_FEATURE_LINE 1  /* the deepest place between the ends of a line */
#define CAB_FEATURE_ENTRY 2 /* where an edge enters the space above a box's face, */
#define CAB_FEATURE_EXIT 3  /* and where it leaves it */
#define CAB_FEATURE_RIM 4   /* the deepest place of a circle, and the places a quarter and a half on */
#define CAB_FEATURE_SIDE 5  /* the deepest place of a cylinder's side, between its rims */

typedef struct cab_feature {
    int kind;
    vec3 from, along; /* rim: its centre, and the unit vector along the axis; side: the axis */
    real radius;      /* of what lies around the skeleton, m */
    int turn;         /* rim: quarters from the deepest place */
} cab_feature;

CAB_INLINE int cab_shape_is_round(int shape)
{
    return shape == CAB_SHAPE_IS_SPHERE || shape == CAB_SHAPE_IS_CAPSULE;
}

/* What other bodies and colliders see of a shape: of a sheave the cylinder around its flanges. */
CAB_INLINE cab_collider cab_shape_seen(cab_collider c)
{
    if (c.shape != CAB_SHAPE_IS_SHEAVE) return c;
    c.shape = CAB_SHAPE_IS_CYLINDER;
    c.radius = c.flange;
    return c;
}

/* A corner of a box, from its centre. */
CAB_INLINE vec3 cab_box_corner(const cab_collider *c, int k)
{
    vec3 p = vec3_make(k & 1 ? c->tx : -c->tx, k & 2 ? c->ty : -c->ty, k & 4 ? c->tz : -c->tz);
    return cab_rotate(c->qw, vec3_make(c->qx, c->qy, c->qz), p);
}

/* The features of a shape against another one: their number. Against a plane the deepest places are ends. */
CAB_INLINE int cab_feature_count(const cab_collider *c, int against)
{
    int plane = against == CAB_SHAPE_IS_PLANE;
    if (c->shape == CAB_SHAPE_IS_SPHERE) return 1;
    if (c->shape == CAB_SHAPE_IS_CAPSULE) return plane ? 2 : 3;
    if (c->shape == CAB_SHAPE_IS_BOX) return plane ? 8 : 8 + 12 * (against == CAB_SHAPE_IS_BOX ? 3 : 1);
    if (c->shape == CAB_SHAPE_IS_CYLINDER) return plane ? 8 : 9;
    return 0; /* planes and meshes are only touched */
}

/* Edge k of a box, from corner to corner: four along each axis. */
CAB_INLINE void cab_box_edge(const cab_collider *c, int k, cab_feature *f)
{
    int axis = k / 4, first = axis == 0 ? 2 : 1, second = axis == 2 ? 2 : 4;
    int corner = (k & 1 ? first : 0) + (k & 2 ? second : 0);
    f->from = cab_box_corner(c, corner);
    f->along = vec3_sub(cab_box_corner(c, corner + (1 << axis)), f->from);
}

/* Feature k; places are from the shape's own point. */
CAB_INLINE cab_feature cab_feature_of(const cab_collider *c, int k)
{
    vec3 axis = cab_collider_axis(c);
    cab_feature f = {CAB_FEATURE_POINT, vec3_zero(), vec3_zero(), c->radius, 0};
    if (c->shape == CAB_SHAPE_IS_CAPSULE) {
        if (k == 1) f.from = axis;
        if (k == 2) f.kind = CAB_FEATURE_LINE, f.along = axis;
    } else if (c->shape == CAB_SHAPE_IS_BOX) {
        f.radius = 0;
        if (k < 8) {
            f.from = cab_box_corner(c, k);
        } else {
            cab_box_edge(c, (k - 8) % 12, &f);
            f.kind = CAB_FEATURE_LINE + (k - 8) / 12;
        }
    } else if (c->shape == CAB_SHAPE_IS_CYLINDER) {
        f.radius = 0;
        if (k < 8) {
            f.kind = CAB_FEATURE_RIM;
            f.along = vec3_scale(axis, 1 / vec3_length(axis));
            if (k > 3) f.from = axis;
            f.turn = k % 4;
        } else {
            f.kind = CAB_FEATURE_SIDE;
            f.along = axis;
        }
    }
    return f;
}

/* How far a place, from the shape's own point, is outside of it. The collider's own place counts as 0. */
CAB_INLINE cab_outside cab_shape_outside(const cab_collider *c, const cab_meshes *mesh, vec3 p)
{
    if (CAB_IS_MESH(c)) return cab_outside_mesh(c, mesh, p);
    if (CAB_IS_CONVEX(c)) return cab_outside_searched(p, c);
    if (c->shape == CAB_SHAPE_IS_PLANE) return cab_outside_plane(c, p);
    if (c->shape == CAB_SHAPE_IS_CAPSULE) p = cab_from_axis(c, p);
    return cab_outside_ball(p, c->radius);
}

/* The radius of a ball around a shape, m, and its centre, from the shape's own point; planes and meshes have none. */
CAB_INLINE real cab_shape_bound(const cab_collider *c, vec3 *centre)
{
    vec3 t = cab_collider_axis(c);
    *centre = vec3_zero();
    if (c->shape == CAB_SHAPE_IS_SPHERE) return c->radius;
    if (c->shape == CAB_SHAPE_IS_BOX) return vec3_length(t);
    *centre = vec3_scale(t, 0.5f);
    if (c->shape == CAB_SHAPE_IS_CAPSULE) return 0.5f * vec3_length(t) + c->radius;
    return real_sqrt(0.25f * vec3_dot(t, t) + c->radius * c->radius);
}

/* ---- the normal of two shapes with corners or rims ---- */

/* Axis k of a box, or the one of a cylinder; a unit vector. */
CAB_INLINE int cab_shape_axes(const cab_collider *c)
{
    return c->shape == CAB_SHAPE_IS_BOX ? 3 : 1;
}

CAB_INLINE vec3 cab_shape_axis(const cab_collider *c, int k)
{
    vec3 t = cab_collider_axis(c);
    if (c->shape != CAB_SHAPE_IS_BOX) return vec3_scale(t, 1 / vec3_length(t));
    return cab_rotate(c->qw, vec3_make(c->qx, c->qy, c->qz), vec3_make(k == 0, k == 1, k == 2));
}

/* How far a box or a cylinder reaches from its middle along a unit vector. */
CAB_INLINE real cab_shape_extent(const cab_collider *c, vec3 n)
{
    real sum = 0;
    if (c->shape == CAB_SHAPE_IS_BOX) {
        const real extent[3] = {c->tx, c->ty, c->tz};
        for (int k = 0; k < 3; k++) {
            real along = vec3_dot(cab_shape_axis(c, k), n);
            sum += extent[k] * (along < 0 ? -along : along);
        }
        return sum;
    }
    real along = vec3_dot(cab_collider_axis(c), n), side = vec3_dot(cab_shape_axis(c, 0), n);
    return 0.5f * (along < 0 ? -along : along) + c->radius * real_sqrt(real_max(0, 1 - side * side));
}

/* Two shapes, with what lies between them along a normal, from the second to the first; apart: m, < 0 where they overlap. */
typedef struct cab_facing {
    const cab_collider *a, *b;
    vec3 between; /* from the second one's middle to that of the first one */
    vec3 normal;
    real apart;
} cab_facing;

/* Takes another normal where the shapes are further apart along that, by more than rounding: then faces, which come first, stay. */
CAB_INLINE void cab_face(cab_facing *f, vec3 n, real more)
{
    real length = vec3_length(n);
    if (!(length > 1e-3f)) return;
    n = vec3_scale(n, (vec3_dot(n, f->between) < 0 ? -1 : 1) / length);
    real apart = vec3_dot(n, f->between) - cab_shape_extent(f->a, n) - cab_shape_extent(f->b, n);
    if (apart <= f->apart + more) return;
    f->normal = n;
    f->apart = apart;
}

/* A unit vector across a unit vector. */
CAB_INLINE vec3 cab_across_of(vec3 axis)
{
    vec3 x = axis.x * axis.x < 0.5f ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    x = vec3_sub_scaled(x, vec3_dot(x, axis), axis);
    return vec3_scale(x, 1 / vec3_length(x));
}

/* A place of a rim or of a cylinder's side, from its axis: towards -normal, as far as that has a direction, and `turn` quarters on. */
CAB_INLINE vec3 cab_rim_place(vec3 axis, vec3 normal, real radius, int turn)
{
    vec3 down = vec3_sub_scaled(vec3_scale(axis, vec3_dot(normal, axis)), 1, normal);
    real size = vec3_length(down);
    down = size > 1e-4f ? vec3_scale(down, 1 / size) : cab_across_of(axis);
    if (turn & 1) down = vec3_cross(axis, down);
    return vec3_scale(down, turn & 2 ? -radius : radius);
}

/* The part of a line above a box's face: between the planes through its other faces. axis: the face's, 0 to 2; p, u: the line, in the
 * box's axes. Returns 0 where it passes by. */
CAB_INLINE int cab_line_above(const cab_collider *c, vec3 p, vec3 u, int axis, real margin, real *low,
                              real *high)
{
    const real from[3] = {p.x, p.y, p.z}, along[3] = {u.x, u.y, u.z}, extent[3] = {c->tx, c->ty, c->tz};
    *low = 0;
    *high = 1;
    for (int k = 0; k < 3; k++) {
        real reach = extent[k] + (axis < 0 ? margin : 0);
        if (k == axis) continue;
        if (along[k] == 0) {
            if (from[k] > reach || from[k] < -reach) return 0;
            continue;
        }
        real a = (-reach - from[k]) / along[k], b = (reach - from[k]) / along[k];
        *low = real_max(*low, real_min(a, b));
        *high = real_min(*high, real_max(a, b));
    }
    return *low <= *high;
}

/* The larger of three. */
CAB_INLINE int cab_largest_axis(vec3 n)
{
    real x = n.x * n.x, y = n.y * n.y, z = n.z * n.z;
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

#define CAB_LINE_STEPS                                                                                       \
    12 /* halvings: to 2.5e-4 of a line; what is flat needs no more, what is round is known to the square */

/* A line's place where the distance from a shape is least, 0 to 1: where its slope, which grows along the line, is 0. */
static real cab_line_deepest(const cab_collider *c, const cab_meshes *mesh, vec3 p, vec3 u)
{
    real low = 0, high = 1;
    CAB_ROLLED
    for (int k = 0; k < CAB_LINE_STEPS; k++) {
        real middle = 0.5f * (low + high);
        cab_outside o = cab_shape_outside(c, mesh, vec3_add_scaled(p, middle, u));
        if (vec3_dot(o.normal, u) > 0)
            high = middle;
        else
            low = middle;
    }
    return 0.5f * (low + high);
}

/* Where an edge enters a box, or leaves it, seen along the normal in the middle of what is near it; -1 = it passes by. */
CAB_INLINE real cab_line_border(const cab_collider *c, vec3 p, vec3 u, real reach, int leaves)
{
    vec3 q = vec3_make(-c->qx, -c->qy, -c->qz), own = cab_rotate(c->qw, q, p),
         along = cab_rotate(c->qw, q, u);
    real low, high;
    if (!cab_line_above(c, own, along, -1, reach, &low, &high)) return -1;
    cab_outside o = cab_outside_box(vec3_add_scaled(p, 0.5f * (low + high), u), c);
    if (!cab_line_above(c, own, along, cab_largest_axis(cab_rotate(c->qw, q, o.normal)), 0, &low, &high))
        return -1;
    return leaves ? high : low;
}

/* The place where a feature is deepest in a shape, from the shape's own point. p: the feature's own one, from there; radius: of its
 * rim; reach: m, what is further out does not matter. Returns 0 where another feature tells the same. */
CAB_INLINE int cab_feature_deepest(const cab_feature *f, vec3 p, const cab_collider *c,
                                   const cab_meshes *mesh, real radius, real reach, vec3 *place)
{
    *place = p;
    if (f->kind == CAB_FEATURE_POINT) return 1;
    if (f->kind == CAB_FEATURE_RIM) {
        CAB_ROLLED
        for (int k = 0; k < 2; k++) {
            vec3 normal = cab_shape_outside(c, mesh, *place).normal;
            *place = vec3_add(p, cab_rim_place(f->along, normal, radius, f->turn));
        }
        return 1;
    }
    if (f->kind == CAB_FEATURE_SIDE) {
        vec3 normal = cab_shape_outside(c, mesh, vec3_add_scaled(p, 0.5f, f->along)).normal;
        p = vec3_add(p, cab_rim_place(vec3_scale(f->along, 1 / vec3_length(f->along)), normal, radius, 0));
    }
    real at = f->kind == CAB_FEATURE_ENTRY || f->kind == CAB_FEATURE_EXIT
                  ? cab_line_border(c, p, f->along, reach, f->kind == CAB_FEATURE_EXIT)
                  : cab_line_deepest(c, mesh, p, f->along);
    *place = vec3_add_scaled(p, at, f->along);
    return at > 1e-3f && at < 1 - 1e-3f;
}

/* The direction in which a cylinder's axis is nearest to another shape, out of that. at: from that one's own point to the cylinder's */
CAB_INLINE vec3 cab_axis_normal(const cab_collider *cylinder, const cab_collider *c, const cab_meshes *mesh,
                                vec3 at)
{
    vec3 axis = cab_collider_axis(cylinder);
    vec3 place = vec3_add_scaled(at, cab_line_deepest(c, mesh, at, axis), axis);
    return cab_outside_searched(place, c).normal;
}

/* The normal along which two boxes or cylinders are furthest apart, or overlap least: of their faces, across their edges, or from a
 * cylinder's axis (separating axes; Ericson, Real-Time Collision Detection, 5.2.1). at: from the own point of b to that of a;
 * more: m, by which another one than a face's has to be better */
CAB_INLINE cab_facing cab_facing_of(const cab_collider *a, const cab_collider *b, const cab_meshes *mesh,
                                    vec3 at, real more)
{
    vec3 middle_a, middle_b;
    cab_shape_bound(a, &middle_a);
    cab_shape_bound(b, &middle_b);
    cab_facing f = {a, b, vec3_add(at, vec3_sub(middle_a, middle_b)), vec3_make(0, 0, 1), -1e30f};
    for (int k = 0; k < cab_shape_axes(b); k++) cab_face(&f, cab_shape_axis(b, k), more);
    for (int k = 0; k < cab_shape_axes(a); k++) cab_face(&f, cab_shape_axis(a, k), more);
    for (int k = 0; k < cab_shape_axes(a) * cab_shape_axes(b); k++) {
        vec3 u = cab_shape_axis(a, k / cab_shape_axes(b)), v = cab_shape_axis(b, k % cab_shape_axes(b));
        cab_face(&f, vec3_cross(u, v), more);
    }
    if (a->shape == CAB_SHAPE_IS_CYLINDER) cab_face(&f, cab_axis_normal(a, b, mesh, at), more);
    if (b->shape == CAB_SHAPE_IS_CYLINDER)
        cab_face(&f, cab_axis_normal(b, a, mesh, vec3_scale(at, -1)), more);
    return f;
}

/* How far a place of the one shape is outside of the other one, `target`, along their normal; out: that, away from the target.
 * The distance is large where the place is not above the target, by more than `beside`. */
CAB_INLINE cab_outside cab_facing_outside(const cab_collider *target, const cab_meshes *mesh, vec3 place,
                                          vec3 out, real beside)
{
    vec3 middle;
    cab_outside o;
    cab_shape_bound(target, &middle);
    o.normal = out;
    o.distance = vec3_dot(vec3_sub(place, middle), out) - cab_shape_extent(target, out);
    vec3 under = vec3_sub_scaled(place, o.distance + beside, out);
    if (cab_shape_outside(target, mesh, under).distance > beside) o.distance = 1e30f;
    return o;
}

#endif
