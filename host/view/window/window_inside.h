/* Shared by window.c (GLFW, the loop), window_input.c (events), window_keys.c and window_mouse.c. */
#ifndef CAB_WINDOW_INSIDE_H
#define CAB_WINDOW_INSIDE_H

#include "library/glfw.h"
#include "view/window/layer.h"

typedef enum cab_drag_kind {
    CAB_DRAG_NONE = 0,
    CAB_DRAG_PRESSED, /* the left button is down, and the mouse has not moved enough for a drag */
    CAB_DRAG_ORBIT,
    CAB_DRAG_PAN,
    CAB_DRAG_ZOOM,
    CAB_DRAG_HELD,
    CAB_DRAG_HANDLE
} cab_drag_kind;

typedef struct cab_window {
    GLFWwindow *glfw;
    cab_viewer *viewer;
    const cab_layer *layer;
    char title[512];
    int width, height; /* pixels of the framebuffer; 0 when minimised */
    float per_unit[2]; /* pixels in a unit of the display, in which GLFW gives the mouse's place */
    float mouse[2];    /* pixels from the upper left corner */
    cab_drag_kind drag;
    int drag_button;
    float pressed[2];      /* where the drag began, pixels */
    bool straight_by_view; /* orthographic because of a named view: orbiting makes it perspective again */
} cab_window;

/* --- window_input.c --- */

/* Sets GLFW's callbacks. */
void cab_window_listen(cab_window *window);

/* --- window_keys.c --- */

/* A key goes down, or repeats while it is held. */
void cab_window_press_key(cab_window *window, int key, int mods, bool repeat);
/* A character, wherever it is on the keyboard. */
void cab_window_press_character(cab_window *window, unsigned character);

/* --- window_mouse.c --- */

/* A button goes down or up where the mouse is. */
void cab_window_press_button(cab_window *window, int button, int mods);
void cab_window_release_button(cab_window *window, int button);
/* The mouse has moved by x, y pixels while a button is down. */
void cab_window_drag(cab_window *window, float x, float y);

#endif
