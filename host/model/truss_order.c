#include "model/truss_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The graph while it is eliminated. */
typedef struct elimination {
    int **neighbour; /* of living nodes, unsorted, each once */
    int *count, *capacity;
    int *block;                /* the first lists, in one piece */
    int *head, *next, *before; /* living nodes by degree, doubly linked */
    int *mark, stamp;
} elimination;

static void bucket_add(elimination *graph, int node)
{
    int degree = graph->count[node], head = graph->head[degree];
    graph->next[node] = head;
    graph->before[node] = -1;
    if (head >= 0) graph->before[head] = node;
    graph->head[degree] = node;
}

static void bucket_remove(elimination *graph, int node)
{
    int next = graph->next[node], before = graph->before[node];
    if (next >= 0) graph->before[next] = before;
    if (before >= 0)
        graph->next[before] = next;
    else
        graph->head[graph->count[node]] = next;
}

static void elimination_free(elimination *graph, int n)
{
    for (int i = 0; graph->neighbour && graph->capacity && i < n; i++)
        if (graph->capacity[i] < 0) free(graph->neighbour[i]);
    CAB_FREE(graph->neighbour, graph->count, graph->capacity, graph->block, graph->head, graph->next,
             graph->before, graph->mark);
}

static cab_status elimination_allocate(elimination *graph, int n, int entries, cab_error *error)
{
    size_t nodes = (size_t)n + 1;
    graph->neighbour = calloc(nodes, sizeof *graph->neighbour);
    graph->count = calloc(nodes, sizeof(int));
    graph->capacity = calloc(nodes, sizeof(int));
    graph->block = malloc(((size_t)entries + 1) * sizeof(int));
    graph->head = malloc(nodes * sizeof(int));
    graph->next = malloc(nodes * sizeof(int));
    graph->before = malloc(nodes * sizeof(int));
    graph->mark = calloc(nodes, sizeof(int));
    if (graph->neighbour && graph->count && graph->capacity && graph->block && graph->head && graph->next &&
        graph->before && graph->mark)
        return CAB_OK;
    return cab_fail_memory(error, "elimination order", 8 * nodes * sizeof(int));
}

/* Copies the pattern, each neighbour once, and sorts the nodes by degree. */
static void elimination_fill(elimination *graph, int n, const int *a_first, const int *a_column)
{
    int *place = graph->block;
    for (int i = 0; i < n; i++) {
        graph->neighbour[i] = place;
        graph->stamp++;
        graph->mark[i] = graph->stamp;
        for (int e = a_first[i]; e < a_first[i + 1]; e++) {
            int other = a_column[e];
            if (graph->mark[other] == graph->stamp) continue;
            graph->mark[other] = graph->stamp;
            *place++ = other;
        }
        graph->count[i] = (int)(place - graph->neighbour[i]);
        graph->capacity[i] = graph->count[i];
    }
    for (int i = 0; i <= n; i++) graph->head[i] = -1;
    for (int i = n - 1; i >= 0; i--) bucket_add(graph, i);
}

/* A list that outgrows the block gets memory of its own; its capacity is then kept negative. */
static cab_status grow_list(elimination *graph, int node, int needed, cab_error *error)
{
    int capacity = graph->capacity[node];
    bool own = capacity < 0;
    if ((own ? -capacity : capacity) >= needed) return CAB_OK;
    int grown = needed + needed / 2 + 4;
    int *list = realloc(own ? graph->neighbour[node] : NULL, (size_t)grown * sizeof *list);
    if (!list) return cab_fail_memory(error, "elimination order", (size_t)grown * sizeof *list);
    if (!own) memcpy(list, graph->neighbour[node], (size_t)graph->count[node] * sizeof *list);
    graph->neighbour[node] = list;
    graph->capacity[node] = -grown;
    return CAB_OK;
}

