/* Cameras: rays, views, moves, and how they fit what there is to see. No OpenGL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worlds.h"

#include <cglm/cglm.h>

#include "view/camera/follow.h"

static const float aspects[] = {16.0f / 9, 1, 0.6f};

static cab_camera camera_at(int view, bool orthographic)
{
    cab_camera camera = cab_camera_default();
    assert_true(cab_camera_set_view(&camera, cab_camera_view_name(view)));
    camera.orthographic = orthographic;
    camera.distance = 4;
    glm_vec3_copy((vec3){0.3f, -0.2f, 0.5f}, camera.target);
    return camera;
}

/* In the picture: x, y from -1 to 1, and the depth that GL takes. */
static void project(const cab_camera *camera, const cab_bounds *bounds, float aspect, const vec3 point,
                    vec3 to)
{
    mat4 view, projection;
    vec4 at = {point[0], point[1], point[2], 1};
    cab_camera_matrices(camera, bounds, aspect, view, projection);
    glm_mat4_mulv(view, at, at);
    glm_mat4_mulv(projection, at, at);
    assert_true(at[3] > 0);
    for (int k = 0; k < 3; k++) to[k] = at[k] / at[3];
}

static const cab_bounds box = {{-0.5f, -1, 0}, {1, 0.5f, 0.8f}};

static void corner_of(int index, vec3 corner)
{
    for (int k = 0; k < 3; k++) corner[k] = index >> k & 1 ? box.hi[k] : box.lo[k];
}

/* A camera of each view, with and without perspective, for each form of picture. */
typedef void (*visit)(cab_camera camera, float aspect);

static void with_all(visit call)
{
    for (int i = 0; cab_camera_view_name(i); i++) {
        for (int k = 0; k < 2 * COUNT_OF(aspects); k++) call(camera_at(i, k % 2), aspects[k / 2]);
    }
}

static void check_ray(cab_camera camera, float aspect)
{
    for (int i = 0; i < 8; i++) {
        vec3 corner, at, origin, direction, way;
        corner_of(i, corner);
        project(&camera, &box, aspect, corner, at);
        cab_camera_ray(&camera, aspect, at[0], at[1], origin, direction);
        near_to(glm_vec3_norm(direction), 1, 1e-6);
        glm_vec3_sub(corner, origin, way);
        float along = glm_vec3_dot(way, direction);
        assert_true(along > 0);
        glm_vec3_muladds(direction, along, origin);
        near_to(glm_vec3_distance(origin, corner), 0, 1e-5); /* 4 m in floats, through two matrices */
    }
}

static void test_rays_go_through_what_is_seen_there(void **state)
{
    (void)state;
    with_all(check_ray);
}

static void check_depth(cab_camera camera, float aspect)
{
    for (int i = 0; i < 8; i++) {
        vec3 corner, at;
        corner_of(i, corner);
        project(&camera, &box, aspect, corner, at);
        assert_true(at[2] > -1 && at[2] < 1);
    }
}

static void test_depth_encloses_the_bounds(void **state)
{
    (void)state;
    with_all(check_depth);
}

static void test_views_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        vec3 forward, up;
    } known[] = {{"front", {0, 1, 0}, {0, 0, 1}},  {"back", {0, -1, 0}, {0, 0, 1}},
                 {"right", {-1, 0, 0}, {0, 0, 1}}, {"left", {1, 0, 0}, {0, 0, 1}},
                 {"top", {0, 0, -1}, {0, 1, 0}},   {"bottom", {0, 0, 1}, {0, -1, 0}}};
    for (int i = 0; i < COUNT_OF(known); i++) {
        cab_camera camera = cab_camera_default();
        vec3 forward, right, up, third;
        assert_true(cab_camera_set_view(&camera, known[i].name));
        assert_true(camera.orthographic);
        cab_camera_axes(&camera, forward, right, up);
        near_to(glm_vec3_distance(forward, (float *)known[i].forward), 0, 1e-6);
        near_to(glm_vec3_distance(up, (float *)known[i].up), 0, 1e-6);
        glm_vec3_cross(forward, up, third);
        near_to(glm_vec3_distance(right, third), 0, 1e-6);
    }
    cab_camera before = cab_camera_default(), after = before;
    assert_false(cab_camera_set_view(&after, "behind"));
    assert_memory_equal(&before, &after, sizeof after);
    assert_null(cab_camera_view_name(-1));
    assert_null(cab_camera_view_name(100));
}

