/* impulse: the impulses of the contacts of clusters (equations: cluster.cl). */
#include "stiff.h"
#include "touch.h"

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

/* A = L + L^T of two rows' blocks, `parts` times. x: what row r of L has in column c; y: row c in column r */
CAB_INLINE void cab_cluster_turn_pair(global float *x, global float *y, int stride, real parts)
{
    real sum[9];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            sum[3 * a + b] = parts * (x[(3 * a + b) * stride] + y[(3 * b + a) * stride]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            y[(3 * a + b) * stride] = sum[3 * a + b];
            x[(3 * b + a) * stride] = sum[3 * a + b];
        }
}

/* A from L (delassus.cl), by groups of rows: column after column, entry after entry, row after row. Where a component has
 * several blocks, what its blocks do to each other is left out, and each counts as many times: such a sum is never smaller than
 * the whole operator, so that impulses come nearer to those of the whole in every pass. */
CAB_BLOCK_KERNEL(cluster_turn, global float *delassus, global const cab_cluster_rows *cluster_rows,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_cluster_rows own = cluster_rows[i];
    if (stiff[own.component] != CAB_STIFF_MOVES) return;
    int start = i * CAB_CLUSTER_GROUP - own.first, stride = cab_cluster_stride(own.count);
    int end = start + CAB_CLUSTER_GROUP < own.count ? start + CAB_CLUSTER_GROUP : own.count;
    global float *matrix = delassus + own.matrix;
    for (int tile = 0; tile <= start; tile += CAB_CLUSTER_GROUP)
        for (int r = start; r < end; r++)
            for (int c = tile; c < tile + CAB_CLUSTER_GROUP && c <= r; c++)
                cab_cluster_turn_pair(matrix + r * 9 * stride + c, matrix + c * 9 * stride + r, stride,
                                      (float)own.parts);
}

/* Of what a contact overlaps more than it may at the start of a substep, this share is recovered in it. Where a knot is tight
 * all contacts at once cannot recover, whatever the force; but they can always stay as they were. */
#define CAB_CLUSTER_RECOVERS 0.02f

/* By how much d . A d may be less than 0, of what it could be, and more than |g . d|: see cab_cluster_sound. Friction and sweeps that
 * have not settled are within that. */
#define CAB_CLUSTER_BACK 0.1f
#define CAB_CLUSTER_FAR 100.0f

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

/* Floats of a contact in cluster_state: */
#define CAB_IMPULSE 0        /* z, kg m */
#define CAB_IMPULSE_FIRST 3  /* z at the start of the pass, */
#define CAB_IMPULSE_BEFORE 6 /* and before the sweep */
#define CAB_AHEAD 9          /* the direction that sweeps go in */
#define CAB_NORMAL 12
#define CAB_START 15       /* as CAB_CONTACT_START */
#define CAB_SLIDE_FIRST 18 /* how far its points had moved against each other at the start of the pass, m */
#define CAB_GAP 21         /* that for which the gap is what it shall be, along the normal, m */
#define CAB_FRICTION 22
#define CAB_ALONG                                                                                            \
    23 /* how far an impulse of 1 along the normal moves it along the normal; 0: both points are held, 1/kg */
#define CAB_ACROSS 24 /* at least what any tangent has */
#define CAB_OWN 25    /* its own block of A */

/* Numbers of a row in cluster_slide, number by number: how far impulses of the pass have moved the contact's points, the same
 * before the sweep, and how far the direction moves them; m. */
#define CAB_SLIDE 0
#define CAB_SLIDE_BEFORE 3
#define CAB_AHEAD_SLIDE 6

/* What sweeps over a cluster read and write. */
typedef struct cab_cluster_view {
    int first, count; /* its contacts in list */
    int root;
    int rows; /* of all clusters */
    global const int *list, *row;
    global const cab_cluster *cluster;
    global const cab_cluster_rows *block;
    global const float *matrix;
    global float *state, *slide;
} cab_cluster_view;

