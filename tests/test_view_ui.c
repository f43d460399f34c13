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
#include "view/headless.h"
#include "view/legend.h"
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
        cmocka_unit_test(test_trial),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