static void test_orbit_stays_at_its_distance(void **state)
{
    (void)state;
    cab_camera camera = camera_at(0, false), back = camera;
    for (int i = 0; i < 40; i++) {
        vec3 eye, up;
        cab_camera_orbit(&camera, 0.7f, 0.11f);
        cab_camera_eye(&camera, eye);
        near_to(glm_vec3_distance(eye, camera.target), 4, 1e-5);
        cab_camera_axes(&camera, NULL, NULL, up);
        assert_true(up[2] >= -1e-6f); /* never head over heels */
    }
    near_to(camera.pitch, M_PI / 2, 1e-6);
    assert_true(fabsf(camera.yaw) <= (float)M_PI + 1e-5f);
    cab_camera_orbit(&back, 0.7f, 0.11f);
    cab_camera_orbit(&back, -0.7f, -0.11f);
    near_to(back.yaw, camera_at(0, false).yaw, 1e-6);
    near_to(back.pitch, camera_at(0, false).pitch, 1e-6);
}

/* What was in the middle is by as much of the picture's height to the right and up as the mouse went. */
static void check_pan(cab_camera camera, float aspect)
{
    vec3 middle, at;
    glm_vec3_copy(camera.target, middle);
    cab_camera_pan(&camera, 0.25f, -0.125f);
    project(&camera, &box, aspect, middle, at);
    near_to(at[0] * aspect, 0.5, 1e-5);
    near_to(at[1], -0.25, 1e-5);
    near_to(camera.distance, 4, 0);
}

static void test_pan_moves_with_the_mouse(void **state)
{
    (void)state;
    with_all(check_pan);
}

static void test_zoom_keeps_the_middle(void **state)
{
    (void)state;
    cab_camera camera = camera_at(0, false), before = camera;
    float height = cab_camera_height_at(&camera, camera.target);
    near_to(height, 8 * tan(before.fov / 2), 1e-5);
    cab_camera_zoom(&camera, 0.5f);
    near_to(glm_vec3_distance(camera.target, before.target), 0, 0);
    near_to(cab_camera_height_at(&camera, camera.target), height / 2, 1e-5);
    for (int i = 0; i < 200; i++) cab_camera_zoom(&camera, 0.5f);
    assert_true(camera.distance > 0);
    for (int i = 0; i < 200; i++) cab_camera_zoom(&camera, 2);
    assert_true(isfinite(camera.distance));
}

static void check_fit_box(cab_camera camera, float aspect)
{
    float widest = 0;
    cab_camera_fit(&camera, &box, aspect);
    for (int i = 0; i < 8; i++) {
        vec3 corner, at;
        corner_of(i, corner);
        project(&camera, &box, aspect, corner, at);
        widest = fmaxf(widest, fmaxf(fabsf(at[0]), fabsf(at[1])));
    }
    assert_true(widest <= 1);
    assert_true(
        widest >
        0.85f); /* the margin is 6 %; in perspective the farther corners count for more than they need */
}

static void test_boxes_fit(void **state)
{
    (void)state;
    with_all(check_fit_box);
}

