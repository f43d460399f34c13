/* Sleep: what rests is left alone, to the last bit; whatever should wake it does; off unless asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "geometry.h"
#include "state.h"
#include "world/world.h"

#define RADIUS 0.005
#define STICKS 12
#define SETTLED 120 /* frames: the stack is still after half a second, and 1 s later asleep */

static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};

/* Four layers of three sticks across one another on a floor, just touching. */
static cab_scene *stack_scene(cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.sleep = true;
    settings->method = method;
    cab_material_def wire = wire_of("wire", RADIUS, 1e-3);
    wire.damping = 5;
    wire.friction = 0.5;
    add_material(scene, wire);
    for (int k = 0; k < 4; k++) {
        bool across = k & 1;
        double z = RADIUS * (2 * k + 1);
        cab_vec3 ends[2] = {across ? (cab_vec3){0, -0.05, z} : (cab_vec3){-0.05, 0, z},
                            across ? (cab_vec3){0, 0.11, z} : (cab_vec3){0.11, 0, z}};
        char name[16];
        snprintf(name, sizeof name, "layer%d", k);
        cab_cable_def cable = straight_of(name, "wire", ends, 8);
        cable.copies[across ? 0 : 1] = STICKS / 4;
        cable.spacing[across ? 0 : 1] = 0.03;
        add_cable(scene, cable);
    }
    add_floor(scene, 0);
    return scene;
}

/* Comes down on the stack after `seconds`: thrown up, or it would have to start very high. Its own material:
 * no damping, so that it arrives when it should. */
static void throw_on_stack(cab_scene *scene, double seconds)
{
    double up = 0.5 * 9.81 * seconds;
    add_material(scene, wire_of("thrown", RADIUS, 1e-3));
    cab_cable_def cable =
        straight_of("thrown", "thrown", (cab_vec3[2]){{-0.02, -0.03, 0.06}, {0.08, 0.07, 0.06}}, 8);
    cable.velocity = (cab_vec3){0, 0, up};
    add_cable(scene, cable);
}

