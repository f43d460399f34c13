/* Contacts of rigid bodies with colliders and with each other, by the direct method. They are looked for once a substep, where bodies are at its
 * start, as far out as they may come in it; each is a plane through the nearest place then, which nothing passes at any speed. In the
 * Newton passes a contact is what one of a cable with a collider is (press.h): a stiff spring with the force of the pass before, and
 * Coulomb's law, between two places that move along with both bodies. */
#ifndef CAB_RIGID_CONTACT_H
#define CAB_RIGID_CONTACT_H

#include "press.h"
#include "rigid.h"

/* What rigid_contact_reach notes of a body: how far a place of it goes in the substep, m; the inverse of its mass, 1/kg, and of its
 * least moment of inertia, 1/(kg m^2), as far as its bearing lets it move; the radius of a ball around all its shapes, m. */
CAB_INLINE float4 cab_rigid_reach_of(real travel, real shifts, real turns, real bound)
{
    return CAB_FLOAT4(travel, shifts, turns, bound);
}

/* The inverse mass with which a place resists a force along n. reach: as above */
CAB_INLINE real cab_rigid_gives(global const cab_rigid *own, float4 reach, vec3 arm, vec3 n)
{
    vec3 shift = cab_sym3_times(cab_rigid_leaves(own, 0), n);
    vec3 turn = cab_sym3_times(cab_rigid_leaves(own, 1), vec3_cross(arm, n));
    return reach.y * vec3_dot(shift, shift) + reach.z * vec3_dot(turn, turn);
}

/* How far a place has moved in the substep, with the body's shift and turn so far. round: does not turn along, see cab_rigid_contact */
CAB_INLINE vec3 cab_rigid_place_moves(float4 turn, float4 shift, vec3 arm, vec3 round)
{
    vec3 moved = vec3_add(vec3_of(shift), cab_turn_moves(turn, arm));
    real way = turn.w < 0 ? -2 : 2;
    return vec3_add_scaled(moved, way, vec3_cross(vec3_of(turn), round));
}

CAB_INLINE cab_pressed cab_rigid_pressed_of(global const cab_rigid_contact *c, int is_first)
{
    vec3 way = is_first ? vec3_zero() : vec3_at(c->way);
    cab_pressed p = {vec3_at(c->normal), way, c->gap, 0, c->friction, c->lambda, c->state, c->mass};
    return p;
}

#define CAB_RIGID_SETTLED 3e-4f /* a force that changes by less of itself in a pass is settled */

/* Decides whether a contact presses, sticks or slides in this pass, and with what normal force, as cab_press_decide does for cables. But a body
 * turns: what a pass moves along a straight line its places do not, so the force is what the pass's equations have come to (`given`), not what
 * the spring has at the place where it ended, which may be a little off the surface. m->push: in the first pass that of the last substep.
 * Returns 1 where it is still unsettled. */
CAB_INLINE int cab_rigid_contact_decide(cab_pressed *c, cab_press_motion *m, real given, int is_first,
                                        real least, real size)
{
    real was = c->state, before = m->push, last = c->lambda > 0 ? c->lambda : before;
    int slides = vec3_length(m->way) > least, unsettled = 1, softens = 0;
    if (!is_first) {
        real change = real_max(0, was == CAB_PRESS_LOOSE ? 0 : given) - last;
        m->push = real_max(0, was == CAB_PRESS_LOOSE ? 0 : given);
        slides = cab_slides(c, m->slip, last, c->friction * m->push, least);
        unsettled = m->gap < -CAB_PRESS_DEEP * size || change > CAB_RIGID_SETTLED * m->push ||
                    (was != CAB_PRESS_LOOSE && -change > CAB_RIGID_SETTLED * m->push) ||
                    (was == CAB_PRESS_SLIDES && c->lambda == 0); /* the first pass only brakes */
        softens = cab_press_softens(c, m, size);
        c->lambda = softens ? 0 : m->push;
    }
    if (!(c->friction * c->friction < CAB_HELD)) slides = 0;
    int presses = c->lambda > 0 ? c->lambda > c->mass * m->gap : m->gap < 0;
    if (!presses) c->lambda = 0;
    c->state = !presses ? CAB_PRESS_LOOSE : slides ? CAB_PRESS_SLIDES : CAB_PRESS_STICKS;
    if (softens) {
        c->state = CAB_PRESS_SOFTENED;
        m->push = real_max(0, -c->mass * m->gap);
    }
    return is_first || unsettled || softens || c->state != was;
}

#endif
