#include "view/draw/compose.h"

#include <stddef.h>

#include "view/gl/gl.h"

cab_status cab_compose_create(cab_compose *c, cab_error *error)
{
    *c = (cab_compose){.program = cab_gl_program("screen.vert", "compose.frag", NULL, error)};
    if (!c->program) return CAB_ERROR_DEVICE;
    c->over = glGetUniformLocation(c->program, "over");
    c->top = glGetUniformLocation(c->program, "background_top");
    c->bottom = glGetUniformLocation(c->program, "background_bottom");
    c->occluded = glGetUniformLocation(c->program, "occluded");
    return CAB_OK;
}

/* Colours in linear light, multiplied by alpha. */
static void set_background(const cab_compose *c, cab_background background)
{
    static const struct {
        GLfloat top[4], bottom[4];
    } colours[CAB_BACKGROUND_COUNT] = {
        [CAB_BACKGROUND_LIGHT] = {{0.62f, 0.68f, 0.75f, 1}, {0.83f, 0.84f, 0.85f, 1}},
        [CAB_BACKGROUND_DARK] = {{0.035f, 0.037f, 0.042f, 1}, {0.07f, 0.07f, 0.075f, 1}},
        [CAB_BACKGROUND_TRANSPARENT] = {{0, 0, 0, 0}, {0, 0, 0, 0}},
    };
    glUniform4fv(c->top, 1, colours[background].top);
    glUniform4fv(c->bottom, 1, colours[background].bottom);
}

void cab_compose_draw(const cab_compose *c, const cab_target *target, const cab_look *look,
                      GLuint framebuffer, int width, int height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    cab_gl_bind(CAB_UNIT_DIRECT, GL_TEXTURE_2D, target->direct);
    cab_gl_bind(CAB_UNIT_AMBIENT, GL_TEXTURE_2D, target->ambient);
    glUseProgram(c->program);
    glUniform1i(c->over, look->oversampling);
    glUniform1i(c->occluded, look->occlusion);
    set_background(c, look->background);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void cab_compose_free(cab_compose *c)
{
    if (c->program) glDeleteProgram(c->program);
    *c = (cab_compose){0};
}
