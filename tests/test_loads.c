/* Forces along keyframes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "worlds.h"

/* 0 to 2 N over half a second, held for a quarter, then back to 0 within another. */
static const cab_keyframe ramp[] = {{0, {0, 0, 0}}, {0.5, {2, 0, 1}}, {0.75, {2, 0, 1}}, {1, {0, 0, 0}}};

/* A free cable of 50 g in no gravity, pulled sideways at every particle's share: at both ends and the middle.
 */
static cab_scene *pulled(cab_method method, int segments)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire_of("wire", 0.005, 0));
    add_straight(scene, "a", (cab_vec3){0, -0.5, 0}, (cab_vec3){0, 0.5, 0}, segments);
    for (int i = 0; i <= segments; i++) {
        cab_load_def load = load_at("a", at_particle(i));
        cab_keyframe own[COUNT_OF(ramp)];
        double share = (i == 0 || i == segments ? 0.5 : 1.0) / segments; /* as its mass */
        for (int k = 0; k < COUNT_OF(ramp); k++) {
            own[k] = ramp[k];
            own[k].position.x *= share;
            own[k].position.z *= share;
        }
        load.force_keyframes = own;
        load.force_keyframe_count = COUNT_OF(ramp);
        add_load(scene, load);
    }
    return scene;
}

/* Momentum is the integral of the force: 1.25 N s in all, 0.5 after half a second, 1 after 0.75. */
static void momentum_is_the_integral_of_the_force(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cab_scene *scene = pulled(k % 2 ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD, k < 2 ? 2 : 7);
        cab_world *world = native_world(scene);
        const int frames[] = {30, 15, 15, 10};
        const double impulse[] = {0.5, 1, 1.25, 1.25};
        for (int i = 0; i < 4; i++) {
            step(world, frames[i]);
            snapshot s = read_world(world);
            /* floats add up 1,200 steps; BDF2 takes a kink in the ramp for what it was before, 4 N/s h^2 */
            double tolerance = 1e-3;
            for (int node = 0; node < s.nodes; node++) {
                near_to(s.v[node][0], impulse[i] / 0.05, tolerance);
                near_to(s.v[node][2], impulse[i] / 0.1, tolerance);
            }
            snapshot_free(&s);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A held cable is pulled by 10 N/s and bears 5 N: it goes in the frame after 0.5 s. */
static void a_growing_force_breaks(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = scene_of(20);
        cab_scene_settings(scene)->method = k ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD;
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        add_material(scene, wire_of("wire", 0.005, 0));
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -0.4}, 4);
        cab_attachment_def held = held_at("a", (cab_place){0});
        held.break_force = 5;
        add_attachment(scene, held);
        const cab_keyframe growing[] = {{0, {0, 0, 0}}, {1, {0, 0, -10}}};
        cab_load_def load = load_at("a", at_end());
        load.force_keyframes = growing;
        load.force_keyframe_count = 2;
        add_load(scene, load);
        cab_world *world = native_world(scene);
        step(world, 29);
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 0);
        step(world, 3); /* the mean over frame 31 is 5.08 N; the cable gives way by a hair first */
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void the_same_bits(void **state)
{
    (void)state;
    char id[32];
    if (!find_device(POCL, id)) skip();
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = pulled(k ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD, 7);
        cab_world *native = native_world(scene), *opencl = world_on(scene, id, 0);
        step(native, 40);
        step(opencl, 40);
        same_motion(native, opencl, "forces along keyframes");
        cab_world_destroy(native);
        cab_world_destroy(opencl);
        cab_scene_destroy(scene);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = pulled(CAB_METHOD_DIRECT, 2);
    cab_scene_settings(scene)->way = CAB_WAY_LANES;
    cab_world *world = NULL;
    cab_world_def options = cab_world_default();
    options.device = "native";
    assert_true(cab_world_create(scene, &options, &world, &error) != CAB_OK);
    assert_non_null(strstr(error.message, "a force has keyframes"));
    cab_load_def load = load_at("a", at_end());
    const cab_keyframe back[] = {{1, {0, 0, 0}}, {1, {0, 0, -10}}};
    load.force_keyframes = back;
    load.force_keyframe_count = 2;
    must_fail(cab_scene_add_load(scene, &load, &error), CAB_ERROR_INPUT, &error,
              "/loads/3/force/keyframes/1/0: expected a time after that of the keyframe before");
    cab_scene_destroy(scene);
}

/* A cable that hangs from one end, with a load in the middle whose force is f. */
static cab_scene *hanging(cab_method method, cab_way way, cab_vec3 f)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->way = way;
    if (method == CAB_METHOD_SPRINGS) cab_scene_settings(scene)->springs.stiffness = 100;
    bool bends = method == CAB_METHOD_XPBD || method == CAB_METHOD_DIRECT;
    add_material(scene, wire_of("wire", 0.005, bends ? 1e-4 : 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.6, 0, 1}, 20);
    hold(scene, "a", (cab_place){0}, false);
    cab_load_def load = load_at("a", at_particle(10));
    load.mass = 0.01;
    load.force = f;
    add_load(scene, load);
    load = load_at("a", at_end());
    load.mass = 0.005;
    add_load(scene, load);
    return scene;
}

