/* Whole substeps of a tile of spans (span_frame.cl), whose state and work memory lie as in a tile of cables. The first
 * sweep is that of sweep.h: it ends a substep, predicts the next one and starts its bending, whose separators
 * beside the holds are solved in between. Then come, as often as a length is off,
 *
 *   eliminate   from the end to the start: back-substitution of the bending (first pass), elimination of the lengths
 *   substitute  from the start to the end: tensions and places
 *
 * Elimination runs against the order of the nodes: what stiff.h calls the node before is the one behind. A span takes
 * another pass where one of its own lengths is off, whatever the others do. */
#ifndef CAB_SPAN_SWEEP_H
#define CAB_SPAN_SWEEP_H

#include "spans.h"
#include "sweep.h"

/* A tile of spans as its sweeps see it. */
typedef struct cab_span_view {
    cab_sweep tile;
    cab_span_lanes lanes;
    int shortest;        /* nodes of the shortest span */
    int spikes;          /* from this node on no separator at the start is felt */
    vec3 start, end;     /* displacements by bending of the separators beside the holds at both ends */
    real_mask off, lost; /* lanes in which a length is still off, and by more than CAB_STIFF_LOST */
} cab_span_view;

CAB_INLINE real_mask cab_span_is(real x, int value)
{
    return x == real_of((float)value);
}

/* The displacement of node k by bending. z: its right side; next, after: those of the nodes behind */
CAB_INLINE vec3 cab_span_bent(const cab_span_view *v, int k, vec3 next, vec3 after)
{
    const cab_sweep *t = &v->tile;
    vec3 bent = cab_band_back(cab_slot3(t, k, CAB_SLOT_BEND), cab_constant(t, k, CAB_CONSTANT_PIVOT),
                              cab_constant(t, k, CAB_CONSTANT_BAND), next,
                              cab_constant(t, k, CAB_CONSTANT_BAND + 1), after);
    if (k > 1 && k < v->spikes) bent = cab_band_take(bent, cab_constant(t, k, CAB_CONSTANT_SPIKE), v->start);
    /* a separator's own row has a pivot of 0 */
    if (k == 1) bent = vec3_add(bent, v->start);
    if (k >= v->shortest - 2)
        bent = vec3_add(bent, vec3_select(cab_span_is(v->lanes.nodes, k + 2), v->end, vec3_zero()));
    return bent;
}

/* Eliminates the lengths. again: not the first pass; then it neither bends nor starts multipliers from 0. */
CAB_INLINE void cab_span_sweep_eliminate(const cab_span_view *v, int again)
{
    const cab_sweep *t = &v->tile;
    const cab_span_lanes *s = &v->lanes;
    cab_span_front front = {cab_stiff_left_none(), cab_stretch_none()};
    vec3 none = vec3_zero(), bent = none, next = none, back = none;
    real w = real_of(0);
    for (int k = t->count - 1; k >= 0; k--) {
        vec3 here = cab_slot3(t, k, CAB_SLOT_OFFSET), inertia, back_next = back;
        real w_next = w;
        w = cab_constant(t, k, CAB_CONSTANT_WEIGHT);
        vec3 r = cab_slot3(t, k, CAB_SLOT_SEGMENT);
        if (again) {
            inertia = cab_slot3(t, k, CAB_SLOT_BEND);
            back = vec3_sub(inertia, here);
            if (k < t->count - 1) r = cab_sweep_segment(t, k);
        } else {
            vec3 bent_next = bent;
            bent = cab_span_bent(v, k, bent_next, next);
            next = bent_next;
            inertia = vec3_add(here, bent);
            cab_slot3_put(t, k, CAB_SLOT_BEND, inertia);
            r = vec3_add(r, vec3_sub(bent_next, bent));
        }
        if (k == t->count - 1) continue;
        cab_span_segment c = {cab_constant(t, k, CAB_CONSTANT_REST),
                              cab_constant(t, k, CAB_CONSTANT_COMPLIANCE),
                              cab_constant(t, k, CAB_CONSTANT_REGULARISATION)};
        real tension = real_of(0), last = 0 - cab_slot(t, k, CAB_SLOT_LAMBDA) / s->per_h;
        if (again) {
            tension = last;
            last = *cab_span_slot(s, k + 1, CAB_SPAN_LAST);
        } else {
            *cab_span_slot(s, k + 1, CAB_SPAN_LAST) = last;
        }
        r = vec3_sub(none, r);
        cab_stretch after = cab_span_stretch(s, k + 1, r, cab_span_goes_on(s, k), &c, last, tension);
        cab_span_eliminate(s, &front, k + 1, w_next, back_next, &after);
    }
    cab_stretch nothing = cab_stretch_none();
    cab_span_put3(s, 0, CAB_SPAN_U, none);
    *cab_span_slot(s, 0, CAB_SPAN_LENGTH) = *cab_span_slot(s, 0, CAB_SPAN_STIFFNESS) = real_of(0);
    cab_span_eliminate(s, &front, 0, w, back, &nothing);
}

