/* press: what the contacts of segments with colliders add to the equations of the direct method (stiff.h), in
 * units of force times h_s^2, kg m. Both parts are implicit: they stand in the matrix.
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
 * methods (1991), doi 10.1016/0045-7825(91)90022-X. */
#include "matrix.h"
#include "touch.h"
#include "types.h"

#define CAB_PRESS_STIFF 1e3f     /* k, of the mass at the contact */
#define CAB_PRESS_HOLD 10        /* a contact that sticks is a damper at most so much stiffer than k */
#define CAB_PRESS_SETTLED 2e-3f  /* a force that changes by less of itself in a pass is settled, */
#define CAB_PRESS_DEEP 1e-3f     /* and so is an overlap of less than this, of the radius */
#define CAB_PRESS_SQUEEZED 1e-2f /* an overlap that a pass leaves, of the radius: see cab_press_yields */

/* What a contact did in the last pass: cab_contact.s, since a collider has no segment of its own. */
#define CAB_PRESS_LOOSE 0
#define CAB_PRESS_STICKS 1
#define CAB_PRESS_SLIDES 2
#define CAB_PRESS_YIELDS 3

CAB_INLINE vec3 cab_across(vec3 v, vec3 n)
{
    return vec3_sub_scaled(v, vec3_dot(v, n), n);
}

/* The damper of a contact that sticks. */
CAB_INLINE real cab_stick(const cab_contact *c, real normal, real least)
{
    return real_min(c->friction * normal / least, CAB_PRESS_HOLD * CAB_PRESS_STIFF * c->mass);
}

/* Does a contact slide in this pass? slip: after the last pass; last: its normal force in that one; limit: mu N
 * now. */
CAB_INLINE int cab_slides(const cab_contact *c, vec3 slip, real last, real limit, real least)
{
    real size = vec3_length(slip);
    vec3 way = vec3_make(c->fx, c->fy, c->fz);
    int braked = c->lambda == 0 && size < 0.5f * vec3_length(way);
    if (c->s == CAB_PRESS_SLIDES) return size > least && vec3_dot(slip, way) > 0 && !braked;
    real damper = last > 0 ? cab_stick(c, last, least) : c->mass;
    return damper * size > limit;
}

/* The normal force after the last pass. */
CAB_INLINE real cab_press_normal(const cab_contact *c, real gap)
{
    return c->s == CAB_PRESS_LOOSE ? 0 : real_max(0, c->lambda - CAB_PRESS_STIFF * c->mass * gap);
}

/* In the first pass friction is a damper that gives Coulomb's force at the slip of the last substep. Is the slip
 * still that one? */
CAB_INLINE int cab_slides_on(const cab_contact *c, vec3 slip)
{
    vec3 way = vec3_make(c->fx, c->fy, c->fz), change = vec3_sub(slip, way);
    return vec3_dot(change, change) < CAB_PRESS_SETTLED * CAB_PRESS_SETTLED * vec3_dot(way, way);
}

/* What is known of a contact in a pass. */
typedef struct cab_press_motion {
    vec3 n;
    vec3 slip; /* since the substep's start, m */
    vec3 way;  /* where sliding goes on to: the slip, in the first pass that of the last substep, m */
    real gap;  /* m */
    real push; /* normal force that limits friction, kg m */
} cab_press_motion;

/* An overlap that is still there after a pass. */
CAB_INLINE int cab_press_deep(const cab_press_motion *m, real radius)
{
    return m->gap < -CAB_PRESS_SQUEEZED * radius;
}

/* Does something as stiff as the contact hold against it, as the other jaw where a cable is squeezed? Then a pass
 * with the force of the one before leaves the overlap as it was. For the rest of the substep such a contact is a
 * spring as weak as the masses that it moves, which shares the overlap with what holds against it, instead of
 * forces that grow with each pass. */
CAB_INLINE int cab_press_yields(cab_contact *c, const cab_press_motion *m, real radius)
{
    if (c->s == CAB_PRESS_YIELDS) return 1;
    if (!cab_press_deep(m, radius) || c->lambda == 0 || m->push < 1.5f * c->lambda) return 0;
    c->mass *= 1 / CAB_PRESS_STIFF;
    return 1;
}

/* Decides whether a contact presses, sticks or slides in this pass, and with what normal force. before: the
 * normal force of the last substep. Returns whether it is still unsettled. */
