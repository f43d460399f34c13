/* Where a segment comes nearest to a collider, and how deep it lies in it. */
#ifndef CAB_COLLIDE_H
#define CAB_COLLIDE_H

#include "mesh.h"
#include "rods.h"

#define CAB_SEARCH_STEPS 24 /* steps of a ternary search: (2/3)^24 = 6e-5 of a segment */

/* How far a place of a rod is outside of a shape that is searched. */
CAB_INLINE real cab_searched_at(const cab_collider *c, const cab_rod *r, vec3 e_a, vec3 e_b, real s)
{
    vec3 from = cab_from_collider(c, vec3_mix(r->x_a, r->x_b, s), vec3_mix(e_a, e_b, s));
    return cab_outside_searched(from, c).distance;
}

#define CAB_SEARCH_PIECES 8 /* of a rod */

/* Beside a sheave a rod can come near twice, to the groove and to a flange. The piece of it to both sides of the nearest of nine places:
 * since the distance changes by no more than the way, nothing elsewhere is nearer by more than a sixteenth of the rod. */
CAB_INLINE void cab_nearest_piece(const cab_collider *c, const cab_rod *r, vec3 e_a, vec3 e_b, real *low,
                                  real *high)
{
    real least = 1e30f, at = 0;
    CAB_ROLLED
    for (int k = 0; k <= CAB_SEARCH_PIECES; k++) {
        real s = (real)k / CAB_SEARCH_PIECES, distance = cab_searched_at(c, r, e_a, e_b, s);
        if (distance < least) {
            least = distance;
            at = s;
        }
    }
    *low = real_max(0, at - 1.0f / CAB_SEARCH_PIECES);
    *high = real_min(1, at + 1.0f / CAB_SEARCH_PIECES);
}

/* The place on a rod (0 to 1) nearest to a collider; e_a, e_b: offsets of the rod's ends. */
CAB_INLINE real cab_nearest_place(const cab_collider *c, const cab_rod *r, vec3 e_a, vec3 e_b)
{
    vec3 u = cab_between(r->x_a, e_a, r->x_b, e_b);
    vec3 centre = vec3_sub(vec3_sub(vec3_make(c->cx, c->cy, c->cz), r->x_a), e_a);
    if (c->shape == CAB_SHAPE_IS_SPHERE) {
        real uu = vec3_dot(u, u);
        return uu > 0 ? real_clamp(vec3_dot(u, centre) / uu, 0, 1) : 0;
    }
    if (c->shape == CAB_SHAPE_IS_CAPSULE || CAB_IS_EDGE(c)) {
        vec3 v = vec3_make(c->tx, c->ty, c->tz);
        return cab_closest_segments(centre, u, v, cab_inverse_square(u), cab_inverse_square(v)).s;
    }
    /* A box, a cylinder or a sheave; planes and meshes touch ends only. Along a line the distance to a convex body is convex. */
    real low = 0, high = 1;
    if (!CAB_IS_CONVEX(c)) cab_nearest_piece(c, r, e_a, e_b, &low, &high);
    CAB_ROLLED
    for (int k = 0; k < CAB_SEARCH_STEPS; k++) {
        real third = (high - low) * 0.333333f, s = low + third, t = high - third;
        if (cab_searched_at(c, r, e_a, e_b, s) < cab_searched_at(c, r, e_a, e_b, t))
            high = t;
        else
            low = s;
    }
    return 0.5f * (low + high);
}

/* How far the point x + e is outside of a collider of any shape. */
CAB_INLINE cab_outside cab_point_outside(const cab_collider *c, const cab_meshes *mesh, vec3 x, vec3 e)
{
    if (!CAB_IS_MESH(c)) return cab_outside_collider(c, x, e);
    return cab_outside_mesh(c, mesh, vec3_add(vec3_sub(x, vec3_make(c->cx, c->cy, c->cz)), e));
}

/* The distance of the point of a rod that may touch at time tau: an end (place 0, 1) or the nearest point
 * between (2). A mesh touches ends; between the ends its edges do. */
CAB_INLINE cab_outside cab_rod_outside(const cab_collider *c, const cab_meshes *mesh, const cab_rod *r,
                                       int place, real tau, real *s)
{
    vec3 e_a = vec3_mix(r->start_a, r->end_a, tau), e_b = vec3_mix(r->start_b, r->end_b, tau);
    *s = place < 2 ? (real)place : cab_nearest_place(c, r, e_a, e_b);
    return cab_point_outside(c, mesh, vec3_mix(r->x_a, r->x_b, *s), vec3_mix(e_a, e_b, *s));
}

/* How deep a rod at rest overlaps a candidate at one of its places, m. */
CAB_INLINE real cab_depth(const cab_collider *c, const cab_meshes *mesh, const cab_rod *r, int place,
                          real radius)
{
    real s;
    cab_outside o = cab_rod_outside(c, mesh, r, place, 0, &s);
    int end = CAB_IS_EDGE(c) && (s < 0.001f || s > 0.999f); /* ends touch the mesh itself */
    return end || !(vec3_dot(o.normal, o.normal) > 0) ? -1e30f : radius - o.distance;
}

/* The same for an entry of `near`. */
CAB_INLINE real cab_near_depth(int near, global const cab_params *params, global const cab_collider *collider,
                               const cab_meshes *mesh, const cab_rod *r, real radius)
{
    cab_collider c = cab_candidate(near >> 2, params->collider_count, collider, mesh, radius);
    return cab_depth(&c, mesh, r, near & 3, radius);
}

#endif
