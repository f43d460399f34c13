/* Planar bodies and cable joints against what is known of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define G 9.81
#define RIM (PL_R + PL_W)

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

/* The tables 5.1 and 5.2 of the thesis. */
static void stress_tests_have_the_tables_counts(void **state)
{
    (void)state;
    static const int loads[] = {1, 2, 5, 10, 20};
    for (int k = 0; k < 5; k++) {
        int i = loads[k];
        cab_planar *planar = pl_native(pl_stress(i, PL_TOUCHING, CAB_PLANAR_FULL));
        for (int steps = 1; steps <= 100; steps += 99) { /* they are there at once, and stay */
            pl_step(planar, steps);
            cab_planar_stats stats = pl_stats(planar);
            assert_int_equal(stats.bodies, 4 * i);
            assert_int_equal(stats.non_transitional, 4 * i - 2);
            assert_int_equal(stats.transitional, 2 * i);
            assert_int_equal(stats.contacts, 4 * i - 1);
            pl_step(planar, 1); /* joints of a split are counted from the next step on */
            stats = pl_stats(planar);
            assert_int_equal(stats.joints, 12 * i - 2);
            assert_int_equal(stats.segments, 12 * i - 3);
            assert_int_equal(stats.dropped, 0);
        }
        cab_planar_destroy(planar);
        planar = pl_native(pl_stress(i, PL_APART, CAB_PLANAR_OFF));
        pl_step(planar, 100);
        cab_planar_stats stats = pl_stats(planar);
        assert_int_equal(stats.bodies, 4 * i);
        assert_int_equal(stats.joints, 4 * i + 2);
        assert_int_equal(stats.segments, 4 * i + 1);
        assert_int_equal(stats.contacts + stats.transitional + stats.non_transitional, 0);
        cab_planar_destroy(planar);
    }
}

/* Two weights over a pulley. */
static cab_planar_scene *atwood(double left, double right, double pulley, double cable_friction, int substeps)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->substeps = substeps;
    cab_planar_body_def wheel = pl_circle("wheel", CAB_PLANAR_AXLE, 0, 0, PL_R, pulley);
    if (pulley == 0) {
        wheel.motion = CAB_PLANAR_STATIC;
        wheel.mass = 1;
    }
    wheel.cable_friction = cable_friction;
    pl_put(scene, wheel);
    pl_put(scene, pl_circle("left", CAB_PLANAR_DYNAMIC, -RIM, -2, 0.05, left));
    pl_put(scene, pl_circle("right", CAB_PLANAR_DYNAMIC, RIM, -2, 0.05, right));
    cab_planar_link_def links[] = {pl_at("left", 0, 0), pl_roll("wheel", -1), pl_at("right", 0, 0)};
    pl_cable(scene, "c", links, 3, 1);
    return scene;
}

/* The pulley turns with the cable: a = (m2 - m1) g / (m1 + m2 + I / r^2), r to the cable's middle. */
static void weights_on_a_pulley_accelerate_as_atwoods(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        double m1 = 1, m2 = 1.5, m = 2, inertia = m * PL_R * PL_R / 2;
        double a = (m2 - m1) * G / (m1 + m2 + inertia / (RIM * RIM));
        cab_planar *planar = pl_native(atwood(m1, m2, m, -1, substeps));
        pl_step(planar, 30);
        near_to(pl_body(planar, 1).velocity[1], 0.5 * a, 1e-6);
        near_to(pl_body(planar, 2).velocity[1], -0.5 * a, 1e-6);
        near_to(pl_body(planar, 0).spin, -0.5 * a / RIM, 1e-5);
        near_to(pl_tension(planar, 1), m1 * (G + a), 1e-3);
        near_to(pl_tension(planar, 2), m2 * (G - a), 1e-3);
        near_to(pl_stats(planar).length_error, 0, 1e-12);
        cab_planar_destroy(planar);
    }
}

