/* The panels of studies, in a build without them: never shown. */
#include "view/panels/panels_inside.h"

void cab_panel_choices(cab_panels *panels)
{
    (void)panels;
}

void cab_panel_lines(cab_panels *panels)
{
    (void)panels;
}
