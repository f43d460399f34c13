/* What the parts of the panels share: panels.c, panel_*.c. */
#ifndef CAB_PANELS_INSIDE_H
#define CAB_PANELS_INSIDE_H

#include "world/facts.h"
#include "view/panels/section.h"
#include "view/panels/scene_list.h"
#include "view/panels/ui_input.h"
#include "view/ui/ui_widgets.h"

enum { CAB_DEVICES_MOST = 16, CAB_CHOICES_MOST = 16 };

/* A number that is being dragged or written; the command goes out when that is done. */
typedef struct cab_pending {
    double value;
    bool differs; /* from what the viewer has */
} cab_pending;

/* What the panel of the selected cable shows, read anew now and then. */
typedef struct cab_selected_facts {
    cab_cable_facts facts;
    int cable;    /* they are of; -1 = none */
    int frame;    /* of the world */
    double age;   /* s */
    double *rows; /* positions, velocities, tensions */
    int nodes;    /* that there is room for */
} cab_selected_facts;

typedef struct cab_panels {
    cab_ui *ui;
    cab_viewer *viewer;
    cab_ui_input input;
    struct nk_rect side; /* of no width = hidden */
    float side_height;   /* of what is in it, points */
    bool open[CAB_SECTION_COUNT];
    double seconds; /* since the last picture */

    cab_scene_list scenes;
    double scenes_age; /* s */
    cab_device_info devices[CAB_DEVICES_MOST];
    int device_count; /* 0 = not asked for yet */
    cab_pending substeps, iterations;
    cab_pending choices[CAB_CHOICES_MOST]; /* those of a study that are numbers */
    cab_selected_facts selected;

    cab_dialog dialog; /* that was open in the last picture */
    int dialog_length; /* of its text, bytes */
} cab_panels;

/* Parts of the side panel. Of all kinds of scenes: */
void cab_panel_scene(cab_panels *panels);
void cab_panel_time(cab_panels *panels);
void cab_panel_view(cab_panels *panels);
void cab_panel_look(cab_panels *panels);
/* Of cables: */
void cab_panel_changes(cab_panels *panels);
void cab_panel_selected(cab_panels *panels);
void cab_panel_simulation(cab_panels *panels);
void cab_panel_colours(cab_panels *panels);
void cab_panel_statistics(cab_panels *panels);
/* Of studies: */
void cab_panel_choices(cab_panels *panels);
void cab_panel_quantity(cab_panels *panels);
void cab_panel_lines(cab_panels *panels);

/* A row for a value and what it is. */
void cab_panel_begin_choice(cab_panels *panels, const char *what);
/* A number whose change makes something anew: not with every step of a drag, but when it is done. Returns
 * whether it is. */
bool cab_panel_pending(cab_panels *panels, const char *what, cab_pending *pending, int now, int least,
                       int most);
/* How fast all goes. */
void cab_panel_pace(cab_panels *panels);
/* With a capital letter. */
void cab_panel_name(char text[32], const char *word);

/* Windows of their own, shown when the viewer asks for them. */
void cab_panel_message(cab_panels *panels);
void cab_panel_help(cab_panels *panels);
void cab_panel_dialog(cab_panels *panels);

#endif
