/* Planar bodies of very unequal masses, and hands that pull them, at the substeps of the speed measurements
 * (4 x 1) and at four times as many; native and OpenCL give the same bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define G 9.81
#define RIM (PL_R + PL_W)
#define HALF 0.1           /* m; of a box */
#define SLOP (5e-4 * HALF) /* m; depth that is left alone: of the smallest body */

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

static cab_planar_scene *scene_of(int substeps)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->substeps = substeps;
    cab_planar_scene_settings(scene)->iterations = 1;
    return scene;
}

/* Boxes of 1 kg on each other, one of `mass` on top that `push` pushes to the right. */
static void put_pile(cab_planar_scene *scene, double x, int light, double mass, double push)
{
    char name[32];
    for (int i = 0; i <= light; i++) {
        snprintf(name, sizeof name, "b%g-%d", x, i);
        cab_planar_body_def box =
            pl_box(name, CAB_PLANAR_DYNAMIC, x, (2 * i + 1) * HALF, HALF, HALF, i == light ? mass : 1);
        if (i == light) box.force[0] = push;
        pl_put(scene, box);
    }
}

/* One on a floor. */
static cab_planar_scene *pile(int light, double mass, double push, int substeps)
{
    cab_planar_scene *scene = scene_of(substeps);
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -0.5, 20, 0.5, 1));
    put_pile(scene, 0, light, mass, push);
    return scene;
}

/* Under 1, 10, 100 and 1000 kg, each pushed by `push` of what lies on top. */
static cab_planar_scene *four_piles(double push, int substeps)
{
    cab_planar_scene *scene = scene_of(substeps);
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -0.5, 20, 0.5, 1));
    for (int i = 0; i < 4; i++) put_pile(scene, i, 3, pow(10, i), push * pow(10, i) * G);
    return scene;
}

/* The force between two bodies in the last substep. */
static double force_of(cab_planar *planar, int a, int b, int substeps)
{
    cab_planar_contact contacts[64];
    int count = pl_stats(planar).body_contacts;
    double sum = 0;
    assert_true(count <= 64);
    PL_OK(cab_planar_read_contacts(planar, 0, contacts, &pl_error));
    for (int i = 0; i < count; i++)
        for (int k = 0; contacts[i].a == a && contacts[i].b == b && k < contacts[i].count; k++)
            sum += contacts[i].impulse[k] * 60 * substeps;
    return sum;
}

/* What a softness of 1e-4 gives way under a load that is `ratio` times what is pressed: 0.2 of an error is
 * taken back in a substep, so it rests at 1e-4 ratio g h^2 / 0.2, twice that with the box's own turning. */
static double give_of(double ratio, int substeps)
{
    double h = 1.0 / (60 * substeps);
    return SLOP + 2 * 1e-4 * (ratio + 4) * G * h * h / 0.2;
}

static void piles_stand_under_a_thousand_times_their_mass(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        for (double mass = 1; mass <= 1000; mass *= 10) {
            cab_planar *planar = pl_native(pile(3, mass, 0, substeps));
            for (int i = 0; i < 300; i++) {
                pl_step(planar, 1);
                double top = pl_body(planar, 4).position[1];
                if (!(top > 7 * HALF - 4 * give_of(mass, substeps))) fail_msg("sunk to %g", top);
            }
            for (int i = 1; i <= 4; i++) {
                cab_planar_body b = pl_body(planar, i);
                near_to(b.position[0], 0, 1e-4); /* nothing drives it aside: rounding, and the first fall */
                near_to(b.angle, 0, 1e-4);
                near_to(hypot(b.velocity[0], b.velocity[1]), 0, 1e-7); /* it dies away */
                near_to(force_of(planar, i - 1, i, substeps), (mass + 4 - i) * G, 1e-6 * mass * G);
            }
            cab_planar_destroy(planar);
        }
    }
}

