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

/* A segment in a pass. */
typedef struct cab_stretch {
    vec3 u;             /* unit vector */
    real length;        /* m */
    real error;         /* C, m */
    real soft;          /* compliance + regularisation, 1/kg */
    real tension;       /* so far, kg m */
    cab_sym3 stiffness; /* t (1 - u u^T), kg */
} cab_stretch;

/* No segment: before a branch's first node and behind its last. */
CAB_INLINE cab_stretch cab_stretch_none(void)
{
    real none = real_of(0);
    cab_stretch s = {vec3_zero(), none, none, real_of(1), none, cab_sym3_of(none)};
    return s;
}

/* A node's own part of the equations. */
typedef struct cab_stiff_row {
    cab_sym3 diagonal; /* kg */
    vec3 residual;     /* kg m */
    cab_sym3 coupling; /* with the next node, kg */
} cab_stiff_row;

/* What a node that is eliminated leaves for the next one. */
typedef struct cab_stiff_left {
    cab_sym3 inverse; /* G */
    vec3 z;
} cab_stiff_left;

/* t (1 - u u^T) */
CAB_INLINE cab_sym3 cab_stiffness_across(real t, vec3 u)
{
    return cab_sym3_add_outer(cab_sym3_of(t), -t, u);
}

/* The segment before a node, as the node sees it once the node before is eliminated. */
typedef struct cab_stiff_before {
    vec3 a;       /* u - coupling G u */
    real give;    /* u . G u + compliance + regularisation, 1/kg */
    real error;   /* C - u . z, m */
    cab_sym3 sum; /* coupling G coupling, kg */
    vec3 carried; /* coupling z, kg m */
} cab_stiff_before;

CAB_INLINE cab_stiff_before cab_look_back(const cab_stretch *s, cab_sym3 coupling, const cab_stiff_left *left)
{
    cab_stiff_before b;
    vec3 g = cab_sym3_times(left->inverse, s->u);
    b.a = vec3_sub(s->u, cab_sym3_times(coupling, g));
    b.give = vec3_dot(s->u, g) + s->soft;
    b.error = s->error - vec3_dot(s->u, left->z);
    b.sum = cab_sym3_between(coupling, left->inverse);
    b.carried = cab_sym3_times(coupling, left->z);
    return b;
}

/* 1 / give; 0 for a segment between two held particles, whose length cannot change. */
CAB_INLINE real cab_stiff_pivot(real give)
{
    return real_select(give > real_of(0), 1 / give, real_of(0));
}

/* A node once it is eliminated together with the segment before it. */
typedef struct cab_stiff_gone {
    cab_stiff_left left;
    vec3 y;     /* displacement for a change of length of the segment before */
    real pivot; /* kg */
    real pull;  /* change of tension of the segment before while the next node is at rest, kg m */
} cab_stiff_gone;

/* Eliminates a node. free: where it is not held. */
CAB_INLINE cab_stiff_gone cab_stiff_eliminate(cab_stiff_row row, const cab_stiff_before *b, real_mask free)
{
    cab_stiff_gone node;
    cab_sym3 inverse =
        cab_sym3_select(free, cab_sym3_inverse(cab_sym3_sub(row.diagonal, b->sum)), cab_sym3_of(real_of(0)));
    vec3 right = vec3_add(row.residual, b->carried), across = cab_sym3_times(inverse, b->a);
    real give = b->give + vec3_dot(b->a, across);
    node.pivot = cab_stiff_pivot(give);
    node.y = vec3_scale(across, node.pivot);
    node.left.inverse = cab_sym3_add_outer(inverse, -give, node.y);
    node.pull = b->error * node.pivot + vec3_dot(node.y, right);
    node.left.z = vec3_sub_scaled(cab_sym3_times(node.left.inverse, right), b->error, node.y);
    return node;
}

#ifndef CAB_WIDE

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
