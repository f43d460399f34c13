/* An OpenGL context without a screen: EGL on Mesa's surfaceless platform, or on a device. */
#ifndef CAB_HEADLESS_H
#define CAB_HEADLESS_H

#include <clcable/status.h>

typedef struct cab_headless cab_headless;

/* Makes a context and makes it current on this thread. */
cab_status cab_headless_create(cab_headless **headless, cab_error *error);

/* Frees the context with all of OpenGL's objects in it; NULL is allowed. */
void cab_headless_destroy(cab_headless *headless);

#endif
