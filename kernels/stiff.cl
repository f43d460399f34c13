/* stiff: lengths with geometric stiffness and with contacts of colliders inside the elimination (equations:
 * stiff.h). A work-item condenses a branch to its two ends, the junctions move (direct_junction.cl), then the
 * branch's inner particles. This is for components (cables that are joined) that touch colliders or have long held
 * branches (cab_branch.taut), and touch no other segments unless cluster.cl solves these contacts; the others go through
 * direct_lengths.cl. */
#include "stiff.h"

/* Particles no longer count as heavier for the lengths (cab_slow_branch). */
CAB_INLINE void cab_slow_no_more(cab_branch own, global float *slow, global float4 *branch_slow)
{
    if (branch_slow->z == 0) return;
    for (int k = own.first; k < own.first + own.count; k++) slow[k] = 1;
    *branch_slow = CAB_FLOAT4(0, 0, 0, 0);
}

/* stiff[component]: CAB_STIFF_MOVES where it touches colliders, or has a body that touches something, or is long and taut, or in a cluster (`paired`), or hard, touches no
 * segments that are in none, and can meet its lengths. hard[component]: it touches nothing, has once been in pieces (hurried), and its
 * tension makes a segment stiffer across than CAB_STIFF_HARD times its inertia. Flags: CAB_STIFF_... */
CAB_BLOCK_KERNEL(stiff_choose, global int *stiff, global const int *near_count, global const int *share_count,
                 global const int *paired, global const int *component_branch_start,
                 global const int *component_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const int *order, global const int *lost,
                 global float *slow, global float4 *branch_slow, global int *hard, global int *hurried,
                 global const float *distance_lambda, global const cab_branch_factor *branch_factor,
                 global const cab_params *params, global int *leaning, global const int *bumped)
{
    CAB_ITEM(i);
    int start = component_branch_start[i], end = component_branch_start[i + 1], near = bumped[i], pairs = 0,
        rigid = 0, pulls = 0;
    int shift = order[i] == 1 ? params->node_count : 0;
    real per_h = order[i] == 1 ? 1 : 2.25f;
    hard[i] = 0;
    if (order[i] == CAB_ORDER_ASLEEP) end = start;
    for (int j = start; j < end && (!pairs || rigid); j++) {
        cab_branch own = branch[component_branch[j]];
        near |= own.taut;
        rigid |= own.taut == CAB_TAUT_RIGID;
        for (int k = own.first; k < own.first + own.count - 1; k++) {
            int s = branch_node[k].segment;
            if (argument & CAB_STIFF_NEAR) near |= near_count[s];
            if (argument & CAB_STIFF_PAIRS) pairs |= share_count[s];
            real weight = real_max(branch_factor[k + shift].weight, branch_factor[k + 1 + shift].weight);
            real pull = -distance_lambda[branch_node[k].distance] * weight,
                 rest = per_h * branch_node[k].rest;
            hard[i] |= pull > CAB_STIFF_HARD * rest;
            pulls |= pull > CAB_CLUSTER_LOAD * rest;
        }
    }
    /* whoever has been in pieces may ring for long; what touches something has passes of its own */
    int clustered = argument & CAB_STIFF_CLUSTERS && paired[i];
    if (params->h < CAB_PACE_PIECE * params->pace_h && order[i] != CAB_ORDER_ASLEEP) hurried[i] = 1;
    if (near | pairs | clustered | !hurried[i]) hard[i] = 0;
    near |= hard[i];
    int is_stiff = clustered || (near != 0 && (pairs == 0 || rigid) && lost[i] < CAB_STIFF_OFTEN);
    stiff[i] = is_stiff ? CAB_STIFF_MOVES : CAB_STIFF_NOT;
    leaning[i] = is_stiff && rigid && pairs && pulls && argument & CAB_STIFF_NEAR;
    for (int j = start; j < end && is_stiff; j++)
        cab_slow_no_more(branch[component_branch[j]], slow, branch_slow + component_branch[j]);
}

/* stiff[component] becomes CAB_STIFF_SETTLED where lengths and contacts need no further pass in this substep. Flags:
 * CAB_STIFF_... */
