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
#include "direct.h"

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
    int fast = params->h < CAB_PACE_PIECE * params->pace_h;
    burden[i] = pulls ? CAB_BURDEN_HARD : fast ? CAB_BURDEN_FAST : CAB_BURDEN_LIGHT;
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

/* Joins components that a contact connects: towards the lowest one. Counts the contacts and rows of each. */
CAB_INLINE void cab_cluster_join(const cab_contact_list *l, global int *root, global cab_cluster *cluster)
{
    for (int first = 0; first < l->pairs; first += CAB_ROW) {
        for (int k = first; k < first + l->count[first / CAB_ROW]; k++) {
            int own = cab_awake_of(l, k), a = l->component[l->end[k].x], b = l->component[l->end[k].z];
            if (own < 0) continue;
            cluster[own].count++;
            cluster[own].rows++;
            if (a == b || l->order[a] == CAB_ORDER_ASLEEP || l->order[b] == CAB_ORDER_ASLEEP) continue;
            cluster[a == own ? b : a].rows++;
            a = cab_cluster_root(root, a);
            b = cab_cluster_root(root, b);
            if (a < b) root[b] = a;
            if (b < a) root[a] = b;
        }
    }
}

/* Writes each contact into the list of its cluster. */
CAB_INLINE void cab_cluster_list(const cab_contact_list *l, global int *root, global cab_cluster *cluster,
                                 global const int *paired, global int *list, global int *row)
{
    for (int first = 0; first < l->pairs; first += CAB_ROW) {
        for (int k = first; k < first + l->count[first / CAB_ROW]; k++) {
            int own = cab_awake_of(l, k);
            row[2 * k] = row[2 * k + 1] = CAB_CLUSTER_NO_ROW;
            if (own < 0 || !paired[own]) continue;
            int c = cab_cluster_root(root, own);
            row[2 * k] = row[2 * k + 1] = CAB_CLUSTER_NOT_YET;
            list[cluster[c].first + cluster[c].count] = k;
            cluster[c].count++;
        }
    }
}

/* How many rows a block of a component's operator may have, so that there is room for all; 0: for none. */
CAB_INLINE int cab_cluster_block(global const cab_cluster *cluster, global const int *paired, int components)
{
    for (int block = CAB_CLUSTER_BLOCK; block >= CAB_CLUSTER_LEAST_BLOCK; block /= 2) {
        int floats = 0;
        for (int c = 0; c < components && floats >= 0; c++) {
            int own = paired[c] ? cab_cluster_floats(cluster[c].rows, block) : 0;
            floats = own < 0 || floats + own > CAB_CLUSTER_FLOATS ? -1 : floats + own;
        }
        if (floats >= 0) return block;
    }
    return 0;
}

/* Lays the rows of components and their operators one behind the other. */
CAB_INLINE void cab_cluster_lay(global cab_cluster *cluster, global const int *paired, int components,
                                int block, global int *total)
{
    int groups = 0, floats = 0;
    for (int c = 0; c < components; c++) {
        if (!paired[c]) continue;
        cluster[c].row = groups * CAB_CLUSTER_GROUP;
        cluster[c].matrix = floats;
        groups += (cluster[c].rows + CAB_CLUSTER_GROUP - 1) / CAB_CLUSTER_GROUP;
        floats += cab_cluster_floats(cluster[c].rows, block);
    }
    total[CAB_CLUSTERS_GROUPS] = groups;
    total[CAB_CLUSTERS_FLOATS] = floats;
    total[CAB_CLUSTERS_BLOCK] = block;
}

/* Are the contacts of a cluster solved here? If all its cables can be in one, and one is fast or pulls hard; of a large one
 * half of them, since a heap in which a single cable pulls hard would cost many times as much for what is hardly felt. */
