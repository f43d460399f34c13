/* Side panel: the scene, time, and how it is simulated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "model/scene.h"
#include "view/panels/panels_inside.h"

/* The ends of the slider of speed; keys go beyond them. */
static const double slowest = 0.1, fastest = 4;

enum { ROW = 24, NAME_SIZE = 300 };

static void show_list(cab_panels *panels)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    const char *chosen = NULL;
    nk_layout_row_dynamic(nk, 22, 1);
    for (int i = 0; i < panels->scenes.count; i++) {
        char name[NAME_SIZE];
        const char *path = panels->scenes.paths[i];
        cab_scene_list_name(&panels->scenes, i, name, sizeof name);
        bool opened = strcmp(path, panels->viewer->path) == 0;
        nk_style_push_color(nk, &nk->style.contextual_button.text_normal,
                            opened ? cab_ui_dark.accent : cab_ui_dark.text);
        if (nk_combo_item_label(nk, name, NK_TEXT_LEFT)) chosen = path;
        nk_style_pop_color(nk);
    }
    if (nk_combo_item_label(nk, "Another file …", NK_TEXT_LEFT))
        cab_viewer_ask(panels->viewer, CAB_DIALOG_OPEN);
    if (chosen) cab_viewer_open(panels->viewer, chosen);
}

void cab_panel_scene(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_context *nk = cab_ui_context(panels->ui);
    char title[NAME_SIZE + 4];
    cab_path_stem(v->path, title, NAME_SIZE);
    if (v->unsaved) strcat(title, " *");
    cab_ui_row(panels->ui, ROW + 2, 3, (float[]){0, 30, 30});
    float width = nk_window_get_content_region_size(nk).x - 14, height = cab_ui_size(panels->ui).y - 60;
    if (nk_combo_begin_label(nk, title, nk_vec2(width, fminf(480, height)))) {
        show_list(panels);
        nk_combo_end(nk);
    }
    if (cab_ui_icon_button(panels->ui, CAB_ICON_CAMERA, "Save the picture as PNG")) cab_viewer_screenshot(v);
    if (cab_ui_icon_button(panels->ui, CAB_ICON_HELP, "Keys and mouse (F1)")) v->show_help = !v->show_help;
}

void cab_panel_changes(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW, 2);
    if (cab_ui_chip(panels->ui, "Edit path", v->edit.on, "Drag the control points of the selected cable"))
        cab_viewer_edit_path(v, !v->edit.on);
    if (cab_ui_chip(panels->ui, "Save as …", false, "The scene with all changes, as JSON"))
        cab_viewer_ask(v, CAB_DIALOG_SAVE);
}

static void show_speed(cab_panels *panels)
{
    double range = log(fastest / slowest);
    float place = (float)(log(fmin(fmax(panels->viewer->speed, slowest), fastest) / slowest) / range);
    char text[32];
    snprintf(text, sizeof text, "%.3g×", panels->viewer->speed);
    cab_ui_row(panels->ui, 20, 3, (float[]){44, 0, 44});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, "Speed", NK_TEXT_LEFT, cab_ui_dark.faint);
    if (cab_ui_slider(panels->ui, &place)) {
        double speed = slowest * exp(place * range);
        if (fabs(log(speed)) < 0.05) speed = 1; /* so that it is easily set */
        cab_viewer_set_speed(panels->viewer, speed);
    }
    cab_ui_label(panels->ui, CAB_FONT_SMALL, text, NK_TEXT_RIGHT, cab_ui_dark.text);
}

/* Where we are in what has been; to be dragged back. */
static void show_line_of_time(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    int first = v->history_first, last = v->history_last;
    float place = last > first ? (float)(v->info.frame - first) / (float)(last - first) : 1;
    char text[32];
    snprintf(text, sizeof text, "%.2f s", last / cab_scene_settings(v->scene)->frame_rate);
    cab_ui_row(panels->ui, 20, 3, (float[]){44, 0, 44});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, "Time", NK_TEXT_LEFT, cab_ui_dark.faint);
    if (cab_ui_slider(panels->ui, &place) && last > first)
        cab_viewer_seek(v, first + (int)lroundf(place * (float)(last - first)));
    cab_ui_label(panels->ui, CAB_FONT_SMALL, text, NK_TEXT_RIGHT, cab_ui_dark.text);
}

void cab_panel_time(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    char time[40];
    snprintf(time, sizeof time, "%.3f s", v->clock.time);
    cab_ui_row(panels->ui, 30, 4, (float[]){34, 44, 34, 0});
    if (cab_ui_icon_button(panels->ui, CAB_ICON_RESET, "Back to time 0")) cab_viewer_reset(v);
    if (cab_ui_icon_button(panels->ui, v->playing ? CAB_ICON_PAUSE : CAB_ICON_PLAY,
                           v->playing ? "Pause" : "Play"))
        cab_viewer_play(v, !v->playing);
    if (cab_ui_icon_button(panels->ui, CAB_ICON_STEP, "One frame")) cab_viewer_step(v);
    cab_ui_label(panels->ui, CAB_FONT_TITLE, time, NK_TEXT_RIGHT, cab_ui_dark.text);
    show_speed(panels);
    if (!v->study) show_line_of_time(panels);
}

