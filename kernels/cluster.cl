/* cluster: contacts between the segments of cables that pull hard where they touch. What tension adds to a segment's
 * stiffness across it can be many times its inertia; contacts that are solved by the bare masses (contact.cl) are undone by
 * the lengths then. A cluster is the cables that such contacts connect. After each Newton pass of kernels/stiff.cl its
 * contacts take the impulses z for which
 *
 *   v = v_0 + A z        v: gaps and slips at the end of the substep, v_0: as the Newton pass has left them
 *   0 <= z_n, 0 <= v_n, z_n v_n = 0, and Coulomb's law of friction between z_t and v_t
 *
 * by projected Gauss-Seidel. A = G K^-1 G^T is the Delassus operator: how far the impulse of a contact moves another one,
 * with tension's stiffness, lengths and contacts of colliders as the pass has linearised them (K, the blocks that
 * stiff_condense leaves; G: the weights of a contact's four particles). Its entries come from a recursion along the
 * cables; then one elimination moves all particles.
 *
 * Sources: V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), chapter 13; the recursion is the
 * selected inverse of Takahashi, Fagan, Chin (1973). */
#include "delassus.h"
#include "touch.h"

/* ---- clusters ---- */

/* burden[component]: can its contacts be solved here, and does it pull hard at one, or is it in pieces of a substep, in which
 * masses alone let what is fast through (docs/design.md, "Pace")? It can if it is one cable that is joined
 * to nothing, and its lengths could be met. */
CAB_BLOCK_KERNEL(cluster_burden, global int *burden, global const int *component_branch_start,
                 global const int *component_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const float *distance_lambda, global const int *share_count, global const int *lost,
                 global const int *order, global const cab_params *params)
{
    CAB_ITEM(i);
    int start = component_branch_start[i], pulls = 0;
    cab_branch own = branch[component_branch[start]];
    burden[i] = CAB_BURDEN_UNFIT;
    if (component_branch_start[i + 1] - start != 1 || own.start >= 0 || own.end >= 0) return;
    if (lost[i] >= CAB_CLUSTER_OFTEN) return;
    real per_h = cab_per_h(order[i]);
    int shift = order[i] ? params->node_count : 0;
    for (int k = own.first; k < own.first + own.count - 1; k++) {
        cab_branch_node node = branch_node[k];
        if (share_count[node.segment] == 0) continue;
        real weight = real_max(branch_factor[k + shift].weight, branch_factor[k + 1 + shift].weight);
        pulls |= -distance_lambda[node.distance] * weight > CAB_CLUSTER_LOAD * per_h * node.rest;
    }
    pulls |= params->h < CAB_PACE_PIECE * params->pace_h;
    burden[i] = pulls ? CAB_BURDEN_HARD : CAB_BURDEN_LIGHT;
}

/* The root of a component's cluster. */
CAB_INLINE int cab_cluster_root(global int *root, int c)
{
    while (root[c] != c) {
        root[c] = root[root[c]];
        c = root[c];
    }
    return c;
}

/* What is needed to go through all contacts. */
typedef struct cab_contact_list {
    global const int4 *end;
    global const int *count, *component, *order;
    int pairs;
} cab_contact_list;

/* The component of a contact that is not asleep; -1 = both are. */
CAB_INLINE int cab_awake_of(const cab_contact_list *l, int contact)
{
    int a = l->component[l->end[contact].x], b = l->component[l->end[contact].z];
    if (l->order[a] != CAB_ORDER_ASLEEP) return a;
    return l->order[b] != CAB_ORDER_ASLEEP ? b : -1;
}

/* Joins components that a contact connects: towards the lowest one. Counts the contacts of each. */
CAB_INLINE void cab_cluster_join(const cab_contact_list *l, global int *root, global cab_cluster *cluster)
{
    for (int first = 0; first < l->pairs; first += CAB_ROW) {
        for (int k = first; k < first + l->count[first / CAB_ROW]; k++) {
            int own = cab_awake_of(l, k), a = l->component[l->end[k].x], b = l->component[l->end[k].z];
            if (own < 0) continue;
            cluster[own].count++;
            if (l->order[a] == CAB_ORDER_ASLEEP || l->order[b] == CAB_ORDER_ASLEEP) continue;
            a = cab_cluster_root(root, a);
            b = cab_cluster_root(root, b);
            if (a < b) root[b] = a;
            if (b < a) root[a] = b;
        }
    }
}

