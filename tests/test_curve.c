/* Curves by arc length, and lengths that are right before the first substep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/curve.h"
#include "model/spline.h"
#include "net.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static cab_arc_table *make_table(const cab_vec3 *path, int count, cab_curve curve)
{
    cab_error error = {0};
    cab_arc_table *table = cab_arc_table_create(path, count, curve, &error);
    if (!table) fail_msg("%s", error.message);
    return table;
}

/* ---- curves ---- */

static void test_polyline_keeps_corners(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{0, 0, 1}, {0.3, 0.4, 1}, {0.3, 0.4, 0.25}, {1.3, 0.4, 0.25}};
    cab_arc_table *table = make_table(path, COUNT(path), CAB_CURVE_POLYLINE);
    check_close(cab_arc_table_length(table), 0.5 + 0.75 + 1, 1e-15);
    const double s[] = {0, 0.5, 1.25, 2.25};
    for (int i = 0; i < COUNT(path); i++) check_near(cab_arc_table_point(table, s[i]), path[i], 1e-15);
    check_near(cab_arc_table_point(table, 0.25), (cab_vec3){0.15, 0.2, 1}, 1e-15);
    check_near(cab_arc_table_point(table, 1.75), (cab_vec3){0.8, 0.4, 0.25}, 1e-15);
    check_same(cab_arc_table_point(table, -1), path[0]);
    check_same(cab_arc_table_point(table, 99), path[3]);
    cab_arc_table_destroy(table);
}

/* The thesis' tangent points, written out by hand. */
static void test_spline_pieces(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 4}, {4, 0, 0}};
    cab_bezier first = cab_spline_piece(path, 4, 0), inner = cab_spline_piece(path, 4, 1);
    cab_bezier last = cab_spline_piece(path, 4, 2);
    check_near(first.p[1], (cab_vec3){0.25, 0.25, 0}, 0);
    check_near(first.p[2], (cab_vec3){0.5, 1, -1}, 0);
    check_near(inner.p[0], path[1], 0);
    check_near(inner.p[1], (cab_vec3){1.5, 1, 1}, 0);
    check_near(inner.p[2], (cab_vec3){1.25, 0.25, 4}, 0);
    check_near(inner.p[3], path[2], 0);
    check_near(last.p[1], (cab_vec3){2.75, -0.25, 4}, 0);
    check_near(last.p[2], (cab_vec3){3.5, 0, 1}, 0);
    /* (p0 + 3 p1 + 3 p2 + p3) / 8 */
    check_near(cab_bezier_point(&inner, 0.5), (cab_vec3){11.25 / 8, 4.75 / 8, 19.0 / 8}, 1e-15);
}

/* Arc length of a piece by Simpson's rule on a derivative of our own. */
static double simpson_length(const cab_bezier *piece, double t1, int steps)
{
    double sum = 0, h = t1 / steps;
    for (int i = 0; i <= steps; i++) {
        double t = i * h, u = 1 - t;
        cab_vec3 d = cab_vec3_scale(-3 * u * u, piece->p[0]);
        d = cab_vec3_add_scaled(d, 3 * u * u - 6 * u * t, piece->p[1]);
        d = cab_vec3_add_scaled(d, 6 * u * t - 3 * t * t, piece->p[2]);
        d = cab_vec3_add_scaled(d, 3 * t * t, piece->p[3]);
        sum += (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * cab_vec3_length(d);
    }
    return sum * h / 3;
}

static void test_spline_arc_length(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 4}, {4, 0, 0}, {4.1, 0.2, 0.1}};
    cab_arc_table *table = make_table(path, COUNT(path), CAB_CURVE_CATMULL_ROM);
    double total = cab_arc_table_length(table), s = 0;
    for (int i = 0; i + 1 < COUNT(path); i++) {
        cab_bezier piece = cab_spline_piece(path, COUNT(path), i);
        const double at[] = {0, 0.1, 0.5, 0.93};
        for (int k = 0; k < COUNT(at); k++) {
            cab_vec3 found = cab_arc_table_point(table, s + simpson_length(&piece, at[k], 20000));
            check_near(found, cab_bezier_point(&piece, at[k]), 1e-9 * total); /* the promise */
        }
        s += simpson_length(&piece, 1, 20000);
    }
    check_close(total, s, 1e-9 * total); /* the promise; Simpson is better by 10^3 here */
    cab_arc_table_destroy(table);
}

