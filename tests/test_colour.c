#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/colour.h"

/* A colouring and everything that the validator looks at. */
typedef struct colouring {
    int count, particle_count, colour_count;
    cab_stencil *stencils;
    int *colour, *order;
    cab_range *ranges;
} colouring;

static cab_stencil stencil_of(int a, int b, int c, int preferred)
{
    return (cab_stencil){.particle = {a, b, c}, .preferred = preferred};
}

static colouring colouring_make(int count, int particle_count)
{
    colouring c = {.count = count, .particle_count = particle_count};
    c.stencils = calloc((size_t)count + 1, sizeof *c.stencils);
    c.colour = calloc((size_t)count + 1, sizeof *c.colour);
    c.order = calloc((size_t)count + 1, sizeof *c.order);
    assert_true(c.stencils && c.colour && c.order);
    return c;
}

static void colouring_free(colouring *c)
{
    free(c->stencils);
    free(c->colour);
    free(c->order);
    free(c->ranges);
}

static cab_status validate(const colouring *c, cab_error *error)
{
    return cab_colour_validate(c->stencils, c->count, c->particle_count, c->order, c->ranges, c->colour_count,
                               error);
}

/* Colours, sorts and validates. */
static void colour_all(colouring *c)
{
    cab_error error = {0};
    assert_int_equal(
        cab_colour_stencils(c->stencils, c->count, c->particle_count, c->colour, &c->colour_count, &error),
        CAB_OK);
    c->ranges = calloc((size_t)c->colour_count + 1, sizeof *c->ranges);
    assert_non_null(c->ranges);
    cab_colour_sort(c->colour, c->count, c->colour_count, c->order, c->ranges);
    if (validate(c, &error)) fail_msg("%s", error.message);
}

static colouring segment_chain(int segments)
{
    colouring c = colouring_make(segments, segments + 1);
    for (int i = 0; i < segments; i++) c.stencils[i] = stencil_of(i, i + 1, -1, i % 2);
    return c;
}

static colouring bending_chain(int particles)
{
    colouring c = colouring_make(particles - 2, particles);
    for (int i = 1; i + 1 < particles; i++) c.stencils[i - 1] = stencil_of(i - 1, i, i + 1, i % 3);
    return c;
}

static void test_chain_has_two_colours(void **state)
{
    (void)state;
    colouring c = segment_chain(1001);
    colour_all(&c);
    assert_int_equal(c.colour_count, 2);
    for (int i = 0; i < c.count; i++) assert_int_equal(c.colour[i], i % 2);
    assert_int_equal(c.ranges[0].first, 0);
    assert_int_equal(c.ranges[0].count, 501);
    assert_int_equal(c.ranges[1].count, 500);
    assert_int_equal(c.order[1], 2);
    assert_int_equal(c.order[501], 1);
    colouring_free(&c);
}

static void test_bending_has_three_colours(void **state)
{
    (void)state;
    colouring c = bending_chain(500);
    colour_all(&c);
    assert_int_equal(c.colour_count, 3);
    for (int i = 0; i < c.count; i++) assert_int_equal(c.colour[i], (i + 1) % 3);
    colouring_free(&c);
}

/* Every arm's first segment meets the centre: as many colours as arms, past the 64 of one word too. */
static void check_star(int arms, int length)
{
    colouring c = colouring_make(arms * length, arms * length + 1);
    for (int a = 0; a < arms; a++) {
        for (int i = 0; i < length; i++) {
            int outer = 1 + a * length + i, inner = i == 0 ? 0 : outer - 1;
            c.stencils[a * length + i] = stencil_of(inner, outer, -1, i % 2);
        }
    }
    colour_all(&c);
    assert_int_equal(c.colour_count, arms);
    colouring_free(&c);
}

static void test_stars(void **state)
{
    (void)state;
    check_star(3, 5);
    check_star(40, 8);
    check_star(64, 2);
    check_star(65, 2);
    check_star(300, 3);
}

/* A fixed sequence, the same on every machine. */
static unsigned next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33);
}

static void test_random_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t random = seed;
        int n = 2 + (int)(next_random(&random) % 400);
        colouring c = colouring_make(n - 1, n);
        int *degree = calloc((size_t)n, sizeof *degree), most = 0;
        for (int i = 1; i < n; i++) {
            int parent = (int)(next_random(&random) % (unsigned)i);
            c.stencils[i - 1] = stencil_of(parent, i, -1, i % 2);
            degree[parent]++;
            degree[i]++;
        }
        for (int i = 0; i < n; i++) most = degree[i] > most ? degree[i] : most;
        colour_all(&c);
        assert_true(c.colour_count >= most);
        assert_true(c.colour_count <= 2 * most - 1 ||
                    most == 1); /* greedy: a segment has at most 2 (most - 1) rivals */
        free(degree);
        colouring_free(&c);
    }
}

static void test_random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t random = seed;
        int n = 3 + (int)(next_random(&random) % 60), count = (int)(next_random(&random) % 1000);
        colouring c = colouring_make(count, n);
        for (int i = 0; i < count; i++) {
            unsigned first = next_random(&random) % (unsigned)n;
            int a = (int)first, b = (int)((first + 1) % (unsigned)n),
                third = (int)((first + 2) % (unsigned)n);
            c.stencils[i] = stencil_of(a, b, i % 2 ? third : -1, i % 3);
        }
        colour_all(&c);
        colouring_free(&c);
    }
}