CAB_INLINE global float *cab_cluster_at(const cab_cluster_view *v, int k, int what)
{
    return v->state + CAB_CLUSTER_STATE * (v->first + k) + what;
}

/* Number `what` of a row, three of them. */
CAB_INLINE vec3 cab_cluster_of_row(const cab_cluster_view *v, int row, int what)
{
    if (row < 0) return vec3_zero();
    global const float *from = v->slide + what * v->rows + row;
    return vec3_make(from[0], from[v->rows], from[2 * v->rows]);
}

/* The same of contact k, which has a row of each of its cables. */
CAB_INLINE vec3 cab_cluster_of_both(const cab_cluster_view *v, int k, int what)
{
    global const int *row = v->row + 2 * v->list[v->first + k];
    return vec3_add(cab_cluster_of_row(v, row[0], what), cab_cluster_of_row(v, row[1], what));
}

/* Moves the rows of a block by a change of the impulse of one. */
CAB_INLINE void cab_cluster_spread(const cab_cluster_view *v, int row, vec3 change)
{
    if (row < 0) return;
    cab_cluster_rows own = v->block[row / CAB_CLUSTER_GROUP];
    int stride = cab_cluster_stride(own.count);
    global const float *m = v->matrix + own.matrix + (row - own.first) * 9 * stride;
    global float *x = v->slide + own.first, *y = x + v->rows, *z = y + v->rows;
    CAB_VECTOR_LOOP(r, own.count)
    {
        global const float *at = m + r;
        x[r] = x[r] + (at[0] * change.x + at[stride] * change.y + at[2 * stride] * change.z);
        y[r] = y[r] + (at[3 * stride] * change.x + at[4 * stride] * change.y + at[5 * stride] * change.z);
        z[r] = z[r] + (at[6 * stride] * change.x + at[7 * stride] * change.y + at[8 * stride] * change.z);
    }
}

/* The impulse of a contact for which gap and slip fit, if the others keep theirs. slide: that now */
CAB_INLINE vec3 cab_cluster_touch(global const float *own, vec3 z, vec3 slide)
{
    vec3 n = vec3_at(own + CAB_NORMAL);
    real lambda = vec3_dot(n, z), along = own[CAB_ALONG], across = own[CAB_ACROSS];
    if (!(along > 0) || !(across > 0)) return z;
    real normal = real_max(0, lambda - (own[CAB_GAP] + vec3_dot(n, slide)) / along);
    slide = vec3_add_scaled(slide, normal - lambda, cab_sym3_times(cab_sym3_load(own + CAB_OWN), n));
    vec3 slip = vec3_sub(slide, vec3_at(own + CAB_START));
    slip = vec3_sub_scaled(slip, vec3_dot(n, slip), n);
    vec3 tangent = vec3_sub_scaled(vec3_sub_scaled(z, lambda, n), 1 / across, slip);
    real size = vec3_length(tangent), limit = own[CAB_FRICTION] * normal;
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
        vec3 slide = vec3_add(vec3_at(own + CAB_SLIDE_FIRST), cab_cluster_of_both(v, k, CAB_SLIDE));
        vec3 now = cab_cluster_touch(own, z, slide);
        vec3 change = vec3_sub(now, z);
        if (change.x == 0 && change.y == 0 && change.z == 0) continue;
        vec3_put(own + CAB_IMPULSE, now);
        global const int *row = v->row + 2 * v->list[v->first + k];
        cab_cluster_spread(v, row[0], change);
        cab_cluster_spread(v, row[1], change);
        vec3 moved = cab_sym3_times(cab_sym3_load(own + CAB_OWN), change);
        farthest = real_max(farthest, vec3_dot(moved, moved));
    }
    return farthest;
}

/* Notes impulses and slides before a sweep. */
CAB_INLINE void cab_cluster_note(const cab_cluster_view *v)
{
    for (int k = 0; k < v->count; k++) {
        global float *own = cab_cluster_at(v, k, 0);
        vec3_put(own + CAB_IMPULSE_BEFORE, vec3_at(own + CAB_IMPULSE));
    }
    for (int c = v->root; c >= 0; c = v->cluster[c].next) {
        cab_cluster own = v->cluster[c];
        for (int i = 0; i < 3; i++) {
            global float *from = v->slide + i * v->rows + own.row, *to = from + CAB_SLIDE_BEFORE * v->rows;
            CAB_VECTOR_LOOP(r, own.rows) to[r] = from[r];
        }
    }
}

