#include "view/draw/ground.h"

#include <math.h>

#include <cglm/cglm.h>

#include "view/gl/gl.h"

cab_status cab_ground_create(cab_ground *ground, cab_error *error)
{
    *ground = (cab_ground){.program = cab_gl_program("ground.vert", "ground.frag", NULL, error)};
    if (!ground->program) return CAB_ERROR_DEVICE;
    glGenVertexArrays(1, &ground->array);
    return CAB_OK;
}

float cab_ground_step(float distance)
{
    return powf(10, floorf(log10f(distance * 0.25f)));
}

void cab_ground_draw(const cab_ground *ground, const cab_camera *camera, const cab_bounds *bounds,
                     const cab_look *look)
{
    bool solid = ground->floor && look->background != CAB_BACKGROUND_TRANSPARENT;
    vec3 extent, middle;
    glm_vec3_sub((float *)bounds->hi, (float *)bounds->lo, extent);
    glm_vec3_center((float *)bounds->lo, (float *)bounds->hi, middle);
    /* it also reaches under the camera's target, which the scene may have left */
    float aside = hypotf(camera->target[0] - middle[0], camera->target[1] - middle[1]);
    float clear = fmaxf(glm_vec3_norm(extent), aside + 0.5f * camera->distance);
    float grey = cab_look_ground_grey(look);
    glUseProgram(ground->program);
    middle[ground->upright ? 1 : 2] = ground->height;
    glUniform1i(glGetUniformLocation(ground->program, "upright"), ground->upright);
    glUniform4f(glGetUniformLocation(ground->program, "ground"), middle[0], middle[1], middle[2],
                2.6f * clear);
    glUniform4f(glGetUniformLocation(ground->program, "grid"), cab_ground_step(camera->distance),
                look->grid ? 1 : 0, clear, solid ? 1 : 0);
    glUniform3f(glGetUniformLocation(ground->program, "floor_colour"), grey, grey, grey);
    glBindVertexArray(ground->array);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(solid); /* where there are only lines and shadows, they hide nothing */
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

void cab_ground_free(cab_ground *ground)
{
    if (ground->program) glDeleteProgram(ground->program);
    if (ground->array) glDeleteVertexArrays(1, &ground->array);
    *ground = (cab_ground){0};
}
