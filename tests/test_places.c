/* Where colliders are, what is held and joined where, and what hangs there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worlds.h"

static cab_error error;

static cab_world *world_of(const cab_scene *scene)
{
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.threads = 1;
    cab_world *world;
    must(cab_world_create(scene, &def, &world, &error), &error);
    return world;
}

static void near_vec3(cab_vec3 a, double x, double y, double z, double tolerance)
{
    near_to(a.x, x, tolerance);
    near_to(a.y, y, tolerance);
    near_to(a.z, z, tolerance);
}

/* A box that moves 0.6 m along x and turns a right angle about z in 1 s, and a sphere that the user moves. */
static cab_scene *scene_of_colliders(void)
{
    static const cab_pose_keyframe keys[2] = {{0, {{0, 0, 0}, {2, 0, 0, 0}}},
                                              {1, {{0.6, 0, 0}, {1, 0, 0, 1}}}};
    cab_scene *scene = scene_of(4);
    add_material(scene, wire_of("wire", 0.005, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, 4);
    cab_collider_def box = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 0, -1});
    box.half_extents = (cab_vec3){0.1, 0.1, 0.1};
    box.keyframes = keys;
    box.keyframe_count = 2;
    add_collider(scene, box);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, -2});
    ball.radius = 0.1;
    add_collider(scene, ball);
    return scene;
}