/* After a sweep: how much it has changed, summed squares. */
CAB_INLINE real cab_cluster_change(const cab_cluster_view *v)
{
    real sum = 0;
    for (int k = 0; k < v->count; k++) {
        global const float *own = cab_cluster_at(v, k, 0);
        vec3 d = vec3_sub(vec3_at(own + CAB_IMPULSE), vec3_at(own + CAB_IMPULSE_BEFORE));
        vec3 m = vec3_sub(cab_cluster_of_both(v, k, CAB_SLIDE), cab_cluster_of_both(v, k, CAB_SLIDE_BEFORE));
        sum += real_max(0, vec3_dot(d, m));
    }
    return sum;
}

/* Goes further by `share` of the last direction, which becomes that and the sweep's change. */
CAB_INLINE void cab_cluster_go(const cab_cluster_view *v, real share)
{
    for (int k = 0; k < v->count; k++) {
        global float *own = cab_cluster_at(v, k, 0);
        vec3 ahead = vec3_scale(vec3_at(own + CAB_AHEAD), share), z = vec3_at(own + CAB_IMPULSE);
        vec3_put(own + CAB_AHEAD, vec3_sub(vec3_add(ahead, z), vec3_at(own + CAB_IMPULSE_BEFORE)));
        vec3_put(own + CAB_IMPULSE, vec3_add(z, ahead));
    }
    for (int c = v->root; c >= 0; c = v->cluster[c].next) {
        cab_cluster own = v->cluster[c];
        for (int i = 0; i < 3; i++) {
            global float *slide = v->slide + i * v->rows + own.row;
            global float *before = slide + CAB_SLIDE_BEFORE * v->rows,
                         *to = slide + CAB_AHEAD_SLIDE * v->rows;
            CAB_VECTOR_LOOP(r, own.rows)
            {
                real ahead = share * to[r];
                to[r] = ahead + slide[r] - before[r];
                slide[r] = slide[r] + ahead;
            }
        }
    }
}

/* Sweeps until no contact moves any more, made faster by conjugate directions: M. Silcowitz-Hansen, S. Niebe, K. Erleben, A
 * nonsmooth nonlinear conjugate gradient method for interactive contact force problems (2010),
 * doi 10.1007/s00371-010-0502-6. */
CAB_INLINE void cab_cluster_sweeps(const cab_cluster_view *v, int most, real settled)
{
    real last = 0;
    for (int sweep = 0; sweep < most; sweep++) {
        cab_cluster_note(v);
        if (!(cab_cluster_sweep(v) > settled * settled)) return;
        if (sweep + 1 == most) return;
        real change = cab_cluster_change(v);
        cab_cluster_go(v, change < last ? change / last : 0);
        last = change;
    }
}

/* Have the sweeps stayed near the solution? Impulses that get nearer to it change by d, where the contacts are off by g, so that
 * 0 <= d . A d <= 2 |g . d|. Where the elimination has lost small numbers to large ones A is not like that, and they run away. */
CAB_INLINE int cab_cluster_sound(const cab_cluster_view *v)
{
    real work = 0, most = 0, asked = 0;
    for (int k = 0; k < v->count; k++) {
        global const float *own = cab_cluster_at(v, k, 0);
        vec3 change = vec3_sub(vec3_at(own + CAB_IMPULSE), vec3_at(own + CAB_IMPULSE_FIRST));
        vec3 moved = cab_cluster_of_both(v, k, CAB_SLIDE), slide = vec3_at(own + CAB_SLIDE_FIRST);
        vec3 n = vec3_at(own + CAB_NORMAL), slip = vec3_sub(slide, vec3_at(own + CAB_START));
        vec3 off = vec3_add_scaled(slip, own[CAB_GAP] + vec3_dot(n, slide) - vec3_dot(n, slip), n);
        work = work + vec3_dot(change, moved);
        most = most + vec3_length(change) * vec3_length(moved);
        asked = asked + vec3_length(change) * vec3_length(off);
    }
    return work >= -CAB_CLUSTER_BACK * most && work <= CAB_CLUSTER_FAR * asked;
}

