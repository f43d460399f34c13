/* The viewer's commands for studies, without a window: time, choices, other kinds of scenes, what only cables have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer_studies.h"

#include "view/window/window.h"

/* One scene of each kind that moves from the start. */
static const struct {
    const char *name;
    const cab_study_kind *kind;
} cases[] = {{"particles/pendulums.json", &cab_particles_study}, {"planar/demo-1.json", &cab_planar_study}};

static void open_other(cab_viewer *v, const char *scene)
{
    char path[1000];
    find_scene(path, scene);
    if (!cab_viewer_open(v, path)) fail_msg("%s", v->message);
    draw(v);
}

/* What is seen; to be freed. */
static cab_picture look(cab_viewer *v)
{
    cab_picture picture = {0};
    draw(v);
    CHECK(cab_picture_read(&picture, canvas.framebuffer, WIDTH, HEIGHT, &error));
    return picture;
}

static bool is_same(const cab_picture *a, const cab_picture *b)
{
    return memcmp(a->rgba, b->rgba, (size_t)4 * WIDTH * HEIGHT) == 0;
}

static void test_open(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_viewer *v = open_viewer(cases[i].name);
        assert_ptr_equal(v->study->drawing->kind, cases[i].kind);
        assert_null(v->scene);
        assert_null(v->world);
        assert_int_equal(v->clock.frame, 0);
        assert_true(v->line_count >= 3 && v->lines[0][0]);
        assert_false(v->changed || cab_viewer_is_busy(v));
        vec3 forward; /* from the front: y is away */
        cab_camera_axes(&v->camera, forward, NULL, NULL);
        assert_true(v->camera.orthographic && fabsf(forward[1] - 1) < 1e-6f);
        cab_bounds bounds = cab_renderer_bounds(v->renderer);
        float lo[2], hi[2]; /* all of it is in the picture, and fills it one way or the other */
        assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, bounds.lo, lo));
        assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, bounds.hi, hi));
        assert_true(lo[0] > 0 && hi[0] < WIDTH && hi[1] > 0 && lo[1] < HEIGHT);
        assert_true(hi[0] - lo[0] > 0.85f * WIDTH || lo[1] - hi[1] > 0.85f * HEIGHT);
        cab_viewer_destroy(v);
    }
}

static void test_time(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_viewer *v = open_viewer(cases[i].name);
        cab_picture first = look(v);
        cab_viewer_tick(v, 1); /* paused: nothing moves */
        assert_int_equal(v->clock.frame, 0);
        step(v, 20);
        assert_int_equal(v->clock.frame, 20);
        assert_true(fabs(v->clock.time - 20 * frame_time) < 1e-12);
        cab_picture later = look(v);
        assert_false(is_same(&first, &later));
        cab_viewer_play(v, true);
        for (int k = 0; k < 10; k++) cab_viewer_tick(v, frame_time);
        assert_int_equal(v->clock.frame, 30);
        cab_viewer_set_speed(v, 0.5);
        for (int k = 0; k < 10; k++) cab_viewer_tick(v, frame_time);
        assert_int_equal(v->clock.frame, 35);
        cab_viewer_play(v, false);
        assert_true(cab_viewer_reset(v));
        assert_int_equal(v->clock.frame, 0);
        cab_viewer_fit(v); /* to what is there now, seen or not */
        cab_picture again = look(v);
        assert_true(is_same(&first, &again));
        step(v, 20);
        cab_picture later_again = look(v);
        assert_true(is_same(&later, &later_again));
        cab_picture_free(&first);
        cab_picture_free(&later);
        cab_picture_free(&again);
        cab_picture_free(&later_again);
        cab_viewer_destroy(v);
    }
}