/* A box of 100 kg on two of 1 kg that stand side by side, on nearly half of each, at the steps that a scene has by default. */
static void a_heavy_box_stands_across_two_light_ones(void **state)
{
    (void)state;
    static const double apart[] = {0, 0.002, 0.01, 0.02, 0.03, 0.04}, frictions[] = {0.3, 1};
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 2; k++) {
            cab_planar_scene *scene = pl_scene();
            double x = HALF + apart[i] / 2;
            cab_planar_body_def bodies[] = {
                pl_box("floor", CAB_PLANAR_STATIC, 0, -0.5, 20, 0.5, 1),
                pl_box("left", CAB_PLANAR_DYNAMIC, -x, HALF, HALF, HALF, 1),
                pl_box("right", CAB_PLANAR_DYNAMIC, x, HALF, HALF, HALF, 1),
                pl_box("across", CAB_PLANAR_DYNAMIC, 0, 3 * HALF, HALF, HALF, 100),
            };
            for (int b = 0; b < 4; b++) {
                bodies[b].friction = frictions[k];
                pl_put(scene, bodies[b]);
            }
            cab_planar *planar = pl_native(scene);
            pl_step(planar, 1200);
            for (int b = 1; b < 4; b++) {
                cab_planar_body now = pl_body(planar, b);
                near_to(now.position[0], b == 1 ? -x : b == 2 ? x : 0, 1e-3);
                near_to(now.position[1], b == 3 ? 3 * HALF : HALF, 5e-4);
                near_to(now.angle, 0, 1e-3);
            }
            cab_planar_destroy(planar);
        }
    }
}

/* Pushed by a tenth of its weight it neither slides (friction 0.3) nor tips (0.7 m of lever on 0.1 m). */
static void a_side_force_does_not_move_them(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        cab_planar *planar = pl_native(pile(3, 1000, 0.1 * 1000 * G, substeps));
        pl_step(planar, 300);
        for (int i = 1; i <= 4; i++) {
            cab_planar_body b = pl_body(planar, i);
            near_to(b.position[0], 0, 5e-3); /* what gives way gives way more on the one side: 3 mrad */
            near_to(b.angle, 0, 5e-3);
            near_to(hypot(b.velocity[0], b.velocity[1]), 0, 1e-7);
        }
        cab_planar_destroy(planar);
    }
}

/* Piles in one scene are islands: what one wants of rounds takes none from another. */
static void four_piles_in_a_scene_stand_as_one_does(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        for (double push = 0.05; push < 0.11; push += 0.05) {
            cab_planar *planar = pl_native(four_piles(push, substeps));
            pl_step(planar, 600); /* equal boxes rock the longest */
            for (int i = 0; i < 16; i++) {
                cab_planar_body b = pl_body(planar, 1 + i);
                near_to(b.position[0], i / 4, 5e-3); /* as the one pile above */
                near_to(b.angle, 0, 5e-3);
                near_to(hypot(b.velocity[0], b.velocity[1]), 0, 1e-7);
            }
            cab_planar_destroy(planar);
        }
    }
}

/* A plank of 1 kg on two cables, a ball of 1 t on it off its middle. */
static cab_planar_scene *plank(int substeps)
{
    cab_planar_scene *scene = scene_of(substeps);
    pl_put(scene, pl_box("plank", CAB_PLANAR_DYNAMIC, 0, 0, 1, 0.05, 1));
    cab_planar_body_def ball = pl_circle("ball", CAB_PLANAR_DYNAMIC, 0.3, 0.25, 0.2, 1000);
    ball.friction = 0.5;
    ball.angular_damping = 1;
    pl_put(scene, ball);
    cab_planar_link_def left[] = {pl_world(-1, 2), pl_at("plank", -1, 0.05)};
    cab_planar_link_def right[] = {pl_world(1, 2), pl_at("plank", 1, 0.05)};
    pl_cable(scene, "left", left, 2, 1);
    pl_cable(scene, "right", right, 2, 1);
    return scene;
}

