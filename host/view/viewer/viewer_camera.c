/* The camera: fitting, turning and moving it, and following what moves, within the part of the picture that panels leave free; and places of the
 * scene under a place of the picture: on a ray, on a plane, on an axis. */
#include <math.h>
#include <string.h>

#include <cglm/cglm.h>

#include "view/viewer/viewer_inside.h"

#define MOST_COVERED 0.4f /* part of the width that is left free for panels at most */

static float aspect(const cab_viewer *v)
{
    return v->height > 0 ? (float)v->width / (float)v->height
                         : (float)CAB_VIEWER_FIRST_WIDTH / CAB_VIEWER_FIRST_HEIGHT;
}

/* The part of the width that is left free for panels; what was covered is known to be free as soon as they are hidden. */
static float covered(const cab_viewer *v)
{
    return v->width > 0 && v->show_panels ? fminf(v->covered / (float)v->width, MOST_COVERED) : 0;
}

/* Begins a fit into the rest of the picture. */
static cab_framing begin_fit(const cab_viewer *v)
{
    cab_framing fit = cab_framing_begin(&v->camera, aspect(v), 0);
    fit.x.below *= 1 - 2 * covered(v);
    return fit;
}

/* Begins a fit, and adds what matters of the scene. */
static cab_framing fit_moving(const cab_viewer *v)
{
    cab_framing fit = begin_fit(v);
    cab_renderer_take_in_moving(v->renderer, &v->look, &fit);
    cab_subject_take_in_labels(&v->subject, &fit);
    return fit;
}

static void end_fit(cab_viewer *v, const cab_framing *fit)
{
    cab_framing_end(fit, &v->camera);
    v->changed = true;
}

/* Shifts the camera's target, which is in the middle of the whole picture, towards the middle of the part that panels leave
 * free (way 1), about which the camera then turns; or back (-1). */
static void shift_target(cab_viewer *v, float way)
{
    cab_camera *camera = &v->camera;
    vec3 right;
    cab_camera_axes(camera, NULL, right, NULL);
    glm_vec3_muladds(right, way * covered(v) * aspect(v) * camera->distance * tanf(camera->fov / 2),
                     camera->target);
    v->changed = true;
}

void cab_viewer_orbit(cab_viewer *v, float yaw, float pitch)
{
    shift_target(v, 1);
    cab_camera_orbit(&v->camera, yaw, pitch);
    shift_target(v, -1);
}

void cab_viewer_set_view(cab_viewer *v, const char *name)
{
    shift_target(v, 1);
    cab_camera_set_view(&v->camera, name);
    shift_target(v, -1);
}

static void note_camera(cab_viewer *v)
{
    v->inside->followed = v->camera;
    v->inside->followed_at = v->clock.time;
}

void cab_viewer_fit(cab_viewer *v)
{
    cab_error error;
    v->inside->fit_due = v->height == 0;
    v->changed = true;
    if (v->inside->fit_due) return;
    if (cab_viewer_catch_up(v, &error)) cab_viewer_refuse(v, &error);
    if (!cab_viewer_read_rows(v)) return;
    cab_framing fit = fit_moving(v);
    end_fit(v, &fit);
    v->following = true;
    cab_follow_begin(&v->inside->follow, &fit);
    note_camera(v);
}

/* Has anyone but the viewer moved the camera? That it is orthographic now does not move it. */
static bool is_moved_by_hand(const cab_viewer *v)
{
    const cab_camera *now = &v->camera, *then = &v->inside->followed;
    return now->distance != then->distance || now->yaw != then->yaw || now->pitch != then->pitch ||
           now->fov != then->fov || memcmp(now->target, then->target, sizeof now->target) != 0;
}

cab_status cab_viewer_follow(cab_viewer *v, cab_error *error)
{
    cab_status status = cab_viewer_catch_up(v, error);
    struct cab_viewer_inside *in = v->inside;
    double passed = v->clock.time - in->followed_at;
    if (status || !v->following || v->failed) return status;
    if (is_moved_by_hand(v)) {
        v->following = false;
    } else if (passed < 0) {
        cab_viewer_fit(v);
    } else if (passed > 0 && cab_viewer_read_rows(v)) {
        cab_framing now = fit_moving(v);
        if (v->grab.held) /* the mouse holds something at a place of the picture */
            in->follow.last = now;
        else
            cab_follow_step(&in->follow, &now, passed, &v->camera);
        note_camera(v);
    }
    return CAB_OK;
}

void cab_viewer_fit_selected(cab_viewer *v)
{
    if (v->selected < 0 || v->height == 0) {
        cab_viewer_fit(v);
        return;
    }
    if (!cab_viewer_read_rows(v)) return;
    cab_cable_info cable = cab_world_get_cable(v->world, v->selected);
    cab_framing fit = begin_fit(v);
    for (int i = 0; i < cable.node_count; i++)
        cab_framing_add(&fit, cab_renderer_rows(v->renderer)[cable.first_node + i], (float)cable.radius);
    end_fit(v, &fit);
}

void cab_viewer_zoom_at(cab_viewer *v, const float at[2], float factor)
{
    cab_camera *camera = &v->camera;
    vec3 before, after;
    if (v->height < 1) return;
    cab_viewer_on_plane(v, at, camera->target, before);
    cab_camera_zoom(camera, factor);
    cab_viewer_on_plane(v, at, camera->target, after);
    glm_vec3_sub(before, after, before);
    glm_vec3_add(camera->target, before, camera->target);
    v->changed = true;
}

void cab_viewer_ray(const cab_viewer *v, const float at[2], vec3 origin, vec3 direction)
{
    float width = (float)v->width, height = (float)v->height;
    cab_camera_ray(&v->camera, width / height, 2 * at[0] / width - 1, 1 - 2 * at[1] / height, origin,
                   direction);
}

float cab_viewer_pixel(const cab_viewer *v, const vec3 at)
{
    return cab_camera_height_at(&v->camera, at) / (float)v->height;
}

void cab_viewer_on_plane(const cab_viewer *v, const float at[2], const vec3 through, vec3 point)
{
    vec3 origin, direction, forward, way;
    cab_viewer_ray(v, at, origin, direction);
    cab_camera_axes(&v->camera, forward, NULL, NULL);
    glm_vec3_sub((float *)through, origin, way);
    glm_vec3_copy(origin, point);
    glm_vec3_muladds(direction, glm_vec3_dot(way, forward) / glm_vec3_dot(direction, forward), point);
}

bool cab_viewer_on_axis(const cab_viewer *v, const float at[2], const vec3 through, const vec3 axis,
                        vec3 point)
{
    vec3 origin, direction, way;
    cab_viewer_ray(v, at, origin, direction);
    glm_vec3_sub(origin, (float *)through, way);
    float along = glm_vec3_dot(direction, (float *)axis), sine2 = 1 - along * along;
    if (sine2 < 1e-4f) return false;
    float t = (glm_vec3_dot(way, (float *)axis) - along * glm_vec3_dot(way, direction)) / sine2;
    glm_vec3_copy((float *)through, point);
    glm_vec3_muladds((float *)axis, t, point);
    return true;
}

void cab_viewer_dragged(const cab_viewer *v, vec3 point)
{
    const cab_drag *drag = &v->inside->drag;
    vec3 from, to;
    cab_viewer_on_plane(v, drag->mouse, drag->start, from);
    cab_viewer_on_plane(v, drag->at, drag->start, to);
    glm_vec3_sub(to, from, point);
    glm_vec3_add(point, (float *)drag->start, point);
}
