/* The direct method on a tile of cables, without iteration (equations: direct.h). A substep takes three
 * sweeps:
 *
 *   eliminate  from the end to the start: back-substitution of the bending, elimination of the lengths
 *   project    from the start to the end: multipliers and new places; tests whether a length is still off
 *   advance    from the start to the end: ends this substep, predicts the next one and starts its bending by
 *              forward substitution */
#ifndef CAB_SWEEP_H
#define CAB_SWEEP_H

#include "direct.h"
#include "errors.h"
#include "tile.h"

/* The segment from particle i to the next one, from positions and offsets. */
CAB_INLINE vec3 cab_sweep_segment(const cab_sweep *s, int i)
{
    return cab_between(cab_slot3(s, i, CAB_SLOT_POSITION), cab_slot3(s, i, CAB_SLOT_OFFSET),
                       cab_slot3(s, i + 1, CAB_SLOT_POSITION), cab_slot3(s, i + 1, CAB_SLOT_OFFSET));
}

/* Back-substitution of particle i's bending. next, after: the bending of the two particles behind it */
CAB_INLINE vec3 cab_sweep_bent(const cab_sweep *s, int i, vec3 next, vec3 after)
{
    return cab_band_back(cab_slot3(s, i, CAB_SLOT_BEND), cab_constant(s, i, CAB_CONSTANT_PIVOT),
                         cab_constant(s, i, CAB_CONSTANT_BAND), next,
                         cab_constant(s, i, CAB_CONSTANT_BAND + 1), after);
}

/* again: another Newton pass for the lanes in `todo`. It does not bend; multipliers are added to. */
CAB_INLINE void cab_sweep_eliminate(const cab_sweep *s, int again, real_mask todo)
{
    real zero = real_of(0), w_next = zero, inverse_next = zero;
    cab_elimination rows = {zero, zero};
    vec3 next = vec3_zero(), bent = next, bent_2 = next;
    for (int i = s->count - 1; i >= 0; i--) {
        real w = cab_slot(s, i, CAB_SLOT_WEIGHT);
        vec3 bent_1 = bent;
        if (!again) cab_tile_fetch_ahead(s, i);
        if (s->bends && !again) {
            bent = cab_sweep_bent(s, i, bent_1, bent_2);
            cab_slot3_put(s, i, CAB_SLOT_BEND, bent);
            if (s->constrained)
                cab_apart3_put(cab_constrained(s, i), s->apart,
                               vec3_add(cab_slot3(s, i, CAB_SLOT_OFFSET), bent));
            bent_2 = bent_1;
        }
        if (i < s->count - 1) {
            vec3 r = again ? cab_sweep_segment(s, i) : cab_slot3(s, i, CAB_SLOT_SEGMENT);
            if (s->bends && !again) r = vec3_add(r, vec3_sub(bent_1, bent));
            real length = vec3_length(r), inverse = cab_inverse_length(length);
            real c = cab_constant(s, i, CAB_CONSTANT_REST) - length;
            if (again) {
                real lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
                c = real_select(todo, c - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * lambda, zero);
            }
            real shared = cab_shared_entry(w_next, r, inverse, next, inverse_next);
            real band = cab_eliminate_length(&rows, w + w_next + cab_constant(s, i, CAB_CONSTANT_DIAGONAL),
                                             shared, c);
            cab_slot3_put(s, i, CAB_SLOT_SEGMENT, r);
            cab_slot_put(s, i, CAB_SLOT_INVERSE, inverse);
            cab_slot_put(s, i, CAB_SLOT_BAND, band);
            cab_slot_put(s, i, CAB_SLOT_RIGHT, rows.right * rows.inverse_pivot);
            next = r;
            inverse_next = inverse;
        }
        w_next = w;
    }
}

/* What the lengths push particle i by; r: the segment to the next one. */
CAB_INLINE vec3 cab_sweep_push(const cab_sweep *s, int i, vec3 r, cab_substitution *back)
{
    return cab_substitute_length(back, cab_slot(s, i, CAB_SLOT_RIGHT), cab_slot(s, i, CAB_SLOT_BAND), r,
                                 cab_slot(s, i, CAB_SLOT_INVERSE));
}

