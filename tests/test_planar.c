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

/* A weight under a block of 1 kg, let go: the farthest stretch of a segment on the way; *planar at rest. */
static double drop_on_light_block(double mass, int substeps, cab_planar **planar)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->substeps = substeps;
    cab_planar_body_def block = pl_circle("block", CAB_PLANAR_DYNAMIC, 0, -1, PL_R, 1);
    cab_planar_body_def load = pl_circle("load", CAB_PLANAR_DYNAMIC, 0, -2, 0.05, mass);
    load.linear_damping = block.linear_damping = 2;
    block.cable_friction = 0;
    pl_put(scene, block);
    pl_put(scene, load);
    cab_planar_link_def over[] = {pl_world(-RIM, 0), pl_roll("block", 1), pl_world(RIM, 0)};
    cab_planar_link_def under[] = {pl_at("block", 0, 0), pl_at("load", 0, 0)};
    pl_cable(scene, "over", over, 3, 1);
    pl_cable(scene, "under", under, 2, 1);
    *planar = pl_native(scene);
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        pl_step(*planar, 1);
        worst = fmax(worst, pl_stats(*planar).stretch_max);
    }
    return worst;
}

static void mass_ratios_of_a_thousand_hold(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        cab_planar *planar;
        double mass = 1000, worst = drop_on_light_block(mass, substeps, &planar);
        near_to(worst, 0, substeps == 4 ? 2e-4 : 2e-5); /* softness goes with the square of the substep */
        near_to(pl_tension(planar, 1), (mass + 1) * G / 2, 1e-3 * mass * G);
        near_to(pl_tension(planar, 4), mass * G, 1e-3 * mass * G);
        cab_planar_destroy(planar);
    }
}

/* A pile of boxes stands; a ball bounces to e^2 of its height. */
static void bodies_stand_and_bounce(void **state)
{
    (void)state;
    {
        cab_planar_scene *scene = pl_scene();
        char names[5][8];
        cab_planar_scene_settings(scene)->iterations = 4;
        pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -0.5, 5, 0.5, 1));
        for (int i = 0; i < 5; i++) {
            snprintf(names[i], sizeof names[i], "b%d", i);
            pl_put(scene, pl_box(names[i], CAB_PLANAR_DYNAMIC, 0, 0.1 + 0.2 * i, 0.1, 0.1, 1));
        }
        cab_planar_body_def ball = pl_circle("ball", CAB_PLANAR_DYNAMIC, 3, 1.1, 0.1, 1);
        ball.restitution = 0.8;
        pl_put(scene, ball);
        cab_planar *planar = pl_native(scene);
        double top = 0;
        bool bounced = false;
        for (int i = 0; i < 300; i++) {
            pl_step(planar, 1);
            cab_planar_body b = pl_body(planar, 6);
            bounced = bounced || b.velocity[1] > 0;
            if (bounced && i < 75) top = fmax(top, b.position[1] - 0.1);
        }
        near_to(top, 0.64,
                0.06); /* the speed is that at the start of the step: up to 0.16 m/s less than 4.43 */
        for (int i = 0; i < 5; i++) {
            cab_planar_body b = pl_body(planar, 1 + i);
            near_to(b.position[0], 0, 0.01);
            near_to(b.position[1], 0.1 + 0.2 * i, 2e-3 * (i + 1));
            near_to(b.angle, 0, 1e-2);
        }
        cab_planar_destroy(planar);
    }
}

/* A box slides down a slope of 0.5 by its friction: a = g (sin - mu cos), or not at all. */
static void a_box_slides_by_coulomb(void **state)
{
    (void)state;
    double slope = atan(0.5);
    for (int i = 0; i < 2; i++) {
        double mu = i == 0 ? 0.3 : 0.6;
        cab_planar_scene *scene = pl_scene();
        cab_planar_body_def ground = pl_box("ground", CAB_PLANAR_STATIC, 0, 0, 20, 0.5, 1);
        cab_planar_body_def box = pl_box("box", CAB_PLANAR_DYNAMIC, 0, 0, 0.2, 0.1, 1);
        ground.angle = box.angle = -slope;
        box.position[0] = 0.6 * sin(slope);
        box.position[1] = 0.6 * cos(slope);
        ground.friction = box.friction = mu;
        pl_put(scene, ground);
        pl_put(scene, box);
        cab_planar *planar = pl_native(scene);
        pl_step(planar, 60);
        cab_planar_body b = pl_body(planar, 1);
        double a = i == 0 ? G * (sin(slope) - mu * cos(slope)) : 0;
        near_to(hypot(b.velocity[0], b.velocity[1]), a, 0.02 * G * sin(slope));
        cab_planar_destroy(planar);
    }
}