/* On a fixed drum it slides: T2 = T1 e^(mu pi) either way, or holds where that is not reached. */
static void sliding_follows_the_capstan(void **state)
{
    (void)state;
    static const double mu[] = {0, 0.1, 0.3};
    for (int i = 0; i < 3; i++) {
        double ratio = exp(mu[i] * acos(-1));
        for (int way = 0; way < 2; way++) {
            double light = 1, heavy = 1.5 * ratio, a = (heavy - light * ratio) * G / (heavy + light * ratio);
            cab_planar *planar =
                pl_native(way ? atwood(heavy, light, 0, mu[i], 8) : atwood(light, heavy, 0, mu[i], 8));
            pl_step(planar, 30);
            double slack = pl_tension(planar, way ? 2 : 1), taut = pl_tension(planar, way ? 1 : 2);
            near_to(taut / slack, ratio, 1e-6 * ratio);
            near_to(taut, heavy * (G - a), 2e-3 * heavy);
            near_to(pl_body(planar, way ? 1 : 2).velocity[1], -0.5 * a,
                    0.02 * a); /* it holds in the first step */
            if (mu[i] > 0) assert_int_equal(pl_joint(planar, 1).slide, way ? -1 : 1);
            cab_planar_destroy(planar);
            if (mu[i] == 0) continue;
            heavy = 0.95 * ratio;
            planar = pl_native(way ? atwood(heavy, light, 0, mu[i], 8) : atwood(light, heavy, 0, mu[i], 8));
            pl_step(planar, 300);
            near_to(pl_body(planar, way ? 1 : 2).position[1], -2, 1e-3);
            assert_int_equal(pl_joint(planar, 1).slide, 0);
            cab_planar_destroy(planar);
        }
    }
}

/* A weight on a block that the cable goes round again and again, without friction: `parts` of it carry the
 * block. Both blocks are of one size and the parts of the cable vertical, but for the one that begins on the
 * hanging block: with an odd number of parts. */
static cab_planar *tackle(int parts, double weight, int substeps)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->substeps = substeps;
    cab_planar_link_def links[8];
    int n = 0;
    cab_planar_body_def top = pl_circle("top", CAB_PLANAR_STATIC, 0, 0, PL_R, 1);
    cab_planar_body_def block = pl_circle("block", CAB_PLANAR_DYNAMIC, 0, -2, PL_R, weight);
    top.cable_friction = block.cable_friction = 0;
    block.linear_damping = block.angular_damping = 5;
    pl_put(scene, top);
    pl_put(scene, block);
    links[n++] = parts % 2 ? pl_at("block", 0, 0) : pl_world(-RIM, -0.5);
    for (int i = parts % 2; i <= parts; i++) links[n++] = pl_roll(i % 2 ? "top" : "block", 1);
    if (parts % 2 == 0) n--; /* it ends with the top one */
    links[n++] = pl_world(-RIM, -1);
    pl_cable(scene, "c", links, n, 1);
    return pl_native(scene);
}

/* What holds the end is the weight divided by the parts, within 1 %. */
static void a_tackle_multiplies_by_its_parts(void **state)
{
    (void)state;
    for (int parts = 1; parts <= 4; parts++) {
        for (int substeps = 4; substeps <= 16; substeps *= 4) {
            cab_planar *planar = tackle(parts, 100, substeps);
            pl_step(planar, 300);
            int last = pl_stats(planar).joints - 1;
            near_to(100 * G / pl_tension(planar, last), parts, 0.01 * parts);
            for (int j = 1; j < last; j++)
                near_to(pl_tension(planar, j), pl_tension(planar, last), 1e-6 * 100 * G);
            near_to(pl_stats(planar).length_error, 0, 1e-12);
            cab_planar_destroy(planar);
        }
    }
}

/* A closed belt round a driving and a driven wheel: rims of one speed. Parallel, and crossed. */
static void a_belt_drives_by_the_ratio_of_the_rims(void **state)
{
    (void)state;
    for (int crossed = 0; crossed < 2; crossed++) {
        cab_planar_scene *scene = pl_scene();
        cab_planar_body_def driver = pl_circle("driver", CAB_PLANAR_AXLE, 0, 0, 0.1, 1);
        driver.motor_speed = 5;
        driver.motor_torque = 10;
        pl_put(scene, driver);
        pl_put(scene, pl_circle("middle", CAB_PLANAR_AXLE, 1, 0.2, 0.3, 1));
        pl_put(scene, pl_circle("last", CAB_PLANAR_AXLE, 0.5, -1, 0.2, 1));
        cab_planar_link_def links[] = {pl_roll("driver", 1), pl_roll("last", 1),
                                       pl_roll("middle", crossed ? -1 : 1)};
        cab_planar_cable_def def = cab_planar_cable_default();
        def.name = "belt";
        def.loop = true;
        def.links = links;
        def.link_count = 3;
        def.length_factor = 0.9999;
        PL_OK(cab_planar_add_cable(scene, &def, &pl_error));
        cab_planar *planar = pl_native(scene);
        pl_step(planar, 120);
        double rim = pl_body(planar, 0).spin * 0.105;
        near_to(pl_body(planar, 0).spin, 5, 1e-3);
        near_to(pl_body(planar, 1).spin * 0.305, crossed ? -rim : rim, 1e-3 * rim);
        near_to(pl_body(planar, 2).spin * 0.205, rim, 1e-3 * rim);
        assert_int_equal(pl_stats(planar).segments, 3);
        near_to(pl_stats(planar).length_error, 0, 1e-12);
        cab_planar_destroy(planar);
    }
}