static void nothing_sleeps_unless_asked(void **state)
{
    (void)state;
    assert_false(cab_settings_default().contact.sleep);
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = stack_scene(methods[m]);
        cab_scene_settings(scene)->contact.sleep = false;
        cab_world *world = native_world(scene);
        step(world, SETTLED);
        assert_int_equal(measure(world).asleep, 0);
        assert_true(measure(world).speed_max > 0);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* Until something is at rest it makes no difference that it may sleep. */
static void waking_runs_are_the_same(void **state)
{
    (void)state;
    for (int m = 0; m < COUNT_OF(methods); m++) {
        snapshot end[2];
        for (int sleep = 0; sleep < 2; sleep++) {
            cab_scene *scene = stack_scene(methods[m]);
            cab_scene_settings(scene)->contact.sleep = sleep;
            cab_world *world = native_world(scene);
            step(world, 40); /* less than the second that it must be quiet */
            end[sleep] = read_world(world);
            cab_world_destroy(world);
            cab_scene_destroy(scene);
        }
        same_bytes(&end[0], &end[1], "awake");
        snapshot_free(&end[0]);
        snapshot_free(&end[1]);
    }
}

static void a_stack_sleeps_and_stays(void **state)
{
    (void)state;
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = stack_scene(methods[m]);
        cab_world *world = native_world(scene);
        step(world, SETTLED);
        snapshot before = read_world(world);
        cab_measures asleep = measure(world);
        assert_int_equal(asleep.asleep, STICKS);
        for (int i = 0; i < before.nodes; i++)
            assert_true(before.v[i][0] == 0 && before.v[i][1] == 0 && before.v[i][2] == 0);
        step(world, 60);
        snapshot after = read_world(world);
        same_bytes(&before, &after, "asleep");
        /* what is not listed any more still counts */
        cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
        near_to(measure(world).penetration_max, deepest_overlap(world, (touchables){true, false, &floor, 1}),
                1e-6); /* floats */
        assert_int_equal(measure(world).contacts, asleep.contacts);
        at_least(asleep.contacts, 3 * 9); /* each stick with three of the next layer */
        at_most(asleep.penetration_max, 0.05 * RADIUS);
        snapshot_free(&before);
        snapshot_free(&after);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* The stack sleeps until the frame in which the thrown cable comes near; then all of it takes up the blow,
 * and as much of it as a stack that never slept. */
static void a_blow_wakes_a_stack(void **state)
{
    (void)state;
    if (getenv("CLCABLE_SANITIZED")) skip(); /* others run all its lines (docs/tests.md) */
    for (int m = 0; m < COUNT_OF(methods); m++) {
        double spread[2] = {0, 0};
        for (int sleep = 0; sleep < 2; sleep++) {
            cab_scene *scene = stack_scene(methods[m]);
            cab_scene_settings(scene)->contact.sleep = sleep;
            throw_on_stack(scene, 2.5);
            cab_world *world = native_world(scene);
            double first = measure(world).kinetic, worst = 0;
            step(world, SETTLED);
            assert_int_equal(measure(world).asleep, sleep ? STICKS : 0);
            for (int i = 0; i < 45; i++) { /* it arrives in the thirtieth */
                step(world, 1);
                worst = fmax(worst, measure(world).kinetic);
            }
            assert_int_equal(measure(world).asleep, 0);
            at_most(worst,
                    1.001 * first); /* what it was thrown with, rounding and order of time integration */
            at_most(measure(world).penetration_worst, RADIUS);
            snapshot s = read_world(world);
            cab_cable_info thrown = cab_world_get_cable(world, STICKS);
            for (int i = 0; i < thrown.first_node; i++)
                spread[sleep] += s.x[i][0] * s.x[i][0] + s.x[i][1] * s.x[i][1];
            snapshot_free(&s);
            cab_world_destroy(world);
            cab_scene_destroy(scene);
        }
        /* a blow at 12 m/s is chaotic: only how far the stack is thrown apart can be compared, to a third */
        near_to(sqrt(spread[1] / spread[0]), 1, 0.33);
    }
}

/* One cable lies across another that is held at both ends. */
static cab_scene *bridge_scene(cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.sleep = true;
    settings->method = method;
    cab_material_def wire = wire_of("wire", RADIUS, 1e-3);
    wire.damping = 5;
    add_material(scene, wire);
    for (int i = 0; i < 2; i++) {
        char name[8];
        snprintf(name, sizeof name, "bar%d", i);
        add_straight(scene, name, (cab_vec3){0.1 * i, -0.1, 0}, (cab_vec3){0.1 * i, 0.1, 0}, 8);
        hold(scene, name, (cab_place){0}, false);
        hold(scene, name, at_end(), false);
    }
    add_straight(scene, "on", (cab_vec3){-0.05, 0.006, 2 * RADIUS}, (cab_vec3){0.15, 0.006, 2 * RADIUS}, 9);
    add_straight(scene, "far", (cab_vec3){2, 0, 0}, (cab_vec3){2.1, 0, 0}, 5);
    hold(scene, "far", (cab_place){0}, false);
    hold(scene, "far", at_end(), false);
    return scene;
}

static double height_of(cab_world *world, int cable)
{
    snapshot s = read_world(world);
    cab_cable_info info = cab_world_get_cable(world, cable);
    double sum = 0;
    for (int i = info.first_node; i < info.first_node + info.node_count; i++)
        sum += s.x[i][2] / info.node_count;
    snapshot_free(&s);
    return sum;
}

static cab_world *sleeping_bridge(cab_method method)
{
    cab_scene *scene = bridge_scene(method);
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    step(world, 180);
    assert_int_equal(measure(world).asleep, 4);
    return world;
}

/* A support that is drawn away: what lies on it falls from the first frame on, what is far sleeps on. */
static void a_support_that_goes_wakes_what_lies_on_it(void **state)
{
    (void)state;
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_world *world = sleeping_bridge(methods[m]);
        cab_error error = {0};
        double before = height_of(world, 2);
        for (int end = 0; end < 2; end++) /* downwards faster than anything falls */
            must(cab_world_set_target(world, end, (cab_vec3){0, end ? 0.1 : -0.1, -1}, &error), &error);
        step(world, 1);
        assert_int_equal(measure(world).asleep, 1);
        step(world, 5);
        /* about the other bar it turns: its middle falls by more than half of g t^2 / 2 in 0.1 s, 25 of 49 mm
         */
        at_least(before - height_of(world, 2), 0.012);
        cab_world_destroy(world);
    }
}

/* A target that is set to where it is changes nothing; gravity and materials wake all. */
static void changes_wake_everything(void **state)
{
    (void)state;
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_world *world = sleeping_bridge(methods[m]);
        cab_error error = {0};
        must(cab_world_set_target(world, 0, (cab_vec3){0, -0.1, 0}, &error), &error);
        step(world, 1);
        assert_int_equal(measure(world).asleep, 4);
        must(cab_world_set_gravity(world, (cab_vec3){0, 0, 9.81}, &error), &error);
        double before = height_of(world, 2);
        step(world, 6);
        assert_int_equal(measure(world).asleep, 0);
        /* free, upwards: g t^2 / 2, less a quarter for damping of 5 1/s over 0.1 s */
        at_least(height_of(world, 2) - before, 0.75 * 0.5 * 9.81 * 0.01);
        cab_world_destroy(world);
        world = sleeping_bridge(methods[m]);
        cab_material_def wire = wire_of("wire", RADIUS, 2e-3);
        wire.damping = 5;
        must(cab_world_set_material(world, &wire, &error), &error);
        step(world, 1);
        assert_int_equal(measure(world).asleep, 0);
        step(world, 120);
        assert_int_equal(measure(world).asleep, 4);
        cab_world_destroy(world);
    }
}

