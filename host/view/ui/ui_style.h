/* How widgets look: colours, distances, rounding. */
#ifndef CAB_UI_STYLE_H
#define CAB_UI_STYLE_H

#include <nuklear.h>

/* Sets all of a context's style but its font. */
void cab_ui_style(struct nk_context *context);

#endif
