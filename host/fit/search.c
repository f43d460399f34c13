/* Least squares: tries spread evenly over the ranges, then MINPACK's lmder from the best of them. A share u of a range is
 * u = (1 + sin y)/2, so that y may be anything. */
#include "fit/fit.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/draw.h"
#include "base/error.h"
#include "library/cminpack.h"

#define CHUNK 256      /* tries that are run at once */
#define STARTS 3       /* tries that are followed, */
#define APART 0.1      /* which differ in some share by at least this */
#define RUNS_MOST 60   /* single ones of a descent */
#define TOLERANCE 1e-6 /* of the sum of squares, */
#define MOVE 1e-5      /* and of y: less is no progress */
#define FIRST_STEP 0.5 /* of y */
#define EDGE 0.02      /* descents begin this far from the ends */
#define SINGULAR 1e-12

typedef struct search {
    const cab_fit_problem *problem;
    cab_fit_result *result;
    cab_error *error;
    cab_status status;
    bool stop;
    double *residual; /* [CHUNK or 2 values][residuals] */
    double *jacobian; /* [values][residuals] by share */
} search;

double cab_fit_at(const cab_fit_range *range, double share)
{
    if (range->by_ratio) return range->from * pow(range->to / range->from, share);
    return range->from + share * (range->to - range->from);
}

static double square_of(const double *residual, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += residual[i] * residual[i];
    return sum;
}

/* Runs `count` sets; false: it is over. */
static bool run(search *s, const double *share, int count, double *residual)
{
    const cab_fit_problem *p = s->problem;
    if (s->status != CAB_OK || s->stop) return false;
    s->status = p->run(p->user, share, count, residual, &s->stop, s->error);
    if (s->status != CAB_OK || s->stop) return false;
    s->result->runs += count;
    if (p->progress) p->progress(p->user, s->result->runs);
    return true;
}

static void take_if_best(search *s, const double *share, double square)
{
    cab_fit_result *r = s->result;
    if (!(square < r->square)) return;
    r->square = square;
    memcpy(r->share, share, (size_t)s->problem->values * sizeof *share);
}

/* ---- tries ---- */

static cab_status draw_tries(const cab_fit_problem *p, double *share, cab_error *error)
{
    int *order;
    cab_status status = CAB_NEW(order, p->tries, error);
    for (int k = 0; status == CAB_OK && k < p->values; k++) {
        uint64_t state = cab_draw_begin(p->seed, k);
        cab_draw_order(order, p->tries, &state);
        for (int i = 0; i < p->tries; i++)
            share[i * p->values + k] = (order[i] + cab_draw(&state)) / p->tries;
    }
    CAB_FREE(order);
    return status;
}

static void run_tries(search *s, const double *share, double *square)
{
    const cab_fit_problem *p = s->problem;
    for (int first = 0; first < p->tries; first += CHUNK) {
        int count = p->tries - first < CHUNK ? p->tries - first : CHUNK;
        if (!run(s, share + first * p->values, count, s->residual)) return;
        for (int i = 0; i < count; i++) {
            square[first + i] = square_of(s->residual + (size_t)i * (size_t)p->residuals, p->residuals);
            take_if_best(s, share + (first + i) * p->values, square[first + i]);
        }
    }
}

static bool is_apart(const double *a, const double *b, int values)
{
    double most = 0;
    for (int k = 0; k < values; k++) most = fmax(most, fabs(a[k] - b[k]));
    return most >= APART;
}

/* The best tries that are not near one another; how many. */
static int choose_starts(const cab_fit_problem *p, const double *share, const double *square,
                         int start[STARTS])
{
    int count = 0;
    while (count < STARTS) {
        int best = -1;
        for (int i = 0; i < p->tries; i++) {
            bool apart = isfinite(square[i]);
            for (int k = 0; k < count && apart; k++)
                apart = is_apart(share + i * p->values, share + start[k] * p->values, p->values);
            if (apart && (best < 0 || square[i] < square[best])) best = i;
        }
        if (best < 0) return count;
        start[count++] = best;
    }
    return count;
}

