/* A substep of the cables of a tile that lie at rest on planes: all contacts press and stick, or touch nothing. One pass of
 * the equations of near_solve.h without the stiffness of tensions, which are small here. A contact then only changes the
 * inverse mass of its particle, to w / (1 + k) along the normal and w / (1 + D) across it, D = damper w, and moves it by a
 * displacement of its own. So the equations of the lengths stay tridiagonal, with numbers instead of blocks, and a substep
 * takes the sweeps of sweep.h.
 *
 * Where a lane is found not to be at rest, cab_near_solve computes its substep from the prediction on. */
#ifndef CAB_NEAR_REST_H
#define CAB_NEAR_REST_H

#include "near_find.h"

/* Slots of near.h that are free here: */
#define CAB_REST_ACROSS 3 /* inverse mass across the normal; negative where the contact does not press */

/* A particle and what it touches. */
typedef struct cab_rest_node {
    vec3 x, e, start;      /* position, its offset by inertia and bending, that at the start of the substep */
    vec3 normal;           /* 0 where it touches nothing */
    real across, more;     /* inverse mass across the normal, and that along it less that, 1/kg */
    real gap, friction, w; /* w: inverse mass; not needed by the lengths */
    real_mask touches;
} cab_rest_node;

/* Finds whether a particle touches a plane. lost: lanes that are not at rest */
CAB_INLINE void cab_rest_touch_plane(const cab_near *n, const cab_near_listed *one, real_mask in,
                                     cab_rest_node *node, real_mask *lost)
{
    vec3 normal = cab_collider_axis(&one->c), p = vec3_sub(node->x, cab_collider_place(&one->c));
    real_mask hit = in & (vec3_dot(vec3_add(p, node->e), normal) < n->radius * (1 + CAB_MARGIN));
    real gap = vec3_dot(p, normal) - n->radius;
    real allowed = real_min(real_of(0), gap + vec3_dot(normal, node->start) + n->params->push_out);
    *lost = *lost | (hit & node->touches);
    node->touches = node->touches | hit;
    node->normal = n->single < 0 ? vec3_select(hit, normal, node->normal) : normal;
    node->gap = real_select(hit, gap - allowed, node->gap);
    node->friction = real_select(hit, one->friction, node->friction);
}

/* Finds what particle i touches. Its normal counts only where it presses. */
CAB_INLINE void cab_rest_touch(const cab_near *n, int i, cab_rest_node *node, real_mask *lost)
{
    real zero = real_of(0);
    float slow = n->params->fast < n->params->near_fast ? n->params->fast : n->params->near_fast;
    real limit = slow * n->radius;
    vec3 way = vec3_sub(node->e, node->start);
    real_mask in = cab_near_has(n, i) & (node->w > zero);
    node->normal = vec3_zero();
    node->gap = real_of(1);
    node->friction = zero;
    node->touches = cab_near_none();
    *lost = *lost | (in & real_not(vec3_dot(way, way) < limit * limit));
    if (n->single >= 0) {
        cab_near_listed one = {n->plane, n->single, cab_near_friction(n, n->single), n->at_plane};
        cab_rest_touch_plane(n, &one, in & one.in & cab_near_touches_end(n, n->single, i), node, lost);
        return;
    }
    for (int k = 0; k < n->params->collider_count; k++) {
        int kinds = cab_near_kinds(n, k);
        for (int kind = CAB_NEAR_WHOLE; kind < kinds; kind++) {
            cab_near_listed one;
            if (!cab_near_listed_as(n, k, kind, &one)) continue;
            if (one.c.shape == CAB_SHAPE_IS_PLANE)
                cab_rest_touch_plane(n, &one, in & one.in & cab_near_touches_end(n, k, i), node, lost);
        }
    }
    cab_near_put3(n, i, CAB_NEAR_END + CAB_SITE_NORMAL, node->normal);
    cab_near_put(n, i, CAB_NEAR_END + CAB_SITE_FRICTION, node->friction);
}

/* The normal of what particle i touches. */
CAB_INLINE vec3 cab_rest_normal(const cab_near *n, int i)
{
    if (n->single < 0) return cab_near_get3(n, i, CAB_NEAR_END + CAB_SITE_NORMAL);
    return cab_collider_axis(&n->plane);
}

