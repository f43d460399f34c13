/* Mouse and keys for the widgets, and which of them the widgets keep for themselves. */
#ifndef CAB_UI_INPUT_H
#define CAB_UI_INPUT_H

#include "view/window/layer.h"
#include "view/ui/ui_draw.h"

/* Zero at first. */
typedef struct cab_ui_input {
    unsigned ours, theirs; /* mouse buttons that are down, a bit each: pressed over a widget, or the scene */
    unsigned fresh;        /* went down since the last picture */
    unsigned late; /* went down and up since, which Nuklear would not see: goes up after the next one */
    bool drawn;    /* a picture has seen the input. To be set after cab_ui_draw() */
} cab_ui_input;

/* Around a round of events, after at least one cab_ui_begin(). Rounds without a picture between add up. */
void cab_ui_input_begin(cab_ui *ui, cab_ui_input *state);
void cab_ui_input_end(cab_ui *ui);

/* An event. True = it is the widgets' alone:
 * - a press over a widget, all of the mouse until that button is up again, and its release;
 * - moves and the wheel over a widget, unless a drag that began over the scene is under way;
 * - while a menu is open a press beside it, which closes it;
 * - keys and text while a text is being written, but not releases of keys pressed before. */
bool cab_ui_take_input(cab_ui *ui, cab_ui_input *state, const cab_input *input);

/* Is a text being written? */
bool cab_ui_is_writing(cab_ui *ui);
/* Is the mouse over a panel or a menu? */
bool cab_ui_is_over(cab_ui *ui);
/* Gives up writing: what was written stays in its field. */
void cab_ui_stop_writing(cab_ui *ui);

#endif