static void a_plank_carries_a_heavy_ball(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        cab_planar *planar = pl_native(plank(substeps));
        pl_step(planar, 300);
        double x = pl_body(planar, 1).position[0]; /* it rolls a little down the plank's slope */
        near_to(x, 0.3, 0.01);
        near_to(pl_body(planar, 1).position[1], 0.25, 2e-3);
        /* the levers of statics, within what the plank swings */
        near_to(pl_tension(planar, 1), G * (0.5 + 1000 * (1 - x) / 2), 2e-3 * 1000 * G);
        near_to(pl_tension(planar, 3), G * (0.5 + 1000 * (1 + x) / 2), 2e-3 * 1000 * G);
        cab_planar_destroy(planar);
    }
}

/* A weight on a cable that runs over light wheels in a zigzag to a wall. */
static cab_planar_scene *zigzag(int wheels, double wheel, double weight, int substeps)
{
    cab_planar_scene *scene = scene_of(substeps);
    cab_planar_link_def links[64];
    char names[62][8];
    assert_true(wheels <= 62);
    for (int i = 0; i < wheels; i++) {
        snprintf(names[i], sizeof names[i], "w%d", i);
        pl_put(scene, pl_circle(names[i], CAB_PLANAR_AXLE, 0.3 * i, i % 2 ? -0.3 : 0, PL_R, wheel));
        links[i + 1] = pl_roll(names[i], i % 2 ? 1 : -1);
    }
    pl_put(scene, pl_circle("weight", CAB_PLANAR_DYNAMIC, -RIM, -2, 0.05, weight));
    links[0] = pl_at("weight", 0, 0);
    links[wheels + 1] = pl_world(0.3 * (wheels - 1) + RIM, -1);
    pl_cable(scene, "c", links, wheels + 2, 1);
    return scene;
}

/* At rest the tension is the weight all along; a softness of 1e-4 of wheels of 1 kg, 0.5 kg at their rims. */
static void a_long_belt_of_light_wheels_carries_a_ton(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        for (int wheels = 20; wheels <= 60; wheels += 40) {
            cab_planar *planar = pl_native(zigzag(wheels, 1, 1000, substeps));
            double worst = 0, h = 1.0 / (60 * substeps);
            for (int i = 0; i < 300; i++) {
                pl_step(planar, 1);
                worst = fmax(worst, pl_stats(planar).stretch_max);
            }
            near_to(worst, 0, 1e-4 * 1000 / 0.25 * G * h * h / 0.2 * 1.2);
            for (int j = 1; j <= wheels + 1; j++) near_to(pl_tension(planar, j), 1000 * G, 1e-6 * 1000 * G);
            near_to(pl_body(planar, wheels).velocity[1], 0, 1e-9);
            cab_planar_destroy(planar);
        }
    }
}

/* 1 t on a block of 1 kg that hangs on four parts of a cable without friction. */
static void a_light_tackle_carries_a_ton(void **state)
{
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        cab_planar_scene *scene = scene_of(substeps);
        cab_planar_body_def top = pl_circle("top", CAB_PLANAR_STATIC, 0, 0, PL_R, 1);
        cab_planar_body_def block = pl_circle("block", CAB_PLANAR_DYNAMIC, 0, -2, PL_R, 1);
        cab_planar_body_def load = pl_circle("load", CAB_PLANAR_DYNAMIC, 0, -3, 0.05, 1000);
        top.cable_friction = block.cable_friction = 0;
        block.linear_damping = block.angular_damping = load.linear_damping = 5;
        pl_put(scene, top);
        pl_put(scene, block);
        pl_put(scene, load);
        cab_planar_link_def links[] = {pl_world(-RIM, -0.5), pl_roll("block", 1), pl_roll("top", 1),
                                       pl_roll("block", 1),  pl_roll("top", 1),   pl_world(-RIM, -1)};
        cab_planar_link_def under[] = {pl_at("block", 0, 0), pl_at("load", 0, 0)};
        pl_cable(scene, "tackle", links, 6, 1);
        pl_cable(scene, "under", under, 2, 1);
        cab_planar *planar = pl_native(scene);
        pl_step(planar, 600);
        for (int j = 1; j <= 5; j++) near_to(pl_tension(planar, j), 1001 * G / 4, 0.01 * 1001 * G / 4);
        near_to(pl_tension(planar, 7), 1000 * G, 1e-3 * 1000 * G);
        cab_planar_destroy(planar);
    }
}

