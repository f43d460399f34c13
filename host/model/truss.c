#include "model/truss.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/truss_order.h"

/* A pivot below this share of its diagonal is rounding: that direction is frozen by a huge one. */
#define PIVOT_FLOOR 1e-15
#define FROZEN 1e12

/* Row by row. */
typedef struct mat3 {
    double m[3][3];
} mat3;

struct cab_truss {
    const cab_bar *bars;
    int bar_count;
    int *a_first, *a_column, *a_bar; /* the matrix: neighbours of a node and the bars to them */
    cab_factor_pattern pattern;
    mat3 *below;         /* the factor's blocks below the diagonal, parallel to pattern.row */
    mat3 *corner;        /* its diagonal blocks, lower triangles */
    mat3 *diagonal;      /* of the matrix */
    mat3 *work;          /* one column, by row; zero between columns */
    cab_vec3 *sorted;    /* a right-hand side in elimination order */
    size_t *cursor;      /* the next entry of a finished column */
    int *waiting, *next; /* finished columns by the row of that entry, as linked lists */
};

/* a -= b c^T */
static void subtract_product(mat3 *a, const mat3 *b, const mat3 *c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->m[i][j] -= b->m[i][0] * c->m[j][0] + b->m[i][1] * c->m[j][1] + b->m[i][2] * c->m[j][2];
}

/* a += sign (along d d^T + across (1 - d d^T)) */
static void add_bar(mat3 *a, double sign, const cab_stiffness *bar)
{
    const double d[3] = {bar->direction.x, bar->direction.y, bar->direction.z};
    double excess = sign * (bar->along - bar->across);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a->m[i][j] += excess * d[i] * d[j];
        a->m[i][i] += sign * bar->across;
    }
}

/* The lower triangle c with c c^T = a. `full` is what the diagonal was before elimination. */
static mat3 corner_of(const mat3 *a, const mat3 *full)
{
    mat3 c = {{{0}}};
    double floor = PIVOT_FLOOR * (full->m[0][0] + full->m[1][1] + full->m[2][2]);
    for (int j = 0; j < 3; j++) {
        double pivot = a->m[j][j];
        for (int k = 0; k < j; k++) pivot -= c.m[j][k] * c.m[j][k];
        if (!(pivot > floor)) {
            c.m[j][j] = sqrt(floor > 0 ? floor : 1) * FROZEN;
            continue;
        }
        c.m[j][j] = sqrt(pivot);
        for (int i = j + 1; i < 3; i++) {
            double sum = a->m[i][j];
            for (int k = 0; k < j; k++) sum -= c.m[i][k] * c.m[j][k];
            c.m[i][j] = sum / c.m[j][j];
        }
    }
    return c;
}

/* b c^-T, row by row */
static mat3 divide_corner(const mat3 *b, const mat3 *c)
{
    mat3 result;
    for (int i = 0; i < 3; i++) {
        double *x = result.m[i];
        x[0] = b->m[i][0] / c->m[0][0];
        x[1] = (b->m[i][1] - x[0] * c->m[1][0]) / c->m[1][1];
        x[2] = (b->m[i][2] - x[0] * c->m[2][0] - x[1] * c->m[2][1]) / c->m[2][2];
    }
    return result;
}

/* c^-1 v */
static cab_vec3 solve_corner(const mat3 *c, cab_vec3 v)
{
    v.x = v.x / c->m[0][0];
    v.y = (v.y - c->m[1][0] * v.x) / c->m[1][1];
    v.z = (v.z - c->m[2][0] * v.x - c->m[2][1] * v.y) / c->m[2][2];
    return v;
}

/* c^-T v */
static cab_vec3 solve_corner_transposed(const mat3 *c, cab_vec3 v)
{
    v.z = v.z / c->m[2][2];
    v.y = (v.y - c->m[2][1] * v.z) / c->m[1][1];
    v.x = (v.x - c->m[1][0] * v.y - c->m[2][0] * v.z) / c->m[0][0];
    return v;
}

