/* Widgets that Nuklear has not, or has not in our manner. Each takes the next place of the current row. */
#ifndef CAB_UI_WIDGETS_H
#define CAB_UI_WIDGETS_H

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

/* As nk_begin, with round corners; nk_end() follows in any case. solid: nothing shows through. */
bool cab_ui_begin_window(cab_ui *ui, const char *name, struct nk_rect place, nk_flags flags, bool solid);

/* A row of its own: a heading that opens and closes what comes below. Returns whether that is open. */
bool cab_ui_section(cab_ui *ui, const char *title, bool *open);

/* A button with a picture. `hint` (may be NULL) shows while the mouse is over it. */
bool cab_ui_icon_button(cab_ui *ui, cab_icon icon, const char *hint);

/* A button that stays on: one of a few, or by itself. */
bool cab_ui_chip(cab_ui *ui, const char *text, bool on, const char *hint);

/* A value from 0 to 1. True while it is dragged and has changed. */
bool cab_ui_slider(cab_ui *ui, float *value);

/* A row of its own: what and how much. */
void cab_ui_fact(cab_ui *ui, const char *what, const char *value);
void cab_ui_fact_coloured(cab_ui *ui, const char *what, const char *value, struct nk_color colour);

/* Text in another font or colour. */
void cab_ui_label(cab_ui *ui, cab_font font, const char *text, nk_flags align, struct nk_color colour);

/* The hint of the widget under the mouse, beside a panel that ends at `right` (points). Once, after all else.
 */
void cab_ui_show_hint(cab_ui *ui, float right);

/* How wide a text is, points. */
float cab_ui_width(const struct nk_user_font *font, const char *text);

#endif