/* A force that is set before the first frame is that of a scene which has it; also where there was none. */
static void a_force_that_is_set_is_the_scenes(void **state)
{
    (void)state;
    static const struct {
        cab_method method;
        cab_way way;
    } ways[] = {{CAB_METHOD_XPBD, CAB_WAY_COLOURED},
                {CAB_METHOD_XPBD, CAB_WAY_AUTO}, /* fused as long as there is no force */
                {CAB_METHOD_DIRECT, CAB_WAY_LANES},
                {CAB_METHOD_DIRECT, CAB_WAY_STAGED},
                {CAB_METHOD_SPRINGS, CAB_WAY_AUTO},
                {CAB_METHOD_PBD, CAB_WAY_AUTO}};
    const cab_vec3 none = {0, 0, 0}, up = {0.2, 0.1, 0.8};
    for (int k = 0; k < 2 * COUNT_OF(ways); k++) {
        cab_error error = {0};
        cab_scene *with = hanging(ways[k / 2].method, ways[k / 2].way, up);
        cab_scene *without = hanging(ways[k / 2].method, ways[k / 2].way, k % 2 ? none : (cab_vec3){0, 9, 0});
        cab_world *a = native_world(with), *b = native_world(without);
        must(cab_world_set_load(b, 0, up, &error), &error);
        step(a, 5);
        step(b, 5);
        /* and off again, in both */
        must(cab_world_set_load(a, 0, none, &error), &error);
        must(cab_world_set_load(b, 0, none, &error), &error);
        step(a, 5);
        step(b, 5);
        snapshot x = read_world(a), y = read_world(b);
        same_bytes(&x, &y, "a force set by hand");
        assert_true(x.x[20][1] > 1e-4); /* it has pulled */
        snapshot_free(&x);
        snapshot_free(&y);
        cab_world_destroy(a);
        cab_world_destroy(b);
        cab_scene_destroy(with);
        cab_scene_destroy(without);
    }
}

/* A state tells which forces were set: one from before gives the keyframes back. */
static void a_state_knows_what_was_set(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int k = 0; k < 2; k++) {
        cab_error error = {0};
        cab_scene *scene = pulled(methods[k], 8);
        cab_world *whole = native_world(scene), *other = native_world(scene);
        void *before, *after;
        size_t size, after_size;
        must(cab_world_pack(whole, &before, &size, &error), &error);
        step(whole, 10);
        must(cab_world_set_load(whole, 3, (cab_vec3){0, 0.5, 0}, &error), &error);
        step(whole, 5);
        must(cab_world_pack(whole, &after, &after_size, &error), &error);
        step(whole, 5);
        must(cab_world_unpack(other, after, after_size, &error), &error);
        step(other, 5);
        same_motion(whole, other, "with the force");
        cab_world_destroy(other);
        must(cab_world_unpack(whole, before, size, &error), &error);
        other = native_world(scene);
        step(whole, 20);
        step(other, 20);
        same_motion(whole, other, "with keyframes again");
        free(before);
        free(after);
        cab_world_destroy(whole);
        cab_world_destroy(other);
        cab_scene_destroy(scene);
    }
}

static void forces_that_cannot_be_set(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = hanging(CAB_METHOD_XPBD, CAB_WAY_FUSED, (cab_vec3){0, 0, 0});
    cab_world *world = native_world(scene);
    must_fail(cab_world_set_load(world, 0, (cab_vec3){0, 0, 1}, &error), CAB_ERROR_INPUT, &error, "fused");
    cab_world_destroy(world);
    cab_scene_settings(scene)->way = CAB_WAY_AUTO;
    world = native_world(scene);
    must_fail(cab_world_set_load(world, 2, (cab_vec3){0, 0, 1}, &error), CAB_ERROR_INPUT, &error,
              "/loads/2: the scene has 2 loads");
    must_fail(cab_world_set_load(world, -1, (cab_vec3){0, 0, 1}, &error), CAB_ERROR_INPUT, &error,
              "/loads/-1");
    must_fail(cab_world_set_load(world, 0, (cab_vec3){0, NAN, 1}, &error), CAB_ERROR_INPUT, &error, "finite");
    step(world, 1);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_the_integral_of_the_force),
        cmocka_unit_test(a_growing_force_breaks),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_force_that_is_set_is_the_scenes),
        cmocka_unit_test(a_state_knows_what_was_set),
        cmocka_unit_test(forces_that_cannot_be_set),
    };
    return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
