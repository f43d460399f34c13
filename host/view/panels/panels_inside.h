/* What the files of the panels share: their state, and the parts that panels.c puts together. */
#ifndef CAB_PANELS_INSIDE_H
#define CAB_PANELS_INSIDE_H

#include "world/facts.h"
#include "view/panels/section.h"
#include "view/panels/scene_list.h"
#include "view/panels/ui_input.h"
#include "view/ui/ui_widgets.h"

enum { CAB_DEVICES_MOST = 16, CAB_CHOICES_MOST = 16, CAB_FILTER_SIZE = 64 };

/* A number that is being dragged or typed. The viewer's command is called when the user is done. */
typedef struct cab_pending {
    double value;
    bool differs; /* from the viewer's value */
} cab_pending;

/* What the side panel shows of the selected cable; it is read anew several times a second. */
typedef struct cab_selected_facts {
    cab_cable_facts facts;
    int cable;    /* whose facts these are; -1 = none */
    int frame;    /* of the world, when they were read */
    double age;   /* s */
    double *rows; /* room for positions, velocities and tensions of `nodes` nodes */
    int nodes;
} cab_selected_facts;

typedef struct cab_panels {
    cab_ui *ui;
    cab_viewer *viewer;
    cab_ui_input input;
    struct nk_rect side; /* where the side panel is, points; of no width = hidden */
    float side_height;   /* of its content, points */
    float message_end;   /* the lower edge of the message line, points; 0 = there is none */
    bool open[CAB_SECTION_COUNT];
    double seconds; /* since the last picture */

    cab_scene_list scenes;
    double scenes_age; /* s */
    cab_device_info devices[CAB_DEVICES_MOST];
    int device_count; /* 0 = not asked for yet */
    cab_pending substeps, iterations;
    cab_pending choices[CAB_CHOICES_MOST]; /* of a study; only those that are numbers */
    cab_selected_facts selected;
    char filter[CAB_FILTER_SIZE];              /* only materials with this text in their names are listed */
    int filter_length;                         /* bytes */
    int material;                              /* whose numbers are shown; -1 = none's */
    cab_pending numbers[CAB_MATERIAL_NUMBERS]; /* of it, that are being dragged */

    int traced; /* places that were plotted in the last picture */

    cab_dialog dialog; /* the one that was open in the last picture */
    int dialog_length; /* of the text in it, bytes */
} cab_panels;

/* Parts of the side panel. For all kinds of scenes: */
void cab_panel_scene(cab_panels *panels);
void cab_panel_time(cab_panels *panels);
void cab_panel_view(cab_panels *panels);
void cab_panel_look(cab_panels *panels);
/* For cables: */
void cab_panel_changes(cab_panels *panels);
void cab_panel_selected(cab_panels *panels);
void cab_panel_plots(cab_panels *panels);
void cab_panel_simulation(cab_panels *panels);
void cab_panel_materials(cab_panels *panels);
void cab_panel_colours(cab_panels *panels);
void cab_panel_statistics(cab_panels *panels);
/* For studies: */
void cab_panel_choices(cab_panels *panels);
void cab_panel_quantity(cab_panels *panels);
void cab_panel_lines(cab_panels *panels);

/* Begins a row with the name of a value; the value's widget comes next. */
void cab_panel_begin_choice(cab_panels *panels, const char *what);
/* A number with its name, whose change makes something anew: not with every step of a drag, but at its end.
 * Returns true when the user is done and the number has changed; it is in `pending` then. */
bool cab_panel_pending(cab_panels *panels, const char *what, cab_pending *pending, int now, int least,
                       int most);
/* Rows that show how fast the simulation is. */
void cab_panel_pace(cab_panels *panels);

/* Windows of their own, which are shown when the viewer's fields say so. */
void cab_panel_message(cab_panels *panels);
void cab_panel_help(cab_panels *panels);
void cab_panel_dialog(cab_panels *panels);

#endif