/* Writes each contact into the list of its cluster. */
CAB_INLINE void cab_cluster_list(const cab_contact_list *l, global int *root, global cab_cluster *cluster,
                                 global const int *paired, global int *list, global int *place)
{
    for (int first = 0; first < l->pairs; first += CAB_ROW) {
        for (int k = first; k < first + l->count[first / CAB_ROW]; k++) {
            int own = cab_awake_of(l, k);
            place[k] = -1;
            if (own < 0 || !paired[own]) continue;
            int c = cab_cluster_root(root, own);
            place[k] = cluster[c].count;
            list[cluster[c].first + cluster[c].count] = k;
            cluster[c].count++;
        }
    }
}

/* Finds the clusters; paired[component]: its contacts with segments are solved here. All cables of a cluster are, if all
 * can be, one pulls hard, and there is room. cluster_count: how many clusters. One work-item; argument: components.
 * A cluster is kept with its lowest component; members follow in ascending order by `next`. */
CAB_BLOCK_KERNEL(cluster_find, global const cab_params *params, global int *cluster_root,
                 global cab_cluster *cluster, global int *cluster_list, global int *cluster_place,
                 global int *cluster_count, global int *paired, global const int *burden,
                 global const int4 *contact_end, global const int *contact_count, global const int *component,
                 global const int *order)
{
    CAB_ITEM(i);
    int any = 0, contacts = 0, floats = 0, found = 0;
    int most = params->h < CAB_PACE_PIECE * params->pace_h ? CAB_CLUSTER_MOST : CAB_CLUSTER_CONTACTS;
    cab_contact_list l = {contact_end, contact_count, component, order, params->pair_count};
    cluster_count[i] = 0;
    for (int c = 0; c < argument; c++) {
        cab_cluster none = {0, 0, 0, -1};
        any |= burden[c] == CAB_BURDEN_HARD;
        paired[c] = 0;
        cluster_root[c] = c;
        cluster[c] = none;
    }
    if (!any) return;
    cab_cluster_join(&l, cluster_root, cluster);
    /* paired of a root: bits of its members' burdens, until it is decided */
    for (int c = argument - 1; c >= 0; c--) {
        int root = cab_cluster_root(cluster_root, c);
        paired[root] |= 1 << burden[c];
        if (root == c) continue;
        cluster[root].count += cluster[c].count;
        cluster[c].next = cluster[root].next;
        cluster[root].next = c;
    }
    for (int c = 0; c < argument; c++) {
        int root = cab_cluster_root(cluster_root, c), count = cluster[c].count;
        if (root != c) {
            paired[c] = paired[root];
            continue;
        }
        int fits = count > 0 && count <= most && contacts + count <= cab_cluster_list_room(argument) &&
                   floats + 9 * count * count <= cab_cluster_floats_room(argument);
        paired[c] = fits && paired[c] & (1 << CAB_BURDEN_HARD) && (paired[c] & (1 << CAB_BURDEN_UNFIT)) == 0;
        if (!paired[c]) continue;
        cluster[c].first = contacts;
        cluster[c].matrix = floats;
        contacts += count;
        floats += 9 * count * count;
        found++;
    }
    for (int c = 0; c < argument; c++) cluster[c].count = 0;
    cab_cluster_list(&l, cluster_root, cluster, paired, cluster_list, cluster_place);
    cluster_count[i] = found;
}

/* No impulse yet. */
CAB_KERNEL(cluster_start, global float4 *pair_pull)
{
    CAB_ITEM(i);
    pair_pull[i] = CAB_FLOAT4(0, 0, 0, 0);
}

/* A cluster takes part in a pass as a whole. */
CAB_BLOCK_KERNEL(cluster_agree, global int *stiff, global const int *paired, global const int *cluster_root,
                 global const cab_cluster *cluster)
{
    CAB_ITEM(i);
    int any = 0;
    if (!paired[i] || cluster_root[i] != i) return;
    for (int c = i; c >= 0; c = cluster[c].next) any |= stiff[c] == CAB_STIFF_MOVES;
    for (int c = i; c >= 0 && any; c = cluster[c].next)
        if (stiff[c] == CAB_STIFF_SETTLED) stiff[c] = CAB_STIFF_MOVES;
}

/* ---- the Delassus operator ---- */

