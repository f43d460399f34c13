/* What the mouse does: picking cables, and pulling at what is opened. */
#include <string.h>

#include <cglm/cglm.h>

#include "view/shapes/pick.h"
#include "view/viewer/viewer_inside.h"

#define REACH 6.0f /* pixels beside a cable that still count as on it */

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

bool cab_viewer_find_node(cab_viewer *v, const float at[2], int *cable, int *node)
{
    vec3 origin, direction;
    *cable = *node = -1;
    if (!v->world || v->height < 1 || !cab_viewer_read_rows(v)) return false;
    cab_viewer_ray(v, at, origin, direction);
    float reach = REACH * v->scale * cab_viewer_pixel(v, v->camera.target); /* m, there */
    cab_pick_tolerance tolerance = {.width = reach};
    if (!v->camera.orthographic) tolerance = (cab_pick_tolerance){.spread = reach / v->camera.distance};
    cab_pick pick;
    if (!cab_pick_ray(&v->inside->geometry, cab_renderer_rows(v->renderer)[0], origin, direction, tolerance,
                      &pick))
        return false;
    *cable = pick.cable;
    *node = pick.node;
    return true;
}

bool cab_viewer_pick(cab_viewer *v, float x, float y)
{
    int cable, node;
    bool found = cab_viewer_find_node(v, (float[2]){x, y}, &cable, &node);
    cab_viewer_select(v, cable);
    v->selected_node = node;
    return found;
}

void cab_viewer_select(cab_viewer *v, int cable)
{
    v->selected = cable;
    v->selected_node = -1;
    v->changed = true;
    cab_path_load(v);
}

bool cab_viewer_grab(cab_viewer *v, float x, float y)
{
    struct cab_viewer_inside *in = v->inside;
    cab_error error;
    if (v->edit.on || v->failed || v->height < 1) return false;
    in->drag = (cab_drag){.mouse = {x, y}, .at = {x, y}};
    cab_status status = in->opened->grab(v, in->drag.mouse, &v->grab.held, &error);
    if (status) {
        v->grab.held = false;
        return cab_viewer_refuse(v, &error);
    }
    if (!v->grab.held) return false;
    glm_vec3_copy(v->grab.point, in->drag.start);
    if (!v->playing) cab_viewer_tell(v, false, "it follows when you play or step");
    return v->changed = true;
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

void cab_viewer_grab_to(cab_viewer *v, float x, float y)
{
    if (!v->grab.held) return;
    v->inside->drag.at[0] = x;
    v->inside->drag.at[1] = y;
    cab_error error;
    if (v->inside->opened->pull(v, &error)) {
        v->grab.held = false;
        cab_viewer_refuse(v, &error);
    }
    v->changed = true;
}

void cab_viewer_let_go(cab_viewer *v)
{
    cab_error error;
    if (!v->grab.held) return;
    v->grab.held = false;
    v->changed = true;
    if (!v->failed && v->inside->opened->let_go(v, &error)) cab_viewer_refuse(v, &error);
}

void cab_viewer_escape(cab_viewer *v)
{
    if (v->edit.held >= 0) {
        cab_viewer_edit_drop(v, false);
    } else if (v->grab.held) {
        cab_viewer_let_go(v);
    } else if (v->edit.on) {
        cab_viewer_edit_path(v, false);
    } else {
        cab_viewer_select(v, -1);
    }
}