/* The block of a row on the diagonal of A. */
CAB_INLINE cab_sym3 cab_cluster_diagonal(const cab_cluster_view *v, int row)
{
    if (row < 0) return cab_sym3_of(0);
    cab_cluster_rows own = v->block[row / CAB_CLUSTER_GROUP];
    int stride = cab_cluster_stride(own.count), r = row - own.first;
    global const float *m = v->matrix + own.matrix + r * 9 * stride + r;
    cab_sym3 d = {m[0], m[4 * stride], m[8 * stride], m[stride], m[2 * stride], m[5 * stride]};
    return d;
}

/* Takes a contact as the Newton pass has left it. */
CAB_INLINE void cab_cluster_take(const cab_cluster_view *v, int k, global const float *at, int4 end,
                                 global const float4 *offset)
{
    global float *own = cab_cluster_at(v, k, 0);
    vec3 n = cab_contact_vector(at, CAB_CONTACT_NORMAL), start = cab_contact_vector(at, CAB_CONTACT_START);
    vec3 z = vec3_add_scaled(cab_contact_vector(at, CAB_CONTACT_FORCE), at[CAB_CONTACT_LAMBDA * CAB_ROW], n);
    real gap = at[CAB_CONTACT_GAP * CAB_ROW];
    global const int *row = v->row + 2 * v->list[v->first + k];
    cab_sym3 block = cab_sym3_add(cab_cluster_diagonal(v, row[0]), cab_cluster_diagonal(v, row[1]));
    vec3_put(own + CAB_IMPULSE, z);
    vec3_put(own + CAB_IMPULSE_FIRST, z);
    vec3_put(own + CAB_AHEAD, vec3_zero());
    vec3_put(own + CAB_NORMAL, n);
    vec3_put(own + CAB_START, start);
    vec3_put(own + CAB_SLIDE_FIRST, cab_contact_slide(end, at, offset));
    own[CAB_GAP] = gap - (1 - CAB_CLUSTER_RECOVERS) * real_min(0, gap + vec3_dot(n, start));
    own[CAB_FRICTION] = at[CAB_CONTACT_FRICTION * CAB_ROW];
    own[CAB_ALONG] = vec3_dot(n, cab_sym3_times(block, n));
    own[CAB_ACROSS] = block.xx + block.yy + block.zz - own[CAB_ALONG];
    cab_sym3_store(own + CAB_OWN, block);
}

/* How many sweeps a cluster gets: by how many blocks a sweep goes through. */
CAB_INLINE int cab_cluster_most(const cab_cluster_view *v)
{
    int work = 0;
    for (int c = v->root; c >= 0 && work < CAB_CLUSTER_WORK; c = v->cluster[c].next) {
        int rows = v->cluster[c].rows, block = v->block[v->cluster[c].row / CAB_CLUSTER_GROUP].count;
        work = rows < CAB_CLUSTER_WORK / block ? work + rows * block : CAB_CLUSTER_WORK;
    }
    int most = CAB_CLUSTER_WORK / (work > 1 ? work : 1);
    if (most > CAB_CLUSTER_SWEEPS) most = CAB_CLUSTER_SWEEPS;
    return most < CAB_CLUSTER_LEAST ? CAB_CLUSTER_LEAST : most;
}

