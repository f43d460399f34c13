/* The elimination of a branch with geometric stiffness: the stiffness that tension gives a segment across its
 * direction, and what contacts with colliders add. An unknown is the displacement d of each node, and the change
 * of tension T of each segment:
 *
 *   H d + J^T T = residual                H = M + sum t (1 - u u^T) + contacts, t = max(tension, 0) / length
 *   J d - (compliance + regularisation) T = -C
 *
 * with blocks of M in kg, tensions in kg m (force times h_s^2). H has symmetric blocks on its diagonal, and
 * -coupling beside it. Node i is eliminated together with the segment before it; then
 *
 *   d_i = z_i + G_i (coupling_i d_i+1 + u_i T_i)
 *   T_i-1 = pull_i + y_i . (coupling_i d_i+1 + u_i T_i)
 *
 * Source: block elimination of a saddle point system along a chain (Golub, Van Loan, Matrix Computations, 4.5). */
#ifndef CAB_STIFF_H
#define CAB_STIFF_H

#include "direct.h"
#include "matrix.h"

#define CAB_STIFF_REACH 10.0f   /* times a segment's length: how much a pass may change it */
#define CAB_STIFF_NUMBERS 1e12f /* times its length: farther than that there is no telling where it is */

/* A segment in a pass. */
typedef struct cab_stretch {
    vec3 u;             /* unit vector */
    real length;        /* m */
    real error;         /* C, m */
    real soft;          /* compliance + regularisation, 1/kg */
    real tension;       /* so far, kg m */
    real across;        /* t, kg */
    cab_sym3 stiffness; /* t (1 - u u^T), kg */
} cab_stretch;

/* No segment: before a branch's first node and behind its last. */
CAB_INLINE cab_stretch cab_stretch_none(void)
{
    real none = real_of(0);
    cab_stretch s = {vec3_zero(), none, none, real_of(1), none, none, cab_sym3_of(none)};
    return s;
}

/* A node's own part of the equations. */
typedef struct cab_stiff_row {
    cab_sym3 diagonal; /* kg */
    vec3 residual;     /* kg m */
    cab_sym3 coupling; /* with the next node, kg */
} cab_stiff_row;

/* What a node that is eliminated leaves. */
typedef struct cab_stiff_left {
    cab_sym3 inverse; /* G */
    vec3 y, z;
    real pivot, pull;
    cab_sym3 own; /* G but for the segment before: G = (1 - y a^T) own (1 - a y^T) + give y y^T */
    vec3 a;
    real give;
} cab_stiff_left;

CAB_INLINE cab_stiff_left cab_stiff_left_none(void)
{
    real none = real_of(0);
    cab_sym3 nothing = cab_sym3_of(none);
    cab_stiff_left left = {nothing, vec3_zero(), vec3_zero(), none, none, nothing, vec3_zero(), none};
    return left;
}

/* t (1 - u u^T) */
CAB_INLINE cab_sym3 cab_stiffness_across(real t, vec3 u)
{
    return cab_sym3_add_outer(cab_sym3_of(t), -t, u);
}

/* The segment r where there is `any`, else none. soft: compliance + regularisation, 1/kg; last: the tension that its stiffness
 * follows from; tension: that so far, kg m. */
CAB_INLINE cab_stretch cab_stretch_of(vec3 r, real_mask any, real rest, real compliance, real soft, real last,
                                      real tension)
{
    real none = real_of(0), length = vec3_length(r), inverse = cab_inverse_length(length);
    cab_stretch s;
    s.u = vec3_select(any, vec3_scale(r, inverse), vec3_zero());
    s.length = real_select(any, length, none);
    s.error = real_select(any, length - rest - compliance * tension, none);
    s.soft = real_select(any, soft, real_of(1));
    s.tension = real_select(any, tension, none);
    s.across = real_select(any, real_max(last, none) * inverse, none);
    s.stiffness = cab_stiffness_across(s.across, s.u);
    return s;
}

/* Adds to a node the segment that ends there, then the one that starts there. */
CAB_INLINE void cab_stiff_add_before(cab_stiff_row *row, const cab_stretch *s)
{
    row->diagonal = cab_sym3_add(row->diagonal, s->stiffness);
    row->residual = vec3_sub_scaled(row->residual, s->tension, s->u);
}

CAB_INLINE void cab_stiff_add_after(cab_stiff_row *row, const cab_stretch *s)
{
    row->diagonal = cab_sym3_add(row->diagonal, s->stiffness);
    row->residual = vec3_add_scaled(row->residual, s->tension, s->u);
    row->coupling = s->stiffness;
}