/* Returns the lanes in which a length is still off. */
CAB_INLINE real_mask cab_sweep_project(const cab_sweep *s, int again, real_mask todo)
{
    cab_substitution back = cab_substitution_none();
    vec3 moved_last = vec3_zero(), r = moved_last;
    real zero = real_of(0), wanted = zero;
    real_mask off = zero != zero;
    for (int i = 0; i < s->count; i++) {
        vec3 push = back.pull, next = r, old = cab_slot3(s, i, CAB_SLOT_OFFSET);
        real length = zero;
        if (i < s->count - 1) {
            next = cab_slot3(s, i, CAB_SLOT_SEGMENT);
            push = cab_sweep_push(s, i, next, &back);
            real sum = again ? cab_slot(s, i, CAB_SLOT_LAMBDA) + back.lambda : back.lambda;
            cab_slot_put(s, i, CAB_SLOT_LAMBDA, sum);
            length =
                cab_constant(s, i, CAB_CONSTANT_REST) - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * sum;
        }
        vec3 moved = vec3_scale(push, cab_slot(s, i, CAB_SLOT_WEIGHT)), e;
        if (again)
            e = vec3_select(todo, vec3_add(old, moved), old);
        else
            e = vec3_add(old, s->bends ? vec3_add(cab_slot3(s, i, CAB_SLOT_BEND), moved) : moved);
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
        if (i > 0) off = cab_length_off(off, vec3_add(r, vec3_sub(moved, moved_last)), wanted);
        r = next;
        wanted = length;
        moved_last = moved;
    }
    return off;
}

/* Sets the inverse mass that the lengths use. Returns the lanes in which it is reduced. */
CAB_INLINE real_mask cab_sweep_weigh_one(const cab_sweep *s, int i)
{
    real slow = cab_slot(s, i, CAB_SLOT_SLOW);
    cab_slot_put(s, i, CAB_SLOT_WEIGHT, cab_constant(s, i, CAB_CONSTANT_WEIGHT) * slow);
    return slow < real_of(1);
}

CAB_INLINE real_mask cab_sweep_weigh(const cab_sweep *s)
{
    real one = real_of(1);
    real_mask slowed = one != one;
    for (int i = 0; i < s->count; i++) slowed = slowed | cab_sweep_weigh_one(s, i);
    return slowed;
}

/* Sets by how much inverse masses are reduced in the next substep, in the lanes whose lengths are off. */
CAB_INLINE void cab_sweep_slow(const cab_sweep *s, real_mask off)
{
    real before = real_of(0);
    for (int i = 0; i < s->count; i++) {
        real w = cab_constant(s, i, CAB_CONSTANT_WEIGHT), pull = real_of(0);
        if (i < s->count - 1)
            pull = cab_pull_of(cab_slot(s, i, CAB_SLOT_LAMBDA), cab_slot(s, i, CAB_SLOT_INVERSE));
        cab_slot_put(s, i, CAB_SLOT_SLOW, real_select(off, cab_slow_of(w, before + pull), real_of(1)));
        before = pull;
    }
}

/* A particle's motion between two substeps. */
typedef struct cab_motion {
    vec3 p, r; /* position and residual */
    cab_steps steps;
} cab_motion;

/* Reads it. solved: the offset is that of a solved substep, which was of first order if first_order, and is
 * added to position and steps here, though not in the tile. */
CAB_INLINE cab_motion cab_sweep_motion(const cab_sweep *s, int i, int solved, int first_order)
{
    cab_motion m;
    vec3 e = cab_slot3(s, i, CAB_SLOT_OFFSET);
    m.p = cab_slot3(s, i, CAB_SLOT_POSITION);
    m.r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
    m.steps.last = cab_slot3(s, i, CAB_SLOT_STEP);
    m.steps.before = cab_slot3(s, i, CAB_SLOT_STEP + 3);
    m.steps.first = e;
    if (solved) cab_steps_take(&m.steps, cab_settle(&m.p, &m.r, e), first_order);
    return m;
}

