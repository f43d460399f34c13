/* The user interface without a window: legend, panels, input. CLCABLE_TEST_PICTURES=FOLDER keeps what was
 * drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/canvas.h"
#include "view/gl.h"
#include "view/headless.h"
#include "view/legend.h"
#include "view/panels.h"
#include "view/picture.h"
#include "view/renderer.h"
#include "view/units.h"
#include "view/value_range.h"

#include <glad/gl.h>

static cab_headless *headless;
static cab_error error;

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (call) fail_msg("%s", error.message);                                                             \
    } while (0)

static int setup(void **state)
{
    (void)state;
    if (cab_headless_create(&headless, &error)) return -1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cab_headless_destroy(headless);
    return 0;
}

static void keep(const cab_picture *picture, const char *name)
{
    const char *folder = getenv("CLCABLE_TEST_PICTURES");
    if (!folder) return;
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    CHECK(cab_picture_write(picture, path, false, &error));
}

/* A scene in motion, its picture and what lies over it. */
typedef struct stage {
    cab_scene *scene;
    cab_world *world;
    cab_renderer *renderer;
    cab_ui *ui;
    cab_look look;
    cab_camera camera;
    cab_canvas canvas;
    cab_picture picture;
} stage;

static void open_stage(stage *s, const char *name, int frames, const cab_look *look)
{
    char path[1000];
    const char *folder = getenv("CLCABLE_SCENES");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "scenes", name);
    *s = (stage){.look = *look, .camera = cab_camera_default()};
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.threads = 2;
    CHECK(cab_scene_load(path, NULL, 0, &s->scene, &error));
    CHECK(cab_world_create(s->scene, &def, &s->world, &error));
    CHECK(cab_world_step(s->world, frames, &error));
    CHECK(cab_renderer_create(&s->renderer, &error));
    CHECK(cab_renderer_load(s->renderer, s->scene, s->world, &s->look, &error));
    CHECK(cab_renderer_update(s->renderer, s->world, &s->look, &error));
    CHECK(cab_ui_create(&s->ui, &error));
}

static void close_stage(stage *s)
{
    cab_picture_free(&s->picture);
    cab_canvas_free(&s->canvas);
    cab_ui_destroy(s->ui);
    cab_renderer_destroy(s->renderer);
    cab_world_destroy(s->world);
    cab_scene_destroy(s->scene);
}

static void shoot(stage *s, int width, int height)
{
    if (s->canvas.width != width || s->canvas.height != height) {
        cab_canvas_free(&s->canvas);
        CHECK(cab_canvas_create(&s->canvas, width, height, &error));
    }
    cab_bounds bounds = cab_renderer_bounds(s->renderer);
    cab_camera_fit(&s->camera, &bounds, (float)width / (float)height);
    CHECK(cab_renderer_draw(s->renderer, &s->camera, &s->look, s->canvas.framebuffer, width, height, &error));
}

static void read_picture(stage *s)
{
    CHECK(cab_picture_read(&s->picture, s->canvas.framebuffer, s->canvas.width, s->canvas.height, &error));
}

static void draw_legend(const char *scene, int frames, cab_quantity quantity, cab_paint paint,
                        cab_background background, int width, int height, const char *name)
{
    stage s;
    cab_look look = cab_look_default();
    look.quantity = quantity;
    look.paint = paint;
    look.background = background;
    open_stage(&s, scene, frames, &look);
    shoot(&s, width, height);
    cab_legend legend = {
        .scene = s.scene, .world = s.world, .look = &s.look, .camera = &s.camera, .title = scene};
    cab_renderer_range(s.renderer, &legend.lowest, &legend.highest);
    CHECK(cab_legend_draw(&legend, s.ui, s.canvas.framebuffer, width, height, cab_legend_scale(width, height),
                          &error));
    read_picture(&s);
    keep(&s.picture, name);
    close_stage(&s);
}

/* A viewer with its panels, drawn into a canvas instead of a window. */
typedef struct desk {
    cab_viewer *viewer;
    cab_panels *panels;
    cab_layer layer;
    cab_canvas canvas;
    cab_picture picture;
    float scale;
} desk;

static void draw_desk(desk *d)
{
    CHECK(cab_viewer_draw(d->viewer, d->canvas.framebuffer, d->canvas.width, d->canvas.height, &error));
    cab_layer_frame frame = {d->canvas.width, d->canvas.height, d->scale, 0.016};
    glBindFramebuffer(GL_FRAMEBUFFER, d->canvas.framebuffer);
    CHECK(d->layer.draw(d->panels, &frame, &error));
    CHECK(cab_gl_check("a picture", &error));
}

