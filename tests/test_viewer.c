/* The viewer's commands without a window: time, changes of the scene, pictures, opening and quitting. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "viewer_cables.h"

#include "model/scene.h"

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
    assert_true(cab_viewer_set_substeps(v, 100000)); /* a frame takes longer than the budget */
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

static void test_auto_is_among_the_methods(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    step(v, 5);
    assert_null(cab_scene_method_against(v->scene));
    assert_true(cab_viewer_set_method(v, CAB_METHOD_COUNT));
    assert_int_equal(cab_scene_settings(v->scene)->method, CAB_METHOD_DIRECT);
    assert_string_equal(cab_scene_method_against(v->scene), "");
    assert_true(cab_viewer_set(v, "/method/double_distance", "true")); /* of which direct has no use */
    assert_int_equal(cab_scene_settings(v->scene)->method, CAB_METHOD_XPBD);
    assert_true(strncmp(cab_scene_method_against(v->scene), "/method/double_distance: ", 25) == 0);
    assert_int_equal(v->info.frame, 5);
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
    /* places: xpbd's stretch is gone, which is 3.7 % where most, of 0.9 m of cable; each fourth number is a quantity */
    for (int i = 0; i < 4 * v->info.nodes; i++)
        if (i % 4 < 3) assert_float_equal(before[i], after[i], 0.035);
    step(v, 5);
    assert_int_equal(v->info.frame, 25);
    assert_true(cab_viewer_set_material(v, 0, CAB_MATERIAL_FRICTION, 0.75));
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
    assert_false(cab_viewer_set_material(v, 0, CAB_MATERIAL_FRICTION, -1));
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

/* What an error said is not true any more when something has worked; news stay. */
static void test_errors_go(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    assert_false(cab_viewer_set_substeps(v, 0));
    assert_true(v->message_is_error);
    int before = v->warnings;
    assert_true(cab_viewer_set_substeps(v, 5)); /* warns that it stretches */
    assert_false(v->message_is_error);
    assert_true(v->warnings > before);
    before = v->warnings;
    assert_true(cab_viewer_reset(v)); /* and again, which is not news */
    assert_int_equal(v->warnings, before);
    assert_false(cab_viewer_set_material(v, 0, CAB_MATERIAL_FRICTION, -1));
    assert_true(v->message_is_error && v->message[0]);
    assert_true(cab_viewer_step(v));
    assert_string_equal(v->message, "");
    cab_viewer_tell(v, false, "news");
    assert_true(cab_viewer_step(v));
    assert_string_equal(v->message, "news");
    cab_viewer_destroy(v);
}

/* Back and forth in what has been, with the same bytes, also past what has broken by diverging; a pull forgets what came after. */
static void test_going_back(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    float *seen[51] = {0};
    for (int k = 0; k <= 50; k++) {
        if (k) step(v, 1);
        draw(v);
        seen[k] = copy_rows(v);
    }
    static const int order[] = {17, 3, 0, 50, 49, 29, 31};
    for (size_t i = 0; i < COUNT(order); i++) {
        assert_true(cab_viewer_seek(v, order[i]));
        assert_int_equal(v->info.frame, order[i]);
        draw(v);
        float *now = copy_rows(v);
        assert_memory_equal(now, seen[order[i]], 4 * (size_t)v->info.nodes * sizeof *now);
        free(now);
    }
    assert_true(cab_viewer_seek(v, 1000));
    assert_int_equal(v->info.frame, 50); /* what has not been is not there */
    assert_true(cab_viewer_reset(v));
    assert_int_equal(v->history_last, 50);
    assert_true(cab_viewer_seek(v, 20));
    assert_true(cab_viewer_set_material(v, 0, CAB_MATERIAL_FRICTION, 0.8));
    assert_int_equal(v->history_first, 20); /* before it was another scene */
    assert_int_equal(v->history_last, 20);
    for (int k = 0; k <= 50; k++) free(seen[k]);
    cab_viewer_destroy(v);
    v = open_viewer("wild.json");
    cab_viewer_play(v, true);
    for (int i = 0; i < 1000 && !v->failed; i++) cab_viewer_tick(v, frame_time);
    assert_true(v->failed);
    assert_true(cab_viewer_seek(v, 0));
    assert_false(v->failed);
    assert_int_equal(v->info.frame, 0);
    cab_viewer_destroy(v);
}

/* What is kept to go back to has a limit: then every other state goes, and all frames can still be reached. */
static void test_going_back_has_a_limit(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    cab_history *h = &v->inside->history;
    h->most = 4 * h->bytes + h->bytes / 2; /* four states */
    for (int k = 0; k < 200; k++) {
        step(v, 1);
        assert_true(h->bytes <= h->most && h->count <= 4);
    }
    assert_true(h->every >= 60);
    assert_true(cab_viewer_seek(v, 7));
    assert_int_equal(v->info.frame, 7);
    cab_viewer_destroy(v);
}

/* A state that a run has left is gone on from, and is as far back as one can go. */
static void test_resume(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json"), *other = open_viewer("net.json");
    step(v, 5);
    CHECK(cab_world_save(v->world, "seen.png", &error)); /* a name that is removed at the end */
    CHECK(cab_viewer_resume(other, "seen.png", &error));
    assert_int_equal(other->info.frame, 5);
    assert_int_equal(other->history_first, 5);
    step(v, 2);
    step(other, 2);
    draw(v);
    draw(other);
    float *a = copy_rows(v), *b = copy_rows(other);
    assert_memory_equal(a, b, 4 * (size_t)v->info.nodes * sizeof *a);
    free(a);
    free(b);
    assert_int_equal(cab_viewer_resume(other, "nowhere.state", &error), CAB_ERROR_IO);
    cab_viewer_destroy(v);
    cab_viewer_destroy(other);
}

/* A video has a picture for each frame, and is whole when the viewer is gone. */
static void test_recording(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    if (!cab_viewer_record(v)) {
        assert_non_null(strstr(v->message, "ffmpeg"));
        cab_viewer_destroy(v);
        skip();
    }
    assert_true(cab_viewer_is_recording(v));
    cab_viewer_play(v, true);
    for (int i = 0; i < 5; i++) cab_viewer_tick(v, frame_time);
    assert_true(cab_viewer_record(v));
    assert_false(cab_viewer_is_recording(v));
    assert_non_null(strstr(v->message, "net-0001.mp4"));
    assert_true(cab_viewer_record(v));
    cab_viewer_tick(v, frame_time);
    assert_true(cab_viewer_open(v, "wild.json")); /* ends it */
    assert_false(cab_viewer_is_recording(v));
    cab_viewer_destroy(v);
    for (int i = 1; i <= 2; i++) {
        char name[40], head[8] = "";
        snprintf(name, sizeof name, "net-%04d.mp4", i);
        FILE *file = fopen(name, "rb");
        assert_non_null(file);
        assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
        fclose(file);
        assert_memory_equal(head + 4, "ftyp", 4);
    }
    assert_int_not_equal(access("net-0003.mp4", F_OK), 0);
}

/* Every number of a material, live or by a new world, while the cables move on; and back. */
static void test_numbers_of_materials(void **state)
{
    (void)state;
    static const double values[CAB_MATERIAL_NUMBERS] = {0.9, 0.2, 5e4, 2e-3, 3, 0.5, 0.01, 0.006};
    char path[1000];
    scene_path(path, "harness.json");
    cab_viewer *v = open_viewer(path);
    step(v, 3);
    for (int k = 0; k < CAB_MATERIAL_NUMBERS; k++) {
        cab_material_number which = (cab_material_number)k;
        double before = cab_viewer_material_number(cab_viewer_material(v, 0), which);
        const cab_world *world = v->world;
        assert_true(before != values[k]);
        if (!cab_viewer_set_material(v, 0, which, values[k])) fail_msg("%d: %s", k, v->message);
        assert_true(cab_viewer_material_number(cab_viewer_material(v, 0), which) == values[k]);
        bool live = k == CAB_MATERIAL_FRICTION || k == CAB_MATERIAL_DENSITY || k == CAB_MATERIAL_DAMPING;
        if (live) assert_ptr_equal(v->world, world);
        assert_int_equal(v->info.frame, 3 + k);
        step(v, 1);
        if (k != CAB_MATERIAL_STRETCHING) continue;
        assert_true(cab_viewer_set_material(v, 0, which, INFINITY));
        assert_true(isinf(cab_viewer_material(v, 0)->stretching_stiffness));
    }
    assert_false(cab_viewer_set_material(v, 0, CAB_MATERIAL_DENSITY, 0));
    assert_non_null(strstr(v->message, "linear_density"));
    assert_false(cab_viewer_set_material(v, 0, CAB_MATERIAL_BENDING, 0)); /* would be another scene */
    assert_non_null(strstr(v->message, "bending"));
    cab_viewer_destroy(v);
}

static void read_canvas(cab_picture *picture, cab_viewer *v)
{
    draw(v);
    CHECK(cab_picture_read(picture, canvas.framebuffer, WIDTH, HEIGHT, &error));
}

/* Share of the bytes of two pictures that differ. */
static double difference(const cab_picture *a, const cab_picture *b)
{
    long differ = 0, count = 4L * WIDTH * HEIGHT;
    for (long i = 0; i < count; i++) differ += a->rgba[i] != b->rgba[i];
    return (double)differ / (double)count;
}

/* Where drawing is slow, what moves is drawn with fewer pixels, and what stands still with all. */
static void test_coarse_pictures(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    cab_picture fine = {0}, coarse = {0}, again = {0};
    read_canvas(&fine, v);
    cab_viewer_drawn(v, 0.2, 0);
    assert_true(v->coarse == 1); /* nothing moves */
    v->dragging = true;
    cab_viewer_drawn(v, 0.2, 0.2);
    assert_true(fabs(v->picture_rate - 5) < 1e-9);
    assert_true(v->coarse == 2); /* six times as slow as it should be */
    read_canvas(&coarse, v);
    assert_true(difference(&fine, &coarse) > 0.001);
    cab_viewer_drawn(v, 0.04, 0.04);
    assert_true(fabs(v->draw_time - 0.04) < 1e-9);
    assert_true(v->coarse == 2); /* all of them would take too long again */
    v->dragging = false;
    cab_viewer_tick(v, frame_time);
    assert_true(v->changed);
    read_canvas(&again, v);
    assert_true(difference(&fine, &again) == 0);
    cab_viewer_tick(v, frame_time);
    assert_false(v->changed);
    v->dragging = true;
    for (int i = 0; i < 40; i++) cab_viewer_drawn(v, 0.004, 0.02);
    assert_true(v->coarse == 1);
    cab_picture_free(&fine);
    cab_picture_free(&coarse);
    cab_picture_free(&again);
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_step_and_pace),
        cmocka_unit_test(test_falling_behind),
        cmocka_unit_test(test_reset_gives_the_same_bytes),
        cmocka_unit_test(test_auto_is_among_the_methods),
        cmocka_unit_test(test_live_changes_keep_the_motion),
        cmocka_unit_test(test_refused_changes),
        cmocka_unit_test(test_failed_world),
        cmocka_unit_test(test_screenshots),
        cmocka_unit_test(test_quit),
        cmocka_unit_test(test_open_keeps_what_is_not_saved),
        cmocka_unit_test(test_log_tells_once),
        cmocka_unit_test(test_an_error_of_opengl_ends_it),
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_errors_go),
        cmocka_unit_test(test_going_back),
        cmocka_unit_test(test_recording),
        cmocka_unit_test(test_going_back_has_a_limit),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_numbers_of_materials),
        cmocka_unit_test(test_coarse_pictures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
