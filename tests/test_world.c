/* The library: worlds side by side, changes on the way, wrong arguments, what a world tells of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

/* One cable held at its start, level, `copies` of it along y. */
static cab_scene *hung_scene(int segments, int copies, double bending_stiffness)
{
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.003, bending_stiffness));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.5, 0, 1}}, segments);
    cable.copies[1] = copies;
    cable.spacing[1] = 0.1;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* A cable that falls on a floor. */
static cab_scene *falling_scene(void)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->contact.self = true;
    add_material(scene, wire_of("wire", 0.005, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, 0.03}, (cab_vec3){0.3, 0.1, 0.05}, 15);
    add_floor(scene, 0);
    return scene;
}

static const char *a_device(char id[32])
{
    if (!find_device("", id)) snprintf(id, 32, "native");
    return id;
}

/* ---- several worlds ---- */

static snapshot alone(cab_scene *scene, const char *device, int frames)
{
    return snapshot_after(world_on(scene, device, 2), frames);
}

static void worlds_do_not_know_each_other(void **state)
{
    (void)state;
    char id[32];
    const char *devices[] = {"native", a_device(id)};
    cab_scene *scenes[] = {hung_scene(20, 2, 1e-4), falling_scene()};
    cab_world *worlds[4];
    for (int i = 0; i < 4; i++) worlds[i] = world_on(scenes[i / 2], devices[i % 2], 2);
    for (int frame = 0; frame < 12; frame++) {
        for (int i = 0; i < 4; i++) step(worlds[i], 1);
    }
    for (int i = 0; i < 4; i++) {
        snapshot together = read_world(worlds[i]), by_itself = alone(scenes[i / 2], devices[i % 2], 12);
        same_bytes(&together, &by_itself, devices[i % 2]);
        snapshot_free(&together);
        snapshot_free(&by_itself);
        cab_world_destroy(worlds[i]);
    }
    cab_scene_destroy(scenes[0]);
    cab_scene_destroy(scenes[1]);
}

