/* Which key and which button does what; as in Blender where there is a custom. */
#include <math.h>
#include <string.h>

#include <cglm/cglm.h>

#include "view/viewer/viewer_inside.h"
#include "view/window/window_inside.h"

#define DRAG_LEAST 4.0f    /* pixels that a press may slip and still be a click */
#define ORBIT_RATE 0.006f  /* rad a pixel */
#define WHEEL_FACTOR 0.88f /* of the distance, a step */
#define DRAG_ZOOM 0.005f   /* of the distance, a pixel */
#define SPEED_STEP 1.25

static void toggle_play(cab_window *w)
{
    cab_viewer_play(w->viewer, !w->viewer->playing);
}

static void step(cab_window *w)
{
    cab_viewer_step(w->viewer);
}

static void reset(cab_window *w)
{
    cab_viewer_reset(w->viewer);
}

static void change_speed(cab_window *w, double factor)
{
    cab_viewer_set_speed(w->viewer, w->viewer->speed * factor);
    cab_viewer_tell(w->viewer, false, "speed %.3g", w->viewer->speed);
}

static void faster(cab_window *w)
{
    change_speed(w, SPEED_STEP);
}

static void slower(cab_window *w)
{
    change_speed(w, 1 / SPEED_STEP);
}

static void fit_all(cab_window *w)
{
    cab_viewer_fit(w->viewer);
}

static void fit_selected(cab_window *w)
{
    cab_viewer_fit_selected(w->viewer);
}

/* Named views are orthographic; orbiting out of one leads back to perspective, unless it was orthographic
 * before. */
static void set_view(cab_window *w, const char *name)
{
    w->straight_by_view = w->straight_by_view || !w->viewer->camera.orthographic;
    cab_viewer_set_view(w->viewer, name);
}

static void view_front(cab_window *w)
{
    set_view(w, "front");
}

static void view_back(cab_window *w)
{
    set_view(w, "back");
}

static void view_right(cab_window *w)
{
    set_view(w, "right");
}

static void view_left(cab_window *w)
{
    set_view(w, "left");
}

static void view_top(cab_window *w)
{
    set_view(w, "top");
}

static void view_bottom(cab_window *w)
{
    set_view(w, "bottom");
}

static void toggle_orthographic(cab_window *w)
{
    w->viewer->camera.orthographic = !w->viewer->camera.orthographic;
    w->straight_by_view = false;
    w->viewer->changed = true;
}

static void toggle_path(cab_window *w)
{
    cab_viewer_edit_path(w->viewer, !w->viewer->edit.on);
}

static void ask_open(cab_window *w)
{
    cab_viewer_ask(w->viewer, CAB_DIALOG_OPEN);
}

static void ask_save(cab_window *w)
{
    cab_viewer_ask(w->viewer, CAB_DIALOG_SAVE);
}

static void screenshot(cab_window *w)
{
    cab_viewer_screenshot(w->viewer);
}

static void toggle_help(cab_window *w)
{
    w->viewer->show_help = !w->viewer->show_help;
    w->viewer->changed = true;
}

static void toggle_panels(cab_window *w)
{
    w->viewer->show_panels = !w->viewer->show_panels;
    w->viewer->changed = true;
}

static void escape(cab_window *w)
{
    cab_viewer *v = w->viewer;
    if (v->dialog || v->show_help) {
        v->dialog = CAB_DIALOG_NONE;
        v->show_help = false;
        v->changed = true;
    } else {
        cab_viewer_escape(v);
    }
    if (!v->grab.held && v->edit.held < 0) w->drag = CAB_DRAG_NONE;
}

static void quit(cab_window *w)
{
    cab_viewer_quit(w->viewer);
}

typedef struct help_row {
    const char *keys, *what; /* of cables */
    const char *study;       /* of a study; NULL = the same, "" = nothing */
} help_row;