CAB_INLINE int cab_cluster_asked(global const cab_cluster *cluster, global const int *burden, int root,
                                 int large)
{
    int cables = 0, asking = 0, hard = 0;
    for (int c = root; c >= 0; c = cluster[c].next) {
        if (burden[c] == CAB_BURDEN_UNFIT) return 0;
        cables++;
        asking += burden[c] >= CAB_BURDEN_FAST;
        hard += burden[c] == CAB_BURDEN_HARD;
    }
    return asking > 0 && (!large || 2 * hard >= cables);
}

/* Finds the clusters; paired[component]: its contacts with segments are solved here. All cables of a cluster are, if
 * cab_cluster_asked. cluster_count: how many clusters, and what they need. One work-item; argument: components.
 * A cluster is kept with its lowest component; members follow in ascending order by `next`. */
CAB_BLOCK_KERNEL(cluster_find, global const cab_params *params, global int *cluster_root,
                 global cab_cluster *cluster, global int *cluster_list, global int *cluster_row,
                 global int *cluster_count, global int *paired, global const int *burden,
                 global const int4 *contact_end, global const int *contact_count, global const int *component,
                 global const int *order)
{
    CAB_ITEM(i);
    int any = 0, contacts = 0, found = 0;
    int small = params->h < CAB_PACE_PIECE * params->pace_h ? CAB_CLUSTER_SMALL_PIECE : CAB_CLUSTER_SMALL;
    cab_contact_list l = {contact_end, contact_count, component, order, params->pair_count};
    cluster_count[i] = 0;
    for (int c = 0; c < argument; c++) {
        cab_cluster none = {0, 0, -1, 0, 0, 0};
        any |= burden[c] >= CAB_BURDEN_FAST;
        paired[c] = 0;
        cluster_root[c] = c;
        cluster[c] = none;
    }
    if (!any) return;
    cab_cluster_join(&l, cluster_root, cluster);
    for (int c = argument - 1; c >= 0; c--) {
        int root = cab_cluster_root(cluster_root, c);
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
        paired[c] = count > 0 && cab_cluster_asked(cluster, burden, c, count > small);
        if (!paired[c]) continue;
        cluster[c].first = contacts;
        contacts += count;
        found++;
    }
    int block = cab_cluster_block(cluster, paired, argument);
    for (int c = 0; c < argument; c++) {
        cluster[c].count = 0;
        if (block == 0) paired[c] = 0;
    }
    if (block == 0) return;
    cab_cluster_lay(cluster, paired, argument, block, cluster_count + i);
    cab_cluster_list(&l, cluster_root, cluster, paired, cluster_list, cluster_row);
    cluster_count[i + CAB_CLUSTERS_FOUND] = found;
    cluster_count[i + CAB_CLUSTERS_CONTACTS] = contacts;
}

/* Numbers the rows of each cable, in the order of its contacts' first places on it. argument: rows of a block */
CAB_BLOCK_KERNEL(cluster_number, global int *cluster_row, global cab_cluster_rows *cluster_rows,
                 global const cab_cluster *cluster, global const int *component_branch_start,
                 global const int *component_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const int4 *contact_end,
                 global const int *component, global const cab_share *share, global const int *share_start,
                 global const int *share_count, global const int *paired)
{
    CAB_ITEM(i);
    if (!paired[i]) return;
    cab_cluster own = cluster[i];
    cab_branch cable = branch[component_branch[component_branch_start[i]]];
    int row = own.row;
    for (int k = cable.first; k < cable.first + cable.count - 1; k++) {
        int s = branch_node[k].segment;
        for (int m = share_start[s]; m < share_start[s] + share_count[s]; m++) {
            int c = share[m].contact;
            global int *to = cluster_row + 2 * c + (component[contact_end[c].x] != i);
            if (*to == CAB_CLUSTER_NOT_YET) *to = row++;
        }
    }
    for (int k = 0; k < own.rows; k += CAB_CLUSTER_GROUP) {
        int before = k / argument * argument, count = own.rows - before;
        cab_cluster_rows rows = {i, own.row + before, count < argument ? count : argument,
                                 own.matrix + before * 9 * argument, (own.rows + argument - 1) / argument};
        cluster_rows[(own.row + k) / CAB_CLUSTER_GROUP] = rows;
    }
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
