#include "view/draw/target.h"

#include "base/error.h"
#include "view/gl/gl.h"

/* What a target is made of: the two lights and the depth. */
static const struct {
    GLenum format, place;
} layers[3] = {
    {GL_RGBA16F, GL_COLOR_ATTACHMENT0},
    {GL_RGBA16F, GL_COLOR_ATTACHMENT1},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT},
};

static void make_one(cab_target *t)
{
    GLuint *textures[3] = {&t->direct, &t->ambient, &t->depth};
    glGenFramebuffers(1, &t->one);
    glBindFramebuffer(GL_FRAMEBUFFER, t->one);
    for (int i = 0; i < 3; i++) {
        *textures[i] = cab_gl_texture(layers[i].format, t->width, t->height, GL_NEAREST);
        glFramebufferTexture2D(GL_FRAMEBUFFER, layers[i].place, GL_TEXTURE_2D, *textures[i], 0);
    }
}

static void make_many(cab_target *t)
{
    glGenFramebuffers(1, &t->many);
    glBindFramebuffer(GL_FRAMEBUFFER, t->many);
    glGenRenderbuffers(3, t->many_buffers);
    for (int i = 0; i < 3; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, t->many_buffers[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, t->samples, layers[i].format, t->width, t->height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, layers[i].place, GL_RENDERBUFFER, t->many_buffers[i]);
    }
}

static cab_status check_whole(const cab_target *t, cab_error *error)
{
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (state == GL_FRAMEBUFFER_COMPLETE) return CAB_OK;
    return cab_fail(error, CAB_ERROR_DEVICE,
                    "glCheckFramebufferStatus: 0x%04x for %d x %d pixels with %d samples", state, t->width,
                    t->height, t->samples);
}

cab_status cab_target_resize(cab_target *target, int width, int height, int samples, cab_error *error)
{
    if (target->width == width && target->height == height && target->samples == samples) return CAB_OK;
    GLint most = 1, widest = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &widest);
    if (width > widest || height > widest)
        return cab_fail(error, CAB_ERROR_INPUT, "a picture of %d x %d pixels: at most %d along an edge here",
                        width, height, widest);
    cab_target_free(target);
    *target = (cab_target){.width = width, .height = height, .samples = samples < most ? samples : most};
    make_one(target);
    cab_status status = check_whole(target, error);
    if (!status && target->samples > 1) {
        make_many(target);
        status = check_whole(target, error);
    } else {
        target->many = target->one;
    }
    if (!status) status = cab_gl_check("targets", error);
    target->samples = samples; /* what was asked for, not what was allowed: it is compared above */
    if (status) cab_target_free(target);
    return status;
}

void cab_target_begin(const cab_target *target)
{
    static const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    static const GLfloat nothing[4] = {0, 0, 0, 0}, far_away = 1;
    glBindFramebuffer(GL_FRAMEBUFFER, target->many);
    glViewport(0, 0, target->width, target->height);
    glDrawBuffers(2, both);
    glDepthMask(GL_TRUE);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_COLOR, 1, nothing);
    glClearBufferfv(GL_DEPTH, 0, &far_away);
}

void cab_target_resolve(const cab_target *target)
{
    if (target->many == target->one) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->one);
    for (int i = 0; i < 2; i++) {
        glReadBuffer(layers[i].place);
        glDrawBuffer(layers[i].place);
        GLbitfield what = GL_COLOR_BUFFER_BIT | (i == 0 ? GL_DEPTH_BUFFER_BIT : 0);
        glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height, what,
                          GL_NEAREST);
    }
}

void cab_target_free(cab_target *target)
{
    const GLuint textures[3] = {target->direct, target->ambient, target->depth};
    if (target->many != target->one) {
        glDeleteFramebuffers(1, &target->many);
        glDeleteRenderbuffers(3, target->many_buffers);
    }
    if (target->one) {
        glDeleteFramebuffers(1, &target->one);
        glDeleteTextures(3, textures);
    }
    *target = (cab_target){0};
}