/* Adds the bending to the offset of particle i, and finds what it touches. next, after: the bending of the particles
 * behind it */
CAB_INLINE cab_rest_node cab_rest_node_of(const cab_near *n, const cab_sweep *s, int i, vec3 *next,
                                          vec3 *after, real_mask *lost)
{
    cab_rest_node node;
    node.x = cab_slot3(s, i, CAB_SLOT_POSITION);
    node.e = cab_slot3(s, i, CAB_SLOT_OFFSET);
    node.start = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
    node.w = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
    if (s->bends) {
        vec3 bent = cab_sweep_bent(s, i, *next, *after);
        *after = *next;
        *next = bent;
        node.e = vec3_add(node.e, bent);
    }
    cab_rest_touch(n, i, &node, lost);
    return node;
}

/* D of a contact that sticks. friction: coefficient over mass; before: its normal force in the last substep, kg m */
CAB_INLINE real cab_rest_damper(const cab_near *n, real friction, real before)
{
    return real_min(friction * before * (1 / n->params->slip_least),
                    real_of(CAB_PRESS_HOLD * CAB_PRESS_STIFF));
}

/* Inverse mass along the normal less that across it, of a contact that presses. */
CAB_INLINE real cab_rest_more(real w, real across)
{
    return w * (1 / (1 + CAB_PRESS_STIFF)) - across;
}

/* Moves a particle by its contact, and finds its inverse masses. */
CAB_INLINE void cab_rest_react(const cab_near *n, const cab_sweep *s, int i, cab_rest_node *node,
                               real_mask *lost)
{
    real zero = real_of(0), one = real_of(1), least = real_of(n->params->slip_least);
    real gap = node->gap + vec3_dot(node->normal, node->e);
    real before = cab_near_get(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA);
    real_mask presses = node->touches & (gap < zero);
    real damper = real_select(presses, cab_rest_damper(n, node->friction * node->w, before), zero);
    real inverse = one / (one + damper);
    vec3 way = cab_across(cab_slot3(s, i, CAB_SLOT_STEP), node->normal);
    vec3 slip = cab_across(vec3_sub(node->e, node->start), node->normal);
    *lost = *lost | (presses & real_not(vec3_dot(way, way) < least * least));
    node->across = node->w * inverse;
    real push = real_select(presses, gap * -(CAB_PRESS_STIFF / (1 + CAB_PRESS_STIFF)), zero);
    node->e = vec3_sub_scaled(node->e, damper * inverse, slip);
    node->e = vec3_add_scaled(node->e, push, node->normal);
    cab_near_put3(n, i, CAB_NEAR_INERTIA, node->e);
    cab_near_put(n, i, CAB_NEAR_END + CAB_SITE_GAP, node->gap);
    cab_near_put(n, i, CAB_REST_BEFORE, before);
    cab_near_put(n, i, CAB_REST_ACROSS, real_select(presses, node->across, 0 - node->across));
}

/* What a row of the lengths needs of the segment behind its own. */
typedef struct cab_rest_row {
    cab_elimination rows;
    vec3 u;     /* its direction; 0: there is none */
    real along; /* how far that goes along the normal at its start */
} cab_rest_row;

/* Eliminates the length of the segment from particle i = a to b. */
CAB_INLINE void cab_rest_length(const cab_sweep *s, int i, const cab_rest_node *a, const cab_rest_node *b,
                                cab_rest_row *row)
{
    vec3 r = cab_between(a->x, a->e, b->x, b->e);
    real length = vec3_length(r);
    real inverse = cab_inverse_length(length);
    vec3 u = vec3_scale(r, inverse);
    real at_a = vec3_dot(u, a->normal), at_b = vec3_dot(u, b->normal);
    real c = cab_constant(s, i, CAB_CONSTANT_REST) - length;
    real give = a->across + b->across + a->more * (at_a * at_a) + b->more * (at_b * at_b);
    real shared = 0 - (b->across * vec3_dot(u, row->u) + b->more * (at_b * row->along));
    real band = cab_eliminate_length(&row->rows, give + cab_constant(s, i, CAB_CONSTANT_DIAGONAL), shared, c);
    cab_slot3_put(s, i, CAB_SLOT_SEGMENT, r);
    cab_slot_put(s, i, CAB_SLOT_INVERSE, inverse);
    cab_slot_put(s, i, CAB_SLOT_BAND, band);
    cab_slot_put(s, i, CAB_SLOT_RIGHT, row->rows.right * row->rows.inverse_pivot);
    row->u = u;
    row->along = at_a;
}

