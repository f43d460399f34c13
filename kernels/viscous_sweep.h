/* The sweep of sweep.h that ends a substep and begins the next one, with damping of the bending (equations: viscous.h). Beside the
 * slots of tile.h a tile keeps three more of each particle, `constrained`: by how much all but bending moved it in the last
 * substep, in one of second order; while a substep is solved, where the bending has put it. */
#ifndef CAB_VISCOUS_SWEEP_H
#define CAB_VISCOUS_SWEEP_H

#include "sweep.h"
#include "viscous.h"

/* A particle at the end of the last substep. */
typedef struct cab_viscous_node {
    cab_motion m;
    vec3 constrained;
} cab_viscous_node;

CAB_INLINE cab_viscous_node cab_viscous_node_of(const cab_sweep *s, int i)
{
    cab_viscous_node n;
    n.m = cab_sweep_motion(s, i, 0, 0);
    n.constrained = cab_apart3(cab_constrained(s, i), s->apart);
    return n;
}

/* Ends the substep of particle i. */
CAB_INLINE void cab_viscous_end(const cab_sweep *s, int i, int first_order)
{
    vec3 bent = cab_apart3(cab_constrained(s, i), s->apart);
    cab_motion m = cab_sweep_motion(s, i, 1, first_order);
    vec3 moved = cab_viscous_constraints(cab_slot3(s, i, CAB_SLOT_OFFSET), bent, first_order);
    cab_apart3_put(cab_constrained(s, i), s->apart, moved);
    cab_sweep_motion_put(s, i, &m);
    cab_slot3_put(s, i, CAB_SLOT_OFFSET, m.steps.first);
}

/* The segment between two particles; inverse: 1/rest length */
CAB_INLINE cab_viscous_segment cab_viscous_link(const cab_viscous_node *a, const cab_viscous_node *b,
                                                real inverse, int first_order)
{
    vec3 now = cab_between(a->m.p, a->m.r, b->m.p, b->m.r);
    return cab_viscous_segment_of(
        vec3_scale(now, inverse), vec3_scale(vec3_sub(b->m.steps.last, a->m.steps.last), inverse),
        vec3_scale(vec3_sub(b->m.steps.before, a->m.steps.before), inverse), first_order);
}

/* The bending about a particle, its segments, and what a clamp at an end of the cable is in their place. */
typedef struct cab_viscous_vertex {
    cab_viscous_segment before, after;
    real ga, gc, viscous;
    real_mask start,
        end; /* lanes in which a clamp holds the roll here: at the start of the cable, at its end */
} cab_viscous_vertex;

CAB_INLINE void cab_viscous_clamp_lanes(cab_viscous_segment *segment, real_mask held, vec3 direction)
{
    segment->tangent = vec3_select(held, direction, segment->tangent);
    segment->change = vec3_select(held, vec3_zero(), segment->change);
}

/* segment: the one before, and the one after */
CAB_INLINE cab_viscous_vertex cab_viscous_vertex_of(const cab_sweep *s, int j,
                                                    const cab_viscous_segment *before,
                                                    const cab_viscous_segment *after)
{
    real zero = real_of(0);
    cab_viscous_vertex v;
    v.before = *before;
    v.after = *after;
    v.ga = cab_constant(s, j, CAB_CONSTANT_BEFORE);
    v.gc = cab_constant(s, j, CAB_CONSTANT_AFTER);
    v.viscous = cab_constant(s, j, CAB_CONSTANT_VISCOUS);
    v.start = v.end = zero != zero;
    if (!s->turned) return v;
    real stiff = cab_constant(s, j, CAB_CONSTANT_STIFF_AFTER) - cab_constant(s, j, CAB_CONSTANT_STIFF_BEFORE);
    v.start = (v.ga == zero) & (v.gc > zero);
    v.end = (v.gc == zero) & (v.ga < zero);
    vec3 target = cab_constant3(s, j, CAB_CONSTANT_TARGET);
    target = vec3_scale(target, (v.gc - v.ga) / real_select(v.start | v.end, stiff, real_of(1)));
    cab_viscous_clamp_lanes(&v.before, v.start, target);
    cab_viscous_clamp_lanes(&v.after, v.end, target);
    return v;
}

/* Where nothing is damped, as at a free end, the spin stays as it is. */
CAB_INLINE cab_viscous_turn cab_viscous_vertex_turn(const cab_viscous_vertex *v, cab_viscous_along *along)
{
    real was = along->spin;
    cab_viscous_turn t = cab_viscous_turn_of(&v->before, &v->after, &along->spin);
    along->spin = real_select(v->viscous > real_of(0), along->spin, was);
    return t;
}

/* k for a substep as the unit of time. */
CAB_INLINE real cab_viscous_damping(const cab_viscous_vertex *v, int first_order)
{
    return first_order ? v->viscous : v->viscous * (2.0f / 3);
}

/* 1/rest length of the segment that starts at particle i */
CAB_INLINE real cab_viscous_inverse(const cab_sweep *s, int i)
{
    return 1 / cab_constant(s, i, CAB_CONSTANT_REST);
}