/* A key and what it does. Rows without a text stand for the same as the row above them. */
typedef struct key_row {
    int key, mods; /* GLFW_KEY_..., GLFW_MOD_CONTROL or 0 */
    void (*run)(cab_window *w);
    help_row help;
} key_row;

static const key_row keys[] = {
    {GLFW_KEY_SPACE, 0, toggle_play, {"Space", "play, pause", NULL}},
    {GLFW_KEY_RIGHT, 0, step, {"Right", "one frame", NULL}},
    {GLFW_KEY_UP, 0, faster, {"Up, Down", "faster, slower", NULL}},
    {GLFW_KEY_DOWN, 0, slower, {0}},
    {GLFW_KEY_R, 0, reset, {"R", "back to the start", NULL}},
    {GLFW_KEY_HOME, 0, fit_all, {"Home", "fit all into the picture", NULL}},
    {GLFW_KEY_KP_DECIMAL, 0, fit_selected, {"Numpad . or F", "fit the selected cable", ""}},
    {GLFW_KEY_PERIOD, 0, fit_selected, {0}},
    {GLFW_KEY_F, 0, fit_selected, {0}},
    {GLFW_KEY_KP_1, 0, view_front, {"1, 3, 7", "front, right, top; with Ctrl the opposite", NULL}},
    {GLFW_KEY_1, 0, view_front, {0}},
    {GLFW_KEY_KP_1, GLFW_MOD_CONTROL, view_back, {0}},
    {GLFW_KEY_1, GLFW_MOD_CONTROL, view_back, {0}},
    {GLFW_KEY_KP_3, 0, view_right, {0}},
    {GLFW_KEY_3, 0, view_right, {0}},
    {GLFW_KEY_KP_3, GLFW_MOD_CONTROL, view_left, {0}},
    {GLFW_KEY_3, GLFW_MOD_CONTROL, view_left, {0}},
    {GLFW_KEY_KP_7, 0, view_top, {0}},
    {GLFW_KEY_7, 0, view_top, {0}},
    {GLFW_KEY_KP_7, GLFW_MOD_CONTROL, view_bottom, {0}},
    {GLFW_KEY_7, GLFW_MOD_CONTROL, view_bottom, {0}},
    {GLFW_KEY_KP_5, 0, toggle_orthographic, {"5", "perspective, orthographic", NULL}},
    {GLFW_KEY_5, 0, toggle_orthographic, {0}},
    {GLFW_KEY_TAB, 0, toggle_path, {"Tab", "edit the selected cable's path", ""}},
    {GLFW_KEY_ESCAPE, 0, escape, {"Esc", "let go, leave, deselect", "let go"}},
    {GLFW_KEY_O, GLFW_MOD_CONTROL, ask_open, {"Ctrl+O", "open a scene; or drop its file here", NULL}},
    {GLFW_KEY_S, GLFW_MOD_CONTROL, ask_save, {"Ctrl+S", "save the scene as ...", ""}},
    {GLFW_KEY_F12, 0, screenshot, {"F12", "picture into the working directory", NULL}},
    {GLFW_KEY_N, 0, toggle_panels, {"N", "show, hide panels", NULL}},
    {GLFW_KEY_F1, 0, toggle_help, {"F1 or ?", "this help", NULL}},
    {GLFW_KEY_Q, 0, quit, {"Q or Ctrl+Q", "quit", NULL}},
    {GLFW_KEY_Q, GLFW_MOD_CONTROL, quit, {0}},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static const help_row mouse_help[] = {
    {"Left click", "select a cable", ""},
    {"Left drag", "pull a cable; beside cables: orbit", "pull what is there; beside it: orbit"},
    {"Middle drag, Alt+left", "orbit", NULL},
    {"Shift+middle, Shift+left", "pan", NULL},
    {"Wheel, Ctrl+middle", "zoom", NULL},
    {"X, Y, Z", "drag a path's point along that axis", ""},
};
enum { MOUSE_HELP_COUNT = sizeof mouse_help / sizeof mouse_help[0] };

bool cab_window_help(const cab_viewer *v, int index, cab_key_help *help)
{
    for (int i = 0; i < MOUSE_HELP_COUNT + KEY_COUNT; i++) {
        const help_row *row = i < MOUSE_HELP_COUNT ? &mouse_help[i] : &keys[i - MOUSE_HELP_COUNT].help;
        const char *what = v->study && row->study ? row->study : row->what;
        if (!row->keys || !what[0] || index-- > 0) continue;
        *help = (cab_key_help){row->keys, what};
        return true;
    }
    return false;
}

/* True when a panel has taken it. */
static bool offer(cab_window *w, cab_input input)
{
    input.x = w->mouse[0];
    input.y = w->mouse[1];
    return w->layer && w->layer->input && w->layer->input(w->layer->user, &input);
}

static cab_window *window_of(GLFWwindow *glfw)
{
    return glfwGetWindowUserPointer(glfw);
}

/* x, y, z while a handle is held. */
static bool take_axis(cab_window *w, int key)
{
    if (w->viewer->edit.held < 0 || key < GLFW_KEY_X || key > GLFW_KEY_Z) return false;
    cab_viewer_edit_axis(w->viewer, (char)('x' + key - GLFW_KEY_X));
    return true;
}

static void on_key(GLFWwindow *glfw, int key, int scancode, int action, int mods)
{
    (void)scancode;
    cab_window *w = window_of(glfw);
    bool repeat = action == GLFW_REPEAT;
    if (offer(w, (cab_input){.kind = CAB_INPUT_KEY,
                             .code = key,
                             .mods = mods,
                             .down = action != GLFW_RELEASE,
                             .repeat = repeat}))
        return;
    if (action == GLFW_RELEASE || take_axis(w, key)) return;
    bool goes_on = key == GLFW_KEY_RIGHT || key == GLFW_KEY_UP || key == GLFW_KEY_DOWN;
    if (repeat && !goes_on) return;
    int wanted = mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER | GLFW_MOD_SHIFT);
    for (int i = 0; i < KEY_COUNT; i++) {
        if (keys[i].key != key || keys[i].mods != wanted) continue;
        keys[i].run(w);
        return;
    }
}

