/* A world that goes on where another one is, with other settings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worlds.h"

static void go_on(cab_world *world, cab_world *from)
{
    cab_error error = {0};
    must(cab_world_continue(world, from, &error), &error);
}

/* A cable that swings about its start. */
static cab_scene *swing(cab_method method, int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 0.5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 20);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* Cables that fall crosswise onto a floor. */
static cab_scene *heap(cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->contact.cables = true;
    add_material(scene, wire_of("wire", 0.004, 1e-3));
    add_straight(scene, "a", (cab_vec3){0, 0, 0.01}, (cab_vec3){0.3, 0, 0.01}, 15);
    add_straight(scene, "b", (cab_vec3){0.1, -0.1, 0.03}, (cab_vec3){0.1, 0.1, 0.03}, 10);
    add_straight(scene, "c", (cab_vec3){0.2, -0.1, 0.03}, (cab_vec3){0.2, 0.1, 0.03}, 10);
    add_floor(scene, 0);
    return scene;
}

/* How far from a world that stays another one is that goes on from it after half a second. */
static double gap_of(cab_scene *scene, const char *device, bool same_bits)
{
    cab_world *stays = native_world(scene);
    step(stays, 12);
    if (same_bits) cab_scene_settings(scene)->way = CAB_WAY_COLOURED;
    cab_world *goes = world_on(scene, device, 0);
    go_on(goes, stays);
    assert_int_equal(cab_world_get_info(goes).frame, 12);
    snapshot a = read_world(stays), b = read_world(goes);
    for (int k = 0; k < a.nodes; k++) {
        assert_memory_equal(a.x[k], b.x[k], sizeof a.x[k]);
        assert_memory_equal(a.v[k], b.v[k], sizeof a.v[k]);
    }
    snapshot_free(&a);
    snapshot_free(&b);
    step(stays, 30);
    step(goes, 30);
    a = read_world(stays), b = read_world(goes);
    if (same_bits) same_bytes(&a, &b, "the same settings");
    double gap = largest_difference(&a, &b);
    snapshot_free(&a);
    snapshot_free(&b);
    cab_world_destroy(stays);
    cab_world_destroy(goes);
    cab_scene_destroy(scene);
    return gap;
}

/* Same settings: XPBD's substep depends on places and velocities alone, so without contact not a bit differs,
 * on another device and way either. The direct method takes one substep of first order, wrong by h^2/2 times
 * what acceleration changes by, 3e-6 m with 20 substeps; the free end of a chain makes it some hundred times
 * as large in half a second. With contact lists are new, in another order, and an overlap of micrometres
 * counts as one of the start, which makes 0.09 m/s of push for as long as it lasts. */
static void the_same_settings_change_next_to_nothing(void **state)
{
    (void)state;
    char pocl[32];
    const char *device = find_device(POCL, pocl) ? pocl : "native";
    gap_of(swing(CAB_METHOD_XPBD, 20), device, true);
    double coarse = gap_of(swing(CAB_METHOD_DIRECT, 20), device, false);
    at_most(coarse, 3e-3);
    at_most(gap_of(swing(CAB_METHOD_DIRECT, 40), device, false), 0.4 * coarse);
    at_most(gap_of(heap(CAB_METHOD_XPBD), device, false), 2e-4);
    at_most(gap_of(heap(CAB_METHOD_DIRECT), device, false), 2e-4);
}

/* Another method, and substeps: what hangs at rest stays where it is, what moves goes on moving. */
static void the_method_changes_and_the_shape_stays(void **state)
{
    (void)state;
    const cab_method methods[] = {CAB_METHOD_DIRECT, CAB_METHOD_JAKOBSEN, CAB_METHOD_XPBD};
    cab_scene *scene = swing(CAB_METHOD_XPBD, 40);
    cab_scene_settings(scene)->iterations = 4;
    cab_world *world = native_world(scene);
    for (int rests = 0; rests < 2; rests++) {
        step(world, rests ? 1500 : 10); /* damped by exp(-0.25 t) */
        for (int i = 0; i < COUNT_OF(methods); i++) {
            cab_scene *next = swing(methods[i], 20);
            cab_world *goes = native_world(next);
            snapshot a = read_world(world);
            go_on(goes, world);
            step(goes, rests ? 120 : 1);
            snapshot b = read_world(goes);
            /* at rest: what two methods differ by in how far a cable of 0.25 N stretches; else one frame at
             * 3 m/s and g: not thrown */
            at_most(largest_difference(&a, &b), rests ? 2e-3 : 0.06);
            if (!rests) at_least(largest_difference(&a, &b), 0.01);
            snapshot_free(&a);
            snapshot_free(&b);
            cab_world_destroy(goes);
            cab_scene_destroy(next);
        }
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A chain of two cables with a weight: its joint breaks, a target has been led away, a material is heavier, a
 * sphere stands elsewhere. */
static cab_scene *eventful(cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = method;
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.8}, 8);
    add_straight(scene, "b", (cab_vec3){0, 0, 0.8}, (cab_vec3){0, 0, 0.6}, 8);
    add_straight(scene, "c", (cab_vec3){1, 0, 1}, (cab_vec3){1.3, 0, 1}, 8);
    hold(scene, "a", (cab_place){0}, false);
    cab_attachment_def weak = joined("b", (cab_place){0}, "a", at_end());
    weak.break_force = 0.5;
    add_attachment(scene, weak);
    hold(scene, "c", (cab_place){0}, false);
    hang_weight(scene, "b", at_end(), 0.1);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 3, 0});
    ball.name = "ball";
    ball.radius = 0.1;
    add_collider(scene, ball);
    return scene;
}

