/* What the mouse does in the viewer: selecting cables, pulling at them, dragging the points of their paths. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer_cables.h"

#include "base/vec3.h"
#include "model/scene.h"

static void test_pick(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    for (int cable = 0; cable < v->info.cables; cable++) {
        cab_cable_info info = cab_world_get_cable(v->world, cable);
        float at[2];
        pixel_of(v, info.first_node + 4, at);
        assert_true(cab_viewer_pick(v, at[0], at[1]));
        assert_int_equal(v->selected, cable);
        assert_int_equal(v->selected_node, info.first_node + 4);
    }
    assert_false(cab_viewer_pick(v, 2, 2));
    assert_int_equal(v->selected, -1);
    cab_viewer_select(v, 2);
    cab_viewer_fit_selected(v);
    draw(v);
    float from[2], to[2]; /* it fills the picture */
    pixel_of(v, cab_world_get_cable(v->world, 2).first_node, from);
    pixel_of(v, cab_world_get_cable(v->world, 2).first_node + 20, to);
    assert_true(from[0] > 0 && to[0] > from[0] + 0.7f * WIDTH && to[0] < WIDTH);
    cab_viewer_escape(v);
    assert_int_equal(v->selected, -1);
    cab_viewer_destroy(v);
}

static float away(const cab_viewer *v, int node, const vec3 point)
{
    return glm_vec3_distance((float *)row(v, node), (float *)point);
}

/* The free end of "b" comes to the mouse, and falls back when it is let go. */
static void test_grab(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    play(v, 30);
    cab_cable_info b = cab_world_get_cable(v->world, 1);
    int end = b.first_node + b.node_count - 1;
    float at[2];
    pixel_of(v, end, at);
    assert_false(cab_viewer_grab(v, 2, 2));
    assert_true(cab_viewer_grab(v, at[0], at[1]));
    assert_int_equal(v->grab.node, end);
    assert_int_equal(v->selected, 1);
    assert_true(away(v, end, v->grab.point) < 1e-6f);
    cab_viewer_grab_to(v, at[0] + 60, at[1] - 30);
    float point[2];
    assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, v->grab.point, point));
    assert_true(fabsf(point[0] - at[0] - 60) < 0.1f && fabsf(point[1] - at[1] + 30) < 0.1f);
    float before = away(v, end, v->grab.point);
    play(v, 60);
    float held = away(v, end, v->grab.point);
    assert_true(held <
                0.5f * before); /* its weight, and that of what hangs on it, keep it 0.1 m away at most */
    vec3 target;
    glm_vec3_copy(v->grab.point, target);
    cab_viewer_let_go(v);
    assert_false(v->grab.held);
    play(v, 60);
    assert_true(away(v, end, target) > 1.2f * held);
    cab_viewer_destroy(v);
}

/* Where the middle of a body is in the picture. */
static void pixel_of_body(cab_viewer *v, int body, float at[2], cab_body_reading *reading)
{
    cab_body_reading readings[8];
    vec3 x;
    assert_in_range(cab_world_get_bodies(v->world, NULL, 0), 1, 8);
    assert_int_equal(cab_world_read_bodies(v->world, readings, &error), CAB_OK);
    *reading = readings[body];
    cab_vec3_to_floats(reading->center, x);
    assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, x, at));
}

/* A body comes along with the mouse, by the place that was grabbed, and swings back when it is let go; what no force moves does not. */
static void test_grab_a_body(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("bodies.json");
    cab_body_reading before, after;
    float at[2], beside[2];
    vec3 held, middle;
    pixel_of_body(v, 1, beside, &before);
    assert_false(cab_viewer_grab(v, beside[0], beside[1]));
    pixel_of_body(v, 0, at, &before);
    assert_true(cab_viewer_grab(v, at[0], at[1]));
    assert_int_equal(v->grab.body, 0);
    cab_vec3_to_floats(before.center, middle);
    assert_true(v->inside->opened->held(v, held));
    assert_true(glm_vec3_distance(held, v->grab.point) < 1e-6f);
    /* on its surface, whose facets are a hundredth nearer at most */
    assert_true(fabsf(glm_vec3_distance(held, middle) - 0.1f) < 1e-3f);
    vec3 begun;
    glm_vec3_copy(held, begun);
    cab_viewer_grab_to(v, at[0], at[1] - 40); /* up */
    float asked = v->grab.point[2] - begun[2];
    assert_true(asked > 0.05f);
    play(v, 60);
    pixel_of_body(v, 0, beside, &after);
    assert_true(v->inside->opened->held(v, held));
    /* half of the cable and the ball's weight, but not its own inertia, are below: m g/k is 0.1 m, of which the cable bore all before */
    double lifted = after.center.z - before.center.z, sag = 9.81 * 0.1 * 0.1;
    assert_true(lifted > (double)asked - 1.1 * sag && lifted < (double)asked);
    cab_viewer_let_go(v);
    assert_false(v->grab.held);
    play(v, 120);
    pixel_of_body(v, 0, at, &after);
    assert_true(after.center.z < before.center.z + 0.5 * lifted);
    cab_viewer_destroy(v);
}

