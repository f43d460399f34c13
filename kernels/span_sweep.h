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
    real inverse_per_h;  /* 1/lanes.per_h */
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
    vec3 bent = cab_sweep_bent(t, k, next, after);
    if (k > 1 && k < v->spikes) bent = cab_band_take(bent, cab_constant(t, k, CAB_CONSTANT_SPIKE), v->start);
    /* a separator's own row has a pivot of 0 */
    if (k == 1) bent = vec3_add(bent, v->start);
    if (k >= v->shortest - 2)
        bent = vec3_add(bent, vec3_select(cab_span_is(v->lanes.nodes, k + 2), v->end, vec3_zero()));
    return bent;
}

CAB_INLINE cab_span_segment cab_span_segment_of(const cab_sweep *t, int k)
{
    cab_span_segment c = {cab_constant(t, k, CAB_CONSTANT_REST), cab_constant(t, k, CAB_CONSTANT_COMPLIANCE),
                          cab_constant(t, k, CAB_CONSTANT_REGULARISATION)};
    return c;
}

/* The multiplier of the segment from node k to the next one, kg m. A tile keeps it for h^2, as distance_lambda. */
CAB_INLINE real cab_span_multiplier(const cab_span_view *v, int k)
{
    return cab_slot(&v->tile, k, CAB_SLOT_LAMBDA) * v->inverse_per_h;
}

/* Eliminates the lengths. again: not the first pass; then it neither bends nor starts multipliers from 0. */
CAB_INLINE void cab_span_sweep_eliminate(const cab_span_view *v, int again)
{
    const cab_sweep *t = &v->tile;
    const cab_span_lanes *s = &v->lanes;
    cab_span_front front = {cab_stiff_left_none(), cab_stretch_none()};
    vec3 none = vec3_zero(), bent = none, next = none, back = none;
    real mass = real_of(0);
    for (int k = t->count - 1; k >= 0; k--) {
        vec3 here = cab_slot3(t, k, CAB_SLOT_OFFSET), inertia, back_next = back;
        real mass_next = mass;
        mass = cab_constant(t, k, CAB_CONSTANT_MASS);
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
        cab_span_segment c = cab_span_segment_of(t, k);
        real tension = real_of(0), last = 0 - cab_span_multiplier(v, k);
        if (again) {
            tension = last;
            last = *cab_span_slot(s, k + 1, CAB_SPAN_LAST);
        } else {
            *cab_span_slot(s, k + 1, CAB_SPAN_LAST) = last;
        }
        r = vec3_sub(none, r);
        cab_stretch after = cab_span_stretch(s, k + 1, r, cab_span_goes_on(s, k), &c, last, tension);
        cab_span_eliminate(s, &front, k + 1, mass_next, back_next, &after);
    }
    cab_stretch nothing = cab_stretch_none();
    cab_span_put3(s, 0, CAB_SPAN_U, none);
    *cab_span_slot(s, 0, CAB_SPAN_LENGTH) = *cab_span_slot(s, 0, CAB_SPAN_STIFFNESS) = real_of(0);
    cab_span_eliminate(s, &front, 0, mass, back, &nothing);
}

/* What cab_span_sweep_refine knows of the segment behind a node. */
typedef struct cab_span_behind {
    vec3 u;         /* as it was when it was eliminated, as is its stiffness, */
    real stiffness; /* kg */
    vec3 force;     /* its tension as it is now, kg m */
    real error;     /* and how much too long it is, m */
    vec3 z;         /* what the node behind has left */
} cab_span_behind;

/* Puts a node's right sides through the elimination that was made in the pass before. */
CAB_INLINE void cab_span_refine_node(const cab_span_lanes *s, cab_span_behind *b, int k, vec3 residual,
                                     vec3 force)
{
    vec3 y = cab_span_get3(s, k, CAB_SPAN_Y);
    cab_sym3 coupling = cab_stiffness_across(b->stiffness, b->u), inverse = cab_span_inverse(s, k);
    vec3 right = vec3_add(vec3_add(vec3_sub(residual, b->force), force), cab_sym3_times(coupling, b->z));
    real error = b->error - vec3_dot(b->u, b->z);
    *cab_span_slot(s, k, CAB_SPAN_PULL) = error * *cab_span_slot(s, k, CAB_SPAN_PIVOT) + vec3_dot(y, right);
    b->z = vec3_sub_scaled(cab_sym3_times(inverse, right), error, y);
    cab_span_put3(s, k, CAB_SPAN_Z, b->z);
    b->u = cab_span_get3(s, k, CAB_SPAN_U);
    b->stiffness = *cab_span_slot(s, k, CAB_SPAN_STIFFNESS);
    b->force = force;
}

/* A pass with the elimination of the one before (chord method): right sides only. Where lengths are nearly met the matrix
 * has hardly changed. */