/* The blocks on the diagonal of K^-1, from the end of a cable to its start. */
CAB_BLOCK_KERNEL(cluster_mobility, global float *mobility, global const cab_stiff_node *stiff_node,
                 global const cab_branch *branch, global const int *paired, global const int *stiff)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    if (!paired[own.component] || stiff[own.component] != CAB_STIFF_MOVES) return;
    int last = own.first + own.count - 1;
    cab_sym3 moves = cab_sym3_of(0);
    vec3 pulls = vec3_zero();
    real stretches = 0;
    for (int k = last; k >= own.first; k--) {
        global const cab_stiff_node *node = stiff_node + i + k;
        cab_sym3 inverse = cab_sym3_load(node->inverse), z = cab_sym3_of(0);
        vec3 y = vec3_at(node->y);
        if (k < last) {
            cab_sym3 coupling = cab_sym3_load(node->coupling);
            vec3 u = vec3_at(node->u), v = cab_sym3_times(coupling, pulls);
            z = cab_sym3_add_outer(cab_sym3_between(coupling, moves), stretches - 1, u);
            z = cab_sym3_add_outer(cab_sym3_add_outer(z, -1, v), 1, vec3_add(u, v));
        }
        vec3 zy = cab_sym3_times(z, y);
        stretches = vec3_dot(y, zy) - node->pivot;
        pulls = vec3_add(y, cab_sym3_times(inverse, zy));
        moves = cab_sym3_add(inverse, cab_sym3_between(inverse, z));
        global float *to = mobility + CAB_MOBILITY * k;
        cab_sym3_store(to, moves);
        vec3_put(to + CAB_MOBILITY_PULLS, pulls);
        to[CAB_MOBILITY_STRETCHES] = stretches;
    }
}

/* A of each cluster. */
CAB_BLOCK_KERNEL(cluster_matrix, global float *delassus, global const cab_cluster *cluster,
                 global const int *cluster_root, global const int *cluster_place,
                 global const float *mobility, global const cab_stiff_node *stiff_node,
                 global const int *component_branch_start, global const int *component_branch,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_share *share, global const int *share_start, global const int *share_count,
                 global const int *paired, global const int *stiff)
{
    CAB_ITEM(i);
    if (!paired[i] || cluster_root[i] != i || stiff[i] != CAB_STIFF_MOVES) return;
    cab_cluster own = cluster[i];
    for (int k = 0; k < 9 * own.count * own.count; k++) delassus[own.matrix + k] = 0;
    for (int c = i; c >= 0; c = cluster[c].next) {
        int b = component_branch[component_branch_start[c]];
        cab_cluster_cable v = {branch_node,   stiff_node + b,        mobility,
                               share,         share_start,           share_count,
                               cluster_place, delassus + own.matrix, own.count};
        cab_cluster_add_cable(&v, branch[b]);
    }
}

/* ---- impulses ---- */

/* Of what a contact overlaps more than it may at the start of a substep, this share is recovered in it. Where a knot is tight
 * all contacts at once cannot recover, whatever the force; but they can always stay as they were. */
#define CAB_CLUSTER_RECOVERS 0.02f

/* A contact's numbers: its number n lies at [n * CAB_ROW]. */
CAB_INLINE global float *cab_contact_at(global float *contact, int c)
{
    return contact + cab_contact_index(c, 0);
}

CAB_INLINE vec3 cab_contact_vector(global const float *at, int number)
{
    return vec3_make(at[number * CAB_ROW], at[(number + 1) * CAB_ROW], at[(number + 2) * CAB_ROW]);
}

/* How far the second point has moved against the first. */
CAB_INLINE vec3 cab_contact_slide(int4 end, global const float *at, global const float4 *offset)
{
    real s = at[CAB_CONTACT_S * CAB_ROW], t = at[CAB_CONTACT_T * CAB_ROW];
    return vec3_sub(vec3_mix(vec3_of(offset[end.z]), vec3_of(offset[end.w]), t),
                    vec3_mix(vec3_of(offset[end.x]), vec3_of(offset[end.y]), s));
}

/* Floats of a contact in cluster_state, three each: */
#define CAB_IMPULSE 0        /* z, kg m */
#define CAB_SLIDE 3          /* v: how far its points have moved against each other */
#define CAB_IMPULSE_FIRST 6  /* z at the start of the pass, */
#define CAB_IMPULSE_BEFORE 9 /* and before the sweep, */
#define CAB_SLIDE_BEFORE 12
#define CAB_AHEAD 15 /* the direction that sweeps go in, and how far it moves points */
#define CAB_AHEAD_SLIDE 18

