/* Slack segments: as long as they are, out of all bodies, in a catenary at rest, and one constraint when
 * taut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define MOST 4096

static double points[MOST][2];

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

/* All points of the scene; how many there are. */
static int read_points(cab_planar *planar)
{
    int count = pl_stats(planar).points;
    assert_true(count <= MOST);
    PL_OK(cab_planar_read_points(planar, 0, points, &pl_error));
    return count;
}

static double drawn(int first, int count)
{
    double length = 0;
    for (int i = first + 1; i < first + count; i++)
        length += hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
    return length;
}

/* A cable from one point of the world to another. */
static cab_planar_scene *hung(double x, double y, double factor, int pieces)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_link_def links[] = {pl_world(0, 0), pl_world(x, y)};
    cab_planar_scene_settings(scene)->slack_pieces = pieces;
    pl_cable(scene, "c", links, 2, factor);
    return scene;
}

/* 2 a sinh(d / 2 a) = length; the sag is a (cosh(d / 2 a) - 1). */
static double catenary_sag(double d, double length)
{
    double low = 1e-3 * d, high = 1e3 * d;
    for (int i = 0; i < 200; i++) {
        double a = 0.5 * (low + high);
        if (2 * a * sinh(d / (2 * a)) > length)
            low = a;
        else
            high = a;
    }
    return low * (cosh(d / (2 * low)) - 1);
}

static void a_slack_cable_hangs_in_a_catenary(void **state)
{
    (void)state;
    for (int pieces = 16; pieces <= 64; pieces *= 4) {
        for (double factor = 1.05; factor < 2.5; factor *= 1.5) {
            cab_planar *planar = pl_native(hung(1, 0, factor, pieces));
            pl_step(planar, 1800);
            int count = read_points(planar);
            double lowest = 0;
            assert_int_equal(count, pieces + 1);
            assert_int_equal(pl_joint(planar, 1).points, count);
            near_to(pl_joint(planar, 1).slack, factor - 1, 1e-12);
            near_to(pl_stats(planar).slack, factor - 1, 1e-12);
            near_to(drawn(0, count), factor, 1e-4 * factor);
            near_to(points[0][0], 0, 0);
            near_to(points[pieces][0], 1, 1e-15);
            for (int i = 0; i < count; i++) lowest = fmin(lowest, points[i][1]);
            /* pieces are straight and their points heavy: off by the square of their number */
            near_to(-lowest, catenary_sag(1, factor), (pieces == 16 ? 0.01 : 0.002) * factor);
            cab_planar_destroy(planar);
        }
    }
    cab_planar *planar = pl_native(hung(1, 0, 1.3, 0)); /* without subdivision it stays straight */
    pl_step(planar, 10);
    assert_int_equal(read_points(planar), 0);
    assert_int_equal(pl_joint(planar, 1).points, 0);
    near_to(pl_joint(planar, 1).slack, 0.3, 1e-12);
    cab_planar_destroy(planar);
}

/* Least distance of a piece from a point. */
static double nearest(int count, double x, double y)
{
    double least = INFINITY;
    for (int i = 1; i < count; i++) {
        double ax = points[i - 1][0], ay = points[i - 1][1], dx = points[i][0] - ax, dy = points[i][1] - ay;
        double part = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
        part = fmin(fmax(part, 0), 1);
        least = fmin(least, hypot(ax + part * dx - x, ay + part * dy - y));
    }
    return least;
}

