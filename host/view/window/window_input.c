/* Passes GLFW's events on to panels, keys and mouse. */
#include <math.h>

#include "view/window/window_inside.h"

#define WHEEL_FACTOR 0.88f /* of the distance, for one step of the wheel */

static cab_window *window_of(GLFWwindow *glfw)
{
    return glfwGetWindowUserPointer(glfw);
}

/* Shows an event to the panels first. True when they have taken it. */
static bool offer(cab_window *w, cab_input input)
{
    input.x = w->mouse[0];
    input.y = w->mouse[1];
    return w->layer && w->layer->input && w->layer->input(w->layer->user, &input);
}

static void on_key(GLFWwindow *glfw, int key, int scancode, int action, int mods)
{
    (void)scancode;
    cab_window *w = window_of(glfw);
    bool down = action != GLFW_RELEASE, repeat = action == GLFW_REPEAT;
    cab_input input = {.kind = CAB_INPUT_KEY, .code = key, .mods = mods, .down = down, .repeat = repeat};
    if (!offer(w, input) && down) cab_window_press_key(w, key, mods, repeat);
}

/* Keyboards have "?" at different places, so it is taken as text and not as a key. */
static void on_character(GLFWwindow *glfw, unsigned character)
{
    cab_window *w = window_of(glfw);
    if (!offer(w, (cab_input){.kind = CAB_INPUT_TEXT, .character = character}))
        cab_window_press_character(w, character);
}

static void on_button(GLFWwindow *glfw, int button, int action, int mods)
{
    cab_window *w = window_of(glfw);
    bool down = action == GLFW_PRESS;
    bool taken = offer(w, (cab_input){.kind = CAB_INPUT_BUTTON, .code = button, .mods = mods, .down = down});
    if (down && !taken) cab_window_press_button(w, button, mods);
    if (!down) cab_window_release_button(w, button);
}

static void on_move(GLFWwindow *glfw, double x, double y)
{
    cab_window *w = window_of(glfw);
    float before[2] = {w->mouse[0], w->mouse[1]};
    w->mouse[0] = (float)x * w->per_unit[0];
    w->mouse[1] = (float)y * w->per_unit[1];
    bool taken = offer(w, (cab_input){.kind = CAB_INPUT_MOVE});
    if (w->width < 1 || w->height < 1) return;
    if (w->drag != CAB_DRAG_NONE)
        cab_window_drag(w, w->mouse[0] - before[0], w->mouse[1] - before[1]);
    else if (!taken)
        cab_viewer_edit_hover(w->viewer, w->mouse[0], w->mouse[1]);
}

static void on_wheel(GLFWwindow *glfw, double x, double y)
{
    cab_window *w = window_of(glfw);
    cab_input input = {.kind = CAB_INPUT_WHEEL, .wheel_x = (float)x, .wheel_y = (float)y};
    if (!offer(w, input)) cab_viewer_zoom_at(w->viewer, w->mouse, powf(WHEEL_FACTOR, (float)y));
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