static void test_choices(void **state)
{
    (void)state;
    cab_choice c;
    cab_viewer *v = open_viewer("particles/pendulums.json");
    step(v, 5);
    int integrator = find_choice(v, "integrator", &c);
    int other = c.now ? 0 : 1;
    assert_true(cab_viewer_choose(v, integrator, other));
    find_choice(v, "integrator", &c);
    assert_int_equal(c.now, other);
    int form = find_choice(v, "constraints", &c);
    assert_true(!c.idle && cab_viewer_choose(v, form, 2));
    assert_int_equal(v->clock.frame, 5); /* it goes on */
    step(v, 5);
    assert_false(cab_viewer_choose(v, integrator, 99));
    assert_true(v->message_is_error);
    assert_non_null(strstr(v->message, "integrator"));
    find_choice(v, "angular springs", &c);
    assert_true(c.idle); /* there are none */
    assert_true(cab_viewer_reset(v));
    find_choice(v, "integrator", &c);
    assert_int_equal(c.now, other); /* what was chosen stays */

    open_other(v, "planar/stress-2.json");
    step(v, 5);
    char before[CAB_STUDY_LINE];
    memcpy(before, v->lines[1], sizeof before);
    int pinch = find_choice(v, "pinch", &c);
    assert_true(c.from_start && cab_viewer_choose(v, pinch, 0));
    assert_int_equal(v->clock.frame, 0);
    step(v, 5);
    assert_string_not_equal(v->lines[1], before); /* it has no pinches now */
    assert_false(cab_viewer_choose(v, 99, 0));
    open_other(v, "wire.json");
    assert_false(cab_viewer_choice(v, 0, &c)); /* cables have theirs elsewhere */
    assert_false(cab_viewer_choose(v, 0, 0));
    cab_viewer_destroy(v);
}

/* Cables, particles, planar bodies, in any order; each looks as when it is opened first. */
static void test_kinds_change(void **state)
{
    (void)state;
    static const char *const scenes[] = {"wire.json", "particles/mouse.json", "planar/demo-1.json"};
    cab_picture first[3];
    for (int i = 0; i < 3; i++) {
        cab_viewer *v = open_viewer(scenes[i]);
        cab_look own = v->look;
        own.quantity = v->study ? v->study->drawing->quantity : CAB_QUANTITY_NONE;
        cab_viewer_set_look(v, &own);
        first[i] = look(v);
        cab_viewer_destroy(v);
    }
    cab_viewer *v = open_viewer("wire.json");
    static const int order[] = {1, 0, 2, 1, 2, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!v->study) cab_viewer_select(v, 0);
        step(v, 3);
        cab_viewer_orbit(v, 0.2f, 0.1f);
        open_other(v, scenes[order[i]]);
        assert_int_equal(v->selected, -1);
        assert_true(!v->study == !!v->world);
        if (i + 1 < 4 && v->camera.orthographic != !!v->study) fail_msg("%s: the camera", v->path);
        cab_picture now = look(v);
        /* from study to study the view stays, as it does from cables to cables */
        bool new_view = i == 0 || !order[i] != !order[i - 1];
        assert_int_equal(is_same(&now, &first[order[i]]), new_view);
        cab_picture_free(&now);
    }
    for (int i = 0; i < 3; i++) cab_picture_free(&first[i]);
    cab_viewer_destroy(v);
}

/* What cannot be opened leaves everything as it was. */
static void test_refused(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("particles/pendulums.json");
    step(v, 3);
    cab_picture before = look(v);
    assert_false(cab_viewer_open(v, "broken.json"));
    assert_non_null(strstr(v->message, "broken.json"));
    assert_non_null(strstr(v->message, "/planar/bodies"));
    assert_null(strchr(v->message, '\n'));
    assert_false(cab_viewer_open(v, "nowhere.json"));
    assert_ptr_equal(v->study->drawing->kind, &cab_particles_study);
    assert_int_equal(v->look.quantity, CAB_QUANTITY_NONE);
    cab_picture after = look(v);
    assert_true(is_same(&before, &after));
    step(v, 1);
    assert_int_equal(v->clock.frame, 4);
    cab_picture_free(&before);
    cab_picture_free(&after);
    cab_viewer_destroy(v);

    cab_viewer_def def = cab_viewer_default();
    assert_int_equal(cab_viewer_create(&v, "broken.json", &def, &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "/planar/bodies"));
}

static void test_diverged(void **state)
{
    (void)state;
    cab_choice c;
    cab_viewer *v = open_viewer("wild.json");
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 600 && !v->failed; i++) cab_viewer_step(v);
        assert_true(v->failed && v->message_is_error);
        assert_non_null(strstr(v->message, "diverged"));
        draw(v); /* as it was last seen */
        assert_false(cab_viewer_step(v));
        cab_viewer_play(v, true);
        assert_false(v->playing);
        assert_false(cab_viewer_grab(v, WIDTH / 2.0f, HEIGHT / 2.0f));
        if (!again) assert_true(cab_viewer_reset(v));
        if (!again) assert_int_equal(v->clock.frame, 0);
    }
    /* steps that are small enough help, from the start */
    int integrator = find_choice(v, "integrator", &c);
    for (int i = 0; i < c.count; i++)
        if (strcmp(c.words[i], "rk4") == 0) assert_true(cab_viewer_choose(v, integrator, i));
    assert_false(v->failed);
    assert_int_equal(v->clock.frame, 0);
    assert_true(cab_viewer_choose(v, find_choice(v, "steps a frame", &c), 100));
    step(v, 30);
    cab_viewer_destroy(v);
}

