/* What the mouse and the keys do in the panels, and which events are the panels' and which the scene's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "desk.h"

/* Places in the side panel, points, as panel_time.c lays them out from its corner. */
static const float play_button[2] = {76, 85}, scene_list[2] = {60, 22}, speed_left[2] = {70, 115},
                   speed_right[2] = {206, 115};

/* The scene is drawn once: none of these tests looks at it, and in software it takes most of the time. */
static void open_bare(desk *d, const char *scene, int width, int height, float scale)
{
    open_desk(d, scene, width, height, scale);
    d->bare = true;
}

#ifdef CAB_HAVE_STUDIES
/* A word is chosen in its menu, by the mouse. */
static void test_choosing(void **state)
{
    (void)state;
    cab_choice choice;
    desk d;
    open_bare(&d, "planar/stress-2.json", 1280, 800, 1);
    cab_viewer_step(d.viewer);
    assert_true(cab_viewer_choice(d.viewer, 1, &choice));
    assert_string_equal(choice.name, "pinch");
    assert_int_equal(choice.now, 2);
    const float pinch[2] = {170, 173}; /* below the substeps */
    click_side(&d, pinch);
    keep_desk(&d, "choosing");
    const float contact_off[2] = {170, 228}; /* the second word of its menu */
    click_side(&d, contact_off);
    settle(&d);
    assert_true(cab_viewer_choice(d.viewer, 1, &choice));
    assert_int_equal(choice.now, 1);
    assert_int_equal(d.viewer->clock.frame, 0);
    close_desk(&d);
}
#endif

static void test_mouse_belongs_to_one(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "catenary.json", 800, 500, 1);
    assert_true(move(&d, 60, 200));
    assert_false(move(&d, 600, 200));
    /* a drag from the panel stays the panel's, a drag from the scene the scene's */
    move(&d, 60, 300);
    assert_true(press(&d, 60, 300, true));
    assert_true(move(&d, 600, 300));
    assert_true(press(&d, 600, 300, false));
    assert_false(press(&d, 600, 300, true));
    assert_false(move(&d, 60, 300));
    assert_false(press(&d, 60, 300, false));
    /* a second button in a drag belongs to the first one's owner */
    press(&d, 600, 300, true);
    assert_false(send(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .code = 2, .x = 60, .y = 300, .down = true}));
    send(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .code = 2, .x = 60, .y = 300});
    press(&d, 600, 300, false);
    move(&d, 600, 300);
    assert_false(send(&d, (cab_input){.kind = CAB_INPUT_WHEEL, .x = 600, .y = 300, .wheel_y = 1}));
    move(&d, 60, 300);
    assert_true(send(&d, (cab_input){.kind = CAB_INPUT_WHEEL, .x = 60, .y = 300, .wheel_y = 1}));
    /* over the legend the scene is reached */
    assert_false(move(&d, 330, 470));
    close_desk(&d);
}

static void test_menu(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "harness.json", 1280, 800, 1);
    click_side(&d, scene_list);
    keep_desk(&d, "menu");
    assert_true(press(&d, 900, 600, true)); /* only closes the menu */
    press(&d, 900, 600, false);
    assert_false(press(&d, 900, 600, true));
    press(&d, 900, 600, false);
    char before[sizeof d.viewer->path];
    snprintf(before, sizeof before, "%s", d.viewer->path);
    click_side(&d, scene_list);
    struct nk_rect side = cab_panels_side(d.panels);
    click(&d, side.x + 60, side.y + 105); /* the third or fourth scene of the list */
    settle(&d);
    assert_string_not_equal(d.viewer->path, before);
    close_desk(&d);
}

/* The line of time is dragged back. */
static void test_line_of_time(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "catenary.json", 1280, 800, 1);
    for (int i = 0; i < 20; i++) cab_viewer_step(d.viewer);
    settle(&d);
    struct nk_rect side = cab_panels_side(d.panels);
    float left = side.x + 64, right = side.x + 230, y = side.y + 140;
    move(&d, left, y);
    press(&d, left, y, true);
    assert_int_equal(d.viewer->info.frame, 0);
    move(&d, right, y);
    press(&d, right, y, false);
    assert_int_equal(d.viewer->info.frame, 20);
    close_desk(&d);
}

/* Materials are folded; one is unfolded by a click on its name, and its numbers change by sliders: what a running world cannot take
 * when the drag ends. */
