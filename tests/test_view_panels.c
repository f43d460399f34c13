/* What the panels over the window show, without a window. CLCABLE_TEST_PICTURES=FOLDER keeps what is drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/path.h"
#include "desk.h"
#include "view/panels/scene_list.h"
#include "view/scale/colour.h"

static void open_all(desk *d)
{
    for (int i = 0; i < CAB_SECTION_COUNT; i++) cab_panels_open(d->panels, (cab_section)i, true);
    cab_look look = d->viewer->look;
    look.quantity = CAB_QUANTITY_TENSION;
    look.highest = 10;
    cab_viewer_set_look(d->viewer, &look);
    cab_viewer_select(d->viewer, 0);
    d->viewer->show_help = true;
    cab_viewer_ask(d->viewer, CAB_DIALOG_SAVE);
    cab_viewer_tell(
        d->viewer, true, "%s: %s", "a-scene-with-a-long-name.json",
        "/cables/3/segments: expected an integer from 1 to 1000000, got -4, which is a long message");
}

static void assert_windows_inside(desk *d)
{
    cab_ui *ui = cab_panels_ui(d->panels);
    struct nk_vec2 size = cab_ui_size(ui);
    int count = 0;
    for (const struct nk_window *w = cab_ui_context(ui)->begin; w; w = w->next) {
        assert_true(w->bounds.w > 0 && w->bounds.h > 0);
        assert_true(w->bounds.x >= 0 && w->bounds.x + w->bounds.w <= size.x);
        assert_true(w->bounds.y >= 0 && w->bounds.y + w->bounds.h <= size.y);
        count++;
    }
    assert_int_equal(count, 5); /* side, legend, message, help, dialog */
}

static void test_layout(void **state)
{
    (void)state;
    static const int sizes[][2] = {{640, 400}, {800, 1200}, {1280, 720}, {3840, 2160}};
    desk d;
    open_desk(&d, "harness.json", 640, 400, 1);
    open_all(&d);
    d.bare = !getenv("CLCABLE_TEST_PICTURES");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (int scale = 1; scale <= 2; scale++) {
            char name[40];
            resize_desk(&d, sizes[i][0], sizes[i][1], (float)scale);
            assert_windows_inside(&d);
            snprintf(name, sizeof name, "layout-%d-%d", sizes[i][0], scale);
            if (!d.bare) keep_desk(&d, name);
        }
    }
    close_desk(&d);
}

/* Pixels of a part of the side panel that are as bright as text. */
static long count_bright(desk *d, float top, float bottom)
{
    struct nk_rect side = cab_panels_side(d->panels);
    long bright = 0;
    for (int y = (int)(side.y + top); y < (int)(side.y + bottom); y++)
        for (int x = (int)side.x + 14; x < (int)(side.x + side.w - 14); x++)
            if (pixel(&d->picture, x, y)[1] > 180) bright++;
    return bright;
}

static void test_panels_show(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "harness.json", 1280, 1200, 1);
    for (int i = 0; i < 5; i++) cab_viewer_step(d.viewer);
    keep_desk(&d, "panels");
    struct nk_rect side = cab_panels_side(d.panels);
    assert_true(side.w > 200 && side.h > 500);
    assert_true(count_bright(&d, 10, 36) > 60);   /* the scene's name */
    assert_true(count_bright(&d, 70, 100) > 100); /* buttons, time */
    float height = side.h;
    cab_viewer_select(d.viewer, 0);
    keep_desk(&d, "panels-selected");
    assert_true(cab_panels_side(d.panels).h > height + 100); /* facts of the cable have come */
    d.viewer->show_panels = false;
    keep_desk(&d, "panels-hidden");
    assert_true(cab_panels_side(d.panels).w == 0);
    assert_int_equal(offer(&d, (cab_input){.kind = CAB_INPUT_MOVE, .x = 60, .y = 60}), false);
    close_desk(&d);
}

/* Pixels of a colour of the palette in the side panel, or nearly so, as edges are smooth. */
static long count_coloured(desk *d, int colour)
{
    struct nk_rect side = cab_panels_side(d->panels);
    unsigned char rgba[4];
    long found = 0;
    cab_palette(colour, rgba);
    for (int y = (int)side.y; y < (int)(side.y + side.h); y++) {
        for (int x = (int)side.x; x < (int)(side.x + side.w); x++) {
            const unsigned char *p = pixel(&d->picture, x, y);
            if (abs(p[0] - rgba[0]) + abs(p[1] - rgba[1]) + abs(p[2] - rgba[2]) < 60) found++;
        }
    }
    return found;
}