/* What only cables have is refused in one line that says so, and changes nothing. */
static void test_what_cables_have(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("particles/pendulums.json");
    step(v, 2);
    for (int i = 0; i < 8; i++) {
        v->message[0] = '\0';
        bool done = i == 0   ? cab_viewer_edit_path(v, true)
                    : i == 1 ? cab_viewer_save(v, "saved.json")
                    : i == 2 ? cab_viewer_set_method(v, CAB_METHOD_DIRECT)
                    : i == 3 ? cab_viewer_set_substeps(v, 3)
                    : i == 4 ? cab_viewer_set_iterations(v, 3)
                    : i == 5 ? cab_viewer_set_device(v, "native")
                    : i == 6 ? cab_viewer_set_material(v, 0, CAB_MATERIAL_FRICTION, 0.5)
                             : (cab_viewer_ask(v, CAB_DIALOG_SAVE), v->dialog != CAB_DIALOG_NONE);
        assert_false(done);
        assert_true(v->message_is_error);
        assert_non_null(strstr(v->message, "\"particles\""));
    }
    assert_int_not_equal(access("saved.json", F_OK), 0);
    assert_false(cab_viewer_pick(v, WIDTH / 2.0f, HEIGHT / 2.0f));
    cab_viewer_fit_selected(v);
    cab_viewer_escape(v);
    cab_viewer_ask(v, CAB_DIALOG_OPEN);
    assert_int_equal(v->dialog, CAB_DIALOG_OPEN);
    assert_int_equal(v->clock.frame, 2);
    assert_true(cab_viewer_screenshot(v));
    assert_int_equal(access("pendulums-0001.png", F_OK), 0);
    cab_viewer_destroy(v);
}

/* The three ways of pinching at once, as the program's --compare. */
static void test_compare(void **state)
{
    (void)state;
    char path[1000];
    scene_path(path, "planar/stress-2.json");
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.compare = "pinch";
    def.substeps = 6;
    cab_choice c;
    cab_viewer *v;
    CHECK(cab_viewer_create(&v, path, &def, &error));
    cab_viewer_play(v, false);
    draw(v);
    find_choice(v, "substeps", &c);
    assert_int_equal(c.now, 6);
    cab_label label;
    int labels = 0;
    while (v->subject.kind->label(v->subject.self, labels, &label)) {
        float at[2]; /* it was fitted, too */
        assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, label.at, at));
        assert_true(at[0] > 0 && at[0] < WIDTH && at[1] > 0 && at[1] < HEIGHT);
        labels++;
    }
    assert_int_equal(labels, 3);
    open_other(v, "planar/stress-2.json"); /* another one is as its file has it */
    find_choice(v, "substeps", &c);
    assert_int_not_equal(c.now, 6);
    assert_false(v->subject.kind->label(v->subject.self, 0, &label));
    cab_viewer_destroy(v);
}

static bool helps_with(const cab_viewer *v, const char *keys)
{
    cab_key_help help;
    for (int i = 0; cab_window_help(v, i, &help); i++) {
        assert_true(help.keys && help.what && help.what[0]);
        if (strcmp(help.keys, keys) == 0) return true;
    }
    return false;
}

static void test_help(void **state)
{
    (void)state;
    static const char *const of_cables[] = {"Left click", "X, Y, Z", "Numpad . or F", "Tab", "Ctrl+S"};
    static const char *const of_all[] = {"Left drag", "Space", "R", "Esc", "Ctrl+O", "F12"};
    cab_viewer *v = open_viewer("wire.json");
    for (int study = 0; study < 2; study++) {
        for (size_t i = 0; i < sizeof of_cables / sizeof *of_cables; i++)
            assert_int_equal(helps_with(v, of_cables[i]), !study);
        for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++) assert_true(helps_with(v, of_all[i]));
        if (!study) open_other(v, "particles/mouse.json");
    }
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_kinds_change),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_diverged),
        cmocka_unit_test(test_what_cables_have),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