static void test_equal_arcs(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    const cab_vec3 path[] = {{0, 0, 0}, {0.5, 1, 0}, {1, 0, 0.5}, {3, 0, 0.5}};
    cab_arc_table *table = make_table(path, COUNT(path), CAB_CURVE_CATMULL_ROM);
    double h = cab_arc_table_length(table) / STEPS;
    cab_vec3 before = cab_arc_table_point(table, 0);
    for (int i = 1; i <= STEPS; i++) {
        cab_vec3 here = cab_arc_table_point(table, i * h);
        double chord = cab_vec3_distance(before, here);
        assert_true(chord <= h * (1 + 1e-8)); /* 10^-12 of the total in a step of 1/20000 of it */
        assert_true(chord >= h * (1 - 1e-4)); /* (curvature h)^2 / 24; the curvature stays under 100 here */
        before = here;
    }
    cab_arc_table_destroy(table);
}

static void test_straight_spline_is_exact(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{0, 0, 1}, {2, 0, 1}, {3, 0, 1}, {5, 0, 1}};
    cab_arc_table *table = make_table(path, COUNT(path), CAB_CURVE_CATMULL_ROM);
    assert_true(cab_arc_table_length(table) == 5);
    for (int i = 0; i <= 20; i++) {
        cab_vec3 p = cab_arc_table_point(table, 0.25 * i);
        check_near(p, (cab_vec3){0.25 * i, 0, 1}, 4e-15); /* a few roundings of 5 m */
        assert_true(p.y == 0 && p.z == 1);
    }
    cab_arc_table_destroy(table);
}

/* Along x: 2, 2.25, 1.25, 1, so the piece runs on, turns on the spot and comes back; the speed has a kink
 * there. */
static void test_spline_that_turns_back(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
    cab_arc_table *table = make_table(path, COUNT(path), CAB_CURVE_CATMULL_ROM);
    double t = (2.5 - sqrt(4.25)) / 4; /* root of 0.25 - 2.5 t + 2 t^2 */
    cab_bezier back = cab_spline_piece(path, 3, 1);
    double peak = cab_bezier_point(&back, t).x, total = 2 + (peak - 2) + (peak - 1);
    check_close(cab_arc_table_length(table), total, 1e-9 * total); /* the promise */
    check_near(cab_arc_table_point(table, peak), (cab_vec3){peak, 0, 0}, 1e-9 * total);
    check_near(cab_arc_table_point(table, peak + 0.5), (cab_vec3){peak - 0.5, 0, 0}, 1e-9 * total);
    cab_arc_table_destroy(table);
}

static void test_bad_paths(void **state)
{
    (void)state;
    const cab_vec3 same[] = {{1, 2, 3}, {1, 2, 3}}, wild[] = {{1, 2, 3}, {NAN, 0, 0}};
    for (int curve = CAB_CURVE_POLYLINE; curve <= CAB_CURVE_CATMULL_ROM; curve++) {
        cab_error error = {0};
        assert_null(cab_arc_table_create(same, 1, (cab_curve)curve, &error));
        assert_string_equal(error.message, "a path needs at least 2 points, got 1");
        assert_null(cab_arc_table_create(same, 2, (cab_curve)curve, &error));
        assert_string_equal(error.message, "the path has no length");
        assert_null(cab_arc_table_create(wild, 2, (cab_curve)curve, &error));
        assert_string_equal(error.message, "path point 1 is not finite");
        assert_int_equal(error.status, CAB_ERROR_INPUT);
    }
    cab_arc_table_destroy(NULL);
}

/* ---- lengths ---- */

static void test_straight_slack_bows_down(void **state)
{
    (void)state;
    const double lengths[] = {1 + 1e-7, 1.001, 1.05, 1.5, 4, 40};
    for (int i = 0; i < COUNT(lengths); i++) {
        net n = held_chain(64, 1, lengths[i]);
        project_exactly(&n);
        assert_true(n.position[32].z < 0);
        for (int p = 1; p < 64; p++) {
            assert_true(n.position[p].z < 0);
            assert_true(fabs(n.position[p].y) < 1e-12); /* gravity has no part along y */
        }
        check_close(n.position[32].x, 0.5, 1e-8); /* symmetric up to the length tolerance */
        net_free(&n);
    }
}

