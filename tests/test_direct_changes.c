/* The direct method when something gives way or changes while it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "direct.h"

/* ---- breaking ---- */

static void a_hold_gives_way(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1}, HUNG);
    cab_attachment_def top = held_at("a", (cab_place){0});
    top.clamp = true;
    top.break_force = 2;
    add_attachment(scene, top);
    hang_weight(scene, "a", at_end(), WEIGHT); /* 2.4 N with the cable */
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    step(world, 31);
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    snapshot s = read_world(world);
    for (int i = 0; i <= HUNG; i++) { /* half a second after the first frame */
        near_to(s.v[i][2], -G / 2, 1e-2);
        near_to(s.x[i][2], 2 - 0.1 * i - G / 8, 5e-3); /* the first substep is of first order */
    }
    at_most(measure(world).stretch_worst, 1e-3);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void a_joint_gives_way(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1.5}, 5);
    add_straight(scene, "b", (cab_vec3){0, 0, 1.5}, (cab_vec3){0, 0, 1}, 5);
    hold(scene, "a", (cab_place){0}, false);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.break_force = 1;
    joint.clamp = true;
    add_attachment(scene, joint);
    hang_weight(scene, "b", at_end(), WEIGHT);
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    double tension[12];
    step(world, 11);
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    mean_tensions(world, 20, 12, tension);
    snapshot s = read_world(world);
    near_to(tension[0], G * 0.05 * 0.45, 2e-3);
    for (int i = 0; i < 6; i++) {
        near_to(s.x[i][2], 2 - 0.1 * i, 1e-3);
        near_to(s.v[6 + i][2], -G / 2, 1e-2);
        near_to(tension[6 + i], 0, 1e-2);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- changes on the way ---- */

static void gravity_can_change(void **state)
{
    (void)state;
    cab_error error = {0};
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = direct_scene(20);
        add_material(scene, wire_of("wire", 0.003, 1e-4));
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.3, 0, 1}, 4);
        cab_world *world = world_in(scene, ways[w]);
        must(cab_world_set_gravity(world, (cab_vec3){0, 3, 0}, &error), &error);
        step(world, 30);
        must(cab_world_set_gravity(world, (cab_vec3){0, 0, -2}, &error), &error);
        step(world, 30);
        snapshot s = read_world(world);
        /* each change is felt at once, the substep's 0.8 ms more or less */
        near_to(s.v[2][1], 1.5, 3e-3);
        near_to(s.v[2][2], -1, 2e-3);
        near_to(s.x[2][1], 3.0 / 8 + 1.5 / 2, 3e-3);
        near_to(s.x[2][2], 1 - 2.0 / 8, 2e-3);
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void a_material_can_change(void **state)
{
    (void)state;
    cab_error error = {0};
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = hung_scene(INFINITY, 0);
        cab_world *world = world_in(scene, ways[w]);
        step(world, 5);
        cab_material_def heavy = wire_of("wire", 0.003, 1e-4);
        heavy.linear_density = 0.5;
        must(cab_world_set_material(world, &heavy, &error), &error);
        double tension[HUNG];
        mean_tensions(world, 60, HUNG, tension);
        for (int i = 0; i < HUNG; i++) {
            double more = G * 0.45 * 0.1 * (HUNG - i - 0.5);
            near_to(tension[i] / (pull_at(i) + more), 1, 2e-3);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* Lanes know no drag: a world that may choose goes on staged. */
static void air_can_come(void **state)
{
    (void)state;
    cab_error error = {0};
    for (int w = 0; w < 3; w++) {
        cab_scene *scene = direct_scene(20);
        add_material(scene, wire_of("wire", 0.003, 1e-4));
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 10);
        cab_scene_settings(scene)->way = w == 2 ? CAB_WAY_AUTO : ways[w];
        cab_world *world = native_world(scene);
        assert_int_equal(cab_world_get_info(world).way, w == 1 ? CAB_WAY_STAGED : CAB_WAY_LANES);
        step(world, 30);
        cab_material_def windy = wire_of("wire", 0.003, 1e-4);
        windy.air_drag = 40;
        cab_status status = cab_world_set_material(world, &windy, &error);
        if (w == 0) {
            must_fail(status, CAB_ERROR_INPUT, &error, "lanes");
        } else {
            must(status, &error);
            assert_int_equal(cab_world_get_info(world).way, CAB_WAY_STAGED);
            step(world, 120);
            snapshot s = read_world(world);
            double terminal = sqrt(0.05 * G / (40 * 1.2 * 0.003));
            /* what keeps drag from turning a velocity round lessens it by h_s g/v */
            double less = G / 1800 / terminal;
            for (int i = 0; i <= 10; i++) near_to(s.v[i][2], -terminal, less * terminal);
            snapshot_free(&s);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void a_target_can_move(void **state)
{
    (void)state;
    cab_error error = {0};
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = direct_scene(20);
        cab_material_def wire = wire_of("wire", 0.003, 1e-4);
        wire.damping = 2;
        add_material(scene, wire);
        cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0, 0, 0.5}}, 12);
        cable.copies[0] = 11;
        cable.spacing[0] = 0.1;
        add_cable(scene, cable);
        hold(scene, "a", (cab_place){0}, false);
        cab_world *world = world_in(scene, ways[w]);
        step(world, 5);
        for (int f = 1; f <= 10; f++) {
            must(cab_world_set_target(world, 0, (cab_vec3){0, 0.01 * f, 1}, &error), &error);
            step(world, 1);
        }
        snapshot s = read_world(world);
        for (int c = 0; c < 11; c++) {
            near_to(s.x[13 * c][0], 0.1 * c, 1e-7);
            near_to(s.x[13 * c][1], 0.1, 1e-7);
            near_to(s.v[13 * c][1], 0.6, 1e-4);
        }
        snapshot_free(&s);
        step(world, 600);
        s = read_world(world);
        for (int i = 0; i < s.nodes; i++) near_to(s.x[i][1], 0.1, 1e-4); /* it hangs there */
        at_most(measure(world).stretch_worst, 1e-4);
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hold_gives_way),   cmocka_unit_test(a_joint_gives_way),
        cmocka_unit_test(gravity_can_change), cmocka_unit_test(a_material_can_change),
        cmocka_unit_test(air_can_come),       cmocka_unit_test(a_target_can_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
