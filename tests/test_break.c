/* Attachments that break: at which force, what becomes of both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

/* Two short segments that hang from a held end with 100 g below. */
#define CORD 0.1 /* m */
#define BOB 0.1  /* kg */
#define CORD_MASS (0.05 * CORD)

static cab_scene *bob_scene(void)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->iterations = 20;
    add_material(scene, wire_of("wire", 0.003, 0));
    return scene;
}

static cab_world *hang_bob(double break_force, bool moving, bool clamp)
{
    const cab_keyframe frames[] = {{0, {0, 0, 1}}, {10, {0, 0.01, 1}}};
    cab_scene *scene = bob_scene();
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 1 - CORD}, 2);
    hang_weight(scene, "a", at_end(), BOB);
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.break_force = break_force;
    def.clamp = clamp;
    if (moving) def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = frames;
    def.keyframe_count = COUNT_OF(frames);
    add_attachment(scene, def);
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    return world;
}

static void a_held_end_breaks_at_its_force(void **state)
{
    (void)state;
    double weight = (BOB + CORD_MASS) * 9.81;
    for (int kind = 0; kind < 4; kind++) {
        cab_error error = {0};
        int attachment = -1, cable = -1;
        cab_world *world = hang_bob(1.05 * weight, kind & 1, kind & 2);
        step(world, 40);
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 0);
        cab_world_destroy(world);
        world = hang_bob(0.95 * weight, kind & 1, kind & 2);
        step(world, 1);
        assert_int_equal(cab_world_get_broken(world, &attachment, &cable, 1), 1);
        assert_int_equal(attachment, 0);
        assert_int_equal(cable, 0);
        step(world, 30); /* free fall from then on */
        snapshot s = read_world(world);
        for (int i = 0; i < 3; i++) near_to(s.v[i][2], -9.81 * 0.5, 0.01 * 4.9);
        near_to(s.x[0][2], 1 - 9.81 * 0.125, 0.01 * 1.23);
        snapshot_free(&s);
        must_fail(cab_world_set_target(world, 0, (cab_vec3){0, 0, 0}, &error), CAB_ERROR_INPUT, &error,
                  "/attachments/0");
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
        cab_world_destroy(world);
    }
}

/* "b" hangs on the end of "a", which is held; b has the bob and something at the joint itself. */
static cab_scene *joint_scene(double break_force, bool clamp, bool contact)
{
    cab_scene *scene = bob_scene();
    cab_scene_settings(scene)->contact.cables = contact;
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 1 - CORD}, 2);
    add_straight(scene, "b", (cab_vec3){0, 0, 1 - CORD}, (cab_vec3){0, 0, 1 - 2 * CORD}, 2);
    hold(scene, "a", (cab_place){0}, false);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.break_force = break_force;
    joint.clamp = clamp;
    add_attachment(scene, joint);
    hang_weight(scene, "b", at_end(), BOB);
    return scene;
}