static cab_vec3 multiply(const mat3 *a, cab_vec3 v)
{
    return (cab_vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

static cab_vec3 multiply_transposed(const mat3 *a, cab_vec3 v)
{
    return (cab_vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                      a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                      a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

static cab_status make_neighbours(cab_truss *truss, int node_count, cab_error *error)
{
    size_t nodes = (size_t)node_count, entries = 2 * (size_t)truss->bar_count;
    truss->a_first = calloc(nodes + 1, sizeof(int));
    truss->a_column = malloc((entries + 1) * sizeof(int));
    truss->a_bar = malloc((entries + 1) * sizeof(int));
    if (!truss->a_first || !truss->a_column || !truss->a_bar)
        return cab_fail_memory(error, "a stiffness matrix", (nodes + 2 * entries) * sizeof(int));
    int *first = truss->a_first;
    for (int i = 0; i < truss->bar_count; i++) {
        if (truss->bars[i].a < 0 || truss->bars[i].b < 0) continue;
        first[truss->bars[i].a]++;
        first[truss->bars[i].b]++;
    }
    for (int i = 0; i < node_count; i++) first[i + 1] += first[i];
    /* filled from the back, so that first[i] ends at the start of its list */
    for (int i = truss->bar_count - 1; i >= 0; i--) {
        int a = truss->bars[i].a, b = truss->bars[i].b;
        if (a < 0 || b < 0) continue;
        truss->a_column[--first[a]] = b;
        truss->a_bar[first[a]] = i;
        truss->a_column[--first[b]] = a;
        truss->a_bar[first[b]] = i;
    }
    return CAB_OK;
}

static cab_status allocate_values(cab_truss *truss, cab_error *error)
{
    size_t n = (size_t)truss->pattern.n + 1, entries = truss->pattern.first[truss->pattern.n] + 1;
    truss->below = malloc(entries * sizeof *truss->below);
    truss->corner = malloc(n * sizeof *truss->corner);
    truss->diagonal = malloc(n * sizeof *truss->diagonal);
    truss->work = calloc(n, sizeof *truss->work);
    truss->sorted = malloc(n * sizeof *truss->sorted);
    truss->cursor = malloc(n * sizeof *truss->cursor);
    truss->waiting = malloc(n * sizeof *truss->waiting);
    truss->next = malloc(n * sizeof *truss->next);
    if (truss->below && truss->corner && truss->diagonal && truss->work && truss->sorted && truss->cursor &&
        truss->waiting && truss->next)
        return CAB_OK;
    return cab_fail_memory(error, "a stiffness matrix", (entries + 4 * n) * sizeof(mat3));
}

cab_truss *cab_truss_create(int node_count, const cab_bar *bars, int bar_count, cab_error *error)
{
    cab_truss *truss = calloc(1, sizeof *truss);
    if (!truss) {
        cab_fail_memory(error, "a stiffness matrix", sizeof *truss);
        return NULL;
    }
    truss->bars = bars;
    truss->bar_count = bar_count;
    cab_status status = make_neighbours(truss, node_count, error);
    if (!status)
        status = cab_factor_pattern_make(&truss->pattern, node_count, truss->a_first, truss->a_column, error);
    if (!status) status = allocate_values(truss, error);
    if (!status) return truss;
    cab_truss_destroy(truss);
    return NULL;
}

void cab_truss_destroy(cab_truss *truss)
{
    if (!truss) return;
    CAB_FREE(truss->a_first, truss->a_column, truss->a_bar);
    cab_factor_pattern_free(&truss->pattern);
    CAB_FREE(truss->below, truss->corner, truss->diagonal, truss->work, truss->sorted, truss->cursor,
             truss->waiting, truss->next, truss);
}

static void sum_diagonal(cab_truss *truss, const cab_stiffness *stiffness)
{
    memset(truss->diagonal, 0, (size_t)truss->pattern.n * sizeof *truss->diagonal);
    for (int i = 0; i < truss->bar_count; i++) {
        const cab_bar *bar = &truss->bars[i];
        if (bar->a >= 0) add_bar(&truss->diagonal[bar->a], 1, &stiffness[i]);
        if (bar->b >= 0) add_bar(&truss->diagonal[bar->b], 1, &stiffness[i]);
    }
}

/* What stands below the diagonal in column j of the matrix. */
static void scatter_column(cab_truss *truss, int j, const cab_stiffness *stiffness)
{
    int node = truss->pattern.order[j];
    for (int e = truss->a_first[node]; e < truss->a_first[node + 1]; e++) {
        int row = truss->pattern.rank[truss->a_column[e]];
        if (row > j) add_bar(&truss->work[row], -1, &stiffness[truss->a_bar[e]]);
    }
}

/* Column k waits for the row of its next entry. */
static void wait_for_row(cab_truss *truss, int k, size_t entry)
{
    truss->cursor[k] = entry;
    if (entry == truss->pattern.first[k + 1]) return;
    int row = truss->pattern.row[entry];
    truss->next[k] = truss->waiting[row];
    truss->waiting[row] = k;
}

/* Takes the finished columns that reach row j off work[] and off the diagonal. */
static void subtract_columns(cab_truss *truss, int j, mat3 *diagonal)
{
    const int *row = truss->pattern.row;
    for (int k = truss->waiting[j]; k >= 0;) {
        int following = truss->next[k];
        size_t entry = truss->cursor[k], end = truss->pattern.first[k + 1];
        const mat3 *own = &truss->below[entry];
        subtract_product(diagonal, own, own);
        for (size_t e = entry + 1; e < end; e++)
            subtract_product(&truss->work[row[e]], &truss->below[e], own);
        wait_for_row(truss, k, entry + 1);
        k = following;
    }
}

void cab_truss_factor(cab_truss *truss, const cab_stiffness *stiffness)
{
    const cab_factor_pattern *pattern = &truss->pattern;
    sum_diagonal(truss, stiffness);
    for (int j = 0; j < pattern->n; j++) truss->waiting[j] = -1;
    for (int j = 0; j < pattern->n; j++) {
        const mat3 *full = &truss->diagonal[pattern->order[j]];
        mat3 rest = *full;
        scatter_column(truss, j, stiffness);
        subtract_columns(truss, j, &rest);
        truss->corner[j] = corner_of(&rest, full);
        for (size_t e = pattern->first[j]; e < pattern->first[j + 1]; e++) {
            mat3 *work = &truss->work[pattern->row[e]];
            truss->below[e] = divide_corner(work, &truss->corner[j]);
            memset(work, 0, sizeof *work);
        }
        wait_for_row(truss, j, pattern->first[j]);
    }
}

void cab_truss_solve(cab_truss *truss, cab_vec3 *x)
{
    const cab_factor_pattern *pattern = &truss->pattern;
    cab_vec3 *y = truss->sorted;
    for (int j = 0; j < pattern->n; j++) y[j] = x[pattern->order[j]];
    for (int j = 0; j < pattern->n; j++) {
        y[j] = solve_corner(&truss->corner[j], y[j]);
        for (size_t e = pattern->first[j]; e < pattern->first[j + 1]; e++) {
            cab_vec3 *other = &y[pattern->row[e]];
            *other = cab_vec3_sub(*other, multiply(&truss->below[e], y[j]));
        }
    }
    for (int j = pattern->n - 1; j >= 0; j--) {
        for (size_t e = pattern->first[j]; e < pattern->first[j + 1]; e++)
            y[j] = cab_vec3_sub(y[j], multiply_transposed(&truss->below[e], y[pattern->row[e]]));
        y[j] = solve_corner_transposed(&truss->corner[j], y[j]);
    }
    for (int j = 0; j < pattern->n; j++) x[pattern->order[j]] = y[j];
}
