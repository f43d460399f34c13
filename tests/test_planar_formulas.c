/* Planar bodies and cables: each formula by numbers that follow from it alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define CAB_KERNELS_AS_C
#include "kernels/planar/math.h"

#define G 9.81
#define RIM (PL_R + PL_W)

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

/* e^x, cosine and sine, angles: as the library's within a few roundings. */
static void functions_are_the_librarys(void **state)
{
    (void)state;
    for (int i = -400; i <= 400; i++) {
        double x = 0.0999 * i, size = pow(10, i % 5);
        near_to(cab_pl_exp(x), exp(x), 2e-14 * exp(x)); /* x itself is rounded to 40 2^-53 */
        cab_p2 d = cab_pl_direction(x);
        near_to(d.x, cos(x), 2e-15);
        near_to(d.y, sin(x), 2e-15);
        near_to(cab_pl_angle(size * sin(x), size * cos(x)), atan2(size * sin(x), size * cos(x)), 1e-15);
        cab_p2 to = cab_pl_direction(x + 1e-3 * i);
        near_to(cab_pl_between(d, to), (x + 1e-3 * i) - x, 4e-15);
    }
}

/* A triangle that a torque turns, its corners far from its origin: I = m/18 (a^2 + b^2) about the centre of a right one of legs a, b. */
static void a_triangle_turns_by_its_inertia(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.6, mass = 2, inertia = mass / 18 * (a * a + b * b);
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->gravity[1] = 0;
    cab_planar_body_def def = pl_circle("triangle", CAB_PLANAR_DYNAMIC, -1, 2, 0, mass);
    const double corners[3][2] = {{1, 1}, {1 + a, 1}, {1, 1 + b}};
    def.corner_count = 3;
    memcpy(def.corners, corners, sizeof corners);
    def.torque = 0.01;
    pl_put(scene, def);
    cab_planar *planar = pl_native(scene);
    near_to(pl_body(planar, 0).position[0], -1 + 1 + a / 3, 1e-12);
    near_to(pl_body(planar, 0).position[1], 2 + 1 + b / 3, 1e-12);
    pl_step(planar, 60);
    near_to(pl_body(planar, 0).spin, 0.01 / inertia, 1e-9);
    near_to(pl_body(planar, 0).velocity[0], 0, 1e-12);
    cab_planar_destroy(planar);
}

/* A motor on a wheel: its torque at most, then its speed. */
static void a_motor_has_its_torque(void **state)
{
    (void)state;
    cab_planar_scene *scene = pl_scene();
    cab_planar_body_def wheel = pl_circle("wheel", CAB_PLANAR_AXLE, 0, 0, PL_R, 4);
    wheel.motor_speed = 3;
    wheel.motor_torque = 0.04; /* I = 0.02: 2 rad/s^2 */
    pl_put(scene, wheel);
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 60);
    near_to(pl_body(planar, 0).spin, 2, 1e-9);
    pl_step(planar, 60);
    near_to(pl_body(planar, 0).spin, 3, 1e-9);
    cab_planar_destroy(planar);
}

/* A box slides to a stop on a floor by the geometric mean of both frictions: 0.2 and 0.8 make 0.4. */
static void a_pair_has_the_mean_of_its_frictions(void **state)
{
    (void)state;
    cab_planar_scene *scene = pl_scene();
    cab_planar_body_def floor = pl_box("floor", CAB_PLANAR_STATIC, 0, -0.5, 20, 0.5, 1);
    cab_planar_body_def box = pl_box("box", CAB_PLANAR_DYNAMIC, 0, 0.1, 0.2, 0.1, 3);
    floor.friction = 0.8;
    box.friction = 0.2;
    box.velocity[0] = 6;
    pl_put(scene, floor);
    pl_put(scene, box);
    cab_planar *planar = pl_native(scene);
    pl_step(planar, 60);
    near_to(pl_body(planar, 1).velocity[0], 6 - 0.4 * G,
            0.01 * G); /* it falls into the slop in the first steps */
    cab_planar_destroy(planar);
}

/* A weight at rest on an elastic cable: longer by F l/EA, whatever the substeps. Over a drum without friction both sides are stretched
 * alike, however long each is. */
static void cables_stretch_by_hooke(void **state)
{
    (void)state;
    const double ea = 2000, mass = 5, strain = mass * G / ea;
    for (int substeps = 4; substeps <= 16; substeps *= 2) {
        for (int over = 0; over < 2; over++) {
            cab_planar_scene *scene = pl_scene();
            cab_planar_scene_settings(scene)->substeps = substeps;
            cab_planar_body_def drum = pl_circle("drum", CAB_PLANAR_STATIC, 0, 0, PL_R, 1);
            drum.cable_friction = 0;
            cab_planar_body_def weight = pl_circle("weight", CAB_PLANAR_DYNAMIC, RIM, -1, 0.05, mass);
            weight.linear_damping = 4;
            pl_put(scene, weight);
            if (over) pl_put(scene, drum);
            cab_planar_link_def straight[] = {pl_world(RIM, 0), pl_at("weight", 0, 0)};
            cab_planar_link_def round[] = {pl_world(-RIM, -0.4), pl_roll("drum", -1), pl_at("weight", 0, 0)};
            cab_planar_cable_def def = cab_planar_cable_default();
            def.name = "c";
            def.radius = PL_W;
            def.stretching_stiffness = ea;
            def.links = over ? round : straight;
            def.link_count = over ? 3 : 2;
            PL_OK(cab_planar_add_cable(scene, &def, &pl_error));
            cab_planar *planar = pl_native(scene);
            pl_step(planar, 2400); /* it does not swing, it creeps there */
            for (int j = 1; j < def.link_count; j++) {
                cab_planar_joint joint = pl_joint(planar, j);
                near_to(joint.tension, mass * G, 1e-4 * mass * G);
                near_to(joint.length / joint.rest - 1, strain, 1e-4 * strain); /* what is left to creep */
            }
            near_to(pl_stats(planar).length_error, 0, 1e-12);
            cab_planar_destroy(planar);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_the_librarys), cmocka_unit_test(a_triangle_turns_by_its_inertia),
        cmocka_unit_test(a_motor_has_its_torque),     cmocka_unit_test(a_pair_has_the_mean_of_its_frictions),
        cmocka_unit_test(cables_stretch_by_hooke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