CAB_INLINE int cab_press_decide(cab_contact *c, cab_press_motion *m, real before, int first,
                                global const cab_params *params, real radius)
{
    real was = c->s, last = c->lambda > 0 ? c->lambda : before, least = params->slip_least;
    int slides = vec3_length(m->way) > least, unsettled = 1;
    m->push = before;
    if (!first) {
        m->push = cab_press_normal(c, m->gap);
        slides = cab_slides(c, m->slip, last, c->friction * m->push, least);
        unsettled = m->gap < -CAB_PRESS_DEEP * radius;
        unsettled |= m->push - last > CAB_PRESS_SETTLED * m->push;
        unsettled |= last - m->push > CAB_PRESS_SETTLED * m->push && was != CAB_PRESS_LOOSE;
        unsettled |= was == CAB_PRESS_SLIDES && c->lambda == 0 && !cab_slides_on(c, m->slip);
        if (cab_press_yields(c, m, radius)) {
            c->s = CAB_PRESS_YIELDS;
            c->lambda = 0;
            m->push = cab_press_normal(c, m->gap);
            return 1;
        }
        c->lambda = m->push;
    }
    slides = slides && c->friction * c->friction < CAB_HELD;
    c->s = CAB_PRESS_LOOSE;
    if (m->gap < 0 || c->lambda > 0) c->s = slides ? CAB_PRESS_SLIDES : CAB_PRESS_STICKS;
    return unsettled || c->s != was;
}

typedef struct cab_press_sum {
    cab_sym3 a, b, between;
    vec3 force_a, force_b;
} cab_press_sum;

CAB_INLINE void cab_press_add(cab_press_sum *sum, real t, cab_sym3 m, vec3 force)
{
    cab_sym3 p = cab_sym3_scale(m, 1 - t), q = cab_sym3_scale(m, t);
    sum->a = cab_sym3_add(sum->a, cab_sym3_scale(p, 1 - t));
    sum->b = cab_sym3_add(sum->b, cab_sym3_scale(q, t));
    sum->between = cab_sym3_add(sum->between, cab_sym3_scale(p, t));
    sum->force_a = vec3_add_scaled(sum->force_a, 1 - t, force);
    sum->force_b = vec3_add_scaled(sum->force_b, t, force);
}

/* Adds a contact that presses. */
CAB_INLINE void cab_press_linearise(cab_press_sum *sum, cab_contact *c, const cab_press_motion *m, real least,
                                    int damped)
{
    real stiff = CAB_PRESS_STIFF * c->mass, limit = c->friction * m->push, size = vec3_length(m->way);
    int slides = c->s == CAB_PRESS_SLIDES, brakes = damped || c->s == CAB_PRESS_YIELDS;
    real damper = size > least && (slides || brakes) ? limit / size : cab_stick(c, m->push, least);
    cab_sym3 block = cab_sym3_add_outer(cab_sym3_of(damper), stiff - damper, m->n);
    vec3 force = vec3_add_scaled(vec3_scale(m->slip, 0 - damper), c->lambda - stiff * m->gap, m->n);
    if (slides) {
        vec3 along = vec3_scale(m->way, 1 / size);
        c->fx = m->way.x;
        c->fy = m->way.y;
        c->fz = m->way.z;
        if (!damped) {
            block = cab_sym3_add_outer(block, 0 - damper, along);
            force = vec3_add_scaled(force, damper * vec3_dot(m->slip, along) - limit, along);
        }
    }
    cab_press_add(sum, c->t, block, force);
}

/* A straight segment rolls on what it touches between its ends: when it tilts, the place of contact moves. So
 * a contact at `distance` from the centre of what is round resists tilting. */
CAB_INLINE void cab_press_roll(cab_press_sum *sum, const cab_contact *c, vec3 n, vec3 span, real distance)
{
    real stiffness = c->lambda * distance / vec3_dot(span, span);
    cab_sym3 roll = cab_sym3_add_outer(cab_sym3_of(0), stiffness, n);
    sum->a = cab_sym3_add(sum->a, roll);
    sum->b = cab_sym3_add(sum->b, roll);
    sum->between = cab_sym3_sub(sum->between, roll);
}

CAB_INLINE void cab_press_store(global cab_press *out, const cab_press_sum *sum)
{
    cab_sym3_store(out->at_a, sum->a);
    cab_sym3_store(out->at_b, sum->b);
    cab_sym3_store(out->between, sum->between);
    vec3_put(out->force_a, sum->force_a);
    vec3_put(out->force_b, sum->force_b);
}