/* ---- a descent ---- */

/* d residual / d share, by differences to both sides, all in one run. */
static bool differentiate(search *s, const double *share)
{
    const cab_fit_problem *p = s->problem;
    int n = p->values;
    size_t m = (size_t)p->residuals;
    double sets[2 * CAB_FIT_VALUES * CAB_FIT_VALUES] = {0}, width[CAB_FIT_VALUES];
    for (int k = 0; k < n; k++) {
        double *low = sets + 2 * k * n, *high = low + n;
        memcpy(low, share, (size_t)n * sizeof *low);
        memcpy(high, share, (size_t)n * sizeof *high);
        low[k] = fmax(0, share[k] - p->step[k]);
        high[k] = fmin(1, share[k] + p->step[k]);
        width[k] = high[k] - low[k];
    }
    if (!run(s, sets, 2 * n, s->residual)) return false;
    for (int k = 0; k < n; k++) {
        const double *low = s->residual + 2 * (size_t)k * m, *high = low + m;
        for (size_t i = 0; i < m; i++) s->jacobian[(size_t)k * m + i] = (high[i] - low[i]) / width[k];
    }
    return true;
}

static void shares_of(const double *y, int count, double *share)
{
    for (int k = 0; k < count; k++) share[k] = 0.5 * (1 + sin(y[k]));
}

/* What lmder asks for: 1: residuals, 2: their derivatives. Negative: it ends. */
static int answer(void *user, int m, int n, const double *y, double *residual, double *by_y, int apart,
                  int what)
{
    search *s = user;
    double share[CAB_FIT_VALUES];
    shares_of(y, n, share);
    if (what == 1) {
        if (!run(s, share, 1, residual)) return -1;
        take_if_best(s, share, square_of(residual, m));
        return 0;
    }
    if (!differentiate(s, share)) return -1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m; i++)
            by_y[i + k * apart] = 0.5 * cos(y[k]) * s->jacobian[(size_t)k * (size_t)m + (size_t)i];
    return 0;
}

static cab_status descend(search *s, const double *share)
{
    const cab_fit_problem *p = s->problem;
    int m = p->residuals, n = p->values, runs, slopes, pivot[CAB_FIT_VALUES];
    double y[CAB_FIT_VALUES], scale[CAB_FIT_VALUES], qtf[CAB_FIT_VALUES], wa[3][CAB_FIT_VALUES], *room;
    size_t rows = (size_t)m;
    cab_status status = CAB_NEW(room, rows * (size_t)(n + 2), s->error);
    if (status != CAB_OK) return status;
    for (int k = 0; k < n; k++) {
        y[k] = asin(2 * fmin(fmax(share[k], EDGE), 1 - EDGE) - 1);
        scale[k] = 1;
    }
    lmder(answer, s, m, n, y, room, room + rows, m, TOLERANCE, MOVE, 0, RUNS_MOST, scale, 2, FIRST_STEP, 0,
          &runs, &slopes, pivot, qtf, wa[0], wa[1], wa[2], room + rows * (size_t)(n + 1));
    CAB_FREE(room);
    return s->status;
}

/* ---- how sure it is ---- */

/* (J^T J)^-1 of s->jacobian, which is lost; 0 on the diagonal where it is singular. */
static void invert(search *s, double inverse[CAB_FIT_VALUES][CAB_FIT_VALUES])
{
    int m = s->problem->residuals, n = s->problem->values, pivot[CAB_FIT_VALUES];
    double diagonal[CAB_FIT_VALUES], norm[CAB_FIT_VALUES], work[CAB_FIT_VALUES], *j = s->jacobian;
    qrfac(m, n, j, m, 1, pivot, n, diagonal, norm, work);
    for (int k = 0; k < n; k++) j[(size_t)k * (size_t)m + (size_t)k] = diagonal[k];
    covar(n, j, m, pivot, SINGULAR, work);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) inverse[i][k] = j[(size_t)k * (size_t)m + (size_t)i];
}

