/* What cables slide by in the plane, pinned by its formulas: e^(mu theta) of each wrap, the pinch's part, where sliding begins, and
 * which way a pinch drives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define G 9.81
#define RIM (PL_R + PL_W)
#define PINCHED (2 * PL_W - 1e-5) /* m; a gap that a cable is pinched in */

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

/* What a cable with a weight on each side lies on. */
typedef enum seat {
    DRUM,
    PINCHED_DRUM,
    SQUARE,
    PINCHED_SQUARE,
    WOUND_SQUARE
} seat; /* wound: once round and a half */

static bool is_pinched(seat on)
{
    return on == PINCHED_DRUM || on == PINCHED_SQUARE;
}

/* The seat does not move, nor does the ball that pinches the cable on top of it. */
static cab_planar *weights_over(seat on, double mu, double pinch, double left, double right)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->pinch_friction = pinch;
    bool round = on == DRUM || on == PINCHED_DRUM;
    cab_planar_body_def body = round ? pl_circle("seat", CAB_PLANAR_STATIC, 0, 0, PL_R, 1)
                                     : pl_box("seat", CAB_PLANAR_STATIC, 0, 0, PL_R, PL_R, 1);
    body.cable_friction = mu;
    pl_put(scene, body);
    pl_put(scene, pl_circle("left", CAB_PLANAR_DYNAMIC, -RIM, -2, 0.05, left));
    pl_put(scene, pl_circle("right", CAB_PLANAR_DYNAMIC, RIM, -2, 0.05, right));
    cab_planar_body_def ball = pl_circle("ball", CAB_PLANAR_STATIC, 0, 2 * PL_R + PINCHED, PL_R, 1);
    ball.cable_friction = 7; /* counts for nothing where it pinches */
    if (is_pinched(on)) pl_put(scene, ball);
    cab_planar_link_def links[] = {pl_at("left", 0, 0), pl_roll("seat", -1), pl_at("right", 0, 0)};
    links[1].turns = on == WOUND_SQUARE;
    pl_cable(scene, "c", links, 3, 1);
    return pl_native(scene);
}

static double turned(seat on)
{
    return (on == WOUND_SQUARE ? 3 : 1) * acos(-1);
}

/* theta of all wraps on the seat: half a turn, on the drum less what is stored at the pinch instead. */
static double wrapped(cab_planar *planar, seat on)
{
    double stored = 0;
    if (on == SQUARE || on == PINCHED_SQUARE || on == WOUND_SQUARE) return turned(on);
    for (int i = 0; i < pl_stats(planar).joints; i++) {
        cab_planar_joint joint = pl_joint(planar, i);
        if (joint.body == 0) stored += joint.stored;
    }
    return stored / RIM;
}

/* The taut side pulls e^(mu theta + pinch) as hard as the other. It slides with 1 % more than that, and not with 1 % less. */
static void check_seat(seat on, double mu, double pinch, int way)
{
    double limit = exp(mu * turned(on) + (is_pinched(on) ? pinch : 0));
    for (int more = -1; more <= 1; more += 2) {
        double light = 1, heavy = (1 + 0.01 * more) * limit;
        cab_planar *planar =
            way > 0 ? weights_over(on, mu, pinch, light, heavy) : weights_over(on, mu, pinch, heavy, light);
        pl_step(planar, 30); /* in the first ones it still holds */
        int last = pl_stats(planar).joints - 1, falls = way > 0 ? 2 : 1;
        double before = pl_body(planar, falls).velocity[1];
        pl_step(planar, 30);
        assert_int_equal(pl_stats(planar).non_transitional, is_pinched(on));
        double taut = pl_tension(planar, way > 0 ? last : 1), slack = pl_tension(planar, way > 0 ? 1 : last);
        if (more > 0) {
            double ratio = exp(mu * wrapped(planar, on) + (is_pinched(on) ? pinch : 0));
            double a = (heavy - light * ratio) * G / (heavy + light * ratio);
            near_to(taut / slack, ratio, 1e-6 * ratio);
            near_to(pl_body(planar, falls).velocity[1] - before, -0.5 * a, 1e-3 * a);
            for (int i = 1; i < last; i++) assert_int_equal(pl_joint(planar, i).slide, way);
        } else {
            near_to(pl_body(planar, falls).position[1], -2, 1e-3);
            near_to(taut, heavy * G, 1e-3 * heavy * G);
        }
        near_to(pl_stats(planar).length_error, 0, 1e-12);
        cab_planar_destroy(planar);
    }
}

