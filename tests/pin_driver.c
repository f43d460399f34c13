/* Part of tests that draw, under sanitizers: OpenGL's driver stays loaded. Else it is gone with the last
 * context, and LeakSanitizer cannot tell any more that the little it leaks is its own (tests/lsan.supp). */
#define _GNU_SOURCE
#include <EGL/egl.h>
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

/* The linker leads calls of NAME to __wrap_NAME. */
EGLBoolean __real_eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context);
EGLBoolean __wrap_eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context);

static int pin(struct dl_phdr_info *object, size_t size, void *user)
{
    (void)size, (void)user;
    if (object->dlpi_name[0]) dlopen(object->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    return 0;
}

EGLBoolean __wrap_eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    EGLBoolean done = __real_eglMakeCurrent(display, draw, read, context);
    dl_iterate_phdr(pin, NULL);
    return done;
}
