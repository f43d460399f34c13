/* Closest points and signed distances. */
#ifndef CAB_GEOMETRY_H
#define CAB_GEOMETRY_H

#include "sheave.h"
#include "types.h"
#include "vector.h"
#include "with_meshes.h"

#define CAB_IS_MESH(c) (CAB_WITH_MESHES && (c)->shape == CAB_SHAPE_IS_MESH)
#define CAB_IS_EDGE(c) (CAB_WITH_MESHES && (c)->shape == CAB_SHAPE_IS_EDGE)

/* Of the radius: pairs with a gap up to this are contacts, too, since other corrections may close the gap. */
#define CAB_MARGIN 0.1f

/* Closest points of two segments. */
typedef struct cab_closest {
    real s, t;      /* places on the first and the second, 0 to 1 */
    vec3 between;   /* vector from the first point to the second */
    real distance2; /* squared distance */
} cab_closest;

/* 1 / |u|^2, 0 for a segment without length. */
CAB_INLINE real cab_inverse_square(vec3 u)
{
    real uu = vec3_dot(u, u), none = real_of(0);
    return real_select(uu > none, 1 / uu, none);
}

/* Closest points of p + s u and q + t v; r = q - p; per_uu, per_vv are the inverse squares of u and v. For
 * parallel segments the middle of the stretch in which they overlap. Clamping as in Ericson, Real-Time
 * Collision Detection, 5.1.9. Without branches, for lanes. */
CAB_INLINE cab_closest cab_closest_segments(vec3 r, vec3 u, vec3 v, real per_uu, real per_vv)
{
    cab_closest c;
    real uv = vec3_dot(u, v), ur = vec3_dot(u, r), vr = vec3_dot(v, r);
    real k = uv * per_vv;             /* component of u along v, in units of v */
    real sine2 = 1 - uv * k * per_uu; /* squared sine of the angle between them */
    real zero = real_of(0), one = real_of(1);
    real_mask crossing = sine2 > real_of(1e-5f);
    real crossed = (ur - vr * k) * per_uu / real_select(crossing, sine2, one);
    real beside = 0.5f * (real_clamp(ur * per_uu, zero, one) + real_clamp((ur + uv) * per_uu, zero, one));
    real s = real_clamp(real_select(crossing, crossed, beside), zero, one);
    real free = s * k - vr * per_vv, t = real_clamp(free, zero, one);
    real at_end = real_clamp((ur + t * uv) * per_uu, zero, one);
    s = real_select(free == t, s, at_end);
    c.s = s;
    c.t = t;
    c.between = vec3_sub(vec3_add_scaled(r, t, v), vec3_scale(u, s));
    c.distance2 = vec3_dot(c.between, c.between);
    return c;
}

/* A collider as far as it is a ball, a plane, a capsule, a box or a cylinder. In lanes each lane has its own, all of one shape. Fields are those of
 * cab_collider. CAB_FIELD(c->...) is a real. */
#ifdef CAB_WIDE
typedef struct cab_solid {
    int shape, moves;
    real radius;
    real cx, cy, cz, tx, ty, tz, qw, qx, qy, qz, mx, my, mz, rw, rx, ry, rz;
} cab_solid;
#define CAB_FIELD(x) (x)
#else
typedef cab_collider cab_solid;
#define CAB_FIELD(x) real_of(x)
#endif

/* How far a point is outside of a collider, and the direction out of it. */
typedef struct cab_outside {
    real distance; /* m; negative inside */
    vec3 normal;   /* 0: no contact, see cab_outside_edge */
} cab_outside;

/* What the rotation by a unit quaternion adds to v. */
CAB_INLINE vec3 cab_turn(real w, vec3 q, vec3 v)
{
    vec3 t = vec3_scale(vec3_cross(q, v), real_of(2));
    return vec3_add_scaled(vec3_cross(q, t), w, t);
}

CAB_INLINE vec3 cab_rotate(real w, vec3 q, vec3 v)
{
    return vec3_add(v, cab_turn(w, q, v));
}

CAB_INLINE cab_outside cab_outside_ball(vec3 from_centre, real radius)
{
    cab_outside o;
    real length = vec3_length(from_centre);
    o.distance = length - radius;
    real_mask apart = length > real_of(0);
    vec3 up = vec3_make(real_of(0), real_of(0), real_of(1));
    o.normal = vec3_select(apart, vec3_scale(from_centre, 1 / length), up);
    return o;
}

/* A box's axes as its rotation has them, or back. */
CAB_INLINE vec3 cab_box_turn(const cab_solid *c, float side, vec3 v)
{
    vec3 q = vec3_make(CAB_FIELD(side * c->qx), CAB_FIELD(side * c->qy), CAB_FIELD(side * c->qz));
    return cab_rotate(CAB_FIELD(c->qw), q, v);
}

/* 1 where a number is not below 0, else -1. */
CAB_INLINE real cab_side_of(real x)
{
    return real_select(x < real_of(0), real_of(-1), real_of(1));
}

