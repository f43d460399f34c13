#include "view/draw/occlusion.h"

#include <stddef.h>

enum { WIDEST = 8 }; /* radius in the picture at most, as a multiple of the narrowest */

#define STRENGTH 1.0f

cab_status cab_occlusion_create(cab_occlusion *o, cab_error *error)
{
    *o = (cab_occlusion){.program = cab_gl_program("screen.vert", "occlusion.frag", NULL, error)};
    if (!o->program) return CAB_ERROR_DEVICE;
    o->reach = glGetUniformLocation(o->program, "reach");
    o->blur = cab_gl_program("screen.vert", "blur.frag", NULL, error);
    if (!o->blur) return CAB_ERROR_DEVICE;
    o->along = glGetUniformLocation(o->blur, "along");
    o->apart = glGetUniformLocation(o->blur, "apart");
    return CAB_OK;
}

static void free_textures(cab_occlusion *o)
{
    glDeleteFramebuffers(2, o->framebuffers);
    glDeleteTextures(2, o->textures);
    o->width = o->height = 0;
}

static cab_status resize(cab_occlusion *o, int width, int height, cab_error *error)
{
    if (o->width == width && o->height == height) return CAB_OK;
    free_textures(o);
    for (int i = 0; i < 2; i++) {
        o->textures[i] = cab_gl_texture(GL_RG32F, width, height, GL_NEAREST);
        o->framebuffers[i] = cab_gl_framebuffer(GL_COLOR_ATTACHMENT0, o->textures[i]);
    }
    o->width = width;
    o->height = height;
    return cab_gl_check("occlusion", error);
}

/* Draws a triangle that covers all of `into`; its shader reads `from`. */
static void cover(GLuint into, int unit, GLuint from)
{
    glBindFramebuffer(GL_FRAMEBUFFER, into);
    cab_gl_bind(unit, GL_TEXTURE_2D, from);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

cab_status cab_occlusion_draw(cab_occlusion *o, const cab_target *target, float radius, float narrowest,
                              cab_error *error)
{
    cab_status status = resize(o, target->width, target->height, error);
    if (status) return status;
    glViewport(0, 0, o->width, o->height);
    glUseProgram(o->program);
    glUniform4f(o->reach, radius, narrowest, WIDEST * narrowest, STRENGTH);
    cover(o->framebuffers[0], CAB_UNIT_DEPTH, target->depth);
    glUseProgram(o->blur);
    glUniform1f(o->apart, 0.3f * radius);
    glUniform2i(o->along, 1, 0);
    cover(o->framebuffers[1], CAB_UNIT_OCCLUSION, o->textures[0]);
    glUniform2i(o->along, 0, 1);
    cover(o->framebuffers[0], CAB_UNIT_OCCLUSION, o->textures[1]);
    cab_gl_bind(CAB_UNIT_OCCLUSION, GL_TEXTURE_2D, o->textures[0]);
    return CAB_OK;
}

void cab_occlusion_free(cab_occlusion *o)
{
    glDeleteProgram(o->program);
    glDeleteProgram(o->blur);
    free_textures(o);
    *o = (cab_occlusion){0};
}
