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
CAB_INLINE cab_viscous_node cab_viscous_end(const cab_sweep *s, int i, int first_order)
{
    vec3 bent = cab_apart3(cab_constrained(s, i), s->apart);
    cab_viscous_node n;
    n.m = cab_sweep_motion(s, i, 1, first_order);
    n.constrained = cab_viscous_constraints(cab_slot3(s, i, CAB_SLOT_OFFSET), bent, first_order);
    cab_apart3_put(cab_constrained(s, i), s->apart, n.constrained);
    cab_sweep_motion_put(s, i, &n.m);
    cab_slot3_put(s, i, CAB_SLOT_OFFSET, n.m.steps.first);
    return n;
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

/* k for a substep as the unit of time, from that for h_s. */
CAB_INLINE real cab_viscous_damping(real viscous, int first_order)
{
    return first_order ? viscous : viscous * (2.0f / 3);
}

/* 1/rest length of the segment that ends at particle i. */
CAB_INLINE real cab_viscous_inverse(const cab_sweep *s, int i)
{
    return real_max(cab_constant(s, i, CAB_CONSTANT_BEFORE), cab_constant(s, i - 1, CAB_CONSTANT_AFTER));
}

/* What the first way along a cable leaves in a particle's slots for the second, as if the spin of the first segment were 0: what
 * turning makes the curvature change by, 2 u_- x u_+ / |e|^2, and T. At a clamp at the end the first two are reversed, as the
 * curvature of its bending is. */
#define CAB_SLOT_TURNED CAB_SLOT_BEND
#define CAB_SLOT_KINK CAB_SLOT_SEGMENT
#define CAB_SLOT_TORQUE CAB_SLOT_INVERSE

CAB_INLINE real cab_viscous_share_of(const cab_sweep *s, int j, vec3 kink, int first_order)
{
    real viscous = cab_constant(s, j, CAB_CONSTANT_VISCOUS);
    real ga = cab_constant(s, j, CAB_CONSTANT_BEFORE), gc = cab_constant(s, j, CAB_CONSTANT_AFTER);
    /* EI tau h/cell, of the whole substep in both orders */
    return cab_viscous_share(kink, first_order ? viscous : viscous * 1.5f, real_max(gc, real_max(ga, 0 - ga)),
                             cab_constant(s, j, CAB_CONSTANT_WEIGHT));
}

CAB_INLINE void cab_viscous_first_about(const cab_sweep *s, int j, const cab_viscous_vertex *v,
                                        cab_viscous_along *along, int first_order)
{
    real was = along->spin;
    cab_viscous_turn t = cab_viscous_turn_of(&v->before, &v->after, real_of(0), &along->spin);
    /* where nothing is damped, as at a free end, the spin stays as it is */
    along->spin = real_select(v->viscous > real_of(0), along->spin, was);
    vec3 turned = cab_viscous_turned(&v->before, &v->after, &t, first_order);
    real damping = cab_viscous_damping(v->viscous, first_order);
    real torque = cab_viscous_torque(along, &t, damping, cab_viscous_share_of(s, j, t.kink, first_order));
    if (s->turned) {
        turned = vec3_select(v->end, vec3_scale(turned, real_of(-1)), turned);
        t.kink = vec3_select(v->end, vec3_scale(t.kink, real_of(-1)), t.kink);
    }
    cab_slot3_put(s, j, CAB_SLOT_TURNED, turned);
    cab_slot3_put(s, j, CAB_SLOT_KINK, t.kink);
    cab_slot_put(s, j, CAB_SLOT_TORQUE, torque);
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
        if (i < s->count) node = solved ? cab_viscous_end(s, i, first_order) : cab_viscous_node_of(s, i);
        if (i > 0) {
            if (i < s->count) after = cab_viscous_link(&last, &node, cab_viscous_inverse(s, i), first_now);
            cab_viscous_vertex v = cab_viscous_vertex_of(s, i - 1, &before, &after);
            cab_viscous_first_about(s, i - 1, &v, &along, first_now);
            start = start | v.start;
            end = end | v.end;
        }
        before = after;
        last = node;
    }
    return cab_viscous_again(&along, start, end);
}