/* From the end to the start: bending and contacts. Returns the lanes that are not at rest. */
CAB_INLINE real_mask cab_rest_find(const cab_near *n, const cab_sweep *s)
{
    real_mask lost = cab_near_none();
    vec3 next = vec3_zero(), after = next;
    for (int i = s->count - 1; i >= 0; i--) {
        cab_rest_node node = cab_rest_node_of(n, s, i, &next, &after, &lost);
        cab_rest_react(n, s, i, &node, &lost);
    }
    return lost;
}

/* Particle i as the lengths see it. */
CAB_INLINE cab_rest_node cab_rest_node_at(const cab_near *n, const cab_sweep *s, int i)
{
    real zero = real_of(0), across = cab_near_get(n, i, CAB_REST_ACROSS);
    real_mask presses = across > zero;
    cab_rest_node node;
    node.x = cab_slot3(s, i, CAB_SLOT_POSITION);
    node.e = cab_near_get3(n, i, CAB_NEAR_INERTIA);
    node.normal = cab_rest_normal(n, i);
    node.across = real_select(presses, across, 0 - across);
    node.more = real_select(presses, cab_rest_more(cab_constant(s, i, CAB_CONSTANT_WEIGHT), across), zero);
    return node;
}

/* From the end to the start: elimination of the lengths. This is a sweep of its own because a particle's square root and three
 * divisions follow one another; in a shorter loop processors do those of several particles at the same time. */
CAB_INLINE void cab_rest_eliminate(const cab_near *n, const cab_sweep *s)
{
    real zero = real_of(0);
    cab_rest_row row = {{zero, zero}, vec3_zero(), zero};
    cab_rest_node behind = cab_rest_node_at(n, s, s->count - 1);
    for (int i = s->count - 2; i >= 0; i--) {
        cab_rest_node node = cab_rest_node_at(n, s, i);
        cab_rest_length(s, i, &node, &behind, &row);
        behind = node;
    }
}

CAB_INLINE real cab_rest_mass(const cab_sweep *s, int i)
{
    if (s->width == 1) return real_of(1 / s->constants[i * CAB_CONSTANTS + CAB_CONSTANT_WEIGHT]);
    return 1 / cab_constant(s, i, CAB_CONSTANT_WEIGHT);
}

/* A contact after the pass. */
typedef struct cab_rest_contact {
    vec3 normal;
    real w, across, friction; /* inverse mass, that across the normal, coefficient */
    real_mask presses;
} cab_rest_contact;

CAB_INLINE cab_rest_contact cab_rest_contact_of(const cab_near *n, const cab_sweep *s, int i)
{
    real zero = real_of(0), across = cab_near_get(n, i, CAB_REST_ACROSS);
    cab_rest_contact c;
    c.normal = cab_rest_normal(n, i);
    c.w = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
    c.presses = across > zero;
    c.across = real_select(c.presses, across, 0 - across);
    c.friction = n->single < 0 ? cab_near_get(n, i, CAB_NEAR_END + CAB_SITE_FRICTION)
                               : cab_near_friction(n, n->single);
    return c;
}

/* The normal force of particle i's contact where e is its offset after the pass, kg m. lost: lanes in which the contact does
 * something else than before, or its force is not settled (cab_press_decide) */
CAB_INLINE real cab_rest_force(const cab_near *n, const cab_sweep *s, int i, const cab_rest_contact *c,
                               vec3 e, real_mask *lost)
{
    real zero = real_of(0), before = cab_near_get(n, i, CAB_REST_BEFORE);
    real gap = cab_near_get(n, i, CAB_NEAR_END + CAB_SITE_GAP) + vec3_dot(c->normal, e);
    vec3 slip = cab_across(vec3_sub(e, cab_slot3(s, i, CAB_SLOT_RESIDUAL)), c->normal);
    real force = real_max(zero, gap * -CAB_PRESS_STIFF) * cab_rest_mass(s, i), change = force - before;
    real damper = cab_rest_damper(n, c->friction * c->w, before), limit = c->friction * c->w * force;
    real_mask still = gap < zero;
    real_mask unsettled = (change > CAB_PRESS_SETTLED * force) | (0 - change > CAB_PRESS_SETTLED * force);
    unsettled = unsettled | (gap < -CAB_PRESS_DEEP * n->radius) | real_not(still);
    unsettled = unsettled | (damper * damper * vec3_dot(slip, slip) > limit * limit);
    *lost = *lost | (c->presses & unsettled) | (real_not(c->presses) & still);
    force = real_select(c->presses, force, zero);
    cab_near_put(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA, force);
    return force;
}

