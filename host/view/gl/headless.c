#include "view/gl/headless.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "library/egl.h"
#include "view/gl/gl.h"

enum { DEVICE_MAX = 16 };

struct cab_headless {
    EGLDisplay display;
    EGLContext context;
};

static bool has_extension(EGLDisplay display, const char *name)
{
    const char *all = eglQueryString(display, EGL_EXTENSIONS);
    size_t length = strlen(name);
    for (const char *at = all; at && (at = strstr(at, name)); at += length)
        if ((at == all || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static EGLDisplay start(EGLDisplay display)
{
    if (display == EGL_NO_DISPLAY) return display;
    return eglInitialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

/* Mesa's surfaceless platform, else the first device (a GPU's driver) that starts. */
static EGLDisplay open_display(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDisplay display = EGL_NO_DISPLAY;
    if (get && has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        display = start(get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
    if (display != EGL_NO_DISPLAY || !get || !query) return display;
    EGLDeviceEXT devices[DEVICE_MAX];
    EGLint count = 0;
    if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") || !query(DEVICE_MAX, devices, &count))
        return display;
    for (EGLint i = 0; i < count && display == EGL_NO_DISPLAY; i++)
        display = start(get(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL));
    return display;
}

static EGLContext make_context(EGLDisplay display)
{
    const EGLint config_wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint context_wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_CONTEXT_OPENGL_DEBUG,
                                     EGL_TRUE,
                                     EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
    if (!eglChooseConfig(display, config_wanted, &config, 1, &count) || count < 1) return EGL_NO_CONTEXT;
    return eglCreateContext(display, config, EGL_NO_CONTEXT, context_wanted);
}

static cab_status fail_egl(const char *what, cab_error *error)
{
    return cab_fail(
        error, CAB_ERROR_DEVICE,
        "%s (EGL error 0x%04x): pictures without a screen need EGL and OpenGL 3.3, such as Mesa's "
        "libegl1 and libgl1-mesa-dri",
        what, (unsigned)eglGetError());
}

cab_status cab_headless_create(cab_headless **headless, cab_error *error)
{
    cab_status status = cab_egl_load("a picture without a screen", error);
    if (status) return status;
    cab_headless *made = calloc(1, sizeof *made);
    if (!made) return cab_fail_memory(error, "a GL context", sizeof *made);
    made->context = EGL_NO_CONTEXT;
    made->display = open_display();
    if (made->display == EGL_NO_DISPLAY) status = fail_egl("eglInitialize found no display", error);
    if (!status && (made->context = make_context(made->display)) == EGL_NO_CONTEXT)
        status = fail_egl("eglCreateContext failed", error);
    if (!status && !eglMakeCurrent(made->display, EGL_NO_SURFACE, EGL_NO_SURFACE, made->context))
        status = fail_egl("eglMakeCurrent failed", error);
    if (!status) status = cab_gl_start((GLADloadfunc)eglGetProcAddress, error);
    if (status) {
        cab_headless_destroy(made);
        return status;
    }
    *headless = made;
    return CAB_OK;
}

void cab_headless_destroy(cab_headless *headless)
{
    if (!headless) return;
    if (headless->display != EGL_NO_DISPLAY) {
        eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (headless->context != EGL_NO_CONTEXT) eglDestroyContext(headless->display, headless->context);
        eglTerminate(headless->display);
    }
    eglReleaseThread();
    free(headless);
}