/* On a floor, over a peg that is smaller than a piece, over the edge of a box. */
static void it_lies_on_bodies(void **state)
{
    (void)state;
    for (int pieces = 16; pieces <= 32; pieces *= 2) {
        cab_planar_scene *scene = hung(1.2, 0, 1.7, pieces);
        pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -0.8, 5, 0.5, 1));
        pl_put(scene, pl_circle("peg", CAB_PLANAR_STATIC, 0.4, -0.2, 0.02, 1));
        pl_put(scene, pl_box("box", CAB_PLANAR_STATIC, 0.85, -0.25, 0.1, 0.1, 1));
        cab_planar *planar = pl_native(scene);
        int lying = 0, count = 0;
        for (int i = 0; i < 300; i++) {
            pl_step(planar, 1);
            count = read_points(planar);
            assert_int_equal(count, pieces + 1);
            near_to(drawn(0, count), 1.7 * 1.2, 0.01 * 1.7 * 1.2);
            for (int k = 0; k < count; k++) {
                assert_true(points[k][1] > -0.3 + 0.9 * PL_W);
                assert_true(fabs(points[k][0] - 0.85) > 0.1 || fabs(points[k][1] + 0.25) > 0.1);
            }
            assert_true(nearest(count, 0.4, -0.2) > 0.02 + 0.5 * PL_W);
            for (int corner = -1; corner <= 1; corner += 2)
                assert_true(nearest(count, 0.85 + 0.1 * corner, -0.15) > 0.5 * PL_W);
        }
        for (int k = 0; k < count; k++) lying += points[k][1] < -0.3 + 1.5 * PL_W;
        assert_true(lying > pieces / 8);
        cab_planar_destroy(planar);
    }
}

/* What lies on a belt that runs to the right is taken along by friction, and lies still without. Returns how far to the right the middle
 * of its points is of the middle between its ends, m. */
static double carried(double friction)
{
    cab_planar_scene *scene = hung(1, 0, 2.5, 32);
    cab_planar_body_def belt = pl_box("belt", CAB_PLANAR_STATIC, 0, -0.8, 50, 0.5, 1);
    belt.friction = friction;
    belt.velocity[0] = 0.5;
    pl_put(scene, belt);
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 600);
    int count = read_points(planar);
    double middle = 0;
    for (int i = 0; i < count; i++) middle += points[i][0] / count;
    near_to(drawn(0, count), 2.5, 0.05);
    cab_planar_destroy(planar);
    return middle - 0.5;
}

static void friction_takes_it_along(void **state)
{
    (void)state;
    double without = carried(0), with = carried(0.8);
    near_to(without, 0, 0.02);
    if (!(with > 0.1)) fail_msg("carried by %g m", with);
}

/* A weight falls until its cable is taut; what the cable's points do is nothing to it. */
static void it_is_one_constraint_when_taut(void **state)
{
    (void)state;
    cab_planar *planar[2];
    for (int i = 0; i < 2; i++) {
        cab_planar_scene *scene = pl_scene();
        cab_planar_scene_settings(scene)->slack_pieces = i ? 16 : 0;
        cab_planar_body_def weight = pl_circle("weight", CAB_PLANAR_DYNAMIC, 0.3, -0.1, 0.05, 2);
        weight.linear_damping = 1;
        pl_put(scene, weight);
        cab_planar_link_def links[] = {pl_world(0, 0), pl_at("weight", 0, 0)};
        pl_cable(scene, "c", links, 2, 3);
        planar[i] = pl_native(scene);
    }
    for (int i = 0; i < 2; i++) pl_step(planar[i], 6);
    assert_int_equal(read_points(planar[1]), 17);
    near_to(drawn(0, 17), 3 * hypot(0.3, 0.1), 0.01);
    for (int i = 0; i < 2; i++) pl_step(planar[i], 1200);
    assert_int_equal(read_points(planar[1]), 0);
    near_to(pl_tension(planar[1], 1), 2 * 9.81, 0.05);
    near_to(pl_stats(planar[1]).length_error, 0, 1e-12);
    cab_planar_body a = pl_body(planar[0], 0), b = pl_body(planar[1], 0);
    assert_memory_equal(&a, &b, sizeof a);
    for (int i = 0; i < 2; i++) cab_planar_destroy(planar[i]);
}