static void frames_one_by_one_or_at_once(void **state)
{
    (void)state;
    cab_scene *scene = falling_scene();
    cab_world *world = native_world(scene);
    for (int i = 0; i < 10; i++) step(world, 1);
    snapshot one_by_one = read_world(world), at_once = alone(scene, "native", 10);
    same_bytes(&one_by_one, &at_once, "ten frames");
    assert_int_equal(cab_world_get_info(world).frame, 10);
    near_to(cab_world_get_info(world).time, 10 / 60.0, 1e-12);
    step(world, 0);
    assert_int_equal(cab_world_get_info(world).frame, 10);
    snapshot_free(&one_by_one);
    snapshot_free(&at_once);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void a_world_outlives_its_scene(void **state)
{
    (void)state;
    cab_scene *scene = falling_scene();
    cab_world *world = native_world(scene);
    snapshot expected = alone(scene, "native", 5);
    cab_scene_settings(scene)->gravity.z = 5;
    cab_scene_destroy(scene);
    step(world, 5);
    snapshot s = read_world(world);
    same_bytes(&s, &expected, "without its scene");
    snapshot_free(&s);
    snapshot_free(&expected);
    cab_world_destroy(world);
    cab_world_destroy(NULL);
}

/* ---- changes ---- */

/* At the end of a frame in which a held particle moves evenly by `way`, its velocity is way * 60; a jump in
 * the first substep would leave it at 0. */
static void check_target(cab_way way, const char *device)
{
    cab_error error = {0};
    cab_scene *scene = hung_scene(12, 2, 1e-4);
    cab_scene_settings(scene)->way = way;
    cab_world *world = world_on(scene, device, 2);
    step(world, 3);
    must(cab_world_set_target(world, 0, (cab_vec3){0.03, -0.01, 1.02}, &error), &error);
    step(world, 1);
    snapshot s = read_world(world);
    const double expected[2][3] = {{0.03, -0.01, 1.02}, {0.03, 0.09, 1.02}};
    const double speed[3] = {1.8, -0.6, 1.2};
    for (int copy = 0; copy < 2; copy++) {
        at_most(distance3(s.x[13 * copy], expected[copy]), 1e-9); /* a step of 3 mm, rounded */
        at_most(distance3(s.v[13 * copy], speed), 1e-3);          /* a substep of 3 mm, rounded at 1 m */
    }
    snapshot_free(&s);
    step(world, 2);
    s = read_world(world);
    for (int copy = 0; copy < 2; copy++) {
        at_most(distance3(s.x[13 * copy], expected[copy]), 1e-12);
        at_most(distance3(s.v[13 * copy], (double[3]){0}), 0);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void a_target_moves_evenly_over_a_frame(void **state)
{
    (void)state;
    char id[32];
    check_target(CAB_WAY_COLOURED, "native");
    check_target(CAB_WAY_FUSED, "native");
    check_target(CAB_WAY_AUTO, a_device(id));
}

static void targets_take_over_from_keyframes(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = hung_scene(12, 1, 0);
    cab_attachment_def def = held_at("a", at_end());
    const cab_keyframe frames[] = {{0, {0.5, 0, 1}}, {1, {0.5, 0.6, 1}}};
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = frames;
    def.keyframe_count = 2;
    add_attachment(scene, def);
    cab_world *world = native_world(scene);
    double place[3];
    step(world, 30);
    node_place(world, 12, place);
    near_to(place[1], 0.3, 1e-9);
    must(cab_world_set_target(world, 1, (cab_vec3){0.5, 0.31, 0.99}, &error), &error);
    step(world, 5);
    node_place(world, 12, place);
    at_most(distance3(place, (double[3]){0.5, 0.31, 0.99}), 1e-9);
    must_fail(cab_world_set_target(world, 2, (cab_vec3){0, 0, 0}, &error), CAB_ERROR_INPUT, &error,
              "/attachments/2");
    must_fail(cab_world_set_target(world, -1, (cab_vec3){0, 0, 0}, &error), CAB_ERROR_INPUT, &error,
              "/attachments/-1");
    must_fail(cab_world_set_target(world, 0, (cab_vec3){0, NAN, 0}, &error), CAB_ERROR_INPUT, &error,
              "finite");
    step(world, 1);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void gravity_can_change(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.2, 0, 1}, 4);
    for (int way = CAB_WAY_COLOURED; way <= CAB_WAY_FUSED; way++) {
        cab_scene_settings(scene)->way = (cab_way)way;
        cab_world *world = native_world(scene);
        must(cab_world_set_gravity(world, (cab_vec3){0, 3, 0}, &error), &error);
        step(world, 60);
        snapshot s = read_world(world);
        /* semi-implicit Euler: g t (t + h) / 2 */
        near_to(s.x[2][1], 1.5 * (1 + 1 / 600.0), 3e-5); /* 600 roundings of 6e-8 each */
        near_to(s.x[2][2], 1, 1e-6);
        near_to(s.v[2][1], 3, 1e-4);
        snapshot_free(&s);
        must_fail(cab_world_set_gravity(world, (cab_vec3){0, 0, INFINITY}, &error), CAB_ERROR_INPUT, &error,
                  "gravity");
        cab_world_destroy(world);
    }
    cab_scene_destroy(scene);
}

static double tension_at_top(cab_world *world)
{
    snapshot s = read_world(world);
    double tension = s.tension[0];
    snapshot_free(&s);
    return tension;
}

static void a_material_can_change(void **state)
{
    (void)state;
    cab_error error = {0};
    for (int way = CAB_WAY_COLOURED; way <= CAB_WAY_FUSED; way++) {
        cab_scene *scene = scene_of(20);
        cab_scene_settings(scene)->way = (cab_way)way;
        cab_material_def wire = wire_of("wire", 0.003, 0);
        wire.damping = 20;
        add_material(scene, wire);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.5}, 4);
        hold(scene, "a", (cab_place){0}, false);
        cab_world *world = native_world(scene);
        step(world, 120);
        /* what hangs below the middle of the first segment's upper particle: 7/8 of the cable */
        double weight = 0.05 * 0.5 * 7 / 8 * 9.81;
        near_to(tension_at_top(world), weight, 0.01 * weight); /* one iteration leaves some */
        wire.linear_density *= 3;
        must(cab_world_set_material(world, &wire, &error), &error);
        step(world, 120);
        near_to(tension_at_top(world), 3 * weight, 0.03 * weight);
        wire.stretching_stiffness = 10; /* N; 5 % longer under 3 weights / 2 */
        must(cab_world_set_material(world, &wire, &error), &error);
        step(world, 240);
        double place[3], stretch = 0.5 * 3 * 0.05 * 0.5 * 9.81 / 2 / 10;
        node_place(world, 4, place);
        near_to(place[2], 0.5 - stretch, 0.02 * stretch);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void what_a_material_cannot_change(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = hung_scene(8, 1, 1e-4);
    cab_world *world = native_world(scene);
    cab_material_def def = wire_of("wire", 0.003, 1e-4);
    def.name = "wier";
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "wier");
    def.name = NULL;
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "material");
    def = wire_of("wire", 0.004, 1e-4);
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "radius");
    def = wire_of("wire", 0.003, 0);
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "bending");
    def = wire_of("wire", 0.003, 1e-4);
    def.rest_shape_path = true;
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "rest shape");
    def = wire_of("wire", 0.003, 1e-4);
    def.constant_volume = true;
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "volume");
    def = wire_of("wire", 0.003, 1e-4);
    def.damping = -1;
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_INPUT, &error, "damping");
    def = wire_of("wire", 0.003, 1e-4);
    def.twisting_stiffness = 1;
    must_fail(cab_world_set_material(world, &def, &error), CAB_ERROR_UNSUPPORTED, &error,
              "twisting_stiffness");
    step(world, 1);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Air drag switched on later acts, whatever way the world is run. */
