/* What lies over the window's picture: panels. The window knows no more of them than this. */
#ifndef CAB_LAYER_H
#define CAB_LAYER_H

#include <stdbool.h>

#include <clcable/status.h>

#include "view/viewer/viewer.h"

typedef enum cab_input_kind {
    CAB_INPUT_MOVE = 0, /* of the mouse */
    CAB_INPUT_BUTTON,
    CAB_INPUT_WHEEL,
    CAB_INPUT_KEY,
    CAB_INPUT_TEXT
} cab_input_kind;

typedef struct cab_input {
    cab_input_kind kind;
    float x, y; /* of the mouse, pixels of the framebuffer from its upper left corner; always there */
    float wheel_x, wheel_y; /* WHEEL: steps; y > 0 = away from the user */
    int code;               /* BUTTON: GLFW_MOUSE_BUTTON_...; KEY: GLFW_KEY_... */
    int mods;               /* BUTTON, KEY: GLFW_MOD_... */
    bool down, repeat;      /* BUTTON, KEY; repeat: a key that is held */
    unsigned character;     /* TEXT: Unicode */
} cab_input;

/* The picture that is drawn next. */
typedef struct cab_layer_frame {
    int width, height; /* pixels of the framebuffer */
    float scale;       /* of the display: 1, or 2 where texts must be twice as many pixels high */
    double seconds;    /* since the last picture */
} cab_layer_frame;

/* Any may be NULL. A GL context is current in all of them. */
typedef struct cab_layer {
    void *user;
    /* Before anything else, once. A failure ends the program. */
    cab_status (*start)(void *user, cab_viewer *viewer, float scale, cab_error *error);
    /* Before the events of a picture and after them. */
    void (*begin_input)(void *user);
    void (*end_input)(void *user);
    /* Each event before the window acts on it. True = it was the layer's, the window must not act. Releases
     * come here, too, whoever had the press. */
    bool (*input)(void *user, const cab_input *input);
    /* Over the picture, into the window's framebuffer, which is bound. What it leaves of GL's state does not
     * matter but for errors. May call the viewer's commands; viewer->changed asks for another picture. */
    cab_status (*draw)(void *user, const cab_layer_frame *frame, cab_error *error);
    /* Last, once; also after start has failed. */
    void (*stop)(void *user);
} cab_layer;

#endif
