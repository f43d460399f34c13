/* How widgets look: colours, distances, rounding. */
#ifndef CAB_UI_STYLE_H
#define CAB_UI_STYLE_H

#include <nuklear.h>

/* Colours of the user interface, sRGB. */
typedef struct cab_ui_colours {
    struct nk_color panel;  /* behind widgets; lets a little of the scene through */
    struct nk_color card;   /* behind the legend */
    struct nk_color field;  /* of what can be clicked or written into */
    struct nk_color hover;  /* the same while the mouse is over it */
    struct nk_color line;   /* thin separators, borders */
    struct nk_color text;   /* values and titles */
    struct nk_color faint;  /* labels and units beside them */
    struct nk_color accent; /* of what is switched on, selected or dragged */
    struct nk_color error;
} cab_ui_colours;

/* Dark colours for the window's panels, light ones for legends on light pictures. */
extern const cab_ui_colours cab_ui_dark, cab_ui_light;

/* Sets all of a context's style but its font. */
void cab_ui_style(struct nk_context *context);

#endif