/* Where "?" is differs from keyboard to keyboard. */
static void on_character(GLFWwindow *glfw, unsigned character)
{
    cab_window *w = window_of(glfw);
    if (offer(w, (cab_input){.kind = CAB_INPUT_TEXT, .character = character})) return;
    if (character == '?') toggle_help(w);
}

static void begin_drag(cab_window *w, cab_drag_kind kind, int button)
{
    w->drag = kind;
    w->drag_button = button;
    memcpy(w->pressed, w->mouse, sizeof w->pressed);
}

static void press(cab_window *w, int button, int mods)
{
    if (w->drag != CAB_DRAG_NONE) return;
    bool shift = mods & GLFW_MOD_SHIFT, middle = button == GLFW_MOUSE_BUTTON_MIDDLE;
    bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (shift && (left || middle)) {
        begin_drag(w, CAB_DRAG_PAN, button);
    } else if (middle && (mods & GLFW_MOD_CONTROL)) {
        begin_drag(w, CAB_DRAG_ZOOM, button);
    } else if (middle || (left && (mods & GLFW_MOD_ALT))) {
        begin_drag(w, CAB_DRAG_ORBIT, button);
    } else if (left && cab_viewer_edit_hold(w->viewer, w->mouse[0], w->mouse[1])) {
        begin_drag(w, CAB_DRAG_HANDLE, button);
    } else if (left) {
        begin_drag(w, CAB_DRAG_PRESSED, button);
    }
}

static void release(cab_window *w, int button)
{
    if (w->drag == CAB_DRAG_NONE || button != w->drag_button) return;
    cab_drag_kind drag = w->drag;
    w->drag = CAB_DRAG_NONE;
    if (drag == CAB_DRAG_PRESSED) cab_viewer_pick(w->viewer, w->mouse[0], w->mouse[1]);
    if (drag == CAB_DRAG_HELD) cab_viewer_let_go(w->viewer);
    if (drag == CAB_DRAG_HANDLE) cab_viewer_edit_drop(w->viewer, true);
}

