/* Cables that are curved at rest, or bend more easily about one axis of their section than about the other: discrete elastic rods with
 * material frames (Bergou et al., Discrete elastic rods, 2008; Discrete viscous threads, 2010) whose sections turn without inertia.
 *
 * Each segment has a director d, the first axis of its section; the second one is u x d, with u its unit tangent. About a particle the
 * axes m1, m2 are the means of those of its segments. What it is bent by is B = 2 u_- x u_+ / |u_- + u_+|, its kink here, which is
 * t x D with D = u_+ - u_- the vector of the bending constraint and t the mean tangent. Then
 *
 *   E = 1/2 (k1 (B . m1 - r1)^2 + k2 (B . m2 - r2)^2) + 1/2 b tau^2,
 *
 * k1 = EI1 / l, k2 = EI2 / l, b = GJ / l, r the kink at rest, tau the angle from the director before, carried across the particle
 * without twisting, to the one after. Directors that are carried along in time without spin change E by what B changes alone, since B
 * is at right angles to both tangents. Sections are in equilibrium at any time: dE/dtheta = 0 for the angle theta of each director.
 * So what tau pulls by is its moment b tau (twist.h). With W = k1 (B . m1 - r1) m1 + k2 (B . m2 - r2) m2, what B pulls by is W x t on D,
 * which the bending constraint makes of its one stiffness and the target that belongs to it, and -W . t beside b tau: the means of
 * directors that are twisted against one another are not at right angles to t. */
#ifndef CAB_DIRECTOR_H
#define CAB_DIRECTOR_H

#include "twist.h"

/* A segment's tangent (unit) and director. */
typedef struct cab_frame {
    vec3 tangent, director;
} cab_frame;

/* v over its length, and 0 of 0. */
CAB_INLINE vec3 cab_unit(vec3 v)
{
    return vec3_scale(v, 1 / real_max(vec3_length(v), real_of(1e-18f)));
}

/* The director at right angles to the tangent as it is now. */
CAB_INLINE cab_frame cab_frame_along(vec3 along, vec3 director)
{
    cab_frame f = {cab_unit(along), director};
    f.director = cab_unit(vec3_sub_scaled(director, vec3_dot(director, f.tangent), f.tangent));
    return f;
}

/* Turns the director about the tangent by an angle of half a radian at most: to its third power. */
CAB_INLINE vec3 cab_frame_turned(cab_frame f, real angle)
{
    real t = 0.5f * angle * (1 + angle * angle * (1.0f / 12)), scale = 1 / (1 + t * t);
    vec3 aside = vec3_cross(f.tangent, f.director);
    return vec3_add_scaled(vec3_scale(f.director, (1 - t * t) * scale), 2 * t * scale, aside);
}

/* How a cable is bent about a particle: the tangent there (unit), D and B, and the axes. */
typedef struct cab_bent {
    vec3 tangent, d, kink, first, second;
} cab_bent;

/* |u_- + u_+| counts as no less than this, a turn of 154 degrees: behind 180 degrees a kink is one to the other side. */
#define CAB_DIRECTOR_FOLD 0.447f

/* along: the segments over their rest lengths */
CAB_INLINE cab_bent cab_bent_between(cab_frame before, cab_frame after, vec3 along_before, vec3 along_after)
{
    vec3 sum = vec3_add(along_before, along_after);
    real inverse = 1 / real_max(vec3_length(sum), real_of(CAB_DIRECTOR_FOLD));
    cab_bent b = {vec3_scale(sum, inverse), vec3_sub(along_after, along_before),
                  vec3_scale(vec3_cross(along_before, along_after), 2 * inverse),
                  vec3_scale(vec3_add(before.director, after.director), real_of(0.5f)),
                  vec3_scale(vec3_add(vec3_cross(before.tangent, before.director),
                                      vec3_cross(after.tangent, after.director)),
                             real_of(0.5f))};
    return b;
}

