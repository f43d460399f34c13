#include "view/camera/camera.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cglm/cglm.h>

#define HALF_PI 1.57079632679f
#define FARTHEST 1e6f /* m; the largest distance from the target */

cab_bounds cab_bounds_empty(void)
{
    return (cab_bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

void cab_bounds_add(cab_bounds *bounds, const vec3 point)
{
    for (int k = 0; k < 3; k++) {
        bounds->lo[k] = fminf(bounds->lo[k], point[k]);
        bounds->hi[k] = fmaxf(bounds->hi[k], point[k]);
    }
}

void cab_bounds_corner(const cab_bounds *bounds, int index, vec3 corner)
{
    for (int k = 0; k < 3; k++) corner[k] = index >> k & 1 ? bounds->hi[k] : bounds->lo[k];
}

bool cab_bounds_is_empty(const cab_bounds *bounds)
{
    return bounds->lo[0] > bounds->hi[0] || bounds->lo[1] > bounds->hi[1] || bounds->lo[2] > bounds->hi[2];
}

cab_bounds cab_bounds_common(const cab_bounds *a, const cab_bounds *b)
{
    cab_bounds common;
    for (int k = 0; k < 3; k++) {
        common.lo[k] = fmaxf(a->lo[k], b->lo[k]);
        common.hi[k] = fminf(a->hi[k], b->hi[k]);
    }
    return common;
}

float cab_bounds_largest(const cab_bounds *bounds)
{
    float largest = 0;
    for (int k = 0; k < 3; k++) largest = fmaxf(largest, bounds->hi[k] - bounds->lo[k]);
    return cab_bounds_is_empty(bounds) ? 0 : largest;
}

cab_camera cab_camera_default(void)
{
    cab_camera camera = {.target = {0, 0, 0}, .distance = 3, .fov = 0.69f};
    cab_camera_set_view(&camera, "corner");
    return camera;
}

typedef struct named_view {
    const char *name;
    float yaw, pitch;
    bool orthographic;
} named_view;

static const named_view named_views[] = {
    {"corner", -HALF_PI + 0.6f, 0.38f, false},
    {"front", -HALF_PI, 0, true},
    {"back", HALF_PI, 0, true},
    {"left", 2 * HALF_PI, 0, true},
    {"right", 0, 0, true},
    {"top", -HALF_PI, HALF_PI, true},
    {"bottom", -HALF_PI, -HALF_PI, true},
};
enum { VIEW_COUNT = sizeof named_views / sizeof named_views[0] };

bool cab_camera_set_view(cab_camera *camera, const char *name)
{
    for (int i = 0; i < VIEW_COUNT; i++) {
        if (strcmp(named_views[i].name, name) != 0) continue;
        camera->yaw = named_views[i].yaw;
        camera->pitch = named_views[i].pitch;
        camera->orthographic = named_views[i].orthographic;
        return true;
    }
    return false;
}

const char *cab_camera_view_name(int index)
{
    return index >= 0 && index < VIEW_COUNT ? named_views[index].name : NULL;
}

void cab_camera_axes(const cab_camera *camera, vec3 forward, vec3 right, vec3 up)
{
    float cy = cosf(camera->yaw), sy = sinf(camera->yaw), cp = cosf(camera->pitch), sp = sinf(camera->pitch);
    if (forward) glm_vec3_copy((vec3){-cp * cy, -cp * sy, -sp}, forward);
    if (right) glm_vec3_copy((vec3){-sy, cy, 0}, right);
    if (up) glm_vec3_copy((vec3){-sp * cy, -sp * sy, cp}, up);
}

void cab_camera_eye(const cab_camera *camera, vec3 eye)
{
    vec3 forward;
    cab_camera_axes(camera, forward, NULL, NULL);
    glm_vec3_copy((float *)camera->target, eye);
    glm_vec3_muladds(forward, -camera->distance, eye);
}

void cab_camera_orbit(cab_camera *camera, float yaw, float pitch)
{
    camera->yaw = remainderf(camera->yaw + yaw, 4 * HALF_PI);
    camera->pitch = glm_clamp(camera->pitch + pitch, -HALF_PI, HALF_PI);
}

void cab_camera_pan(cab_camera *camera, float right, float up)
{
    vec3 x, y;
    cab_camera_axes(camera, NULL, x, y);
    float height = 2 * camera->distance * tanf(camera->fov / 2);
    glm_vec3_muladds(x, -right * height, camera->target);
    glm_vec3_muladds(y, -up * height, camera->target);
}

void cab_camera_zoom(cab_camera *camera, float factor)
{
    camera->distance = glm_clamp(camera->distance * factor, CAB_CAMERA_NEAREST, FARTHEST);
}

void cab_camera_depths(const cab_camera *camera, const cab_bounds *bounds, float *nearest, float *farthest)
{
    vec3 eye, forward;
    cab_camera_eye(camera, eye);
    cab_camera_axes(camera, forward, NULL, NULL);
    *nearest = FLT_MAX;
    *farthest = -FLT_MAX;
    for (int i = 0; i < 8; i++) {
        vec3 corner;
        cab_bounds_corner(bounds, i, corner);
        glm_vec3_sub(corner, eye, corner);
        float depth = glm_vec3_dot(corner, forward);
        *nearest = fminf(*nearest, depth);
        *farthest = fmaxf(*farthest, depth);
    }
}

void cab_camera_matrices(const cab_camera *camera, const cab_bounds *bounds, float aspect, mat4 view,
                         mat4 projection)
{
    vec3 eye, forward, up;
    cab_camera_eye(camera, eye);
    cab_camera_axes(camera, forward, NULL, up);
    glm_look(eye, forward, up, view);
    float nearest = camera->distance / 2, farthest = camera->distance * 2;
    if (!cab_bounds_is_empty(bounds)) cab_camera_depths(camera, bounds, &nearest, &farthest);
    float room = 0.01f * camera->distance;
    farthest = fmaxf(farthest, camera->distance) + room;
    nearest -= room;
    if (camera->orthographic) { /* which also shows what is behind its eye */
        float h = camera->distance * tanf(camera->fov / 2);
        glm_ortho(-h * aspect, h * aspect, -h, h, nearest, farthest, projection);
    } else {
        nearest = fmaxf(nearest, farthest * 1e-4f); /* as far as 32 bits of depth resolve */
        glm_perspective(camera->fov, aspect, fminf(nearest, camera->distance / 2), farthest, projection);
    }
}

void cab_camera_ray(const cab_camera *camera, float aspect, float x, float y, vec3 origin, vec3 direction)
{
    vec3 forward, right, up;
    cab_camera_axes(camera, forward, right, up);
    cab_camera_eye(camera, origin);
    glm_vec3_copy(forward, direction);
    float tangent = tanf(camera->fov / 2);
    if (camera->orthographic) {
        glm_vec3_muladds(right, x * aspect * tangent * camera->distance, origin);
        glm_vec3_muladds(up, y * tangent * camera->distance, origin);
    } else {
        glm_vec3_muladds(right, x * aspect * tangent, direction);
        glm_vec3_muladds(up, y * tangent, direction);
        glm_vec3_normalize(direction);
    }
}

float cab_camera_height_at(const cab_camera *camera, const vec3 point)
{
    vec3 eye, forward, way;
    cab_camera_eye(camera, eye);
    cab_camera_axes(camera, forward, NULL, NULL);
    glm_vec3_sub((float *)point, eye, way);
    float depth = camera->orthographic ? camera->distance : glm_vec3_dot(way, forward);
    return 2 * depth * tanf(camera->fov / 2);
}