/* Joints that come and go, more slack segments than there is room for, sleep. */
static void it_lives_with_joints_that_come_and_go(void **state)
{
    (void)state;
    cab_planar_scene *scene = hung(1, 0, 1.2, 16);
    cab_planar_scene_settings(scene)->sleep = true;
    static const char *const names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"};
    for (int i = 0; i < 8; i++) {
        cab_planar_body_def body =
            pl_circle(names[i], CAB_PLANAR_DYNAMIC, 0.1 + 0.1 * i, i % 2 ? 0.3 : -0.3, 0.02, 1);
        body.gravity = 0;
        body.velocity[1] = i % 2 ? -1 : 1; /* through the straight line from both sides, and back */
        body.force[1] = i % 2 ? 0.4 : -0.4;
        body.linear_damping = 0.2;
        body.collides = false;
        pl_put(scene, body);
    }
    cab_planar *planar = pl_native(scene);
    int most = 0;
    for (int i = 0; i < 600; i++) {
        pl_step(planar, 1);
        int count = read_points(planar), first = 0;
        for (int j = 1; j < pl_stats(planar).joints; j++) {
            cab_planar_joint joint = pl_joint(planar, j);
            /* bodies that the straight line has not met push the points about: how long it is drawn is not
             * bounded then, but it stays near */
            for (int k = first; k < first + joint.points; k++)
                assert_true(hypot(points[k][0], points[k][1]) < 3);
            first += joint.points;
        }
        assert_int_equal(first, count);
        most = count > most ? count : most;
        near_to(pl_stats(planar).length_error, 0, 1e-12);
    }
    assert_true(most > 17);
    cab_planar_destroy(planar);
}

/* At rest it is frozen, not before. */
static void it_sleeps_when_it_hangs_still(void **state)
{
    (void)state;
    cab_planar_scene *scene = hung(1, 0, 1.3, 16);
    cab_planar_scene_settings(scene)->sleep = true;
    pl_put(scene, pl_circle("peg", CAB_PLANAR_STATIC, 3, 0, PL_R, 1));
    cab_planar *planar = pl_native(scene);
    static double before[MOST][2];
    pl_step(planar, 70);
    read_points(planar);
    memcpy(before, points, sizeof before);
    pl_step(planar, 1);
    read_points(planar);
    assert_memory_not_equal(before, points, 17 * sizeof *points); /* it swings */
    pl_step(planar, 3000);
    read_points(planar);
    memcpy(before, points, sizeof before);
    pl_step(planar, 10);
    read_points(planar);
    assert_memory_equal(before, points, 17 * sizeof *points);
    near_to(drawn(0, 17), 1.3, 1e-3);
    cab_planar_destroy(planar);
}

static void every_device_gives_the_same_bits(void **state)
{
    (void)state;
    cab_planar_scene *scene = hung(1.2, 0, 1.7, 16);
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -0.8, 5, 0.5, 1));
    pl_put(scene, pl_circle("ball", CAB_PLANAR_DYNAMIC, 0.4, 0.2, 0.05, 1));
    const cab_planar_scene *one = scene;
    static double native[MOST][2];
    cab_device_info devices[16];
    int count = cab_devices(devices, 16), had = 0;
    for (int i = 0; i < count && i < 16; i++) {
        cab_planar *planar = pl_open(&one, 1, devices[i].id, 0);
        pl_step(planar, 200);
        int n = read_points(planar);
        if (i == 0) {
            had = n;
            memcpy(native, points, sizeof native);
        }
        assert_int_equal(n, had);
        assert_true(n > 0);
        assert_memory_equal(native, points, (size_t)n * sizeof *points);
        cab_planar_destroy(planar);
    }
    cab_planar_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slack_cable_hangs_in_a_catenary),
        cmocka_unit_test(it_lies_on_bodies),
        cmocka_unit_test(friction_takes_it_along),
        cmocka_unit_test(it_is_one_constraint_when_taut),
        cmocka_unit_test(it_lives_with_joints_that_come_and_go),
        cmocka_unit_test(it_sleeps_when_it_hangs_still),
        cmocka_unit_test(every_device_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