CAB_INLINE void cab_sweep_motion_put(const cab_sweep *s, int i, const cab_motion *m)
{
    cab_slot3_put(s, i, CAB_SLOT_POSITION, m->p);
    cab_slot3_put(s, i, CAB_SLOT_RESIDUAL, m->r);
    cab_slot3_put(s, i, CAB_SLOT_STEP, m->steps.last);
    cab_slot3_put(s, i, CAB_SLOT_STEP + 3, m->steps.before);
}

/* Ends a solved substep without a next one. */
CAB_INLINE void cab_sweep_end(const cab_sweep *s, int first_order)
{
    for (int i = 0; i < s->count; i++) {
        cab_motion m = cab_sweep_motion(s, i, 1, first_order);
        cab_sweep_motion_put(s, i, &m);
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, m.steps.first);
    }
}

CAB_INLINE vec3 cab_sweep_predict(const cab_sweep *s, int i, vec3 r, const cab_steps *steps)
{
    return cab_predict_steps(r, cab_constant3(s, i, CAB_CONSTANT_FALL), steps,
                             cab_constant(s, i, CAB_CONSTANT_STEP), cab_constant(s, i, CAB_CONSTANT_STEP + 1),
                             cab_constant(s, i, CAB_CONSTANT_STEP + 2));
}

/* The next substep begins for particle i, which has moved like this: predicts it, weighs it if `weigh`, and puts it at its target if it
 * is one that moves; `move` goes on to the next of these. Returns its offset. */
CAB_INLINE vec3 cab_sweep_begin(const cab_sweep *s, int i, const cab_motion *m, int weigh,
                                const cab_sweep_moves *moves, int *move, real_mask *slowed)
{
    vec3 e = cab_sweep_predict(s, i, m->r, &m->steps);
    cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
    if (weigh) *slowed = *slowed | cab_sweep_weigh_one(s, i);
    if (*move >= moves->count || moves->move[*move].particle != i) return e;
    *move = cab_sweep_move(s, moves, *move, i);
    return cab_slot3(s, i, CAB_SLOT_OFFSET);
}

/* State of the forward substitution: the last segment, the right sides of the next two particles so far. */
typedef struct cab_bend {
    vec3 segment, right, right_next;
} cab_bend;

/* What bends about particle j, before `segment`. */
CAB_INLINE vec3 cab_sweep_elastic(const cab_sweep *s, int j, vec3 segment, const cab_bend *b)
{
    vec3 f = vec3_scale(segment, cab_constant(s, j, CAB_CONSTANT_STIFF_AFTER));
    f = vec3_sub_scaled(f, cab_constant(s, j, CAB_CONSTANT_STIFF_BEFORE), b->segment);
    return s->turned ? vec3_sub(f, cab_constant3(s, j, CAB_CONSTANT_TARGET)) : f;
}

/* The right side z of particle j - 1 is complete. */
CAB_INLINE void cab_sweep_substitute(const cab_sweep *s, int j, vec3 segment, vec3 z, cab_bend *b)
{
    b->segment = segment;
    if (j == 0) return;
    cab_slot3_put(s, j - 1, CAB_SLOT_BEND, z);
    b->right = cab_band_take(b->right, cab_constant(s, j - 1, CAB_CONSTANT_BAND), z);
    b->right_next = cab_band_take(b->right_next, cab_constant(s, j - 1, CAB_CONSTANT_BAND + 1), z);
}

/* Adds the bending about particle j, before `segment`. The right side of particle j - 1 is complete then. */
CAB_INLINE void cab_sweep_bend(const cab_sweep *s, int j, vec3 segment, cab_bend *b)
{
    real before = cab_constant(s, j, CAB_CONSTANT_BEFORE), after = cab_constant(s, j, CAB_CONSTANT_AFTER);
    vec3 f = cab_sweep_elastic(s, j, segment, b);
    vec3 z = vec3_sub_scaled(b->right, before, f);
    b->right = vec3_add_scaled(b->right_next, before + after, f);
    b->right_next = vec3_scale(f, -after);
    cab_sweep_substitute(s, j, segment, z, b);
}

