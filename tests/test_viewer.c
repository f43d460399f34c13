/* The viewer's commands without a window: time, hands, changes of the scene, files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <cglm/cglm.h>

#include "model/scene.h"
#include "view/gl/canvas.h"
#include "view/gl/headless.h"
#include "view/viewer/viewer_inside.h"

enum { WIDTH = 480, HEIGHT = 320 };

static cab_headless *headless;
static cab_canvas canvas;
static cab_error error;
static char folder[] = "/tmp/clcable-viewer-XXXXXX";
static const double frame_time = 1.0 / 60;

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (call) fail_msg("%s", error.message);                                                             \
    } while (0)

/* A cable between two hooks and a joint in it, and one that lies beside it. */
static const char scene_text[] =
    "{\"clcable\": 1, \"time\": {\"duration\": 1, \"frame_rate\": 60, \"substeps\": 10},\n"
    " \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05, \"damping\": 1}},\n"
    " \"cables\": [\n"
    "  {\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.3,0,0.8],[0.6,0,1]],"
    " \"curve\": \"catmull-rom\", \"segments\": 20},\n"
    "  {\"name\": \"b\", \"material\": \"wire\", \"path\": [[0.6,0,1],[0.6,0,0.7]], \"segments\": 10},\n"
    "  {\"name\": \"c\", \"material\": \"wire\", \"path\": [[0,0.4,1],[0.6,0.4,1]], \"segments\": 20,"
    " \"copies\": {\"count\": [1,2,1], \"spacing\": [0,0.2,0]}}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": [0,0,1]},\n"
    "  {\"cable\": \"b\", \"at\": \"start\", \"to\": {\"cable\": \"a\", \"at\": \"end\"}},\n"
    "  {\"cable\": \"c\", \"at\": \"start\", \"to\": \"here\"}, {\"cable\": \"c\", \"at\": \"end\", \"to\": "
    "\"here\"}]}\n";

/* Explicit springs that are far too stiff for their step: it diverges. */
static const char wild_text[] =
    "{\"clcable\": 1, \"time\": {\"substeps\": 1}, \"method\": \"springs\",\n"
    " \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05, \"stretching_stiffness\": "
    "1e6}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.6,0,1]], \"segments\": "
    "20}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\"}]}\n";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    (void)state;
    if (cab_headless_create(&headless, &error)) return -1;
    if (cab_canvas_create(&canvas, WIDTH, HEIGHT, &error)) return -1;
    if (!mkdtemp(folder) || chdir(folder)) return -1;
    write_file("net.json", scene_text);
    write_file("wild.json", wild_text);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cab_canvas_free(&canvas);
    cab_headless_destroy(headless);
    static const char *const files[] = {"net.json",     "wild.json",    "moved.json",
                                        "net-0001.png", "net-0002.png", "seen.png"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) unlink(files[i]);
    return chdir("/") || rmdir(folder);
}

static void draw(cab_viewer *v)
{
    CHECK(cab_viewer_draw(v, canvas.framebuffer, WIDTH, HEIGHT, &error));
}

/* Opened, drawn once, paused. */
static cab_viewer *open_viewer(const char *path)
{
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.threads = 1;
    def.look.samples = 1;
    cab_viewer *v;
    CHECK(cab_viewer_create(&v, path, &def, &error));
    assert_true(v->playing);
    cab_viewer_play(v, false);
    draw(v);
    return v;
}

static const float *row(const cab_viewer *v, int node)
{
    return cab_renderer_rows(v->renderer)[node];
}

/* Where a node is in the picture. */
static void pixel_of(const cab_viewer *v, int node, float at[2])
{
    assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, row(v, node), at));
}

static void pixel_of_point(const cab_viewer *v, cab_vec3 p, float at[2])
{
    assert_true(
        cab_overlay_project(&v->camera, WIDTH, HEIGHT, (vec3){(float)p.x, (float)p.y, (float)p.z}, at));
}

