/* What contacts have in common: where a point of a segment is, the multiplier of a contact, its friction.
 *
 * A contact is found once a substep, at the predicted places or, when something moves fast, at the first
 * touch on the way there. It is linear from then on: gap(e) = gap + n . (e_second - e_first). So nothing can
 * pass through between two substeps, whatever its speed: the normal still points to the side that it came
 * from.
 */
#ifndef CAB_TOUCH_H
#define CAB_TOUCH_H

#include "geometry.h"
#include "xpbd.h"

#define CAB_SWEEP_STEPS 32   /* conservative advancement ends here at the latest */
#define CAB_SWEEP_DEPTH 0.5f /* of the radius: and as soon as things are so near */
#define CAB_FAST 0.5f        /* of the radius: faster than this in a substep is swept */

/* A segment's two particles in a substep: position, residual (start), offset (predicted). */
typedef struct cab_rod {
    vec3 x_a, x_b, start_a, start_b, end_a, end_b;
    real w_a, w_b;
    real way;        /* the farther of the two ends' ways in this substep, m */
    real per_square; /* 1 / length^2 at the predicted place; only of a loaded rod */
} cab_rod;

#define CAB_ROD_SIZE                                                                                         \
    6 /* float4 of a rod that is kept for a substep; w: inverse masses, radius, friction,                    \
         per_square, way */

CAB_INLINE cab_rod cab_rod_of(int a, int b, global const float4 *position, global const float4 *residual,
                              global const float4 *offset)
{
    cab_rod r;
    float4 pa = position[a], pb = position[b];
    r.x_a = vec3_of(pa);
    r.x_b = vec3_of(pb);
    r.w_a = pa.w;
    r.w_b = pb.w;
    r.start_a = vec3_of(residual[a]);
    r.start_b = vec3_of(residual[b]);
    r.end_a = vec3_of(offset[a]);
    r.end_b = vec3_of(offset[b]);
    vec3 way_a = vec3_sub(r.end_a, r.start_a), way_b = vec3_sub(r.end_b, r.start_b);
    r.way = sqrt(real_max(vec3_dot(way_a, way_a), vec3_dot(way_b, way_b)));
    r.per_square = 0;
    return r;
}

CAB_INLINE cab_rod cab_rod_load(global const float4 *rod)
{
    cab_rod r;
    r.x_a = vec3_of(rod[0]);
    r.w_a = rod[0].w;
    r.x_b = vec3_of(rod[1]);
    r.w_b = rod[1].w;
    r.start_a = vec3_of(rod[2]);
    r.start_b = vec3_of(rod[3]);
    r.end_a = vec3_of(rod[4]);
    r.end_b = vec3_of(rod[5]);
    r.per_square = rod[4].w;
    r.way = rod[5].w;
    return r;
}

CAB_INLINE float4 cab_with(vec3 v, real w)
{
    return CAB_FLOAT4(v.x, v.y, v.z, w);
}

/* Offset of the point at s on the rod at time tau (0 start, 1 predicted). */
CAB_INLINE vec3 cab_rod_offset(cab_rod r, real s, real tau)
{
    return vec3_mix(vec3_mix(r.start_a, r.end_a, tau), vec3_mix(r.start_b, r.end_b, tau), s);
}

/* Effective inverse mass of the point at s. */
CAB_INLINE real cab_rod_mass(cab_rod r, real s)
{
    return r.w_a * (1 - s) * (1 - s) + r.w_b * s * s;
}

/* How far the gap may stay closed at the end of the substep: what overlaps is pushed out at a bounded speed,
 * and what overlapped at the start of the run (`old`, what is left of that) even more slowly. */
CAB_INLINE real cab_allowed(real gap_at_start, real push_out, real old)
{
    return real_min(real_min(0, gap_at_start + push_out), -old);
}

/* What is left of a segment's overlap at the start of the run after `substeps` of them; negative when
 * nothing. */
CAB_INLINE real cab_old_overlap(real overlap, int substeps, real part_slowly)
{
    return overlap > 0 ? overlap - (real)substeps * part_slowly : 0;
}

/* One pass over a contact whose points have moved by `slide` since e = 0, the second relative to the first.
 * Updates the multipliers; returns the change of normal and friction multiplier together: the second point's
 * particles move by + w b times it, the first's by -. Coulomb: friction cancels the slip of this substep, up
 * to mu times the normal multiplier. */
CAB_INLINE vec3 cab_touch(cab_contact *c, vec3 slide, real relaxation)
{
    vec3 n = vec3_make(c->nx, c->ny, c->nz);
    vec3 f = vec3_make(c->fx, c->fy, c->fz);
    real scale = c->mass;
    real gap = c->gap + vec3_dot(n, slide);
    real lambda = real_max(0, c->lambda - gap * relaxation * scale);
    vec3 slip = vec3_sub(slide, vec3_make(c->sx, c->sy, c->sz));
    slip = vec3_add_scaled(slip, -vec3_dot(n, slip), n);
    vec3 friction = vec3_add_scaled(f, -scale, slip);
    real size = vec3_length(friction), limit = c->friction * lambda;
    if (size > limit) friction = vec3_scale(friction, limit / size);
    vec3 change = vec3_add_scaled(vec3_sub(friction, f), lambda - c->lambda, n);
    c->lambda = lambda;
    c->fx = friction.x;
    c->fy = friction.y;
    c->fz = friction.z;
    return change;
}

/* The particle's count of contacts as far as this point matters to it. */
CAB_INLINE real cab_crowd(real b, real w, real weight)
{
    return b > 0.01f && w > 0 ? weight : 1;
}

#endif