CAB_INLINE void cab_span_sweep_refine(const cab_span_view *v)
{
    const cab_sweep *t = &v->tile;
    const cab_span_lanes *s = &v->lanes;
    vec3 none = vec3_zero(), residual = none;
    real zero = real_of(0);
    cab_span_behind behind = {none, zero, none, zero, none};
    for (int k = t->count - 1; k >= 0; k--) {
        vec3 back = vec3_sub(cab_slot3(t, k, CAB_SLOT_BEND), cab_slot3(t, k, CAB_SLOT_OFFSET));
        vec3 residual_next = residual;
        residual = vec3_scale(back, cab_constant(t, k, CAB_CONSTANT_MASS));
        if (k == t->count - 1) continue;
        cab_span_segment c = cab_span_segment_of(t, k);
        real_mask any = cab_span_goes_on(s, k);
        vec3 r = cab_sweep_segment(t, k);
        real length = vec3_length(r), tension = 0 - cab_span_multiplier(v, k);
        real error = length - c.rest - c.compliance * s->per_h * tension;
        vec3 force = vec3_select(any, vec3_scale(r, 0 - tension * cab_inverse_length(length)), none);
        cab_slot3_put(t, k, CAB_SLOT_SEGMENT, r);
        cab_span_refine_node(s, &behind, k + 1, residual_next, force);
        behind.error = real_select(any, error, zero);
    }
    cab_span_refine_node(s, &behind, 0, residual, none);
}

/* What a pass is: the first, a later one, one by cab_span_sweep_refine. */
enum { CAB_SPAN_FIRST, CAB_SPAN_AGAIN, CAB_SPAN_REFINED };

/* Computes tensions and places in the lanes of `todo`. */
CAB_INLINE void cab_span_sweep_substitute(cab_span_view *v, int pass, real_mask todo)
{
    const cab_sweep *t = &v->tile;
    const cab_span_lanes *s = &v->lanes;
    cab_span_back back = cab_span_back_none();
    real none = real_of(0);
    real_mask off = none != none, lost = off, no = off;
    int first = pass == CAB_SPAN_FIRST;
    for (int k = 0; k < t->count; k++) {
        real before = first || k == 0 ? none : cab_span_multiplier(v, k - 1);
        vec3 r = vec3_zero();
        if (pass != CAB_SPAN_REFINED)
            r = cab_span_stretched(s, k);
        else if (k > 0)
            r = vec3_sub(r, cab_slot3(t, k - 1, CAB_SLOT_SEGMENT));
        cab_span_substitute(s, &back, k, before, r);
        vec3 old = cab_slot3(t, k, first ? CAB_SLOT_BEND : CAB_SLOT_OFFSET), e = vec3_add(old, back.next);
        cab_slot3_put(t, k, CAB_SLOT_OFFSET, first ? e : vec3_select(todo, e, old));
        if (k == 0) continue;
        cab_span_segment c = {cab_constant(t, k - 1, CAB_CONSTANT_REST),
                              cab_constant(t, k - 1, CAB_CONSTANT_COMPLIANCE), none};
        real lambda = back.total * s->per_h, wanted = cab_span_wanted(s, &c, back.total);
        if (!first) lambda = real_select(todo, lambda, cab_slot(t, k - 1, CAB_SLOT_LAMBDA));
        cab_slot_put(t, k - 1, CAB_SLOT_LAMBDA, lambda);
        real_mask any = cab_span_goes_on(s, k - 1);
        off = off | (cab_length_off_by(no, back.segment, wanted, s->tolerance) & any);
        lost = lost | (cab_length_off_by(no, back.segment, wanted, real_of(CAB_STIFF_LOST)) & any);
    }
    v->off = (off & todo) | (v->off & real_not(todo));
    v->lost = (lost & todo) | (v->lost & real_not(todo));
}

#define CAB_SPAN_REFINES 2 /* passes with the elimination of the first, at most, */
/* while lengths are off by more than this share of what they may be. Such a pass is cheap and leaves some hundredths of the
 * error. Stage by stage a span takes whole passes as long as any of its component is off, and so comes as near. */
#define CAB_SPAN_REFINED_TO 0.1f

/* Bends, and solves the lengths. */
CAB_INLINE void cab_span_sweep_solve(cab_span_view *v)
{
    real none = real_of(0);
    real tolerance = v->lanes.tolerance;
    v->lost = v->off = none != none;
    v->lanes.tolerance = tolerance * CAB_SPAN_REFINED_TO;
    cab_span_sweep_eliminate(v, 0);
    cab_span_sweep_substitute(v, CAB_SPAN_FIRST, none == none);
    real_mask nearly = v->off & real_not(v->lost);
    for (int pass = 0; pass < CAB_SPAN_REFINES && real_any(nearly); pass++) {
        cab_span_sweep_refine(v);
        cab_span_sweep_substitute(v, CAB_SPAN_REFINED, nearly);
        nearly = nearly & v->off;
    }
    v->lanes.tolerance = tolerance;
    for (int pass = 2; pass <= CAB_TAUT_PASSES; pass++) {
        real_mask todo = v->off;
        if (!real_any(todo)) return;
        cab_span_sweep_eliminate(v, 1);
        cab_span_sweep_substitute(v, CAB_SPAN_AGAIN, todo);
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
