/* Spans side by side, a lane each: the elimination of lengths with the stiffness of their tension (equations: stiff.h)
 * node by node, in work memory of a tile. Numbers of a node and of its segment come from elsewhere: spans.cl reads
 * the buffers of particles, span_frame.cl tiles that keep the state of their spans. */
#ifndef CAB_SPANS_H
#define CAB_SPANS_H

#include "stiff.h"

/* The lanes of a work-item. */
typedef struct cab_span_lanes {
    int branch[CAB_VECTOR], first[CAB_VECTOR], count[CAB_VECTOR];
    int moves[CAB_VECTOR]; /* 1: this lane is solved */
    real_mask taut;
    real nodes, per_h, softer, tolerance;
    global real_memory *memory; /* of this work-item's lanes */
} cab_span_lanes;

/* Constants of the segment that starts at a node in the direction of elimination. */
typedef struct cab_span_segment {
    real rest, compliance, regularisation; /* as in cab_branch_node */
} cab_span_segment;

CAB_INLINE global real_memory *cab_span_slot(const cab_span_lanes *s, int node, int slot)
{
    return s->memory + (node * CAB_SPAN_SLOTS + slot) * CAB_GROUP_SIZE;
}

CAB_INLINE vec3 cab_span_get3(const cab_span_lanes *s, int node, int slot)
{
    return cab_apart3(cab_span_slot(s, node, slot), CAB_GROUP_SIZE);
}

CAB_INLINE void cab_span_put3(const cab_span_lanes *s, int node, int slot, vec3 v)
{
    cab_apart3_put(cab_span_slot(s, node, slot), CAB_GROUP_SIZE, v);
}

/* Does a segment start at the node? Else it is the last one of its branch, or behind that. */
CAB_INLINE real_mask cab_span_goes_on(const cab_span_lanes *s, int node)
{
    return real_of((float)node + 1) < s->nodes;
}

/* Fills in what the branches of a work-item's lanes are. */
CAB_INLINE void cab_span_lanes_of(cab_span_lanes *s, global const int *span_branch,
                                  global const cab_branch *branch)
{
    cab_numbers nodes, softer;
    for (int l = 0; l < CAB_VECTOR; l++) {
        int b = span_branch[CAB_LANE * CAB_VECTOR + l], live = b >= 0;
        if (!live) b = ~b;
        cab_branch own = branch[b];
        s->branch[l] = b;
        s->first[l] = own.first;
        s->count[l] = own.count;
        s->moves[l] = live;
        nodes.one[l] = (float)own.count;
        softer.one[l] = own.taut ? CAB_STIFF_SOFTER : 1.0f;
    }
    s->nodes = nodes.all;
    s->softer = softer.all;
    s->taut = softer.all < real_of(1);
    s->tolerance = real_select(s->taut, real_of(CAB_TAUT_ERROR), real_of(CAB_LENGTH_ERROR));
}

/* The segment r that starts at a node, where there is `any`. last: its tension in the last substep; tension: so far
 * in this one. */
CAB_INLINE cab_stretch cab_span_stretch(const cab_span_lanes *s, int node, vec3 r, real_mask any,
                                        const cab_span_segment *c, real last, real tension)
{
    real compliance = c->compliance * s->per_h, soft = compliance + c->regularisation * s->softer;
    last = real_select(s->taut, real_max(last, tension), last);
    cab_stretch out = cab_stretch_of(r, any, c->rest, compliance, soft, last, tension);
    *cab_span_slot(s, node, CAB_SPAN_STIFFNESS) = out.across;
    *cab_span_slot(s, node, CAB_SPAN_LENGTH) = out.length;
    cab_span_put3(s, node, CAB_SPAN_U, out.u);
    return out;
}

CAB_INLINE cab_sym3 cab_span_inverse(const cab_span_lanes *s, int node)
{
    return cab_sym3_apart(cab_span_slot(s, node, CAB_SPAN_INVERSE), CAB_GROUP_SIZE);
}

CAB_INLINE void cab_span_keep(const cab_span_lanes *s, int node, const cab_stiff_left *left)
{
    cab_sym3_apart_put(cab_span_slot(s, node, CAB_SPAN_INVERSE), CAB_GROUP_SIZE, left->inverse);
    cab_span_put3(s, node, CAB_SPAN_Y, left->y);
    cab_span_put3(s, node, CAB_SPAN_Z, left->z);
    *cab_span_slot(s, node, CAB_SPAN_PULL) = left->pull;
    *cab_span_slot(s, node, CAB_SPAN_PIVOT) = left->pivot;
}

/* What the elimination has come to. */
typedef struct cab_span_front {
    cab_stiff_left left;
    cab_stretch before;
} cab_span_front;

/* Eliminates node k, which is free or held (mass 0). back: from where it is to where inertia would take it; after:
 * the segment that starts there. */
CAB_INLINE void cab_span_eliminate(const cab_span_lanes *s, cab_span_front *f, int k, real mass, vec3 back,
                                   const cab_stretch *after)
{
    real_mask free = mass > real_of(0);
    cab_stretch before = f->before;
    cab_stiff_before b = cab_look_back(&before, before.stiffness, &f->left, s->taut);
    cab_stiff_row row;
    row.diagonal = cab_sym3_of(mass);
    row.residual = vec3_scale(back, mass);
    cab_stiff_add_before(&row, &before);
    cab_stiff_add_after(&row, after);
    f->left = cab_stiff_eliminate(row, &b, free, s->taut);
    cab_span_keep(s, k, &f->left);
    f->before = *after;
}

/* What the way back has come to. */
typedef struct cab_span_back {
    vec3 next;    /* displacement of the node behind */
    real tension; /* change of that of the segment that starts at the node */
    vec3 segment; /* that segment once all is moved, */
    real total;   /* and its multiplier */
} cab_span_back;

/* Node k moves by what is then `next`. The segment that starts there: its multiplier so far, and r before the pass. */
CAB_INLINE void cab_span_substitute(const cab_span_lanes *s, cab_span_back *f, int k, real total, vec3 r)
{
    vec3 u = cab_span_get3(s, k, CAB_SPAN_U);
    cab_sym3 inverse = cab_span_inverse(s, k);
    cab_sym3 coupling = cab_stiffness_across(*cab_span_slot(s, k, CAB_SPAN_STIFFNESS), u);
    vec3 follows = vec3_add_scaled(cab_sym3_times(coupling, f->next), f->tension, u);
    vec3 moved = vec3_add(cab_span_get3(s, k, CAB_SPAN_Z), cab_sym3_times(inverse, follows));
    f->total = total - f->tension;
    f->segment = vec3_add(r, vec3_sub(f->next, moved));
    f->tension = *cab_span_slot(s, k, CAB_SPAN_PULL) + vec3_dot(cab_span_get3(s, k, CAB_SPAN_Y), follows);
    f->next = moved;
}

/* The segment that starts at a node, as it was when it was eliminated. */
CAB_INLINE vec3 cab_span_stretched(const cab_span_lanes *s, int node)
{
    return vec3_scale(cab_span_get3(s, node, CAB_SPAN_U), *cab_span_slot(s, node, CAB_SPAN_LENGTH));
}

CAB_INLINE cab_span_back cab_span_back_none(void)
{
    cab_span_back f = {vec3_zero(), real_of(0), vec3_zero(), real_of(0)};
    return f;
}

/* The length that such a segment is to have. */
CAB_INLINE real cab_span_wanted(const cab_span_lanes *s, const cab_span_segment *c, real total)
{
    return c->rest - c->compliance * s->per_h * total;
}

#endif
