/* From segments to paths. */
#include "board/tree.h"

#include <stdlib.h>

#include "base/array.h"

/* What walking the tree from some node finds. */
typedef struct walk {
    int *order, *by; /* nodes as they are reached; the edge by which, -1 = the first */
    int count;
    double *far;   /* [node] from the first */
    double *deep;  /* [node] to the furthest leaf behind it */
    double *heavy; /* [node] of all segments behind it */
    bool *seen;    /* [node] */
} walk;

static int root_of(int *parent, int node)
{
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

static bool is_drawn(const cab_layout_edge *edge)
{
    return edge->start >= 0 && edge->end >= 0 && edge->length > 0;
}

/* Which edges close loops: thick and long ones are kept before others, so each is tried in turn of width, then of length. */
static int compare_edges(const void *a, const void *b)
{
    const cab_layout_edge *p = *(const cab_layout_edge *const *)a, *q = *(const cab_layout_edge *const *)b;
    if (p->width != q->width) return p->width > q->width ? -1 : 1;
    if (p->length != q->length) return p->length > q->length ? -1 : 1;
    return p < q ? -1 : p > q;
}

static cab_status cut_loops(cab_tree *tree, cab_layout *layout, cab_error *error)
{
    int *parent = NULL;
    cab_layout_edge **order = NULL;
    cab_status status = CAB_NEW(parent, layout->node_count, error);
    if (!status) status = CAB_NEW(order, layout->edge_count, error);
    if (!status) status = CAB_NEW(tree->end, layout->edge_count, error);
    tree->node_count = layout->node_count;
    for (int i = 0; i < layout->node_count && !status; i++) parent[i] = i;
    for (int i = 0; i < layout->edge_count && !status; i++) order[i] = &layout->edges[i];
    if (!status) qsort(order, (size_t)layout->edge_count, sizeof *order, compare_edges);
    for (int i = 0; i < layout->edge_count && !status; i++) {
        cab_layout_edge *edge = order[i];
        int index = (int)(edge - layout->edges);
        tree->end[index] = edge->end;
        if (!is_drawn(edge)) continue;
        int a = root_of(parent, edge->start), b = root_of(parent, edge->end);
        edge->cut = a == b;
        layout->cuts += edge->cut;
        if (edge->cut) tree->end[index] = tree->node_count++;
        parent[a] = b;
    }
    CAB_FREE(parent, order);
    return status;
}

static cab_status list_around(cab_tree *tree, const cab_layout *layout, cab_error *error)
{
    cab_status status = CAB_NEW(tree->near, tree->node_count + 1, error);
    if (!status) status = CAB_NEW(tree->around, 2 * layout->edge_count, error);
    for (int pass = 0; pass < 2 && !status; pass++) {
        for (int i = layout->edge_count - 1; i >= 0; i--) {
            const cab_layout_edge *edge = &layout->edges[i];
            if (!is_drawn(edge)) continue;
            int ends[2] = {edge->start, tree->end[i]};
            for (int k = 0; k < 2; k++) {
                if (pass)
                    tree->around[--tree->near[ends[k]]] = i;
                else
                    tree->near[ends[k]]++;
            }
        }
        for (int i = 1; i <= tree->node_count && !pass; i++) tree->near[i] += tree->near[i - 1];
    }
    return status;
}

static int other_end(const cab_tree *tree, const cab_layout *layout, int edge, int node)
{
    return layout->edges[edge].start == node ? tree->end[edge] : layout->edges[edge].start;
}

/* Reaches all nodes from one, and looks back from the last to the first. */
static void walk_from(walk *w, const cab_tree *tree, const cab_layout *layout, int first)
{
    w->count = 0;
    w->order[w->count++] = first;
    w->by[first] = -1, w->far[first] = 0;
    for (int i = 0; i < w->count; i++) {
        int node = w->order[i];
        w->deep[node] = w->heavy[node] = 0;
        for (int k = tree->near[node]; k < tree->near[node + 1]; k++) {
            int edge = tree->around[k], next = other_end(tree, layout, edge, node);
            if (edge == w->by[node]) continue;
            w->by[next] = edge;
            w->far[next] = w->far[node] + layout->edges[edge].length;
            w->order[w->count++] = next;
        }
    }
    for (int i = w->count - 1; i > 0; i--) {
        int node = w->order[i], edge = w->by[node], before = other_end(tree, layout, edge, node);
        double length = layout->edges[edge].length;
        w->heavy[before] += w->heavy[node] + length;
        w->deep[before] = fmax(w->deep[before], w->deep[node] + length);
    }
}

static int furthest(const walk *w)
{
    int best = w->order[0];
    for (int i = 1; i < w->count; i++)
        if (w->far[w->order[i]] > w->far[best]) best = w->order[i];
    return best;
}

/* Of the edges that lead on from a node that with the longest way behind it; -1 = none. Walked edges lead back. */
static int longest_on(const walk *w, const cab_tree *tree, const cab_layout *layout, int node)
{
    int best = -1;
    double most = -1;
    for (int k = tree->near[node]; k < tree->near[node + 1]; k++) {
        int edge = tree->around[k], next = other_end(tree, layout, edge, node);
        if (edge == w->by[node]) continue;
        double length = layout->edges[edge].length + w->deep[next];
        if (length > most) most = length, best = edge;
    }
    return best;
}

/* A path from a node over an edge on to the furthest leaf; what branches off it is listed, too. */
static void add_path(cab_tree *tree, const cab_layout *layout, const walk *w, int from, int edge,
                     int *step_count)
{
    cab_tree_path *path = &tree->paths[tree->path_count++];
    *path = (cab_tree_path){
        .from = from, .steps = &tree->steps[*step_count], .tree = tree->trees, .trunk = from == w->order[0]};
    int node = from;
    path->weight = layout->edges[edge].length + w->heavy[other_end(tree, layout, edge, from)];
    for (; edge >= 0; edge = longest_on(w, tree, layout, node)) {
        tree->steps[(*step_count)++] = (cab_tree_step){edge, layout->edges[edge].start != node};
        path->count++;
        path->length += layout->edges[edge].length;
        node = other_end(tree, layout, edge, node);
    }
}

/* Paths of a tree: those found look for others on their way. */
static void list_paths(cab_tree *tree, const cab_layout *layout, const walk *w, int *step_count)
{
    int next = tree->path_count;
    add_path(tree, layout, w, w->order[0], tree->around[tree->near[w->order[0]]], step_count);
    for (; next < tree->path_count; next++) {
        int node = tree->paths[next].from;
        for (int i = 0; i < tree->paths[next].count; i++) {
            const cab_tree_step *steps = tree->paths[next].steps;
            node = other_end(tree, layout, steps[i].edge, node);
            int on = i + 1 < tree->paths[next].count ? steps[i + 1].edge : -1;
            for (int k = tree->near[node]; k < tree->near[node + 1]; k++) {
                int edge = tree->around[k];
                if (edge == steps[i].edge || edge == on) continue;
                add_path(tree, layout, w, node, edge, step_count);
                const cab_tree_path *made = &tree->paths[tree->path_count - 1];
                tree->paths[next].longest = fmax(tree->paths[next].longest, made->length);
            }
        }
    }
}

static int compare_paths(const void *a, const void *b)
{
    const cab_tree_path *p = a, *q = b;
    if (p->tree != q->tree) return p->tree - q->tree;
    if (p->trunk != q->trunk) return p->trunk ? -1 : 1;
    if (p->weight != q->weight) return p->weight > q->weight ? -1 : 1;
    return p->steps < q->steps ? -1 : p->steps > q->steps;
}

/* The trunk begins at the end that the file names first. */
static void take_tree(cab_tree *tree, const cab_layout *layout, walk *w, int node, int *step_count)
{
    walk_from(w, tree, layout, node);
    int one = furthest(w);
    walk_from(w, tree, layout, one);
    int two = furthest(w);
    walk_from(w, tree, layout, one < two ? one : two);
    for (int i = 0; i < w->count; i++) w->seen[w->order[i]] = true;
    list_paths(tree, layout, w, step_count);
    tree->trees++;
}

static cab_status find_paths(cab_tree *tree, const cab_layout *layout, cab_error *error)
{
    walk w = {0};
    int nodes = tree->node_count, step_count = 0;
    cab_status status = CAB_NEW(w.order, nodes, error);
    if (!status) status = CAB_NEW(w.by, nodes, error);
    if (!status) status = CAB_NEW(w.far, nodes, error);
    if (!status) status = CAB_NEW(w.deep, nodes, error);
    if (!status) status = CAB_NEW(w.heavy, nodes, error);
    if (!status) status = CAB_NEW(w.seen, nodes, error);
    if (!status) status = CAB_NEW(tree->steps, layout->edge_count, error);
    if (!status) status = CAB_NEW(tree->paths, layout->edge_count, error);
    for (int node = 0; node < nodes && !status; node++)
        if (!w.seen[node] && tree->near[node + 1] > tree->near[node])
            take_tree(tree, layout, &w, node, &step_count);
    if (!status) qsort(tree->paths, (size_t)tree->path_count, sizeof *tree->paths, compare_paths);
    CAB_FREE(w.order, w.by, w.far, w.deep, w.heavy, w.seen);
    return status;
}

cab_status cab_tree_make(cab_tree *tree, cab_layout *layout, cab_error *error)
{
    *tree = (cab_tree){0};
    cab_status status = cut_loops(tree, layout, error);
    if (!status) status = list_around(tree, layout, error);
    if (!status) status = find_paths(tree, layout, error);
    return status;
}

void cab_tree_free(cab_tree *tree)
{
    CAB_FREE(tree->near, tree->around, tree->end, tree->steps, tree->paths);
    *tree = (cab_tree){0};
}