/* The same with f known, and with a moment of twist that pulls: the segment after by `pull` over its rest length, and the one before,
 * too. */
CAB_INLINE void cab_sweep_bend_pulled(const cab_sweep *s, int j, vec3 segment, vec3 f, vec3 pull, cab_bend *b)
{
    real before = cab_constant(s, j, CAB_CONSTANT_BEFORE), after = cab_constant(s, j, CAB_CONSTANT_AFTER);
    vec3 z = vec3_sub_scaled(b->right, before, vec3_add(f, pull));
    b->right = vec3_add(
        b->right_next, vec3_add(vec3_scale(vec3_add(f, pull), before), vec3_scale(vec3_sub(f, pull), after)));
    b->right_next = vec3_scale(vec3_sub(pull, f), after);
    cab_sweep_substitute(s, j, segment, z, b);
}

/* Predicts the next substep and begins it. solved: one that is solved is ended before, which was of first order
 * if first_order. weigh: cab_sweep_weigh() is done, too, and what it returns is returned. */
CAB_INLINE real_mask cab_sweep_advance(const cab_sweep *s, int solved, int first_order, int weigh,
                                       const cab_sweep_moves *moves)
{
    real_mask slowed = real_of(1) != real_of(1);
    vec3 p_last = vec3_zero(), e_last = p_last;
    cab_bend bend;
    bend.segment = bend.right = bend.right_next = p_last;
    int move = 0;
    for (int i = 0; i < s->count; i++) {
        cab_motion m = cab_sweep_motion(s, i, solved, first_order);
        if (solved) cab_sweep_motion_put(s, i, &m);
        vec3 e = cab_sweep_begin(s, i, &m, weigh, moves, &move, &slowed);
        if (i > 0) {
            vec3 segment = cab_between(p_last, e_last, m.p, e);
            cab_slot3_put(s, i - 1, CAB_SLOT_SEGMENT, segment);
            if (s->bends) cab_sweep_bend(s, i - 1, segment, &bend);
        }
        p_last = m.p;
        e_last = e;
    }
    if (!s->bends) return slowed;
    cab_sweep_bend(s, s->count - 1, vec3_zero(), &bend);
    cab_slot3_put(s, s->count - 1, CAB_SLOT_BEND, bend.right);
    return slowed;
}

/* Solves the lengths: a Newton pass, and up to two more where they are or were off. */
CAB_INLINE real_mask cab_sweep_lengths(const cab_sweep *s, real_mask slowed)
{
    cab_sweep_eliminate(s, 0, slowed);
    real_mask off = cab_sweep_project(s, 0, slowed) | slowed;
    if (!real_any(off)) return off;
    for (int pass = 2; pass <= CAB_NEWTON_PASSES && real_any(off); pass++) {
        cab_sweep_eliminate(s, 1, off);
        off = cab_sweep_project(s, 1, off) & off;
    }
    cab_sweep_slow(s, off);
    return cab_sweep_weigh(s);
}

/* The errors at the end of a substep, which is still to be ended if it is only solved. particles: of each lane's
 * cable. */
CAB_INLINE cab_chain_errors cab_sweep_measure(const cab_sweep *s, real particles, int solved, int first_order,
                                              float inverse_h)
{
    cab_chain_errors e = cab_errors_none();
    vec3 p_last = vec3_zero(), r_last = p_last;
    for (int i = 0; i < s->count; i++) {
        cab_motion m = cab_sweep_motion(s, i, solved, first_order);
        vec3 way = cab_steps_way(m.steps.last, m.steps.before);
        cab_errors_particle(&e, i, m.p, vec3_scale(way, real_of(inverse_h)));
        if (i > 0)
            cab_errors_segment(&e, i - 1, cab_between(p_last, r_last, m.p, m.r),
                               cab_constant(s, i - 1, CAB_CONSTANT_REST), real_of((float)i) < particles);
        p_last = m.p;
        r_last = m.r;
    }
    return e;
}

#endif
