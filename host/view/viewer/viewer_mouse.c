/* Places of the scene under a place of the picture: on a ray, on a plane, on an axis. */
#include <cglm/cglm.h>

#include "view/viewer/viewer_inside.h"

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