/* What sweeps over a cluster read and write. */
typedef struct cab_cluster_view {
    int count;
    global const int *list;
    global const float *matrix;
    global float *contact;
    global float *state;
} cab_cluster_view;

CAB_INLINE global float *cab_cluster_at(const cab_cluster_view *v, int k, int what)
{
    return v->state + CAB_CLUSTER_STATE * k + what;
}

/* The impulse of a contact for which gap and slip fit, if the others keep theirs. z, slide: those now; block: its own of A. */
CAB_INLINE vec3 cab_cluster_touch(global const float *at, global const float *block, vec3 z, vec3 slide)
{
    vec3 n = cab_contact_vector(at, CAB_CONTACT_NORMAL), start = cab_contact_vector(at, CAB_CONTACT_START);
    real lambda = vec3_dot(n, z), along = vec3_dot(n, cab_block_times(block, n));
    real across = block[0] + block[4] + block[8] - along; /* at least what any tangent has */
    if (!(along > 0) || !(across > 0)) return z;          /* both points are held */
    real at_start = real_min(0, at[CAB_CONTACT_GAP * CAB_ROW] + vec3_dot(n, start));
    real gap = at[CAB_CONTACT_GAP * CAB_ROW] + vec3_dot(n, slide) - (1 - CAB_CLUSTER_RECOVERS) * at_start;
    real normal = real_max(0, lambda - gap / along);
    slide = vec3_add_scaled(slide, normal - lambda, cab_block_times(block, n));
    vec3 slip = vec3_sub(slide, start);
    slip = vec3_sub_scaled(slip, vec3_dot(n, slip), n);
    vec3 tangent = vec3_sub_scaled(vec3_sub_scaled(z, lambda, n), 1 / across, slip);
    real size = vec3_length(tangent), limit = at[CAB_CONTACT_FRICTION * CAB_ROW] * normal;
    if (size > limit) tangent = vec3_scale(tangent, limit / size);
    return vec3_add_scaled(tangent, normal, n);
}

/* A sweep of Gauss-Seidel. Returns the square of the farthest that a contact has moved by its own impulse. */
CAB_INLINE real cab_cluster_sweep(const cab_cluster_view *v)
{
    real farthest = 0;
    for (int k = 0; k < v->count; k++) {
        global float *own = cab_cluster_at(v, k, 0);
        vec3 z = vec3_at(own + CAB_IMPULSE);
        global const float *at = cab_contact_at(v->contact, v->list[k]);
        vec3 now = cab_cluster_touch(at, v->matrix + 9 * (k * v->count + k), z, vec3_at(own + CAB_SLIDE));
        vec3 change = vec3_sub(now, z);
        if (change.x == 0 && change.y == 0 && change.z == 0) continue;
        vec3_put(own + CAB_IMPULSE, now);
        for (int j = 0; j < v->count; j++) {
            global float *slide = cab_cluster_at(v, j, CAB_SLIDE);
            vec3 moved = cab_block_times(v->matrix + 9 * (j * v->count + k), change);
            vec3_put(slide, vec3_add(vec3_at(slide), moved));
            if (j == k) farthest = real_max(farthest, vec3_dot(moved, moved));
        }
    }
    return farthest;
}

/* Notes impulses and slides before a sweep. */
CAB_INLINE void cab_cluster_note(const cab_cluster_view *v)
{
    for (int k = 0; k < v->count; k++)
        for (int i = 0; i < 3; i++) {
            global float *own = cab_cluster_at(v, k, i);
            own[CAB_IMPULSE_BEFORE] = own[CAB_IMPULSE];
            own[CAB_SLIDE_BEFORE] = own[CAB_SLIDE];
        }
}

/* After a sweep: how much it has changed, summed squares. */
CAB_INLINE real cab_cluster_change(const cab_cluster_view *v)
{
    real sum = 0;
    for (int k = 0; k < v->count; k++) {
        global const float *own = cab_cluster_at(v, k, 0);
        vec3 d = vec3_sub(vec3_at(own + CAB_IMPULSE), vec3_at(own + CAB_IMPULSE_BEFORE));
        vec3 m = vec3_sub(vec3_at(own + CAB_SLIDE), vec3_at(own + CAB_SLIDE_BEFORE));
        sum += real_max(0, vec3_dot(d, m));
    }
    return sum;
}

