/* The search of `fit` on a model that is known in closed form: y = A exp(-B t), with noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#include "base/draw.h"
#include "fit/fit.h"

enum { SAMPLES = 400, BLOCKS = 40 };
#define NOISE 0.02
#define TIME 2.0 /* s, of all samples */

static const cab_fit_range ranges[3] = {{0.1, 10, true}, {0.1, 10, true}, {-1, 1, false}};
static const double truth[3] = {2, 1.5, 0};

typedef struct model {
    double measured[SAMPLES];
    int values;     /* 2; 3: the third has no influence; */
    bool alike;     /* or takes the place of the first */
    int stop_after; /* runs; 0 = never */
    int runs;
    int block[SAMPLES];
} model;

static double y_of(const model *m, const double *value, int i)
{
    double size = value[0] * (m->alike ? 1 + 0.5 * value[2] : 1);
    return size * exp(-value[1] * TIME * i / SAMPLES);
}

/* Noise that stays the same for `apart` samples. */
static void take_samples(model *m, int apart)
{
    uint64_t state = cab_draw_begin(7, 0);
    double noise = 0;
    for (int i = 0; i < SAMPLES; i++) {
        if (i % apart == 0) noise = NOISE * sqrt(12) * (cab_draw(&state) - 0.5);
        m->measured[i] = y_of(m, truth, i) + noise;
        m->block[i] = i * BLOCKS / SAMPLES;
    }
}

static cab_status run(void *user, const double *share, int count, double *residual, bool *stop,
                      cab_error *error)
{
    model *m = user;
    (void)error;
    m->runs += count;
    *stop = m->stop_after > 0 && m->runs > m->stop_after;
    for (int s = 0; s < count; s++) {
        double value[3] = {0};
        for (int k = 0; k < m->values; k++) value[k] = cab_fit_at(&ranges[k], share[s * m->values + k]);
        for (int i = 0; i < SAMPLES; i++) residual[s * SAMPLES + i] = y_of(m, value, i) - m->measured[i];
    }
    return CAB_OK;
}

static cab_fit_result search(model *m, unsigned long seed)
{
    cab_error error;
    cab_fit_result result;
    cab_fit_problem p = {.values = m->values,
                         .residuals = SAMPLES,
                         .step = {1e-3, 1e-3, 1e-3},
                         .block = m->block,
                         .blocks = BLOCKS,
                         .tries = 60,
                         .seed = seed,
                         .run = run,
                         .user = m};
    must(cab_fit_search(&p, &result, &error), &error);
    assert_int_equal(result.runs, m->stop_after ? result.runs : m->runs);
    return result;
}

/* In closed form: sigma^2 (J^T J)^-1 with J of ln A and ln B, as shares of ranges of ln 100. */
static void known_spreads(double spread[2], double *correlation)
{
    double a = 0, b = 0, c = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double t = TIME * i / SAMPLES, y = truth[0] * exp(-truth[1] * t), by_b = -truth[1] * t * y;
        a += y * y;
        b += by_b * by_b;
        c += y * by_b;
    }
    double determinant = a * b - c * c;
    spread[0] = NOISE * sqrt(b / determinant) / log(100);
    spread[1] = NOISE * sqrt(a / determinant) / log(100);
    *correlation = -c / sqrt(a * b);
}

/* The noise of one sample is known to 1/sqrt(800), blocks to 1/sqrt(80): a third of the spread at the most. */
static void it_finds_numbers_and_how_sure_they_are(void **state)
{
    (void)state;
    double spread[2], correlation;
    known_spreads(spread, &correlation);
    model m = {.values = 2};
    take_samples(&m, 1);
    cab_fit_result r = search(&m, 1);
    for (int k = 0; k < 2; k++) {
        double share = log(truth[k] / ranges[k].from) / log(100);
        near_to(r.share[k], share, 4 * spread[k]);
        near_to(r.spread[k], spread[k], spread[k] / 3);
    }
    near_to(r.correlation[0][1], correlation, 0.15);
    near_to(sqrt(r.square / SAMPLES), NOISE, 0.1 * NOISE);
    assert_false(r.interrupted);
}

/* Ten samples with one error tell as much as one: spreads are sqrt(10) times as large, which blocks see. */
static void errors_that_go_on_count_once(void **state)
{
    (void)state;
    double spread[2], correlation;
    known_spreads(spread, &correlation);
    model m = {.values = 2};
    take_samples(&m, 10);
    cab_fit_result r = search(&m, 1);
    for (int k = 0; k < 2; k++) near_to(r.spread[k], sqrt(10) * spread[k], sqrt(10) * spread[k] / 2);
}

static void what_has_no_influence_is_not_known(void **state)
{
    (void)state;
    model m = {.values = 3};
    take_samples(&m, 1);
    cab_fit_result r = search(&m, 1);
    assert_true(isinf(r.spread[2]));
    assert_true(r.spread[0] < 0.01 && r.spread[1] < 0.01);
}

static void what_takes_anothers_place_is_seen(void **state)
{
    (void)state;
    model m = {.values = 3, .alike = true};
    take_samples(&m, 1);
    cab_fit_result r = search(&m, 1);
    assert_true(fabs(r.correlation[0][2]) > 0.99 || isinf(r.spread[0]) || isinf(r.spread[2]));
}

static void a_seed_finds_the_same_again(void **state)
{
    (void)state;
    model m = {.values = 2};
    take_samples(&m, 1);
    cab_fit_result a = search(&m, 1);
    m.runs = 0;
    cab_fit_result b = search(&m, 1);
    assert_memory_equal(a.share, b.share, sizeof a.share);
    m.runs = 0;
    b = search(&m, 2);
    near_to(b.share[0], a.share[0], 1e-3);
}

/* Stopped among the tries, or later: the best until then. */
static void it_can_be_stopped(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        model m = {.values = 2, .stop_after = k ? 62 : 30};
        take_samples(&m, 1);
        cab_fit_result r = search(&m, 1);
        assert_true(r.interrupted);
        assert_true(isinf(r.spread[0]));
        assert_true(isfinite(r.square) == (k == 1));
    }
}

static void ranges_are_gone_through_by_ratio_or_evenly(void **state)
{
    (void)state;
    near_to(cab_fit_at(&ranges[0], 0), 0.1, 1e-12);
    near_to(cab_fit_at(&ranges[0], 0.5), 1, 1e-12);
    near_to(cab_fit_at(&ranges[0], 1), 10, 1e-12);
    near_to(cab_fit_at(&ranges[2], 0.75), 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_numbers_and_how_sure_they_are),
        cmocka_unit_test(errors_that_go_on_count_once),
        cmocka_unit_test(what_has_no_influence_is_not_known),
        cmocka_unit_test(what_takes_anothers_place_is_seen),
        cmocka_unit_test(a_seed_finds_the_same_again),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(ranges_are_gone_through_by_ratio_or_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
