/* coupled: bending and lengths in one system (equations: coupled.h). A work-item solves a component, cables that are joined. */
#include "coupled.h"
#include "loads.h"
#include "matrix.h"
#include "motion.h"

/* Is a component solved here? It is not while its lengths cannot be met (stiff_end). */
CAB_INLINE int cab_is_coupled(int coupled, int order, int lost)
{
    return coupled && order != CAB_ORDER_ASLEEP && lost < CAB_STIFF_OFTEN;
}

/* Before the bending: forces move what is coupled, as in direct_load. */
CAB_KERNEL(coupled_load, global const cab_params *params, global float4 *offset,
           global const float4 *velocity, global const float4 *position, global const int *load_start,
           global const cab_load_force *load, global const int *component, global const int *order,
           global const int *coupled_of, global const int *lost)
{
    CAB_ITEM(i);
    int p = load[load_start[i]].particle, own = component[p];
    if (!cab_is_coupled(coupled_of[own], order[own], lost[own])) return;
    cab_bdf s = cab_bdf_of(order[own], velocity[p].w);
    real h = params->h * s.step, scale = h * h * s.slow * position[p].w;
    vec3 force = cab_load_sum(i, p, position, load_start, load);
    vec3 e = vec3_add_scaled(vec3_of(offset[p]), scale, force);
    offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Notes where inertia would take what is coupled, before the bending of the others; */
CAB_KERNEL(coupled_note, global float4 *inertia, global const float4 *offset)
{
    CAB_ITEM(i);
    inertia[i] = offset[i];
}

/* and takes it back there after it. */
CAB_KERNEL(coupled_unbend, global float4 *offset, global const float4 *inertia, global const int *component,
           global const int *order, global const int *coupled_of, global const int *lost)
{
    CAB_ITEM(i);
    int own = component[i];
    if (cab_is_coupled(coupled_of[own], order[own], lost[own])) offset[i] = inertia[i];
}

/* stiff[component] becomes CAB_STIFF_COUPLED, after stiff_choose. */
CAB_BLOCK_KERNEL(coupled_choose, global int *stiff, global const int *order, global const int *coupled_of,
                 global const int *lost)
{
    CAB_ITEM(i);
    if (cab_is_coupled(coupled_of[i], order[i], lost[i])) stiff[i] = CAB_STIFF_COUPLED;
}

/* What a launch knows of a component. */
typedef struct cab_coupled_view {
    global cab_double *work;
    global const float4 *position, *offset, *inertia;
    global const cab_coupled_column *column;
    global const int *row;
    global const cab_coupled_link *link;
    global const cab_coupled_bend *bend;
    global const cab_bending_constraint *bending;
    global const float4 *bending_target;
    global const cab_branch_node *node;
    global const cab_press *press;
    global const int *near_count;
    cab_coupled own;
    int near, first_order;
    cab_double per_h;
} cab_coupled_view;

CAB_INLINE global cab_double *cab_coupled_at(const cab_coupled_view *v, int column)
{
    return v->work + CAB_COUPLED_SLOTS * column;
}

CAB_INLINE global cab_double *cab_coupled_block(const cab_coupled_view *v, int block)
{
    return v->work + CAB_COUPLED_SLOTS * v->own.columns + CAB_COUPLED_BLOCK * block;
}

/* From particle p to q; their columns, -1 = held. */
CAB_INLINE cab_double3 cab_coupled_way(const cab_coupled_view *v, int p, int own, int q, int other)
{
    cab_double3 from = cab_double3_of(v->offset[p]), to = cab_double3_of(v->offset[q]);
    if (own >= 0) {
        global const cab_double *at = cab_coupled_at(v, own) + CAB_COUPLED_PLACE;
        from = cab_double3_make(at[0], at[1], at[2]);
    }
    if (other >= 0) {
        global const cab_double *at = cab_coupled_at(v, other) + CAB_COUPLED_PLACE;
        to = cab_double3_make(at[0], at[1], at[2]);
    }
    cab_double3 far = cab_double3_add(cab_double3_of(v->position[q]), -1, cab_double3_of(v->position[p]));
    return cab_double3_add(far, 1, cab_double3_add(to, -1, from));
}

CAB_INLINE cab_double3 cab_coupled_segment(const cab_coupled_view *v, cab_coupled_link l)
{
    return cab_coupled_way(v, v->node[l.node].particle, l.a, v->node[l.node + 1].particle, l.b);
}

/* Empty equations but for inertia. */
CAB_INLINE void cab_coupled_clear(const cab_coupled_view *v)
{
    int first = v->own.column, end = first + v->own.column_count;
    for (int k = first; k < end; k++) {
        global cab_double *to = cab_coupled_at(v, k);
        cab_coupled_column c = v->column[k];
        cab_double mass = (cab_double)(v->first_order ? c.mass_first : c.mass);
        for (int j = 0; j < CAB_COUPLED_PLACE; j++) to[j] = 0;
        to[0] = to[5] = to[10] = c.particle >= 0 ? mass : 1;
        to[15] = -1;
        if (c.particle >= 0) {
            cab_double3 from =
                cab_double3_make(to[CAB_COUPLED_PLACE], to[CAB_COUPLED_PLACE + 1], to[CAB_COUPLED_PLACE + 2]);
            cab_double3 back = cab_double3_add(cab_double3_of(v->inertia[c.particle]), -1, from);
            cab_coupled_add_right(to, mass, back);
        }
    }
    global cab_double *block = cab_coupled_block(v, v->column[first].block);
    int numbers = CAB_COUPLED_BLOCK * (v->column[end].block - v->column[first].block);
    for (int j = 0; j < numbers; j++) block[j] = 0;
}

/* The entries of a tension and a particle, s u. to: see cab_coupled_link */
CAB_INLINE void cab_coupled_pull(const cab_coupled_view *v, cab_coupled_link l, int column, int to,
                                 cab_double s, cab_double3 u)
{
    if (column < 0) return;
    int turned = column == l.owner || to & 1; /* the tension is the row */
    global cab_double *b = column == l.owner ? cab_coupled_at(v, column) : cab_coupled_block(v, to >> 1);
    b[turned ? 3 : 12] += s * u.x;
    b[turned ? 7 : 13] += s * u.y;
    b[turned ? 11 : 14] += s * u.z;
}

/* The contacts of a segment with colliders. */
CAB_INLINE void cab_coupled_press(const cab_coupled_view *v, cab_coupled_link l)
{
    int s = v->node[l.node].segment;
    if (!v->near || v->near_count[s] == 0) return;
    global const cab_press *p = v->press + s;
    if (l.a >= 0) {
        cab_coupled_add_sym(cab_coupled_at(v, l.a), p->at_a);
        cab_coupled_add_right(cab_coupled_at(v, l.a), 1,
                              cab_double3_make((cab_double)p->force_a[0], (cab_double)p->force_a[1],
                                               (cab_double)p->force_a[2]));
    }
    if (l.b >= 0) {
        cab_coupled_add_sym(cab_coupled_at(v, l.b), p->at_b);
        cab_coupled_add_right(cab_coupled_at(v, l.b), 1,
                              cab_double3_make((cab_double)p->force_b[0], (cab_double)p->force_b[1],
                                               (cab_double)p->force_b[2]));
    }
    if (l.between >= 0) cab_coupled_add_sym(cab_coupled_block(v, l.between), p->between);
}

/* Adds a segment: its length, its tension and what that is stiff by across it. */
CAB_INLINE void cab_coupled_add_link(const cab_coupled_view *v, cab_coupled_link l)
{
    cab_branch_node node = v->node[l.node];
    global cab_double *owner = cab_coupled_at(v, l.owner);
    cab_double tension = owner[CAB_COUPLED_TENSION], compliance = (cab_double)node.compliance * v->per_h;
    cab_double3 r = cab_coupled_segment(v, l);
    cab_double length = cab_double3_length(r), inverse = length > 0 ? 1 / length : 0;
    cab_double3 u = cab_double3_scale(r, inverse);
    cab_double across = tension > 0 ? tension * inverse : 0;
    owner[15] = -compliance - (cab_double)(node.regularisation * CAB_STIFF_SOFTER);
    owner[CAB_COUPLED_RIGHT + 3] = (cab_double)node.wanted - length + compliance * tension;
    if (l.a >= 0) {
        cab_coupled_add(cab_coupled_at(v, l.a), across, 1, u);
        cab_coupled_add(cab_coupled_at(v, l.a), -across, 0, u);
        cab_coupled_add_right(cab_coupled_at(v, l.a), tension, u);
    }
    if (l.b >= 0) {
        cab_coupled_add(cab_coupled_at(v, l.b), across, 1, u);
        cab_coupled_add(cab_coupled_at(v, l.b), -across, 0, u);
        cab_coupled_add_right(cab_coupled_at(v, l.b), -tension, u);
    }
    if (l.between >= 0) {
        cab_coupled_add(cab_coupled_block(v, l.between), -across, 1, u);
        cab_coupled_add(cab_coupled_block(v, l.between), across, 0, u);
    }
    cab_coupled_pull(v, l, l.a, l.to_a, -1, u);
    cab_coupled_pull(v, l, l.b, l.to_b, 1, u);
    cab_coupled_press(v, l);
}

/* One of a bending's three particles. g: by how much of it the curvature moves */
CAB_INLINE void cab_coupled_add_bent(const cab_coupled_view *v, int column, cab_double g, cab_double k,
                                     cab_double even, cab_double3 u, cab_double3 pull)
{
    if (column < 0) return;
    cab_coupled_add(cab_coupled_at(v, column), g * g * k, even, u);
    cab_coupled_add_right(cab_coupled_at(v, column), g * k, pull);
}

CAB_INLINE void cab_coupled_add_bend(const cab_coupled_view *v, cab_coupled_bend b)
{
    cab_bending_constraint c = v->bending[b.bending];
    if (!(c.compliance > 0)) return;
    int p = c.a < 0 ? c.b : c.a, q = c.c < 0 ? c.b : c.c;
    cab_double ga = c.a < 0 ? 0 : (cab_double)c.ga, gc = c.c < 0 ? 0 : (cab_double)c.gc, gb = -(ga + gc);
    cab_double3 to_a = cab_coupled_way(v, c.b, b.b, p, c.a < 0 ? b.b : b.a);
    cab_double3 to_c = cab_coupled_way(v, c.b, b.b, q, c.c < 0 ? b.b : b.c);
    cab_double3 d = cab_double3_add(cab_double3_scale(to_a, ga), gc, to_c);
    cab_double3 target = cab_double3_make(0, 0, 0), u = target;
    cab_double length = cab_double3_length(d), even = 1;
    cab_double k = 1 / ((cab_double)c.compliance * v->per_h);
    if (c.target >= 0) target = cab_double3_of(v->bending_target[c.target]);
    if (c.rest > 0 && length > 0) {
        cab_double rest = (cab_double)c.rest;
        u = cab_double3_scale(d, 1 / length);
        target = cab_double3_scale(u, rest);
        even = rest < length ? 1 - rest / length : 0;
    }
    cab_double3 pull = cab_double3_add(target, -1, d);
    cab_coupled_add_bent(v, b.a, ga, k, even, u, pull);
    cab_coupled_add_bent(v, b.b, gb, k, even, u, pull);
    cab_coupled_add_bent(v, b.c, gc, k, even, u, pull);
    if (b.ab >= 0) cab_coupled_add(cab_coupled_block(v, b.ab), ga * gb * k, even, u);
    if (b.bc >= 0) cab_coupled_add(cab_coupled_block(v, b.bc), gb * gc * k, even, u);
    if (b.ac >= 0) cab_coupled_add(cab_coupled_block(v, b.ac), ga * gc * k, even, u);
}

/* Eliminates a column, and its right side. */
CAB_INLINE void cab_coupled_eliminate(const cab_coupled_view *v, int column)
{
    global cab_double *own = cab_coupled_at(v, column);
    int first = v->column[column].block, end = v->column[column + 1].block, term = v->column[column].term;
    cab_coupled_factor(own);
    cab_coupled_forward(own);
    for (int x = first; x < end; x++) {
        global cab_double *b = cab_coupled_block(v, x), *row = cab_coupled_at(v, v->row[x]);
        cab_coupled_divide(b, own);
        cab_coupled_take(row, b, own);
        for (int y = first; y < x; y++, term++)
            cab_coupled_update(cab_coupled_block(v, v->row[term]), b, cab_coupled_block(v, y), own);
        cab_coupled_update(row, b, b, own);
    }
}

/* Newton's step: the solution is in the columns' right sides then. */
CAB_INLINE void cab_coupled_step(const cab_coupled_view *v)
{
    int first = v->own.column, last = first + v->own.column_count - 1;
    cab_coupled_clear(v);
    for (int k = v->own.link; k < v->own.link + v->own.link_count; k++) cab_coupled_add_link(v, v->link[k]);
    for (int k = v->own.bend; k < v->own.bend + v->own.bend_count; k++) cab_coupled_add_bend(v, v->bend[k]);
    for (int k = first; k <= last; k++) cab_coupled_eliminate(v, k);
    for (int k = last; k >= first; k--) {
        global cab_double *own = cab_coupled_at(v, k);
        for (int x = v->column[k].block; x < v->column[k + 1].block; x++)
            cab_coupled_return(own, cab_coupled_block(v, x), cab_coupled_at(v, v->row[x]));
        cab_coupled_back(own);
    }
}

/* The square of the largest change of a segment in a step, over its length. */
CAB_INLINE cab_double cab_coupled_most(const cab_coupled_view *v)
{
    cab_double most = 0;
    for (int k = v->own.link; k < v->own.link + v->own.link_count; k++) {
        cab_coupled_link l = v->link[k];
        cab_double3 change = cab_double3_make(0, 0, 0);
        if (l.b >= 0) {
            global const cab_double *at = cab_coupled_at(v, l.b) + CAB_COUPLED_RIGHT;
            change = cab_double3_make(at[0], at[1], at[2]);
        }
        if (l.a >= 0) {
            global const cab_double *at = cab_coupled_at(v, l.a) + CAB_COUPLED_RIGHT;
            change = cab_double3_add(change, -1, cab_double3_make(at[0], at[1], at[2]));
        }
        cab_double rest = (cab_double)v->node[l.node].rest,
                   share = cab_double3_dot(change, change) / (rest * rest);
        if (!(share <= most)) most = share;
    }
    return most;
}

/* Moves places and tensions by this share of a step. */
CAB_INLINE void cab_coupled_move(const cab_coupled_view *v, cab_double share)
{
    for (int k = v->own.column; k < v->own.column + v->own.column_count; k++) {
        global cab_double *at = cab_coupled_at(v, k);
        for (int j = 0; j < 4; j++) at[CAB_COUPLED_PLACE + j] += share * at[CAB_COUPLED_RIGHT + j];
    }
}

/* Places and tensions at which a launch begins. */
CAB_INLINE void cab_coupled_begin(const cab_coupled_view *v, int goes_on, global const float4 *branch_state,
                                  global const float *distance_lambda)
{
    for (int k = v->own.column; k < v->own.column + v->own.column_count; k++) {
        global cab_double *at = cab_coupled_at(v, k);
        cab_coupled_column c = v->column[k];
        cab_double3 e = cab_double3_make(0, 0, 0);
        if (c.particle >= 0) e = cab_double3_of(v->offset[c.particle]);
        at[CAB_COUPLED_PLACE] = e.x;
        at[CAB_COUPLED_PLACE + 1] = e.y;
        at[CAB_COUPLED_PLACE + 2] = e.z;
        at[CAB_COUPLED_TENSION] = 0;
        if (c.link < 0) continue;
        int node = v->link[c.link].node;
        if (goes_on)
            at[CAB_COUPLED_TENSION] = -(cab_double)branch_state[2 * node + 1].w;
        else
            at[CAB_COUPLED_TENSION] = -(cab_double)distance_lambda[v->node[node].distance] / v->per_h;
    }
}

/* Writes tensions; is a length still off? */
CAB_INLINE int cab_coupled_end(const cab_coupled_view *v, global float4 *branch_state,
                               global float *distance_lambda)
{
    int any = 0;
    for (int k = v->own.link; k < v->own.link + v->own.link_count; k++) {
        cab_coupled_link l = v->link[k];
        cab_branch_node node = v->node[l.node];
        cab_double tension = cab_coupled_at(v, l.owner)[CAB_COUPLED_TENSION];
        cab_double wanted = (cab_double)node.wanted + (cab_double)node.compliance * v->per_h * tension;
        cab_double off = cab_double3_length(cab_coupled_segment(v, l)) - wanted;
        any |= !(off <= CAB_LENGTH_ERROR * wanted && off >= -CAB_LENGTH_ERROR * wanted);
        branch_state[2 * l.node + 1] = CAB_FLOAT4(0, 0, 0, (float)-tension);
        distance_lambda[node.distance] = (float)(-tension * v->per_h);
    }
    return any;
}

/* Newton's steps until none is needed; where colliders press, whose forces the next pass decides anew, one. */
CAB_BLOCK_KERNEL(coupled_solve, global cab_double *coupled_work, global float4 *offset,
                 global float4 *branch_state, global float *distance_lambda, global int *off_branch,
                 global const int *off, global const cab_coupled *coupled,
                 global const cab_coupled_column *coupled_column, global const int *coupled_row,
                 global const cab_coupled_link *coupled_link, global const cab_coupled_bend *coupled_bend,
                 global const float4 *position, global const float4 *inertia,
                 global const cab_bending_constraint *bending, global const float4 *bending_target,
                 global const cab_branch_node *branch_node, global const int *order, global const int *stiff,
                 global const cab_press *press, global const int *near_count)
{
    CAB_ITEM(i);
    cab_coupled own = coupled[i];
    if (stiff[own.component] != CAB_STIFF_COUPLED) return;
    int goes_on = argument & CAB_NEWTON_GOES_ON, near = argument & CAB_NEWTON_NEAR, passes = 0;
    if (argument & CAB_NEWTON_WHERE_OFF && !near && !off[own.component]) return;
    int first_order = order[own.component];
    cab_coupled_view v = {coupled_work,
                          position,
                          offset,
                          inertia,
                          coupled_column,
                          coupled_row,
                          coupled_link,
                          coupled_bend,
                          bending,
                          bending_target,
                          branch_node,
                          press,
                          near_count,
                          own,
                          near,
                          first_order,
                          (cab_double)cab_per_h(first_order)};
    cab_double most = 1;
    cab_coupled_begin(&v, goes_on, branch_state, distance_lambda);
    while (passes < (near ? 1 : CAB_COUPLED_PASSES) && most > CAB_COUPLED_SMALL * CAB_COUPLED_SMALL) {
        cab_coupled_step(&v);
        most = cab_coupled_most(&v);
        cab_coupled_move(&v, most > 1 ? 1 / CAB_COUPLED_SQRT(most) : 1);
        passes++;
    }
    for (int k = own.column; k < own.column + own.column_count; k++) {
        global const cab_double *at = cab_coupled_at(&v, k) + CAB_COUPLED_PLACE;
        int p = coupled_column[k].particle;
        if (p >= 0) offset[p] = CAB_FLOAT4((float)at[0], (float)at[1], (float)at[2], 0);
    }
    off_branch[own.branch] = cab_coupled_end(&v, branch_state, distance_lambda);
}
