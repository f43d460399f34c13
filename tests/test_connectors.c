/* Connectors: they weigh, are led by a hand, latch, hold and come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define G 9.81
#define MASS 0.05 /* kg */

static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};

static cab_scene *plain_scene(cab_method method, int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->way = method == CAB_METHOD_XPBD ? CAB_WAY_COLOURED : CAB_WAY_STAGED;
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    wire.damping = 3;
    add_material(scene, wire);
    return scene;
}

static cab_attachment_def plug(cab_vec3 mate, cab_vec3 direction)
{
    cab_attachment_def def = cab_connector_default();
    def.cable = "a";
    def.at = at_end();
    def.to = CAB_TARGET_POINT;
    def.point = mate;
    def.direction = direction;
    def.mass = MASS;
    return def;
}

/* The event of this kind; NULL = there is none. */
static const cab_event *find_event(const cab_world *world, cab_event_kind kind)
{
    static cab_event events[16];
    int count = cab_world_get_events(world, events, COUNT_OF(events));
    for (int i = 0; i < count; i++) {
        if (events[i].kind == kind) return &events[i];
    }
    return NULL;
}

/* Its mass draws out the spring that the cable hangs on. */
static void it_weighs(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cab_scene *scene = plain_scene(methods[i & 1], i & 2 ? 60 : 30);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.8}, i & 2 ? 16 : 8);
        cab_attachment_def spring = held_at("a", (cab_place){0});
        spring.compliance = 5e-3;
        add_attachment(scene, spring);
        add_attachment(scene, plug((cab_vec3){3, 0, 0}, (cab_vec3){1, 0, 0}));
        cab_world *world = native_world(scene);
        double place[3], weight = (MASS + 0.05 * 0.2) * G;
        step(world, 300);
        node_place(world, 0, place);
        near_to(1 - place[2], spring.compliance * weight, 5e-3 * spring.compliance * weight);
        cab_attachment_info infos[2];
        assert_int_equal(cab_world_get_attachments(world, infos, 2), 2);
        assert_true(infos[1].free && !infos[1].mated);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

static const cab_keyframe insertion[] = {{0, {0.3, 0, 0.5}}, {0.5, {0.4, 0.002, 0.5}}};

/* Mated where it is drawn it may keep the direction: the cable is a cantilever, as if clamped hard. */
static void one_that_is_home_may_clamp(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        double tip[2][3];
        for (int soft = 0; soft < 2; soft++) {
            cab_scene *scene = plain_scene(methods[i & 1], i & 2 ? 60 : 30);
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.1, 0, 1}, i & 2 ? 16 : 8);
            cab_attachment_def def =
                soft ? plug((cab_vec3){0, 0, 0}, (cab_vec3){-1, 0, 0}) : held_at("a", (cab_place){0});
            def.at = (cab_place){0};
            def.to = CAB_TARGET_HERE;
            def.clamp = true;
            add_attachment(scene, def);
            cab_world *world = native_world(scene);
            step(world, 300);
            node_place(world, i & 2 ? 16 : 8, tip[soft]);
            cab_scene_destroy(scene);
            cab_world_destroy(world);
        }
        /* its spring gives by its weight times 1e-6 m/N, a micrometre; a free end would hang 0.1 m lower */
        near_to(tip[1][2], tip[0][2], 1e-5);
        assert_true(tip[0][2] > 0.9 + 0.01);
    }
}