/* The sum over blocks of g g^T with g = J^T r of a block (H. White 1980, by clusters). */
static cab_status scatter(const search *s, const double *residual, double sum[CAB_FIT_VALUES][CAB_FIT_VALUES],
                          cab_error *error)
{
    const cab_fit_problem *p = s->problem;
    int n = p->values;
    size_t m = (size_t)p->residuals;
    double *g;
    cab_status status = CAB_NEW(g, (size_t)p->blocks * (size_t)n, error);
    if (status != CAB_OK) return status;
    for (size_t i = 0; i < m; i++)
        for (int k = 0; k < n; k++) g[p->block[i] * n + k] += s->jacobian[(size_t)k * m + i] * residual[i];
    double few = (double)p->blocks / fmax(1, p->blocks - n);
    for (int b = 0; b < p->blocks; b++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) sum[i][k] += few * g[b * n + i] * g[b * n + k];
    CAB_FREE(g);
    return CAB_OK;
}

static void set_spreads(const cab_fit_problem *p, double inverse[CAB_FIT_VALUES][CAB_FIT_VALUES],
                        double middle[CAB_FIT_VALUES][CAB_FIT_VALUES], cab_fit_result *r)
{
    double c[CAB_FIT_VALUES][CAB_FIT_VALUES] = {{0}};
    int n = p->values;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) c[i][k] += inverse[i][a] * middle[a][b] * inverse[b][k];
    for (int i = 0; i < n; i++) r->spread[i] = inverse[i][i] > 0 ? sqrt(c[i][i]) : INFINITY;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double by = sqrt(c[i][i] * c[k][k]);
            r->correlation[i][k] = by > 0 ? c[i][k] / by : i == k;
        }
}

static cab_status find_spreads(search *s)
{
    const cab_fit_problem *p = s->problem;
    cab_fit_result *r = s->result;
    double *residual, inverse[CAB_FIT_VALUES][CAB_FIT_VALUES] = {{0}},
                      middle[CAB_FIT_VALUES][CAB_FIT_VALUES] = {{0}};
    cab_status status = CAB_NEW(residual, p->residuals, s->error);
    if (status == CAB_OK && run(s, r->share, 1, residual) && differentiate(s, r->share)) {
        status = scatter(s, residual, middle, s->error);
        if (status == CAB_OK) invert(s, inverse);
        if (status == CAB_OK) set_spreads(p, inverse, middle, r);
    }
    CAB_FREE(residual);
    return status == CAB_OK ? s->status : status;
}

cab_status cab_fit_search(const cab_fit_problem *p, cab_fit_result *result, cab_error *error)
{
    search s = {.problem = p, .result = result, .error = error};
    size_t m = (size_t)p->residuals, sets = CHUNK > 2 * CAB_FIT_VALUES ? CHUNK : 2 * CAB_FIT_VALUES;
    double *share = NULL, *square = NULL;
    int start[STARTS], starts = 0;
    *result = (cab_fit_result){.square = INFINITY};
    for (int k = 0; k < p->values; k++) result->spread[k] = INFINITY;
    cab_status status = cab_cminpack_load("fit", error);
    if (status == CAB_OK) status = CAB_NEW(s.residual, sets * m, error);
    if (status == CAB_OK) status = CAB_NEW(s.jacobian, m * (size_t)p->values, error);
    if (status == CAB_OK) status = CAB_NEW(share, (size_t)p->tries * (size_t)p->values, error);
    if (status == CAB_OK) status = CAB_NEW(square, p->tries, error);
    if (status == CAB_OK) status = draw_tries(p, share, error);
    for (int i = 0; status == CAB_OK && i < p->tries; i++) square[i] = INFINITY;
    if (status == CAB_OK) {
        run_tries(&s, share, square);
        status = s.status;
    }
    if (status == CAB_OK && !s.stop) starts = choose_starts(p, share, square, start);
    for (int i = 0; status == CAB_OK && i < starts; i++) status = descend(&s, share + start[i] * p->values);
    if (status == CAB_OK && !s.stop) status = find_spreads(&s);
    result->interrupted = s.stop;
    CAB_FREE(s.residual, s.jacobian, share, square);
    return status;
}
