/* Part of tests that draw, under sanitizers: OpenGL's driver stays loaded. Else it is gone with the last
 * context, and LeakSanitizer cannot tell any more that the little it leaks is its own (tests/lsan.supp). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "library/egl.h"

/* The linker leads calls of NAME to __wrap_NAME. */
cab_status __real_cab_egl_load(const char *user, cab_error *error);
cab_status __wrap_cab_egl_load(const char *user, cab_error *error);

static __typeof__(eglMakeCurrent) true_make_current;

static int pin(struct dl_phdr_info *object, size_t size, void *user)
{
    (void)size, (void)user;
    if (object->dlpi_name[0]) dlopen(object->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    return 0;
}

static EGLBoolean make_current(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    EGLBoolean done = true_make_current(display, draw, read, context);
    dl_iterate_phdr(pin, NULL);
    return done;
}

cab_status __wrap_cab_egl_load(const char *user, cab_error *error)
{
    cab_status status = __real_cab_egl_load(user, error);
    if (status == CAB_OK && !true_make_current) {
        true_make_current = eglMakeCurrent;
        eglMakeCurrent = make_current;
    }
    return status;
}
