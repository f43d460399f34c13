/* What keys do; where there is a custom it is that of Blender. */
#include "view/window/window.h"
#include "view/window/window_inside.h"

#define SPEED_STEP 1.25 /* factor of the speed for one press of a key */

static void toggle_play(cab_window *w)
{
    cab_viewer_play(w->viewer, !w->viewer->playing);
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

/* Named views are orthographic. Orbiting out of one restores the perspective that was there before. */
static void set_view(cab_window *w, const char *name)
{
    w->straight_by_view = w->straight_by_view || !w->viewer->camera.orthographic;
    cab_viewer_set_view(w->viewer, name);
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

typedef struct help_row {
    const char *keys, *what;
    const char *study; /* what they do with a study; NULL = the same, "" = nothing */
} help_row;

/* A key, another one that does the same, what they do, and their line in the help. */
typedef struct key_row {
    int key, twin, mods;        /* GLFW_KEY_... or 0; GLFW_MOD_CONTROL or 0 */
    void (*run)(cab_window *w); /* one of these three, or views */
    void (*act)(cab_viewer *v);
    bool (*command)(cab_viewer *v);
    const char *view, *opposite; /* as for cab_camera_set_view(); the opposite with Ctrl */
    help_row help;
} key_row;

static const key_row keys[] = {
    {GLFW_KEY_SPACE, .run = toggle_play, .help = {"Space", "play, pause", NULL}},
    {GLFW_KEY_RIGHT, .command = cab_viewer_step, .help = {"Right", "one frame", NULL}},
    {GLFW_KEY_UP, .run = faster, .help = {"Up, Down", "faster, slower", NULL}},
    {GLFW_KEY_DOWN, .run = slower},
    {GLFW_KEY_R, .command = cab_viewer_reset, .help = {"R", "back to the start", NULL}},
    {GLFW_KEY_HOME, .act = cab_viewer_fit, .help = {"Home", "fit what moves, and follow it", NULL}},
    {GLFW_KEY_KP_DECIMAL, GLFW_KEY_PERIOD, .act = cab_viewer_fit_selected,
     .help = {"Numpad . or F", "fit the selected cable", ""}},
    {GLFW_KEY_F, .act = cab_viewer_fit_selected},
    {GLFW_KEY_KP_1, GLFW_KEY_1, .view = "front", .opposite = "back",
     .help = {"1, 3, 7", "front, right, top; with Ctrl the opposite", NULL}},
    {GLFW_KEY_KP_3, GLFW_KEY_3, .view = "right", .opposite = "left"},
    {GLFW_KEY_KP_7, GLFW_KEY_7, .view = "top", .opposite = "bottom"},
    {GLFW_KEY_KP_5, GLFW_KEY_5, .run = toggle_orthographic, .help = {"5", "perspective, orthographic", NULL}},
    {GLFW_KEY_TAB, .run = toggle_path, .help = {"Tab", "edit the selected cable's path", ""}},
    {GLFW_KEY_P, .command = cab_viewer_trace_selected,
     .help = {"P", "plot the place that was clicked; again: end it", ""}},
    {GLFW_KEY_T, .act = cab_viewer_toggle_stripes,
     .help = {"T", "a line along cables that shows how they are rolled", ""}},
    {GLFW_KEY_ESCAPE, .run = escape, .help = {"Esc", "let go, leave, deselect", "let go"}},
    {GLFW_KEY_O, 0, GLFW_MOD_CONTROL, ask_open,
     .help = {"Ctrl+O", "open a scene; or drop its file here", NULL}},
    {GLFW_KEY_S, 0, GLFW_MOD_CONTROL, ask_save, .help = {"Ctrl+S", "save the scene as ...", ""}},
    {GLFW_KEY_F12, .command = cab_viewer_screenshot,
     .help = {"F12", "picture into the working directory", NULL}},
    {GLFW_KEY_F11, .command = cab_viewer_record, .help = {"F11", "record a video; again: end it", NULL}},
    {GLFW_KEY_N, .run = toggle_panels, .help = {"N", "show, hide panels", NULL}},
    {GLFW_KEY_F1, .run = toggle_help, .help = {"F1 or ?", "this help", NULL}},
    {GLFW_KEY_Q, .act = cab_viewer_quit, .help = {"Q or Ctrl+Q", "quit", NULL}},
    {GLFW_KEY_Q, 0, GLFW_MOD_CONTROL, .act = cab_viewer_quit},
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

/* While a handle is held, x, y and z restrict its drag to an axis. */
static bool take_axis(cab_window *w, int key)
{
    if (w->viewer->edit.held < 0 || key < GLFW_KEY_X || key > GLFW_KEY_Z) return false;
    cab_viewer_edit_axis(w->viewer, (char)('x' + key - GLFW_KEY_X));
    return true;
}

void cab_window_press_key(cab_window *w, int key, int mods, bool repeat)
{
    bool repeats = key == GLFW_KEY_RIGHT || key == GLFW_KEY_UP || key == GLFW_KEY_DOWN;
    int wanted = mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER | GLFW_MOD_SHIFT);
    if (take_axis(w, key) || (repeat && !repeats)) return;
    for (int i = 0; i < KEY_COUNT; i++) {
        const key_row *row = &keys[i];
        bool opposite = row->opposite && wanted == GLFW_MOD_CONTROL;
        if ((row->key != key && row->twin != key) || (row->mods != wanted && !opposite)) continue;
        if (row->view) set_view(w, opposite ? row->opposite : row->view);
        if (row->run) row->run(w);
        if (row->act) row->act(w->viewer);
        if (row->command) row->command(w->viewer);
        return;
    }
}

void cab_window_press_character(cab_window *w, unsigned character)
{
    if (character == '?') toggle_help(w);
}
