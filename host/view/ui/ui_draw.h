/* The user interface: widgets of Nuklear, drawn with OpenGL. Widgets count in points, the picture in pixels.
 *
 *   cab_ui_create(&ui, &error);
 *   for each picture:
 *     cab_ui_begin(ui, width, height, scale, &error);
 *     struct nk_context *nk = cab_ui_context(ui);
 *     ... widgets ...
 *     cab_ui_draw(ui, framebuffer, &error);
 *
 * Needs a current OpenGL context, the same one in all calls. */
#ifndef CAB_UI_DRAW_H
#define CAB_UI_DRAW_H

#include <stdbool.h>

#include <nuklear.h>

#include <clcable/status.h>

#include "view/ui/ui_style.h"

typedef struct cab_ui cab_ui;

typedef enum cab_font {
    CAB_FONT_TEXT = 0, /* for widgets */
    CAB_FONT_SMALL,    /* for remarks and ticks */
    CAB_FONT_TITLE,
    CAB_FONT_COUNT
} cab_font;

cab_status cab_ui_create(cab_ui **ui, cab_error *error);
/* NULL is allowed. */
void cab_ui_destroy(cab_ui *ui);

/* Begins a picture. When the scale has changed the fonts are made anew.
 *
 * @param width, height  of the framebuffer, pixels
 * @param scale          pixels in a point: 1, on dense screens up to 4 */
cab_status cab_ui_begin(cab_ui *ui, int width, int height, float scale, cab_error *error);

/* The context that widgets are made with. The pointer stays the same. */
struct nk_context *cab_ui_context(cab_ui *ui);
/* The picture's size in points. */
struct nk_vec2 cab_ui_size(const cab_ui *ui);
float cab_ui_scale(const cab_ui *ui);
const struct nk_user_font *cab_ui_font(const cab_ui *ui, cab_font font);

/* A hint explains the widget under the mouse; `y` is its height in the picture, points. Taking it removes it;
 * "" = there is none. */
void cab_ui_set_hint(cab_ui *ui, const char *text, float y);
const char *cab_ui_take_hint(cab_ui *ui, float *y);

/* Draws all widgets since cab_ui_begin() over what the framebuffer holds (0 = the window), and removes them.
 * Translucent colours are mixed in linear light where the framebuffer is GL_SRGB; in others sRGB numbers are
 * mixed, which comes out a little darker. */
cab_status cab_ui_draw(cab_ui *ui, unsigned framebuffer, cab_error *error);

#endif