static void test_open(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    assert_int_equal(v->info.cables, 4);
    assert_int_equal(v->info.frame, 0);
    assert_string_equal(v->path, "net.json");
    for (int i = 0; i < v->info.nodes; i++) { /* the camera was fitted */
        float at[2];
        pixel_of(v, i, at);
        assert_true(at[0] > 0 && at[0] < WIDTH && at[1] > 0 && at[1] < HEIGHT);
    }
    assert_false(v->changed);
    assert_false(cab_viewer_is_busy(v));
    cab_viewer_destroy(v);

    cab_viewer_def def = cab_viewer_default();
    assert_int_equal(cab_viewer_create(&v, "nowhere.json", &def, &error), CAB_ERROR_IO);
    assert_non_null(strstr(error.message, "nowhere.json"));
}

static void test_step_and_pace(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    cab_viewer_tick(v, 1); /* paused: nothing moves */
    assert_int_equal(v->info.frame, 0);
    assert_true(cab_viewer_step(v));
    assert_int_equal(v->info.frame, 1);
    cab_viewer_play(v, true);
    assert_true(cab_viewer_is_busy(v));
    for (int i = 0; i < 10; i++) cab_viewer_tick(v, frame_time);
    assert_int_equal(v->info.frame, 11);
    cab_viewer_set_speed(v, 0.5);
    for (int i = 0; i < 10; i++) cab_viewer_tick(v, frame_time);
    assert_int_equal(v->info.frame, 16);
    cab_viewer_set_speed(v, 2);
    for (int i = 0; i < 5; i++) cab_viewer_tick(v, frame_time);
    assert_in_range(v->info.frame, 16 + 5, 16 + 11); /* fewer where a frame takes more than the budget */
    cab_viewer_set_speed(v, 1000);
    assert_true(v->speed == CAB_SPEED_MOST);
    assert_true(cab_viewer_step(v)); /* pauses */
    assert_false(v->playing);
    cab_viewer_destroy(v);
}

/* What cannot be kept up with is dropped, not made up for later. */
static void test_falling_behind(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    assert_true(cab_viewer_set_substeps(v, 20000)); /* a frame takes longer than the budget */
    cab_viewer_play(v, true);
    cab_viewer_set_speed(v, CAB_SPEED_MOST);
    cab_viewer_tick(v, 100);
    assert_int_equal(v->info.frame, 1);
    cab_viewer_tick(v, 0);
    assert_in_range(v->info.frame, 1, 2);
    int frame = v->info.frame;
    cab_viewer_tick(v, 0);
    assert_int_equal(v->info.frame, frame);
    assert_true(v->step_time > 0 && v->pace < CAB_SPEED_MOST);
    cab_viewer_destroy(v);
}

static float *copy_rows(cab_viewer *v)
{
    size_t bytes = (size_t)v->info.nodes * 4 * sizeof(float);
    float *copy = malloc(bytes);
    assert_non_null(copy);
    draw(v);
    memcpy(copy, row(v, 0), bytes);
    return copy;
}

static void step(cab_viewer *v, int frames)
{
    for (int i = 0; i < frames; i++) assert_true(cab_viewer_step(v));
}

static void test_reset_gives_the_same_bytes(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    size_t bytes = (size_t)v->info.nodes * 4 * sizeof(float);
    float *first = copy_rows(v);
    step(v, 20);
    float *later = copy_rows(v);
    assert_memory_not_equal(first, later, bytes);
    assert_true(cab_viewer_reset(v));
    assert_int_equal(v->info.frame, 0);
    float *again = copy_rows(v);
    assert_memory_equal(first, again, bytes);
    step(v, 20);
    float *later_again = copy_rows(v);
    assert_memory_equal(later, later_again, bytes);
    free(first);
    free(later);
    free(again);
    free(later_again);
    cab_viewer_destroy(v);
}

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

