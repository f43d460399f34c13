/* What the viewer frames at first, and how its camera follows what leaves the picture. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer_cables.h"

/* A cable of 0.4 m that is thrown off a table, over a floor of 60 m, with a mast in the distance. */
static const char thrown_text[] =
    "{\"clcable\": 1, \"time\": {\"duration\": 2, \"frame_rate\": 60, \"substeps\": 5},\n"
    " \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05, \"damping\": 1}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,20],[0.4,0,20.1]], "
    "\"segments\": 10,"
    " \"velocity\": [3,0,4]}],\n"
    " \"colliders\": [{\"shape\": \"box\", \"center\": [0,0,-0.5], \"half_extents\": [30,30,0.5]},\n"
    "  {\"shape\": \"sphere\", \"center\": [0.2,0,19.9], \"radius\": 0.05},\n"
    "  {\"shape\": \"box\", \"center\": [25,20,5], \"half_extents\": [0.5,0.5,5]}]}\n";

static const text_file thrown_files[] = {{"thrown.json", thrown_text}};

/* What is drawn does not matter here, only where: so no shadows, no occlusion. */
static cab_viewer *open_thrown(void)
{
    cab_viewer *v = open_viewer("thrown.json");
    v->look.shadow_size = 0;
    v->look.occlusion = v->look.grid = false;
    return v;
}

/* The box of all nodes in the picture, parts of its width and height, from its upper left corner. */
typedef struct extent {
    float lo[2], hi[2];
} extent;

static extent extent_of(const cab_viewer *v)
{
    extent e = {{1e9f, 1e9f}, {-1e9f, -1e9f}};
    for (int i = 0; i < v->info.nodes; i++) {
        float at[2];
        pixel_of(v, i, at);
        for (int k = 0; k < 2; k++) {
            float part = at[k] / (float)(k ? HEIGHT : WIDTH);
            e.lo[k] = fminf(e.lo[k], part);
            e.hi[k] = fmaxf(e.hi[k], part);
        }
    }
    return e;
}

static bool is_inside(extent e)
{
    return e.lo[0] > 0 && e.lo[1] > 0 && e.hi[0] < 1 && e.hi[1] < 1;
}

static float size_of(extent e)
{
    return fmaxf(e.hi[0] - e.lo[0], e.hi[1] - e.lo[1]);
}

/* With floor and mast the cable would be 2 pixels wide instead of 375; a small thing beside it is seen, too. */
static void test_the_first_picture_is_of_cables(void **state)
{
    (void)state;
    cab_viewer *v = open_thrown();
    float at[2];
    assert_true(v->following);
    assert_true(is_inside(extent_of(v)));
    assert_true(size_of(extent_of(v)) > 0.5f);
    pixel_of_point(v, (cab_vec3){0.2, 0, 19.85}, at);
    assert_true(at[1] > 0 && at[1] < HEIGHT);
    cab_viewer_destroy(v);
}

static void test_a_thrown_cable_stays_in_the_picture(void **state)
{
    (void)state;
    cab_viewer *v = open_thrown();
    float before = row(v, 5)[2];
    cab_camera first = v->camera;
    cab_viewer_play(v, true);
    for (int i = 0; i < 60; i++) {
        cab_viewer_tick(v, frame_time);
        cab_viewer_tick(v, frame_time);
        draw(v);
        assert_true(is_inside(extent_of(v)));
    }
    assert_float_equal(v->clock.time, 2, 1e-6);
    assert_true(fabsf(row(v, 5)[2] - before) > 3);
    assert_true(size_of(extent_of(v)) > 0.25f); /* 0.94 / 3.5, as far away as the camera may be */
    assert_true(cab_viewer_reset(v)); /* as it began, also in a picture that the window has not shown */
    assert_true(cab_viewer_save_picture(v, "again.png"));
    assert_int_equal(unlink("again.png"), 0);
    assert_memory_equal(&first, &v->camera, sizeof first);
    draw(v);
    assert_true(is_inside(extent_of(v)) && v->following);
    cab_viewer_destroy(v);
}

/* Whatever moves the camera, it is the user's from then on, until all is fitted again. */
static void test_the_hand_ends_it(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        cab_viewer *v = open_thrown();
        play(v, 5);
        cab_camera seen = v->camera;
        play(v, 5);
        assert_memory_not_equal(&seen, &v->camera, sizeof seen);
        if (way == 0) cab_viewer_orbit(v, 0.1f, 0);
        if (way == 1) cab_viewer_zoom_at(v, (float[2]){10, 10}, 0.9f);
        if (way == 2) cab_camera_pan(&v->camera, 0.1f, 0); /* as the window does */
        if (way == 3) cab_viewer_set_view(v, "front");
        seen = v->camera;
        play(v, 80);
        assert_memory_equal(&seen, &v->camera, sizeof seen);
        assert_false(v->following || is_inside(extent_of(v)));
        cab_viewer_reset(v);
        draw(v);
        assert_memory_equal(&seen, &v->camera, sizeof seen);
        cab_viewer_fit(v);
        play(v, 20);
        assert_true(v->following && is_inside(extent_of(v)));
        assert_memory_not_equal(&seen, &v->camera, sizeof seen);
        cab_viewer_destroy(v);
    }
}

/* What the mouse holds stays under it. */
static void test_not_while_something_is_held(void **state)
{
    (void)state;
    cab_viewer *v = open_thrown();
    float at[2];
    pixel_of(v, 5, at);
    assert_true(cab_viewer_grab(v, at[0], at[1]));
    cab_camera seen = v->camera;
    cab_viewer_grab_to(v, at[0] + 5, at[1]);
    play(v, 20);
    assert_memory_equal(&seen, &v->camera, sizeof seen);
    cab_viewer_let_go(v);
    play(v, 60);
    assert_memory_not_equal(&seen, &v->camera, sizeof seen);
    assert_true(v->following);
    cab_viewer_destroy(v);
}

static int setup_thrown(void **state)
{
    (void)state;
    return start_viewers(thrown_files, COUNT(thrown_files));
}

static int teardown_thrown(void **state)
{
    (void)state;
    return stop_viewers(thrown_files, COUNT(thrown_files), NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_picture_is_of_cables),
        cmocka_unit_test(test_a_thrown_cable_stays_in_the_picture),
        cmocka_unit_test(test_the_hand_ends_it),
        cmocka_unit_test(test_not_while_something_is_held),
    };
    return cmocka_run_group_tests(tests, setup_thrown, teardown_thrown);
}
