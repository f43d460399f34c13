/* What colour bars and scales are made of: round numbers, ticks, quantities with units, the range of the colour map. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

#include "view/scale/units.h"
#include "view/scale/value_range.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The same numbers in each run, 0 to 1. */
static double next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* Is x 1, 2 or 5 times a power of ten? */
static bool is_round(double x)
{
    double digit = x / pow(10, floor(log10(x) + 1e-9));
    return fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6;
}

static void test_round_numbers(void **state)
{
    (void)state;
    static const double cases[][3] = {{1, 1, 1},          {1.3, 1, 2},           {4.99, 2, 5},
                                      {5, 5, 5},          {0.3, 0.2, 0.5},       {99, 50, 100},
                                      {1000, 1000, 1000}, {0.001, 0.001, 0.001}, {7e-9, 5e-9, 1e-8}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(fabs(cab_round_below(cases[i][0]) / cases[i][1] - 1) < 1e-9);
        assert_true(fabs(cab_round_above(cases[i][0]) / cases[i][2] - 1) < 1e-9);
    }
    unsigned seed = 1;
    for (int i = 0; i < 2000; i++) {
        double x = pow(10, 24 * next_random(&seed) - 12);
        double below = cab_round_below(x), above = cab_round_above(x);
        assert_true(is_round(below) && is_round(above));
        assert_true(below <= x * (1 + 1e-5) && above >= x * (1 - 1e-5)); /* 1e-6 counts as rounding */
        assert_true(x / below < 2.5 + 1e-4 && above / x < 2.5 + 1e-4);   /* from 2 to 5 is the widest gap */
    }
}

static void check_ticks(double lowest, double highest, int most)
{
    cab_ticks ticks = cab_ticks_make(lowest, highest, most);
    double length = highest - lowest, room = 1e-5 * length;
    assert_in_range(ticks.count, most >= 6 ? 2 : 0, most); /* 2.5 steps fit where six marks would */
    assert_true(is_round(ticks.step));
    for (int i = 0; i < ticks.count; i++) {
        double at = cab_tick(&ticks, i);
        assert_true(at >= lowest - room && at <= highest + room);
        double steps = at / ticks.step;
        assert_true(fabs(steps - round(steps)) <= 1e-9 * fabs(steps) + 1e-12);
    }
    /* none is missing at either end */
    assert_true(cab_tick(&ticks, 0) - ticks.step < lowest || !ticks.count);
    assert_true(cab_tick(&ticks, ticks.count) > highest || !ticks.count);
}

static void test_ticks(void **state)
{
    (void)state;
    cab_ticks ticks = cab_ticks_make(0, 1, 6);
    assert_int_equal(ticks.count, 6);
    assert_true(fabs(cab_tick(&ticks, 3) - 0.6) < 1e-12);
    ticks = cab_ticks_make(-0.3, 0.3, 8);
    assert_int_equal(ticks.count, 7);
    assert_true(cab_tick(&ticks, 3) == 0); /* and not 1e-17 */
    unsigned seed = 7;
    for (int i = 0; i < 5000; i++) {
        double scale = pow(10, 24 * next_random(&seed) - 12);
        double lowest = scale * (2 * next_random(&seed) - 1), length = scale * (0.01 + next_random(&seed));
        check_ticks(lowest, lowest + length, 2 + (int)(11 * next_random(&seed)));
    }
}

static void test_ticks_of_nothing(void **state)
{
    (void)state;
    assert_int_equal(cab_ticks_make(0, 0, 6).count, 1);
    assert_int_equal(cab_ticks_make(3, 3, 6).count, 1);
    assert_int_equal(cab_ticks_make(2, 1, 6).count, 0);
    assert_int_equal(cab_ticks_make(NAN, 1, 6).count, 0);
    assert_int_equal(cab_ticks_make(0, INFINITY, 6).count, 0);
}