static void play(cab_viewer *v, int frames)
{
    cab_viewer_play(v, true);
    for (int i = 0; i < frames; i++) cab_viewer_tick(v, frame_time);
    draw(v);
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

/* A node that an attachment holds cannot be pulled: told, nothing held. */
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

static void test_live_changes_keep_the_motion(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    step(v, 20);
    float *before = copy_rows(v);
    assert_true(cab_viewer_set_method(v, CAB_METHOD_DIRECT));
    assert_int_equal(cab_scene_settings(v->scene)->method, CAB_METHOD_DIRECT);
    assert_true(cab_viewer_set_substeps(v, 7));
    assert_true(cab_viewer_set_iterations(v, 2));
    assert_true(cab_viewer_set_device(v, "native"));
    assert_int_equal(cab_scene_settings(v->scene)->substeps, 7);
    assert_int_equal(cab_scene_settings(v->scene)->iterations, 2);
    assert_int_equal(v->info.frame, 20);
    float *after = copy_rows(v);
    for (int i = 0; i < 4 * v->info.nodes; i++) /* a place is kept in two numbers; rows have their sum */
        assert_float_equal(before[i], after[i], 1e-6);
    step(v, 5);
    assert_int_equal(v->info.frame, 25);
    assert_true(cab_viewer_set_friction(v, 0, 0.75));
    assert_true(v->scene->materials[0].friction == 0.75);
    step(v, 1);
    assert_true(cab_viewer_reset(v));
    assert_true(cab_viewer_material(v, 0)->friction == 0.75);
    assert_int_equal(cab_scene_settings(v->scene)->method, CAB_METHOD_DIRECT);
    free(before);
    free(after);
    cab_viewer_destroy(v);
}

/* What cannot be had leaves everything as it was. */
static void test_refused_changes(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    step(v, 3);
    const cab_world *world = v->world;
    assert_false(cab_viewer_set_device(v, "abacus"));
    assert_true(v->message_is_error);
    assert_non_null(strstr(v->message, "abacus"));
    assert_false(cab_viewer_set_substeps(v, 0));
    assert_non_null(strstr(v->message, "/time/substeps"));
    assert_false(
        cab_viewer_set(v, "/cables/0/segments", "30")); /* another cable: it cannot go on as this one */
    assert_false(cab_viewer_set_friction(v, 0, -1));
    assert_false(cab_viewer_open(v, "nowhere.json"));
    assert_non_null(strstr(v->message, "nowhere.json"));
    assert_string_equal(v->path, "net.json");
    assert_ptr_equal(v->world, world);
    assert_int_equal(v->info.frame, 3);
    step(v, 1);
    draw(v);
    assert_true(cab_viewer_open(v, "wild.json"));
    assert_string_equal(v->path, "wild.json");
    assert_int_equal(v->info.cables, 1);
    draw(v);
    cab_viewer_destroy(v);
}

static void test_failed_world(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("wild.json");
    for (int i = 0; i < 600 && !v->failed; i++) cab_viewer_step(v);
    assert_true(v->failed);
    assert_true(v->message_is_error);
    assert_non_null(strstr(v->message, "\"a\""));
    draw(v); /* as it was last seen */
    assert_false(cab_viewer_step(v));
    cab_viewer_play(v, true);
    assert_false(v->playing);
    assert_false(cab_viewer_grab(v, WIDTH / 2.0f, HEIGHT / 2.0f));
    assert_true(cab_viewer_reset(v));
    assert_false(v->failed);
    step(v, 1);
    draw(v);
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

static long size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) ? -1 : (long)info.st_size;
}

static void test_screenshots(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    write_file("net-0001.png", "mine");
    assert_true(cab_viewer_screenshot(v));
    assert_int_equal(size_of("net-0001.png"), 4);
    assert_true(size_of("net-0002.png") > 1000);
    assert_non_null(strstr(v->message, "net-0002.png"));
    assert_true(cab_viewer_save_picture(v, "seen.png"));
    assert_int_equal(size_of("seen.png"), size_of("net-0002.png"));
    assert_false(cab_viewer_save_picture(v, "nowhere/seen.png"));
    cab_viewer_destroy(v);
}