/* About a clamp, whose frame does not turn with the cable. d: what the vector of the bending is off the clamp's */
CAB_INLINE cab_bent cab_bent_held(cab_frame held, vec3 d)
{
    cab_bent b = {held.tangent, d, vec3_cross(held.tangent, d), held.director,
                  vec3_cross(held.tangent, held.director)};
    return b;
}

/* The parts of a kink about the first and the second axis. */
typedef struct cab_kink {
    real first, second;
} cab_kink;

CAB_INLINE cab_kink cab_kink_of(const cab_bent *b)
{
    cab_kink k = {vec3_dot(b->kink, b->first), vec3_dot(b->kink, b->second)};
    return k;
}

/* The target with which a bending of stiffness k is pulled by -W x t; w: W / k about both axes. */
CAB_INLINE vec3 cab_bent_target(const cab_bent *b, cab_kink w)
{
    vec3 about = vec3_add_scaled(vec3_scale(b->first, w.first), w.second, b->second);
    vec3 across = vec3_sub_scaled(b->d, vec3_dot(b->d, b->tangent), b->tangent);
    return vec3_sub(across, vec3_cross(about, b->tangent));
}

/* The targets of a bending that is bent like this: 0: the one with which it is pulled by the derivative of the energy, where its one
 * stiffness is the larger one and that about an axis less by the share `soft`; 1: the same if both were alike, as the energy needs. base:
 * the vector that a clamp holds by itself */
CAB_INLINE void cab_bent_targets(const cab_bent *b, cab_kink rest, real soft_first, real soft_second,
                                 vec3 base, vec3 target[2])
{
    cab_kink now = cab_kink_of(b), off = {now.first - rest.first, now.second - rest.second};
    cab_kink w = {off.first - soft_first * off.first, off.second - soft_second * off.second};
    target[0] = vec3_add(base, cab_bent_target(b, w));
    target[1] = vec3_add(base, cab_bent_target(b, off));
}

/* The derivatives of the bending's energy by the angles of both directors, N m. The second one is that by their mean, and none below
 * 0, so that Newton's step goes downhill. along: W . t, N m */
typedef struct cab_turning {
    real before, after, curvature, along;
} cab_turning;

/* Turning a director by an angle changes it by that times the second axis, and the second axis by as much of it backwards. */
CAB_INLINE real cab_turned_by(vec3 kink, cab_frame f, cab_kink moment)
{
    vec3 second = vec3_cross(f.tangent, f.director);
    return 0.5f * (moment.first * vec3_dot(kink, second) - moment.second * vec3_dot(kink, f.director));
}

CAB_INLINE cab_turning cab_turning_of(const cab_bent *b, cab_frame before, cab_frame after, cab_kink rest,
                                      real stiff_first, real stiff_second)
{
    cab_kink k = cab_kink_of(b);
    cab_kink moment = {stiff_first * (k.first - rest.first), stiff_second * (k.second - rest.second)};
    vec3 about = vec3_add_scaled(vec3_scale(b->first, moment.first), moment.second, b->second);
    cab_turning t = {cab_turned_by(b->kink, before, moment), cab_turned_by(b->kink, after, moment),
                     stiff_first * k.second * k.second - moment.first * k.first +
                         stiff_second * k.first * k.first - moment.second * k.second,
                     vec3_dot(about, b->tangent)};
    t.curvature = real_max(t.curvature, real_of(0));
    return t;
}

/* What stays of a kink beyond the rest's by more than `yield`: the rest follows. */
CAB_INLINE cab_kink cab_kink_set(cab_kink k, cab_kink rest, real yield)
{
    real x = k.first - rest.first, y = k.second - rest.second;
    real size = real_sqrt(x * x + y * y);
    real part = real_max(size - yield, real_of(0)) / real_max(size, real_of(1e-18f));
    cab_kink now = {rest.first + part * x, rest.second + part * y};
    return now;
}

#endif
