/* Segments as capsules in a substep: where they are at its start and where they are predicted to be. */
#ifndef CAB_RODS_H
#define CAB_RODS_H

#include "geometry.h"
#include "xpbd.h"

#define CAB_SWEEP_STEPS 32   /* steps of conservative advancement at most */
#define CAB_SWEEP_DEPTH 0.5f /* of the radius: advancement stops at this distance */

/* The two particles of a segment in a substep: position, residual (start), offset (predicted). */
typedef struct cab_rod {
    vec3 x_a, x_b, start_a, start_b, end_a, end_b;
    real w_a, w_b;
    real moved; /* how far the end that moves farther moves in this substep, m */
} cab_rod;

/* What the narrow phase reads of a segment in a substep: CAB_ROD_SIZE float4. The first three tell whether
 * the segment touches something, the other three how. */
#define CAB_ROD_PLACE 0    /* position of a, radius */
#define CAB_ROD_OFFSET 1   /* predicted offset of a, how far the segment's ends move at most */
#define CAB_ROD_SPAN 2     /* from a to b at the predicted place, 1 / length^2 */
#define CAB_ROD_START_A 3  /* offset of a at the start, inverse mass of a */
#define CAB_ROD_START_B 4  /* the same of b */
#define CAB_ROD_POSITION 5 /* from the position of a to that of b, friction */

CAB_INLINE real cab_rod_moved(const cab_rod *r)
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
    r.moved = cab_rod_moved(&r);
    return r;
}

/* The radius of a segment whose ends are `span` apart. A segment that keeps its volume, pi r^2 l, gets
 * thinner when it is stretched. It does not get thicker when compressed, so that lists made for
 * segment.radius stay valid. */
CAB_INLINE real cab_radius_of(cab_segment s, vec3 span)
{
    if (!(s.owner & CAB_SEGMENT_THINS)) return s.radius;
    real length = vec3_length(span);
    return length > s.rest ? s.radius * real_max(CAB_RADIUS_LEAST, sqrt(s.rest / length)) : s.radius;
}

/* The radius of a rod at the start of the substep. */
CAB_INLINE real cab_rod_radius(cab_segment s, const cab_rod *r)
{
    return cab_radius_of(s, cab_between(r->x_a, r->start_a, r->x_b, r->start_b));
}

CAB_INLINE float4 cab_with(vec3 v, real w)
{
    return CAB_FLOAT4(v.x, v.y, v.z, w);
}

/* The offset of the point at s on the rod at time tau (0 start, 1 predicted). */
CAB_INLINE vec3 cab_rod_offset(cab_rod r, real s, real tau)
{
    return vec3_mix(vec3_mix(r.start_a, r.end_a, tau), vec3_mix(r.start_b, r.end_b, tau), s);
}

/* The effective inverse mass of the point at s between two inverse masses. */
CAB_INLINE real cab_mass_at(real w_a, real w_b, real s)
{
    return w_a * (1 - s) * (1 - s) + w_b * s * s;
}

/* The closest points of two rods at time tau. */
CAB_INLINE cab_closest cab_rods_at(const cab_rod *p, const cab_rod *q, real tau)
{
    vec3 pa = vec3_mix(p->start_a, p->end_a, tau), pb = vec3_mix(p->start_b, p->end_b, tau);
    vec3 qa = vec3_mix(q->start_a, q->end_a, tau), qb = vec3_mix(q->start_b, q->end_b, tau);
    vec3 u = cab_between(p->x_a, pa, p->x_b, pb), v = cab_between(q->x_a, qa, q->x_b, qb);
    return cab_closest_segments(cab_between(p->x_a, pa, q->x_a, qa), u, v, cab_inverse_square(u),
                                cab_inverse_square(v));
}

#endif