/* Goes further by `share` of the last direction, which becomes that and the sweep's change. */
CAB_INLINE void cab_cluster_go(const cab_cluster_view *v, real share)
{
    for (int k = 0; k < v->count; k++)
        for (int i = 0; i < 3; i++) {
            global float *own = cab_cluster_at(v, k, i);
            real ahead = share * own[CAB_AHEAD], slide = share * own[CAB_AHEAD_SLIDE];
            own[CAB_AHEAD] = ahead + own[CAB_IMPULSE] - own[CAB_IMPULSE_BEFORE];
            own[CAB_AHEAD_SLIDE] = slide + own[CAB_SLIDE] - own[CAB_SLIDE_BEFORE];
            own[CAB_IMPULSE] += ahead;
            own[CAB_SLIDE] += slide;
        }
}

/* Sweeps until no contact moves any more, made faster by conjugate directions: M. Silcowitz-Hansen, S. Niebe, K. Erleben, A
 * nonsmooth nonlinear conjugate gradient method for interactive contact force problems (2010),
 * doi 10.1007/s00371-010-0502-6. */
CAB_INLINE void cab_cluster_sweeps(const cab_cluster_view *v, real settled)
{
    real last = 0;
    int most = CAB_CLUSTER_WORK / (v->count * v->count);
    if (most > CAB_CLUSTER_SWEEPS) most = CAB_CLUSTER_SWEEPS;
    if (most < CAB_CLUSTER_LEAST) most = CAB_CLUSTER_LEAST;
    for (int sweep = 0; sweep < most; sweep++) {
        cab_cluster_note(v);
        if (!(cab_cluster_sweep(v) > settled * settled)) return;
        if (sweep + 1 == most) return;
        real change = cab_cluster_change(v);
        cab_cluster_go(v, change < last ? change / last : 0);
        last = change;
    }
}

/* Takes slide and impulse of a contact so far. */
CAB_INLINE void cab_cluster_take(global float *own, global const float *at, int4 end,
                                 global const float4 *offset)
{
    vec3 z = vec3_add_scaled(cab_contact_vector(at, CAB_CONTACT_FORCE), at[CAB_CONTACT_LAMBDA * CAB_ROW],
                             cab_contact_vector(at, CAB_CONTACT_NORMAL));
    vec3_put(own + CAB_IMPULSE, z);
    vec3_put(own + CAB_IMPULSE_FIRST, z);
    vec3_put(own + CAB_SLIDE, cab_contact_slide(end, at, offset));
    vec3_put(own + CAB_AHEAD, vec3_zero());
    vec3_put(own + CAB_AHEAD_SLIDE, vec3_zero());
}

/* The impulses of each cluster. effect: by how much they change in this pass. */
CAB_BLOCK_KERNEL(cluster_solve, global const cab_params *params, global float4 *effect, global float *contact,
                 global float *cluster_state, global const int4 *contact_end,
                 global const cab_cluster *cluster, global const int *cluster_root,
                 global const int *cluster_list, global const float *delassus, global const float4 *offset,
                 global const int *paired, global const int *stiff)
{
    CAB_ITEM(i);
    if (!paired[i] || cluster_root[i] != i || stiff[i] != CAB_STIFF_MOVES) return;
    cab_cluster own = cluster[i];
    cab_cluster_view v = {own.count, cluster_list + own.first, delassus + own.matrix, contact,
                          cluster_state + CAB_CLUSTER_STATE * own.first};
    for (int k = 0; k < own.count; k++)
        cab_cluster_take(cab_cluster_at(&v, k, 0), cab_contact_at(contact, v.list[k]), contact_end[v.list[k]],
                         offset);
    cab_cluster_sweeps(&v, params->slip_least);
    for (int k = 0; k < own.count; k++) {
        vec3 z = vec3_at(cab_cluster_at(&v, k, CAB_IMPULSE));
        global float *at = cab_contact_at(contact, v.list[k]);
        vec3 n = cab_contact_vector(at, CAB_CONTACT_NORMAL);
        real normal = real_max(0, vec3_dot(n, z));
        at[CAB_CONTACT_LAMBDA * CAB_ROW] = normal;
        cab_row_put(at, CAB_CONTACT_FORCE, 0, vec3_sub_scaled(z, normal, n));
        effect[v.list[k]] = cab_with(vec3_sub(z, vec3_at(cab_cluster_at(&v, k, CAB_IMPULSE_FIRST))), 0);
    }
}

