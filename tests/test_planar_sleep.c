/* What rests is frozen: it stays within the bound, costs little, and wakes when something comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define REST (0.025 * PL_R) /* m; the way of what rests, of the smallest body */

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

/* A pile of boxes and weights on a pulley, all near to rest; nothing else moves. */
static cab_planar_scene *resting(bool sleep)
{
    cab_planar_scene *scene = pl_scene();
    static const char *const names[] = {"b0", "b1", "b2"};
    cab_planar_scene_settings(scene)->sleep = sleep;
    cab_planar_scene_settings(scene)->iterations = 4;
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -2.5, 5, 0.5, 1));
    for (int i = 0; i < 3; i++)
        pl_put(scene, pl_box(names[i], CAB_PLANAR_DYNAMIC, 2, -1.85 + 0.3 * i, 0.15, 0.15, 1));
    pl_put(scene, pl_circle("wheel", CAB_PLANAR_AXLE, 0, 0, PL_R, 1));
    cab_planar_body_def left = pl_circle("left", CAB_PLANAR_DYNAMIC, -PL_R - PL_W, -1, PL_R, 1), right = left;
    left.linear_damping = right.linear_damping = 1;
    left.angular_damping = right.angular_damping = 1;
    right.name = "right";
    right.position[0] = PL_R + PL_W;
    left.group = right.group = 1;
    pl_put(scene, left);
    pl_put(scene, right);
    cab_planar_link_def links[] = {pl_at("left", 0, 0), pl_roll("wheel", -1), pl_at("right", 0, 0)};
    pl_cable(scene, "c", links, 3, 1);
    return scene;
}

enum { FLOOR, BOX, WHEEL = BOX + 3, LEFT, RIGHT, MORE };

/* A ball without weight that comes along a line and is at `at` after `time` s. */
static cab_planar_body_def visitor(double x, double y, double vx, double vy, double time, double mass)
{
    cab_planar_body_def ball =
        pl_circle("ball", CAB_PLANAR_DYNAMIC, x - vx * time, y - vy * time, PL_R, mass);
    ball.velocity[0] = vx;
    ball.velocity[1] = vy;
    ball.gravity = 0;
    return ball;
}

static void what_rests_stays_where_it_was(void **state)
{
    (void)state;
    cab_planar *asleep = pl_native(resting(true)), *awake = pl_native(resting(false));
    pl_step(asleep, 600);
    pl_step(awake, 600);
    assert_int_equal(pl_stats(asleep).asleep, 6);
    assert_int_equal(pl_stats(awake).asleep, 0);
    assert_int_equal(pl_stats(asleep).body_contacts, pl_stats(awake).body_contacts);
    assert_int_equal(pl_stats(asleep).joints, 3);
    for (int i = BOX; i <= RIGHT; i++) {
        cab_planar_body a = pl_body(asleep, i), b = pl_body(awake, i);
        /* both have rested within REST of a place for the last second before it fell asleep */
        near_to(hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]), 0, REST);
        near_to(a.angle, b.angle, REST / PL_R);
        near_to(a.velocity[1], 0, 0);
    }
    near_to(pl_tension(asleep, 1), pl_tension(awake, 1), 0.01);
    near_to(pl_stats(asleep).length_error, 0, 1e-12);
    cab_planar_body before[8], after[8];
    PL_OK(cab_planar_read_bodies(asleep, 0, before, &pl_error));
    pl_step(asleep, 100);
    PL_OK(cab_planar_read_bodies(asleep, 0, after, &pl_error));
    assert_memory_equal(before, after, 7 * sizeof *before);
    cab_planar_destroy(asleep);
    cab_planar_destroy(awake);
}

/* Hit after 4 s it goes on as one that has never slept: to the speed of the hit ball and box, with the same
 * momentum. */
static void a_hit_wakes_the_island(void **state)
{
    (void)state;
    double momentum[2];
    for (int sleep = 0; sleep < 2; sleep++) {
        cab_planar_scene *scene = resting(sleep);
        pl_put(scene, visitor(2 - 0.25, -1.25, 2, 0, 4, 1)); /* it touches the uppermost box at 4 s */
        cab_planar *planar = pl_native(scene);
        pl_step(planar, 230);
        if (sleep) assert_int_equal(pl_stats(planar).asleep, 6); /* the ball flies */
        pl_step(planar, 14);
        if (sleep) assert_int_equal(pl_stats(planar).asleep, 3); /* the pile is awake, the weights are not */
        cab_planar_body ball = pl_body(planar, MORE);
        momentum[sleep] = ball.velocity[0];
        for (int i = BOX; i < BOX + 3; i++) momentum[sleep] += pl_body(planar, i).velocity[0];
        assert_true(pl_body(planar, BOX + 2).velocity[0] > 0.5);
        cab_planar_destroy(planar);
    }
    near_to(momentum[1], momentum[0], 0.02); /* friction on the floor takes some of 2 */
}

