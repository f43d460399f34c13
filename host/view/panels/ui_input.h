/* Passes mouse and keys on to the widgets, and decides which events are theirs and which the scene's. */
#ifndef CAB_UI_INPUT_H
#define CAB_UI_INPUT_H

#include "view/window/layer.h"
#include "view/ui/ui_draw.h"

/* Zero at first. */
typedef struct cab_ui_input {
    /* Mouse buttons, a bit each. */
    unsigned ours, theirs; /* down, and were pressed over a widget, or over the scene */
    unsigned fresh;        /* went down since the last picture */
    unsigned late; /* went down and up since, which Nuklear would miss: it is told the release afterwards */
    bool drawn;    /* there was a picture since the last events. To be set after cab_ui_draw() */
} cab_ui_input;

/* To be called before and after the events that are handled at a time, after at least one cab_ui_begin().
 * Events without a picture between them count as one time. */
void cab_ui_input_begin(cab_ui *ui, cab_ui_input *state);
void cab_ui_input_end(cab_ui *ui);

/* Takes an event. Returns true when it is the widgets' alone, which are:
 * - a press over a widget, everything that the mouse does until that button is up again, and the release;
 * - moves and the wheel over a widget, unless a drag that began over the scene is under way;
 * - while a menu is open, a press beside it, which closes it;
 * - keys and text while a text is being typed, but not releases of keys that were pressed before. */
bool cab_ui_take_input(cab_ui *ui, cab_ui_input *state, const cab_input *input);

/* Is a text being typed? */
bool cab_ui_is_writing(cab_ui *ui);
/* Is the mouse over a panel or a menu? */
bool cab_ui_is_over(cab_ui *ui);
/* Ends typing; what was typed stays in its field. */
void cab_ui_stop_writing(cab_ui *ui);

#endif
