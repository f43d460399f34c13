/* Air: drag across and along, wind. Known answers, on every device, with both solvers, at two resolutions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worlds.h"

#define AIR 1.2      /* kg/m^3 */
#define DENSITY 0.05 /* kg/m, of wire_of() */
#define G 9.81

typedef struct test_case {
    const char *device;
    cab_method method;
    int segments, substeps;
} test_case;

/* Calls `check` for each device, method and resolution. */
static void for_each(void (*check)(test_case))
{
    static const char *const devices[] = {"native", "opencl"};
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int d = 0; d < (have_opencl() ? 2 : 1); d++) {
        for (int m = 0; m < 2; m++) {
            check((test_case){devices[d], methods[m], 8, 20});
            check((test_case){devices[d], methods[m], 32, 40});
        }
    }
}

static cab_scene *windy_scene(test_case t, double across, double along, cab_vec3 wind)
{
    cab_scene *scene = scene_of(t.substeps);
    cab_material_def wire = wire_of("wire", 0.004, 0);
    wire.air_drag = across;
    wire.air_drag_along = along;
    cab_scene_settings(scene)->method = t.method;
    cab_scene_settings(scene)->wind = wind;
    add_material(scene, wire);
    return scene;
}

static void close_all(cab_world *world, cab_scene *scene)
{
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Drag across each metre of a cable that leans at theta is Cd rho r (U cos theta)^2, weight across it
 * mu g sin theta: the same everywhere, so it leans straight. */
static double lean_of(double drag, double wind)
{
    double ratio = drag * AIR * 0.004 * wind * wind / (DENSITY * G), low = 0, high = 1.57;
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        if (sin(t) < ratio * cos(t) * cos(t))
            low = t;
        else
            high = t;
    }
    return low;
}

static void check_lean(test_case t)
{
    cab_scene *scene = windy_scene(t, 1.1, 0, (cab_vec3){8, 0, 0});
    add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1}, t.segments);
    hold(scene, "a", (cab_place){CAB_PLACE_START, 0, 0}, false);
    cab_world *world = world_on(scene, t.device, 0);
    step(world, 600); /* swings die out within a second or two */
    snapshot s = read_world(world);
    double theta = lean_of(1.1, 8);
    at_least(theta, 0.4); /* a lean worth the name */
    for (int i = 1; i <= t.segments; i++) {
        double l = (double)i / t.segments;
        /* the last particle carries half a segment, and half of its drag: straight in any case. 1e-3: xpbd
         * stretches by that at 20 substeps, and the last of the swing */
        near_to(s.x[i][0], l * sin(theta), 1e-3);
        near_to(s.x[i][2], 2 - l * cos(theta), 1e-3);
    }
    snapshot_free(&s);
    close_all(world, scene);
}

static void a_hanging_cable_leans_straight(void **state)
{
    (void)state;
    for_each(check_lean);
}

static void check_fall(test_case t)
{
    double across = sqrt(DENSITY * G / (1.1 * AIR * 0.004)), along = sqrt(DENSITY * G / (0.3 * AIR * 0.004));
    for (int upright = 0; upright < 2; upright++) {
        cab_scene *scene = windy_scene(t, 1.1, 0.3, (cab_vec3){0, 0, 2});
        cab_vec3 end = upright ? (cab_vec3){0, 0, 0} : (cab_vec3){1, 0, 1};
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, end, t.segments);
        cab_world *world = world_on(scene, t.device, 0);
        step(world, upright ? 600 : 300); /* flat on its way, it flutters in the end */
        snapshot s = read_world(world);
        /* relative to the wind. 2e-3: drag that is implicit in the speed keeps it h g / 2v below, 0.04 % at
         * 20 substeps; and what is not fallen yet */
        double steady = upright ? along : across;
        near_to(2 - s.v[t.segments / 2][2], steady, 2e-3 * steady);
        snapshot_free(&s);
        close_all(world, scene);
    }
}

static void steady_speeds_are_those_of_a_cylinder(void **state)
{
    (void)state;
    for_each(check_fall);
}

static void wind_can_change(void **state)
{
    (void)state;
    cab_error error = {0};
    test_case t = {"native", CAB_METHOD_XPBD, 8, 20};
    cab_scene *scene = windy_scene(t, 1.1, 0, (cab_vec3){0, 0, 0});
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, t.segments);
    cab_world *world = world_on(scene, t.device, 0);
    step(world, 10);
    snapshot still = read_world(world);
    near_to(still.v[3][1], 0, 0);
    snapshot_free(&still);
    must(cab_world_set_wind(world, (cab_vec3){0, 5, 0}, &error), &error);
    step(world, 60);
    snapshot blown = read_world(world);
    /* u' = -k u^2 with k = Cd rho r / mu: u = U / (1 + k U t) of the air is left. 1 %: the steps */
    double k = 1.1 * AIR * 0.004 / DENSITY;
    near_to(blown.v[3][1], 5 - 5 / (1 + k * 5 * 1), 0.01 * 5);
    snapshot_free(&blown);
    must_fail(cab_world_set_wind(world, (cab_vec3){NAN, 0, 0}, &error), CAB_ERROR_INPUT, &error, "wind");
    close_all(world, scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_cable_leans_straight),
        cmocka_unit_test(steady_speeds_are_those_of_a_cylinder),
        cmocka_unit_test(wind_can_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
