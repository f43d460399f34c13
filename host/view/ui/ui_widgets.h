/* Widgets that Nuklear lacks, or draws in another manner. Each takes the next place of the current row. */
#ifndef CAB_UI_WIDGETS_H
#define CAB_UI_WIDGETS_H

#include <stddef.h>

#include "view/ui/ui_draw.h"

typedef enum cab_icon {
    CAB_ICON_PLAY = 0,
    CAB_ICON_PAUSE,
    CAB_ICON_STEP,
    CAB_ICON_RESET,
    CAB_ICON_CLOSE,
    CAB_ICON_HELP,
    CAB_ICON_CAMERA
} cab_icon;

/* As nk_begin(), with round corners; nk_end() must follow always. `solid`: nothing shows through. */
bool cab_ui_begin_window(cab_ui *ui, const char *name, struct nk_rect place, nk_flags flags, bool solid);

/* A heading that opens and closes what comes below; it is a row of its own. Returns whether that is open. */
bool cab_ui_section(cab_ui *ui, const char *title, bool *open);

/* A button with an icon. `hint` (may be NULL) is shown while the mouse is over it. */
bool cab_ui_icon_button(cab_ui *ui, cab_icon icon, const char *hint);

/* A button that can be on: one of several choices, or a switch. Returns whether it was clicked. */
bool cab_ui_chip(cab_ui *ui, const char *text, bool on, const char *hint);

/* A slider for a value from 0 to 1. True when the user has changed it. */
bool cab_ui_slider(cab_ui *ui, float *value);

/* A row with a name and a value. */
void cab_ui_fact(cab_ui *ui, const char *what, const char *value);
void cab_ui_fact_coloured(cab_ui *ui, const char *what, const char *value, struct nk_color colour);

/* Text in a font and a colour, shortened where it has no room. */
void cab_ui_label(cab_ui *ui, cab_font font, const char *text, nk_flags align, struct nk_color colour);

/* Shows the hint of the widget under the mouse, beside a panel that ends at `right` (points). To be called
 * once, after all other widgets. */
void cab_ui_show_hint(cab_ui *ui, float right);

/* The width of a text, points. */
float cab_ui_width(const struct nk_user_font *font, const char *text);
/* Cuts off the end of a text that is wider than `width` (points), between characters of UTF-8, and puts dots there.
 *
 * @param size  of the room that `text` is in, bytes, at least 4 */
void cab_ui_shorten(const struct nk_user_font *font, char *text, size_t size, float width);
/* Draws one line of text, with its upper left corner at x, y, points. */
void cab_ui_write(struct nk_command_buffer *canvas, const struct nk_user_font *font, float x, float y,
                  const char *text, struct nk_color colour);

/* Begins rows of this height (points) with `count` widgets of these widths; those of 0 share the rest. */
void cab_ui_row(cab_ui *ui, float height, int count, const float *widths);

#endif