/* What holds a sleeping cable pulls on: its tension stays, and so does what it holds by a joint that can
 * break. */
static void tensions_stay(void **state)
{
    (void)state;
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = scene_of(20);
        cab_settings *settings = cab_scene_settings(scene);
        settings->contact.sleep = true;
        settings->method = methods[m];
        add_material(scene, wire_of("wire", RADIUS, 0));
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -0.5}, 10);
        add_straight(scene, "b", (cab_vec3){0, 0, -0.5}, (cab_vec3){0, 0, -0.8}, 6);
        cab_attachment_def top = held_at("a", (cab_place){0}),
                           joint = joined("b", (cab_place){0}, "a", at_end());
        top.break_force = 0.8 * 0.05 * 9.81 * 2; /* XPBD's lengths bounce by a quarter at the start */
        joint.break_force = 0.3 * 0.05 * 9.81 * 2;
        add_attachment(scene, top);
        add_attachment(scene, joint);
        cab_world *world = native_world(scene);
        step(world, 120);
        assert_int_equal(measure(world).asleep, 2);
        cab_error error = {0};
        double tension[18];
        must(cab_world_read(world, NULL, NULL, tension, &error), &error);
        near_to(tension[0], 0.775 * 0.05 * 9.81, 0.01 * 0.4); /* all but the half segment at the top; 1 % */
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 0);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void other_methods_refuse(void **state)
{
    (void)state;
    cab_scene *scene = stack_scene(CAB_METHOD_PBD);
    cab_error error = {0};
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_UNSUPPORTED, &error,
              "/contact/sleep: the method \"pbd\" knows no sleep");
    cab_scene_destroy(scene);
}

static cab_scene *struck_stack(const void *method)
{
    cab_scene *scene = stack_scene(*(const cab_method *)method);
    throw_on_stack(scene, 2.5);
    return scene;
}

static bool any_asleep(const cab_world *world)
{
    return world->sleep.asleep > 0;
}

/* Awake, falling asleep, asleep and struck: the state of each frame goes on as the run does, on one thread, and on OpenCL. */
static void states_tell_who_sleeps(void **state)
{
    (void)state;
    for (int m = 0; m < COUNT_OF(methods); m++) {
        flag_count count = same_everywhere(struck_stack, &methods[m], 155, any_asleep);
        assert_int_equal(count.changes, 2);
        at_least(count.set, 20);
    }
}

