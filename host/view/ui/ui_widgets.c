#include "view/ui/ui_widgets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 400 }; /* bytes of a text on one line; names have 255 at most */

/* Lengths in points. */
static const float section_height = 26;

static const cab_ui_colours *const colours = &cab_ui_dark;

/* The state of a widget and of the mouse over it. */
typedef struct touch {
    struct nk_rect place;
    bool seen, over, down, clicked;
} touch;

static touch take_place(struct nk_context *nk)
{
    touch t = {0};
    enum nk_widget_layout_states state = nk_widget(&t.place, nk);
    bool dead = nk->current->layout->flags & NK_WINDOW_ROM;
    t.seen = state != NK_WIDGET_INVALID;
    if (!t.seen || dead) return t;
    t.down = nk_input_has_mouse_click_down_in_rect(&nk->input, NK_BUTTON_LEFT, t.place, nk_true);
    t.over = state == NK_WIDGET_VALID && nk_input_is_mouse_hovering_rect(&nk->input, t.place);
    /* by the press, as with Nuklear's buttons, so that the end of a drag does not click anything */
    t.clicked = t.over && nk_input_is_mouse_click_down_in_rect(&nk->input, NK_BUTTON_LEFT, t.place, nk_true);
    return t;
}

float cab_ui_width(const struct nk_user_font *font, const char *text)
{
    return ceilf(font->width(font->userdata, font->height, text, (int)strlen(text)));
}

void cab_ui_shorten(const struct nk_user_font *font, char *text, size_t size, float width)
{
    size_t all = strlen(text), fits = 0, most = size - sizeof "…";
    if (cab_ui_width(font, text) <= width) return;
    float room = width - cab_ui_width(font, "…");
    for (size_t step = all; step > 0; step /= 2) /* the more letters, the wider */
        while (fits + step <= all &&
               font->width(font->userdata, font->height, text, (int)(fits + step)) <= room)
            fits += step;
    if (fits > most) fits = most;
    while (fits > 0 && ((unsigned char)text[fits] & 0xC0) == 0x80) fits--;
    memcpy(text + fits, "…", sizeof "…");
}

void cab_ui_write(struct nk_command_buffer *canvas, const struct nk_user_font *font, float x, float y,
                  const char *text, struct nk_color colour)
{
    static const struct nk_color none = {0, 0, 0, 0};
    struct nk_rect place = nk_rect(roundf(x), roundf(y), cab_ui_width(font, text) + 2, font->height);
    nk_draw_text(canvas, place, text, (int)strlen(text), font, none, colour);
}

static void draw_text(struct nk_context *nk, float x, float y, const char *text, struct nk_color colour)
{
    cab_ui_write(nk_window_get_canvas(nk), nk->style.font, x, y, text, colour);
}

void cab_ui_row(cab_ui *ui, float height, int count, const float *widths)
{
    struct nk_context *nk = cab_ui_context(ui);
    nk_layout_row_template_begin(nk, height);
    for (int i = 0; i < count; i++)
        if (widths[i] > 0)
            nk_layout_row_template_push_static(nk, widths[i]);
        else
            nk_layout_row_template_push_dynamic(nk);
    nk_layout_row_template_end(nk);
}

static void draw_centred(struct nk_context *nk, struct nk_rect place, const char *text,
                         struct nk_color colour)
{
    const struct nk_user_font *font = nk->style.font;
    char shown[TEXT_SIZE];
    snprintf(shown, sizeof shown, "%s", text);
    cab_ui_shorten(font, shown, sizeof shown, place.w - 4);
    float width = cab_ui_width(font, shown);
    draw_text(nk, place.x + (place.w - width) / 2, place.y + (place.h - font->height) / 2, shown, colour);
}

bool cab_ui_begin_window(cab_ui *ui, const char *name, struct nk_rect place, nk_flags flags, bool solid)
{
    struct nk_context *nk = cab_ui_context(ui);
    nk_style_push_style_item(nk, &nk->style.window.fixed_background, nk_style_item_hide());
    bool shown = nk_begin(nk, name, place, flags);
    nk_style_pop_style_item(nk);
    if (!shown) return false;
    struct nk_command_buffer *canvas = nk_window_get_canvas(nk);
    struct nk_rect inside = canvas->clip;
    nk_push_scissor(canvas, nk_rect(place.x - 1, place.y - 1, place.w + 2, place.h + 2));
    struct nk_color back = colours->panel;
    if (solid) back.a = 255;
    nk_fill_rect(canvas, place, 7, back);
    nk_stroke_rect(canvas, place, 7, 1, colours->line);
    nk_push_scissor(canvas, inside);
    return true;
}