/* A new world lets go, and goes on where the hand has taken the cable. */
static void test_changes_while_pulling(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    draw(v);
    vec3 at;
    glm_vec3_copy((float *)row(v, 10), at);
    float place[2];
    assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, at, place));
    for (int change = 0; change < 3; change++) {
        assert_true(cab_viewer_grab(v, place[0], place[1]));
        cab_viewer_grab_to(v, place[0], place[1] - 30);
        step(v, 5);
        if (change == 0) assert_true(cab_viewer_set_method(v, CAB_METHOD_DIRECT));
        if (change == 1) assert_true(cab_viewer_reset(v));
        if (change == 2) assert_true(cab_viewer_set_substeps(v, 12));
        assert_false(v->grab.held || v->failed);
        cab_viewer_grab_to(v, place[0], place[1]); /* the mouse is still down */
        step(v, 5);
        assert_false(v->grab.held || v->failed);
        cab_viewer_let_go(v);
        assert_true(cab_viewer_reset(v));
        draw(v);
    }
    cab_viewer_destroy(v);
}

/* A node that an attachment holds cannot be pulled: that is told, and nothing is held. */
static void test_grab_of_what_is_held(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    float at[2];
    pixel_of(v, cab_world_get_cable(v->world, 2).first_node, at);
    assert_true(cab_viewer_grab(v, at[0], at[1]));
    cab_viewer_grab_to(v, at[0] + 20, at[1]);
    assert_false(v->grab.held);
    assert_true(v->message_is_error && v->message[0]);
    step(v, 1);
    cab_viewer_destroy(v);
}

static void check_point(cab_vec3 p, double x, double y, double z, double bound)
{
    assert_float_equal(p.x, x, bound);
    assert_float_equal(p.y, y, bound);
    assert_float_equal(p.z, z, bound);
}

static void hold_handle(cab_viewer *v, int handle, float at[2])
{
    pixel_of_point(v, v->edit.points[handle], at);
    cab_viewer_edit_hover(v, at[0] + 2, at[1]);
    assert_int_equal(v->edit.under, handle);
    assert_true(cab_viewer_edit_hold(v, at[0], at[1]));
    assert_int_equal(v->edit.held, handle);
}

static void test_path(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    step(v, 5);
    cab_viewer_select(v, 0);
    assert_true(cab_viewer_edit_path(v, true));
    assert_int_equal(v->info.frame, 0);
    assert_int_equal(v->edit.count, 3);
    draw(v);
    float at[2];
    hold_handle(v, 1, at);
    cab_viewer_edit_to(v, at[0] + 30, at[1] + 40);
    cab_viewer_edit_axis(v, 'z');
    assert_true(v->edit.changed && cab_viewer_is_busy(v));
    v->inside->remade_at = 0; /* due */
    cab_viewer_tick(v, frame_time);
    assert_false(v->edit.changed);
    assert_true(v->unsaved);
    cab_vec3 moved = v->scene->cables[0].path[1];
    check_point(moved, 0.3, 0, moved.z, 1e-6);
    assert_true(moved.z < 0.75);
    double lowest = 1;
    draw(v);
    for (int i = 0; i < 21; i++) lowest = fmin(lowest, row(v, i)[2]);
    assert_float_equal(lowest, moved.z, 5e-3); /* the curve goes through its point; nodes are 30 mm apart */
    cab_viewer_edit_drop(v, true);
    assert_int_equal(v->edit.held, -1);
    assert_true(cab_viewer_save(v, "moved.json"));
    assert_false(v->unsaved);
    cab_scene *saved;
    CHECK(cab_scene_load("moved.json", NULL, 0, &saved, &error));
    check_point(saved->cables[0].path[1], moved.x, moved.y, moved.z, 0);
    cab_scene_destroy(saved);
    cab_viewer_play(v, true); /* leaves editing */
    assert_false(v->edit.on);
    play(v, 3);
    cab_viewer_destroy(v);
}

