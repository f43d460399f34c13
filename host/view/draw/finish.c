#include "view/draw/finish.h"

enum {
    NARROWEST = 8, /* the least that the radius of occlusion is in the picture, pixels */
    WIDEST = 8     /* and at most, as a multiple of that */
};

#define STRENGTH 1.0f

cab_status cab_finish_create(cab_finish *f, cab_error *error)
{
    *f = (cab_finish){.occlusion = cab_gl_program("screen.vert", "occlusion.frag", NULL, error)};
    if (f->occlusion) f->blur = cab_gl_program("screen.vert", "blur.frag", NULL, error);
    if (f->blur) f->compose = cab_gl_program("screen.vert", "compose.frag", NULL, error);
    if (f->compose) f->smooth = cab_gl_program("screen.vert", "smooth.frag", NULL, error);
    glGenVertexArrays(1, &f->array);
    return f->smooth ? CAB_OK : CAB_ERROR_DEVICE;
}

static void free_buffer(cab_layer_buffer *buffer)
{
    glDeleteFramebuffers(1, &buffer->framebuffer);
    glDeleteTextures(1, &buffer->texture);
    *buffer = (cab_layer_buffer){0};
}

static cab_status resize(cab_layer_buffer *b, GLenum format, GLenum filter, int width, int height,
                         cab_error *error)
{
    if (b->width == width && b->height == height) return CAB_OK;
    free_buffer(b);
    *b = (cab_layer_buffer){width, height, 0, cab_gl_texture(format, width, height, filter)};
    b->framebuffer = cab_gl_framebuffer(GL_COLOR_ATTACHMENT0, b->texture);
    return cab_gl_check("finishing a picture", error);
}

/* Draws a triangle that covers all of `into`; its shader reads `from`. */
static void cover(GLuint into, int unit, GLuint from)
{
    glBindFramebuffer(GL_FRAMEBUFFER, into);
    cab_gl_bind(unit, GL_TEXTURE_2D, from);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Leaves the occlusion bound to CAB_UNIT_OCCLUSION. */
static cab_status occlude(cab_finish *f, const cab_target *target, float radius, float narrowest,
                          cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = resize(&f->dark[i], GL_RG32F, GL_NEAREST, target->width, target->height, error);
    if (status) return status;
    GLint along = glGetUniformLocation(f->blur, "along");
    glViewport(0, 0, target->width, target->height);
    glUseProgram(f->occlusion);
    glUniform4f(glGetUniformLocation(f->occlusion, "reach"), radius, narrowest, WIDEST * narrowest, STRENGTH);
    cover(f->dark[0].framebuffer, CAB_UNIT_DEPTH, target->depth);
    glUseProgram(f->blur);
    glUniform1f(glGetUniformLocation(f->blur, "apart"), 0.3f * radius);
    glUniform2i(along, 1, 0);
    cover(f->dark[1].framebuffer, CAB_UNIT_OCCLUSION, f->dark[0].texture);
    glUniform2i(along, 0, 1);
    cover(f->dark[0].framebuffer, CAB_UNIT_OCCLUSION, f->dark[1].texture);
    cab_gl_bind(CAB_UNIT_OCCLUSION, GL_TEXTURE_2D, f->dark[0].texture);
    return CAB_OK;
}

/* Colours in linear light, multiplied by alpha. */
static void set_background(GLuint program, cab_background background)
{
    static const struct {
        GLfloat top[4], bottom[4];
    } colours[CAB_BACKGROUND_COUNT] = {
        [CAB_BACKGROUND_LIGHT] = {{0.62f, 0.68f, 0.75f, 1}, {0.83f, 0.84f, 0.85f, 1}},
        [CAB_BACKGROUND_DARK] = {{0.035f, 0.037f, 0.042f, 1}, {0.07f, 0.07f, 0.075f, 1}},
        [CAB_BACKGROUND_TRANSPARENT] = {{0, 0, 0, 0}, {0, 0, 0, 0}},
    };
    glUniform4fv(glGetUniformLocation(program, "background_top"), 1, colours[background].top);
    glUniform4fv(glGetUniformLocation(program, "background_bottom"), 1, colours[background].bottom);
}

cab_status cab_finish_draw(cab_finish *f, const cab_target *target, const cab_look *look, float radius,
                           GLuint framebuffer, int width, int height, cab_error *error)
{
    cab_status status = CAB_OK;
    float narrowest = (float)(NARROWEST * look->oversampling);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(f->array);
    if (look->occlusion) status = occlude(f, target, radius, narrowest, error);
    if (!status && look->smooth) status = resize(&f->rough, GL_RGBA8, GL_LINEAR, width, height, error);
    if (status) return status;
    glViewport(0, 0, width, height);
    cab_gl_bind(CAB_UNIT_DIRECT, GL_TEXTURE_2D, target->direct);
    glUseProgram(f->compose);
    glUniform1i(glGetUniformLocation(f->compose, "over"), look->oversampling);
    glUniform1i(glGetUniformLocation(f->compose, "occluded"), look->occlusion);
    set_background(f->compose, look->background);
    cover(look->smooth ? f->rough.framebuffer : framebuffer, CAB_UNIT_AMBIENT, target->ambient);
    if (!look->smooth) return CAB_OK;
    glUseProgram(f->smooth);
    glUniform2f(glGetUniformLocation(f->smooth, "texel"), 1 / (float)width, 1 / (float)height);
    cover(framebuffer, CAB_UNIT_PICTURE, f->rough.texture);
    return CAB_OK;
}

void cab_finish_free(cab_finish *f)
{
    glDeleteProgram(f->occlusion);
    glDeleteProgram(f->blur);
    glDeleteProgram(f->compose);
    glDeleteProgram(f->smooth);
    glDeleteVertexArrays(1, &f->array);
    for (int i = 0; i < 2; i++) free_buffer(&f->dark[i]);
    free_buffer(&f->rough);
    *f = (cab_finish){0};
}