static void check_all(seat on)
{
    static const double mu[] = {0.05, 0.3};
    for (int i = 0; i < 2; i++)
        for (int way = -1; way <= 1; way += 2) check_seat(on, mu[i], 0.4, way);
}

static void a_drum_holds_to_its_limit(void **state)
{
    (void)state;
    check_all(DRUM);
}

static void a_square_holds_as_a_drum_does(void **state)
{
    (void)state;
    check_all(SQUARE);
    check_all(WOUND_SQUARE);
}

static void a_pinch_multiplies_the_limit(void **state)
{
    (void)state;
    check_all(PINCHED_DRUM);
}

static void a_pinch_on_a_square_does_so_too(void **state)
{
    (void)state;
    check_all(PINCHED_SQUARE);
}

/* A driven wheel presses a cable onto a bed on which the cable slides without friction, and takes it along at the speed of its rim, to
 * the side to which the lower half of the wheel goes. The bed is a drum or a square, the wheel is round or a square plate that pushes. */
static void check_drive(seat on, int spin)
{
    const double radius = 0.05, rim = radius + PL_W, speed = 2;
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->pinch_friction = 1;
    cab_planar_body_def bed = on == DRUM ? pl_circle("bed", CAB_PLANAR_STATIC, 0, 0, PL_R, 1)
                                         : pl_box("bed", CAB_PLANAR_STATIC, 0, 0, PL_R, PL_R, 1);
    bed.cable_friction = 0;
    pl_put(scene, bed);
    pl_put(scene, pl_circle("left", CAB_PLANAR_DYNAMIC, -RIM, -2, 0.05, 1));
    pl_put(scene, pl_circle("right", CAB_PLANAR_DYNAMIC, RIM, -2, 0.05, 1));
    cab_planar_body_def wheel = pl_circle("wheel", CAB_PLANAR_AXLE, 0, PL_R + PINCHED + radius, radius, 0.1);
    wheel.motor_speed = spin * speed;
    wheel.motor_torque = 5;
    pl_put(scene, wheel);
    cab_planar_link_def links[] = {pl_at("left", 0, 0), pl_roll("bed", -1), pl_at("right", 0, 0)};
    pl_cable(scene, "c", links, 3, 1);
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 60);
    assert_int_equal(pl_stats(planar).non_transitional, 1);
    near_to(pl_body(planar, 3).spin, spin * speed, 1e-3);
    /* counterclockwise the lower half goes to the right, and the weight there goes down */
    near_to(pl_body(planar, 2).velocity[1], -spin * speed * rim, 0.01 * speed * rim);
    near_to(pl_body(planar, 1).velocity[1], spin * speed * rim, 0.01 * speed * rim);
    near_to(pl_stats(planar).length_error, 0, 1e-12);
    cab_planar_destroy(planar);
}

static void a_wheel_drives_the_way_it_turns(void **state)
{
    (void)state;
    for (int spin = -1; spin <= 1; spin += 2) {
        check_drive(DRUM, spin);
        check_drive(SQUARE, spin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drum_holds_to_its_limit),       cmocka_unit_test(a_square_holds_as_a_drum_does),
        cmocka_unit_test(a_pinch_multiplies_the_limit),    cmocka_unit_test(a_pinch_on_a_square_does_so_too),
        cmocka_unit_test(a_wheel_drives_the_way_it_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