CAB_INLINE cab_outside cab_outside_box(vec3 from_centre, const cab_solid *c)
{
    cab_outside o;
    real zero = real_of(0), one = real_of(1);
    vec3 p = cab_box_turn(c, -1, from_centre); /* in the box's axes */
    vec3 sign = vec3_make(cab_side_of(p.x), cab_side_of(p.y), cab_side_of(p.z));
    vec3 d = vec3_make(p.x * sign.x - c->tx, p.y * sign.y - c->ty, p.z * sign.z - c->tz);
    vec3 out = vec3_max(d, vec3_zero());
    real inner = real_max(d.x, real_max(d.y, d.z)), outer = vec3_length(out);
    real inverse = real_select(outer > zero, 1 / outer, zero);
    real_mask inside = inner <= zero; /* out through the nearest face */
    real_mask x = d.x == inner, y = real_not(x) & (d.y == inner), z = real_not(x | y);
    vec3 face = vec3_make(real_select(x, one, zero), real_select(y, one, zero), real_select(z, one, zero));
    vec3 n = vec3_select(inside, face, vec3_scale(out, inverse));
    o.distance = real_select(inside, inner, outer);
    o.normal = cab_box_turn(c, 1, vec3_make(n.x * sign.x, n.y * sign.y, n.z * sign.z));
    return o;
}

/* A capsule's or a cylinder's axis; see cab_collider. */
CAB_INLINE vec3 cab_collider_axis(const cab_solid *c)
{
    return vec3_make(CAB_FIELD(c->tx), CAB_FIELD(c->ty), CAB_FIELD(c->tz));
}

/* p: from the start of its axis */
CAB_INLINE cab_outside cab_outside_cylinder(vec3 p, const cab_solid *c)
{
    cab_outside o;
    vec3 t = cab_collider_axis(c);
    real length = vec3_length(t), zero = real_of(0);
    vec3 axis = vec3_scale(t, 1 / length);
    real along = vec3_dot(p, axis);
    vec3 across = vec3_sub_scaled(p, along, axis);
    real far = vec3_length(across), around = far - c->radius, ends = along - length;
    vec3 out = vec3_scale(across, real_select(far > zero, 1 / far, zero));
    real_mask low = 0 - along > ends;
    ends = real_select(low, 0 - along, ends);
    axis = vec3_scale(axis, real_select(low, real_of(-1), real_of(1)));
    real_mask inside = (around <= zero) & (ends <= zero); /* out through the nearer surface */
    vec3 inner = vec3_select((around > ends) & (far > zero), out, axis);
    real beside = real_max(around, zero), beyond = real_max(ends, zero);
    real outer = real_sqrt(beside * beside + beyond * beyond);
    vec3 outward = vec3_add_scaled(vec3_scale(out, beside), beyond, axis);
    o.distance = real_select(inside, real_max(around, ends), outer);
    o.normal = vec3_select(inside, inner, vec3_scale(outward, 1 / outer));
    return o;
}

/* Can a place between the ends of a stretch lie nearer to a convex body than `reach`, and than both ends? a, b: where these are; u: from one
 * to the other. Along a line the distance from a convex body is convex, so it lies above its tangents at the ends, and nothing lies
 * between where one of them rises. */
CAB_INLINE real_mask cab_between_can_count(const cab_outside *a, const cab_outside *b, vec3 u, real reach)
{
    real falls = vec3_dot(a->normal, u), rises = vec3_dot(b->normal, u), zero = real_of(0);
    real_mask within = (falls < zero) & (rises > zero);
    real least = rises * a->distance - falls * (b->distance - rises);
    return within & (least < real_min(reach, real_min(a->distance, b->distance)) * (rises - falls));
}

#define CAB_IS_CONVEX(c) ((c)->shape == CAB_SHAPE_IS_BOX || (c)->shape == CAB_SHAPE_IS_CYLINDER)

#ifndef CAB_WIDE

/* p: from the start of its axis */
CAB_INLINE cab_outside cab_outside_sheave(vec3 p, const cab_collider *c)
{
    cab_outside o;
    vec3 t = vec3_make(c->tx, c->ty, c->tz);
    real length = vec3_length(t), along, out_r, out_z;
    vec3 axis = vec3_scale(t, 1 / length), across;
    along = vec3_dot(p, axis);
    across = vec3_sub_scaled(p, along, axis);
    real far = vec3_length(across);
    o.distance = cab_outside_profile(c, far, along - 0.5f * length, 0.5f * length, &out_r, &out_z);
    o.normal = vec3_scale(vec3_scale(across, far > 0 ? 1 / far : 0), out_r);
    o.normal = vec3_add_scaled(o.normal, out_z, axis);
    return o;
}

/* Shapes that are neither round nor flat, and where a cable's segment is searched for the place that is nearest to them. p: from the
 * collider's own point */
CAB_INLINE cab_outside cab_outside_searched(vec3 p, const cab_collider *c)
{
    if (c->shape == CAB_SHAPE_IS_SHEAVE) return cab_outside_sheave(p, c);
    return c->shape == CAB_SHAPE_IS_BOX ? cab_outside_box(p, c) : cab_outside_cylinder(p, c);
}