/* Vertical, so `down` says nothing about the side. */
static void test_vertical_slack_bows(void **state)
{
    (void)state;
    net n = held_chain(10, 1, 1.2);
    for (int i = 0; i <= 10; i++) n.position[i] = (cab_vec3){0, 0, n.position[i].x};
    project_exactly(&n);
    assert_true(hypot(n.position[5].x, n.position[5].y) > 0.2); /* sag of an arc 1.2 times its chord: 0.29 */
    net_free(&n);
}

static void test_closed_chain_hangs_down(void **state)
{
    (void)state;
    net n = held_chain(24, 0, 1);
    project_exactly(&n);
    for (int i = 1; i < 24; i++) assert_true(n.position[i].z < 0);
    check_close(n.position[12].z, -1 / acos(-1), 0.01); /* a circle's diameter; a 24-gon's is 0.3 % less */
    net_free(&n);
}

static void test_one_end_held(void **state)
{
    (void)state;
    const double spans[] = {2, 0.5, 1 + 1e-6};
    for (int i = 0; i < COUNT(spans); i++) {
        net n = chain_make(50, spans[i], 1);
        n.inverse_mass[0] = 0;
        project_exactly(&n);
        for (int p = 0; p <= 50; p++) check_near(n.position[p], (cab_vec3){p / 50.0, 0, 0}, 1e-9);
        net_free(&n);
    }
}

static void test_free_chain_keeps_its_centre(void **state)
{
    (void)state;
    net n = chain_make(20, 1, 1.3);
    cab_vec3 before = {0, 0, 0}, after = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i <= 20; i++) {
        n.position[i].z = 0.1 * sin(7.0 * i / 20);
        n.inverse_mass[i] = 1 + i * i;
    }
    project_exactly(&n);
    for (int i = 0; i <= 20; i++) {
        before = cab_vec3_add_scaled(before, 1 / n.inverse_mass[i], n.initial[i]);
        after = cab_vec3_add_scaled(after, 1 / n.inverse_mass[i], n.position[i]);
        mass += 1 / n.inverse_mass[i];
    }
    check_near(before, after, 1e-14 * mass); /* rounding at 1 m */
    net_free(&n);
}

/* One end put 0.3 m away from where the path left it. */
static void test_end_moved(void **state)
{
    (void)state;
    const cab_vec3 moves[] = {{-0.3, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0}, {0, 0, 0.3}, {0, 0, -0.3}};
    for (int i = 0; i < COUNT(moves); i++) {
        for (int curved = 0; curved < 2; curved++) {
            net n = held_chain(64, 1, 1.4);
            for (int p = 0; p <= 64 && curved; p++) n.position[p].y = 0.3 * sin(p / 20.0);
            n.position[64] = cab_vec3_add(n.position[64], moves[i]);
            project_exactly(&n);
            net_free(&n);
        }
    }
}

static void test_curved_slack(void **state)
{
    (void)state;
    const double waves[] = {1e-12, 1e-6, 1e-3, 0.02, 0.1, 0.3};
    for (int i = 0; i < COUNT(waves); i++) {
        for (double length = 1.3; length < 4; length += 0.6) {
            net n = held_chain(100, 1, length);
            for (int p = 0; p <= 100; p++) n.position[p].y = waves[i] * sin(3.0 * p / 100);
            project_exactly(&n);
            net_free(&n);
        }
    }
}

static void test_too_short_is_taut(void **state)
{
    (void)state;
    net n = held_chain(64, 1.5, 1);
    for (int i = 1; i < 64; i++) n.position[i].z = 0.2 * sin(i);
    project(&n);
    check_close(n.worst, 0.5, 1e-12); /* the same strain everywhere */
    for (int i = 0; i <= 64; i++) check_near(n.position[i], (cab_vec3){1.5 * i / 64, 0, 0}, 1e-12);
    net_free(&n);
}

