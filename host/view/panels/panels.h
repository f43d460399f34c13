/* The panels of `view`: a layer over the window's picture.
 *
 *   cab_panels_create(&panels, &error);
 *   cab_layer layer = cab_panels_layer(panels);
 *   cab_window_run(window, viewer, &layer, 0, &error);
 *   cab_panels_destroy(panels); */
#ifndef CAB_PANELS_H
#define CAB_PANELS_H

#include "view/panels/section.h"
#include "view/window/layer.h"
#include "view/ui/ui_draw.h"

typedef struct cab_panels cab_panels;

cab_status cab_panels_create(cab_panels **panels, cab_error *error);
/* NULL is allowed. */
void cab_panels_destroy(cab_panels *panels);

cab_layer cab_panels_layer(cab_panels *panels);

/* Opens or closes a section of the side panel. */
void cab_panels_open(cab_panels *panels, cab_section section, bool open);

/* For tests: where the side panel is, points; of no width = hidden. */
struct nk_rect cab_panels_side(const cab_panels *panels);
/* For tests: the user interface; NULL before the layer has started. */
cab_ui *cab_panels_ui(cab_panels *panels);

#endif