/* Points of a helix: in one direction both of its edges are touched, but for the margin of 6 %. */
static void check_fit_points(cab_camera camera, float aspect)
{
    enum { POINTS = 200 };
    cab_framing fit = cab_framing_begin(&camera, aspect, 0);
    cab_bounds seen = cab_bounds_empty();
    assert_true(cab_framing_is_empty(&fit));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < POINTS; i++) {
            float angle = 0.1f * (float)i;
            vec3 at, point = {cosf(angle), 2 * sinf(angle), 0.02f * (float)i};
            if (pass == 0) {
                cab_framing_add(&fit, point, 0);
            } else {
                project(&camera, &box, aspect, point, at);
                cab_bounds_add(&seen, at);
            }
        }
        if (pass == 0) cab_framing_end(&fit, &camera);
    }
    float edge = 1 / 1.06f;
    for (int k = 0; k < 2; k++) {
        assert_true(seen.lo[k] > -edge - 1e-4f);
        assert_true(seen.hi[k] < edge + 1e-4f);
    }
    bool wide = seen.lo[0] < -edge + 1e-4f && seen.hi[0] > edge - 1e-4f;
    bool high = seen.lo[1] < -edge + 1e-4f && seen.hi[1] > edge - 1e-4f;
    assert_true(wide || high);
}

static void test_points_fit_closely(void **state)
{
    (void)state;
    with_all(check_fit_points);
}

static void test_nothing_to_fit_moves_nothing(void **state)
{
    (void)state;
    cab_camera camera = camera_at(0, false), before = camera;
    cab_bounds nothing = cab_bounds_empty();
    assert_true(cab_bounds_is_empty(&nothing));
    cab_camera_fit(&camera, &nothing, 1);
    cab_framing fit = cab_framing_begin(&camera, 1, 0);
    cab_framing_end(&fit, &camera);
    assert_memory_equal(&camera, &before, sizeof camera);
}

/* A rod of this length at a place, with the slant of a cable: what is to be followed. */
static cab_framing rod(const cab_camera *camera, float aspect, const vec3 middle, float length)
{
    cab_framing fit = cab_framing_begin(camera, aspect, 0);
    for (int i = -5; i <= 5; i++) {
        float along = 0.1f * length * (float)i;
        cab_framing_add(&fit, (vec3){middle[0] + 0.8f * along, middle[1], middle[2] + 0.6f * along}, 0.01f);
    }
    return fit;
}

/* How far the ends of the rod are from the middle of the picture, 1 = its edge; and how far from each other. */
static void look_at_rod(const cab_camera *camera, float aspect, const vec3 middle, float length, float *out,
                        float *size)
{
    vec3 at[2];
    *out = 0;
    for (int i = 0; i < 2; i++) {
        float along = (i ? 0.5f : -0.5f) * length;
        project(camera, &box, aspect, (vec3){middle[0] + 0.8f * along, middle[1], middle[2] + 0.6f * along},
                at[i]);
        for (int k = 0; k < 2; k++) *out = fmaxf(*out, fabsf(at[i][k]));
    }
    *size = fmaxf(fabsf(at[1][0] - at[0][0]), fabsf(at[1][1] - at[0][1])) / 2;
}

/* Fits the camera to the rod, and begins to follow it. */
static cab_follow begin_rod(cab_camera *camera, float aspect, const vec3 middle)
{
    cab_follow follow;
    cab_framing fit = rod(camera, aspect, middle, 0.4f);
    cab_framing_end(&fit, camera);
    cab_follow_begin(&follow, &fit);
    return follow;
}

/* Up, away and down for 3 s: in each frame it is in the picture, and not farther away than it may be. The camera never goes faster than
 * what it follows, 25 m/s at the end, and the fifth more with which it catches up softly. */
static cab_camera throw_rod(cab_camera camera, float aspect)
{
    cab_follow follow = begin_rod(&camera, aspect, (vec3){0, 0, 1});
    for (int i = 1; i <= 180; i++) {
        float out, size, t = (float)i / 60;
        vec3 middle = {4 * t, -2 * t, 1 + 6 * t - 4.905f * t * t};
        cab_framing fit = rod(&camera, aspect, middle, 0.4f);
        cab_camera other = camera;
        cab_follow_step(&follow, &fit, 1.0 / 60, &camera);
        assert_true(glm_vec3_distance(other.target, camera.target) < 1.2f * 25 / 60);
        cab_framing_end(&fit, &other);
        look_at_rod(&camera, aspect, middle, 0.4f, &out, &size);
        assert_true(out < 0.98f); /* but for the margin of 6 % */
        /* 3.5 times as far as it must; where the rod's longest side is along the view 1 + 2.5 * 4 / 3 */
        assert_true(camera.distance < 4.4f * other.distance);
    }
    return camera;
}