/* No contact has changed its impulse. */
CAB_KERNEL(cluster_clear, global float4 *effect)
{
    CAB_ITEM(i);
    effect[i] = CAB_FLOAT4(0, 0, 0, 0);
}

/* What the changes of impulses are at each particle (push), and all impulses so far. */
CAB_KERNEL(cluster_force, global float4 *pair_force, global float4 *pair_pull, global const float4 *push,
           global const int *incident_start, global const int *incident)
{
    CAB_ITEM(i);
    vec3 sum = vec3_zero();
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++)
        sum = vec3_add(sum, vec3_of(push[incident[k]]));
    pair_force[i] = cab_with(sum, 0);
    pair_pull[i] = cab_with(vec3_add(vec3_of(pair_pull[i]), sum), 0);
}

/* The elimination of a cable for these forces, with the blocks of the pass. */
CAB_INLINE void cab_cluster_condense(cab_branch own, global cab_stiff_node *node,
                                     global const cab_branch_node *branch_node,
                                     global const float4 *pair_force)
{
    vec3 z = vec3_zero(), u = z;
    cab_sym3 coupling = cab_sym3_of(0);
    for (int k = own.first; k < own.first + own.count; k++) {
        vec3 y = vec3_at(node[k].y);
        vec3 right = vec3_add(cab_sym3_times(coupling, z), vec3_of(pair_force[branch_node[k].particle]));
        real error = 0 - vec3_dot(u, z);
        z = vec3_sub_scaled(cab_sym3_times(cab_sym3_load(node[k].inverse), right), error, y);
        vec3_put(node[k].z, z);
        node[k].pull = error * node[k].pivot + vec3_dot(y, right);
        u = vec3_at(node[k].u);
        coupling = cab_sym3_load(node[k].coupling);
    }
}

/* Moves the particles of clusters, and changes their tensions. off_branch: a length is off. */
CAB_BLOCK_KERNEL(cluster_move, global const cab_params *params, global float4 *offset,
                 global float4 *branch_state, global float *distance_lambda, global int *off_branch,
                 global cab_stiff_node *stiff_node, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const float4 *position, global const float4 *pair_force, global const int *order,
                 global const int *paired, global const int *stiff)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int shift = order[own.component] ? params->node_count : 0, last = own.first + own.count - 1, any = 0;
    if (!paired[own.component] || stiff[own.component] != CAB_STIFF_MOVES) return;
    real per_h = cab_per_h(order[own.component]), tension = 0;
    vec3 next = vec3_zero();
    cab_cluster_condense(own, stiff_node + i, branch_node, pair_force);
    for (int k = last; k >= own.first; k--) {
        global const cab_stiff_node *node = stiff_node + i + k;
        cab_branch_node at = branch_node[k];
        vec3 follows = vec3_zero();
        if (k < last)
            follows = vec3_add_scaled(cab_sym3_times(cab_sym3_load(node->coupling), next), tension,
                                      vec3_at(node->u));
        vec3 moved = vec3_add(vec3_at(node->z), cab_sym3_times(cab_sym3_load(node->inverse), follows));
        vec3 e = vec3_of(offset[at.particle]);
        if (branch_factor[k + shift].weight > 0) e = vec3_add(e, moved);
        offset[at.particle] = cab_with(e, 0);
        if (k < last) {
            int q = branch_node[k + 1].particle;
            real total = branch_state[2 * k + 1].w - tension;
            vec3 r = cab_between(vec3_of(position[at.particle]), e, vec3_of(position[q]), vec3_of(offset[q]));
            branch_state[2 * k + 1] = CAB_FLOAT4(0, 0, 0, total);
            distance_lambda[at.distance] = total * per_h;
            real wanted = at.wanted - at.compliance * per_h * total;
            any = cab_length_off_by(any, r, wanted, own.taut ? CAB_TAUT_ERROR : CAB_LENGTH_ERROR);
        }
        tension = node->pull + vec3_dot(vec3_at(node->y), follows);
        next = moved;
    }
    off_branch[i] = any;
}