/* Led along x to a socket at 0.42 with its mouth at 0.39: the hand is in at t = 0.45 s, and home it goes. */
static void a_hand_plugs_it_in(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool near = i & 2;
        cab_scene *scene = plain_scene(methods[i & 1], near ? 60 : 30);
        add_straight(scene, "a", (cab_vec3){0, 0, 0.5}, (cab_vec3){0.3, 0, 0.5}, near ? 24 : 12);
        hold(scene, "a", (cab_place){0}, false);
        cab_attachment_def def = plug((cab_vec3){0.42, 0, 0.5}, (cab_vec3){2, 0, 0});
        def.insertion_depth = 0.03;
        def.capture_radius = near ? 0.005 : 0.001; /* the hand is 1.8 mm off the axis there */
        def.hand_keyframes = insertion;
        def.hand_keyframe_count = COUNT_OF(insertion);
        add_attachment(scene, def);
        cab_material_def wire = wire_of("wire", 0.003, 1e-4);
        wire.stretching_stiffness = 5; /* so that it can be drawn out */
        wire.damping = 3;
        cab_error error = {0};
        cab_world *world = native_world(scene);
        must(cab_world_set_material(world, &wire, &error), &error);
        step(world, 60);
        const cab_event *mated = find_event(world, CAB_EVENT_MATED);
        double place[3];
        node_place(world, near ? 24 : 12, place);
        if (near) {
            assert_non_null(mated);
            near_to(mated->time, 0.45, 0.018); /* the end of the frame in which it came in */
            assert_int_equal(mated->attachment, 1);
            near_to(place[0], 0.42, 1e-4); /* a spring of 1e6 N/m, pulled by newtons */
            near_to(place[1], 0, 1e-4);
        } else {
            assert_null(mated);
            near_to(place[0], 0.4, 1e-4);
            near_to(place[1], 0.002, 1e-4);
        }
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* Mated from the start, as drawn; pulled by the other end's force along the way in. */
static void it_comes_out_beyond_its_pull_out_force(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double limit = 4;
        bool fine = i & 2;
        cab_scene *scene = plain_scene(methods[i & 1], fine ? 60 : 30);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        add_straight(scene, "a", (cab_vec3){0, 0, 0.5}, (cab_vec3){0.3, 0, 0.5}, fine ? 24 : 12);
        cab_attachment_def def = plug((cab_vec3){0.3, 0, 0.5}, (cab_vec3){1, 0, 0});
        def.break_force = limit;
        add_attachment(scene, def);
        const cab_keyframe frames[] = {{0, {0, 0, 0}}, {1, {-1.25 * limit, 0, 0}}};
        cab_load_def load = load_at("a", (cab_place){0});
        load.force_keyframes = frames;
        load.force_keyframe_count = COUNT_OF(frames);
        add_load(scene, load);
        cab_world *world = native_world(scene);
        step(world, 46);
        assert_null(find_event(world, CAB_EVENT_BROKE));
        step(world, 14);
        const cab_event *out = find_event(world, CAB_EVENT_BROKE);
        assert_non_null(out);
        near_to(out->time, 0.8, 0.04); /* two frames: a mean, and the cable swings a little */
        near_to(out->force, limit, 0.06 * limit);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* Nobody leads it: it falls past the mouth and is caught, by a socket that rides along with a box. */
static void it_latches_by_itself(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cab_scene *scene = plain_scene(methods[i & 1], i & 2 ? 60 : 30);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.8}, i & 2 ? 16 : 8);
        const cab_pose_keyframe frames[] = {{0.5, {{0, 0, 0}, {1, 0, 0, 0}}},
                                            {1, {{0.2, 0, 0}, {1, 0, 0, 0}}}};
        cab_collider_def box = cab_collider_default();
        box.name = "box";
        box.shape = CAB_SHAPE_BOX;
        box.center = (cab_vec3){0, 0, -1};
        box.half_extents = (cab_vec3){0.02, 0.02, 0.02};
        box.keyframes = frames;
        box.keyframe_count = COUNT_OF(frames);
        cab_error error = {0};
        must(cab_scene_add_collider(scene, &box, &error), &error);
        cab_attachment_def def = plug((cab_vec3){0.001, 0, 0.6}, (cab_vec3){0, 0, -1});
        def.to = CAB_TARGET_COLLIDER;
        def.at_point = true;
        def.target = "box";
        def.insertion_depth = 0.1; /* it falls 34 mm a frame there */
        add_attachment(scene, def);
        cab_world *world = native_world(scene);
        step(world, 20);
        const cab_event *mated = find_event(world, CAB_EVENT_MATED);
        assert_non_null(mated);
        /* 0.1 m with damping c = 3/s: g/c (t - (1 - exp(-ct))/c), at t = 0.1538 s; at the end of that frame
         */
        near_to(mated->time, 10.0 / 60, 1e-9);
        step(world, 70);
        double place[3];
        node_place(world, i & 2 ? 16 : 8, place);
        near_to(place[0], 0.201,
                1e-3); /* the cable stands on it and topples: newtons on 1e6 N/m, and swings */
        near_to(place[2], 0.6, 1e-3);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* One led and plugged in, one that is mated and comes out, one that latches by itself, on a cable with a
 * joint.
 */
static cab_scene *everything(cab_method method)
{
    cab_scene *scene = plain_scene(method, 12);
    add_straight(scene, "a", (cab_vec3){0, 0, 0.5}, (cab_vec3){0.3, 0, 0.5}, 12);
    add_straight(scene, "b", (cab_vec3){0.15, 0, 0.5}, (cab_vec3){0.15, 0.2, 0.5}, 8);
    add_straight(scene, "c", (cab_vec3){1, 0, 0.5}, (cab_vec3){1, 0, 0.4}, 5);
    join(scene, "b", (cab_place){0}, "a", at_particle(6));
    cab_attachment_def def = plug((cab_vec3){0.31, 0.01, 0.5}, (cab_vec3){1, 0, 0});
    const cab_keyframe frames[] = {{0, {0.3, 0, 0.5}}, {0.2, {0.28, 0, 0.52}}, {0.3, {0.307, 0.01, 0.5}}};
    def.hand_keyframes = frames;
    def.hand_keyframe_count = COUNT_OF(frames);
    def.clamp = true;
    def.break_force = 1e4;
    add_attachment(scene, def);
    def = plug((cab_vec3){0, 0, 0.5}, (cab_vec3){-1, 0, 0});
    def.at = (cab_place){0};
    def.break_force = 1.2;
    add_attachment(scene, def);
    def = plug((cab_vec3){1, 0, 0.2}, (cab_vec3){0, 0, -1});
    def.cable = "c";
    def.insertion_depth = 0.06;
    add_attachment(scene, def);
    return scene;
}

/* Without what a world thinks of its run: it judges anew where it goes on. */
static int events_of(const cab_world *world)
{
    cab_event events[64];
    int count = cab_world_get_events(world, events, 64), told = 0;
    assert_in_range(count, 0, 64);
    for (int i = 0; i < count; i++) told += events[i].kind != CAB_EVENT_WARNING;
    return told;
}

static void devices_agree_and_states_resume(void **state)
{
    (void)state;
    char pocl[32];
    bool other = find_device(POCL, pocl);
    for (int i = 0; i < 4; i++) {
        cab_error error = {0};
        cab_scene *scene = everything(methods[i & 1]);
        cab_world *world = native_world(scene), *rest = world_on(scene, other ? pocl : "native", 2);
        int first = i & 2 ? 21 : 12; /* after, and before, the first has latched */
        step(world, first);
        void *data;
        size_t size;
        must(cab_world_pack(world, &data, &size, &error), &error);
        step(rest, first);
        same_motion(world, rest, "from the start");
        step(world, 24);
        assert_non_null(find_event(world, CAB_EVENT_MATED));
        int events = events_of(world);
        cab_world_destroy(rest);
        rest = world_on(scene, other ? pocl : "native", 2);
        must(cab_world_unpack(rest, data, size, &error), &error);
        step(rest, 24);
        same_motion(world, rest, "resumed");
        assert_int_equal(events_of(rest), events);
        free(data);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
        cab_world_destroy(rest);
    }
    if (!other) skip();
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 10);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.2, 0, 1}, 4);
    cab_attachment_def def = plug((cab_vec3){0, 0, 0}, (cab_vec3){0, 0, 0});
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/connectors/0/direction: expected a vector other than zero");
    def = plug((cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0});
    def.at = at_particle(2);
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error, "/connectors/0/at");
    def.at = at_end();
    def.clamp = true; /* it would keep the direction of a free end */
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error, "/connectors/0/clamp");
    def.clamp = false;
    def.break_force = -1;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/connectors/0/pull_out_force");
    def.break_force = INFINITY;
    def.mass = -1;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error, "/connectors/0/mass");
    def.mass = 0;
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = insertion;
    def.keyframe_count = 2;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error, "/connectors/0/to");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_weighs),
        cmocka_unit_test(a_hand_plugs_it_in),
        cmocka_unit_test(one_that_is_home_may_clamp),
        cmocka_unit_test(it_comes_out_beyond_its_pull_out_force),
        cmocka_unit_test(it_latches_by_itself),
        cmocka_unit_test(devices_agree_and_states_resume),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
