/* What the contacts of segments with colliders add to the equations of the direct method (stiff.h), in units of
 * force times h_s^2, kg m. Both parts are implicit: they stand in the matrix.
 *
 *   normal     N - k gap n while it presses: a stiff spring, and the force of the last pass (augmented
 *              Lagrangian)
 *   friction   -limit min(1, |slip| / least) slip / |slip|: Coulomb's law that sticks where the slip in a
 *              substep is below `least`
 *
 * limit = mu N with the normal force N of the last pass, in the first one that of the last substep. Only
 * friction starts from there: where a cable is squeezed, normal forces that went on from substep to substep
 * would grow without end. A pass is a step of Newton's method for these: a contact that sticks is a damper, one that slides a constant force.
 * Source: Alart and Curnier, A mixed formulation for frictional contact problems prone to Newton like solution
 * methods (1991), doi 10.1016/0045-7825(91)90022-X.
 *
 * For single contacts (press.cl), and for those of the cables of a tile side by side (near.h). */
#ifndef CAB_PRESS_H
#define CAB_PRESS_H

#include "contact_types.h"
#include "matrix.h"

#define CAB_PRESS_STIFF 1e3f /* k, of the mass at the contact */
/* Friction is a damper at most so much stiffer than the spring of what is not softened. In a piece of a substep the slowest slip that
 * counts is 10^-10 m, and what follows from it is 10^5 of the masses, in which elimination loses them. */
#define CAB_PRESS_HOLD 10.0f
/* A force that changes by less of itself in a pass is settled. One pass tells a resting force to 2 / CAB_PRESS_STIFF: by what its
 * spring gave in the substep before. */
#define CAB_PRESS_SETTLED 3e-3f
#define CAB_PRESS_DEEP 1e-3f     /* an overlap of less than this, of the radius, is settled, too */
#define CAB_PRESS_SQUEEZED 1e-2f /* an overlap that a pass leaves, of the radius: see cab_press_softens */

/* What a contact did in the last pass. */
#define CAB_PRESS_LOOSE 0.0f
#define CAB_PRESS_STICKS 1.0f
#define CAB_PRESS_SLIDES 2.0f
#define CAB_PRESS_SOFTENED 3.0f

/* A contact as passes see it. */
typedef struct cab_pressed {
    vec3 n;        /* unit normal, out of the collider */
    vec3 way;      /* where it slid in the last pass, m */
    real gap;      /* for offsets of 0, m; the allowed overlap is added already */
    real t;        /* place on the segment, 0 to 1 */
    real friction; /* Coulomb coefficient */
    real lambda;   /* normal force of the last pass, kg m */
    real state;    /* CAB_PRESS_...: what it did in the last pass */
    real mass;     /* at the contact, kg */
} cab_pressed;

/* Where a contact is before a pass. */
typedef struct cab_press_motion {
    vec3 slip; /* since the substep's start, m */
    vec3 way;  /* where sliding goes on to: the slip, in the first pass that of the last substep, m */
    real gap;  /* m */
    real push; /* normal force that limits friction, kg m */
} cab_press_motion;

CAB_INLINE vec3 cab_across(vec3 v, vec3 n)
{
    return vec3_sub_scaled(v, vec3_dot(v, n), n);
}

/* The stiffness along the normal, kg. */
CAB_INLINE real cab_press_stiffness(const cab_pressed *c)
{
    return real_select(c->state == real_of(CAB_PRESS_SOFTENED), c->mass, CAB_PRESS_STIFF * c->mass);
}

/* The damper of a contact that sticks. */
CAB_INLINE real cab_stick(const cab_pressed *c, real normal, real least)
{
    return real_min(c->friction * normal / least, CAB_PRESS_HOLD * cab_press_stiffness(c));
}

/* Does a contact slide in this pass? slip: after the last pass; last: its normal force in that one; limit: mu N
 * now. */
