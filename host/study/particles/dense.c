/* The same equations with whole matrices, in plain loops: a system at its start, and a reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "study/particles/formulas.h"
#include "study/particles/parts.h"

#define ROWS_MAX 500     /* that are worked out */
#define MET 1e-9         /* m */
#define RANK_PIVOT 1e-10 /* of the largest pivot; below, a row depends on the others */

void cab_p_dense_free(cab_p_dense *d)
{
    CAB_FREE(d->j, d->a, d->b, d->c);
    *d = (cab_p_dense){0};
}

/* J, C, and -Jdot qdot - ks C - kd Cdot in b. Returns the farthest distance, m. */
static double fill_rows(const cab_p_batch *batch, const cab_p_system *s, const double *x, const double *v,
                        cab_p_dense *d)
{
    const double *focus = CAB_P_AT(batch->foci, double, 0);
    double farthest = 0;
    for (int i = 0; i < s->constraints; i++) {
        const cab_p_constraint *k = CAB_P_AT(batch->constraints, cab_p_constraint, s->constraint + i);
        cab_p_rows rows = cab_p_constrain(*k, focus, cab_p_at(x, k->a), cab_p_at(v, k->a), cab_p_at(x, k->b),
                                          cab_p_at(v, k->b));
        farthest = fmax(farthest, rows.off);
        for (int r = 0; r < cab_p_row_count(k->kind); r++) {
            double *row = d->j + (size_t)(k->row + r) * (size_t)d->columns, sum = 0;
            for (int n = 0; n < cab_p_entry_count(k->kind); n++) {
                int column = k->kind == CAB_P_POINT ? 2 * k->a + r : 2 * (n < 2 ? k->a : k->b) + (n & 1);
                row[column] += rows.j[r][n];
                sum += rows.jdot[r][n] * v[column];
            }
            d->c[k->row + r] = rows.c[r];
            d->b[k->row + r] = -sum - s->position_gain * rows.c[r] - s->velocity_gain * rows.rate[r];
        }
    }
    return farthest;
}

/* a = J W J^T */
static void fill_matrix(const double *mass, cab_p_dense *d)
{
    for (int r = 0; r < d->rows; r++)
        for (int q = 0; q <= r; q++) {
            double sum = 0;
            for (int c = 0; c < d->columns; c++)
                sum += d->j[(size_t)r * (size_t)d->columns + (size_t)c] *
                       d->j[(size_t)q * (size_t)d->columns + (size_t)c] / mass[c / 2];
            d->a[(size_t)r * (size_t)d->rows + (size_t)q] = sum;
            d->a[(size_t)q * (size_t)d->rows + (size_t)r] = sum;
        }
}

cab_status cab_p_dense_make(const cab_p_batch *batch, const cab_p_system *s, const double *x, const double *v,
                            cab_p_dense *d, double *farthest, cab_error *error)
{
    size_t rows = (size_t)s->rows, columns = 2 * (size_t)s->particles;
    *d = (cab_p_dense){.rows = s->rows, .columns = 2 * s->particles};
    d->j = calloc(rows * columns + 1, sizeof *d->j);
    d->a = calloc(rows * rows + 1, sizeof *d->a);
    d->b = calloc(rows + 1, sizeof *d->b);
    d->c = calloc(rows + 1, sizeof *d->c);
    if (!d->j || !d->a || !d->b || !d->c) {
        cab_p_dense_free(d);
        return cab_fail_memory(error, "a dense matrix", rows * (rows + columns) * sizeof *d->a);
    }
    double off = fill_rows(batch, s, x, v, d);
    if (farthest) *farthest = off;
    fill_matrix(CAB_P_AT(batch->mass, double, s->particle), d);
    return CAB_OK;
}