static void on_button(GLFWwindow *glfw, int button, int action, int mods)
{
    cab_window *w = window_of(glfw);
    bool down = action == GLFW_PRESS;
    bool taken = offer(w, (cab_input){.kind = CAB_INPUT_BUTTON, .code = button, .mods = mods, .down = down});
    if (down && !taken) press(w, button, mods);
    if (!down) release(w, button);
}

static void orbit(cab_window *w, float x, float y)
{
    cab_camera *camera = &w->viewer->camera;
    float rate = ORBIT_RATE / w->viewer->scale;
    if (w->straight_by_view) camera->orthographic = false;
    w->straight_by_view = false;
    cab_viewer_orbit(w->viewer, -x * rate, y * rate);
}

/* What is under the mouse stays there. */
static void zoom_at_mouse(cab_window *w, float factor)
{
    cab_camera *camera = &w->viewer->camera;
    vec3 before, after;
    if (w->viewer->height < 1) return;
    cab_viewer_on_plane(w->viewer, w->mouse, camera->target, before);
    cab_camera_zoom(camera, factor);
    cab_viewer_on_plane(w->viewer, w->mouse, camera->target, after);
    glm_vec3_sub(before, after, before);
    glm_vec3_add(camera->target, before, camera->target);
    w->viewer->changed = true;
}

/* The press has become a drag: of what is there, or of the view. */
static void decide(cab_window *w)
{
    float x = w->mouse[0] - w->pressed[0], y = w->mouse[1] - w->pressed[1];
    if (hypotf(x, y) < DRAG_LEAST * w->viewer->scale) return;
    bool held = cab_viewer_grab(w->viewer, w->pressed[0], w->pressed[1]);
    w->drag = held ? CAB_DRAG_HELD : CAB_DRAG_ORBIT;
}

static void drag(cab_window *w, float x, float y)
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

static void on_move(GLFWwindow *glfw, double x, double y)
{
    cab_window *w = window_of(glfw);
    float before[2] = {w->mouse[0], w->mouse[1]};
    w->mouse[0] = (float)x * w->per_unit[0];
    w->mouse[1] = (float)y * w->per_unit[1];
    bool taken = offer(w, (cab_input){.kind = CAB_INPUT_MOVE});
    if (w->width < 1 || w->height < 1) return;
    if (w->drag != CAB_DRAG_NONE) {
        drag(w, w->mouse[0] - before[0], w->mouse[1] - before[1]);
    } else if (!taken) {
        cab_viewer_edit_hover(w->viewer, w->mouse[0], w->mouse[1]);
    }
}

static void on_wheel(GLFWwindow *glfw, double x, double y)
{
    cab_window *w = window_of(glfw);
    cab_input input = {.kind = CAB_INPUT_WHEEL, .wheel_x = (float)x, .wheel_y = (float)y};
    if (!offer(w, input)) zoom_at_mouse(w, powf(WHEEL_FACTOR, (float)y));
}

static void on_drop(GLFWwindow *glfw, int count, const char **paths)
{
    if (count > 0) cab_viewer_open(window_of(glfw)->viewer, paths[0]);
}

static void on_refresh(GLFWwindow *glfw)
{
    window_of(glfw)->viewer->changed = true;
}

void cab_window_listen(cab_window *w)
{
    glfwSetWindowUserPointer(w->glfw, w);
    glfwSetKeyCallback(w->glfw, on_key);
    glfwSetCharCallback(w->glfw, on_character);
    glfwSetMouseButtonCallback(w->glfw, on_button);
    glfwSetCursorPosCallback(w->glfw, on_move);
    glfwSetScrollCallback(w->glfw, on_wheel);
    glfwSetDropCallback(w->glfw, on_drop);
    glfwSetWindowRefreshCallback(w->glfw, on_refresh);
}