/* The masses at contacts in all, by which the force of the last substep is shared out. */
CAB_INLINE real cab_press_mass(global const cab_contact *c, int count)
{
    real sum = 0;
    for (int k = 0; k < count; k++) sum += c[k].mass;
    return sum;
}

/* The contacts of a segment with colliders, before a pass. unsettled: a contact does something else than in
 * the pass before. Flags: CAB_NEWTON_... */
CAB_KERNEL(press_colliders, global const cab_params *params, global cab_press *press, global int *unsettled,
           global const float *pressing, global cab_contact *near_contact, global const int *near_start,
           global const int *near_count, global const float4 *position, global const float4 *offset,
           global const float4 *residual, global const float4 *velocity, global const cab_segment *segment,
           global const cab_collider *collider, global const int *component, global const int *stiff)
{
    CAB_ITEM(i);
    int a = segment[i].a, b = segment[i].b, first = near_start[i], count = near_count[i];
    if (count == 0 || stiff[component[a]] != CAB_STIFF_MOVES) return;
    real per_mass = pressing[i] * params->h * params->h / cab_press_mass(near_contact + first, count);
    cab_sym3 none = cab_sym3_of(0);
    cab_press_sum sum = {none, none, none, vec3_zero(), vec3_zero()};
    vec3 moved_a = vec3_of(offset[a]), moved_b = vec3_of(offset[b]);
    int is_first = !(argument & CAB_NEWTON_GOES_ON), any = 0;
    for (int k = first; k < first + count; k++) {
        cab_contact c = near_contact[k];
        vec3 start = vec3_make(c.sx, c.sy, c.sz), slide = vec3_mix(moved_a, moved_b, c.t);
        cab_press_motion m;
        m.n = vec3_make(c.nx, c.ny, c.nz);
        m.gap = c.gap + vec3_dot(m.n, slide);
        m.slip = m.way = cab_across(vec3_sub(slide, start), m.n);
        if (is_first) {
            vec3 surface = vec3_sub(start, vec3_mix(vec3_of(residual[a]), vec3_of(residual[b]), c.t));
            vec3 last = vec3_scale(vec3_mix(vec3_of(velocity[a]), vec3_of(velocity[b]), c.t), params->h);
            m.way = cab_across(vec3_sub(last, surface), m.n);
        }
        any |= cab_press_decide(&c, &m, per_mass * c.mass, is_first, params, segment[i].radius);
        if (c.s == CAB_PRESS_YIELDS ? m.gap < 0 : c.s != CAB_PRESS_LOOSE) {
            /* the force at an overlap that a pass could not close is not yet known well enough to be constant */
            int damped = is_first || argument & CAB_NEWTON_DAMPED || cab_press_deep(&m, segment[i].radius);
            cab_press_linearise(&sum, &c, &m, params->slip_least, damped);
            real round = c.other < params->collider_count ? collider[c.other].radius : 0;
            vec3 span = cab_between(vec3_of(position[a]), moved_a, vec3_of(position[b]), moved_b);
            if (c.t > 0.001f && c.t < 0.999f) cab_press_roll(&sum, &c, m.n, span, round + segment[i].radius);
        }
        near_contact[k] = c;
    }
    unsettled[i] = any;
    cab_press_store(press + i, &sum);
}

/* Notes the normal multipliers at the end of a substep's passes, and with what force colliders press on a
 * segment. */
CAB_KERNEL(press_end, global const cab_params *params, global float *pressing,
           global cab_contact *near_contact, global const int *near_start, global const int *near_count,
           global const float4 *offset, global const cab_segment *segment, global const int *component,
           global const int *stiff)
{
    CAB_ITEM(i);
    int a = segment[i].a, b = segment[i].b, first = near_start[i],
        moves = stiff[component[a]] == CAB_STIFF_MOVES;
    real total = 0;
    for (int k = first; k < first + near_count[i]; k++) {
        cab_contact c = near_contact[k];
        if (moves) { /* else it is noted already, in the pass that found the component settled */
            vec3 slide = vec3_mix(vec3_of(offset[a]), vec3_of(offset[b]), c.t);
            c.lambda = cab_press_normal(&c, c.gap + vec3_dot(vec3_make(c.nx, c.ny, c.nz), slide));
            near_contact[k].lambda = c.lambda;
        }
        total += c.lambda;
    }
    pressing[i] = total * params->inverse_h * params->inverse_h;
}