/* The segment before a node, as the node sees it once the node before is eliminated. */
typedef struct cab_stiff_before {
    vec3 a;       /* u - coupling G u */
    real give;    /* u . G u + compliance + regularisation, 1/kg */
    real error;   /* C - u . z, m */
    cab_sym3 sum; /* coupling G coupling, kg */
    vec3 carried; /* coupling z, kg m */
} cab_stiff_before;

/* G v as a product of factors. In a long branch that is nearly straight G has next to nothing along the branch, a
 * 10^-8 of what it has across it, which a sum of products of its entries would lose to rounding, and with it how much all the
 * segments before give. The factors lose it no more than they lose any other number. Source: the stabilised form of an
 * update, P. Joseph (Bucy, Joseph, Filtering for Stochastic Processes, 1968). */
CAB_INLINE vec3 cab_stiff_factors_times(const cab_stiff_left *left, vec3 v)
{
    real along = vec3_dot(left->y, v);
    vec3 w = cab_sym3_times(left->own, vec3_sub_scaled(v, along, left->a));
    return vec3_add_scaled(w, left->give * along - vec3_dot(left->a, w), left->y);
}

/* v . G v in the same way. */
CAB_INLINE real cab_stiff_factors_give(const cab_stiff_left *left, vec3 v)
{
    real along = vec3_dot(left->y, v);
    vec3 across = vec3_sub_scaled(v, along, left->a);
    return vec3_dot(across, cab_sym3_times(left->own, across)) + left->give * along * along;
}

/* exact: the branch is long and held, so that a small part of G must not be lost */
CAB_INLINE cab_stiff_before cab_look_back(const cab_stretch *s, cab_sym3 coupling, const cab_stiff_left *left,
                                          real_mask exact)
{
    cab_stiff_before b;
    vec3 g = cab_sym3_times(left->inverse, s->u);
    b.a = vec3_sub(s->u, cab_sym3_times(coupling, g));
    b.give = vec3_dot(s->u, g);
    if (real_any(exact)) b.give = real_select(exact, cab_stiff_factors_give(left, s->u), b.give);
    b.give = b.give + s->soft;
    b.error = s->error - vec3_dot(s->u, left->z);
    b.sum = cab_sym3_between(coupling, left->inverse);
    b.carried = cab_sym3_times(coupling, left->z);
    return b;
}

/* 1 / give; 0 for a segment between two held particles, whose length cannot change. */
CAB_INLINE real cab_stiff_pivot(real give)
{
    return real_select(give > 0, 1 / give, real_of(0));
}

/* G from its factors. */
CAB_INLINE cab_sym3 cab_stiff_factors_product(const cab_stiff_left *left)
{
    real zero = real_of(0), one = real_of(1);
    vec3 x = cab_stiff_factors_times(left, vec3_make(one, zero, zero));
    vec3 y = cab_stiff_factors_times(left, vec3_make(zero, one, zero));
    vec3 z = cab_stiff_factors_times(left, vec3_make(zero, zero, one));
    cab_sym3 m = {x.x, y.y, z.z, y.x, z.x, z.y};
    return m;
}

/* Eliminates a node. free: it is not held; exact: as above */
CAB_INLINE cab_stiff_left cab_stiff_eliminate(cab_stiff_row row, const cab_stiff_before *b, real_mask free,
                                              real_mask exact)
{
    cab_stiff_left left;
    cab_sym3 inverse = cab_sym3_select(free, cab_sym3_inverse(cab_sym3_sub(row.diagonal, b->sum)));
    vec3 right = vec3_add(row.residual, b->carried), across = cab_sym3_times(inverse, b->a);
    real give = b->give + vec3_dot(b->a, across);
    left.pivot = cab_stiff_pivot(give);
    left.y = vec3_scale(across, left.pivot);
    left.inverse = cab_sym3_add_outer(inverse, -give, left.y);
    left.own = inverse;
    left.a = b->a;
    left.give = b->give;
    if (real_any(exact))
        left.inverse = cab_sym3_choose(exact, cab_stiff_factors_product(&left), left.inverse);
    left.pull = b->error * left.pivot + vec3_dot(left.y, right);
    left.z = vec3_sub_scaled(cab_sym3_times(left.inverse, right), b->error, left.y);
    return left;
}

#ifndef CAB_WIDE

/* Keeps it for the way back. */
CAB_INLINE void cab_stiff_keep(global cab_stiff_node *out, const cab_stiff_left *left, cab_sym3 coupling)
{
    cab_sym3_store(out->coupling, coupling);
    cab_sym3_store(out->inverse, left->inverse);
    vec3_put(out->y, left->y);
    vec3_put(out->z, left->z);
    out->pivot = left->pivot;
    out->pull = left->pull;
}

/* How far a pass goes: the largest change of a segment over its length. A pass is only as good as the straight line by which it
 * replaces a circle, so one that makes a segment CAB_STIFF_REACH times as long as it is to be has lost its way, and the next one
 * would throw it farther. */