CAB_INLINE real_mask cab_slides(const cab_pressed *c, vec3 slip, real last, real limit, real least)
{
    real size = vec3_length(slip), zero = real_of(0);
    real_mask braked = (c->lambda == zero) & (size < 0.5f * vec3_length(c->way));
    real_mask slid = c->state == real_of(CAB_PRESS_SLIDES);
    real_mask goes_on = (size > least) & (vec3_dot(slip, c->way) > zero) & real_not(braked);
    real damper = real_select(last > zero, cab_stick(c, last, least), c->mass);
    return (slid & goes_on) | (real_not(slid) & (damper * size > limit));
}

/* The normal force after the last pass. */
CAB_INLINE real cab_press_normal(const cab_pressed *c, real gap)
{
    real zero = real_of(0), normal = real_max(zero, c->lambda - cab_press_stiffness(c) * gap);
    return real_select(c->state == real_of(CAB_PRESS_LOOSE), zero, normal);
}

/* The normal force that the last pass has decided on. */
CAB_INLINE real cab_press_kept(const cab_pressed *c, real gap)
{
    return real_select(c->state == real_of(CAB_PRESS_SOFTENED), cab_press_normal(c, gap), c->lambda);
}

/* In the first pass friction is a damper that gives Coulomb's force at the slip of the last substep. Is the slip
 * still that one? */
CAB_INLINE real_mask cab_slides_on(const cab_pressed *c, vec3 slip)
{
    vec3 change = vec3_sub(slip, c->way);
    return vec3_dot(change, change) < CAB_PRESS_SETTLED * CAB_PRESS_SETTLED * vec3_dot(c->way, c->way);
}

/* An overlap that is still there after a pass. */
CAB_INLINE real_mask cab_press_deep(const cab_press_motion *m, real radius)
{
    return m->gap < -CAB_PRESS_SQUEEZED * radius;
}

/* Does something as stiff as the contact hold against it, as the other jaw where a cable is squeezed? Then a pass
 * with the force of the one before leaves the overlap as it was. For the rest of the substep such a contact is a
 * spring as weak as the masses that it moves, which shares the overlap with what holds against it, instead of
 * forces that grow with each pass. */
CAB_INLINE real_mask cab_press_softens(const cab_pressed *c, const cab_press_motion *m, real radius)
{
    real_mask grows = (c->lambda > real_of(0)) & (m->push >= 1.5f * c->lambda);
    return (c->state == real_of(CAB_PRESS_SOFTENED)) | (cab_press_deep(m, radius) & grows);
}

/* Decides whether a contact presses, sticks or slides in this pass, and with what normal force. before: the
 * normal force of the last substep. Returns where it is still unsettled. */
CAB_INLINE real_mask cab_press_decide(cab_pressed *c, cab_press_motion *m, real before, int first, real least,
                                      real radius)
{
    real zero = real_of(0), was = c->state, last = real_select(c->lambda > zero, c->lambda, before);
    real_mask slides = vec3_length(m->way) > least, unsettled = zero != zero, softens = unsettled;
    m->push = before;
    if (!first) {
        m->push = cab_press_normal(c, m->gap);
        slides = cab_slides(c, m->slip, last, c->friction * m->push, least);
        unsettled = m->gap < -CAB_PRESS_DEEP * radius;
        unsettled = unsettled | (m->push - last > CAB_PRESS_SETTLED * m->push);
        unsettled =
            unsettled | ((last - m->push > CAB_PRESS_SETTLED * m->push) & (was != real_of(CAB_PRESS_LOOSE)));
        unsettled = unsettled | ((was == real_of(CAB_PRESS_SLIDES)) & (c->lambda == zero) &
                                 real_not(cab_slides_on(c, m->slip)));
        softens = cab_press_softens(c, m, radius);
        c->lambda = real_select(softens, zero, m->push);
    }
    slides = slides & (c->friction * c->friction < real_of(CAB_HELD));
    real presses = real_select(slides, real_of(CAB_PRESS_SLIDES), real_of(CAB_PRESS_STICKS));
    c->state = real_select((m->gap < zero) | (c->lambda > zero), presses, real_of(CAB_PRESS_LOOSE));
    if (first) return zero == zero;
    c->state = real_select(softens, real_of(CAB_PRESS_SOFTENED), c->state);
    m->push = real_select(softens, cab_press_normal(c, m->gap), m->push);
    return unsettled | softens | (c->state != was);
}