/* Tangents to a box are those to its corners, cable that wraps it is as long as the box's rim. */
static void cables_go_round_corners(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        double rounding = round ? 0.02 : 0, r = rounding + PL_W;
        cab_planar_scene *scene = pl_scene();
        cab_planar_body_def box = pl_box("box", CAB_PLANAR_AXLE, 0, 0, 0.2, 0.1, 1);
        box.radius = rounding;
        pl_put(scene, box);
        cab_planar_link_def links[] = {pl_world(-0.2 - r, -1), pl_roll("box", -1), pl_world(0.2 + r, -1)};
        pl_cable(scene, "c", links, 3, 1);
        cab_planar *planar = pl_native(scene);
        pl_step(planar, 1);
        cab_planar_joint j = pl_joint(planar, 1);
        near_to(j.length, 0.9, 1e-6); /* up to the lower corner, or the upper one: the sides are vertical */
        near_to(j.stored, acos(-1) * r + 0.4 + 0.2 + 0.2 - 0.2 * (j.length > 1) * 2, 0.2);
        double all = j.length + j.stored + pl_joint(planar, 2).length;
        near_to(all, 2 * 1.1 + 0.4 + acos(-1) * r, 1e-6);
        near_to(pl_stats(planar).length, all, 1e-6);
        pl_step(planar, 100);
        near_to(pl_stats(planar).length_error, 0, 1e-12);
        cab_planar_destroy(planar);
    }
}

/* A weight swings past a peg and back: a joint comes, and goes. The cable is as long as before. */
static void a_swinging_cable_meets_a_peg_and_leaves_it(void **state)
{
    (void)state;
    for (int box = 0; box < 2; box++) {
        cab_planar_scene *scene = pl_scene();
        pl_put(scene, box ? pl_box("peg", CAB_PLANAR_STATIC, 0, -0.5, 0.03, 0.02, 1)
                          : pl_circle("peg", CAB_PLANAR_STATIC, 0, -0.5, 0.03, 1));
        pl_put(scene, pl_circle("bob", CAB_PLANAR_DYNAMIC, -0.7, -0.7, 0.05, 1));
        cab_planar_link_def links[] = {pl_world(0, 0), pl_at("bob", 0, 0)};
        pl_cable(scene, "c", links, 2, 1);
        cab_planar *planar = pl_native(scene);
        int most = 0, least_after = 9;
        double right = 0;
        for (int i = 0; i < 240; i++) {
            pl_step(planar, 1);
            int joints = pl_stats(planar).joints;
            if (joints > most) most = joints;
            if (most == 3 && joints < least_after) least_after = joints;
            right = fmax(right, pl_body(planar, 1).position[0]);
            near_to(pl_stats(planar).length_error, 0, 1e-12);
        }
        assert_int_equal(most, 3);
        assert_int_equal(least_after, 2);
        assert_true(right > 0.3 && right < 0.6); /* round the peg it has half the cable: not as far as 0.7 */
        cab_planar_destroy(planar);
    }
}

/* Nothing of a cable's length is lost in 10^4 steps of a machine that moves all the time. */
static void ten_thousand_steps_keep_the_length(void **state)
{
    (void)state;
    cab_planar_scene *scene = atwood(1, 1.1, 0.5, 0.4, 4);
    cab_planar_body_def ball = pl_circle("ball", CAB_PLANAR_DYNAMIC, 0.02, 0.4, 0.08, 0.2);
    ball.restitution = 0.9;
    pl_put(scene, ball);
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -4, 3, 0.5, 1));
    pl_put(scene, pl_box("roof", CAB_PLANAR_STATIC, 0, 3, 3, 0.5, 1));
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 10000);
    near_to(pl_stats(planar).length_error, 0, 1e-10); /* the goal is 1e-5 */
    cab_planar_destroy(planar);
}

/* A small driven wheel on a cable that is wrapped on a big one drives cable and big wheel (the seventh demo).
 */
static void a_wheel_that_pinches_a_cable_drives_it(void **state)
{
    (void)state;
    for (int pinch = CAB_PLANAR_OFF; pinch <= CAB_PLANAR_FULL; pinch += 2) {
        cab_planar_scene *scene = atwood(1, 1, 1, 0.3, 8);
        cab_planar_scene_settings(scene)->pinch = (cab_planar_pinch)pinch;
        cab_planar_body_def wheel = pl_circle("small", CAB_PLANAR_AXLE, 0, 2 * RIM - 0.05 - 1e-5, 0.05, 0.1);
        wheel.motor_speed = -1;
        wheel.motor_torque = 1;
        wheel.cable_friction = 0.3;
        pl_put(scene, wheel);
        cab_planar *planar = pl_native(scene);
        pl_step(planar, 60);
        if (pinch == CAB_PLANAR_OFF) {
            near_to(pl_body(planar, 0).spin, 0, 1e-9);
        } else {
            /* the rims go alike: 0.055 rad/s at the small one's, turning the other way */
            near_to(pl_body(planar, 0).spin, 0.055 / RIM, 0.02);
            assert_true(pl_body(planar, 1).velocity[1] * pl_body(planar, 2).velocity[1] < 0);
        }
        near_to(pl_stats(planar).length_error, 0, 1e-12);
        cab_planar_destroy(planar);
    }
}