/* A drag that is taken back leaves the scene as it was. */
static void test_path_escape(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    cab_viewer_select(v, 0);
    assert_true(cab_viewer_edit_path(v, true));
    float at[2];
    hold_handle(v, 1, at);
    cab_viewer_edit_to(v, at[0] + 30, at[1] + 40);
    v->inside->remade_at = 0;
    cab_viewer_tick(v, frame_time);
    assert_true(fabs(v->scene->cables[0].path[1].z - 0.8) > 0.01);
    cab_viewer_escape(v);
    assert_int_equal(v->edit.held, -1);
    assert_true(v->edit.on);
    check_point(v->scene->cables[0].path[1], 0.3, 0, 0.8, 0);
    check_point(v->edit.points[1], 0.3, 0, 0.8, 0);
    assert_false(v->unsaved);
    cab_viewer_escape(v);
    assert_false(v->edit.on);
    cab_viewer_destroy(v);
}

/* A joint's points and the hook go along; copies show their own place and move the first. */
static void test_path_goes_along(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    cab_viewer_select(v, 0);
    assert_true(cab_viewer_edit_path(v, true));
    float at[2];
    hold_handle(v, 2, at); /* joined to "b" */
    cab_viewer_edit_axis(v, 'x');
    cab_viewer_edit_to(v, at[0] + 40, at[1]);
    cab_viewer_edit_drop(v, true);
    cab_vec3 joint = v->scene->cables[0].path[2];
    assert_true(joint.x > 0.62);
    check_point(v->scene->cables[1].path[0], joint.x, joint.y, joint.z, 0);
    hold_handle(v, 0, at); /* on a hook */
    cab_viewer_edit_axis(v, 'z');
    cab_viewer_edit_to(v, at[0], at[1] - 40);
    cab_viewer_edit_drop(v, true);
    cab_vec3 hook = v->scene->cables[0].path[0];
    assert_true(hook.z > 1.02);
    check_point(v->scene->attachments[0].point, hook.x, hook.y, hook.z, 0);
    cab_viewer_select(v, 3); /* the second copy of "c" */
    check_point(v->edit.points[1], 0.6, 0.6, 1, 1e-9);
    draw(v);
    hold_handle(v, 1, at);
    cab_viewer_edit_axis(v, 'y');
    cab_viewer_edit_to(v, at[0] + 30, at[1]);
    cab_viewer_edit_drop(v, true);
    double y = v->scene->cables[2].path[1].y;
    assert_true(fabs(y - 0.4) > 0.01);
    check_point(v->edit.points[1], 0.6, y + 0.2, 1, 1e-6);
    cab_viewer_destroy(v);
}

/* Points that make no scene are told, and the last good scene stays. */
static void test_path_refused(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    cab_viewer_select(v, 1);
    assert_true(cab_viewer_edit_path(v, true));
    cab_viewer_set_view(v, "front");
    draw(v);
    float at[2], onto[2];
    hold_handle(v, 1, at);
    pixel_of_point(v, v->edit.points[0], onto);
    cab_viewer_edit_to(v, onto[0], onto[1]); /* a path of no length */
    v->edit.points[1] = v->edit.points[0];
    cab_viewer_edit_drop(v, true);
    assert_true(v->message_is_error);
    check_point(v->scene->cables[1].path[1], 0.6, 0, 0.7, 0);
    check_point(v->edit.points[1], 0.6, 0, 0.7, 0);
    assert_false(v->unsaved);
    step(v, 1);
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_grab),
        cmocka_unit_test(test_grab_a_body),
        cmocka_unit_test(test_changes_while_pulling),
        cmocka_unit_test(test_grab_of_what_is_held),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_path_escape),
        cmocka_unit_test(test_path_goes_along),
        cmocka_unit_test(test_path_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