/* A ball that meets a sleeping cable between its bodies, or where it is wrapped on one that holds. */
static void a_cable_wakes_where_it_is_met(void **state)
{
    (void)state;
    cab_planar_scene *scene = resting(true);
    pl_put(scene, visitor(-PL_R - PL_W - PL_R, -0.5, 1, 0, 4, 1));
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 230);
    assert_int_equal(pl_stats(planar).asleep, 6);
    pl_step(planar, 20);
    assert_int_equal(pl_stats(planar).asleep, 3);
    assert_int_equal(pl_stats(planar).joints, 4);
    near_to(pl_stats(planar).length_error, 0, 1e-12);
    cab_planar_destroy(planar);

    scene = pl_scene(); /* nothing but a cable over a drum between two points: it has no island */
    cab_planar_scene_settings(scene)->sleep = true;
    pl_put(scene, pl_circle("drum", CAB_PLANAR_STATIC, 0, 0, PL_R, 1));
    pl_put(scene, visitor(0, 2 * PL_R + 2 * PL_W, 0, -1, 4, 1));
    cab_planar_link_def links[] = {pl_world(-1, -0.2), pl_roll("drum", -1), pl_world(1, -0.2)};
    pl_cable(scene, "c", links, 3, 0.999);
    planar = pl_native(scene);
    pl_step(planar, 230);
    assert_int_equal(pl_stats(planar).joints, 3);
    pl_step(planar, 12);
    assert_int_equal(pl_stats(planar).non_transitional, 1);
    pl_step(planar, 240); /* and falls asleep pinched, counts and all; the ball has no weight, it stays */
    assert_int_equal(pl_stats(planar).asleep, 1);
    assert_int_equal(pl_stats(planar).non_transitional, 1);
    assert_int_equal(pl_stats(planar).contacts, 1);
    assert_int_equal(pl_stats(planar).joints, 5);
    cab_planar_destroy(planar);
}

/* What a motor turns never sleeps, nor what hangs on it or lies on what is moved. */
static void what_is_driven_stays_awake(void **state)
{
    (void)state;
    cab_planar_scene *scene = resting(true);
    cab_planar_body_def drum = pl_circle("drum", CAB_PLANAR_AXLE, -3, 0, PL_R, 1);
    drum.motor_speed = 1e-3; /* 0.1 mm/s: slower than what rests may be */
    drum.motor_torque = 1000;
    pl_put(scene, drum);
    pl_put(scene, pl_circle("hung", CAB_PLANAR_DYNAMIC, -3 + PL_R + PL_W, -1, PL_R, 1));
    cab_planar_link_def links[] = {pl_reel("drum", -1, 1), pl_at("hung", 0, 0)};
    pl_cable(scene, "slow", links, 2, 1);
    cab_planar_body_def lift = pl_box("lift", CAB_PLANAR_STATIC, -4, -1, 0.3, 0.1, 1);
    lift.velocity[1] = 1e-3;
    pl_put(scene, lift);
    pl_put(scene, pl_box("load", CAB_PLANAR_DYNAMIC, -4, -0.8, 0.1, 0.1, 1));
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 600);
    assert_int_equal(pl_stats(planar).asleep, 6);
    near_to(pl_body(planar, MORE + 1).velocity[1], 1e-3 * (PL_R + PL_W), 1e-5);
    near_to(pl_body(planar, MORE + 3).position[1], -0.8 + 10e-3, 1e-3); /* it sinks in by less than that */
    cab_planar_destroy(planar);
}

/* What is pulled wakes, its island with it, though all slept; it sleeps again when let go. */
static void a_pull_wakes(void **state)
{
    (void)state;
    cab_planar *planar = pl_native(resting(true));
    const double point[2] = {0, 0}, target[2] = {-PL_R - PL_W, -1.2};
    pl_step(planar, 300);
    assert_int_equal(pl_stats(planar).asleep, 6);
    PL_OK(cab_planar_pull(planar, 0, LEFT, point, target, 2, 100, &pl_error));
    pl_step(planar, 120);
    assert_int_equal(pl_stats(planar).asleep, 3);
    near_to(pl_body(planar, LEFT).position[1], -1.2, 0.01);
    near_to(pl_body(planar, RIGHT).position[1], -0.8, 0.01);
    PL_OK(cab_planar_let_go(planar, 0, &pl_error));
    pl_step(planar, 600);
    assert_int_equal(pl_stats(planar).asleep, 6);
    near_to(pl_stats(planar).length_error, 0, 1e-12);
    cab_planar_destroy(planar);
}

static void every_device_gives_the_same_bits(void **state)
{
    (void)state;
    cab_planar_scene *scene = resting(true);
    pl_put(scene, visitor(1.75, -1.25, 2, 0, 4, 1));
    const cab_planar_scene *one = scene;
    cab_device_info devices[16];
    int count = cab_devices(devices, 16);
    cab_planar *native = pl_open(&one, 1, "native", 1);
    pl_step(native, 260);
    for (int i = 1; i < count && i < 16; i++) {
        cab_planar *other = pl_open(&one, 1, devices[i].id, 0);
        cab_planar_body a[16], b[16];
        pl_step(other, 260);
        PL_OK(cab_planar_read_bodies(native, 0, a, &pl_error));
        PL_OK(cab_planar_read_bodies(other, 0, b, &pl_error));
        assert_memory_equal(a, b, (MORE + 1) * sizeof *a);
        assert_int_equal(pl_stats(native).asleep, pl_stats(other).asleep);
        cab_planar_destroy(other);
    }
    cab_planar_destroy(native);
    cab_planar_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_stays_where_it_was),
        cmocka_unit_test(a_hit_wakes_the_island),
        cmocka_unit_test(a_cable_wakes_where_it_is_met),
        cmocka_unit_test(what_is_driven_stays_awake),
        cmocka_unit_test(a_pull_wakes),
        cmocka_unit_test(every_device_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
