#include "view/gl/canvas.h"

#include "base/error.h"
#include "view/gl/gl.h"

cab_status cab_canvas_create(cab_canvas *canvas, int width, int height, cab_error *error)
{
    *canvas = (cab_canvas){.width = width, .height = height};
    canvas->colour = cab_gl_texture(GL_SRGB8_ALPHA8, width, height, GL_NEAREST);
    canvas->framebuffer = cab_gl_framebuffer(GL_COLOR_ATTACHMENT0, canvas->colour);
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    cab_status status = CAB_OK;
    if (state != GL_FRAMEBUFFER_COMPLETE)
        status = cab_fail(error, CAB_ERROR_DEVICE, "glCheckFramebufferStatus: 0x%04x for %d x %d pixels",
                          state, width, height);
    if (!status) status = cab_gl_check("a canvas", error);
    if (status) cab_canvas_free(canvas);
    return status;
}

void cab_canvas_free(cab_canvas *canvas)
{
    if (canvas->framebuffer) glDeleteFramebuffers(1, &canvas->framebuffer);
    if (canvas->colour) glDeleteTextures(1, &canvas->colour);
    *canvas = (cab_canvas){0};
}