CAB_BLOCK_KERNEL(stiff_settle, global int *stiff, global const int *off, global const int *unsettled,
                 global const int *bumped, global const int *near_count,
                 global const int *component_branch_start, global const int *component_branch,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const int *hard, global const int *leaning)
{
    CAB_ITEM(i);
    int any = off[i] | leaning[i] | (bumped[i] & CAB_BUMPED_UNSETTLED),
        taut = !(argument & CAB_STIFF_TAUT) || hard[i];
    if (stiff[i] != CAB_STIFF_MOVES) return;
    for (int j = component_branch_start[i]; j < component_branch_start[i + 1] && !(any && taut); j++) {
        cab_branch own = branch[component_branch[j]];
        taut |= own.taut;
        for (int k = own.first; k < own.first + own.count - 1 && !any; k++) {
            int s = branch_node[k].segment;
            if (argument & CAB_STIFF_NEAR && near_count[s] > 0) any |= unsettled[s];
        }
    }
    if (!any || !taut) stiff[i] = CAB_STIFF_SETTLED;
}

/* m: how far a particle is moved aside along x, y and z, at most. */
#define CAB_STIFF_ASIDE 1e-9f

/* A little way that differs among 1,001 particles in a row, and has no direction of its own. */
CAB_INLINE vec3 cab_stiff_sidestep(int i)
{
    vec3 way = vec3_make((real)(i * 3 % 7 - 3) / 3, (real)(i * 4 % 11 - 5) / 5, (real)(i * 5 % 13 - 6) / 6);
    return vec3_scale(way, CAB_STIFF_ASIDE);
}

/* Do two segments meet at a particle, straight to the last bit? */
CAB_INLINE int cab_stiff_straight(int i, global const float4 *position, global const float4 *offset,
                                  global const int *incident_start, global const int *incident,
                                  global const cab_segment *segment)
{
    vec3 along[2];
    int first = incident_start[i];
    if (incident_start[i + 1] - first != 2) return 0;
    for (int k = 0; k < 2; k++) {
        cab_segment s = segment[incident[first + k] >> 1];
        along[k] = cab_between(vec3_of(position[s.a]), vec3_of(offset[s.a]), vec3_of(position[s.b]),
                               vec3_of(offset[s.b]));
    }
    vec3 turn = vec3_cross(along[0], along[1]);
    return turn.x == 0 && turn.y == 0 && turn.z == 0;
}

/* Where inertia alone would take the particles. What ties and the like have moved since direct_note counts as
 * an impulse. Flag: CAB_NEWTON_GOES_ON */
