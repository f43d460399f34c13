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

#ifndef CAB_WIDE

CAB_INLINE cab_outside cab_outside_box(vec3 from_centre, const cab_collider *c)
{
    cab_outside o;
    vec3 q = vec3_make(c->qx, c->qy, c->qz);
    vec3 p = cab_rotate(c->qw, vec3_scale(q, -1), from_centre); /* in the box's axes */
    vec3 a = vec3_make(p.x < 0 ? -p.x : p.x, p.y < 0 ? -p.y : p.y, p.z < 0 ? -p.z : p.z);
    vec3 d = vec3_make(a.x - c->tx, a.y - c->ty, a.z - c->tz);
    vec3 sign = vec3_make(p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1);
    vec3 n;
    if (d.x <= 0 && d.y <= 0 && d.z <= 0) { /* inside: out through the nearest face */
        o.distance = real_max(d.x, real_max(d.y, d.z));
        int x = d.x == o.distance, y = !x && d.y == o.distance;
        n = vec3_make(x ? sign.x : 0, y ? sign.y : 0, !x && !y ? sign.z : 0);
    } else {
        vec3 out = vec3_make(real_max(d.x, 0), real_max(d.y, 0), real_max(d.z, 0));
        o.distance = vec3_length(out);
        real inverse = o.distance > 0 ? 1 / o.distance : 0;
        n = vec3_make(sign.x * out.x * inverse, sign.y * out.y * inverse, sign.z * out.z * inverse);
    }
    o.normal = cab_rotate(c->qw, q, n);
    return o;
}

/* p: from the start of its axis */
CAB_INLINE cab_outside cab_outside_cylinder(vec3 p, const cab_collider *c)
{
    cab_outside o;
    vec3 t = vec3_make(c->tx, c->ty, c->tz);
    real length = vec3_length(t), along, side = 1;
    vec3 axis = vec3_scale(t, 1 / length), across;
    along = vec3_dot(p, axis);
    across = vec3_sub_scaled(p, along, axis);
    real far = vec3_length(across), around = far - c->radius, ends = along - length;
    vec3 out = vec3_scale(across, far > 0 ? 1 / far : 0);
    if (-along > ends) {
        ends = -along;
        side = -1;
    }
    if (around <= 0 && ends <= 0) { /* inside: out through the nearer surface */
        o.distance = real_max(around, ends);
        o.normal = around > ends && far > 0 ? out : vec3_scale(axis, side);
        return o;
    }
    around = real_max(around, 0);
    ends = real_max(ends, 0);
    o.distance = real_sqrt(around * around + ends * ends);
    o.normal = vec3_scale(vec3_add_scaled(vec3_scale(out, around), ends * side, axis), 1 / o.distance);
    return o;
}

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

#define CAB_IS_CONVEX(c) ((c)->shape == CAB_SHAPE_IS_BOX || (c)->shape == CAB_SHAPE_IS_CYLINDER)
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

CAB_INLINE vec3 cab_collider_place(const cab_collider *c)
{
    return vec3_make(real_of(c->cx), real_of(c->cy), real_of(c->cz));
}

/* A capsule's axis; see cab_collider. */
CAB_INLINE vec3 cab_collider_axis(const cab_collider *c)
{
    return vec3_make(real_of(c->tx), real_of(c->ty), real_of(c->tz));
}

CAB_INLINE cab_outside cab_outside_plane(const cab_collider *c, vec3 p)
{
    cab_outside o;
    o.normal = cab_collider_axis(c);
    o.distance = vec3_dot(p, o.normal);
    return o;
}

/* From the nearest point of a capsule's axis to p. */
CAB_INLINE vec3 cab_from_axis(const cab_collider *c, vec3 p)
{
    vec3 t = cab_collider_axis(c);
    real tt = vec3_dot(t, t), zero = real_of(0);
    real s = real_select(tt > zero, real_clamp(vec3_dot(p, t) / tt, zero, real_of(1)), zero);
    return vec3_add_scaled(p, -s, t);
}

/* A point as seen from a collider's centre, which is subtracted from the position x first; then the offset e is added. */
CAB_INLINE vec3 cab_from_collider(const cab_collider *c, vec3 x, vec3 e)
{
    return vec3_add(vec3_sub(x, cab_collider_place(c)), e);
}

/* The shapes that cables can touch in lanes. The point is x + e: the collider's centre is subtracted from the
 * position x first, then the offset e is added. */
CAB_INLINE cab_outside cab_outside_round(const cab_collider *c, vec3 x, vec3 e)
{
    vec3 p = cab_from_collider(c, x, e);
    if (c->shape == CAB_SHAPE_IS_PLANE) return cab_outside_plane(c, p);
    if (c->shape == CAB_SHAPE_IS_CAPSULE) p = cab_from_axis(c, p);
    return cab_outside_ball(p, real_of(c->radius));
}

/* The distance of a place x + e that o tells, linear in e, for e = 0. In a plane it is not rounded by e. */
CAB_INLINE real cab_distance_before(const cab_collider *c, const cab_outside *o, vec3 x, vec3 e)
{
    if (c->shape == CAB_SHAPE_IS_PLANE) return vec3_dot(vec3_sub(x, cab_collider_place(c)), o->normal);
    return o->distance - vec3_dot(o->normal, e);
}

#ifndef CAB_WIDE

/* All shapes but meshes. */
CAB_INLINE cab_outside cab_outside_collider(const cab_collider *c, vec3 x, vec3 e)
{
    vec3 p = cab_from_collider(c, x, e);
    if (CAB_IS_SEARCHED(c)) return cab_outside_searched(p, c);
    if (CAB_IS_EDGE(c)) return cab_outside_edge(c, cab_from_axis(c, p));
    return cab_outside_round(c, x, e);
}

#endif

#endif