static void drag_can_come_later(void **state)
{
    (void)state;
    cab_error error = {0};
    for (int way = CAB_WAY_AUTO; way <= CAB_WAY_FUSED; way++) {
        cab_scene *scene = scene_of(10);
        cab_scene_settings(scene)->way = (cab_way)way;
        add_material(scene, wire_of("wire", 0.003, 0));
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.2, 0, 1}, 4);
        cab_world *world = native_world(scene);
        cab_material_def def = wire_of("wire", 0.003, 0);
        def.air_drag = 1.1;
        cab_status status = cab_world_set_material(world, &def, &error);
        if (status == CAB_OK) {
            step(world, 600);
            /* falls steadily: m g = Cd rho r v^2 a metre of cable */
            snapshot s = read_world(world);
            near_to(-s.v[2][2], sqrt(0.05 * 9.81 / (1.1 * 1.2 * 0.003)), 0.02);
            snapshot_free(&s);
        } else { /* never ignored silently */
            must_fail(status, CAB_ERROR_INPUT, &error, "air_drag");
            assert_int_equal(way, CAB_WAY_FUSED);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- wrong arguments ---- */

static void refuse_world(const cab_scene *scene, const char *device, cab_status expected, const char *part)
{
    cab_world_def def = cab_world_default();
    cab_world *world = NULL;
    cab_error error = {0};
    def.device = device;
    must_fail(cab_world_create(scene, &def, &world, &error), expected, &error, part);
    assert_null(world);
    assert_int_equal(cab_world_create(scene, &def, &world, NULL), expected); /* the error may be NULL */
}

static void wrong_scenes_make_no_world(void **state)
{
    (void)state;
    cab_scene *scene = hung_scene(8, 1, 0);
    cab_settings *settings = cab_scene_settings(scene), good = *settings;
    refuse_world(scene, "no such device", CAB_ERROR_INPUT, "no such device");
    settings->substeps = 0;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/time/substeps");
    *settings = good;
    settings->iterations = -1;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/time/iterations");
    *settings = good;
    settings->frame_rate = NAN;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/time/frame_rate");
    *settings = good;
    settings->gravity.z = INFINITY;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/gravity");
    *settings = good;
    settings->contact.passes = 0;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "contact_passes");
    *settings = good;
    settings->relaxation.dampening = 0.1;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/method/dampening");
    *settings = good;
    settings->method = CAB_METHOD_DIRECT;
    settings->doubles.on = true;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/method/double_distance");
    *settings = good;
    settings->method = CAB_METHOD_DIRECT;
    settings->way = CAB_WAY_FUSED;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/method/way");
    *settings = good;
    settings->way = CAB_WAY_STAGED;
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/method/way");
    *settings = good;
    cab_scene_destroy(scene);
    scene = cab_scene_create();
    refuse_world(scene, "native", CAB_ERROR_INPUT, "/cables");
    cab_scene_destroy(scene);
}