static void test_quit(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    v->unsaved = true;
    cab_viewer_quit(v);
    assert_false(v->quit);
    cab_viewer_tell(v, false, "something else");
    cab_viewer_quit(v);
    assert_false(v->quit);
    cab_viewer_quit(v);
    assert_true(v->quit);
    v->quit = v->unsaved = false;
    cab_viewer_quit(v);
    assert_true(v->quit);
    cab_viewer_destroy(v);
}

/* Another scene would lose them, too. */
static void test_open_keeps_what_is_not_saved(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    v->unsaved = true;
    assert_false(cab_viewer_open(v, "wild.json"));
    assert_string_equal(v->path, "net.json");
    assert_non_null(strstr(v->message, "not saved"));
    assert_true(cab_viewer_open(v, "wild.json"));
    assert_string_equal(v->path, "wild.json");
    assert_false(v->unsaved);
    cab_viewer_destroy(v);
}

/* Each world says the same when it is made; the log has it once. */
static void count_shared(void *user, int level, const char *text)
{
    (void)level;
    *(int *)user += strstr(text, "no buffers shared with OpenGL") != NULL;
}

static void test_log_tells_once(void **state)
{
    (void)state;
    static const cab_gl gl = {.interop = CAB_INTEROP_AUTO};
    int count = 0;
    cab_viewer *v;
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.gl = &gl;
    def.log = count_shared;
    def.user = &count;
    CHECK(cab_viewer_create(&v, "net.json", &def, &error));
    assert_true(cab_viewer_reset(v) && cab_viewer_set_substeps(v, 12));
    assert_int_equal(count, 1);
    cab_viewer_destroy(v);
}

/* The window's loop ends with what this returns, the program with 1. */
static void test_an_error_of_opengl_ends_it(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    draw(v);
    glEnable(0xFFFF); /* no capability has that number */
    assert_int_equal(cab_viewer_draw(v, canvas.framebuffer, WIDTH, HEIGHT, &error), CAB_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "OpenGL, "));
    assert_null(strchr(error.message, '\n'));
    draw(v); /* told once */
    cab_viewer_destroy(v);
}

/* A change of what colours mean, of the view. */
static void test_look(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    step(v, 10);
    cab_look look = v->look;
    look.quantity = CAB_QUANTITY_TENSION;
    look.paint = CAB_PAINT_MATERIAL;
    cab_viewer_set_look(v, &look);
    draw(v);
    assert_true(row(v, 0)[3] != 0);
    cab_viewer_set_view(v, "top");
    assert_true(v->camera.orthographic && v->changed);
    cab_viewer_fit(v);
    draw(v);
    assert_float_equal(v->camera.target[0], 0.3, 0.1);
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_step_and_pace),
        cmocka_unit_test(test_falling_behind),
        cmocka_unit_test(test_reset_gives_the_same_bytes),
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_grab),
        cmocka_unit_test(test_changes_while_pulling),
        cmocka_unit_test(test_grab_of_what_is_held),
        cmocka_unit_test(test_live_changes_keep_the_motion),
        cmocka_unit_test(test_refused_changes),
        cmocka_unit_test(test_failed_world),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_path_escape),
        cmocka_unit_test(test_path_goes_along),
        cmocka_unit_test(test_path_refused),
        cmocka_unit_test(test_screenshots),
        cmocka_unit_test(test_quit),
        cmocka_unit_test(test_open_keeps_what_is_not_saved),
        cmocka_unit_test(test_log_tells_once),
        cmocka_unit_test(test_an_error_of_opengl_ends_it),
        cmocka_unit_test(test_look),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