bool cab_ui_section(cab_ui *ui, const char *title, bool *open)
{
    struct nk_context *nk = cab_ui_context(ui);
    nk_layout_row_dynamic(nk, section_height, 1);
    touch t = take_place(nk);
    if (t.clicked) *open = !*open;
    if (!t.seen) return *open;
    struct nk_color colour = t.over ? colours->text : colours->faint;
    float x = t.place.x, y = roundf(t.place.y + t.place.h / 2) + 2;
    nk_fill_rect(nk_window_get_canvas(nk), nk_rect(x, t.place.y + 1, t.place.w, 1), 0, colours->line);
    if (*open)
        nk_fill_triangle(nk_window_get_canvas(nk), x + 1, y - 2, x + 9, y - 2, x + 5, y + 3, colour);
    else
        nk_fill_triangle(nk_window_get_canvas(nk), x + 3, y - 4, x + 8, y, x + 3, y + 4, colour);
    draw_text(nk, x + 16, y - nk->style.font->height / 2, title, *open || t.over ? colours->text : colour);
    return *open;
}

static void draw_icon(struct nk_context *nk, cab_icon icon, struct nk_rect place, struct nk_color colour)
{
    struct nk_command_buffer *canvas = nk_window_get_canvas(nk);
    float x = roundf(place.x + place.w / 2), y = roundf(place.y + place.h / 2);
    switch (icon) {
    case CAB_ICON_PLAY:
        nk_fill_triangle(canvas, x - 4, y - 6, x + 7, y, x - 4, y + 6, colour);
        break;
    case CAB_ICON_PAUSE:
        nk_fill_rect(canvas, nk_rect(x - 5, y - 6, 4, 12), 0, colour);
        nk_fill_rect(canvas, nk_rect(x + 1, y - 6, 4, 12), 0, colour);
        break;
    case CAB_ICON_STEP:
        nk_fill_triangle(canvas, x - 6, y - 6, x + 3, y, x - 6, y + 6, colour);
        nk_fill_rect(canvas, nk_rect(x + 4, y - 6, 3, 12), 0, colour);
        break;
    case CAB_ICON_RESET:
        nk_fill_triangle(canvas, x + 6, y - 6, x - 3, y, x + 6, y + 6, colour);
        nk_fill_rect(canvas, nk_rect(x - 7, y - 6, 3, 12), 0, colour);
        break;
    case CAB_ICON_CLOSE:
        nk_stroke_line(canvas, x - 4, y - 4, x + 4, y + 4, 1.5f, colour);
        nk_stroke_line(canvas, x - 4, y + 4, x + 4, y - 4, 1.5f, colour);
        break;
    case CAB_ICON_HELP:
        draw_centred(nk, place, "?", colour);
        break;
    case CAB_ICON_CAMERA:
        nk_fill_rect(canvas, nk_rect(x - 8, y - 5, 16, 11), 2, colour);
        nk_fill_rect(canvas, nk_rect(x - 3, y - 7, 6, 4), 1, colour);
        nk_fill_circle(canvas, nk_rect(x - 4, y - 4, 8, 8), colours->field);
        nk_fill_circle(canvas, nk_rect(x - 2, y - 2, 4, 4), colour);
        break;
    }
}

static void note_hint(cab_ui *ui, const touch *t, const char *hint)
{
    if (hint && t->over && !t->down) cab_ui_set_hint(ui, hint, t->place.y + t->place.h / 2);
}

bool cab_ui_icon_button(cab_ui *ui, cab_icon icon, const char *hint)
{
    struct nk_context *nk = cab_ui_context(ui);
    touch t = take_place(nk);
    if (!t.seen) return false;
    struct nk_color back = t.over && t.down ? colours->accent : t.over ? colours->hover : colours->field;
    nk_fill_rect(nk_window_get_canvas(nk), t.place, 4, back);
    draw_icon(nk, icon, t.place, colours->text);
    note_hint(ui, &t, hint);
    return t.clicked;
}