/* Computes tensions and places in the lanes of `todo`. */
CAB_INLINE void cab_span_sweep_substitute(cab_span_view *v, int again, real_mask todo)
{
    const cab_sweep *t = &v->tile;
    const cab_span_lanes *s = &v->lanes;
    cab_span_back back = cab_span_back_none();
    real none = real_of(0);
    real_mask off = none != none, lost = off, no = off;
    for (int k = 0; k < t->count; k++) {
        real before = none;
        if (again && k > 0) before = cab_slot(t, k - 1, CAB_SLOT_LAMBDA) / s->per_h;
        cab_span_substitute(s, &back, k, before);
        vec3 old = cab_slot3(t, k, again ? CAB_SLOT_OFFSET : CAB_SLOT_BEND), e = vec3_add(old, back.next);
        cab_slot3_put(t, k, CAB_SLOT_OFFSET, again ? vec3_select(todo, e, old) : e);
        if (k == 0) continue;
        cab_span_segment c = {cab_constant(t, k - 1, CAB_CONSTANT_REST),
                              cab_constant(t, k - 1, CAB_CONSTANT_COMPLIANCE), none};
        real lambda = back.total * s->per_h, wanted = cab_span_wanted(s, &c, back.total);
        if (again) lambda = real_select(todo, lambda, cab_slot(t, k - 1, CAB_SLOT_LAMBDA));
        cab_slot_put(t, k - 1, CAB_SLOT_LAMBDA, lambda);
        real_mask any = cab_span_goes_on(s, k - 1);
        off = off | (cab_length_off_by(no, back.segment, wanted, s->tolerance) & any);
        lost = lost | (cab_length_off_by(no, back.segment, wanted, real_of(CAB_STIFF_LOST)) & any);
    }
    v->off = off & todo;
    v->lost = (lost & todo) | (v->lost & real_not(todo));
}

/* Bends, and solves the lengths. */
CAB_INLINE void cab_span_sweep_solve(cab_span_view *v)
{
    real none = real_of(0);
    v->lost = none != none;
    cab_span_sweep_eliminate(v, 0);
    cab_span_sweep_substitute(v, 0, none == none);
    for (int pass = 2; pass <= CAB_TAUT_PASSES; pass++) {
        real_mask todo = v->off;
        if (pass > CAB_NEWTON_PASSES) todo = todo & v->lanes.taut;
        if (!real_any(todo)) return;
        cab_span_sweep_eliminate(v, 1);
        cab_span_sweep_substitute(v, 1, todo);
    }
}

/* What the nodes inside a span leave to the separator beside the hold at its start. */
CAB_INLINE vec3 cab_span_left(const cab_span_view *v)
{
    vec3 left = cab_slot3(&v->tile, 1, CAB_SLOT_BEND);
    for (int k = 2; k < v->spikes; k++)
        left = cab_band_take(left, cab_constant(&v->tile, k, CAB_CONSTANT_SPIKE),
                             cab_slot3(&v->tile, k, CAB_SLOT_BEND));
    return left;
}

#endif
