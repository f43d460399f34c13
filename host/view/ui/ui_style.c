#include "view/ui/ui_style.h"

const cab_ui_colours cab_ui_dark = {
    .panel = {22, 24, 29, 252},
    .card = {22, 24, 29, 244},
    .field = {44, 48, 56, 255},
    .hover = {58, 63, 73, 255},
    .line = {58, 62, 71, 255},
    .text = {232, 234, 238, 255},
    .faint = {150, 157, 168, 255},
    .accent = {74, 144, 226, 255},
    .error = {240, 100, 90, 255},
};

const cab_ui_colours cab_ui_light = {
    .panel = {250, 250, 251, 240},
    .card = {250, 250, 251, 214},
    .field = {226, 229, 233, 255},
    .hover = {214, 218, 224, 255},
    .line = {190, 195, 202, 255},
    .text = {20, 23, 28, 255},
    .faint = {84, 91, 102, 255},
    .accent = {30, 100, 190, 255},
    .error = {190, 40, 30, 255},
};

static const struct nk_color clear = {0, 0, 0, 0};

static void set_table(struct nk_context *context, const cab_ui_colours *c)
{
    struct nk_color table[NK_COLOR_COUNT];
    for (int i = 0; i < NK_COLOR_COUNT; i++) table[i] = c->field;
    table[NK_COLOR_TEXT] = c->text;
    table[NK_COLOR_WINDOW] = c->panel;
    table[NK_COLOR_HEADER] = c->panel;
    table[NK_COLOR_BORDER] = c->line;
    table[NK_COLOR_BUTTON_HOVER] = c->hover;
    table[NK_COLOR_BUTTON_ACTIVE] = c->accent;
    table[NK_COLOR_SCROLLBAR] = clear;
    table[NK_COLOR_SCROLLBAR_CURSOR] = c->line;
    table[NK_COLOR_SCROLLBAR_CURSOR_HOVER] = c->faint;
    table[NK_COLOR_SCROLLBAR_CURSOR_ACTIVE] = c->faint;
    nk_style_from_table(context, table);
}

static void set_buttons(struct nk_style *style, const cab_ui_colours *c)
{
    style->button.border = 0;
    style->button.rounding = 4;
    style->button.padding = nk_vec2(4, 2);
    style->button.text_hover = style->button.text_active = c->text;
    style->contextual_button.padding = nk_vec2(8, 3);
    style->contextual_button.normal = nk_style_item_color(clear);
    style->contextual_button.hover = nk_style_item_color(c->hover);
    style->contextual_button.rounding = 4;
    style->contextual_button.text_alignment = NK_TEXT_LEFT;
}

static void set_fields(struct nk_style *style, const cab_ui_colours *c)
{
    style->property.border = 0;
    style->property.rounding = 4;
    style->property.padding = nk_vec2(6, 3);
    style->property.hover = style->property.active = nk_style_item_color(c->hover);
    style->property.edit.cursor_size = 1;
    style->property.edit.normal = style->property.edit.hover = nk_style_item_color(clear);
    style->property.edit.active = nk_style_item_color(clear);
    style->edit.border = 1;
    style->edit.rounding = 4;
    style->edit.padding = nk_vec2(6, 3);
    style->edit.cursor_size = 1;
    style->edit.selected_normal = style->edit.selected_hover = c->accent;
    style->edit.selected_text_normal = style->edit.selected_text_hover = c->text;
    style->combo.border = 0;
    style->combo.rounding = 4;
    style->combo.content_padding = nk_vec2(8, 3);
    style->combo.button_padding = nk_vec2(2, 7);
    style->combo.hover = nk_style_item_color(c->hover);
    style->combo.button.normal = nk_style_item_color(clear);
    style->combo.button.hover = nk_style_item_color(clear);
    style->combo.button.active = nk_style_item_color(clear);
}

static void set_windows(struct nk_style *style)
{
    style->scrollv.rounding = style->scrollv.rounding_cursor = 3;
    style->scrollh = style->scrollv;
    struct nk_style_window *w = &style->window;
    w->rounding = 6;
    w->border = w->combo_border = w->popup_border = 1;
    w->padding = nk_vec2(7, 10); /* Nuklear takes it twice at the sides */
    w->background.a = 255;       /* menus lie over other widgets, which must not show through */
    w->combo_padding = nk_vec2(2, 4);
    w->spacing = nk_vec2(6, 5);
    w->scrollbar_size = nk_vec2(7, 7);
    w->min_row_height_padding = 6;
}

void cab_ui_style(struct nk_context *context)
{
    set_table(context, &cab_ui_dark);
    set_buttons(&context->style, &cab_ui_dark);
    set_fields(&context->style, &cab_ui_dark);
    set_windows(&context->style);
}