static void torsion_is_refused(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(4);
    cab_material_def def = wire_of("wire", 0.003, 0);
    def.twisting_stiffness = 1e-3;
    add_material(scene, def);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, 4);
    refuse_world(scene, "native", CAB_ERROR_UNSUPPORTED, "/materials/wire/twisting_stiffness");
    cab_scene_destroy(scene);
}

/* ---- diverged ---- */

static void a_diverged_run_says_which_cable(void **state)
{
    (void)state;
    char id[32];
    const char *devices[] = {"native", a_device(id)};
    for (int i = 0; i < 2; i++) {
        cab_error error = {0};
        cab_scene *scene = hung_scene(8, 3, 0);
        cab_load_def load = load_at("a[0,1,0]", at_end());
        load.force = (cab_vec3){1e9, 0, 0};
        add_load(scene, load);
        cab_world *world = world_on(scene, devices[i], 2);
        must_fail(cab_world_step(world, 10, &error), CAB_ERROR_DIVERGED, &error, "\"a[0,1,0]\"");
        assert_non_null(strstr(error.message, "frame 1"));
        assert_int_equal(cab_world_get_info(world).frame, 1);
        assert_int_not_equal(cab_world_step(world, 1, &error), CAB_OK);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* With contact, which must survive numbers that are none. */
static void a_diverged_run_with_contact(void **state)
{
    (void)state;
    char id[32];
    const char *devices[] = {"native", a_device(id)};
    for (int i = 0; i < 2; i++) {
        cab_error error = {0};
        cab_scene *scene = falling_scene();
        add_straight(scene, "bad", (cab_vec3){0, 0.5, 0.5}, (cab_vec3){0.3, 0.5, 0.5}, 6);
        cab_load_def load = load_at("bad", at_end());
        load.force = (cab_vec3){1e9, 1e9, 1e9};
        add_load(scene, load);
        cab_world *world = world_on(scene, devices[i], 2);
        must_fail(cab_world_step(world, 10, &error), CAB_ERROR_DIVERGED, &error, "\"bad\"");
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- what a world tells ---- */

static void a_shared_particle_counts_once(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(4);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.5, 0, 1}}, 5);
    cable.copies[0] = 2;
    cable.copies[2] = 3;
    cable.spacing[0] = 1;
    cable.spacing[2] = 1;
    add_cable(scene, cable);
    cable.name = "b";
    cable.path = (const cab_vec3[2]){{0.5, 0, 1}, {0.5, 0.4, 1}};
    cable.segments = 4;
    add_cable(scene, cable);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.break_force = 100; /* keeps a spare particle, which does not count */
    add_attachment(scene, joint);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = native_world(scene);
    cab_world_info info = cab_world_get_info(world);
    assert_int_equal(info.cables, 12);
    assert_int_equal(info.nodes, 6 * 6 + 6 * 5);
    assert_int_equal(info.particles, 6 * 6 + 6 * 4);
    assert_int_equal(info.segments, 6 * 5 + 6 * 4);
    assert_int_equal(info.frame, 0);
    assert_int_equal(info.distance_colours, 2); /* trees of cables need no more */
    assert_string_equal(info.device.id, "native");
    cab_cable_info copy = cab_world_get_cable(world, 3);
    assert_string_equal(copy.name, "a[1,0,1]");
    assert_int_equal(copy.first_node, 18);
    assert_int_equal(copy.node_count, 6);
    near_to(copy.length, 0.5, 1e-12);
    near_to(copy.radius, 0.003, 1e-12);
    assert_string_equal(cab_world_get_cable(world, 6).name, "b[0,0,0]");
    snapshot s = read_world(world);
    assert_memory_equal(s.x[5], s.x[36], sizeof s.x[5]); /* listed with both */
    near_to(s.x[18][0], 1, 1e-12);
    near_to(s.x[18][2], 2, 1e-12);
    assert_true(s.tension[5] == 0);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Issue: under 200 bytes a particle without contact. */
static void devices_hold_little(void **state)
{
    (void)state;
    char id[32];
    const char *devices[] = {"native", a_device(id)};
    for (int way = CAB_WAY_COLOURED; way <= CAB_WAY_FUSED; way++) {
        cab_scene *scene = hung_scene(63, 160, 1e-4);
        cab_scene_settings(scene)->way = (cab_way)way;
        for (int i = 0; i < 2; i++) {
            cab_world *world = world_on(scene, devices[i], 2);
            step(world, 1);
            cab_world_info info = cab_world_get_info(world);
            assert_int_equal(info.way, way);
            assert_int_equal(info.particles, 10240);
            at_least((double)info.device_bytes / info.particles, 48); /* place, velocity, what is left out */
            at_most((double)info.device_bytes / info.particles, 200);
            cab_world_destroy(world);
        }
        cab_scene_destroy(scene);
    }
}

static void a_million_particles(void **state)
{
    (void)state;
    cab_scene *scene = hung_scene(99, 10000, 1e-4);
    cab_scene_settings(scene)->substeps = 1;
    cab_world *world = native_world(scene);
    cab_world_info info = cab_world_get_info(world);
    assert_int_equal(info.particles, 1000000);
    step(world, 1);
    at_most((double)cab_world_get_info(world).device_bytes / info.particles, 200);
    double last[3];
    node_place(world, 999999, last);
    near_to(last[2], 1 - 9.81 / 3600, 1e-4); /* one step of free fall */
    near_to(last[1], 999.9, 1e-4);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void stages_are_timed_when_asked(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = falling_scene();
    for (int profile = 0; profile < 2; profile++) {
        cab_world_def def = cab_world_default();
        cab_world *world;
        def.device = "native";
        def.profile = profile;
        must(cab_world_create(scene, &def, &world, &error), &error);
        step(world, 3);
        double seconds[CAB_STAGE_COUNT], sum = 0;
        cab_world_get_times(world, seconds);
        for (int i = 0; i < CAB_STAGE_COUNT; i++) {
            assert_true(seconds[i] >= 0);
            sum += seconds[i];
            assert_true(cab_stage_name((cab_stage)i)[0]);
        }
        assert_int_equal(sum > 0, profile);
        if (profile) assert_true(seconds[CAB_STAGE_DISTANCE] > 0 && seconds[CAB_STAGE_COLLIDER] > 0);
        cab_world_destroy(world);
    }
    cab_scene_destroy(scene);
}

static void energy_of_a_falling_cable(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(50);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.4, 0, 1}, 8);
    cab_world *world = native_world(scene);
    cab_measures start = measure(world);
    near_to(start.potential, 0.05 * 0.4 * 9.81 * 1, 1e-6);
    near_to(start.kinetic, 0, 0);
    step(world, 30);
    cab_measures later = measure(world);
    near_to(later.kinetic, 0.5 * 0.02 * 4.905 * 4.905, 1e-4);
    /* semi-implicit Euler is too low by v h / 2 */
    near_to(later.kinetic + later.potential, start.potential, 0.02 * 9.81 * 4.905 / 6000 * 1.1);
    near_to(later.speed_max, 4.905, 1e-3);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_do_not_know_each_other),
        cmocka_unit_test(frames_one_by_one_or_at_once),
        cmocka_unit_test(a_world_outlives_its_scene),
        cmocka_unit_test(a_target_moves_evenly_over_a_frame),
        cmocka_unit_test(targets_take_over_from_keyframes),
        cmocka_unit_test(gravity_can_change),
        cmocka_unit_test(a_material_can_change),
        cmocka_unit_test(what_a_material_cannot_change),
        cmocka_unit_test(drag_can_come_later),
        cmocka_unit_test(wrong_scenes_make_no_world),
        cmocka_unit_test(torsion_is_refused),
        cmocka_unit_test(a_diverged_run_says_which_cable),
        cmocka_unit_test(a_diverged_run_with_contact),
        cmocka_unit_test(a_shared_particle_counts_once),
        cmocka_unit_test(devices_hold_little),
        cmocka_unit_test(a_million_particles),
        cmocka_unit_test(stages_are_timed_when_asked),
        cmocka_unit_test(energy_of_a_falling_cable),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
