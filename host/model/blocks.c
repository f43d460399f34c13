/* Left-looking: a column takes off what the finished ones that reach it have. */
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/truss_order.h"

/* A pivot below this share of its diagonal is rounding: that direction is frozen by a huge one. */
#define PIVOT_FLOOR 1e-15
#define FROZEN 1e12

struct cab_blocks {
    const cab_row_pair *pairs;
    int pair_count;
    int *a_first, *a_column, *a_pair; /* the matrix: neighbours of a row and the pairs that make them so */
    cab_factor_pattern pattern;
    cab_mat3 *below;     /* the factor's blocks below the diagonal, parallel to pattern.row */
    cab_mat3 *corner;    /* its diagonal blocks, lower triangles */
    cab_mat3 *diagonal;  /* [rows] of the matrix, */
    cab_mat3 *beside;    /* [pairs] and beside it */
    cab_vec3 *askew;     /* [pairs] and what is antisymmetric there */
    cab_mat3 *work;      /* one column, by row; zero between columns */
    cab_vec3 *sorted;    /* a right-hand side in elimination order */
    size_t *cursor;      /* the next entry of a finished column */
    int *waiting, *next; /* finished columns by the row of that entry, as linked lists */
};

/* a -= b c^T */
static void subtract_product(cab_mat3 *a, const cab_mat3 *b, const cab_mat3 *c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->m[i][j] -= b->m[i][0] * c->m[j][0] + b->m[i][1] * c->m[j][1] + b->m[i][2] * c->m[j][2];
}

static void add(cab_mat3 *a, const cab_mat3 *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += b->m[i][j];
}

