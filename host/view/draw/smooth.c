#include "view/draw/smooth.h"

#include <stddef.h>

cab_status cab_smooth_create(cab_smooth *s, cab_error *error)
{
    *s = (cab_smooth){.program = cab_gl_program("screen.vert", "smooth.frag", NULL, error)};
    if (!s->program) return CAB_ERROR_DEVICE;
    s->texel = glGetUniformLocation(s->program, "texel");
    return CAB_OK;
}

cab_status cab_smooth_resize(cab_smooth *s, int width, int height, cab_error *error)
{
    if (s->width == width && s->height == height) return CAB_OK;
    glDeleteFramebuffers(1, &s->framebuffer);
    glDeleteTextures(1, &s->picture);
    s->picture = cab_gl_texture(GL_RGBA8, width, height, GL_LINEAR);
    s->framebuffer = cab_gl_framebuffer(GL_COLOR_ATTACHMENT0, s->picture);
    s->width = width;
    s->height = height;
    return cab_gl_check("smoothing", error);
}

void cab_smooth_draw(const cab_smooth *s, GLuint framebuffer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    cab_gl_bind(CAB_UNIT_PICTURE, GL_TEXTURE_2D, s->picture);
    glUseProgram(s->program);
    glUniform2f(s->texel, 1 / (float)s->width, 1 / (float)s->height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void cab_smooth_free(cab_smooth *s)
{
    glDeleteProgram(s->program);
    glDeleteFramebuffers(1, &s->framebuffer);
    glDeleteTextures(1, &s->picture);
    *s = (cab_smooth){0};
}