static void resize_desk(desk *d, int width, int height, float scale)
{
    cab_canvas_free(&d->canvas);
    CHECK(cab_canvas_create(&d->canvas, width, height, &error));
    d->scale = scale;
    for (int i = 0; i < 3; i++) draw_desk(d); /* heights are known after the first */
}

static void keep_desk(desk *d, const char *name)
{
    CHECK(cab_picture_read(&d->picture, d->canvas.framebuffer, d->canvas.width, d->canvas.height, &error));
    keep(&d->picture, name);
}

static void open_desk(desk *d, const char *scene, int width, int height, float scale)
{
    char path[1000];
    const char *folder = getenv("CLCABLE_SCENES");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "scenes", scene);
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.threads = 2;
    *d = (desk){0};
    CHECK(cab_viewer_create(&d->viewer, path, &def, &error));
    cab_viewer_play(d->viewer, false);
    CHECK(cab_panels_create(&d->panels, &error));
    d->layer = cab_panels_layer(d->panels);
    CHECK(d->layer.start(d->panels, d->viewer, scale, &error));
    resize_desk(d, width, height, scale);
}

static void close_desk(desk *d)
{
    d->layer.stop(d->panels);
    cab_panels_destroy(d->panels);
    cab_viewer_destroy(d->viewer);
    cab_picture_free(&d->picture);
    cab_canvas_free(&d->canvas);
}

/* A round of events with one event in it, and the picture after it. */
static bool send(desk *d, cab_input input)
{
    d->layer.begin_input(d->panels);
    bool ours = d->layer.input(d->panels, &input);
    d->layer.end_input(d->panels);
    draw_desk(d);
    return ours;
}

static void test_panels(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "harness.json", 1280, 800, 1);
    for (int i = 0; i < 10; i++) cab_viewer_step(d.viewer);
    draw_desk(&d);
    keep_desk(&d, "panels-start");
    cab_look look = d.viewer->look;
    look.quantity = CAB_QUANTITY_TENSION;
    look.background = CAB_BACKGROUND_DARK;
    cab_viewer_set_look(d.viewer, &look);
    cab_viewer_select(d.viewer, 0);
    cab_panels_open(d.panels, CAB_SECTION_VIEW, true);
    cab_panels_open(d.panels, CAB_SECTION_LOOK, true);
    for (int i = 0; i < 3; i++) draw_desk(&d);
    keep_desk(&d, "panels-all");
    d.viewer->show_help = true;
    for (int i = 0; i < 3; i++) draw_desk(&d);
    keep_desk(&d, "panels-help");
    d.viewer->show_help = false;
    cab_viewer_tell(d.viewer, true,
                    "scenes/harness.json: /time/substeps: expected an integer from 1 to 100000, got 0");
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    for (int i = 0; i < 3; i++) draw_desk(&d);
    keep_desk(&d, "panels-save");
    resize_desk(&d, 2560, 1600, 2);
    keep_desk(&d, "panels-dense");
    resize_desk(&d, 640, 400, 1);
    keep_desk(&d, "panels-small");
    close_desk(&d);
}

static void click(desk *d, float x, float y)
{
    send(d, (cab_input){.kind = CAB_INPUT_MOVE, .x = x, .y = y});
    send(d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = true});
    send(d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y});
}

static void test_menus(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "harness.json", 1280, 800, 1);
    click(&d, 120, 32);
    draw_desk(&d);
    keep_desk(&d, "menu-scenes");
    click(&d, 700, 700);
    send(&d, (cab_input){.kind = CAB_INPUT_MOVE, .x = 40, .y = 100});
    draw_desk(&d);
    keep_desk(&d, "hint");
    click(&d, 200, 195);
    draw_desk(&d);
    keep_desk(&d, "menu-methods");
    close_desk(&d);
}

static void test_trial(void **state)
{
    (void)state;
    draw_legend("harness.json", 30, CAB_QUANTITY_TENSION, 0, 0, 1280, 720, "legend-tension");
    draw_legend("harness.json", 30, 0, CAB_PAINT_CABLE, 0, 1280, 720, "legend-cable");
    draw_legend("car-harness.json", 30, 0, CAB_PAINT_MATERIAL, CAB_BACKGROUND_DARK, 1280, 720,
                "legend-material");
    draw_legend("pile.json", 10, CAB_QUANTITY_SPEED, 0, 0, 640, 400, "legend-small");
    draw_legend("cantilever.json", 10, CAB_QUANTITY_CURVATURE, 0, 2, 1920, 1080, "legend-large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_menus),
        cmocka_unit_test(test_trial),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
