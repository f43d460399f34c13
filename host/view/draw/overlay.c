#include "view/draw/overlay.h"

#include <stddef.h>
#include <stdlib.h>

#include <cglm/cglm.h>

#include "base/array.h"
#include "view/gl/gl.h"

enum { A = 0, B, RADIUS, COLOUR }; /* vertex attributes, as in overlay.vert */

#define NEAREST 1e-3f /* part of the camera's distance, nearer than which lines are cut off */

cab_status cab_overlay_create(cab_overlay *overlay, cab_error *error)
{
    *overlay = (cab_overlay){.program = cab_gl_program("overlay.vert", "overlay.frag", NULL, error)};
    if (!overlay->program) return CAB_ERROR_DEVICE;
    glGenVertexArrays(1, &overlay->array);
    glGenBuffers(1, &overlay->buffer);
    glBindVertexArray(overlay->array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    size_t stride = sizeof(cab_stroke);
    cab_gl_attribute(A, 2, GL_FLOAT, stride, offsetof(cab_stroke, a));
    cab_gl_attribute(B, 2, GL_FLOAT, stride, offsetof(cab_stroke, b));
    cab_gl_attribute(RADIUS, 1, GL_FLOAT, stride, offsetof(cab_stroke, radius));
    cab_gl_attribute(COLOUR, 4, GL_UNSIGNED_BYTE, stride, offsetof(cab_stroke, colour));
    for (GLuint i = A; i <= COLOUR; i++) glVertexAttribDivisor(i, 1);
    return cab_gl_check("overlays", error);
}

void cab_overlay_add(cab_overlay *overlay, const cab_stroke *stroke)
{
    if (CAB_ROOM(overlay->strokes, overlay->room, (long long)overlay->count + 1, NULL)) return;
    overlay->strokes[overlay->count++] = *stroke;
}

void cab_overlay_draw(cab_overlay *overlay, int width, int height)
{
    if (!overlay->count) return;
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)overlay->count * sizeof *overlay->strokes),
                 overlay->strokes, GL_STREAM_DRAW);
    glViewport(0, 0, width, height);
    glUseProgram(overlay->program);
    glUniform2f(glGetUniformLocation(overlay->program, "size"), (float)width, (float)height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(overlay->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, overlay->count);
    glDisable(GL_BLEND);
    overlay->count = 0;
}

void cab_overlay_free(cab_overlay *overlay)
{
    if (overlay->program) glDeleteProgram(overlay->program);
    if (overlay->array) glDeleteVertexArrays(1, &overlay->array);
    if (overlay->buffer) glDeleteBuffers(1, &overlay->buffer);
    free(overlay->strokes);
    *overlay = (cab_overlay){0};
}

/* Coordinates along the camera's axes: right, up, forward. */
static void to_eye(const cab_camera *camera, const vec3 point, vec3 eye)
{
    vec3 from, way, forward, right, up;
    cab_camera_eye(camera, from);
    cab_camera_axes(camera, forward, right, up);
    glm_vec3_sub((float *)point, from, way);
    glm_vec3_copy((vec3){glm_vec3_dot(way, right), glm_vec3_dot(way, up), glm_vec3_dot(way, forward)}, eye);
}

static void to_pixel(const cab_camera *camera, int width, int height, const vec3 eye, float at[2])
{
    float depth = camera->orthographic ? camera->distance : eye[2];
    float pixels = (float)height / (2 * depth * tanf(camera->fov / 2));
    at[0] = 0.5f * (float)width + eye[0] * pixels;
    at[1] = 0.5f * (float)height - eye[1] * pixels;
}

bool cab_overlay_project(const cab_camera *camera, int width, int height, const vec3 point, float at[2])
{
    vec3 eye;
    to_eye(camera, point, eye);
    if (!camera->orthographic && eye[2] < NEAREST * camera->distance) return false;
    to_pixel(camera, width, height, eye, at);
    return true;
}

bool cab_overlay_project_line(const cab_camera *camera, int width, int height, const vec3 a, const vec3 b,
                              cab_stroke *stroke)
{
    vec3 ends[2];
    to_eye(camera, a, ends[0]);
    to_eye(camera, b, ends[1]);
    float nearest = NEAREST * camera->distance;
    for (int k = 0; k < 2 && !camera->orthographic; k++) {
        float mine = ends[k][2], other = ends[1 - k][2];
        if (mine >= nearest) continue;
        if (other < nearest) return false;
        glm_vec3_lerp(ends[1 - k], ends[k], (other - nearest) / (other - mine), ends[k]);
    }
    to_pixel(camera, width, height, ends[0], stroke->a);
    to_pixel(camera, width, height, ends[1], stroke->b);
    return true;
}
