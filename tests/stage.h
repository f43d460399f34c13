/* A world, a camera and a picture of them, for tests of what is drawn. Include cmocka first. */
#ifndef CAB_TEST_STAGE_H
#define CAB_TEST_STAGE_H

#include "worlds.h"

#include "view.h"

#include "view/gl/canvas.h"
#include "view/draw/renderer.h"

enum { WIDTH = 320, HEIGHT = 240 };

typedef struct stage {
    cab_scene *scene;
    cab_world *world;
    cab_renderer *renderer;
    cab_canvas canvas;
    cab_picture picture;
    cab_camera camera;
    cab_look look;
} stage;

/* Renderer and canvas for a scene, a world, a look and a camera that are there. */
static void open_stage(stage *s)
{
    must(cab_renderer_create(&s->renderer, &error), &error);
    must(cab_renderer_load(s->renderer, s->scene, s->world, &s->look, &error), &error);
    must(cab_renderer_update(s->renderer, s->world, &s->look, &error), &error);
    must(cab_canvas_create(&s->canvas, WIDTH, HEIGHT, &error), &error);
}

/* What the renderer has, as a picture; `name` is its file's. */
static void draw_stage(stage *s, const char *name)
{
    must(cab_renderer_draw(s->renderer, &s->camera, &s->look, s->canvas.framebuffer, s->canvas.width,
                           s->canvas.height, &error),
         &error);
    must(cab_picture_read(&s->picture, s->canvas.framebuffer, s->canvas.width, s->canvas.height, &error),
         &error);
    keep_picture(&s->picture, name);
}

static void close_stage(stage *s)
{
    cab_picture_free(&s->picture);
    cab_canvas_free(&s->canvas);
    cab_renderer_destroy(s->renderer);
    cab_world_destroy(s->world);
    cab_scene_destroy(s->scene);
}

#endif