/* A critically damped spring under a weight that is let go: after t it is at
 * m g / k (1 - (1 + w t) e^(-w t)); at rest at g / w^2. */
static void a_hand_is_a_critically_damped_spring(void **state)
{
    (void)state;
    double rate = 2 * acos(-1) * 1.0, point[2] = {0, 0}, target[2] = {0, 0};
    for (int substeps = 4; substeps <= 64; substeps *= 4) {
        cab_planar_scene *scene = scene_of(substeps);
        pl_put(scene, pl_circle("ball", CAB_PLANAR_DYNAMIC, 0, 0, 0.1, 3));
        cab_planar *planar = pl_native(scene);
        PL_OK(cab_planar_pull(planar, 0, 0, point, target, 1, 1e6, &pl_error));
        pl_step(planar, 12);
        double t = 0.2, sunk = G / (rate * rate) * (1 - (1 + rate * t) * exp(-rate * t));
        near_to(pl_body(planar, 0).position[1], -sunk,
                0.16 / substeps * sunk); /* first order in the substep */
        pl_step(planar, 300);
        near_to(pl_body(planar, 0).position[1], -G / (rate * rate), 1e-6);
        cab_planar_destroy(planar);
    }
}

/* Its force has a bound: what weighs more is not lifted; let go, a ball falls freely. A corner that is held
 * goes where it is pulled to, and the box hangs below it. */
static void a_hand_holds_no_more_than_its_force(void **state)
{
    (void)state;
    double point[2] = {0, 0}, target[2] = {0, 5}, corner[2] = {HALF, HALF};
    cab_planar_scene *scene = scene_of(4);
    pl_put(scene, pl_box("floor", CAB_PLANAR_STATIC, 0, -0.5, 20, 0.5, 1));
    pl_put(scene, pl_circle("ball", CAB_PLANAR_DYNAMIC, 0, 0.1, 0.1, 1000));
    cab_planar_body_def box = pl_box("box", CAB_PLANAR_DYNAMIC, 3, 3, HALF, HALF, 1);
    box.angular_damping = 20;
    pl_put(scene, box);
    cab_planar *planar = pl_native(scene);
    PL_OK(cab_planar_pull(planar, 0, 1, point, target, 1, 0.9 * 1000 * G, &pl_error));
    pl_step(planar, 10);
    near_to(force_of(planar, 0, 1, 4), 0.1 * 1000 * G, 1e-3 * 1000 * G);
    double hang[2] = {3, 3};
    PL_OK(cab_planar_pull(planar, 0, 2, corner, hang, 5, 1000, &pl_error));
    pl_step(planar, 600);
    double down = G / pow(2 * acos(-1) * 5, 2); /* stretched by its weight, if its whole mass is felt */
    near_to(pl_body(planar, 2).position[0], 3, 1e-3);
    near_to(pl_body(planar, 2).position[1], 3 - HALF * sqrt(2), 2 * down);
    PL_OK(cab_planar_let_go(planar, 0, &pl_error));
    PL_OK(cab_planar_let_go(planar, 0, &pl_error));
    double before = pl_body(planar, 2).velocity[1];
    pl_step(planar, 6);
    near_to(pl_body(planar, 2).velocity[1] - before, -0.1 * G, 1e-9);
    cab_planar_destroy(planar);
}

