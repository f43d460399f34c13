/* EGL, by which OpenGL draws without a screen. */
#ifndef CAB_LIBRARY_EGL_H
#define CAB_LIBRARY_EGL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "library/library.h"

#define CAB_EGL_SYMBOLS(X)                                                                                   \
    X(eglBindAPI)                                                                                            \
    X(eglChooseConfig)                                                                                       \
    X(eglCreateContext)                                                                                      \
    X(eglDestroyContext)                                                                                     \
    X(eglGetCurrentContext)                                                                                  \
    X(eglGetCurrentDisplay)                                                                                  \
    X(eglGetError)                                                                                           \
    X(eglGetProcAddress)                                                                                     \
    X(eglInitialize)                                                                                         \
    X(eglMakeCurrent)                                                                                        \
    X(eglQueryString)                                                                                        \
    X(eglReleaseThread)                                                                                      \
    X(eglTerminate)

typedef struct cab_egl_table {
    CAB_EGL_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_egl_table;
extern cab_egl_table cab_egl;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_egl_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which egl.c defines */
#define eglBindAPI cab_egl.eglBindAPI
#define eglChooseConfig cab_egl.eglChooseConfig
#define eglCreateContext cab_egl.eglCreateContext
#define eglDestroyContext cab_egl.eglDestroyContext
#define eglGetCurrentContext cab_egl.eglGetCurrentContext
#define eglGetCurrentDisplay cab_egl.eglGetCurrentDisplay
#define eglGetError cab_egl.eglGetError
#define eglGetProcAddress cab_egl.eglGetProcAddress
#define eglInitialize cab_egl.eglInitialize
#define eglMakeCurrent cab_egl.eglMakeCurrent
#define eglQueryString cab_egl.eglQueryString
#define eglReleaseThread cab_egl.eglReleaseThread
#define eglTerminate cab_egl.eglTerminate
#endif

#endif
