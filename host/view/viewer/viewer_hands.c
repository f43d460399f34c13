/* Finding what is under the mouse, and pulling at it. */
#include <cglm/cglm.h>

#include "view/shapes/pick.h"
#include "view/viewer/viewer_inside.h"

#define REACH 6.0f /* pixels beside a cable that still count as on it */

/* What of cables and sheets is at this place of the picture. */
static bool find(cab_viewer *v, const float at[2], cab_pick *pick)
{
    vec3 origin, direction;
    if (!v->world || v->height < 1 || !cab_viewer_read_rows(v)) return false;
    cab_viewer_ray(v, at, origin, direction);
    float reach = REACH * v->scale * cab_viewer_pixel(v, v->camera.target); /* m, at the target's distance */
    cab_pick_tolerance tolerance = {.width = reach};
    if (!v->camera.orthographic) tolerance = (cab_pick_tolerance){.spread = reach / v->camera.distance};
    return cab_pick_ray(&v->inside->geometry, cab_renderer_rows(v->renderer)[0], origin, direction, tolerance,
                        pick);
}

bool cab_viewer_find_node(cab_viewer *v, const float at[2], int *cable, int *node)
{
    cab_pick pick = {.cable = -1, .node = -1};
    bool found = find(v, at, &pick);
    *cable = pick.cable;
    *node = pick.node;
    return found;
}

bool cab_viewer_find_body(cab_viewer *v, const float at[2], int *body, vec3 place, vec3 point)
{
    cab_pick cable;
    vec3 origin, direction;
    *body = -1;
    if (!v->world || v->height < 1) return false;
    cab_viewer_ray(v, at, origin, direction);
    glm_vec3_normalize(direction);
    cab_solid_hit hit = cab_solids_pick(cab_renderer_solids(v->renderer), origin, direction);
    if (!hit.solid || !hit.solid->moves) return false;
    if (find(v, at, &cable) && !cable.beside && cable.distance < hit.distance) return false;
    *body = hit.solid->body;
    glm_vec3_copy(hit.at, place);
    glm_vec3_copy(hit.point, point);
    return true;
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