/* Pivoted Cholesky: `low` [n][n] with rows in the order `order`. Returns the rank. */
static int factor(const cab_p_dense *d, double *low, int *order)
{
    int n = d->rows;
    double largest = 0;
    for (int i = 0; i < n; i++) order[i] = i;
    memcpy(low, d->a, (size_t)n * (size_t)n * sizeof *low);
#define LOW(r, c) low[(size_t)order[r] * (size_t)n + (size_t)(c)]
    double *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
    if (!pivot) return -1;
    for (int i = 0; i < n; i++) pivot[i] = d->a[(size_t)i * (size_t)n + (size_t)i];
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (pivot[order[i]] > pivot[order[best]]) best = i;
        int swap = order[k];
        order[k] = order[best];
        order[best] = swap;
        if (k == 0) largest = pivot[order[0]];
        if (!(pivot[order[k]] > RANK_PIVOT * largest)) {
            free(pivot);
            return k;
        }
        double root = sqrt(pivot[order[k]]);
        for (int i = k + 1; i < n; i++) {
            double sum = d->a[(size_t)order[i] * (size_t)n + (size_t)order[k]];
            for (int c = 0; c < k; c++) sum -= LOW(i, c) * LOW(k, c);
            LOW(i, k) = sum / root;
            pivot[order[i]] -= LOW(i, k) * LOW(i, k);
        }
        LOW(k, k) = root;
    }
    free(pivot);
    return n;
}

int cab_p_dense_solve(const cab_p_dense *d, const double *b, double *lambda, double *left)
{
    size_t n = (size_t)d->rows;
    double *low = malloc((n * n + 1) * sizeof *low), *y = malloc((n + 1) * sizeof *y);
    int *order = malloc((n + 1) * sizeof *order);
    int rank = low && y && order ? factor(d, low, order) : -1;
    for (int i = 0; i < d->rows; i++) lambda[i] = 0;
    for (int i = 0; i < rank; i++) {
        y[i] = b[order[i]];
        for (int c = 0; c < i; c++) y[i] -= low[(size_t)order[i] * n + (size_t)c] * y[c];
        y[i] /= low[(size_t)order[i] * n + (size_t)i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        double sum = y[i];
        for (int r = i + 1; r < rank; r++) sum -= low[(size_t)order[r] * n + (size_t)i] * lambda[order[r]];
        lambda[order[i]] = sum / low[(size_t)order[i] * n + (size_t)i];
    }
    double rr = 0, bb = 0;
    for (size_t r = 0; r < n; r++) {
        double rest = b[r];
        for (size_t c = 0; c < n; c++) rest -= d->a[r * n + c] * lambda[c];
        rr += rest * rest;
        bb += b[r] * b[r];
    }
    if (left) *left = bb > 0 ? sqrt(rr / bb) : 0;
    CAB_FREE(low, y, order);
    return rank;
}

static cab_status work_out(const cab_p_batch *batch, const double *x, const double *v,
                           cab_particles_facts *facts, cab_error *error)
{
    const cab_p_system *s = CAB_P_AT(batch->systems, cab_p_system, 0);
    cab_p_dense dense;
    cab_status status = cab_p_dense_make(batch, s, x, v, &dense, &facts->off, error);
    if (status != CAB_OK) return status;
    double *lambda = malloc(((size_t)s->rows + 1) * sizeof *lambda);
    if (lambda) facts->rank = cab_p_dense_solve(&dense, dense.c, lambda, &facts->contradiction);
    if (facts->off < MET) facts->contradiction = 0; /* what is met contradicts nothing; C is rounding */
    cab_p_dense_free(&dense);
    free(lambda);
    return facts->rank >= 0 ? CAB_OK : cab_fail_memory(error, "a dense matrix", 0);
}

cab_status cab_particles_examine(const cab_particles_def *system, cab_particles_facts *facts,
                                 cab_error *error)
{
    cab_p_batch batch = {0};
    *facts = (cab_particles_facts){.rank = -1, .contradiction = -1};
    cab_status status = cab_p_batch_add(&batch, system, error);
    size_t n = 2 * (size_t)(status == CAB_OK ? system->particle_count : 0);
    double *state = status == CAB_OK ? malloc((2 * n + 1) * sizeof *state) : NULL;
    if (status == CAB_OK && !state) status = cab_fail_memory(error, "particles", n * sizeof *state);
    for (size_t i = 0; status == CAB_OK && i < n / 2; i++) {
        const cab_particle_def *p = &system->particles[i];
        state[2 * i] = p->position.x;
        state[2 * i + 1] = p->position.y;
        state[n + 2 * i] = p->velocity.x;
        state[n + 2 * i + 1] = p->velocity.y;
    }
    if (status == CAB_OK) facts->rows = CAB_P_AT(batch.systems, cab_p_system, 0)->rows;
    if (status == CAB_OK && facts->rows <= ROWS_MAX)
        status = work_out(&batch, state, state + n, facts, error);
    free(state);
    cab_p_batch_free(&batch);
    return status;
}