/* From the start to the end: multipliers, places, forces. Returns the lanes in which a length is still off or a contact is not
 * settled. */
CAB_INLINE real_mask cab_rest_project(cab_near *n, const cab_sweep *s)
{
    cab_substitution back = cab_substitution_none();
    vec3 moved_last = vec3_zero(), r = moved_last;
    real zero = real_of(0), wanted = zero;
    real_mask lost = cab_near_none();
    for (int i = 0; i < s->count; i++) {
        vec3 push = back.pull, next = r;
        real length = zero;
        if (i < s->count - 1) {
            next = cab_slot3(s, i, CAB_SLOT_SEGMENT);
            push = cab_sweep_push(s, i, next, &back);
            length = cab_constant(s, i, CAB_CONSTANT_REST) -
                     cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * back.lambda;
        }
        cab_rest_contact c = cab_rest_contact_of(n, s, i);
        real more = real_select(c.presses, cab_rest_more(c.w, c.across), zero);
        vec3 moved = vec3_scale(push, c.across);
        moved = vec3_add_scaled(moved, more * vec3_dot(c.normal, push), c.normal);
        /* adding 0 makes -0 a 0: where nothing presses, the normal could leave its sign there */
        vec3 e = vec3_add(vec3_add(cab_near_get3(n, i, CAB_NEAR_INERTIA), moved), vec3_zero());
        cab_near_put3(n, i, CAB_NEAR_INERTIA, e);
        cab_near_put(n, i, CAB_REST_LAMBDA, i < s->count - 1 ? back.lambda : zero);
        if (i > 0) lost = cab_length_off(lost, vec3_add(r, vec3_sub(moved, moved_last)), wanted);
        real force = cab_rest_force(n, s, i, &c, e, &lost);
        n->pressed = n->pressed | (force > zero);
        r = next;
        wanted = length;
        moved_last = moved;
    }
    return lost;
}

/* Notes, at the start of a frame, the normal force of each particle's contact in the last substep: that on the segment
 * before it. The first two share one by their masses. */
CAB_INLINE void cab_rest_begin(const cab_near *n)
{
    const cab_sweep *s = &n->s;
    float h = n->params->h;
    real zero = real_of(0), none = real_of(-1), one = real_of(1);
    real w_0 = cab_constant(s, 0, CAB_CONSTANT_WEIGHT), w_1 = cab_constant(s, 1, CAB_CONSTANT_WEIGHT);
    for (int i = 0; i < s->count; i++) {
        real share = one, own = i == 0 ? w_0 : w_1, other = i == 0 ? w_1 : w_0;
        if (i < 2) share = real_select(other > zero, other / (own + other), one);
        real force = cab_near_get(n, i > 0 ? i - 1 : 0, CAB_NEAR_PRESSING) * (h * h);
        cab_near_put(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA, force * share);
        if (n->beside) cab_near_put(n, i, CAB_NEAR_MIDDLE + CAB_SITE_FRICTION, none);
    }
}

/* Computes the substep of the lanes that are at rest. Returns those in which that is all. */
CAB_INLINE real_mask cab_near_rest(cab_near *n)
{
    cab_sweep s = n->s;
    s.orders = 0; /* what is pressed is of first order */
    s.constants = s.constants_first;
    real_mask lost = cab_rest_find(n, &s);
    cab_rest_eliminate(n, &s);
    lost = lost | cab_rest_project(n, &s);
    real_mask done = n->rests & real_not(lost);
    n->pressed = n->pressed & done;
    n->offsets = cab_near_at(n, 0, CAB_NEAR_INERTIA);
    n->multipliers = cab_near_at(n, 0, CAB_REST_LAMBDA);
    n->offsets_apart = CAB_SLOTS_NEAR * s.apart;
    return done;
}

#endif