static void test_collider_follows_keyframes(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_colliders();
    cab_world *world = world_of(scene);
    cab_pose pose;
    assert_true(cab_world_get_collider(world, 0, &pose));
    near_vec3(pose.position, 0, 0, 0, 0);
    near_to(pose.rotation[0], 1, 1e-15);
    must(cab_world_step(world, 30, &error), &error);
    assert_true(cab_world_get_collider(world, 0, &pose));
    near_vec3(pose.position, 0.3, 0, 0, 1e-12);
    near_to(pose.rotation[0], cos(M_PI / 8), 1e-12); /* half of a right angle, and half of that */
    near_to(pose.rotation[3], sin(M_PI / 8), 1e-12);
    must(cab_world_step(world, 60, &error), &error);
    assert_true(cab_world_get_collider(world, 0, &pose));
    near_vec3(pose.position, 0.6, 0, 0, 1e-12);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void test_collider_goes_where_the_user_wants(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_colliders();
    cab_world *world = world_of(scene);
    cab_pose to = {{1, 2, 3}, {0, 3, 0, 0}}, pose = {{7, 7, 7}, {1, 0, 0, 0}};
    must(cab_world_set_collider(world, 1, to, &error), &error);
    assert_true(cab_world_get_collider(world, 1, &pose));
    near_vec3(pose.position, 0, 0, 0, 0); /* not before the next frame */
    must(cab_world_step(world, 1, &error), &error);
    assert_true(cab_world_get_collider(world, 1, &pose));
    near_vec3(pose.position, 1, 2, 3, 1e-12);
    near_to(pose.rotation[1], 1, 1e-12);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void test_no_such_collider(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_colliders();
    cab_world *world = world_of(scene);
    cab_pose pose = {{7, 7, 7}, {1, 0, 0, 0}};
    assert_false(cab_world_get_collider(world, 2, &pose));
    assert_false(cab_world_get_collider(world, -1, &pose));
    near_vec3(pose.position, 7, 7, 7, 0);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Two copies of "a", held softly at their start along keyframes; "b" joined to the first copy's end and
 * clamped at its own. */
static cab_scene *scene_of_attachments(double break_force)
{
    static const cab_keyframe keys[2] = {{0, {0, 0, 1}}, {0.5, {0, 0, 2}}};
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.005, 0));
    cab_cable_def a = straight_of("a", "wire", (cab_vec3[2]){{0, 0, 1}, {1, 0, 1}}, 4);
    a.copies[1] = 2;
    a.spacing[1] = 0.5;
    add_cable(scene, a);
    add_straight(scene, "b", (cab_vec3){1, 0, 1}, (cab_vec3){2, 0, 1}, 3);
    cab_attachment_def def = held_at("a", (cab_place){.kind = CAB_PLACE_START});
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = keys;
    def.keyframe_count = 2;
    def.compliance = 1e-4;
    add_attachment(scene, def);
    def = joined("b", (cab_place){.kind = CAB_PLACE_START}, "a[0,0,0]", at_end());
    def.break_force = break_force;
    add_attachment(scene, def);
    hold(scene, "b", at_end(), true);
    return scene;
}

static void test_attachments(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_attachments(INFINITY);
    cab_world *world = world_of(scene);
    cab_attachment_info info[4];
    assert_int_equal(cab_world_get_attachments(world, NULL, 0), 4);
    must(cab_world_step(world, 15, &error), &error);
    assert_int_equal(cab_world_get_attachments(world, info, 4), 4);
    for (int copy = 0; copy < 2; copy++) {
        assert_int_equal(info[copy].attachment, 0);
        assert_int_equal(info[copy].body, copy);
        assert_int_equal(info[copy].node, 5 * copy);
        assert_int_equal(info[copy].target_node, -1);
        assert_int_equal(info[copy].collider, -1);
        assert_true(info[copy].soft);
        assert_false(info[copy].clamped || info[copy].broken);
        near_vec3(info[copy].shift, 0, 0.5 * copy, 0, 1e-12);
        near_vec3(info[copy].target, 0, 0.5 * copy, 1.5, 1e-12);
    }
    assert_int_equal(info[2].attachment, 1);
    assert_int_equal(info[2].node, 10);
    assert_int_equal(info[2].target_node, 4);
    assert_true(info[3].clamped);
    near_vec3(info[3].target, 2, 0, 1, 1e-12);
    near_vec3(info[3].direction, 1, 0, 0, 1e-12);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void test_only_as_many_as_there_is_room_for(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_attachments(INFINITY);
    cab_world *world = world_of(scene);
    cab_attachment_info info[3] = {{0}, {0}, {.node = -7}};
    assert_int_equal(cab_world_get_attachments(world, info, 2), 4);
    assert_int_equal(info[2].node, -7);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void test_broken_is_told(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_attachments(1e-3); /* its weight is 0.5 N */
    cab_world *world = world_of(scene);
    cab_attachment_info info[4];
    cab_world_get_attachments(world, info, 4);
    assert_false(info[2].broken);
    must(cab_world_step(world, 5, &error), &error);
    cab_world_get_attachments(world, info, 4);
    assert_true(info[2].broken);
    assert_int_equal(info[2].node, 10);
    assert_int_equal(info[2].target_node, 4);
    assert_false(info[0].broken || info[1].broken || info[3].broken);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* What rides along with a collider is held where the collider has gone. */
static void test_target_rides(void **state)
{
    (void)state;
    cab_scene *scene = scene_of_colliders();
    cab_collider_def named = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, 1.2});
    named.name = "ball";
    named.radius = 0.1;
    add_collider(scene, named);
    cab_attachment_def def = held_at("a", (cab_place){.kind = CAB_PLACE_START});
    def.to = CAB_TARGET_COLLIDER;
    def.target = "ball";
    add_attachment(scene, def);
    cab_world *world = world_of(scene);
    cab_attachment_info info;
    must(cab_world_set_collider(world, 2, (cab_pose){{0.1, 0, 0}, {1, 0, 0, 0}}, &error), &error);
    must(cab_world_step(world, 1, &error), &error);
    cab_world_get_attachments(world, &info, 1);
    assert_int_equal(info.collider, 2);
    near_vec3(info.target, 0.1, 0, 1, 1e-12);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void test_loads(void **state)
{
    (void)state;
    static const cab_keyframe keys[2] = {{0, {0, 0, 0}}, {1, {4, 0, 0}}};
    cab_scene *scene = scene_of_attachments(INFINITY);
    cab_load_def def = load_at("a", at_end());
    def.mass = 0.25;
    def.moment = (cab_vec3){0, 1e-3, 0};
    add_load(scene, def);
    def = load_at("b", at_particle(1));
    def.force_keyframes = keys;
    def.force_keyframe_count = 2;
    add_load(scene, def);
    cab_world *world = world_of(scene);
    cab_load_info info[3];
    must(cab_world_step(world, 30, &error), &error);
    assert_int_equal(cab_world_get_loads(world, info, 3), 3);
    assert_int_equal(info[1].body, 1);
    assert_int_equal(info[1].node, 9);
    near_to(info[1].mass, 0.25, 0);
    near_vec3(info[1].force, 0, 0, 0, 0);
    near_vec3(info[1].moment, 0, 1e-3, 0, 0);
    assert_int_equal(info[2].load, 1);
    assert_int_equal(info[2].node, 11);
    near_vec3(info[2].force, 2, 0, 0, 1e-12); /* halfway */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collider_follows_keyframes),
        cmocka_unit_test(test_collider_goes_where_the_user_wants),
        cmocka_unit_test(test_no_such_collider),
        cmocka_unit_test(test_attachments),
        cmocka_unit_test(test_only_as_many_as_there_is_room_for),
        cmocka_unit_test(test_broken_is_told),
        cmocka_unit_test(test_target_rides),
        cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
