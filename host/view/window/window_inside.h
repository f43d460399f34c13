/* What the window's parts share: window.c (GLFW, the loop) and window_input.c (mouse and keys). */
#ifndef CAB_WINDOW_INSIDE_H
#define CAB_WINDOW_INSIDE_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "view/window/window.h"

typedef enum cab_drag_kind {
    CAB_DRAG_NONE = 0,
    CAB_DRAG_PRESSED, /* the left button is down, and has not moved enough to mean anything */
    CAB_DRAG_ORBIT,
    CAB_DRAG_PAN,
    CAB_DRAG_ZOOM,
    CAB_DRAG_HELD,
    CAB_DRAG_HANDLE
} cab_drag_kind;

struct cab_window {
    GLFWwindow *glfw;
    cab_viewer *viewer;
    const cab_layer *layer;
    char title[512];
    int width, height; /* pixels of the framebuffer; 0 when minimised */
    float per_unit[2]; /* pixels for a unit of the display, in which the mouse is told */
    float mouse[2];    /* pixels from the upper left corner */
    cab_drag_kind drag;
    int drag_button;
    float pressed[2];      /* where the drag began, pixels */
    bool straight_by_view; /* orthographic because of a named view: orbiting ends it */
};

/* Sets GLFW's callbacks. */
void cab_window_listen(cab_window *window);

/* What has gone wrong in GLFW since it was last asked: "" = nothing. */
const char *cab_window_glfw_error(void);

#endif