/* The lower triangle c with c c^T = a. `full` is what the diagonal was before elimination. */
static cab_mat3 corner_of(const cab_mat3 *a, const cab_mat3 *full, bool *definite)
{
    cab_mat3 c = {{{0}}};
    double floor = PIVOT_FLOOR * (full->m[0][0] + full->m[1][1] + full->m[2][2]);
    for (int j = 0; j < 3; j++) {
        double pivot = a->m[j][j];
        for (int k = 0; k < j; k++) pivot -= c.m[j][k] * c.m[j][k];
        if (!(pivot > floor)) {
            c.m[j][j] = sqrt(floor > 0 ? floor : 1) * FROZEN;
            *definite = false;
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
static cab_mat3 divide_corner(const cab_mat3 *b, const cab_mat3 *c)
{
    cab_mat3 result;
    for (int i = 0; i < 3; i++) {
        double *x = result.m[i];
        x[0] = b->m[i][0] / c->m[0][0];
        x[1] = (b->m[i][1] - x[0] * c->m[1][0]) / c->m[1][1];
        x[2] = (b->m[i][2] - x[0] * c->m[2][0] - x[1] * c->m[2][1]) / c->m[2][2];
    }
    return result;
}

/* c^-1 v */
static cab_vec3 solve_corner(const cab_mat3 *c, cab_vec3 v)
{
    v.x = v.x / c->m[0][0];
    v.y = (v.y - c->m[1][0] * v.x) / c->m[1][1];
    v.z = (v.z - c->m[2][0] * v.x - c->m[2][1] * v.y) / c->m[2][2];
    return v;
}

/* c^-T v */
static cab_vec3 solve_corner_transposed(const cab_mat3 *c, cab_vec3 v)
{
    v.z = v.z / c->m[2][2];
    v.y = (v.y - c->m[2][1] * v.z) / c->m[1][1];
    v.x = (v.x - c->m[1][0] * v.y - c->m[2][0] * v.z) / c->m[0][0];
    return v;
}

static cab_vec3 multiply(const cab_mat3 *a, cab_vec3 v)
{
    return (cab_vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

static cab_vec3 multiply_transposed(const cab_mat3 *a, cab_vec3 v)
{
    return (cab_vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                      a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                      a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

static cab_status make_neighbours(cab_blocks *blocks, int row_count, cab_error *error)
{
    size_t nodes = (size_t)row_count, entries = 2 * (size_t)blocks->pair_count;
    blocks->a_first = calloc(nodes + 1, sizeof(int));
    blocks->a_column = malloc((entries + 1) * sizeof(int));
    blocks->a_pair = malloc((entries + 1) * sizeof(int));
    if (!blocks->a_first || !blocks->a_column || !blocks->a_pair)
        return cab_fail_memory(error, "a sparse matrix", (nodes + 2 * entries) * sizeof(int));
    int *first = blocks->a_first;
    for (int i = 0; i < blocks->pair_count; i++) {
        if (blocks->pairs[i].a < 0 || blocks->pairs[i].b < 0) continue;
        first[blocks->pairs[i].a]++;
        first[blocks->pairs[i].b]++;
    }
    for (int i = 0; i < row_count; i++) first[i + 1] += first[i];
    /* filled from the back, so that first[i] ends at the start of its list */
    for (int i = blocks->pair_count - 1; i >= 0; i--) {
        int a = blocks->pairs[i].a, b = blocks->pairs[i].b;
        if (a < 0 || b < 0) continue;
        blocks->a_column[--first[a]] = b;
        blocks->a_pair[first[a]] = i;
        blocks->a_column[--first[b]] = a;
        blocks->a_pair[first[b]] = i;
    }
    return CAB_OK;
}

static cab_status allocate_values(cab_blocks *blocks, cab_error *error)
{
    size_t n = (size_t)blocks->pattern.n + 1, entries = blocks->pattern.first[blocks->pattern.n] + 1;
    blocks->below = malloc(entries * sizeof *blocks->below);
    blocks->corner = malloc(n * sizeof *blocks->corner);
    blocks->diagonal = malloc(n * sizeof *blocks->diagonal);
    blocks->beside = malloc(((size_t)blocks->pair_count + 1) * sizeof *blocks->beside);
    blocks->askew = calloc((size_t)blocks->pair_count + 1, sizeof *blocks->askew);
    blocks->work = calloc(n, sizeof *blocks->work);
    blocks->sorted = malloc(n * sizeof *blocks->sorted);
    blocks->cursor = malloc(n * sizeof *blocks->cursor);
    blocks->waiting = malloc(n * sizeof *blocks->waiting);
    blocks->next = malloc(n * sizeof *blocks->next);
    if (blocks->below && blocks->corner && blocks->diagonal && blocks->beside && blocks->askew &&
        blocks->work && blocks->sorted && blocks->cursor && blocks->waiting && blocks->next)
        return CAB_OK;
    return cab_fail_memory(error, "a sparse matrix",
                           (entries + 4 * n + (size_t)blocks->pair_count) * sizeof(cab_mat3));
}

cab_blocks *cab_blocks_create(int row_count, const cab_row_pair *pairs, int pair_count, cab_error *error)
{
    cab_blocks *blocks = calloc(1, sizeof *blocks);
    if (!blocks) {
        cab_fail_memory(error, "a sparse matrix", sizeof *blocks);
        return NULL;
    }
    blocks->pairs = pairs;
    blocks->pair_count = pair_count;
    cab_status status = make_neighbours(blocks, row_count, error);
    if (!status)
        status =
            cab_factor_pattern_make(&blocks->pattern, row_count, blocks->a_first, blocks->a_column, error);
    if (!status) status = allocate_values(blocks, error);
    if (!status) return blocks;
    cab_blocks_destroy(blocks);
    return NULL;
}

void cab_blocks_destroy(cab_blocks *blocks)
{
    if (!blocks) return;
    CAB_FREE(blocks->a_first, blocks->a_column, blocks->a_pair);
    cab_factor_pattern_free(&blocks->pattern);
    CAB_FREE(blocks->below, blocks->corner, blocks->diagonal, blocks->beside, blocks->askew, blocks->work,
             blocks->sorted, blocks->cursor, blocks->waiting, blocks->next, blocks);
}

cab_mat3 *cab_blocks_diagonal(cab_blocks *blocks)
{
    return blocks->diagonal;
}

cab_mat3 *cab_blocks_beside(cab_blocks *blocks)
{
    return blocks->beside;
}

cab_vec3 *cab_blocks_askew(cab_blocks *blocks)
{
    return blocks->askew;
}

/* a += w (v -> u x v) */
static void add_cross(cab_mat3 *a, double w, cab_vec3 u)
{
    const double c[3][3] = {{0, -u.z, u.y}, {u.z, 0, -u.x}, {-u.y, u.x, 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += w * c[i][j];
}

/* What stands below the diagonal in column j of the matrix. */
static void scatter_column(cab_blocks *blocks, int j)
{
    int node = blocks->pattern.order[j];
    for (int e = blocks->a_first[node]; e < blocks->a_first[node + 1]; e++) {
        int row = blocks->pattern.rank[blocks->a_column[e]];
        int pair = blocks->a_pair[e];
        if (row <= j) continue;
        add(&blocks->work[row], &blocks->beside[pair]);
        add_cross(&blocks->work[row], blocks->pairs[pair].b == node ? 1 : -1, blocks->askew[pair]);
    }
}

/* Column k waits for the row of its next entry. */
static void wait_for_row(cab_blocks *blocks, int k, size_t entry)
{
    blocks->cursor[k] = entry;
    if (entry == blocks->pattern.first[k + 1]) return;
    int row = blocks->pattern.row[entry];
    blocks->next[k] = blocks->waiting[row];
    blocks->waiting[row] = k;
}

/* Takes the finished columns that reach row j off work[] and off the diagonal. */
static void subtract_columns(cab_blocks *blocks, int j, cab_mat3 *diagonal)
{
    const int *row = blocks->pattern.row;
    for (int k = blocks->waiting[j]; k >= 0;) {
        int following = blocks->next[k];
        size_t entry = blocks->cursor[k], end = blocks->pattern.first[k + 1];
        const cab_mat3 *own = &blocks->below[entry];
        subtract_product(diagonal, own, own);
        for (size_t e = entry + 1; e < end; e++)
            subtract_product(&blocks->work[row[e]], &blocks->below[e], own);
        wait_for_row(blocks, k, entry + 1);
        k = following;
    }
}

bool cab_blocks_factor(cab_blocks *blocks)
{
    const cab_factor_pattern *pattern = &blocks->pattern;
    bool definite = true;
    for (int j = 0; j < pattern->n; j++) blocks->waiting[j] = -1;
    for (int j = 0; j < pattern->n; j++) {
        const cab_mat3 *full = &blocks->diagonal[pattern->order[j]];
        cab_mat3 rest = *full;
        scatter_column(blocks, j);
        subtract_columns(blocks, j, &rest);
        blocks->corner[j] = corner_of(&rest, full, &definite);
        for (size_t e = pattern->first[j]; e < pattern->first[j + 1]; e++) {
            cab_mat3 *work = &blocks->work[pattern->row[e]];
            blocks->below[e] = divide_corner(work, &blocks->corner[j]);
            memset(work, 0, sizeof *work);
        }
        wait_for_row(blocks, j, pattern->first[j]);
    }
    return definite;
}

void cab_blocks_solve(cab_blocks *blocks, cab_vec3 *x)
{
    const cab_factor_pattern *pattern = &blocks->pattern;
    cab_vec3 *y = blocks->sorted;
    for (int j = 0; j < pattern->n; j++) y[j] = x[pattern->order[j]];
    for (int j = 0; j < pattern->n; j++) {
        y[j] = solve_corner(&blocks->corner[j], y[j]);
        for (size_t e = pattern->first[j]; e < pattern->first[j + 1]; e++) {
            cab_vec3 *other = &y[pattern->row[e]];
            *other = cab_vec3_sub(*other, multiply(&blocks->below[e], y[j]));
        }
    }
    for (int j = pattern->n - 1; j >= 0; j--) {
        for (size_t e = pattern->first[j]; e < pattern->first[j + 1]; e++)
            y[j] = cab_vec3_sub(y[j], multiply_transposed(&blocks->below[e], y[pattern->row[e]]));
        y[j] = solve_corner_transposed(&blocks->corner[j], y[j]);
    }
    for (int j = 0; j < pattern->n; j++) x[pattern->order[j]] = y[j];
}
