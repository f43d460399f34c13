/* Constraints of the user's own as C functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "own.h"

/* ---- callbacks ---- */

static void a_callback_does_what_an_expression_does(void **state)
{
    (void)state;
    int calls = 0;
    cab_scene *scene = make_drape(25, 120, 0, NULL);
    cab_constraint_def def = own_of("a", three, 3, NULL);
    def.type = CAB_CONSTRAINT_INEQUALITY;
    def.evaluate = min_bend;
    def.user = &calls;
    add_own(scene, def);
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    step(world, 180);
    near_to(least_radius(world), BEND_RADIUS, 0.002 * BEND_RADIUS); /* as a_bend_radius_is_kept */
    cab_world_destroy(world);
    assert_int_equal(calls, 180 * 120 * 24 * 19); /* places where it fits, evaluations of a gradient */
}

static void a_solver_can_be_mounted(void **state)
{
    (void)state;
    seen s = {0};
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 5);
    hold(scene, "a", (cab_place){0}, false);
    cab_constraint_def def = own_of("a", (const int[]){0, 1}, 2, NULL);
    def.compliance = 0.25;
    def.solve = lift;
    def.user = &s;
    add_own(scene, def);
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    step(world, 30);
    snapshot end = read_world(world);
    near_to(distance3(end.x[0], (double[3]){0, 0, 1}), 0, 0);
    for (int i = 1; i < end.nodes; i++) at_least(end.x[i][2], 0.9 - 1e-6);
    at_most(end.x[5][2], 0.901); /* it has fallen that far */
    assert_int_equal(s.calls, 30 * 20 * 5);
    snapshot_free(&end);
    cab_world_destroy(world);
}

static void callbacks_are_native(void **state)
{
    (void)state;
    char pocl[32];
    int calls = 0;
    if (!find_device(POCL, pocl)) {
        print_message("[          ] no PoCL here\n");
        skip();
    }
    cab_constraint_def def = own_of("a", three, 3, NULL);
    def.evaluate = min_bend;
    def.user = &calls;
    refuse_world(drape_with(def), pocl, CAB_ERROR_UNSUPPORTED,
                 "a callback runs on the device \"native\" only");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_does_what_an_expression_does),
        cmocka_unit_test(a_solver_can_be_mounted),
        cmocka_unit_test(callbacks_are_native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