static void what_has_happened_is_taken_over(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cab_error error = {0};
        cab_scene *first = eventful(i & 1 ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD);
        cab_scene *second = eventful(i & 2 ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD);
        cab_world *from = native_world(first);
        cab_material_def wire = wire_of("wire", 0.003, 0);
        wire.linear_density = 0.2;
        step(from, 10);
        must(cab_world_set_material(from, &wire, &error), &error);
        must(cab_world_set_target(from, 2, (cab_vec3){1, 0.3, 1}, &error), &error);
        must(cab_world_set_collider(from, 0, (cab_pose){{0, -1, 0}, {1, 0, 0, 0}}, &error), &error);
        step(from, 20);
        assert_int_equal(cab_world_get_broken(from, NULL, NULL, 0), 1);

        cab_world *to = native_world(second);
        go_on(to, from);
        int attachment = -1;
        double place[3];
        assert_int_equal(cab_world_get_broken(to, &attachment, NULL, 1), 1);
        assert_int_equal(attachment, 1);
        assert_int_equal(cab_world_get_info(to).frame, 30);
        step(to, 20);
        snapshot s = read_world(to);
        cab_cable_info a = cab_world_get_cable(to, 0), b = cab_world_get_cable(to, 1),
                       c = cab_world_get_cable(to, 2);
        memcpy(place, s.x[c.first_node], sizeof place);
        near_to(place[1], 0.3, 1e-6);        /* float of the target */
        at_most(s.x[b.first_node][2], -0.5); /* falls for 40 frames or more: 2 m */
        at_least(s.x[a.first_node + 8][2], 0.78);
        /* hangs by its own weight now, of the new material: 0.2 m, 0.2 kg/m */
        near_to(s.tension[a.first_node], 0.2 * 0.2 * 9.81, 0.1 * 0.2 * 0.2 * 9.81);
        snapshot_free(&s);
        cab_world_destroy(from);
        cab_world_destroy(to);
        cab_scene_destroy(first);
        cab_scene_destroy(second);
    }
}

/* Friction, live: what rests on a slope slides on a smooth one. */
static void settings_of_the_new_world_count(void **state)
{
    (void)state;
    cab_scene *scenes[2];
    for (int i = 0; i < 2; i++) {
        scenes[i] = scene_of(20);
        cab_material_def wire = wire_of("wire", 0.004, 0);
        wire.friction = i ? 0 : 1;
        add_material(scenes[i], wire);
        add_straight(scenes[i], "a", (cab_vec3){-0.1, 0, 0.0057}, (cab_vec3){-0.1, 0.2, 0.0057}, 8);
        cab_collider_def slope = shape_at(CAB_SHAPE_PLANE, (cab_vec3){-0.1, 0, 0});
        slope.normal = (cab_vec3){0.5, 0, 1};
        slope.friction = i ? 0 : 1;
        add_collider(scenes[i], slope);
        cab_scene_settings(scenes[i])->gravity = (cab_vec3){0, 0, i ? -5 : -9.81};
    }
    cab_world *rough = native_world(scenes[0]), *smooth = native_world(scenes[1]);
    double before[3], after[3];
    step(rough, 60);
    node_place(rough, 4, before);
    go_on(smooth, rough);
    step(smooth, 30);
    step(rough, 30);
    node_place(smooth, 4, after);
    /* t^2/2 g sin cos of atan(1/2), with the new gravity */
    near_to(after[0] - before[0], 0.5 * 0.25 * 5 * 0.4, 0.01);
    node_place(rough, 4, after);
    near_to(after[0], before[0], 1e-3);
    for (int i = 0; i < 2; i++) cab_scene_destroy(scenes[i]);
    cab_world_destroy(rough);
    cab_world_destroy(smooth);
}