static void test_quantities(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *unit;
        int digits;
        const char *text;
    } cases[] = {
        {0, "N", 3, "0.00 N"},        {1, "N", 3, "1.00 N"},        {12.34, "N", 3, "12.3 N"},
        {0.0123, "N", 3, "12.3 mN"},  {-4560, "N", 3, "−4.56 kN"},  {999.96, "N", 4, "1.000 kN"},
        {999.4, "N", 3, "999 N"},     {0.1, "m", 1, "100 mm"},      {0.5, "m", 1, "500 mm"},
        {2, "m", 1, "2 m"},           {5000, "m", 1, "5 km"},       {20e-6, "m", 1, "20 µm"},
        {0.25, "m/s", 2, "250 mm/s"}, {1500, "1/m", 2, "1.5 1/mm"}, {250, "1/m", 3, "250 1/m"},
        {1e-30, "N", 3, "0.00 N"},    {0.9999, "m", 3, "1.00 m"},   {12, "", 2, "12"},
        {INFINITY, "m", 3, "–"},      {NAN, "m", 3, "–"},           {2.5e6, "N", 2, "2.5 MN"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        cab_write_quantity(text, sizeof text, cases[i].value, cases[i].unit, cases[i].digits);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double value, step;
        const char *text;
    } cases[] = {
        {0.25, 0.05, "0.25"}, {3, 1, "3"},         {3, 0.5, "3.0"},   {1200, 200, "1200"},    {-2, 1, "−2"},
        {-0.0, 1, "0"},       {-1e-9, 0.1, "0.0"}, {0.3, 0.1, "0.3"}, {5e-4, 1e-4, "0.0005"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        cab_write_number(text, sizeof text, cases[i].value, cases[i].step);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_range_widens_at_once(void **state)
{
    (void)state;
    cab_value_range range = {0};
    cab_value_range_follow(&range, 0.2f, 3.7f, 0.02);
    assert_true(range.lowest == 0 && range.highest == 4);
    cab_value_range_follow(&range, -12, 3, 0.02);
    assert_true(range.lowest <= -12 && range.highest >= 3);
    cab_value_range_follow(&range, NAN, 100, 0.02);
    cab_value_range_follow(&range, INFINITY, -INFINITY, 0.02);
    cab_value_range_follow(&range, 0, INFINITY, 0.02);
    assert_true(range.highest < 10);
}

static void test_range_narrows_slowly(void **state)
{
    (void)state;
    cab_value_range range = {0};
    cab_value_range_follow(&range, 0, 100, 0.02);
    float first = range.highest, last = first;
    for (int i = 0; i < 50; i++) {
        cab_value_range_follow(&range, 0, 1, 0.02);
        assert_true(range.highest <= last);
        last = range.highest;
    }
    assert_true(last > 0.6f * first); /* 1 s of a time of 3 s: exp(-1/3) = 0.72, rounded outwards */
    for (int i = 0; i < 1500; i++) cab_value_range_follow(&range, 0, 1, 0.02);
    assert_true(range.highest <= 1.2f);
    cab_value_range held = {0};
    cab_value_range_follow(&held, 0, 100, 0);
    for (int i = 0; i < 1000; i++) cab_value_range_follow(&held, 0, 1, 0);
    assert_true(held.highest == 100);
}

/* Values that jump about by a quarter, 60 times a second, for 10 s. */
static void test_range_does_not_flicker(void **state)
{
    (void)state;
    cab_value_range range = {0};
    unsigned seed = 3;
    int changes = 0;
    for (int i = 0; i < 600; i++) {
        float before = range.highest;
        cab_value_range_follow(&range, 0, (float)(8 + 2 * next_random(&seed)), 1.0 / 60);
        if (i >= 60 && range.highest != before) changes++;
    }
    assert_in_range(changes, 0, 4); /* without holding on it is about every third frame */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_numbers),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_ticks_of_nothing),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_range_widens_at_once),
        cmocka_unit_test(test_range_narrows_slowly),
        cmocka_unit_test(test_range_does_not_flicker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
