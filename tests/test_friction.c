/* Models of friction, and when contacts are looked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define RADIUS 0.005
#define G 9.81
#define MU 0.3
#define STOP 0.2 /* m/s, static_speed of these tests */

static cab_scene *scene_with(cab_friction model, cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->method = method;
    settings->contact.friction_model = model;
    settings->contact.static_speed = STOP;
    cab_material_def wire = wire_of("wire", RADIUS, 0);
    wire.friction = MU;
    add_material(scene, wire);
    return scene;
}

/* A cable across x slides on a floor with 0.6 m/s; where its middle is after each frame. */
static void slide(cab_friction model, cab_method method, int segments, double *x, int frames)
{
    cab_scene *scene = scene_with(model, method);
    cab_vec3 ends[2] = {{0, -0.2, RADIUS}, {0, 0.2, RADIUS}};
    cab_cable_def cable = straight_of("a", "wire", ends, segments);
    cable.velocity = (cab_vec3){0.6, 0, 0};
    add_cable(scene, cable);
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.friction = MU;
    add_collider(scene, floor);
    cab_world *world = native_world(scene);
    for (int i = 0; i < frames; i++) {
        double place[3];
        step(world, 1);
        node_place(world, segments / 2, place);
        x[i] = place[0];
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Both slow down by mu g. Coulomb's comes to rest after v^2/(2 mu g); the other stops at once when it has
 * slowed down to the threshold, after (v^2 - s^2)/(2 mu g). */
static void sliding_comes_to_a_stop(void **state)
{
    (void)state;
    const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int k = 0; k < 4; k++) {
        double x[30], y[30];
        int segments = k < 2 ? 8 : 20;
        slide(CAB_FRICTION_COULOMB, methods[k % 2], segments, x, 30);
        slide(CAB_FRICTION_THRESHOLD, methods[k % 2], segments, y, 30);
        near_to(x[5], y[5], 2e-6); /* at 0.1 s both still slide, alike to rounding */
        /* first order in h: 0.6 m/s for half a substep, 0.25 mm; the stop itself up to s h, 0.17 mm */
        near_to(x[29], 0.36 / (2 * MU * G), 3e-4);
        near_to(y[29], (0.36 - STOP * STOP) / (2 * MU * G), 5e-4);
        near_to(x[29], x[25], 1e-6);
        near_to(y[29], y[25], 1e-6);
    }
}

/* On a slope of 40 degrees, steeper than atan mu = 17: Coulomb's slides at g (sin - mu cos); with a threshold
 * it stays, as long as a substep's pull g h sin, here 5 mm/s, is under it. Kicked down it slides as
 * Coulomb's. */
static void a_slope_holds_what_is_slow(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        bool holds = k >= 2 && k < 4;
        double angle = 40 * M_PI / 180, speed = k < 4 ? 0 : 0.5, t = 0.25;
        cab_scene *scene = scene_with(k < 2 ? CAB_FRICTION_COULOMB : CAB_FRICTION_THRESHOLD,
                                      k % 2 ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD);
        cab_vec3 ends[2] = {{RADIUS * sin(angle), -0.2, RADIUS * cos(angle)},
                            {RADIUS * sin(angle), 0.2, RADIUS * cos(angle)}};
        cab_cable_def cable = straight_of("a", "wire", ends, 8 + k);
        cable.velocity = (cab_vec3){speed * cos(angle), 0, -speed * sin(angle)};
        add_cable(scene, cable);
        cab_collider_def slope = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
        slope.normal = (cab_vec3){sin(angle), 0, cos(angle)};
        slope.friction = MU;
        add_collider(scene, slope);
        cab_world *world = native_world(scene);
        step(world, 15);
        snapshot s = read_world(world);
        double a = G * (sin(angle) - MU * cos(angle)), way = holds ? 0 : speed * t + 0.5 * a * t * t;
        for (int i = 0; i < s.nodes; i++) {
            double moved = (s.x[i][0] - ends[0].x) * cos(angle) - (s.x[i][2] - ends[0].z) * sin(angle);
            near_to(moved, way, 0.01 * way + 1e-5); /* (t + h) for t is 0.4 % */
        }
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* The same between cables: one lies across two rails, cables held at both ends, that fall by 40 degrees. */
static cab_scene *on_rails(cab_friction model)
{
    cab_scene *scene = scene_with(model, CAB_METHOD_XPBD);
    cab_scene_settings(scene)->contact.cables = true;
    double angle = 40 * M_PI / 180, up = 2 * RADIUS;
    for (int i = 0; i < 2; i++) {
        double y = i ? 0.1 : -0.1;
        add_straight(scene, i ? "r" : "l", (cab_vec3){-0.2 * cos(angle), y, 0.2 * sin(angle)},
                     (cab_vec3){0.4 * cos(angle), y, -0.4 * sin(angle)}, 1);
        hold(scene, i ? "r" : "l", (cab_place){0}, false);
        hold(scene, i ? "r" : "l", at_end(), false);
    }
    add_straight(scene, "a", (cab_vec3){up * sin(angle), -0.15, up * cos(angle)},
                 (cab_vec3){up * sin(angle), 0.15, up * cos(angle)}, 1);
    return scene;
}

static void cables_hold_each_other(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = on_rails(k ? CAB_FRICTION_THRESHOLD : CAB_FRICTION_COULOMB);
        cab_world *world = native_world(scene);
        step(world, 15);
        double x[3];
        node_place(world, 4, x); /* the first of the third cable */
        double angle = 40 * M_PI / 180, a = G * (sin(angle) - MU * cos(angle));
        double down = (x[0] - 2 * RADIUS * sin(angle)) / cos(angle);
        near_to(down, k ? 0 : 0.5 * a * 0.0625, k ? 1e-4 : 0.002); /* it takes up the contact first */
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* Does a cable of 1 mm radius, thrown at a plate of 2 mm, end below it? 21 mm a substep, or 0.4. */
static bool gets_through(cab_detection detection, double speed, int segments, cab_world **out)
{
    cab_scene *scene = scene_of(1);
    cab_settings *settings = cab_scene_settings(scene);
    settings->frame_rate = 1200;
    settings->contact.detection = detection;
    add_material(scene, wire_of("wire", 0.001, 0));
    cab_vec3 ends[2] = {{-0.1, 0, 0.05}, {0.1, 0, 0.05}};
    cab_cable_def cable = straight_of("thrown", "wire", ends, segments);
    cable.velocity = (cab_vec3){0, 0, -speed};
    add_cable(scene, cable);
    cab_collider_def plate = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 0, 0});
    plate.half_extents = (cab_vec3){1, 1, 0.001};
    add_collider(scene, plate);
    cab_world *world = native_world(scene);
    step(world, speed > 1 ? 10 : 200);
    double x[3];
    node_place(world, segments / 2, x);
    cab_scene_destroy(scene);
    if (out)
        *out = world;
    else
        cab_world_destroy(world);
    return x[2] < 0;
}

static void discrete_contact_misses_what_is_fast(void **state)
{
    (void)state;
    for (int segments = 8; segments <= 20; segments += 12) {
        assert_true(gets_through(CAB_DETECTION_DISCRETE, 25, segments, NULL));
        assert_false(gets_through(CAB_DETECTION_SWEPT, 25, segments, NULL));
        /* what is slow is found by both, and treated alike */
        cab_world *discrete, *swept;
        assert_false(gets_through(CAB_DETECTION_DISCRETE, 0.1, segments, &discrete));
        assert_false(gets_through(CAB_DETECTION_SWEPT, 0.1, segments, &swept));
        snapshot a = read_world(discrete), b = read_world(swept);
        near_to(a.x[segments / 2][2], 0.002, 1e-5);
        near_to(a.x[segments / 2][2], b.x[segments / 2][2], 1e-5);
        snapshot_free(&a);
        snapshot_free(&b);
        cab_world_destroy(discrete);
        cab_world_destroy(swept);
    }
}

static void the_same_bits(void **state)
{
    (void)state;
    char id[32];
    if (!find_device(POCL, id)) skip();
    cab_scene *scene = on_rails(CAB_FRICTION_THRESHOLD);
    cab_scene_settings(scene)->contact.detection = CAB_DETECTION_DISCRETE;
    add_floor(scene, -0.02);
    cab_world *native = native_world(scene), *opencl = world_on(scene, id, 0);
    step(native, 20);
    step(opencl, 20);
    same_motion(native, opencl, "threshold");
    cab_world_destroy(native);
    cab_world_destroy(opencl);
    cab_scene_destroy(scene);
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = scene_with(CAB_FRICTION_THRESHOLD, CAB_METHOD_XPBD);
    cab_scene_settings(scene)->contact.static_speed = -1;
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error, "/contact/static_speed");
    cab_scene_settings(scene)->contact.static_speed = 0;
    cab_scene_settings(scene)->contact.friction_model = CAB_FRICTION_COUNT;
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error, "/contact/friction_model");
    cab_scene_settings(scene)->contact.friction_model = CAB_FRICTION_COULOMB;
    cab_scene_settings(scene)->contact.detection = CAB_DETECTION_COUNT;
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error, "/contact/detection");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_comes_to_a_stop),  cmocka_unit_test(a_slope_holds_what_is_slow),
        cmocka_unit_test(cables_hold_each_other),   cmocka_unit_test(discrete_contact_misses_what_is_fast),
        cmocka_unit_test(bad_settings_are_refused), cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests_name("friction", tests, NULL, NULL);
}
