/* What the viewer draws: what is opened, handles and the pull over it, pictures into files. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cglm/cglm.h>

#include "base/error.h"
#include "base/path.h"
#include "view/gl/canvas.h"
#include "view/gl/gl.h"
#include "view/gl/picture.h"
#include "view/viewer/viewer_inside.h"

enum { SCREENSHOT_MAX = 9999, FIRST_WIDTH = 1280, FIRST_HEIGHT = 720 };

#define MOST_COVERED 0.4f /* of the width; more and the rest would be too small to look at */

static float aspect(const cab_viewer *v)
{
    return v->height > 0 ? (float)v->width / (float)v->height : (float)FIRST_WIDTH / FIRST_HEIGHT;
}

/* The renderer as what is opened is now. */
static cab_status catch_up(cab_viewer *v, cab_error *error)
{
    struct cab_viewer_inside *in = v->inside;
    if (!in->moved || v->failed) return CAB_OK;
    cab_status status = v->subject.kind->update(v->subject.self, v->renderer, &v->look, error);
    if (!status) in->moved = false;
    return status;
}

/* What is opened, without what only hands need. */
static cab_status draw_opened(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    cab_status status = catch_up(v, error);
    if (status) return status;
    return cab_renderer_draw(v->renderer, &v->camera, &v->look, framebuffer, width, height, error);
}

/* The part of the width that panels cover. */
static float covered(const cab_viewer *v)
{
    return v->width > 0 ? fminf(v->covered / (float)v->width, MOST_COVERED) : 0;
}

/* Into what panels leave free of the picture. */
static cab_fit begin_fit(const cab_viewer *v)
{
    cab_fit fit = cab_fit_begin(&v->camera, aspect(v), 0);
    fit.x.below *= 1 - 2 * covered(v);
    return fit;
}

static void end_fit(cab_viewer *v, const cab_fit *fit)
{
    cab_fit_end(fit, &v->camera);
    v->changed = true;
}

/* Turns by `turn` about the middle of what panels leave free: the target is the middle of the whole. */
static void turn_about_middle(cab_viewer *v, void (*turn)(cab_camera *camera, const void *how),
                              const void *how)
{
    cab_camera *camera = &v->camera;
    vec3 right;
    float aside = covered(v) * aspect(v) * camera->distance * tanf(camera->fov / 2);
    cab_camera_axes(camera, NULL, right, NULL);
    glm_vec3_muladds(right, aside, camera->target);
    turn(camera, how);
    cab_camera_axes(camera, NULL, right, NULL);
    glm_vec3_muladds(right, -aside, camera->target);
    v->changed = true;
}

static void turn_by(cab_camera *camera, const void *how)
{
    const float *angles = how;
    cab_camera_orbit(camera, angles[0], angles[1]);
}

void cab_viewer_orbit(cab_viewer *v, float yaw, float pitch)
{
    turn_about_middle(v, turn_by, (float[2]){yaw, pitch});
}

static void turn_to(cab_camera *camera, const void *how)
{
    cab_camera_set_view(camera, how);
}

void cab_viewer_set_view(cab_viewer *v, const char *name)
{
    turn_about_middle(v, turn_to, name);
}

static void draw_dot(cab_viewer *v, const vec3 point, float radius, const unsigned char colour[4])
{
    cab_stroke stroke;
    if (!cab_overlay_project(&v->camera, v->width, v->height, point, stroke.a)) return;
    memcpy(stroke.b, stroke.a, sizeof stroke.b);
    memcpy(stroke.colour, colour, sizeof stroke.colour);
    stroke.radius = radius * v->scale;
    cab_overlay_add(&v->inside->overlay, &stroke);
}

/* From what is held to where it is pulled. */
static void draw_grab(cab_viewer *v)
{
    static const unsigned char dark[4] = {20, 20, 20, 160}, bright[4] = {255, 170, 40, 255};
    if (!v->grab.held) return;
    vec3 at;
    bool known = v->inside->opened->held(v, at);
    cab_stroke line = {.radius = 2.5f * v->scale};
    memcpy(line.colour, dark, sizeof dark);
    if (known && cab_overlay_project_line(&v->camera, v->width, v->height, at, v->grab.point, &line)) {
        cab_overlay_add(&v->inside->overlay, &line);
        line.radius = 1.25f * v->scale;
        memcpy(line.colour, bright, sizeof bright);
        cab_overlay_add(&v->inside->overlay, &line);
    }
    if (known) draw_dot(v, at, 5.5f, dark);
    if (known) draw_dot(v, at, 4, bright);
    draw_dot(v, v->grab.point, 4.5f, dark);
    draw_dot(v, v->grab.point, 3, bright);
}

cab_status cab_viewer_draw(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    v->width = width;
    v->height = height;
    if (v->inside->fit_due) cab_viewer_fit(v);
    cab_renderer_select(v->renderer, v->selected);
    cab_status status = draw_opened(v, framebuffer, width, height, error);
    if (status) return status;
    draw_grab(v);
    cab_path_draw(v);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    cab_overlay_draw(&v->inside->overlay, width, height);
    v->changed = false;
    return cab_gl_check("handles", error);
}

void cab_viewer_set_look(cab_viewer *v, const cab_look *look)
{
    cab_error error;
    v->look = *look;
    if (v->subject.kind->load(v->subject.self, v->renderer, &v->look, &error)) cab_viewer_refuse(v, &error);
    v->inside->moved = v->changed = true;
}

bool cab_viewer_read_rows(cab_viewer *v)
{
    cab_error error;
    if (v->failed || !v->world || !cab_world_shares_gl(v->world)) return true;
    if (!cab_renderer_read(v->renderer, v->world, &v->look, &error)) return true;
    return cab_viewer_refuse(v, &error);
}

void cab_viewer_fit(cab_viewer *v)
{
    cab_error error;
    v->inside->fit_due = v->height == 0;
    v->changed = true;
    if (v->inside->fit_due) return;
    if (catch_up(v, &error)) cab_viewer_refuse(v, &error);
    if (!cab_viewer_read_rows(v)) return;
    cab_fit fit = begin_fit(v);
    cab_renderer_take_in(v->renderer, &v->look, &fit);
    cab_subject_take_in_labels(&v->subject, &fit);
    end_fit(v, &fit);
}

void cab_viewer_fit_selected(cab_viewer *v)
{
    if (v->selected < 0 || v->height == 0) {
        cab_viewer_fit(v);
        return;
    }
    if (!cab_viewer_read_rows(v)) return;
    cab_cable_info cable = cab_world_get_cable(v->world, v->selected);
    cab_fit fit = begin_fit(v);
    for (int i = 0; i < cable.node_count; i++)
        cab_fit_add(&fit, cab_renderer_rows(v->renderer)[cable.first_node + i], (float)cable.radius);
    end_fit(v, &fit);
}

static cab_status save_picture(cab_viewer *v, const char *path, cab_error *error)
{
    int width = v->width > 0 ? v->width : FIRST_WIDTH, height = v->height > 0 ? v->height : FIRST_HEIGHT;
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

/* The first number that is free, taken at once by an empty file, so that nobody else has it, too. */
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
