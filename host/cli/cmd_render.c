/* clcable render: pictures of a run, without a screen. */
#include <stdio.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "view/canvas.h"
#include "view/headless.h"
#include "view/picture.h"
#include "view/renderer.h"

int cab_cmd_render(int argc, char **argv)
{
    cab_options options;
    int code;
    cab_error error;
    unsigned takes = CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE | CAB_TAKES_RUN;
    if (!cab_options_parse(argc, argv, takes, "", &options, &code)) return code;
    const char *path = cab_options_single(&options, "render", "a scene");
    cab_scene *scene = cab_options_load_scene(&options, path, &code);
    if (!scene) return code;
    cab_world_def def = cab_world_default();
    cab_world *world;
    cab_headless *headless;
    cab_renderer *renderer;
    cab_canvas canvas;
    cab_picture picture = {0};
    cab_look look = cab_look_default();
    if (getenv("Q")) look.quantity = atoi(getenv("Q"));
    if (getenv("OVER")) look.oversampling = atoi(getenv("OVER"));
    if (getenv("S")) look.samples = atoi(getenv("S"));
    if (getenv("BG")) look.background = atoi(getenv("BG"));
    cab_camera camera = cab_camera_default();
    def.device = "native";
#define TRY(x)                                                                                               \
    if (x) {                                                                                                 \
        cab_cli_error("%s", error.message);                                                                  \
        return 1;                                                                                            \
    }
    TRY(cab_world_create(scene, &def, &world, &error));
    TRY(cab_world_step(world, cab_frame_count(cab_scene_settings(scene)), &error));
    TRY(cab_headless_create(&headless, &error));
    TRY(cab_renderer_create(&renderer, &error));
    TRY(cab_renderer_load(renderer, scene, world, &look, &error));
    TRY(cab_renderer_update(renderer, world, &look, &error));
    cab_bounds bounds = cab_renderer_bounds(renderer);
    cab_camera_fit(&camera, &bounds, 16.0f / 9);
    TRY(cab_canvas_create(&canvas, 1280, 720, &error));
    double t = cab_cli_now();
    TRY(cab_renderer_draw(renderer, &camera, &look, canvas.framebuffer, 1280, 720, &error));
    TRY(cab_picture_read(&picture, canvas.framebuffer, 1280, 720, &error));
    printf("draw %g s\n", cab_cli_now() - t);
    for (int i = 0; i < 5; i++) {
        t = cab_cli_now();
        TRY(cab_renderer_draw(renderer, &camera, &look, canvas.framebuffer, 1280, 720, &error));
        TRY(cab_picture_read(&picture, canvas.framebuffer, 1280, 720, &error));
        printf("draw %g s\n", cab_cli_now() - t);
    }
    TRY(cab_picture_write(&picture, options.outputs.word[0], look.background == CAB_BACKGROUND_TRANSPARENT,
                          &error));
    return 0;
}
