#include "view/camera/aim.h"

#include <math.h>

#include <cglm/cglm.h>

cab_aim cab_aim_default(void)
{
    return (cab_aim){.camera = cab_camera_default(), .zoom = 1};
}

bool cab_aim_fits(const cab_aim *aim)
{
    return !aim->eye_fixed || !aim->target_fixed;
}

/* Sets direction and distance so that the camera stands at `eye`. Straight above or below the target yaw
 * stays as it was. */
static void look_from(cab_camera *camera, vec3 eye)
{
    vec3 back;
    glm_vec3_sub(eye, camera->target, back);
    float level = hypotf(back[0], back[1]);
    camera->distance = glm_vec3_norm(back);
    if (level > 0) camera->yaw = atan2f(back[1], back[0]);
    camera->pitch = atan2f(back[2], level);
}

cab_camera cab_aim_at(const cab_aim *aim, const cab_fit *fit)
{
    cab_camera camera = aim->camera;
    cab_fit_end(fit, &camera);
    camera.distance /= aim->zoom;
    if (aim->target_fixed) glm_vec3_copy((float *)aim->target, camera.target);
    if (aim->eye_fixed) look_from(&camera, (float *)aim->eye);
    return camera;
}