static void a_joint_breaks_at_its_force(void **state)
{
    (void)state;
    double weight = (BOB + CORD_MASS) * 9.81; /* of b alone, half a segment of which is at the joint */
    for (int clamp = 0; clamp < 2; clamp++) {
        cab_scene *scene = joint_scene(1.05 * weight, clamp, false);
        cab_world *world = native_world(scene);
        assert_int_equal(cab_world_get_info(world).particles, 5);
        step(world, 40);
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 0);
        assert_int_equal(cab_world_get_info(world).particles, 5);
        cab_world_destroy(world);
        cab_scene_destroy(scene);

        scene = joint_scene(0.95 * weight, clamp, false);
        int attachment = -1, cable = -1;
        world = native_world(scene);
        step(world, 40);
        assert_int_equal(cab_world_get_broken(world, &attachment, &cable, 1), 1);
        assert_int_equal(attachment, 1);
        assert_int_equal(cable, 1);
        assert_int_equal(cab_world_get_info(world).particles, 6);
        assert_int_equal(cab_world_get_info(world).nodes, 6);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void a_broken_joint_gives_the_masses_back(void **state)
{
    (void)state;
    cab_scene *scene = joint_scene(0.5, false, false);
    hang_weight(scene, "b", (cab_place){0}, 0.03);
    cab_load_def load = load_at("b", (cab_place){0});
    load.force = (cab_vec3){0.2, 0, 0};
    add_load(scene, load);
    cab_world *world = native_world(scene);
    step(world, 1);
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    snapshot s = read_world(world);
    at_most(distance3(s.x[2], s.x[3]), 1e-9); /* where it was, for both */
    snapshot_free(&s);
    step(world, 60);
    s = read_world(world);
    /* b and what hangs on it: gravity, and the force that goes with it */
    const double mass[3] = {CORD_MASS / 4 + 0.03, CORD_MASS / 2, CORD_MASS / 4 + BOB};
    double total = CORD_MASS + 0.03 + BOB, px = 0, pz = 0;
    for (int i = 0; i < 3; i++) {
        px += mass[i] * s.v[3 + i][0];
        pz += mass[i] * s.v[3 + i][2];
    }
    near_to(px, 0.2, 0.02 * 0.2); /* the first frame, partly held, is one of 61 */
    near_to(pz, -total * 9.81, 0.01 * total * 9.81);
    at_most(distance3(s.x[0], s.x[2]), CORD * 1.001); /* a swings on by itself */
    at_most(s.tension[0], 0.05);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* "c" is joined to "b", which breaks off from "a" at the same place: c goes with it. */
static void what_is_joined_to_a_broken_end_goes_along(void **state)
{
    (void)state;
    cab_scene *scene = joint_scene(0.95 * (BOB + 2 * CORD_MASS) * 9.81, false, false);
    add_straight(scene, "c", (cab_vec3){0, 0, 1 - CORD}, (cab_vec3){0, CORD, 1 - CORD}, 2);
    join(scene, "c", (cab_place){0}, "b", (cab_place){0});
    cab_world *world = native_world(scene);
    assert_int_equal(cab_world_get_info(world).particles, 7);
    step(world, 30);
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    assert_int_equal(cab_world_get_info(world).particles, 8);
    snapshot s = read_world(world);
    at_most(distance3(s.x[3], s.x[6]), 0); /* b and c still share theirs */
    at_most(s.x[6][2], 0);
    at_least(s.x[2][2], 1 - CORD - 1e-3);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Two ends that were one lie in one another: they part gently. */
static void broken_ends_part_gently(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact.cables = true;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire_of("wire", 0.005, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.2, 0, 0}, 10);
    add_straight(scene, "b", (cab_vec3){0.2, 0, 0}, (cab_vec3){0.4, 0, 0}, 10);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.break_force = 0.05;
    add_attachment(scene, joint);
    cab_load_def pull = load_at("b", at_end());
    pull.force = (cab_vec3){0.15, 0, 0};
    add_load(scene, pull);
    cab_world *world = native_world(scene);
    double fastest = 0;
    for (int i = 0; i < 6; i++) {
        step(world, 1);
        fastest = fmax(fastest, measure(world).speed_max);
    }
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    at_most(fastest, 2.0); /* 0.15 N on 10 g are 1.5 m/s in 0.1 s */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Nor is the light end that stays behind flung away. */
static void what_stays_is_not_flung(void **state)
{
    (void)state;
    cab_scene *scene = joint_scene(0.5, false, true);
    cab_load_def load = load_at("b", (cab_place){0});
    load.force = (cab_vec3){0.2, 0, 0};
    add_load(scene, load);
    cab_world *world = native_world(scene);
    for (int i = 0; i < 20; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        at_most(distance3(s.v[2], (double[3]){0}), 1); /* a tug at 1 g; at 5 m/s it was 3.5 */
        snapshot_free(&s);
    }
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void copies_break_one_by_one(void **state)
{
    (void)state;
    cab_scene *scene = bob_scene();
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0, 0, 1 - CORD}}, 2);
    cable.copies[1] = 4;
    cable.spacing[1] = 0.5;
    add_cable(scene, cable);
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.break_force = 1;
    add_attachment(scene, def);
    hang_weight(scene, "a[0,2,0]", at_end(), 0.2);
    cab_world *world = native_world(scene);
    step(world, 20);
    int attachments[4], cables[4];
    assert_int_equal(cab_world_get_broken(world, attachments, cables, 4), 1);
    assert_int_equal(attachments[0], 0);
    assert_int_equal(cables[0], 2);
    snapshot s = read_world(world);
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            at_most(s.x[3 * i][2], 0.6);
        else
            near_to(s.x[3 * i][2], 1, 1e-12);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_end_breaks_at_its_force),
        cmocka_unit_test(a_joint_breaks_at_its_force),
        cmocka_unit_test(a_broken_joint_gives_the_masses_back),
        cmocka_unit_test(what_is_joined_to_a_broken_end_goes_along),
        cmocka_unit_test(broken_ends_part_gently),
        cmocka_unit_test(what_stays_is_not_flung),
        cmocka_unit_test(copies_break_one_by_one),
    };
    return cmocka_run_group_tests_name("breaking", tests, NULL, NULL);
}