bool cab_ui_chip(cab_ui *ui, const char *text, bool on, const char *hint)
{
    struct nk_context *nk = cab_ui_context(ui);
    touch t = take_place(nk);
    if (!t.seen) return false;
    struct nk_color back = on ? colours->accent : t.over ? colours->hover : colours->field;
    nk_fill_rect(nk_window_get_canvas(nk), t.place, 4, back);
    draw_centred(nk, t.place, text, colours->text);
    note_hint(ui, &t, hint);
    return t.clicked;
}

bool cab_ui_slider(cab_ui *ui, float *value)
{
    struct nk_context *nk = cab_ui_context(ui);
    const float radius = 7;
    touch t = take_place(nk);
    if (!t.seen) return false;
    float before = *value, left = t.place.x + radius, length = t.place.w - 2 * radius;
    if (t.down) *value = fminf(fmaxf((nk->input.mouse.pos.x - left) / length, 0), 1);
    float x = roundf(left + length * *value), y = roundf(t.place.y + t.place.h / 2);
    struct nk_command_buffer *canvas = nk_window_get_canvas(nk);
    nk_fill_rect(canvas, nk_rect(t.place.x, y - 2, t.place.w, 4), 2, colours->hover);
    nk_fill_rect(canvas, nk_rect(t.place.x, y - 2, x - t.place.x, 4), 2, colours->accent);
    nk_fill_circle(canvas, nk_rect(x - radius, y - radius, 2 * radius, 2 * radius),
                   t.over || t.down ? colours->text : colours->accent);
    return *value != before;
}

void cab_ui_label(cab_ui *ui, cab_font font, const char *text, nk_flags align, struct nk_color colour)
{
    struct nk_context *nk = cab_ui_context(ui);
    const struct nk_user_font *before = nk->style.font;
    nk->style.font = cab_ui_font(ui, font);
    char shown[TEXT_SIZE];
    snprintf(shown, sizeof shown, "%s", text);
    float room = nk_widget_bounds(nk).w - 2 * nk->style.text.padding.x;
    cab_ui_shorten(nk->style.font, shown, sizeof shown, room);
    nk_label_colored(nk, shown, align, colour);
    nk->style.font = before;
}

void cab_ui_fact_coloured(cab_ui *ui, const char *what, const char *value, struct nk_color colour)
{
    float width = cab_ui_width(cab_ui_font(ui, CAB_FONT_SMALL), what) + 4;
    cab_ui_row(ui, 18, 2, (float[]){width, 0});
    cab_ui_label(ui, CAB_FONT_SMALL, what, NK_TEXT_LEFT, colours->faint);
    cab_ui_label(ui, CAB_FONT_SMALL, value, NK_TEXT_RIGHT, colour);
}

void cab_ui_fact(cab_ui *ui, const char *what, const char *value)
{
    cab_ui_fact_coloured(ui, what, value, colours->text);
}

void cab_ui_show_hint(cab_ui *ui, float right)
{
    static const nk_flags flags = NK_WINDOW_NO_SCROLLBAR | NK_WINDOW_NO_INPUT | NK_WINDOW_ROM;
    float y;
    const char *hint = cab_ui_take_hint(ui, &y);
    if (!hint[0]) return;
    struct nk_context *nk = cab_ui_context(ui);
    const struct nk_user_font *font = cab_ui_font(ui, CAB_FONT_SMALL);
    float width = fminf(cab_ui_width(font, hint) + 18, cab_ui_size(ui).x - right - 16),
          height = font->height + 10;
    if (width < 40) return;
    struct nk_rect place = nk_rect(roundf(right + 8), roundf(y - height / 2), width, height);
    nk_style_push_vec2(nk, &nk->style.window.padding, nk_vec2(4, 5));
    nk_style_push_vec2(nk, &nk->style.window.spacing, nk_vec2(0, 0));
    if (cab_ui_begin_window(ui, "hint", place, flags, true)) {
        nk_layout_row_dynamic(nk, font->height, 1);
        cab_ui_label(ui, CAB_FONT_SMALL, hint, NK_TEXT_LEFT, colours->text);
    }
    nk_end(nk);
    nk_style_pop_vec2(nk);
    nk_style_pop_vec2(nk);
}