/* What damping makes of the bending about a particle: f, and how the moment of twist pulls. spin: of the first segment */
typedef struct cab_viscous_forces {
    vec3 damped, pull;
} cab_viscous_forces;

/* change: of the curvature in h_s */
CAB_INLINE cab_viscous_forces cab_viscous_second_about(const cab_sweep *s, int j, vec3 change, real spin,
                                                       real *behind, int first_order)
{
    real viscous = cab_constant(s, j, CAB_CONSTANT_VISCOUS);
    vec3 kink = cab_slot3(s, j, CAB_SLOT_KINK);
    real damping = cab_viscous_damping(viscous, first_order), square = damping * vec3_dot(kink, kink);
    real share = cab_viscous_share_of(s, j, kink, first_order);
    real torque = share * (cab_slot(s, j, CAB_SLOT_TORQUE) - 2 * spin * square);
    vec3 turned =
        vec3_add_scaled(cab_slot3(s, j, CAB_SLOT_TURNED), first_order ? 2 * spin : spin * (4.0f / 3), kink);
    real counts = cab_viscous_counts(change, turned);
    cab_viscous_forces f = {vec3_scale(vec3_sub_scaled(change, counts, turned), viscous),
                            vec3_scale(cab_viscous_pull(kink, *behind, torque), share * counts)};
    *behind = *behind - torque;
    return f;
}

/* As cab_sweep_advance(). first_now: the substep that begins is of first order */
CAB_INLINE real_mask cab_viscous_advance(const cab_sweep *s, int solved, int first_order, int first_now,
                                         int weigh, const cab_sweep_moves *moves)
{
    real zero = real_of(0);
    real_mask slowed = zero != zero;
    cab_viscous_along known = cab_viscous_first(s, solved, first_order, first_now);
    vec3 p_last = vec3_zero(), e_last = p_last, way_last = p_last, way_segment = p_last;
    cab_bend bend;
    bend.segment = bend.right = bend.right_next = p_last;
    int move = 0;
    for (int i = 0; i <= s->count; i++) {
        vec3 p = p_last, e = e_last, way = way_last, segment = vec3_zero(), way_after = segment;
        if (i < s->count) {
            cab_viscous_node node = cab_viscous_node_of(s, i);
            p = node.m.p;
            e = cab_sweep_begin(s, i, &node.m, weigh, moves, &move, &slowed);
            way = cab_viscous_way(e, node.m.r, node.m.steps.last, first_now);
            way = vec3_add_scaled(way, real_of(first_now ? 2.25f : 1), node.constrained);
        }
        if (i > 0) {
            if (i < s->count) {
                segment = cab_between(p_last, e_last, p, e);
                way_after = vec3_sub(way, way_last);
            }
            vec3 change = vec3_scale(way_after, cab_constant(s, i - 1, CAB_CONSTANT_AFTER));
            change = vec3_sub_scaled(change, cab_constant(s, i - 1, CAB_CONSTANT_BEFORE), way_segment);
            cab_viscous_forces f =
                cab_viscous_second_about(s, i - 1, change, known.spin, &known.behind, first_now);
            if (i < s->count) cab_slot3_put(s, i - 1, CAB_SLOT_SEGMENT, segment);
            vec3 all = vec3_add(cab_sweep_elastic(s, i - 1, segment, &bend), f.damped);
            cab_sweep_bend_pulled(s, i - 1, segment, all, f.pull, &bend);
        }
        p_last = p;
        e_last = e;
        way_last = way;
        way_segment = way_after;
    }
    cab_slot3_put(s, s->count - 1, CAB_SLOT_BEND, bend.right);
    return slowed;
}

#endif