static void wrong_pulls_are_refused(void **state)
{
    (void)state;
    cab_error e;
    double at[2] = {0, 0}, nowhere[2] = {NAN, 0};
    cab_planar *planar = pl_native(pile(1, 1, 0, 4));
    assert_int_equal(cab_planar_pull(planar, 1, 1, at, at, 1, 1, &e), CAB_ERROR_INPUT);
    assert_int_equal(cab_planar_pull(planar, 0, 3, at, at, 1, 1, &e), CAB_ERROR_INPUT);
    assert_int_equal(cab_planar_pull(planar, 0, -1, at, at, 1, 1, &e), CAB_ERROR_INPUT);
    assert_int_equal(cab_planar_pull(planar, 0, 0, at, at, 1, 1, &e), CAB_ERROR_INPUT);
    assert_string_equal(e.message, "body \"floor\" is static: it cannot be pulled");
    assert_int_equal(cab_planar_pull(planar, 0, 1, nowhere, at, 1, 1, &e), CAB_ERROR_INPUT);
    assert_int_equal(cab_planar_pull(planar, 0, 1, at, at, 0, 1, &e), CAB_ERROR_INPUT);
    assert_int_equal(cab_planar_pull(planar, 0, 1, at, at, 1, 0, &e), CAB_ERROR_INPUT);
    assert_int_equal(cab_planar_let_go(planar, 1, &e), CAB_ERROR_INPUT);
    cab_planar_destroy(planar);
}

#define SCENES 6

static void every_device_gives_the_same_bits(void **state)
{
    (void)state;
    cab_planar_scene *own[SCENES] = {pile(3, 1000, 0, 4),    pile(2, 100, 90, 4),   plank(4),
                                     zigzag(20, 1, 1000, 4), zigzag(9, 0.1, 10, 2), four_piles(0.1, 4)};
    const cab_planar_scene *scenes[SCENES];
    for (int i = 0; i < SCENES; i++) scenes[i] = own[i];
    double point[2] = {0.02, 0}, target[2] = {0.3, 0.9};
    cab_device_info devices[16];
    int count = cab_devices(devices, 16);
    cab_planar_body first[SCENES][64], bodies[64];
    memset(first, 0, sizeof first);
    for (int d = 0; d < count && d < 16; d++) {
        cab_planar *planar = pl_open(scenes, SCENES, devices[d].id, 2);
        PL_OK(cab_planar_pull(planar, 1, 3, point, target, 2, 3000, &pl_error));
        pl_step(planar, 60);
        PL_OK(cab_planar_let_go(planar, 1, &pl_error));
        pl_step(planar, 30);
        for (int i = 0; i < SCENES; i++) {
            memset(bodies, 0, sizeof bodies);
            PL_OK(cab_planar_read_bodies(planar, i, d ? bodies : first[i], &pl_error));
            if (d) assert_memory_equal(bodies, first[i], sizeof bodies);
        }
        cab_planar_destroy(planar);
    }
    for (int i = 0; i < SCENES; i++) cab_planar_scene_destroy(own[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piles_stand_under_a_thousand_times_their_mass),
        cmocka_unit_test(a_heavy_box_stands_across_two_light_ones),
        cmocka_unit_test(a_side_force_does_not_move_them),
        cmocka_unit_test(four_piles_in_a_scene_stand_as_one_does),
        cmocka_unit_test(a_plank_carries_a_heavy_ball),
        cmocka_unit_test(a_long_belt_of_light_wheels_carries_a_ton),
        cmocka_unit_test(a_light_tackle_carries_a_ton),
        cmocka_unit_test(a_hand_is_a_critically_damped_spring),
        cmocka_unit_test(a_hand_holds_no_more_than_its_force),
        cmocka_unit_test(wrong_pulls_are_refused),
        cmocka_unit_test(every_device_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