/* Three arms of 0.5 m with their ends 1 m from the middle. */
static void test_too_short_tree_is_taut(void **state)
{
    (void)state;
    enum { LENGTH = 10 };
    net n = net_make(1 + 3 * LENGTH, 3 * LENGTH);
    n.position[0] = (cab_vec3){0.2, 0.1, 0.3};
    for (int a = 0; a < 3; a++) {
        for (int i = 1; i <= LENGTH; i++) {
            int p = a * LENGTH + i;
            double angle = a * 2 * acos(-1) / 3, r = (double)i / LENGTH;
            n.position[p] = (cab_vec3){r * cos(angle), r * sin(angle), 0};
            net_link(&n, i == 1 ? 0 : p - 1, p, 0.5 / LENGTH);
        }
        n.inverse_mass[(a + 1) * LENGTH] = 0;
    }
    project(&n);
    check_close(n.worst, 1,
                1e-5); /* the energy is flat there: 1e-10 of it, where the search stops, is 1e-5 */
    check_near(n.position[0], (cab_vec3){0, 0, 0}, 1e-5);
    net_free(&n);
}

/* a - - J - - b, straight and slack on both sides of a free junction with a branch. */
static void test_slack_through_a_junction(void **state)
{
    (void)state;
    net n = net_make(26, 25);
    for (int i = 0; i <= 20; i++) n.position[i].x = i / 20.0;
    for (int i = 0; i < 20; i++) net_link(&n, i, i + 1, 1.2 / 20);
    for (int i = 21; i <= 25; i++) {
        n.position[i] = (cab_vec3){0.5, 0, -0.06 * (i - 20)};
        net_link(&n, i == 21 ? 10 : i - 1, i, 0.05);
    }
    n.inverse_mass[0] = n.inverse_mass[20] = 0;
    project_exactly(&n);
    net_free(&n);
}

static void test_links_without_length(void **state)
{
    (void)state;
    net n = net_make(5, 3);
    n.inverse_mass[0] = n.inverse_mass[4] = 0;
    net_link(&n, 0, 1, 0.1); /* hangs down from what is held, whichever end that is */
    net_link(&n, 2, 3, 0.2); /* free */
    n.position[4] = (cab_vec3){1, 0, 0};
    project_exactly(&n);
    check_near(n.position[1], (cab_vec3){0, 0, -0.1}, 1e-10);
    net_free(&n);

    n = net_make(2, 1);
    n.inverse_mass[1] = 0;
    net_link(&n, 0, 1, 0.1);
    project_exactly(&n);
    check_near(n.position[0], (cab_vec3){0, 0, -0.1}, 1e-10);
    net_free(&n);

    n = chain_make(30, 0, 1); /* all in one place */
    project_exactly(&n);
    net_free(&n);
}

static void test_nothing_to_move(void **state)
{
    (void)state;
    net n = chain_make(3, 1, 2);
    memset(n.inverse_mass, 0, 4 * sizeof *n.inverse_mass);
    project(&n);
    check_close(n.worst, 0.5, 1e-15);
    net_free(&n);

    n = held_chain(64, 1, 1); /* right already, so not a bit changes */
    project_exactly(&n);
    assert_memory_equal(n.position, n.initial, 65 * sizeof *n.position);
    net_free(&n);

    n = net_make(0, 0);
    project_exactly(&n);
    net_free(&n);
}

static void test_ring(void **state)
{
    (void)state;
    for (int held = 0; held <= 2; held++) {
        net n = net_make(30, 30);
        for (int i = 0; i < 30; i++) {
            double angle = i * acos(-1) / 15;
            n.position[i] = (cab_vec3){cos(angle), 0.5 * sin(angle), 0.1 * sin(3 * angle)};
            net_link(&n, i, (i + 1) % 30, 6.5 / 30);
        }
        if (held > 0) n.inverse_mass[0] = 0;
        if (held > 1) n.inverse_mass[15] = 0;
        project_exactly(&n);
        net_free(&n);
    }
}