/* A motorised reel lifts a weight at the speed of its rim, gives all its cable, and winds it up the other way
 * round when it goes on turning. */
static void a_reel_winds_pays_out_and_winds_again(void **state)
{
    (void)state;
    cab_planar_scene *scene = pl_scene();
    cab_planar_body_def reel = pl_circle("reel", CAB_PLANAR_AXLE, 0, 0, PL_R, 1);
    reel.motor_speed = -2;
    reel.motor_torque = 1000;
    pl_put(scene, reel);
    pl_put(scene, pl_circle("weight", CAB_PLANAR_DYNAMIC, RIM, -1, 0.05, 10));
    cab_planar_link_def links[] = {pl_reel("reel", -1, 0.5), pl_at("weight", 0, 0)};
    pl_cable(scene, "c", links, 2, 1);
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 60); /* the reel turns clockwise: the cable, on its right, goes down */
    near_to(pl_body(planar, 1).velocity[1], -2 * RIM, 2e-3);
    near_to(pl_joint(planar, 0).stored, 0.5 - 2 * RIM, 2e-3);
    pl_step(planar, 240); /* after 0.5 / (2 RIM) = 2.4 s there is none left */
    near_to(pl_stats(planar).length_error, 0, 1e-12);
    double lowest = pl_body(planar, 1).position[1];
    pl_step(planar, 120);
    assert_true(pl_body(planar, 1).position[1] > lowest + 0.1); /* it comes up again */
    assert_true(pl_joint(planar, 0).stored > 0.1);
    assert_int_equal(pl_joint(planar, 0).spin, 1);
    near_to(pl_stats(planar).length_error, 0, 1e-12);
    cab_planar_destroy(planar);
}

/* A ball that falls on a wrapped drum rests on the cable, not on the drum; a heavy one, too. */
static void a_pinched_cable_keeps_bodies_apart(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        for (int pinch = CAB_PLANAR_CONTACT_OFF; pinch <= CAB_PLANAR_FULL; pinch++) {
            double mass = heavy ? 1000 : 1, least = 1;
            cab_planar_scene *scene = atwood(1, 1, 1, -1, 8);
            cab_planar_scene_settings(scene)->pinch = (cab_planar_pinch)pinch;
            cab_planar_body_def ball = pl_circle("ball", CAB_PLANAR_DYNAMIC, 0, 0.5, PL_R, mass);
            ball.linear_damping = 0.1;
            pl_put(scene, ball);
            cab_planar *planar = pl_native(scene);
            bool pinched = false;
            for (int i = 0; i < 240; i++) {
                pl_step(planar, 1);
                cab_planar_body b = pl_body(planar, 3);
                double gap = hypot(b.position[0], b.position[1]) - 2 * PL_R;
                least = fmin(least, gap);
                pinched = pinched || pl_stats(planar).non_transitional == 1;
                near_to(pl_stats(planar).length_error, 0, 1e-10);
            }
            assert_true(pinched);
            /* 5e-5 m of depth are left alone */
            if (pinch == CAB_PLANAR_FULL) assert_true(least > 2 * PL_W - 1e-4);
            if (pinch != CAB_PLANAR_FULL) near_to(least, 0, 1e-3);
            cab_planar_destroy(planar);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_tests_have_the_tables_counts),
        cmocka_unit_test(weights_on_a_pulley_accelerate_as_atwoods),
        cmocka_unit_test(sliding_follows_the_capstan),
        cmocka_unit_test(a_tackle_multiplies_by_its_parts),
        cmocka_unit_test(a_belt_drives_by_the_ratio_of_the_rims),
        cmocka_unit_test(a_reel_winds_pays_out_and_winds_again),
        cmocka_unit_test(a_pinched_cable_keeps_bodies_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
