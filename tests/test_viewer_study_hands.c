/* What the mouse does to studies in the viewer: pulling at particles and planar bodies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer_studies.h"

/* A place of the study in the picture. */
static void pixel_of(const cab_viewer *v, double x, double y, float at[2])
{
    vec3 point = {(float)x, 0, (float)y};
    assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, point, at));
}

static float highest(cab_viewer *v)
{
    draw(v);
    return cab_renderer_bounds(v->renderer).hi[2];
}

/* The chain's end follows the mouse up instead of falling. */
static void test_grab(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("chain.json");
    float at[2], up[2], start = highest(v);
    pixel_of(v, 1, 0, at);
    pixel_of(v, 0.8, 0.4, up);
    assert_false(cab_viewer_grab(v, at[0], at[1] + 80)); /* beside it */
    assert_true(cab_viewer_grab(v, at[0] + 2, at[1] + 2));
    assert_true(v->grab.held && v->selected < 0);
    cab_viewer_grab_to(v, up[0], up[1]);
    assert_true(fabsf(v->grab.point[0] - 0.8f) < 1e-3f && fabsf(v->grab.point[2] - 0.4f) < 1e-3f);
    assert_true(highest(v) > 0.38f); /* the hand is seen before anything moves */
    step(v, 40);
    cab_viewer_let_go(v);
    assert_false(v->grab.held);
    assert_true(highest(v) > start + 0.2f); /* what was pulled is there without the hand */
    assert_true(cab_viewer_reset(v));
    assert_true(highest(v) == start);
    step(v, 40);
    assert_true(highest(v) < start + 0.01f); /* by itself it only swings */
    cab_viewer_destroy(v);
}

/* A planar body follows the mouse up instead of falling. */
static void test_grab_of_bodies(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("planar/demo-1.json");
    float at[2], to[2];
    pixel_of(v, -1.3, 0.64, at); /* the ball, 0.5 kg, as high as anything */
    pixel_of(v, -1.3, 1.3, to);
    assert_true(cab_viewer_grab(v, at[0], at[1]));
    cab_viewer_grab_to(v, to[0], to[1]);
    assert_true(fabsf(v->grab.point[0] + 1.3f) < 1e-3f && fabsf(v->grab.point[2] - 1.3f) < 1e-3f);
    step(v, 40);
    cab_viewer_let_go(v);
    assert_true(highest(v) > 0.9f); /* the ball itself: the hand is not drawn any more */
    assert_true(cab_viewer_reset(v));
    step(v, 40);
    assert_true(highest(v) < 0.8f);
    cab_viewer_destroy(v);
}

/* The hand keeps to the study's plane from wherever one looks, unless along it. */
static void test_grab_from_aside(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("particles/mouse.json");
    float at[2], to[2];
    cab_viewer_orbit(v, 0.7f, 0.3f);
    for (int perspective = 0; perspective < 2; perspective++) {
        v->camera.orthographic = !perspective;
        pixel_of(v, 1.6, 0, at);
        pixel_of(v, 1.2, 0.3, to);
        assert_true(cab_viewer_grab(v, at[0], at[1]));
        cab_viewer_grab_to(v, to[0], to[1]);
        assert_true(fabsf(v->grab.point[0] - 1.2f) < 1e-3f && fabsf(v->grab.point[2] - 0.3f) < 1e-3f);
        assert_true(fabsf(v->grab.point[1]) < 1e-4f);
        cab_viewer_let_go(v);
    }
    cab_viewer_set_view(v, "right");
    assert_false(cab_viewer_grab(v, WIDTH / 2.0f, HEIGHT / 2.0f));
    cab_viewer_destroy(v);
}

/* Something is made anew while the mouse holds it: the hand is empty then. */
static void test_changes_while_pulling(void **state)
{
    (void)state;
    cab_choice c;
    cab_viewer *v = open_viewer("particles/mouse.json");
    int form = find_choice(v, "constraints", &c);
    for (int change = 0; change < 3; change++) {
        float at[2];
        assert_true(cab_viewer_reset(v));
        pixel_of(v, 1.6, 0, at);
        assert_true(cab_viewer_grab(v, at[0], at[1]));
        cab_viewer_grab_to(v, at[0], at[1] - 30);
        step(v, 5);
        if (change == 0) assert_true(cab_viewer_choose(v, form, 1));
        if (change == 1) assert_true(cab_viewer_reset(v));
        if (change == 2) cab_viewer_escape(v);
        assert_false(v->grab.held || v->failed);
        cab_viewer_grab_to(v, at[0], at[1]); /* the mouse is still down */
        step(v, 5);
        cab_viewer_let_go(v);
    }
    cab_viewer_destroy(v);
}

/* Where a kind has no hands that is said, and the drag is not taken. */
static void test_nothing_to_pull(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("planar/demo-1.json");
    cab_study_kind without = *v->study;
    without.grab = NULL;
    const cab_study_kind *kind = v->study;
    v->study = &without;
    float at[2];
    pixel_of(v, 0, 0, at);
    assert_false(cab_viewer_grab(v, at[0], at[1]));
    assert_non_null(strstr(v->message, "nothing to pull"));
    v->study = kind;
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grab),
        cmocka_unit_test(test_grab_of_bodies),
        cmocka_unit_test(test_grab_from_aside),
        cmocka_unit_test(test_changes_while_pulling),
        cmocka_unit_test(test_nothing_to_pull),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