/* scenes/winch.json while rope is paid out: particles that have come off the drum are free, at their lengths.
 */
static void drums_go_on(void **state)
{
    (void)state;
    char path[4096];
    cab_error error = {0};
    cab_scene *scene;
    const char *folder = getenv("CLCABLE_SCENES");
    snprintf(path, sizeof path, "%s/winch.json", folder ? folder : "scenes");
    must(cab_scene_load(path, NULL, 0, &scene, &error), &error);
    cab_world *stays = native_world(scene), *goes = native_world(scene);
    step(stays, 90);
    go_on(goes, stays);
    step(stays, 60);
    step(goes, 60);
    snapshot a = read_world(stays), b = read_world(goes);
    at_most(largest_difference(&a, &b), 1e-5); /* no contact yet but the list of the floor */
    for (int k = 0; k < a.nodes; k++) near_to(b.tension[k], a.tension[k], 1e-2); /* of 6 N */
    snapshot_free(&a);
    snapshot_free(&b);
    cab_world_destroy(stays);
    cab_world_destroy(goes);
    cab_scene_destroy(scene);
}

/* Sleepers and what is pulled: all awake, let go. */
static void sleep_and_pull_are_not_taken_over(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = heap(CAB_METHOD_XPBD);
    cab_scene_settings(scene)->contact.sleep = true;
    cab_world *from = native_world(scene), *to = native_world(scene);
    step(from, 240);
    assert_int_equal(measure(from).asleep, 3);
    go_on(to, from);
    assert_int_equal(measure(to).asleep, 0);
    snapshot a = read_world(from), b = read_world(to);
    at_most(largest_difference(&a, &b), 0);
    snapshot_free(&b);
    step(to, 30);
    b = read_world(to);
    at_most(largest_difference(&a, &b), 2e-3); /* what rests creeps at most */
    snapshot_free(&a);
    snapshot_free(&b);
    cab_world_destroy(to);
    to = native_world(scene);
    must(cab_world_pull(from, 3, (cab_vec3){0, 0, 0.5}, 0, &error), &error);
    step(from, 5);
    go_on(to, from);
    step(to, 90);
    double place[3];
    node_place(to, 3, place);
    at_most(place[2], 0.05);
    cab_world_destroy(from);
    cab_world_destroy(to);
    cab_scene_destroy(scene);
}

static void refuses(cab_scene *scene, cab_world *from, const char *what)
{
    cab_error error = {0};
    cab_world *world = native_world(scene);
    must_fail(cab_world_continue(world, from, &error), CAB_ERROR_INPUT, &error, what);
    step(world, 1);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void other_bodies_are_refused(void **state)
{
    (void)state;
    cab_scene *scene = swing(CAB_METHOD_XPBD, 10), *other;
    cab_world *from = native_world(scene);
    step(from, 3);
    other = swing(CAB_METHOD_XPBD, 10);
    add_straight(other, "b", (cab_vec3){0, 1, 1}, (cab_vec3){0.5, 1, 1}, 20);
    refuses(other, from, "expected the same number of cables and sheets");
    other = scene_of(10);
    add_material(other, wire_of("wire", 0.003, 0));
    add_straight(other, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.6, 0, 1}, 20);
    hold(other, "a", (cab_place){0}, false);
    refuses(other, from, "expected the same segments");
    other = swing(CAB_METHOD_XPBD, 10);
    hold(other, "a", at_end(), false);
    refuses(other, from, "expected the same attachments");
    other = swing(CAB_METHOD_XPBD, 10);
    add_floor(other, -3);
    refuses(other, from, "expected the same colliders");
    other = swing(CAB_METHOD_XPBD, 10);
    add_material(other, wire_of("more", 0.003, 0));
    refuses(other, from, "expected the same materials");
    other = swing(CAB_METHOD_XPBD, 10);
    cab_scene_settings(other)->frame_rate = 30;
    refuses(other, from, "expected the same frame rate");
    cab_error error = {0};
    cab_world *old = native_world(scene);
    step(old, 1);
    must_fail(cab_world_continue(old, from, &error), CAB_ERROR_INPUT, &error, "a new world");
    cab_world_destroy(old);
    cab_world_destroy(from);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_settings_change_next_to_nothing),
        cmocka_unit_test(the_method_changes_and_the_shape_stays),
        cmocka_unit_test(what_has_happened_is_taken_over),
        cmocka_unit_test(settings_of_the_new_world_count),
        cmocka_unit_test(drums_go_on),
        cmocka_unit_test(sleep_and_pull_are_not_taken_over),
        cmocka_unit_test(other_bodies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
