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
#define CAB_HELD 1e12f       /* square of a friction coefficient that nothing overcomes */

/* A segment's two particles in a substep: position, residual (start), offset (predicted). */
typedef struct cab_rod {
    vec3 x_a, x_b, start_a, start_b, end_a, end_b;
    real w_a, w_b;
    real way; /* the farther of the two ends' ways in this substep, m */
} cab_rod;

/* What the narrow phase reads of a segment, kept for a substep: CAB_ROD_SIZE float4. The first half is
 * what says whether it touches, the other half how. */
#define CAB_ROD_PLACE 0    /* position of a, radius */
#define CAB_ROD_OFFSET 1   /* predicted offset of a, way */
#define CAB_ROD_SPAN 2     /* from a to b at the predicted place, 1 / length^2 */
#define CAB_ROD_START_A 3  /* offset of a at the start, inverse mass of a */
#define CAB_ROD_START_B 4  /* the same of b */
#define CAB_ROD_POSITION 5 /* from the position of a to that of b, friction */

CAB_INLINE real cab_way_of(const cab_rod *r)
{
    vec3 a = vec3_sub(r->end_a, r->start_a), b = vec3_sub(r->end_b, r->start_b);
    return sqrt(real_max(vec3_dot(a, a), vec3_dot(b, b)));
}

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
    r.way = cab_way_of(&r);
    return r;
}

/* The radius of a segment in the state in which `span` leads from one of its ends to the other. One that
 * keeps its volume: pi r^2 l stays. Pushed together it stays as it is, so that lists made for segment.radius
 * hold. */
CAB_INLINE real cab_radius_of(cab_segment s, vec3 span)
{
    if (!(s.owner & CAB_SEGMENT_THINS)) return s.radius;
    real length = vec3_length(span);
    return length > s.rest ? s.radius * real_max(CAB_RADIUS_LEAST, sqrt(s.rest / length)) : s.radius;
}

/* The same of a rod at the start of the substep. */
CAB_INLINE real cab_rod_radius(cab_segment s, const cab_rod *r)
{
    return cab_radius_of(s, cab_between(r->x_a, r->start_a, r->x_b, r->start_b));
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

/* Effective inverse mass of the point at s between two inverse masses. */
CAB_INLINE real cab_mass_at(real w_a, real w_b, real s)
{
    return w_a * (1 - s) * (1 - s) + w_b * s * s;
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
    friction = vec3_scale(friction, size > limit ? limit / size : 1);
    vec3 change = vec3_add_scaled(vec3_sub(friction, f), lambda - c->lambda, n);
    c->lambda = lambda;
    c->fx = friction.x;
    c->fy = friction.y;
    c->fz = friction.z;
    return change;
}

/* The square of a contact's friction coefficient: `product` of both, but of what slips by less than
 * `static_way` along the surface in this substep as much as it takes. */
CAB_INLINE real cab_friction2(real product, real static_way, vec3 slip, vec3 normal)
{
    vec3 along = vec3_add_scaled(slip, -vec3_dot(slip, normal), normal);
    return vec3_dot(along, along) < static_way * static_way ? CAB_HELD : product;
}

/* How crowded a point is: as its particles are, as far as they matter to it. */
CAB_INLINE real cab_crowd(real s, real weight_a, real weight_b)
{
    return real_max(1 - s > 0.01f ? weight_a : 1, s > 0.01f ? weight_b : 1);
}

#endif