/* `gone` leaves the neighbours of `node`; gone's other neighbours join them. */
static cab_status join_neighbours(elimination *graph, int node, int gone, cab_error *error)
{
    int kept = 0, *list = graph->neighbour[node];
    graph->stamp++;
    graph->mark[node] = graph->stamp;
    for (int i = 0; i < graph->count[node]; i++) {
        if (list[i] == gone) continue;
        graph->mark[list[i]] = graph->stamp;
        list[kept++] = list[i];
    }
    graph->count[node] = kept;
    cab_status status = grow_list(graph, node, kept + graph->count[gone] - 1, error);
    if (status) return status;
    list = graph->neighbour[node];
    for (int i = 0; i < graph->count[gone]; i++) {
        int other = graph->neighbour[gone][i];
        if (graph->mark[other] != graph->stamp) list[graph->count[node]++] = other;
    }
    return CAB_OK;
}

/* Column `position` of L is what the node still touches. */
static cab_status store_column(cab_factor_pattern *pattern, const elimination *graph, int node, int position,
                               cab_error *error)
{
    size_t first = pattern->first[position], count = (size_t)graph->count[node];
    if (first + count > pattern->capacity) {
        size_t capacity = first + count + (first + count) / 2 + 16;
        int *grown = realloc(pattern->row, capacity * sizeof *grown);
        if (!grown) return cab_fail_memory(error, "elimination order", capacity * sizeof *grown);
        pattern->row = grown;
        pattern->capacity = capacity;
    }
    for (size_t i = 0; i < count; i++) pattern->row[first + i] = graph->neighbour[node][i];
    pattern->first[position + 1] = first + count;
    pattern->order[position] = node;
    pattern->rank[node] = position;
    return CAB_OK;
}

static cab_status eliminate_node(cab_factor_pattern *pattern, elimination *graph, int node, int position,
                                 cab_error *error)
{
    bucket_remove(graph, node);
    cab_status status = store_column(pattern, graph, node, position, error);
    for (int i = 0; i < graph->count[node] && !status; i++) {
        int other = graph->neighbour[node][i];
        bucket_remove(graph, other);
        status = join_neighbours(graph, other, node, error);
        bucket_add(graph, other);
    }
    return status;
}

static cab_status eliminate_all(cab_factor_pattern *pattern, elimination *graph, cab_error *error)
{
    int degree = 0;
    for (int position = 0; position < pattern->n; position++) {
        /* a node's degree falls by at most one when a neighbour goes */
        if (degree > 0) degree--;
        while (graph->head[degree] < 0) degree++;
        cab_status status = eliminate_node(pattern, graph, graph->head[degree], position, error);
        if (status) return status;
    }
    return CAB_OK;
}

static int compare_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_columns(cab_factor_pattern *pattern)
{
    for (int j = 0; j < pattern->n; j++) {
        size_t first = pattern->first[j], end = pattern->first[j + 1];
        for (size_t e = first; e < end; e++) pattern->row[e] = pattern->rank[pattern->row[e]];
        if (end - first > 1) qsort(pattern->row + first, end - first, sizeof(int), compare_int);
    }
}

static cab_status pattern_allocate(cab_factor_pattern *pattern, cab_error *error)
{
    size_t n = (size_t)pattern->n + 1;
    pattern->order = malloc(n * sizeof(int));
    pattern->rank = malloc(n * sizeof(int));
    pattern->first = calloc(n, sizeof(size_t));
    if (pattern->order && pattern->rank && pattern->first) return CAB_OK;
    return cab_fail_memory(error, "elimination order", n * (2 * sizeof(int) + sizeof(size_t)));
}

cab_status cab_factor_pattern_make(cab_factor_pattern *pattern, int n, const int *a_first,
                                   const int *a_column, cab_error *error)
{
    elimination graph = {0};
    *pattern = (cab_factor_pattern){.n = n};
    cab_status status = pattern_allocate(pattern, error);
    if (!status) status = elimination_allocate(&graph, n, a_first[n], error);
    if (!status) {
        elimination_fill(&graph, n, a_first, a_column);
        status = eliminate_all(pattern, &graph, error);
    }
    elimination_free(&graph, n);
    if (!status) sort_columns(pattern);
    return status;
}

void cab_factor_pattern_free(cab_factor_pattern *pattern)
{
    CAB_FREE(pattern->order, pattern->rank, pattern->first, pattern->row);
}