/* A place that is plotted has curves, a line in the legend and a button beside it that ends it. */
static void test_plots(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "harness.json", 400, 1400, 1);
    cab_viewer *v = d.viewer;
    assert_true(cab_viewer_trace(v, 0, cab_world_get_cable(v->world, 0).first_node + 4));
    assert_true(cab_viewer_trace(v, 1, cab_world_get_cable(v->world, 1).first_node + 2));
    for (int i = 0; i < 30; i++) cab_viewer_step(v);
    assert_true(cab_viewer_trace(v, 2, cab_world_get_cable(v->world, 2).first_node + 1));
    assert_true(cab_viewer_trace_energy(v, true));
    for (int i = 0; i < 30; i++) cab_viewer_step(v);
    keep_desk(&d, "plots");
    float height = cab_panels_side(d.panels).h;
    for (int i = 0; i < 3; i++) assert_true(count_coloured(&d, i) > 100);
    assert_true(count_coloured(&d, 0) > count_coloured(&d, 2)); /* which came half way */
    cab_viewer_untrace(v, 1);
    keep_desk(&d, "plots-one-less");
    assert_true(cab_panels_side(d.panels).h < height - 15);
    assert_int_equal(count_coloured(&d, 1), 0);
    cab_panels_open(d.panels, CAB_SECTION_PLOTS, false);
    keep_desk(&d, "plots-folded");
    assert_true(cab_panels_side(d.panels).h < height - 200);
    close_desk(&d);
}

#ifdef CAB_HAVE_STUDIES
/* Of a study: its choices, its lines; nothing of paths, methods or frictions. */
static void test_panels_of_studies(void **state)
{
    (void)state;
    static const char *const scenes[] = {"particles/angles.json", "particles/wires.json",
                                         "planar/stress-2.json"};
    float heights[3];
    desk d;
    for (int i = 0; i < 3; i++) {
        char name[40];
        open_desk(&d, scenes[i], 1280, 1200, 1);
        for (int k = 0; k < 5; k++) cab_viewer_step(d.viewer);
        snprintf(name, sizeof name, "panels-study-%d", i);
        keep_desk(&d, name);
        struct nk_rect side = cab_panels_side(d.panels);
        heights[i] = side.h;
        assert_true(side.w > 200 && side.h > 350 && side.h < 1000);
        assert_true(count_bright(&d, 10, 36) > 60);  /* the scene's name */
        assert_true(count_bright(&d, 42, 72) > 100); /* buttons, time: where cables have what changes them */
        for (int k = 0; k < CAB_SECTION_COUNT; k++) cab_panels_open(d.panels, (cab_section)k, true);
        d.viewer->show_help = true;
        snprintf(name, sizeof name, "panels-study-all-%d", i);
        keep_desk(&d, name);
        assert_true(cab_panels_side(d.panels).h > side.h + 100); /* view and look have come */
        close_desk(&d);
    }
    assert_true(heights[0] > heights[1] + 20); /* angular springs to choose */
}
#endif

static void test_messages(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 800, 500, 1);
    cab_viewer_tell(d.viewer, false, "news");
    d.viewer->message_age = 60;
    move(&d, 600, 400);
    assert_string_equal(d.viewer->message, "");
    cab_viewer_tell(d.viewer, true, "an error");
    d.viewer->message_age = 60;
    move(&d, 600, 400);
    assert_string_equal(d.viewer->message, "an error");
    close_desk(&d);
}

static void test_scene_list(void **state)
{
    (void)state;
    char path[1000], stem[40];
    scene_path(path, "rope.json");
    cab_scene_list list = {0};
    cab_scene_list_fill(&list, path);
    assert_true(list.count > 20);
    bool found = false;
    for (int i = 0; i < list.beside; i++) {
        found = found || strcmp(list.paths[i], path) == 0;
        assert_null(strstr(list.paths[i], "schema"));
        if (i) assert_true(strcmp(cab_path_name(list.paths[i - 1]), cab_path_name(list.paths[i])) < 0);
    }
    assert_true(found);
    list.beside = 0; /* as if it were another folder's */
    cab_scene_list_name(&list, 0, stem, sizeof stem);
    assert_memory_equal(stem, "scenes/", 7);
    list.beside = list.count;
    cab_scene_list_name(&list, 0, stem, sizeof stem);
    assert_null(strchr(stem, '/'));
    cab_scene_list_fill(&list, "no-such-folder/scene.json");
    cab_scene_list_free(&list);
    cab_path_stem("scenes/a.b.json", stem, sizeof stem);
    assert_string_equal(stem, "a.b");
    cab_path_stem(".hidden", stem, sizeof stem);
    assert_string_equal(stem, ".hidden");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scene_list),        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_panels_show),       cmocka_unit_test(test_plots),
#ifdef CAB_HAVE_STUDIES
        cmocka_unit_test(test_panels_of_studies),
#endif
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, start_headless, stop_headless);
}