static void test_same_input_same_colours(void **state)
{
    (void)state;
    colouring a = bending_chain(100), b = bending_chain(100);
    for (int i = 0; i < a.count; i++) a.stencils[i].preferred = b.stencils[i].preferred = 0;
    colour_all(&a);
    colour_all(&b);
    assert_memory_equal(a.colour, b.colour, (size_t)a.count * sizeof(int));
    assert_int_equal(a.colour_count, 3);
    colouring_free(&a);
    colouring_free(&b);
}

static void test_preferred_wins_when_free(void **state)
{
    (void)state;
    colouring c = colouring_make(3, 4);
    c.stencils[0] = stencil_of(0, 1, -1, 5);
    c.stencils[1] = stencil_of(1, 2, -1, 5);
    c.stencils[2] = stencil_of(2, 3, -1, 5);
    colour_all(&c);
    assert_int_equal(c.colour[0], 5);
    assert_int_equal(c.colour[1], 0);
    assert_int_equal(c.colour[2], 5);
    assert_int_equal(c.colour_count, 6);
    assert_int_equal(c.ranges[3].count, 0);
    colouring_free(&c);
}

static void test_nothing_to_colour(void **state)
{
    (void)state;
    colouring c = colouring_make(0, 5);
    colour_all(&c);
    assert_int_equal(c.colour_count, 0);
    colouring_free(&c);
}

static void test_bad_stencils(void **state)
{
    (void)state;
    int colour[1], count;
    cab_error error = {0};
    cab_stencil outside = stencil_of(0, 3, -1, 0), negative = stencil_of(0, -2, -1, 0),
                unwilling = stencil_of(0, 1, -1, -1);
    assert_int_equal(cab_colour_stencils(&outside, 1, 3, colour, &count, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message, "constraint 0 names particle 3 of 3");
    assert_int_equal(cab_colour_stencils(&negative, 1, 3, colour, &count, &error), CAB_ERROR_INPUT);
    assert_int_equal(cab_colour_stencils(&unwilling, 1, 3, colour, &count, &error), CAB_ERROR_INPUT);
}

/* The validator must find this break. */
static void expect_break(const colouring *c, const char *part)
{
    cab_error error = {0};
    assert_int_equal(validate(c, &error), CAB_ERROR_INPUT);
    if (!strstr(error.message, part)) fail_msg("expected '%s' in '%s'", part, error.message);
}

/* order: 0 2 4 6 8 | 1 3 5 7 9; ranges {0, 5} {5, 5} */
static void test_validator_finds_breaks(void **state)
{
    (void)state;
    colouring c = segment_chain(10);
    colour_all(&c);

    c.order[1] = 1; /* and place 5 too */
    expect_break(&c, "constraint 1 stands in two places");
    c.order[1] = 10;
    expect_break(&c, "place 1 holds constraint 10 of 10");
    c.order[1] = -1;
    expect_break(&c, "place 1 holds constraint -1 of 10");
    c.order[1] = 1;
    c.order[5] = 2; /* constraints 0 and 1 now share particle 1 */
    expect_break(&c, "constraints 0 and 1 of colour 0 share particle 1");
    c.order[1] = 2;
    c.order[5] = 1;
    assert_int_equal(validate(&c, NULL), CAB_OK);

    c.ranges[1] = (cab_range){5, 4};
    expect_break(&c, "constraint at place 9 has no colour");
    c.ranges[1] = (cab_range){6, 4};
    expect_break(&c, "constraint at place 5 has no colour");
    c.ranges[1] = (cab_range){4, 6};
    expect_break(&c, "place 4 has two colours");
    c.ranges[1] = (cab_range){5, 6};
    expect_break(&c, "colour 1 covers 6 places from 5 of 10");
    c.ranges[1] = (cab_range){-1, 5};
    expect_break(&c, "colour 1 covers 5 places from -1 of 10");
    c.ranges[1] = (cab_range){5, -1};
    expect_break(&c, "colour 1 covers -1 places");
    c.ranges[1] = (cab_range){5, 5};
    assert_int_equal(validate(&c, NULL), CAB_OK);

    c.stencils[4].particle[1] = 11;
    expect_break(&c, "constraint 4 names particle 11 of 11");
    c.stencils[4].particle[1] = 2; /* it then shares particle 2 with constraint 2 */
    expect_break(&c, "constraints 2 and 4 of colour 0 share particle 2");
    colouring_free(&c);
}

/* Eight particles a stencil: they meet in those that do not fit the cells, too. */
static void test_wide_stencils(void **state)
{
    (void)state;
    enum { WIDE = 8, COUNT = 100 };
    int particle[COUNT][WIDE];
    colouring c = colouring_make(COUNT, COUNT + WIDE);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < WIDE; k++) particle[i][k] = i + k;
        c.stencils[i] = stencil_of(i, i + 1, i + 2, i % WIDE);
        c.stencils[i].more = particle[i] + 3;
        c.stencils[i].more_count = WIDE - 3;
    }
    colour_all(&c);
    assert_int_equal(c.colour_count, WIDE);
    c.stencils[0].more = particle[WIDE] + 3; /* now 0 and 8, of one colour, share particles */
    cab_error error = {0};
    assert_int_equal(validate(&c, &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "share particle"));
    colouring_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_stencils),
        cmocka_unit_test(test_chain_has_two_colours),
        cmocka_unit_test(test_bending_has_three_colours),
        cmocka_unit_test(test_stars),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_same_input_same_colours),
        cmocka_unit_test(test_preferred_wins_when_free),
        cmocka_unit_test(test_nothing_to_colour),
        cmocka_unit_test(test_bad_stencils),
        cmocka_unit_test(test_validator_finds_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