/* A new world sleeps on, and wakes when it is struck. */
static void a_new_world_sleeps_on(void **state)
{
    (void)state;
    if (getenv("CLCABLE_SANITIZED")) skip(); /* others run all its lines (docs/tests.md) */
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = struck_stack(&methods[m]);
        cab_world *world = native_world(scene), *again = native_world(scene);
        step(world, SETTLED);
        bytes saved = pack(world);
        unpack(again, saved);
        assert_int_equal(measure(again).asleep, STICKS);
        step(world, 40);
        step(again, 40);
        assert_int_equal(measure(again).asleep, 0);
        same_worlds(world, again, "a new world");
        free(saved.data);
        cab_world_destroy(world);
        cab_world_destroy(again);
        cab_scene_destroy(scene);
    }
}

static void fast_ways_refuse(void **state)
{
    (void)state;
    static const cab_way ways[] = {CAB_WAY_FUSED, CAB_WAY_LANES};
    for (int i = 0; i < COUNT_OF(ways); i++) {
        cab_scene *scene = scene_of(4);
        cab_settings *settings = cab_scene_settings(scene);
        settings->contact.sleep = true;
        settings->way = ways[i];
        settings->method = ways[i] == CAB_WAY_FUSED ? CAB_METHOD_XPBD : CAB_METHOD_DIRECT;
        add_material(scene, wire_of("wire", RADIUS, 0));
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, 4);
        cab_world *world = NULL;
        cab_world_def def = cab_world_default();
        cab_error error = {0};
        def.device = "native";
        must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error,
                  "cannot be had: cables may sleep");
        settings->way = CAB_WAY_AUTO;
        world = native_world(scene);
        cab_way way = cab_world_get_info(world).way;
        assert_true(way == CAB_WAY_COLOURED || way == CAB_WAY_STAGED);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* To sleep, hit, thrown apart: all of it is the same on any device, with any number of threads. */
static snapshot run_story(cab_method method, const char *device, int threads)
{
    cab_scene *scene = stack_scene(method);
    throw_on_stack(scene, 2.5);
    cab_world *world = world_on(scene, device, threads);
    step(world, SETTLED);
    assert_int_equal(measure(world).asleep, STICKS);
    step(world, 45);
    assert_int_equal(measure(world).asleep, 0);
    snapshot end = read_world(world);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return end;
}

static void devices_agree(void **state)
{
    (void)state;
    cab_device_info devices[16];
    int count = cab_devices(devices, COUNT_OF(devices));
    for (int m = 0; m < COUNT_OF(methods); m++) {
        snapshot one = run_story(methods[m], "native", 1), other = run_story(methods[m], "native", 3);
        same_bytes(&one, &other, "three threads");
        snapshot_free(&other);
        for (int d = 0; d < count && d < COUNT_OF(devices); d++) {
            if (!strstr(devices[d].platform, "Portable Computing Language")) continue;
            other = run_story(methods[m], devices[d].id, 0);
            same_bytes(&one, &other, devices[d].id);
            snapshot_free(&other);
        }
        snapshot_free(&one);
    }
}

/* With an argument: what runs on every device, which takes most of the time. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_sleeps_unless_asked),
        cmocka_unit_test(waking_runs_are_the_same),
        cmocka_unit_test(a_stack_sleeps_and_stays),
        cmocka_unit_test(a_blow_wakes_a_stack),
        cmocka_unit_test(a_support_that_goes_wakes_what_lies_on_it),
        cmocka_unit_test(changes_wake_everything),
        cmocka_unit_test(tensions_stay),
        cmocka_unit_test(fast_ways_refuse),
        cmocka_unit_test(other_methods_refuse),
        cmocka_unit_test(a_new_world_sleeps_on),
    };
    const struct CMUnitTest on_devices[] = {
        cmocka_unit_test(states_tell_who_sleeps),
        cmocka_unit_test(devices_agree),
    };
    (void)argv;
    if (argc > 1) return cmocka_run_group_tests_name("sleep on devices", on_devices, NULL, NULL);
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