/* Are the scene's settings allowed with this method? If not, the error has the reason. "auto" takes one with which they are, if there
 * is any. */
static bool suits(const cab_viewer *v, cab_method method, cab_error *error)
{
    if (method == CAB_METHOD_COUNT) return true;
    cab_settings *settings = cab_scene_settings(v->scene);
    cab_method before = settings->method;
    settings->method = method;
    bool good = cab_scene_check_settings(v->scene, error) == CAB_OK;
    settings->method = before;
    return good;
}

/* Methods that do not suit the scene's settings are faint, with the reason as their hint. They can be chosen
 * all the same: the viewer leaves settings out, or says why it cannot. */
static void show_methods(cab_panels *panels)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    int chosen = -1;
    nk_layout_row_dynamic(nk, 22, 1);
    for (int i = 0; i <= CAB_METHOD_COUNT; i++) {
        const char *name = i < CAB_METHOD_COUNT ? cab_method_name((cab_method)i) : "auto";
        cab_error why;
        bool good = suits(panels->viewer, (cab_method)i, &why);
        struct nk_rect place = nk_widget_bounds(nk);
        if (!good && nk_widget_is_hovered(nk))
            cab_ui_set_hint(panels->ui, why.message, place.y + place.h / 2);
        nk_style_push_color(nk, &nk->style.contextual_button.text_normal,
                            good ? cab_ui_dark.text : cab_ui_dark.faint);
        if (nk_combo_item_label(nk, name, NK_TEXT_LEFT)) chosen = i;
        nk_style_pop_color(nk);
    }
    if (chosen >= 0) cab_viewer_set_method(panels->viewer, (cab_method)chosen);
}

static void show_devices(cab_panels *panels)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    int chosen = -1;
    if (!panels->device_count) {
        int count = cab_devices(panels->devices, CAB_DEVICES_MOST);
        panels->device_count = count < CAB_DEVICES_MOST ? count : CAB_DEVICES_MOST;
    }
    nk_layout_row_dynamic(nk, 22, 1);
    for (int i = 0; i < panels->device_count; i++) {
        char text[NAME_SIZE];
        const cab_device_info *device = &panels->devices[i]; /* a CPU may be there twice under one name */
        const char *backend = device->backend == CAB_BACKEND_NATIVE ? "native"
                              : device->gpu                         ? "GPU"
                                                                    : "OpenCL";
        snprintf(text, sizeof text, "%s · %s", backend, device->name);
        if (nk_combo_item_label(nk, text, NK_TEXT_LEFT)) chosen = i;
    }
    if (chosen >= 0) cab_viewer_set_device(panels->viewer, panels->devices[chosen].id);
}

void cab_panel_begin_choice(cab_panels *panels, const char *what)
{
    cab_ui_row(panels->ui, ROW, 2, (float[]){84, 0});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, what, NK_TEXT_LEFT, cab_ui_dark.faint);
}

bool cab_panel_pending(cab_panels *panels, const char *what, cab_pending *pending, int now, int least,
                       int most)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    cab_panel_begin_choice(panels, what);
    int value = pending->differs ? (int)pending->value : now, before = value;
    nk_property_int(nk, "#", least, &value, most, 1, 0.25f);
    if (value != before) *pending = (cab_pending){value, true};
    bool busy = nk->input.mouse.buttons[NK_BUTTON_LEFT].down || cab_ui_is_writing(panels->ui);
    if (!pending->differs || busy) return false;
    pending->differs = false;
    return (int)pending->value != now;
}

void cab_panel_simulation(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_context *nk = cab_ui_context(panels->ui);
    if (!cab_ui_section(panels->ui, "Simulation", &panels->open[CAB_SECTION_SIMULATION])) return;
    cab_panel_begin_choice(panels, "Method");
    char method[64];
    bool by_itself = cab_scene_method_against(v->scene) != NULL;
    snprintf(method, sizeof method, "%s%s", by_itself ? "auto: " : "",
             cab_method_name(cab_scene_settings(v->scene)->method));
    if (nk_combo_begin_label(nk, method, nk_vec2(nk_widget_width(nk), 236))) {
        show_methods(panels);
        nk_combo_end(nk);
    }
    cab_panel_begin_choice(panels, "Device");
    const cab_device_info *device = &v->info.device;
    if (nk_combo_begin_label(nk, device->backend == CAB_BACKEND_NATIVE ? "native" : device->name,
                             nk_vec2(fmaxf(nk_widget_width(nk), 300), 160))) {
        show_devices(panels);
        nk_combo_end(nk);
    }
    const cab_settings *settings = cab_scene_settings(v->scene);
    int substeps = settings->substeps, iterations = settings->iterations;
    if (cab_panel_pending(panels, "Substeps", &panels->substeps, substeps, 1, 1000))
        cab_viewer_set_substeps(v, (int)panels->substeps.value);
    if (cab_panel_pending(panels, "Iterations", &panels->iterations, iterations, 1, 1000))
        cab_viewer_set_iterations(v, (int)panels->iterations.value);
}
