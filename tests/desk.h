/* The panels over a viewer that is drawn into a canvas instead of a window; events as a window would send them. */
#ifndef CAB_TESTS_DESK_H
#define CAB_TESTS_DESK_H

#include "view.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "view/gl/canvas.h"
#include "view/gl/gl.h"
#include "view/panels/panels.h"

typedef struct desk {
    cab_viewer *viewer;
    cab_panels *panels;
    cab_layer layer;
    cab_canvas canvas;
    cab_picture picture;
    float scale;
    bool bare; /* the scene is left out: large pictures of it take long in software */
} desk;

static inline void draw_desk(desk *d)
{
    d->viewer->changed = false;
    if (!d->bare)
        CHECK(cab_viewer_draw(d->viewer, d->canvas.framebuffer, d->canvas.width, d->canvas.height, &error));
    cab_layer_frame frame = {d->canvas.width, d->canvas.height, d->scale, 0.016};
    glBindFramebuffer(GL_FRAMEBUFFER, d->canvas.framebuffer);
    CHECK(d->layer.draw(d->panels, &frame, &error));
    CHECK(cab_gl_check("a picture", &error));
}

/* Until nothing wants another picture: sizes are known after the first. */
static inline void settle(desk *d)
{
    int i = 0;
    do {
        draw_desk(d);
        i++;
    } while ((d->viewer->changed && i < 5) || i < 2);
}

static inline void resize_desk(desk *d, int width, int height, float scale)
{
    cab_canvas_free(&d->canvas);
    CHECK(cab_canvas_create(&d->canvas, width, height, &error));
    d->scale = scale;
    settle(d);
}

static inline void keep_desk(desk *d, const char *name)
{
    bool bare = d->bare;
    if (getenv("CLCABLE_TEST_PICTURES")) d->bare = false;
    settle(d);
    d->bare = bare;
    CHECK(cab_picture_read(&d->picture, d->canvas.framebuffer, d->canvas.width, d->canvas.height, &error));
    keep_picture(&d->picture, name);
}

static inline void open_desk_of(desk *d, const char *path, int width, int height, float scale)
{
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.threads = 2;
    cab_look_set_quality(&def.look, CAB_QUALITY_DRAFT);
    def.look.shadow_size = 0;
    *d = (desk){0};
    CHECK(cab_viewer_create(&d->viewer, path, &def, &error));
    cab_viewer_play(d->viewer, false);
    CHECK(cab_panels_create(&d->panels, &error));
    d->layer = cab_panels_layer(d->panels);
    CHECK(d->layer.start(d->panels, d->viewer, scale, &error));
    resize_desk(d, width, height, scale);
}

/* With a scene of the folder of scenes. */
static inline void open_desk(desk *d, const char *scene, int width, int height, float scale)
{
    char path[1000];
    scene_path(path, scene);
    open_desk_of(d, path, width, height, scale);
}

static inline void close_desk(desk *d)
{
    d->layer.stop(d->panels);
    cab_panels_destroy(d->panels);
    cab_viewer_destroy(d->viewer);
    cab_picture_free(&d->picture);
    cab_canvas_free(&d->canvas);
}

/* One event in a round of its own. */
static inline bool offer(desk *d, cab_input input)
{
    d->layer.begin_input(d->panels);
    bool ours = d->layer.input(d->panels, &input);
    d->layer.end_input(d->panels);
    return ours;
}

/* And the picture that comes of it. */
static inline bool send(desk *d, cab_input input)
{
    bool ours = offer(d, input);
    draw_desk(d);
    return ours;
}

static inline bool move(desk *d, float x, float y)
{
    return send(d, (cab_input){.kind = CAB_INPUT_MOVE, .x = x, .y = y});
}

static inline bool press(desk *d, float x, float y, bool down)
{
    return send(d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = down});
}

static inline bool key(desk *d, int code)
{
    bool ours = send(d, (cab_input){.kind = CAB_INPUT_KEY, .code = code, .down = true});
    send(d, (cab_input){.kind = CAB_INPUT_KEY, .code = code});
    return ours;
}

static inline bool type(desk *d, unsigned character)
{
    return send(d, (cab_input){.kind = CAB_INPUT_TEXT, .character = character});
}

static inline void click(desk *d, float x, float y)
{
    move(d, x, y);
    press(d, x, y, true);
    press(d, x, y, false);
}

static inline void click_side(desk *d, const float place[2])
{
    struct nk_rect side = cab_panels_side(d->panels);
    click(d, d->scale * (side.x + place[0]), d->scale * (side.y + place[1]));
}

#endif
