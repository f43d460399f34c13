/* What contacts with segments and with colliders have in common: a contact's multiplier, friction, mass
 * splitting.
 *
 * A contact is found once a substep, at the predicted places or, for fast motion, at the first touch on the
 * path to them. From then on it is linear: gap(e) = gap + n . (e_second - e_first). So nothing can pass
 * through between two substeps at any speed: the normal points to the side that it came from. */
#ifndef CAB_TOUCH_H
#define CAB_TOUCH_H

#include "rods.h"

/* How much overlap may remain at the end of the substep, which pushes apart by no more than `push_out` and by no more than the
 * part `push_share` of the overlap: a piece of a substep takes its share only, since all of it within a 512th of the substep
 * would be a blow. What overlapped at the start of the run (`old` is what is left of that) is pushed apart even more slowly. */
CAB_INLINE real cab_allowed(real gap_at_start, real push_out, real push_share, real old)
{
    real pushed = real_min(push_out, real_max(0, -gap_at_start) * push_share);
    return real_min(real_min(0, gap_at_start + pushed), -old);
}

/* What is left of an overlap from the start of the run after `substeps` substeps; < 0: nothing. */
CAB_INLINE real cab_old_overlap(real overlap, int substeps, real part_slowly)
{
    return overlap > 0 ? overlap - (real)substeps * part_slowly : 0;
}

/* How much deeper than now a contact may become, m: none where it is rigid. Negative where it is too deep and `recalls`, so that it begins
 * with what it has kept. */
CAB_INLINE real cab_sink(real gap_at_start, real radii, real soft, int recalls)
{
    real sink = soft > 0 ? CAB_SINK * radii + real_min(0, gap_at_start) : real_of(0);
    return recalls ? sink : real_max(0, sink);
}

/* How contacts give way (params.contact_...), which part of an overlap is due to be pushed out in this substep, and which part of it
 * a contact's gap tells. */
typedef struct cab_yield {
    real spring, soft, share, told;
} cab_yield;

/* What a contact begins a substep with: the force that its overlap at the substep's start tells, as a spring's, and the friction of the
 * last substep, which c->f holds. split: into how many parts its masses are split. From now on the gap that counts is such that
 * at rest the overlap stays as it is, and this force with it; where it is too deep it comes out, too. Returns both multipliers together. */
CAB_INLINE vec3 cab_begin(cab_contact *c, cab_yield y, real split)
{
    vec3 n = vec3_make(c->nx, c->ny, c->nz), f = vec3_make(c->fx, c->fy, c->fz);
    real overlap = real_max(0, -(c->gap + vec3_dot(n, vec3_make(c->sx, c->sy, c->sz)))) / y.told;
    real spring = y.spring * y.share * y.share * real_min(1, CAB_CROWD / split), stays = spring * y.soft;
    real push = overlap * spring * c->mass * split; /* c->mass is that of a part */
    real out = real_min(y.told * overlap, y.share * real_max(0, -c->sink));
    c->gap = c->gap + (y.told - stays) * overlap - (1 - stays) * out;
    c->sink = stays * real_max(0, overlap + c->sink) + (1 - stays) * real_max(0, c->sink);
    c->lambda = push;
    f = vec3_add_scaled(f, -vec3_dot(n, f), n);
    real size = vec3_length(f), limit = c->friction * push;
    f = vec3_scale(f, size > limit ? limit / size : 1);
    c->fx = f.x;
    c->fy = f.y;
    c->fz = f.z;
    return vec3_add_scaled(f, push, n);
}

/* One pass over a contact. slide: the displacement of the second point relative to the first since e = 0; soft: the compliance over the
 * square of the substep, 1/kg. The gap becomes what the compliance makes of the multiplier, down to -c->sink.
 * Updates the multipliers and returns the change of the normal and the friction multiplier together: the
 * particles of the second point move by + w b times it, those of the first by -. Coulomb friction cancels the
 * slip of this substep, up to mu times the normal multiplier. */
CAB_INLINE vec3 cab_touch(cab_contact *c, vec3 slide, real relaxation, real soft)
{
    vec3 n = vec3_make(c->nx, c->ny, c->nz);
    vec3 f = vec3_make(c->fx, c->fy, c->fz);
    real scale = c->mass;
    real gap = c->gap + vec3_dot(n, slide);
    real yields = c->lambda - (gap + soft * c->lambda) * relaxation * scale / (1 + soft * scale);
    real rigid = c->lambda - (gap + c->sink) * relaxation * scale;
    real lambda = real_max(0, real_max(yields, rigid));
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

/* The square of a contact's friction coefficient: `product` of both coefficients; CAB_HELD where the points
 * slip by less than `static_slip` along the surface in this substep. */
CAB_INLINE real cab_friction2(real product, real static_slip, vec3 slip, vec3 normal)
{
    vec3 along = vec3_add_scaled(slip, -vec3_dot(slip, normal), normal);
    return vec3_dot(along, along) < static_slip * static_slip ? CAB_HELD : product;
}

/* Mass splitting: into how many parts the mass at a point of a segment is split among contacts. weight_a,
 * weight_b: of the two particles; a particle counts only if the point is near to it. */
CAB_INLINE real cab_split(real s, real weight_a, real weight_b)
{
    return real_max(1 - s > 0.01f ? weight_a : 1, s > 0.01f ? weight_b : 1);
}

/* Writes three of a contact's numbers (CAB_CONTACT_...) into its row. */
CAB_INLINE void cab_row_put(global float *row, int number, int k, vec3 v)
{
    row[number * CAB_ROW + k] = v.x;
    row[(number + 1) * CAB_ROW + k] = v.y;
    row[(number + 2) * CAB_ROW + k] = v.z;
}

#endif