static void test_star_with_many_arms(void **state)
{
    (void)state;
    enum { ARMS = 2000, LENGTH = 5 };
    net n = net_make(1 + ARMS * LENGTH, ARMS * LENGTH);
    n.inverse_mass[0] = 1e-3;
    for (int a = 0; a < ARMS; a++) {
        for (int i = 1; i <= LENGTH; i++) {
            int p = a * LENGTH + i;
            n.position[p] = (cab_vec3){0.1 * i * cos(a), 0.1 * i * sin(a), 0.02 * i * (a % 7)};
            net_link(&n, i == 1 ? 0 : p - 1, p, 0.08);
        }
        if (a < 3) n.inverse_mass[(a + 1) * LENGTH] = 0;
    }
    for (int a = 0; a < 3; a++) n.position[(a + 1) * LENGTH] = (cab_vec3){0.3 * cos(a), 0.3 * sin(a), 0};
    project_exactly(&n);
    net_free(&n);
}

/* Cables joined to a grid, its upper corners nearer to each other than they should be. */
static void test_net_with_loops(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    net n = net_make(SIDE * SIDE, 2 * SIDE * SIDE);
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            int p = j * SIDE + i;
            n.position[p] = (cab_vec3){0.1 * i, 0.1 * j, 0.05 * sin(0.3 * i) * cos(0.4 * j)};
            n.inverse_mass[p] = 1 + p % 850; /* a harness' mass ratios */
            if (i > 0) net_link(&n, p - 1, p, 0.1);
            if (j > 0) net_link(&n, p - SIDE, p, 0.1);
        }
    }
    n.inverse_mass[0] = n.inverse_mass[SIDE - 1] = 0;
    n.position[0].x += 0.2;
    n.position[SIDE - 1].x -= 0.2;
    project_exactly(&n);
    net_free(&n);
}

/* Any lengths can be met in a tree with one end held, wherever the particles start. */
static void test_random_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        int count = 2 + random_below(&random, 30);
        net n = net_make(count, count);
        for (int i = 0; i < count; i++) {
            n.position[i] = random_place(&random);
            n.inverse_mass[i] = pow(10, 3 * next_random(&random));
            if (seed % 3 == 0) n.position[i].z = 0;
            int parent = seed % 2 ? i - 1 : random_below(&random, i);
            if (i > 0) net_link(&n, parent, i, 0.05 + 0.4 * next_random(&random));
        }
        n.inverse_mass[random_below(&random, count)] = seed % 5 ? 0 : 1;
        project_exactly(&n);
        net_free(&n);
    }
}

/* Lengths taken from a shape that exists, started up to 0.1 m beside it: chains and trees with loops, some
 * held. */
static void test_random_nets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        int count = 3 + random_below(&random, 30), loops = count / 6;
        net n = net_make(count, count + loops);
        for (int i = 0; i < count; i++) n.position[i] = random_place(&random);
        for (int i = 1; i < count + loops; i++) {
            int a = i < count ? i : random_below(&random, count);
            int b = seed % 2 && i < count ? i - 1 : random_below(&random, a);
            if (a > 0) net_link(&n, a, b, cab_vec3_distance(n.position[a], n.position[b]));
        }
        for (int k = 0; k < (int)(seed % 4); k++) n.inverse_mass[random_below(&random, count)] = 0;
        for (int i = 0; i < count; i++) {
            cab_vec3 aside = cab_vec3_sub(random_place(&random), (cab_vec3){0.5, 0.5, 0.5});
            if (n.inverse_mass[i] > 0) n.position[i] = cab_vec3_add_scaled(n.position[i], 0.1, aside);
        }
        project_exactly(&n);
        net_free(&n);
    }
}

/* Short chains, anything held, any lengths: nothing but finite answers and a true *worst. */
static void test_random_impossible(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        int count = 2 + random_below(&random, 8);
        net n = net_make(count, 2 * count);
        for (int i = 0; i < count; i++) {
            if (i == 0 || random_below(&random, 4)) n.position[i] = random_place(&random);
            if (random_below(&random, 3) == 0) n.inverse_mass[i] = 0;
        }
        for (int i = 0; i < 2 * count; i++) {
            int a = random_below(&random, count), b = random_below(&random, count);
            if (a != b) net_link(&n, a, b, pow(10, 2 * next_random(&random) - 2));
        }
        project(&n);
        net_free(&n);
    }
}