/* What the contacts of a segment add to the equations of its two ends. */
typedef struct cab_press_sum {
    cab_sym3 a, b, between;
    vec3 force_a, force_b;
} cab_press_sum;

CAB_INLINE cab_press_sum cab_press_none(void)
{
    cab_sym3 none = cab_sym3_of(real_of(0));
    cab_press_sum sum = {none, none, none, vec3_zero(), vec3_zero()};
    return sum;
}

CAB_INLINE void cab_press_add(cab_press_sum *sum, real t, cab_sym3 m, vec3 force)
{
    cab_sym3 p = cab_sym3_scale(m, 1 - t), q = cab_sym3_scale(m, t);
    sum->a = cab_sym3_add(sum->a, cab_sym3_scale(p, 1 - t));
    sum->b = cab_sym3_add(sum->b, cab_sym3_scale(q, t));
    sum->between = cab_sym3_add(sum->between, cab_sym3_scale(p, t));
    sum->force_a = vec3_add_scaled(sum->force_a, 1 - t, force);
    sum->force_b = vec3_add_scaled(sum->force_b, t, force);
}

/* Does a contact act on what it touches? */
CAB_INLINE real_mask cab_press_acts(const cab_pressed *c, const cab_press_motion *m)
{
    real_mask softens = c->state == real_of(CAB_PRESS_SOFTENED);
    return (c->state > real_of(CAB_PRESS_LOOSE)) & ((m->gap < real_of(0)) | real_not(softens));
}

/* Stiffness and force of a contact that presses. damped: friction as a damper; so it is where a pass could not close
 * the overlap, since its force is not yet known well enough to be constant. */
CAB_INLINE cab_sym3 cab_press_linearise(cab_pressed *c, const cab_press_motion *m, real least, real radius,
                                        int damped, vec3 *force)
{
    real zero = real_of(0), stiff = cab_press_stiffness(c), limit = c->friction * m->push,
         size = vec3_length(m->way);
    real_mask brakes = cab_press_deep(m, radius) | (c->state == real_of(CAB_PRESS_SOFTENED));
    real_mask slides = c->state == real_of(CAB_PRESS_SLIDES), moves = size > least;
    if (!damped) moves = moves & (slides | brakes);
    real damper = real_select(moves, limit / size, cab_stick(c, m->push, least));
    damper = real_min(damper, CAB_PRESS_HOLD * CAB_PRESS_STIFF * c->mass);
    cab_sym3 block = cab_sym3_add_outer(cab_sym3_of(damper), stiff - damper, c->n);
    *force = vec3_add_scaled(vec3_scale(m->slip, 0 - damper), c->lambda - stiff * m->gap, c->n);
    c->way = vec3_select(slides, m->way, c->way);
    slides = slides & real_not(brakes);
    if (damped || !real_any(slides)) return block;
    vec3 along = vec3_scale(m->way, real_select(slides, 1 / size, zero));
    real rest = real_select(slides, damper * vec3_dot(m->slip, along) - limit, zero);
    block = cab_sym3_add_outer(block, 0 - damper, along);
    *force = vec3_add_scaled(*force, rest, along);
    return block;
}

/* A straight segment rolls on what it touches between its ends: when it tilts, the place of contact moves. So
 * a contact at `distance` from the centre of what is round resists tilting. */
CAB_INLINE cab_sym3 cab_press_roll(const cab_pressed *c, vec3 span, real distance)
{
    real stiffness = c->lambda * distance / vec3_dot(span, span);
    return cab_sym3_add_outer(cab_sym3_of(real_of(0)), stiffness, c->n);
}

CAB_INLINE void cab_press_add_roll(cab_press_sum *sum, cab_sym3 roll)
{
    sum->a = cab_sym3_add(sum->a, roll);
    sum->b = cab_sym3_add(sum->b, roll);
    sum->between = cab_sym3_sub(sum->between, roll);
}

#endif
