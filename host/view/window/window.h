/* The window: GLFW, its OpenGL context, and what keys and buttons do. */
#ifndef CAB_WINDOW_H
#define CAB_WINDOW_H

#include <clcable/draw.h>

#include "view/window/layer.h"

typedef struct cab_window cab_window;

typedef struct cab_window_def {
    int width, height; /* in the display's units; 0 = most of the screen, at most 1600 x 900 */
    const char *title;
} cab_window_def;

/* Opens a window and makes its context current. Returns CAB_ERROR_DEVICE where there is no display or no
 * OpenGL 3.3; the message then says what to do instead. */
cab_status cab_window_create(cab_window **window, const cab_window_def *def, cab_error *error);
/* NULL is allowed. */
void cab_window_destroy(cab_window *window);

/* The window's OpenGL context for cab_world_def.gl, which is valid as long as the window is. False where the
 * library cannot share buffers with such a context. */
bool cab_window_get_gl(const cab_window *window, cab_interop interop, cab_gl *gl);

/* Shows the viewer until the user quits or `pictures` were drawn (0 = no limit). `layer` may be NULL. */
cab_status cab_window_run(cab_window *window, cab_viewer *viewer, const cab_layer *layer, long pictures,
                          cab_error *error);

/* A line of the help. */
typedef struct cab_key_help {
    const char *keys; /* "Ctrl+S" */
    const char *what; /* "save the scene as ..." */
} cab_key_help;
/* Line `index` of the help on keys and mouse, for the scene that is open; false past the last. */
bool cab_window_help(const cab_viewer *viewer, int index, cab_key_help *help);

#endif
