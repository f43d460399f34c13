/* What the mouse does with cables: picking, and pulling. */
#include <string.h>

#include <cglm/cglm.h>

#include "view/pick.h"
#include "view/viewer_inside.h"

#define REACH 6.0f /* pixels beside a cable that still count as on it */

static void mouse_ray(const cab_viewer *v, const float at[2], vec3 origin, vec3 direction)
{
    float width = (float)v->width, height = (float)v->height;
    cab_camera_ray(&v->camera, width / height, 2 * at[0] / width - 1, 1 - 2 * at[1] / height, origin,
                   direction);
}

void cab_viewer_on_plane(const cab_viewer *v, const float at[2], const vec3 through, vec3 point)
{
    vec3 origin, direction, forward, way;
    mouse_ray(v, at, origin, direction);
    cab_camera_axes(&v->camera, forward, NULL, NULL);
    glm_vec3_sub((float *)through, origin, way);
    glm_vec3_copy(origin, point);
    glm_vec3_muladds(direction, glm_vec3_dot(way, forward) / glm_vec3_dot(direction, forward), point);
}

bool cab_viewer_on_axis(const cab_viewer *v, const float at[2], const vec3 through, const vec3 axis,
                        vec3 point)
{
    vec3 origin, direction, way;
    mouse_ray(v, at, origin, direction);
    glm_vec3_sub(origin, (float *)through, way);
    float along = glm_vec3_dot(direction, (float *)axis), sine2 = 1 - along * along;
    if (sine2 < 1e-4f) return false;
    float t = (glm_vec3_dot(way, (float *)axis) - along * glm_vec3_dot(way, direction)) / sine2;
    glm_vec3_copy((float *)through, point);
    glm_vec3_muladds((float *)axis, t, point);
    return true;
}

/* What is under the mouse, or a little beside it: its cable, -1 of a sheet, and the node to pull at. */
static bool find_node(cab_viewer *v, float x, float y, int *cable, int *node)
{
    vec3 origin, direction;
    *cable = *node = -1;
    if (v->height < 1 || !cab_viewer_read_rows(v)) return false;
    mouse_ray(v, (float[2]){x, y}, origin, direction);
    float pixel = cab_camera_height_at(&v->camera, v->camera.target) / (float)v->height; /* m, there */
    float reach = REACH * v->scale * pixel;
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
    bool found = find_node(v, x, y, &cable, &node);
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
    int cable, node;
    if (v->edit.on || v->failed || !find_node(v, x, y, &cable, &node)) return false;
    cab_viewer_select(v, cable);
    v->selected_node = v->grab.node = node;
    v->grab.held = true;
    glm_vec3_copy((float *)cab_renderer_rows(v->renderer)[v->grab.node], v->grab.point);
    struct cab_viewer_inside *in = v->inside;
    in->drag = (cab_drag){.mouse = {x, y}, .at = {x, y}};
    glm_vec3_copy(v->grab.point, in->drag.start);
    if (!v->playing) cab_viewer_tell(v, false, "it follows when you play or step");
    return true;
}

/* Where the mouse has taken what was at `start`, in the plane that faces the camera. */
static void dragged(const cab_viewer *v, vec3 point)
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
    dragged(v, v->grab.point);
    const float *p = v->grab.point;
    cab_error error;
    if (cab_world_pull(v->world, v->grab.node, (cab_vec3){p[0], p[1], p[2]}, 0, &error)) {
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
    if (!v->failed && cab_world_let_go(v->world, &error)) cab_viewer_refuse(v, &error);
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