/* A machine of everything: for the comparison of devices. */
static cab_planar_scene *everything(cab_planar_pinch pinch)
{
    cab_planar_scene *scene = atwood(1, 1.4, 0.5, 0.2, 4);
    cab_planar_scene_settings(scene)->pinch = pinch;
    cab_planar_body_def reel = pl_circle("reel", CAB_PLANAR_AXLE, 1, 0, PL_R, 1);
    reel.motor_speed = 3;
    reel.motor_torque = 20;
    pl_put(scene, reel);
    pl_put(scene, pl_box("crate", CAB_PLANAR_DYNAMIC, 1.2, -1, 0.1, 0.15, 2));
    pl_put(scene, pl_box("peg", CAB_PLANAR_STATIC, 1.25, -0.5, 0.05, 0.05, 1));
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -4, 3, 0.5, 1));
    pl_put(scene, pl_circle("ball", CAB_PLANAR_DYNAMIC, 0.01, 0.4, 0.08, 0.2));
    cab_planar_link_def links[] = {pl_reel("reel", 1, 0.3), pl_at("crate", 0, 0.15)};
    pl_cable(scene, "c2", links, 2, 1);
    return scene;
}

static void compare(cab_planar *a, cab_planar *b, int scenes)
{
    for (int i = 0; i < scenes; i++) {
        cab_planar_body x[64], y[64];
        cab_planar_joint p[256], q[256];
        cab_planar_stats s = {0}, t = {0};
        memset(p, 0, sizeof p);
        memset(q, 0, sizeof q);
        PL_OK(cab_planar_get_stats(a, i, &s, &pl_error));
        PL_OK(cab_planar_get_stats(b, i, &t, &pl_error));
        assert_int_equal(s.joints, t.joints);
        assert_int_equal(s.added, t.added);
        assert_int_equal(s.body_contacts, t.body_contacts);
        PL_OK(cab_planar_read_bodies(a, i, x, &pl_error));
        PL_OK(cab_planar_read_bodies(b, i, y, &pl_error));
        assert_memory_equal(x, y, (size_t)s.bodies * sizeof *x);
        PL_OK(cab_planar_read_joints(a, i, p, &pl_error));
        PL_OK(cab_planar_read_joints(b, i, q, &pl_error));
        for (int j = 0; j < s.joints; j++) {
            assert_memory_equal(&p[j].stored, &q[j].stored, 5 * sizeof(double));
            assert_memory_equal(&p[j].length, &q[j].length, 3 * sizeof(double));
        }
    }
}

#define BATCH 24

/* Threads share out scenes; OpenCL gives the same bits as native. */
static void every_device_gives_the_same_bits(void **state)
{
    (void)state;
    const cab_planar_scene *scenes[BATCH];
    cab_planar_scene *own[6];
    for (int i = 0; i < 3; i++) own[i] = everything((cab_planar_pinch)i);
    for (int i = 3; i < 6; i++) own[i] = pl_stress(i - 2, PL_TOUCHING, (cab_planar_pinch)(i - 3));
    for (int i = 0; i < BATCH; i++) scenes[i] = own[i % 6];
    cab_planar *one = pl_open(scenes, BATCH, "native", 1);
    pl_step(one, 120);
    assert_true(pl_stats(one).added > 0); /* something happens in it */
    for (int threads = 2; threads <= 5; threads += 3) {
        cab_planar *many = pl_open(scenes, BATCH, "native", threads);
        pl_step(many, 120);
        compare(one, many, BATCH);
        cab_planar_destroy(many);
    }
    cab_device_info devices[16];
    int count = cab_devices(devices, 16);
    for (int i = 1; i < count && i < 16; i++) {
        cab_planar *other = pl_open(scenes, BATCH, devices[i].id, 0);
        pl_step(other, 120);
        compare(one, other, BATCH);
        cab_planar_destroy(other);
    }
    for (int i = 0; i < 6; i++) cab_planar_scene_destroy(own[i]);
    cab_planar_destroy(one);
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
        cmocka_unit_test(mass_ratios_of_a_thousand_hold),
        cmocka_unit_test(bodies_stand_and_bounce),
        cmocka_unit_test(a_box_slides_by_coulomb),
        cmocka_unit_test(cables_go_round_corners),
        cmocka_unit_test(a_swinging_cable_meets_a_peg_and_leaves_it),
        cmocka_unit_test(ten_thousand_steps_keep_the_length),
        cmocka_unit_test(a_wheel_that_pinches_a_cable_drives_it),
        cmocka_unit_test(every_device_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