typedef struct cab_stiff_reach {
    real most;
    int wild;
} cab_stiff_reach;

CAB_INLINE cab_stiff_reach cab_stiff_reach_none(void)
{
    cab_stiff_reach r = {0, 0};
    return r;
}

/* change: of the segment in the pass; length: before it, m */
CAB_INLINE void cab_stiff_reach_add(cab_stiff_reach *reach, vec3 change, real rest, real length)
{
    real far = vec3_length(change), limit = real_max(CAB_STIFF_REACH * rest, 2 * length);
    int lost = !(reach->most <= CAB_STIFF_NUMBERS); /* and stays lost */
    reach->wild |= !(far <= limit);
    reach->most = lost || far <= reach->most * rest ? reach->most : far / rest;
}

/* Notes in a node that the pass needs no more where its particle was, and the tension of the segment that starts there. */
CAB_INLINE void cab_stiff_note(global cab_stiff_node *node, vec3 offset, real tension)
{
    vec3_put(node->z, offset);
    node->pull = tension;
}

/* Takes back so much of a wild pass that no segment has changed by more than its length; all of it where numbers were lost. */
CAB_INLINE void cab_stiff_shorten(cab_branch own, real most, global const cab_stiff_node *node,
                                  global const cab_branch_node *branch_node,
                                  global const cab_branch_factor *branch_factor, real per_h,
                                  global float4 *offset, global float4 *branch_state,
                                  global float *distance_lambda)
{
    int taken = most < CAB_STIFF_NUMBERS; /* false: not a number */
    real share = taken ? 1 / real_max(1, most) : 0;
    for (int k = own.first; k < own.first + own.count; k++) {
        int p = branch_node[k].particle;
        vec3 was = vec3_at(node[k].z), now = taken ? vec3_of(offset[p]) : was;
        vec3 e = vec3_add_scaled(was, share, vec3_sub(now, was));
        if (branch_factor[k].weight > 0) offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        if (k == own.first + own.count - 1) return;
        real tension = node[k].pull;
        if (taken) tension = tension + share * (branch_state[2 * k + 1].w - tension);
        branch_state[2 * k + 1].w = tension;
        distance_lambda[branch_node[k].distance] = tension * per_h;
    }
}

/* How the displacement of a node follows that of the branch's start: columns of a matrix. */
typedef struct cab_spike {
    vec3 x, y, z;
} cab_spike;

CAB_INLINE vec3 cab_spike_turned(const cab_spike *s, vec3 v)
{
    return vec3_make(vec3_dot(s->x, v), vec3_dot(s->y, v), vec3_dot(s->z, v));
}

CAB_INLINE cab_spike cab_spike_times(cab_sym3 m, const cab_spike *s)
{
    cab_spike p = {cab_sym3_times(m, s->x), cab_sym3_times(m, s->y), cab_sym3_times(m, s->z)};
    return p;
}

/* s + v row^T */
CAB_INLINE cab_spike cab_spike_add_outer(cab_spike s, vec3 v, vec3 row)
{
    s.x = vec3_add_scaled(s.x, row.x, v);
    s.y = vec3_add_scaled(s.y, row.y, v);
    s.z = vec3_add_scaled(s.z, row.z, v);
    return s;
}

/* The block and the right side of a branch's start as nodes are eliminated. */
typedef struct cab_stiff_start {
    cab_sym3 block;
    vec3 right;
    cab_spike spike;
} cab_stiff_start;

/* Takes from the start what a node takes that has just been eliminated. */
CAB_INLINE void cab_stiff_start_take(cab_stiff_start *s, const cab_stretch *before, cab_sym3 coupling,
                                     global const cab_stiff_node *node)
{
    cab_spike q = cab_spike_times(coupling, &s->spike);
    vec3 w = cab_spike_turned(&s->spike, before->u), y = vec3_at(node->y);
    vec3 pull = vec3_sub_scaled(cab_spike_turned(&q, y), node->pivot, w);
    s->right = vec3_add(s->right, cab_spike_turned(&q, vec3_at(node->z)));
    s->right = vec3_add_scaled(s->right, node->pull, w);
    s->spike = cab_spike_add_outer(cab_spike_times(cab_sym3_load(node->inverse), &q), y, w);
    vec3 x = cab_spike_turned(&q, s->spike.x), yy = cab_spike_turned(&q, s->spike.y);
    vec3 z = cab_spike_turned(&q, s->spike.z);
    x = vec3_add_scaled(x, pull.x, w);
    yy = vec3_add_scaled(yy, pull.y, w);
    z = vec3_add_scaled(z, pull.z, w);
    cab_sym3 m = {x.x, yy.y, z.z, yy.x, z.x, z.y};
    s->block = cab_sym3_sub(s->block, m);
}

#endif
#endif
