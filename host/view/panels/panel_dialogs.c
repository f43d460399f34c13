/* Windows over the picture: the message line, the help, the dialogs for files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/panels/panels_inside.h"
#include "view/window/window.h"

enum { HELP_ROW = 20, KEYS_WIDTH = 160 };

void cab_panel_message(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    panels->message_end = 0;
    if (!v->message[0]) return;
    struct nk_context *nk = cab_ui_context(panels->ui);
    struct nk_vec2 size = cab_ui_size(panels->ui);
    float left = panels->side.w > 0 ? panels->side.x + panels->side.w : 0;
    float room = size.x - left - 24;
    if (room < 120) left = 0, room = size.x - 24;
    const struct nk_user_font *font = cab_ui_font(panels->ui, CAB_FONT_TEXT);
    const float beside = 92; /* width of everything that is not text */
    float text = cab_ui_width(font, v->message), width = fminf(text + beside, room);
    /* a little more, as words do not fill lines to their ends */
    float lines = text + beside > room ? fminf(ceilf(1.2f * text / (room - beside)), 6) : 1;
    float inner = fmaxf(lines * (font->height + 5), 22);
    struct nk_rect place = nk_rect(roundf(left + 12 + (room - width) / 2), 10, width, inner + 14);
    panels->message_end = place.y + place.h;
    nk_style_push_vec2(nk, &nk->style.window.padding, nk_vec2(6, 7));
    if (cab_ui_begin_window(panels->ui, "message", place, NK_WINDOW_NO_SCROLLBAR, true)) {
        cab_ui_row(panels->ui, inner, 3, (float[]){6, 0, 24});
        struct nk_rect mark = nk_widget_bounds(nk);
        nk_fill_rect(nk_window_get_canvas(nk), nk_rect(mark.x, mark.y + 2, 3, mark.h - 4), 1,
                     v->message_is_error ? cab_ui_dark.error : cab_ui_dark.accent);
        nk_spacing(nk, 1);
        if (lines > 1)
            nk_label_wrap(nk, v->message);
        else
            nk_label(nk, v->message, NK_TEXT_LEFT);
        if (cab_ui_icon_button(panels->ui, CAB_ICON_CLOSE, NULL)) {
            v->message[0] = 0;
            v->changed = true;
        }
    }
    nk_end(nk);
    nk_style_pop_vec2(nk);
}

/* Puts a window above all others, to take the input that Nuklear gives to the window under the mouse. */
static void raise(cab_panels *panels, const char *name)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    struct nk_window *window = nk_window_find(nk, name);
    if (!window) return; /* a new window is above all others */
    nk_window_set_focus(nk, name);
    window->flags &= ~(nk_flags)NK_WINDOW_ROM;
}

static struct nk_rect middle(const cab_panels *panels, float width, float height)
{
    struct nk_vec2 size = cab_ui_size(panels->ui);
    width = fminf(width, size.x - 16);
    height = fminf(height, size.y - 16);
    return nk_rect(roundf((size.x - width) / 2), roundf((size.y - height) / 2), width, height);
}

static bool show_head(cab_panels *panels, const char *title)
{
    cab_ui_row(panels->ui, 26, 2, (float[]){0, 26});
    cab_ui_label(panels->ui, CAB_FONT_TITLE, title, NK_TEXT_LEFT, cab_ui_dark.text);
    return cab_ui_icon_button(panels->ui, CAB_ICON_CLOSE, NULL);
}

/* The help's lines, column by column. */
static void show_keys(cab_panels *panels, int rows, int columns)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    nk_layout_row_template_begin(nk, HELP_ROW);
    for (int c = 0; c < columns; c++) {
        nk_layout_row_template_push_static(nk, KEYS_WIDTH);
        nk_layout_row_template_push_dynamic(nk);
    }
    nk_layout_row_template_end(nk);
    for (int i = 0; i < rows * columns; i++) {
        cab_key_help help = {"", ""};
        cab_window_help(panels->viewer, i % columns * rows + i / columns, &help);
        cab_ui_label(panels->ui, CAB_FONT_SMALL, help.keys, NK_TEXT_LEFT, cab_ui_dark.accent);
        cab_ui_label(panels->ui, CAB_FONT_SMALL, help.what, NK_TEXT_LEFT, cab_ui_dark.text);
    }
}