/* The first way: ends the substep if it is solved, and finds what is not known of spins and moments of twist. */
CAB_INLINE cab_viscous_along cab_viscous_first(const cab_sweep *s, int solved, int first_order, int first_now)
{
    real zero = real_of(0);
    real_mask start = zero != zero, end = start;
    cab_viscous_along along = cab_viscous_begin();
    cab_viscous_segment none = cab_viscous_clamp(vec3_zero()), before = none;
    cab_viscous_node last = cab_viscous_node_of(s, 0);
    for (int i = 0; i <= s->count; i++) {
        cab_viscous_segment after = none;
        cab_viscous_node node = last;
        if (i < s->count) {
            if (solved) cab_viscous_end(s, i, first_order);
            node = cab_viscous_node_of(s, i);
        }
        if (i > 0) {
            if (i < s->count)
                after = cab_viscous_link(&last, &node, cab_viscous_inverse(s, i - 1), first_now);
            cab_viscous_vertex v = cab_viscous_vertex_of(s, i - 1, &before, &after);
            cab_viscous_turn t = cab_viscous_vertex_turn(&v, &along);
            cab_viscous_torque(&along, &t, cab_viscous_damping(&v, first_now));
            start = start | v.start;
            end = end | v.end;
        }
        before = after;
        last = node;
    }
    return cab_viscous_again(&along, start, end);
}

/* Adds the bending about particle j: cab_sweep_bend() with what damping makes of it. pull: of the moment of twist */
CAB_INLINE void cab_viscous_bend(const cab_sweep *s, int j, vec3 segment, vec3 damped, vec3 pull, cab_bend *b)
{
    real before = cab_constant(s, j, CAB_CONSTANT_BEFORE), after = cab_constant(s, j, CAB_CONSTANT_AFTER);
    vec3 f = vec3_scale(segment, cab_constant(s, j, CAB_CONSTANT_STIFF_AFTER));
    f = vec3_sub_scaled(f, cab_constant(s, j, CAB_CONSTANT_STIFF_BEFORE), b->segment);
    if (s->turned) f = vec3_sub(f, cab_constant3(s, j, CAB_CONSTANT_TARGET));
    f = vec3_add(f, damped);
    vec3 z = vec3_sub_scaled(b->right, before, vec3_add(f, pull));
    b->right = vec3_add(
        b->right_next, vec3_add(vec3_scale(vec3_add(f, pull), before), vec3_scale(vec3_sub(f, pull), after)));
    b->right_next = vec3_scale(vec3_sub(pull, f), after);
    b->segment = segment;
    if (j == 0) return;
    cab_slot3_put(s, j - 1, CAB_SLOT_BEND, z);
    b->right = cab_band_take(b->right, cab_constant(s, j - 1, CAB_CONSTANT_BAND), z);
    b->right_next = cab_band_take(b->right_next, cab_constant(s, j - 1, CAB_CONSTANT_BAND + 1), z);
}

/* As cab_sweep_advance(). first_now: the substep that begins is of first order */
CAB_INLINE real_mask cab_viscous_advance(const cab_sweep *s, int solved, int first_order, int first_now,
                                         int weigh, const cab_sweep_moves *moves)
{
    real zero = real_of(0);
    real_mask slowed = zero != zero;
    cab_viscous_along along = cab_viscous_first(s, solved, first_order, first_now);
    cab_viscous_segment none = cab_viscous_clamp(vec3_zero()), before = none;
    cab_viscous_node last = cab_viscous_node_of(s, 0);
    vec3 e_last = vec3_zero(), way_last = e_last, way_segment = e_last;
    cab_bend bend;
    bend.segment = bend.right = bend.right_next = e_last;
    int move = 0;
    for (int i = 0; i <= s->count; i++) {
        cab_viscous_segment after = none;
        cab_viscous_node node = last;
        vec3 e = e_last, way = way_last, segment = vec3_zero(), way_after = segment;
        if (i < s->count) {
            node = cab_viscous_node_of(s, i);
            e = cab_sweep_predict(s, i, node.m.r, &node.m.steps);
            cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
            if (weigh) slowed = slowed | cab_sweep_weigh_one(s, i);
            if (move < moves->count && moves->move[move].particle == i) {
                move = cab_sweep_move(s, moves, move, i);
                e = cab_slot3(s, i, CAB_SLOT_OFFSET);
            }
            way = cab_viscous_way(e, node.m.r, node.m.steps.last, first_now);
            way = vec3_add_scaled(way, real_of(first_now ? 2.25f : 1), node.constrained);
        }
        if (i > 0) {
            if (i < s->count) {
                segment = cab_between(last.m.p, e_last, node.m.p, e);
                cab_slot3_put(s, i - 1, CAB_SLOT_SEGMENT, segment);
                after = cab_viscous_link(&last, &node, cab_viscous_inverse(s, i - 1), first_now);
                way_after = vec3_sub(way, way_last);
            }
            cab_viscous_vertex v = cab_viscous_vertex_of(s, i - 1, &before, &after);
            cab_viscous_turn t = cab_viscous_vertex_turn(&v, &along);
            real behind = along.behind,
                 torque = cab_viscous_torque(&along, &t, cab_viscous_damping(&v, first_now));
            vec3 turned = cab_viscous_turned(&v.before, &v.after, &t, first_now);
            vec3 change = vec3_sub_scaled(vec3_scale(way_after, v.gc), v.ga, way_segment);
            turned = vec3_select(v.end, vec3_scale(turned, real_of(-1)), turned);
            vec3 pull = cab_viscous_pull(&t, behind, torque);
            pull = vec3_select(v.end, vec3_scale(pull, real_of(-1)), pull);
            cab_viscous_bend(s, i - 1, segment, vec3_scale(vec3_sub(change, turned), v.viscous), pull, &bend);
        }
        before = after;
        way_segment = way_after;
        way_last = way;
        e_last = e;
        last = node;
    }
    cab_slot3_put(s, s->count - 1, CAB_SLOT_BEND, bend.right);
    return slowed;
}

#endif
