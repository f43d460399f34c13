/* Side panel: the selected cable, and how fast all goes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/panels_inside.h"
#include "view/units.h"

enum { TEXT_SIZE = 64 };

/* While it plays the facts are read so often, s: reading waits for the device. */
static const double facts_every = 0.2;

static bool make_room(cab_selected_facts *s, int nodes)
{
    if (nodes <= s->nodes) return true;
    free(s->position);
    free(s->velocity);
    free(s->tension);
    s->position = malloc(3 * (size_t)nodes * sizeof *s->position);
    s->velocity = malloc(3 * (size_t)nodes * sizeof *s->velocity);
    s->tension = malloc((size_t)nodes * sizeof *s->tension);
    s->nodes = s->position && s->velocity && s->tension ? nodes : 0;
    return s->nodes > 0;
}

/* False when there is nothing to show. */
static bool read_facts(cab_panels *panels, const cab_cable_info *cable)
{
    cab_viewer *v = panels->viewer;
    cab_selected_facts *s = &panels->selected;
    cab_error error;
    s->age += panels->seconds;
    bool same = s->cable == v->selected && s->frame == v->info.frame;
    bool fresh = s->cable == v->selected && s->age < facts_every && v->playing;
    if (same || fresh) return true;
    s->cable = -1;
    if (v->failed || !make_room(s, v->info.nodes)) return false;
    if (cab_world_read(v->world, s->position, s->velocity, s->tension, &error)) return false;
    s->facts = cab_cable_look(cable, s->position, s->velocity, s->tension);
    s->cable = v->selected;
    s->frame = v->info.frame;
    s->age = 0;
    return true;
}

static void show_quantity(cab_panels *panels, const char *what, double value, const char *unit)
{
    char text[TEXT_SIZE];
    cab_write_quantity(text, sizeof text, value, unit, 3);
    cab_ui_fact(panels->ui, what, text);
}

static void show_radius(cab_panels *panels, double radius, double limit)
{
    char text[TEXT_SIZE], least[TEXT_SIZE], both[2 * TEXT_SIZE + 20];
    cab_write_quantity(text, sizeof text, radius, "m", 3);
    if (limit <= 0) {
        cab_ui_fact(panels->ui, "Smallest bend radius", isfinite(radius) ? text : "straight");
        return;
    }
    cab_write_quantity(least, sizeof least, limit, "m", 3);
    snprintf(both, sizeof both, "%s, limit %s", isfinite(radius) ? text : "straight", least);
    cab_ui_fact_coloured(panels->ui, "Bend radius", both, radius < limit ? cab_ui_dark.error : cab_ui_dark.text);
}

void cab_panel_selected(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    if (v->selected < 0) return;
    if (!cab_ui_section(panels->ui, "Selected cable", &panels->open[CAB_SECTION_SELECTED])) return;
    cab_cable_info cable = cab_world_get_cable(v->world, v->selected);
    const cab_material_def *material = cab_viewer_material(v, cable.material);
    cab_ui_fact(panels->ui, "Name", cable.name);
    cab_ui_fact(panels->ui, "Material", material->name);
    show_quantity(panels, "Length", cable.length, "m");
    show_quantity(panels, "Diameter", 2 * cable.radius, "m");
    if (!read_facts(panels, &cable)) return;
    const cab_cable_facts *f = &panels->selected.facts;
    show_quantity(panels, "Largest tension", f->tension_max, "N");
    show_quantity(panels, "Tension at its start", f->tension_end, "N");
    show_radius(panels, f->bend_radius, material->min_bend_radius);
    show_quantity(panels, "Largest speed", f->speed, "m/s");
}

static void show_count(cab_panels *panels, const char *what, long count)
{
    char text[TEXT_SIZE];
    if (count >= 10000) snprintf(text, sizeof text, "%ld %03ld", count / 1000, count % 1000);
    else snprintf(text, sizeof text, "%ld", count);
    cab_ui_fact(panels->ui, what, text);
}

void cab_panel_statistics(cab_panels *panels)
{
    const cab_viewer *v = panels->viewer;
    if (!cab_ui_section(panels->ui, "Statistics", &panels->open[CAB_SECTION_STATISTICS])) return;
    char text[TEXT_SIZE];
    show_count(panels, "Cables", v->info.cables);
    if (v->info.sheets) show_count(panels, "Sheets", v->info.sheets);
    show_count(panels, "Particles", v->info.particles);
    show_count(panels, "Contacts", v->measures.contacts);
    snprintf(text, sizeof text, "%.3g %%", 100 * v->measures.stretch_max);
    cab_ui_fact(panels->ui, "Largest stretch", text);
    snprintf(text, sizeof text, "%.1f ms", 1e3 * v->step_time);
    cab_ui_fact(panels->ui, "Simulating a frame", text);
    snprintf(text, sizeof text, "%.2f×", v->pace);
    cab_ui_fact(panels->ui, "Real time", v->playing ? text : "paused");
    cab_ui_fact(panels->ui, "Shared with OpenGL", cab_world_shares_gl(v->world) ? "yes" : "no, copied");
}