void cab_panel_help(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    if (!v->show_help) return;
    struct nk_context *nk = cab_ui_context(panels->ui);
    cab_key_help help;
    int count = 0;
    while (cab_window_help(v, count, &help)) count++;
    bool wide = cab_ui_size(panels->ui).x >= 900;
    int columns = wide ? 2 : 1, rows = (count + columns - 1) / columns;
    float height = 58 + (float)rows * (HELP_ROW + nk->style.window.spacing.y);
    raise(panels, "help");
    struct nk_rect place = middle(panels, wide ? 960 : 500, height);
    if (cab_ui_begin_window(panels->ui, "help", place, place.h < height ? 0 : NK_WINDOW_NO_SCROLLBAR, true)) {
        bool closed = show_head(panels, "Keys and mouse");
        show_keys(panels, rows, columns);
        if (closed) v->show_help = false, v->changed = true;
    }
    nk_end(nk);
}

static void finish_dialog(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    bool saves = v->dialog == CAB_DIALOG_SAVE;
    v->dialog_path[panels->dialog_length] = 0;
    if (!v->dialog_path[0]) return;
    char path[CAB_VIEWER_PATH_SIZE];
    snprintf(path, sizeof path, "%s", v->dialog_path);
    if (saves ? cab_viewer_save(v, path) : cab_viewer_open(v, path)) v->dialog = CAB_DIALOG_NONE;
}

static void show_path(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_context *nk = cab_ui_context(panels->ui);
    bool saves = v->dialog == CAB_DIALOG_SAVE, done = false;
    if (show_head(panels, saves ? "Save the scene as" : "Open a scene")) v->dialog = CAB_DIALOG_NONE;
    nk_layout_row_dynamic(nk, 30, 1);
    if (panels->dialog != v->dialog) {
        panels->dialog_length = (int)strlen(v->dialog_path);
        nk_edit_focus(nk, NK_EDIT_ALWAYS_INSERT_MODE);
        int end = nk_utf_len(v->dialog_path, panels->dialog_length);
        nk->current->edit.cursor = nk->current->edit.sel_start = nk->current->edit.sel_end = end;
    }
    nk_flags state = nk_edit_string(nk, NK_EDIT_FIELD | NK_EDIT_SIG_ENTER, v->dialog_path,
                                    &panels->dialog_length, CAB_VIEWER_PATH_SIZE - 1, nk_filter_default);
    v->dialog_path[panels->dialog_length] = 0;
    if (state & NK_EDIT_COMMITED) done = true;
    cab_ui_row(panels->ui, 26, 3, (float[]){0, 90, 90});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, saves ? "A file of that name is replaced." : "", NK_TEXT_LEFT,
                 cab_ui_dark.faint);
    if (cab_ui_chip(panels->ui, "Cancel", false, NULL)) v->dialog = CAB_DIALOG_NONE;
    if (cab_ui_chip(panels->ui, saves ? "Save" : "Open", true, NULL)) done = true;
    if (done && v->dialog) finish_dialog(panels);
}

void cab_panel_dialog(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_context *nk = cab_ui_context(panels->ui);
    if (v->dialog) {
        raise(panels, "dialog");
        if (cab_ui_begin_window(panels->ui, "dialog", middle(panels, 520, 120), NK_WINDOW_NO_SCROLLBAR, true))
            show_path(panels);
        nk_end(nk);
    }
    if (v->dialog || panels->dialog) v->changed = true;
    panels->dialog = v->dialog;
}