static void test_materials(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "harness.json", 1280, 800, 1);
    for (int i = 0; i < CAB_SECTION_COUNT; i++) cab_panels_open(d.panels, (cab_section)i, false);
    settle(&d);
    float folded = cab_panels_side(d.panels).h;
    const float heading[2] = {60, 228}, first[2] = {120, 255}, friction[2] = {100, 285},
                radius[2] = {140, 460};
    click_side(&d, heading);
    click_side(&d, first);
    settle(&d);
    keep_desk(&d, "materials");
    assert_true(cab_panels_side(d.panels).h > folded + 3 * 22 + 8 * 20);
    const cab_material_def before = *cab_viewer_material(d.viewer, 0);
    click_side(&d, friction);
    assert_true(cab_viewer_material(d.viewer, 0)->friction != before.friction);
    struct nk_rect side = cab_panels_side(d.panels);
    move(&d, side.x + radius[0], side.y + radius[1]);
    press(&d, side.x + radius[0], side.y + radius[1], true);
    move(&d, side.x + radius[0] + 10, side.y + radius[1]);
    assert_true(cab_viewer_material(d.viewer, 0)->radius == before.radius);
    press(&d, side.x + radius[0] + 10, side.y + radius[1], false);
    assert_true(cab_viewer_material(d.viewer, 0)->radius != before.radius);
    close_desk(&d);
}

static void test_buttons(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "catenary.json", 1600, 1000, 2);
    click_side(&d, play_button);
    assert_true(d.viewer->playing);
    click_side(&d, play_button);
    assert_false(d.viewer->playing);
    /* a click that is over before a picture is drawn */
    struct nk_rect side = cab_panels_side(d.panels);
    float x = 2 * (side.x + play_button[0]), y = 2 * (side.y + play_button[1]);
    move(&d, x, y);
    d.layer.begin_input(d.panels);
    d.layer.input(d.panels, &(cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = true});
    d.layer.input(d.panels, &(cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y});
    d.layer.end_input(d.panels);
    draw_desk(&d);
    assert_true(d.viewer->playing);
    /* and in two rounds of events */
    offer(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = true});
    offer(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y});
    draw_desk(&d);
    assert_false(d.viewer->playing);
    for (int i = 0; i < 3; i++) offer(&d, (cab_input){.kind = CAB_INPUT_MOVE, .x = x, .y = y});
    settle(&d);
    assert_false(d.viewer->playing);
    close_desk(&d);
}

static void test_speed(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "catenary.json", 800, 500, 1);
    struct nk_rect side = cab_panels_side(d.panels);
    move(&d, side.x + 120, side.y + speed_left[1]);
    press(&d, side.x + 120, side.y + speed_left[1], true);
    move(&d, side.x + speed_left[0] - 30, side.y + 300); /* far beside: it keeps hold */
    assert_true(fabs(d.viewer->speed - 0.1) < 1e-6);
    move(&d, side.x + speed_right[0] + 300, side.y + 20);
    assert_true(fabs(d.viewer->speed - 4) < 1e-5);
    press(&d, side.x + speed_right[0] + 300, side.y + 20, false);
    move(&d, side.x + 120, side.y + speed_left[1]);
    assert_true(fabs(d.viewer->speed - 4) < 1e-5);
    close_desk(&d);
}

static void test_writing(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "catenary.json", 800, 500, 1);
    assert_false(key(&d, GLFW_KEY_SPACE));
    assert_false(type(&d, ' '));
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    move(&d, 60, 300); /* wherever the mouse is */
    settle(&d);
    size_t length = strlen(d.viewer->dialog_path);
    assert_true(key(&d, GLFW_KEY_SPACE));
    assert_true(type(&d, 'x'));
    assert_true(type(&d, 0xB5));
    assert_int_equal(strlen(d.viewer->dialog_path), length + 3);
    assert_string_equal(d.viewer->dialog_path + length, "xµ");
    key(&d, GLFW_KEY_BACKSPACE);
    assert_string_equal(d.viewer->dialog_path + length, "x");
    assert_true(key(&d, GLFW_KEY_ESCAPE));
    assert_int_equal(d.viewer->dialog, CAB_DIALOG_NONE);
    settle(&d);
    assert_false(key(&d, GLFW_KEY_SPACE));
    assert_false(key(&d, GLFW_KEY_ESCAPE));
    close_desk(&d);
}

static void test_saving(void **state)
{
    (void)state;
    desk d;
    open_bare(&d, "catenary.json", 800, 500, 1);
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    snprintf(d.viewer->dialog_path, sizeof d.viewer->dialog_path, "no-such-folder/scene.json");
    settle(&d);
    key(&d, GLFW_KEY_ENTER);
    assert_int_equal(d.viewer->dialog, CAB_DIALOG_SAVE); /* it failed, and stays open */
    assert_true(d.viewer->message_is_error && strstr(d.viewer->message, "no-such-folder"));
    key(&d, GLFW_KEY_ESCAPE);
    char name[] = "test_view_panel_input_saved.json";
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    snprintf(d.viewer->dialog_path, sizeof d.viewer->dialog_path, "%s", name);
    settle(&d);
    key(&d, GLFW_KEY_ENTER);
    assert_int_equal(d.viewer->dialog, CAB_DIALOG_NONE);
    assert_int_equal(remove(name), 0);
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef CAB_HAVE_STUDIES
        cmocka_unit_test(test_choosing),
#endif
        cmocka_unit_test(test_mouse_belongs_to_one),
        cmocka_unit_test(test_menu),
        cmocka_unit_test(test_line_of_time),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_buttons),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_saving),
    };
    return cmocka_run_group_tests(tests, start_headless, stop_headless);
}