/* Masses change nothing where something is held; other cables change nothing ever. */
static void test_depends_on_its_own_input_only(void **state)
{
    (void)state;
    net one = held_chain(40, 1, 1.2), again = held_chain(40, 1, 1.2), two = net_make(82, 80);
    for (int i = 0; i <= 40; i++) {
        one.position[i].y = again.position[i].y = 0.1 * sin(i);
        two.position[2 * i] = one.position[i];
        two.position[2 * i + 1] = (cab_vec3){0, 5, 0.3 * i};
        if (again.inverse_mass[i] > 0) again.inverse_mass[i] = 1 + i * i;
        if (i == 40) break;
        net_link(&two, 2 * i, 2 * i + 2, one.links[i].rest);
        net_link(&two, 2 * i + 1, 2 * i + 3, 0.2);
    }
    two.inverse_mass[0] = two.inverse_mass[80] = 0;
    project_exactly(&one);
    project_exactly(&again);
    project_exactly(&two);
    assert_memory_equal(one.position, again.position, 41 * sizeof *one.position);
    for (int i = 0; i <= 40; i++) check_same(one.position[i], two.position[2 * i]);
    net_free(&one);
    net_free(&again);
    net_free(&two);
}

static void test_a_million_links(void **state)
{
    (void)state;
    enum { LINKS = 1000000 };
    net n = chain_make(LINKS, 1000, 1010);
    for (int i = 0; i <= LINKS; i++) n.position[i].y = 0.1 * sin(0.003 * i);
    n.inverse_mass[0] = 0;
    project_exactly(&n);
    net_free(&n);
}

static void expect_refused(net *n, const char *message)
{
    cab_error error = {0};
    assert_int_equal(cab_project_lengths(n->position, n->inverse_mass, n->particle_count, n->links,
                                         n->link_count, down, NULL, &error),
                     CAB_ERROR_INPUT);
    assert_string_equal(error.message, message);
}

static void test_bad_links(void **state)
{
    (void)state;
    net n = chain_make(2, 1, 1);
    n.links[1].b = 3;
    expect_refused(&n, "link 1 joins particles 1 and 3 of 3");
    n.links[1].b = 1;
    expect_refused(&n, "link 1 joins particle 1 to itself");
    n.links[1] = (cab_link){1, 2, 0};
    expect_refused(&n, "link 1: expected a length above 0, got 0 m");
    n.links[1].rest = 1;
    n.inverse_mass[2] = -1;
    expect_refused(&n, "particle 2: expected an inverse mass from 0, got -1 1/kg");
    n.inverse_mass[2] = 1;
    n.position[0].y = NAN;
    expect_refused(&n, "particle 0: its position is not finite");
    net_free(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polyline_keeps_corners),
        cmocka_unit_test(test_spline_pieces),
        cmocka_unit_test(test_spline_arc_length),
        cmocka_unit_test(test_equal_arcs),
        cmocka_unit_test(test_straight_spline_is_exact),
        cmocka_unit_test(test_spline_that_turns_back),
        cmocka_unit_test(test_bad_paths),
        cmocka_unit_test(test_straight_slack_bows_down),
        cmocka_unit_test(test_vertical_slack_bows),
        cmocka_unit_test(test_closed_chain_hangs_down),
        cmocka_unit_test(test_one_end_held),
        cmocka_unit_test(test_free_chain_keeps_its_centre),
        cmocka_unit_test(test_end_moved),
        cmocka_unit_test(test_curved_slack),
        cmocka_unit_test(test_too_short_is_taut),
        cmocka_unit_test(test_too_short_tree_is_taut),
        cmocka_unit_test(test_slack_through_a_junction),
        cmocka_unit_test(test_links_without_length),
        cmocka_unit_test(test_nothing_to_move),
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_star_with_many_arms),
        cmocka_unit_test(test_net_with_loops),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_random_nets),
        cmocka_unit_test(test_random_impossible),
        cmocka_unit_test(test_depends_on_its_own_input_only),
        cmocka_unit_test(test_a_million_links),
        cmocka_unit_test(test_bad_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
