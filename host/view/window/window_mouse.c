/* What dragging the mouse does: turns, shifts, scales the picture, pulls at the scene, moves a handle. */
#include <math.h>
#include <string.h>

#include "view/window/window_inside.h"

#define DRAG_LEAST 4.0f   /* pixels; a press that moves less is a click */
#define ORBIT_RATE 0.006f /* rad for a pixel */
#define DRAG_ZOOM 0.005f  /* part of the distance for a pixel */

static void begin_drag(cab_window *w, cab_drag_kind kind, int button)
{
    w->drag = kind;
    w->drag_button = button;
    memcpy(w->pressed, w->mouse, sizeof w->pressed);
}

void cab_window_press_button(cab_window *w, int button, int mods)
{
    if (w->drag != CAB_DRAG_NONE) return;
    bool shift = mods & GLFW_MOD_SHIFT, middle = button == GLFW_MOUSE_BUTTON_MIDDLE;
    bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (shift && (left || middle))
        begin_drag(w, CAB_DRAG_PAN, button);
    else if (middle && (mods & GLFW_MOD_CONTROL))
        begin_drag(w, CAB_DRAG_ZOOM, button);
    else if (middle || (left && (mods & GLFW_MOD_ALT)))
        begin_drag(w, CAB_DRAG_ORBIT, button);
    else if (left && cab_viewer_edit_hold(w->viewer, w->mouse[0], w->mouse[1]))
        begin_drag(w, CAB_DRAG_HANDLE, button);
    else if (left)
        begin_drag(w, CAB_DRAG_PRESSED, button);
}

void cab_window_release_button(cab_window *w, int button)
{
    if (w->drag == CAB_DRAG_NONE || button != w->drag_button) return;
    cab_drag_kind drag = w->drag;
    w->drag = CAB_DRAG_NONE;
    if (drag == CAB_DRAG_PRESSED) cab_viewer_pick(w->viewer, w->mouse[0], w->mouse[1]);
    if (drag == CAB_DRAG_HELD) cab_viewer_let_go(w->viewer);
    if (drag == CAB_DRAG_HANDLE) cab_viewer_edit_drop(w->viewer, true);
}

static void orbit(cab_window *w, float x, float y)
{
    cab_camera *camera = &w->viewer->camera;
    float rate = ORBIT_RATE / w->viewer->scale;
    if (w->straight_by_view) camera->orthographic = false;
    w->straight_by_view = false;
    cab_viewer_orbit(w->viewer, -x * rate, y * rate);
}

/* Decides what a press that has become a drag moves: what is under the mouse, or the camera. */
static void decide(cab_window *w)
{
    float x = w->mouse[0] - w->pressed[0], y = w->mouse[1] - w->pressed[1];
    if (hypotf(x, y) < DRAG_LEAST * w->viewer->scale) return;
    w->drag = cab_viewer_grab(w->viewer, w->pressed[0], w->pressed[1]) ? CAB_DRAG_HELD : CAB_DRAG_ORBIT;
}

void cab_window_drag(cab_window *w, float x, float y)
{
    cab_viewer *v = w->viewer;
    if (w->drag == CAB_DRAG_PRESSED) decide(w);
    switch (w->drag) {
    case CAB_DRAG_ORBIT:
        orbit(w, x, y);
        break;
    case CAB_DRAG_PAN:
        cab_camera_pan(&v->camera, x / (float)w->height, -y / (float)w->height);
        break;
    case CAB_DRAG_ZOOM:
        cab_camera_zoom(&v->camera, expf(y * DRAG_ZOOM / v->scale));
        break;
    case CAB_DRAG_HELD:
        cab_viewer_grab_to(v, w->mouse[0], w->mouse[1]);
        break;
    case CAB_DRAG_HANDLE:
        cab_viewer_edit_to(v, w->mouse[0], w->mouse[1]);
        break;
    case CAB_DRAG_NONE:
    case CAB_DRAG_PRESSED:
        return;
    }
    v->changed = true;
}