#define CAB_IS_SEARCHED(c) (CAB_IS_CONVEX(c) || (c)->shape == CAB_SHAPE_IS_SHEAVE)

#define CAB_WEDGE 0.01f /* rad; the edge still counts this far beyond the border of a face */

/* The contact of a cable that lies across a mesh edge. It counts in the wedge between the normals of both
 * faces; elsewhere a face is nearer, and the normal is 0. In a solid the opposite wedge, inside, counts down
 * to `radius`. */
CAB_INLINE cab_outside cab_outside_edge(const cab_collider *c, vec3 from_edge)
{
    cab_outside o;
    real length = vec3_length(from_edge), slack = CAB_WEDGE * length;
    real first = vec3_dot(from_edge, vec3_make(c->px, c->py, c->pz));
    real second = vec3_dot(from_edge, vec3_make(c->sx, c->sy, c->sz));
    int above = first <= slack && second <= slack && length > 0;
    int below = c->solid && first >= -slack && second >= -slack && length < c->radius && length > 0;
    real side = !above && below ? -1.0f : 1.0f;
    o.distance = side * length;
    o.normal = vec3_scale(from_edge, above || below ? side / length : 0);
    return o;
}

#endif

CAB_INLINE vec3 cab_collider_place(const cab_solid *c)
{
    return vec3_make(CAB_FIELD(c->cx), CAB_FIELD(c->cy), CAB_FIELD(c->cz));
}

CAB_INLINE cab_outside cab_outside_plane(const cab_solid *c, vec3 p)
{
    cab_outside o;
    o.normal = cab_collider_axis(c);
    o.distance = vec3_dot(p, o.normal);
    return o;
}

/* From the nearest point of a capsule's axis to p. */
CAB_INLINE vec3 cab_from_axis(const cab_solid *c, vec3 p)
{
    vec3 t = cab_collider_axis(c);
    real tt = vec3_dot(t, t), zero = real_of(0);
    real s = real_select(tt > zero, real_clamp(vec3_dot(p, t) / tt, zero, real_of(1)), zero);
    return vec3_add_scaled(p, -s, t);
}

/* A point as seen from a collider's centre, which is subtracted from the position x first; then the offset e is added. */
CAB_INLINE vec3 cab_from_collider(const cab_solid *c, vec3 x, vec3 e)
{
    return vec3_add(vec3_sub(x, cab_collider_place(c)), e);
}

/* The shapes that cables can touch in lanes. The point is x + e: the collider's centre is subtracted from the
 * position x first, then the offset e is added. */
CAB_INLINE cab_outside cab_outside_solid(const cab_solid *c, vec3 x, vec3 e)
{
    vec3 p = cab_from_collider(c, x, e);
    if (c->shape == CAB_SHAPE_IS_PLANE) return cab_outside_plane(c, p);
    if (c->shape == CAB_SHAPE_IS_BOX) return cab_outside_box(p, c);
    if (c->shape == CAB_SHAPE_IS_CYLINDER) return cab_outside_cylinder(p, c);
    if (c->shape == CAB_SHAPE_IS_CAPSULE) p = cab_from_axis(c, p);
    return cab_outside_ball(p, CAB_FIELD(c->radius));
}

/* Where a place x of a cable, which was at the offset e when the substep began, would be if the collider had carried it along. */
CAB_INLINE vec3 cab_carried(const cab_solid *c, vec3 x, vec3 e)
{
    vec3 m = vec3_make(CAB_FIELD(c->mx), CAB_FIELD(c->my), CAB_FIELD(c->mz));
    vec3 turn = vec3_make(CAB_FIELD(c->rx), CAB_FIELD(c->ry), CAB_FIELD(c->rz));
    vec3 from = vec3_add(cab_from_collider(c, x, e), m); /* seen from where its point was */
    return vec3_add(e, vec3_add(m, cab_turn(CAB_FIELD(c->rw), turn, from)));
}

/* The distance of a place x + e that o tells, linear in e, for e = 0. In a plane it is not rounded by e. */
CAB_INLINE real cab_distance_before(const cab_solid *c, const cab_outside *o, vec3 x, vec3 e)
{
    if (c->shape == CAB_SHAPE_IS_PLANE) return vec3_dot(vec3_sub(x, cab_collider_place(c)), o->normal);
    return o->distance - vec3_dot(o->normal, e);
}

#ifndef CAB_WIDE

/* All shapes but meshes. */
CAB_INLINE cab_outside cab_outside_collider(const cab_collider *c, vec3 x, vec3 e)
{
    vec3 p = cab_from_collider(c, x, e);
    if (c->shape == CAB_SHAPE_IS_SHEAVE) return cab_outside_sheave(p, c);
    if (CAB_IS_EDGE(c)) return cab_outside_edge(c, cab_from_axis(c, p));
    return cab_outside_solid(c, x, e);
}

#endif

#endif
