/* A layer over the window's picture, such as the panels. The window knows no more of panels than this. */
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
    float x, y; /* where the mouse is, pixels of the framebuffer from its upper left corner; in all kinds */
    float wheel_x, wheel_y; /* WHEEL: steps; y > 0 = away from the user */
    int code;               /* BUTTON: GLFW_MOUSE_BUTTON_...; KEY: GLFW_KEY_... */
    int mods;               /* BUTTON, KEY: GLFW_MOD_... */
    bool down, repeat;      /* BUTTON, KEY; repeat: a key that is held */
    unsigned character;     /* TEXT: Unicode */
} cab_input;

/* The picture that is to be drawn. */
typedef struct cab_layer_frame {
    int width, height; /* pixels of the framebuffer */
    float scale;       /* of the display: pixels in a point, 1 or more */
    double seconds;    /* since the last picture */
} cab_layer_frame;

/* Any of the functions may be NULL. The window's OpenGL context is current in all of them. */
typedef struct cab_layer {
    void *user;
    /* Called once, before the others. An error ends the program. */
    cab_status (*start)(void *user, cab_viewer *viewer, float scale, cab_error *error);
    /* Called before and after the events that come between two pictures. */
    void (*begin_input)(void *user);
    void (*end_input)(void *user);
    /* Called for each event before the window acts on it. Returns true when the event was the layer's, so
     * that the window does not act. Releases of buttons and keys come here, too, whoever had the press. */
    bool (*input)(void *user, const cab_input *input);
    /* Draws over the picture, into the window's framebuffer, which is bound. OpenGL's state may be left
     * changed. May call the viewer's commands; viewer->changed asks for another picture. */
    cab_status (*draw)(void *user, const cab_layer_frame *frame, cab_error *error);
    /* Called once, after the others; also when start() has failed. */
    void (*stop)(void *user);
} cab_layer;

#endif