CAB_KERNEL(stiff_inertia, global float4 *inertia, global const float4 *offset, global const float4 *bend,
           global const int *component, global const int *stiff)
{
    CAB_ITEM(i);
    if (!stiff[component[i]]) return;
    vec3 e = vec3_of(offset[i]);
    if (argument & CAB_NEWTON_GOES_ON) e = vec3_add(vec3_of(inertia[i]), vec3_sub(e, vec3_of(bend[i])));
    inertia[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Before the first pass where colliders are near. A cable that is straight to the last bit, and is pushed against a collider along
 * itself, has nowhere to go, and is pushed through it. So inertia takes such a particle aside a little, and the cable buckles. */
CAB_KERNEL(stiff_aside, global float4 *inertia, global const float4 *position, global const float4 *offset,
           global const int *component, global const int *stiff, global const int *incident_start,
           global const int *incident, global const cab_segment *segment)
{
    CAB_ITEM(i);
    if (!stiff[component[i]]) return;
    if (!cab_stiff_straight(i, position, offset, incident_start, incident, segment)) return;
    vec3 e = vec3_add(vec3_of(inertia[i]), cab_stiff_sidestep(i));
    inertia[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* What a pass reads of a branch. */
typedef struct cab_stiff_view {
    global const cab_branch_node *node;
    global const cab_branch_factor *factor;
    global const float4 *position, *offset, *inertia, *pair_pull;
    global float4 *state;
    global const float *distance_lambda;
    global const cab_press *press;
    global const int *near_count,
        *share_count; /* share_count: 0 where no contact with a segment counts here */
    real per_h, softer;
    int taut, flags, clustered;
} cab_stiff_view;

/* The segment that starts at node k. */
CAB_INLINE cab_stretch cab_stretch_at(const cab_stiff_view *v, int k)
{
    cab_branch_node node = v->node[k];
    int p = node.particle, q = v->node[k + 1].particle;
    vec3 r = cab_between(vec3_of(v->position[p]), vec3_of(v->offset[p]), vec3_of(v->position[q]),
                         vec3_of(v->offset[q]));
    real compliance = node.compliance * v->per_h;
    if (!(v->flags & CAB_NEWTON_GOES_ON))
        v->state[2 * k].x = 0 - v->distance_lambda[node.distance] / v->per_h;
    real last = v->state[2 * k].x, so_far = v->flags & CAB_NEWTON_GOES_ON ? 0 - v->state[2 * k + 1].w : 0;
    /* in a long held branch a segment is as stiff as the larger of its tensions in the last substep and the last pass makes it,
     * in a cluster as the largest in the substep */
    if (v->taut || v->clustered) last = real_max(last, so_far);
    if (v->clustered) v->state[2 * k].x = last;
    return cab_stretch_of(r, 1, node.wanted, compliance, compliance + node.regularisation * v->softer, last,
                          so_far);
}

/* Adds the contacts of the segment that ends at a node, then of the one that starts there. */
CAB_INLINE void cab_stiff_press_before(cab_stiff_row *row, global const cab_press *press)
{
    if (!press) return;
    row->diagonal = cab_sym3_add(row->diagonal, cab_sym3_load(press->at_b));
    row->residual = vec3_add(row->residual, vec3_at(press->force_b));
}

CAB_INLINE void cab_stiff_press_after(cab_stiff_row *row, global const cab_press *press)
{
    if (!press) return;
    row->diagonal = cab_sym3_add(row->diagonal, cab_sym3_load(press->at_a));
    row->residual = vec3_add(row->residual, vec3_at(press->force_a));
    row->coupling = cab_sym3_sub(row->coupling, cab_sym3_load(press->between));
}

/* The contacts of the segment at node k; none: 0. */
CAB_INLINE global const cab_press *cab_press_at(const cab_stiff_view *v, int k)
{
    int s = v->node[k].segment;
    int any =
        v->flags & CAB_NEWTON_NEAR && (v->near_count[s] > 0 || (v->share_count && v->share_count[s] > 0));
    return any ? v->press + s : 0;
}

/* A node's own part: inertia. Nothing at a held one or at a junction, which has its own (direct_assemble). */
CAB_INLINE cab_stiff_row cab_stiff_row_of(const cab_stiff_view *v, int k, int shift)
{
    real w = v->factor[k + shift].weight, mass = w > 0 ? 1 / w : 0;
    int p = v->node[k].particle;
    cab_stiff_row row;
    row.diagonal = cab_sym3_of(mass);
    row.coupling = cab_sym3_of(0);
    row.residual = vec3_scale(vec3_sub(vec3_of(v->inertia[p]), vec3_of(v->offset[p])), mass);
    if (v->clustered) row.residual = vec3_add(row.residual, vec3_of(v->pair_pull[p]));
    return row;
}

/* The equations of a branch's end at a junction. */
CAB_INLINE void cab_stiff_at_junction(global cab_stiff_condensed *c, cab_stiff_row row, const cab_stretch *s,
                                      const cab_stiff_before *b, cab_sym3 coupling, cab_stiff_start *start,
                                      int started, global cab_stiff_node *node)
{
    real pivot = cab_stiff_pivot(b->give);
    cab_sym3 block = cab_sym3_add_outer(cab_sym3_sub(row.diagonal, b->sum), pivot, b->a);
    vec3 right = vec3_sub_scaled(vec3_add(row.residual, b->carried), pivot * b->error, b->a);
    cab_sym3_store(c->end, block);
    vec3_put(c->end_right, right);
    vec3_put(node->y, vec3_scale(b->a, pivot));
    node->pivot = pivot;
    node->pull = b->error * pivot;
    if (!started) return;
    cab_spike q = cab_spike_times(coupling, &start->spike);
    vec3 w = cab_spike_turned(&start->spike, s->u);
    q = cab_spike_add_outer(q, vec3_scale(b->a, pivot), w);
    cab_block_put(c->cross, vec3_make(0 - q.x.x, 0 - q.y.x, 0 - q.z.x),
                  vec3_make(0 - q.x.y, 0 - q.y.y, 0 - q.z.y), vec3_make(0 - q.x.z, 0 - q.y.z, 0 - q.z.z));
    start->block = cab_sym3_add_outer(start->block, pivot, w);
    start->right = vec3_add_scaled(start->right, b->error * pivot, w);
}

/* Eliminates a branch from its start to its end, and condenses it to its two ends. Branches that meet share a
 * node, but each has a stiff_node of its own: number i + k for node k of branch i. Flags: CAB_NEWTON_... */
CAB_BLOCK_KERNEL(stiff_condense, global const cab_params *params, global cab_stiff_node *stiff_node,
                 global cab_stiff_condensed *stiff_condensed, global float4 *branch_state,
                 global const cab_branch *branch, global const cab_branch_node *branch_node,
                 global const cab_branch_factor *branch_factor, global const float4 *position,
                 global const float4 *offset, global const float4 *inertia, global const float4 *pair_pull,
                 global const float *distance_lambda, global const cab_press *press,
                 global const int *near_count, global const int *order, global const int *stiff,
                 global const int *paired, global const int *hard, global const int *leaning,
                 global const int *share_count)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int first_order = order[own.component], shift = first_order ? params->node_count : 0;
    if (stiff[own.component] != CAB_STIFF_MOVES || (argument & CAB_NEWTON_SPANS && own.span)) return;
    int last = own.first + own.count - 1, taut = own.taut | hard[own.component];
    cab_stiff_view v = {branch_node,
                        branch_factor,
                        position,
                        offset,
                        inertia,
                        pair_pull,
                        branch_state,
                        distance_lambda,
                        press,
                        near_count,
                        leaning[own.component] ? share_count : 0,
                        cab_per_h(first_order),
                        taut ? CAB_STIFF_SOFTER : 1,
                        taut,
                        argument,
                        argument & CAB_NEWTON_CLUSTERS && paired[own.component]};
    cab_stiff_left left = cab_stiff_left_none();
    cab_stretch before = cab_stretch_none();
    cab_sym3 coupling = cab_sym3_of(0);
    cab_stiff_start start = {
        cab_sym3_of(0), vec3_zero(), {vec3_make(1, 0, 0), vec3_make(0, 1, 0), vec3_make(0, 0, 1)}};
    for (int k = own.first; k <= last; k++) {
        global cab_stiff_node *node = stiff_node + i + k;
        cab_stiff_row row = cab_stiff_row_of(&v, k, shift);
        cab_stretch after = k < last ? cab_stretch_at(&v, k) : cab_stretch_none();
        cab_stiff_before b = cab_look_back(&before, coupling, &left, taut);
        if (k > own.first) {
            cab_stiff_add_before(&row, &before);
            cab_stiff_press_before(&row, cab_press_at(&v, k - 1));
        }
        if (k < last) {
            cab_stiff_add_after(&row, &after);
            cab_stiff_press_after(&row, cab_press_at(&v, k));
        }
        vec3_put(node->u, after.u);
        node->length = after.length;
        if (k == own.first && own.start >= 0) {
            start.block = row.diagonal;
            start.right = row.residual;
            cab_sym3_store(node->coupling, row.coupling);
        } else if (k == last && own.end >= 0) {
            cab_stiff_at_junction(stiff_condensed + i, row, &before, &b, coupling, &start, own.start >= 0,
                                  node);
        } else {
            left = cab_stiff_eliminate(row, &b, branch_factor[k + shift].weight > 0, taut);
            cab_stiff_keep(node, &left, row.coupling);
            if (own.start >= 0) cab_stiff_start_take(&start, &before, coupling, node);
        }
        before = after;
        coupling = row.coupling;
    }
    if (own.start < 0) return;
    cab_sym3_store(stiff_condensed[i].start, start.block);
    vec3_put(stiff_condensed[i].start_right, start.right);
}

/* Lets the inner nodes follow the displacement of the branch's start. */
CAB_INLINE void cab_stiff_follow(global cab_stiff_node *node, int count, int ends, vec3 moved)
{
    for (int k = 1; k < count; k++) {
        vec3 q = cab_sym3_times(cab_sym3_load(node[k - 1].coupling), moved);
        real w = vec3_dot(vec3_at(node[k - 1].u), moved);
        if (k == count - 1 && ends) {
            node[k].pull -= node[k].pivot * w;
            return;
        }
        vec3 y = vec3_at(node[k].y);
        node[k].pull += vec3_dot(y, q) - node[k].pivot * w;
        moved = vec3_add_scaled(cab_sym3_times(cab_sym3_load(node[k].inverse), q), w, y);
        vec3_put(node[k].z, vec3_add(vec3_at(node[k].z), moved));
    }
}

/* Computes tensions and places inside the branches. off_branch: a length is still
 * off. */
CAB_BLOCK_KERNEL(stiff_substitute, global const cab_params *params, global float4 *branch_state,
                 global cab_stiff_node *stiff_node, global float4 *offset, global float *distance_lambda,
                 global int *off_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const float4 *junction_move, global const int *order, global const int *stiff,
                 global const int *hard)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int first_order = order[own.component], shift = first_order ? params->node_count : 0;
    int last = own.first + own.count - 1, any = 0, taut = own.taut | hard[own.component];
    if (stiff[own.component] != CAB_STIFF_MOVES || (argument & CAB_NEWTON_SPANS && own.span)) return;
    real per_h = cab_per_h(first_order), tension = 0;
    cab_stiff_reach reach = cab_stiff_reach_none();
    vec3 next = vec3_zero(), start = own.start >= 0 ? vec3_of(junction_move[own.start]) : next;
    if (own.start >= 0) cab_stiff_follow(stiff_node + i + own.first, own.count, own.end >= 0, start);
    for (int k = last; k >= own.first; k--) {
        global cab_stiff_node *node = stiff_node + i + k;
        cab_branch_node at = branch_node[k];
        vec3 follows = vec3_zero(), u = vec3_zero(), moved;
        real before = 0;
        int at_start = k == own.first && own.start >= 0, at_end = k == last && own.end >= 0;
        if (k < last) {
            u = vec3_at(node->u);
            follows = vec3_add_scaled(cab_sym3_times(cab_sym3_load(node->coupling), next), tension, u);
            before = argument & CAB_NEWTON_GOES_ON ? branch_state[2 * k + 1].w : 0;
            real total = before - tension;
            branch_state[2 * k + 1] = CAB_FLOAT4(0, 0, 0, total);
            distance_lambda[at.distance] = total * per_h;
        }
        if (at_start)
            moved = start;
        else if (at_end)
            moved = vec3_of(junction_move[own.end]);
        else
            moved = vec3_add(vec3_at(node->z), cab_sym3_times(cab_sym3_load(node->inverse), follows));
        if (k < last) {
            vec3 change = vec3_sub(next, moved), r = vec3_add(vec3_scale(u, node->length), change);
            cab_stiff_reach_add(&reach, change, at.rest, node->length);
            real wanted = at.wanted - at.compliance * per_h * branch_state[2 * k + 1].w;
            any = cab_length_off_by(any, r, wanted, taut ? CAB_TAUT_ERROR : CAB_LENGTH_ERROR);
        }
        if (k > own.first) tension = node->pull + vec3_dot(vec3_at(node->y), at_end ? moved : follows);
        cab_stiff_note(node, vec3_of(offset[at.particle]), before);
        if (!at_start && !at_end && branch_factor[k + shift].weight > 0) {
            vec3 e = vec3_add(vec3_of(offset[at.particle]), moved);
            offset[at.particle] = CAB_FLOAT4(e.x, e.y, e.z, 0);
        }
        next = moved;
    }
    if (reach.wild) {
        cab_stiff_shorten(own, reach.most, stiff_node + i, branch_node, branch_factor + shift, per_h, offset,
                          branch_state, distance_lambda);
        any = 1;
    }
    off_branch[i] = any;
}

/* Notes what the contacts of a segment have come to. Returns CAB_OUTCOME_... */
CAB_INLINE int cab_stiff_judge_contacts(global const cab_contact *c, int count, cab_segment own,
                                        global const float4 *offset)
{
    vec3 a = vec3_of(offset[own.a]), b = vec3_of(offset[own.b]);
    int outcome = 0;
    for (int k = 0; k < count; k++) {
        vec3 n = vec3_make(c[k].nx, c[k].ny, c[k].nz);
        if (c[k].lambda > 0) outcome |= CAB_OUTCOME_PRESSED;
        if (c[k].gap + vec3_dot(n, vec3_mix(a, b, c[k].t)) < -CAB_STIFF_DEEP * own.radius)
            outcome |= CAB_OUTCOME_DEEP;
    }
    return outcome;
}

/* Does a contact of this segment with another one press? */
CAB_INLINE int cab_stiff_pressed(global const float *contact, global const cab_share *share, int count)
{
    int any = 0;
    for (int k = 0; k < count; k++) {
        int c = share[k].contact;
        any |= contact[cab_contact_index(c, CAB_CONTACT_LAMBDA)] > 0;
    }
    return any;
}

/* Does a component take part in stiff_judge and stiff_end? */
CAB_INLINE int cab_stiff_is_judged(int order, int stiff, int lost)
{
    return order != CAB_ORDER_ASLEEP && (stiff != CAB_STIFF_NOT || lost);
}

/* Notes what a branch has come to at the end of a substep's passes. A piece of a substep is judged by the lengths that it is to keep
 * (pace_lengths), not by what is left to later ones. Flags: CAB_STIFF_NEAR, _CLUSTERS */
CAB_BLOCK_KERNEL(stiff_judge, global int *outcome, global const int *lost,
                 global const cab_contact *near_contact, global const int *near_start,
                 global const int *near_count, global const cab_segment *segment,
                 global const float4 *position, global const float4 *offset,
                 global const float4 *branch_state, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const float *contact,
                 global const cab_share *share, global const int *share_start, global const int *share_count,
                 global const int *order, global const int *stiff, global const int *paired)
{
    CAB_ITEM(i);
    cab_branch own = branch[i];
    int out = 0, c = own.component;
    if (!cab_stiff_is_judged(order[c], stiff[c], lost[c])) return;
    real per_h = cab_per_h(order[c]);
    for (int k = own.first; k < own.first + own.count - 1; k++) {
        cab_branch_node node = branch_node[k];
        int p = node.particle, q = branch_node[k + 1].particle;
        vec3 r =
            cab_between(vec3_of(position[p]), vec3_of(offset[p]), vec3_of(position[q]), vec3_of(offset[q]));
        real wanted = node.wanted - node.compliance * per_h * branch_state[2 * k + 1].w;
        if (cab_length_off_by(0, r, wanted, CAB_STIFF_LOST)) out |= CAB_OUTCOME_OFF;
        if (argument & CAB_STIFF_NEAR)
            out |= cab_stiff_judge_contacts(near_contact + near_start[node.segment], near_count[node.segment],
                                            segment[node.segment], offset);
        if (argument & CAB_STIFF_CLUSTERS && paired[c] &&
            cab_stiff_pressed(contact, share + share_start[node.segment], share_count[node.segment]))
            out |= CAB_OUTCOME_PRESSED;
    }
    outcome[i] = out;
}

/* Notes where contacts press on a component (touched), and where lengths cannot
 * be met (lost: substeps in a row).
 * Where that happens CAB_STIFF_OFTEN times the component goes on by direct_lengths.cl, in which particles that
 * are torn to and fro count as heavier, until lengths are met and overlaps with colliders are small. */
CAB_BLOCK_KERNEL(stiff_end, global int *touched, global int *lost, global const int *outcome,
                 global const int *component_branch_start, global const int *component_branch,
                 global const int *order, global const int *stiff)
{
    CAB_ITEM(i);
    int out = 0;
    if (!cab_stiff_is_judged(order[i], stiff[i], lost[i])) return;
    for (int j = component_branch_start[i]; j < component_branch_start[i + 1]; j++)
        out |= outcome[component_branch[j]];
    if (stiff[i] != CAB_STIFF_NOT) {
        touched[i] |= (out & CAB_OUTCOME_PRESSED) != 0;
        lost[i] = out & CAB_OUTCOME_OFF ? lost[i] + 1 : 0;
    } else if (!(out & (CAB_OUTCOME_OFF | CAB_OUTCOME_DEEP))) {
        lost[i] = 0;
    }
}