/* The impulses of each cluster. effect: by how much they change in this pass. argument: rows of all clusters */
CAB_BLOCK_KERNEL(cluster_solve, global const cab_params *params, global float4 *effect, global float *contact,
                 global float *cluster_state, global float *cluster_slide, global const int4 *contact_end,
                 global const cab_cluster *cluster, global const cab_cluster_rows *cluster_rows,
                 global const int *cluster_root, global const int *cluster_list,
                 global const int *cluster_row, global const float *delassus, global const float4 *offset,
                 global const int *paired, global const int *stiff)
{
    CAB_ITEM(i);
    if (!paired[i] || cluster_root[i] != i || stiff[i] != CAB_STIFF_MOVES) return;
    cab_cluster_view v = {
        cluster[i].first, cluster[i].count, i,        argument,      cluster_list, cluster_row,
        cluster,          cluster_rows,     delassus, cluster_state, cluster_slide};
    for (int c = i; c >= 0; c = cluster[c].next)
        for (int k = 0; k < CAB_CLUSTER_ROW_STATE; k++)
            CAB_VECTOR_LOOP(r, cluster[c].rows) cluster_slide[k * argument + cluster[c].row + r] = 0;
    for (int k = 0; k < v.count; k++) {
        int c = cluster_list[v.first + k];
        cab_cluster_take(&v, k, cab_contact_at(contact, c), contact_end[c], offset);
    }
    cab_cluster_sweeps(&v, cab_cluster_most(&v), params->slip_least);
    int from = cab_cluster_sound(&v) ? CAB_IMPULSE : CAB_IMPULSE_FIRST; /* else they stay as they were */
    for (int k = 0; k < v.count; k++) {
        global float *own = cab_cluster_at(&v, k, 0);
        vec3 z = vec3_at(own + from), n = vec3_at(own + CAB_NORMAL);
        int c = cluster_list[v.first + k];
        global float *at = cab_contact_at(contact, c);
        real normal = real_max(0, vec3_dot(n, z));
        at[CAB_CONTACT_LAMBDA * CAB_ROW] = normal;
        cab_row_put(at, CAB_CONTACT_FORCE, 0, vec3_sub_scaled(z, normal, n));
        effect[c] = cab_with(vec3_sub(z, vec3_at(own + CAB_IMPULSE_FIRST)), 0);
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
    cab_stiff_reach reach = cab_stiff_reach_none();
    cab_cluster_condense(own, stiff_node + i, branch_node, pair_force);
    for (int k = last; k >= own.first; k--) {
        global cab_stiff_node *node = stiff_node + i + k;
        cab_branch_node at = branch_node[k];
        vec3 follows = vec3_zero();
        if (k < last)
            follows = vec3_add_scaled(cab_sym3_times(cab_sym3_load(node->coupling), next), tension,
                                      vec3_at(node->u));
        vec3 moved = vec3_add(vec3_at(node->z), cab_sym3_times(cab_sym3_load(node->inverse), follows));
        vec3 e = vec3_of(offset[at.particle]), before = e;
        real pull = node->pull;
        cab_stiff_note(node, before, k < last ? branch_state[2 * k + 1].w : 0);
        if (branch_factor[k + shift].weight > 0) e = vec3_add(e, moved);
        offset[at.particle] = cab_with(e, 0);
        if (k < last) {
            int q = branch_node[k + 1].particle;
            real total = branch_state[2 * k + 1].w - tension;
            cab_stiff_reach_add(&reach, vec3_sub(next, moved), at.rest, node->length);
            vec3 r = cab_between(vec3_of(position[at.particle]), e, vec3_of(position[q]), vec3_of(offset[q]));
            branch_state[2 * k + 1] = CAB_FLOAT4(0, 0, 0, total);
            distance_lambda[at.distance] = total * per_h;
            real wanted = at.wanted - at.compliance * per_h * total;
            any = cab_length_off_by(any, r, wanted, own.taut ? CAB_TAUT_ERROR : CAB_LENGTH_ERROR);
        }
        tension = pull + vec3_dot(vec3_at(node->y), follows);
        next = moved;
    }
    if (reach.wild) {
        cab_stiff_shorten(own, reach.most, stiff_node + i, branch_node, branch_factor + shift, per_h, offset,
                          branch_state, distance_lambda);
        any = 1;
    }
    off_branch[i] = any;
}
