/* Drawing into a framebuffer, with handles over the scene, and into files, without them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "view/gl/canvas.h"
#include "view/gl/gl.h"
#include "view/gl/picture.h"
#include "view/viewer/viewer_inside.h"

enum { SCREENSHOT_MAX = 9999 };

/* Draws the scene without handles and pull. */
static cab_status draw_opened(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    cab_status status = cab_viewer_catch_up(v, error);
    if (status) return status;
    return cab_renderer_draw(v->renderer, &v->camera, &v->look, framebuffer, width, height, error);
}

cab_status cab_viewer_draw(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    v->width = width;
    v->height = height;
    if (v->inside->fit_due) cab_viewer_fit(v);
    cab_renderer_select(v->renderer, v->selected);
    cab_status status = draw_opened(v, framebuffer, width, height, error);
    if (status) return status;
    cab_viewer_add_handles(v);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    cab_overlay_draw(&v->inside->overlay, width, height);
    v->changed = false;
    return cab_gl_check("handles", error);
}

static cab_status save_picture(cab_viewer *v, const char *path, cab_error *error)
{
    int width = v->width > 0 ? v->width : CAB_VIEWER_FIRST_WIDTH,
        height = v->height > 0 ? v->height : CAB_VIEWER_FIRST_HEIGHT;
    cab_canvas canvas;
    cab_picture picture = {0};
    cab_renderer_select(v->renderer, -1);
    cab_status status = cab_canvas_create(&canvas, width, height, error);
    if (status) return status;
    status = draw_opened(v, canvas.framebuffer, width, height, error);
    if (!status) status = cab_picture_read(&picture, canvas.framebuffer, width, height, error);
    bool alpha = v->look.background == CAB_BACKGROUND_TRANSPARENT;
    if (!status) status = cab_picture_write(&picture, path, alpha, error);
    cab_picture_free(&picture);
    cab_canvas_free(&canvas);
    return status;
}

bool cab_viewer_save_picture(cab_viewer *v, const char *path)
{
    cab_error error;
    if (save_picture(v, path, &error)) return cab_viewer_refuse(v, &error);
    cab_viewer_tell(v, false, "picture: %s", path);
    return true;
}

/* Finds the first number that is free. An empty file is made at once, so that no other program takes the
 * same. */
static bool take_name(const cab_viewer *v, char *path, size_t size)
{
    char name[256];
    cab_path_stem(v->path, name, sizeof name);
    for (int i = 1; i <= SCREENSHOT_MAX; i++) {
        snprintf(path, size, "%s-%04d.png", name, i);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            close(file);
            return true;
        }
        if (errno != EEXIST) return false;
    }
    errno = EEXIST;
    return false;
}

bool cab_viewer_screenshot(cab_viewer *v)
{
    char path[sizeof v->path];
    if (!take_name(v, path, sizeof path)) {
        cab_viewer_tell(v, true, "%s: %s", path, strerror(errno));
        return false;
    }
    bool done = cab_viewer_save_picture(v, path);
    if (!done) unlink(path);
    return done;
}
