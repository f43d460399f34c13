/* Draws into a framebuffer, with the pull, the handles of the edited path and the places that are plotted; into files without them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cglm/cglm.h>

#include "base/path.h"
#include "view/gl/canvas.h"
#include "view/gl/gl.h"
#include "view/gl/picture.h"
#include "view/scale/colour.h"
#include "view/viewer/viewer_inside.h"

enum { SCREENSHOT_MAX = 9999 };

static void add_dot(cab_viewer *v, const float at[2], float radius, const unsigned char colour[4])
{
    cab_stroke stroke = {{at[0], at[1]}, {at[0], at[1]}, radius * v->scale, {0}};
    memcpy(stroke.colour, colour, sizeof stroke.colour);
    cab_overlay_add(&v->inside->overlay, &stroke);
}

static void add_line(cab_viewer *v, const vec3 a, const vec3 b, float radius, const unsigned char colour[4])
{
    cab_stroke stroke = {.radius = radius * v->scale};
    memcpy(stroke.colour, colour, sizeof stroke.colour);
    if (cab_overlay_project_line(&v->camera, v->width, v->height, a, b, &stroke))
        cab_overlay_add(&v->inside->overlay, &stroke);
}

/* A dot within a larger one of another colour, at a place of the scene. */
static void add_rimmed_dot(cab_viewer *v, const vec3 point, const float radii[2], const unsigned char rim[4],
                           const unsigned char colour[4])
{
    float at[2];
    if (!cab_overlay_project(&v->camera, v->width, v->height, point, at)) return;
    add_dot(v, at, radii[0], rim);
    add_dot(v, at, radii[1], colour);
}

/* From what is held to where it is pulled. */
static void draw_pull(cab_viewer *v)
{
    static const unsigned char dark[4] = {20, 20, 20, 160}, bright[4] = {255, 170, 40, 255};
    vec3 at;
    if (!v->grab.held) return;
    if (v->inside->opened->held(v, at)) {
        add_line(v, at, v->grab.point, 2.5f, dark);
        add_line(v, at, v->grab.point, 1.25f, bright);
        add_rimmed_dot(v, at, (float[2]){5.5f, 4}, dark, bright);
    }
    add_rimmed_dot(v, v->grab.point, (float[2]){4.5f, 3}, dark, bright);
}

/* The line that the held point may move along. */
static void draw_axis(cab_viewer *v)
{
    static const unsigned char colours[3][4] = {{225, 70, 60, 255}, {90, 175, 60, 255}, {65, 125, 230, 255}};
    if (v->edit.held < 0 || !v->edit.axis) return;
    const float *axis = cab_path_axis(v->edit.axis);
    vec3 a, b;
    glm_vec3_copy(v->inside->drag.start, a);
    glm_vec3_copy(a, b);
    glm_vec3_muladds((float *)axis, -10 * v->camera.distance, a);
    glm_vec3_muladds((float *)axis, 10 * v->camera.distance, b);
    add_line(v, a, b, 1, colours[v->edit.axis - 'x']);
}

static void draw_path(cab_viewer *v)
{
    static const unsigned char dark[4] = {25, 25, 28, 230}, white[4] = {245, 245, 245, 255},
                               orange[4] = {255, 160, 30, 255}, line[4] = {25, 25, 28, 110};
    static const float small[2] = {6, 4.5f}, large[2] = {7.5f, 6};
    if (!v->edit.on) return;
    draw_axis(v);
    for (int i = 0; i + 1 < v->edit.count; i++) {
        vec3 a, b;
        cab_path_point(v, i, a);
        cab_path_point(v, i + 1, b);
        add_line(v, a, b, 0.75f, line);
    }
    for (int i = 0; i < v->edit.count; i++) {
        vec3 point;
        cab_path_point(v, i, point);
        bool lit = i == v->edit.held || i == v->edit.under;
        add_rimmed_dot(v, point, lit ? large : small, dark, lit ? orange : white);
    }
}

/* Where what is plotted is, in the colour of its curve. */
static void draw_traces(cab_viewer *v)
{
    static const unsigned char white[4] = {245, 245, 245, 255};
    int node;
    if (v->traces.count && !cab_viewer_read_rows(v)) return;
    for (int i = 0; cab_viewer_trace_node(v, i, &node); i++) {
        const cab_trace *trace = &v->traces.list[i];
        const float(*row)[4] = cab_renderer_rows(v->renderer) + node;
        unsigned char colour[4];
        vec3 place;
        for (int k = 0; k < 3; k++)
            place[k] = row[0][k] + (trace->part > 0 ? (float)trace->part * (row[1][k] - row[0][k]) : 0);
        cab_palette(trace->colour, colour);
        add_rimmed_dot(v, place, (float[2]){6, 4.5f}, white, colour);
    }
}

/* Draws the scene without handles and pull. */
static cab_status draw_opened(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    cab_status status = cab_viewer_follow(v, error);
    if (status) return status;
    return cab_renderer_draw(v->renderer, &v->camera, &v->look, framebuffer, width, height, error);
}

cab_status cab_viewer_draw(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    v->width = width;
    v->height = height;
    if (v->inside->fit_due) cab_viewer_fit(v);
    cab_renderer_select(v->renderer, v->selected);
    cab_status status = cab_viewer_follow(v, error);
    if (!status) status = cab_viewer_draw_scene(v, framebuffer, width, height, error);
    if (status) return status;
    draw_traces(v);
    draw_pull(v);
    draw_path(v);
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

/* The file is made at once, so that no other program takes the name. */
bool cab_viewer_take_name(cab_viewer *v, const char *ending, char *path, size_t size)
{
    char name[256];
    cab_path_stem(v->path, name, sizeof name);
    int error = EEXIST;
    for (int i = 1; i <= SCREENSHOT_MAX && error == EEXIST; i++) {
        snprintf(path, size, "%s-%04d%s", name, i, ending);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            close(file);
            return true;
        }
        error = errno;
    }
    cab_viewer_tell(v, true, "%s: %s", path, strerror(error));
    return false;
}

bool cab_viewer_screenshot(cab_viewer *v)
{
    char path[sizeof v->path];
    if (!cab_viewer_take_name(v, ".png", path, sizeof path)) return false;
    bool done = cab_viewer_save_picture(v, path);
    if (!done) unlink(path);
    return done;
}