static void check_throw(cab_camera camera, float aspect)
{
    cab_camera once = throw_rod(camera, aspect), again = throw_rod(camera, aspect);
    assert_memory_equal(&once, &again, sizeof once);
}

static void test_what_is_thrown_is_followed(void **state)
{
    (void)state;
    with_all(check_throw);
}

/* What swings is followed until all of its way is in the picture; then the camera stands still. */
static void check_swing(cab_camera camera, float aspect)
{
    cab_follow follow = begin_rod(&camera, aspect, (vec3){0, 0, 1});
    float out, size;
    for (int i = 1; i <= 1200; i++) {
        vec3 middle = {0.1f * sinf(0.1f * (float)i), 0, 1};
        cab_framing fit = rod(&camera, aspect, middle, 0.4f);
        cab_camera before = camera;
        cab_follow_step(&follow, &fit, 1.0 / 60, &camera);
        look_at_rod(&camera, aspect, middle, 0.4f, &out, &size);
        assert_true(out < 0.98f);
        if (i <= 1000) continue;
        vec3 then, now;
        project(&before, &box, aspect, (vec3){0, 0, 1}, then);
        project(&camera, &box, aspect, (vec3){0, 0, 1}, now);
        for (int k = 0; k < 2; k++) near_to(then[k], now[k], 3e-4); /* a tenth of a pixel of 640 */
    }
}

static void test_what_swings_gets_a_picture_that_stands_still(void **state)
{
    (void)state;
    cab_camera camera = camera_at(0, false);
    check_swing(camera, aspects[0]);
    check_swing(camera, aspects[1]);
    camera.orthographic = true;
    check_swing(camera, aspects[0]);
}

/* What was outside already, as the mouse has pulled it there, comes back without a jump. */
static void test_what_was_outside_comes_back_softly(void **state)
{
    (void)state;
    cab_camera camera = camera_at(0, false);
    float out, size, most = 0;
    static const vec3 start = {0, 0, 1}, pulled = {2, 0, 2};
    cab_follow follow = begin_rod(&camera, 1, start);
    cab_camera before = camera;
    cab_framing fit = rod(&camera, 1, start, 0.4f);
    cab_follow_step(&follow, &fit, 1.0 / 60, &camera); /* nothing has moved: it only rounds */
    near_to(glm_vec3_distance(before.target, camera.target), 0, 1e-6);
    near_to(before.distance, camera.distance, 1e-6);
    fit = follow.last = rod(&camera, 1, pulled, 0.4f);
    for (int i = 0; i < 240; i++) {
        before = camera;
        cab_follow_step(&follow, &fit, 1.0 / 60, &camera);
        most = fmaxf(most, glm_vec3_distance(before.target, camera.target));
    }
    look_at_rod(&camera, 1, pulled, 0.4f, &out, &size);
    assert_true(out < 0.98f);
    assert_true(most <
                0.1f * glm_vec3_distance((float *)start, (float *)pulled)); /* both soft shares: 1/15 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_go_through_what_is_seen_there),
        cmocka_unit_test(test_depth_encloses_the_bounds),
        cmocka_unit_test(test_views_have_names),
        cmocka_unit_test(test_orbit_stays_at_its_distance),
        cmocka_unit_test(test_pan_moves_with_the_mouse),
        cmocka_unit_test(test_zoom_keeps_the_middle),
        cmocka_unit_test(test_boxes_fit),
        cmocka_unit_test(test_points_fit_closely),
        cmocka_unit_test(test_nothing_to_fit_moves_nothing),
        cmocka_unit_test(test_what_is_thrown_is_followed),
        cmocka_unit_test(test_what_swings_gets_a_picture_that_stands_still),
        cmocka_unit_test(test_what_was_outside_comes_back_softly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
