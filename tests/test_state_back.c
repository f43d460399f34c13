/* States of worlds that have changed on their way, and worlds that go back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "state.h"

static cab_material_def changed_wire(double linear_density, double air_drag)
{
    cab_material_def def = wire_of("wire", 0.004, 3e-4);
    def.linear_density = linear_density;
    def.damping = 0.7;
    def.friction = 0.6;
    def.air_drag = air_drag;
    return def;
}

/* Materials before, between and after what breaks; gravity; a target on its way. */
static void what_changed_on_the_way_is_kept(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int i = 0; i < 4; i++) {
        cab_error error = {0};
        cab_way way = i % 2 ? CAB_WAY_STAGED : CAB_WAY_COLOURED;
        test_way wished = {methods[i % 2], way, ""};
        cab_world *whole = world_of(scene_called("breaking"), wished, "native");
        cab_material_def wire = changed_wire(0.08, 0);
        if (i < 2) must(cab_world_set_material(whole, &wire, &error), &error);
        step(whole, 12);
        wire.linear_density = 0.03;
        wire.air_drag = 1;
        wire.air_drag_along = 0.1;
        must(cab_world_set_material(whole, &wire, &error), &error);
        must(cab_world_set_gravity(whole, (cab_vec3){1, 0, -9}, &error), &error);
        must(cab_world_set_wind(whole, (cab_vec3){0, 2, 0}, &error), &error);
        if (cab_world_get_broken(whole, NULL, NULL, 0) == 0)
            must(cab_world_set_target(whole, 0, (cab_vec3){0.1, 0, 0.4}, &error), &error);
        for (int frame = 0; frame < 3; frame++) {
            bytes saved = pack(whole);
            cab_world *rest = world_of(scene_called("breaking"), wished, "native");
            unpack(rest, saved);
            step(whole, 6);
            step(rest, 6);
            same_state(whole, rest, "changed");
            free(saved.data);
            cab_world_destroy(rest);
        }
        cab_world_destroy(whole);
    }
}

/* A state from before a material was changed has the scene's. */
static void a_material_goes_back(void **state)
{
    (void)state;
    cab_error error = {0};
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene_called("breaking"), way, "native");
    cab_world *fresh = world_of(scene_called("breaking"), way, "native");
    bytes start = pack(world);
    cab_material_def wire = changed_wire(0.08, 0.5), now;
    must(cab_world_set_material(world, &wire, &error), &error);
    assert_true(cab_world_get_material(world, 0, &now));
    assert_string_equal(now.name, "wire");
    assert_true(now.linear_density == 0.08 && now.air_drag == 0.5);
    assert_false(cab_world_get_material(world, 1, &now));
    assert_false(cab_world_get_material(world, -1, &now));
    step(world, 2);
    unpack(world, start);
    step(world, 5);
    step(fresh, 5);
    same_worlds(world, fresh, "the scene's material");
    free(start.data);
    cab_world_destroy(world);
    cab_world_destroy(fresh);
}

/* A state from before a target was set holds what it held then. */
static void a_target_goes_back(void **state)
{
    (void)state;
    static const test_way ways[] = {{CAB_METHOD_XPBD, CAB_WAY_COLOURED, "coloured"},
                                    {CAB_METHOD_XPBD, CAB_WAY_FUSED, "fused"},
                                    {CAB_METHOD_DIRECT, CAB_WAY_LANES, "lanes"},
                                    {CAB_METHOD_DIRECT, CAB_WAY_STAGED, "staged"}};
    for (int i = 0; i < COUNT_OF(ways); i++) {
        cab_error error = {0};
        cab_world *world = world_of(scene_called("clamps"), ways[i], "native");
        cab_world *fresh = world_of(scene_called("clamps"), ways[i], "native");
        bytes start = pack(world);
        must(cab_world_set_target(world, 1, (cab_vec3){0, 1.1, 1.1}, &error), &error);
        step(world, 4);
        unpack(world, start);
        for (int k = 0; k < 2; k++) { /* and once more, the target set again after the state */
            step(world, 4);
            step(fresh, 4);
            same_worlds(world, fresh, ways[i].name);
            must(cab_world_set_target(world, 1, (cab_vec3){0, 1, 1.1}, &error), &error);
            must(cab_world_set_target(fresh, 1, (cab_vec3){0, 1, 1.1}, &error), &error);
        }
        free(start.data);
        cab_world_destroy(world);
        cab_world_destroy(fresh);
    }
}

/* Air drag on the way ends the fast ways. */
static void a_world_that_left_its_way_is_kept(void **state)
{
    (void)state;
    const test_scene *scene = scene_called("elastic");
    for (int i = 0; i < 2; i++) {
        cab_error error = {0};
        test_way wished = {i ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD, CAB_WAY_AUTO, ""};
        cab_world *whole = world_of(scene, wished, "native"), *rest = world_of(scene, wished, "native");
        cab_way before = cab_world_get_info(whole).way;
        step(whole, 4);
        cab_material_def wire = wire_of("wire", 0.003, 1e-4);
        wire.stretching_stiffness = 50;
        wire.air_drag = 1;
        must(cab_world_set_material(whole, &wire, &error), &error);
        assert_int_not_equal(cab_world_get_info(whole).way, before);
        step(whole, 2);
        bytes saved = pack(whole);
        unpack(rest, saved);
        step(whole, 5);
        step(rest, 5);
        same_state(whole, rest, "left its way");
        free(saved.data);
        cab_world_destroy(whole);
        cab_world_destroy(rest);
    }
}

/* Back and forth in one world, as long as nothing breaks in between. */
static void a_world_goes_back(void **state)
{
    (void)state;
    cab_error error = {0};
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene_called("pile"), way, "native");
    step(world, 10);
    bytes early = pack(world);
    step(world, 10);
    bytes late = pack(world), again;
    unpack(world, early);
    assert_int_equal(cab_world_get_info(world).frame, 10);
    step(world, 10);
    again = pack(world);
    assert_int_equal(again.size, late.size);
    assert_memory_equal(again.data, late.data, late.size);
    free(early.data);
    free(late.data);
    free(again.data);
    cab_world_destroy(world);
    world = world_of(scene_called("breaking"), way, "native");
    early = pack(world);
    step(world, 30);
    must_fail(cab_world_unpack(world, early.data, early.size, &error), CAB_ERROR_INPUT, &error,
              "have broken");
    step(world, 1); /* it is as it was */
    free(early.data);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_on_the_way_is_kept),
        cmocka_unit_test(a_material_goes_back),
        cmocka_unit_test(a_target_goes_back),
        cmocka_unit_test(a_world_that_left_its_way_is_kept),
        cmocka_unit_test(a_world_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
