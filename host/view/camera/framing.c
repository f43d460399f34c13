#include "view/camera/framing.h"

#include <float.h>
#include <math.h>

#include <cglm/cglm.h>

#define MARGIN 1.06f /* so much larger than the points the picture is, so that nothing touches its edge */

cab_framing cab_framing_begin(const cab_camera *camera, float aspect, float taken)
{
    float tangent = tanf(camera->fov / 2) / MARGIN, wide = tangent * aspect;
    cab_framing fit = {.orthographic = camera->orthographic,
                       .x = {wide, wide * (1 - 2 * taken), -FLT_MAX, FLT_MAX},
                       .y = {tangent, tangent, -FLT_MAX, FLT_MAX},
                       .nearest = FLT_MAX,
                       .farthest = -FLT_MAX};
    cab_camera_axes(camera, fit.forward, fit.right, fit.up);
    return fit;
}

/* Each edge of the picture is a plane through the eye. A ball is inside when its centre is at least its
 * radius away from the plane. With parallel projection the planes have no slope. */
static void take_in(cab_framing_axis *axis, float place, float depth, float radius, bool parallel)
{
    float above = parallel ? 0 : axis->above, below = parallel ? 0 : axis->below;
    axis->least = fmaxf(axis->least, place - above * depth + radius * sqrtf(1 + above * above));
    axis->most = fminf(axis->most, place + below * depth - radius * sqrtf(1 + below * below));
}

void cab_framing_add(cab_framing *fit, const vec3 point, float radius)
{
    float depth = glm_vec3_dot((float *)point, fit->forward);
    take_in(&fit->x, glm_vec3_dot((float *)point, fit->right), depth, radius, fit->orthographic);
    take_in(&fit->y, glm_vec3_dot((float *)point, fit->up), depth, radius, fit->orthographic);
    fit->nearest = fminf(fit->nearest, depth);
    fit->farthest = fmaxf(fit->farthest, depth);
}

void cab_framing_add_box(cab_framing *fit, const cab_bounds *bounds)
{
    if (cab_bounds_is_empty(bounds)) return;
    for (int i = 0; i < 8; i++) {
        vec3 corner;
        cab_bounds_corner(bounds, i, corner);
        cab_framing_add(fit, corner, 0);
    }
}

bool cab_framing_is_empty(const cab_framing *fit)
{
    return fit->nearest > fit->farthest;
}

float cab_framing_meeting(const cab_framing_axis *axis)
{
    return (axis->most - axis->least) / (axis->below + axis->above);
}

/* Midway between the limits of an axis. */
static float middle(const cab_framing_axis *axis, float ahead)
{
    return (axis->least + axis->above * ahead + axis->most - axis->below * ahead) / 2;
}

/* The eye goes ahead until the limits of one axis meet. With parallel projection `ahead` is not a place but
 * gives the size of the picture, which is the distance times the angle of view. */
void cab_framing_end(const cab_framing *fit, cab_camera *camera)
{
    if (cab_framing_is_empty(fit)) return;
    float ahead = fminf(cab_framing_meeting(&fit->x), cab_framing_meeting(&fit->y)),
          depth = (fit->nearest + fit->farthest) / 2;
    camera->distance = fmaxf(fit->orthographic ? -ahead : depth - ahead, CAB_CAMERA_NEAREST);
    glm_vec3_scale((float *)fit->forward, depth, camera->target);
    glm_vec3_muladds((float *)fit->right, middle(&fit->x, ahead), camera->target);
    glm_vec3_muladds((float *)fit->up, middle(&fit->y, ahead), camera->target);
}

void cab_camera_fit(cab_camera *camera, const cab_bounds *bounds, float aspect)
{
    cab_framing fit = cab_framing_begin(camera, aspect, 0);
    cab_framing_add_box(&fit, bounds);
    cab_framing_end(&fit, camera);
}

cab_aim cab_aim_default(void)
{
    return (cab_aim){.camera = cab_camera_default(), .zoom = 1};
}

bool cab_aim_fits(const cab_aim *aim)
{
    return !aim->eye_fixed || !aim->target_fixed;
}

/* Turns and places the camera to stand at `eye`. Straight above or below the target yaw stays as it was. */
static void look_from(cab_camera *camera, vec3 eye)
{
    vec3 back;
    glm_vec3_sub(eye, camera->target, back);
    float level = hypotf(back[0], back[1]);
    camera->distance = glm_vec3_norm(back);
    if (level > 0) camera->yaw = atan2f(back[1], back[0]);
    camera->pitch = atan2f(back[2], level);
}

cab_camera cab_aim_at(const cab_aim *aim, const cab_framing *fit)
{
    cab_camera camera = aim->camera;
    cab_framing_end(fit, &camera);
    camera.distance /= aim->zoom;
    if (aim->target_fixed) glm_vec3_copy((float *)aim->target, camera.target);
    if (aim->eye_fixed) look_from(&camera, (float *)aim->eye);
    return camera;
}
