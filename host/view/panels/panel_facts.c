/* Side panel: the selected cable, and statistics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/scene.h"
#include "view/panels/panels_inside.h"
#include "view/scale/units.h"

enum { TEXT_SIZE = 64 };

/* s between two readings of the facts while playing; reading waits for the device. */
static const double facts_every = 0.2;

static bool make_room(cab_selected_facts *s, int nodes)
{
    if (nodes <= s->nodes) return true;
    free(s->rows);
    s->rows = malloc(7 * (size_t)nodes * sizeof *s->rows);
    s->nodes = s->rows ? nodes : 0;
    return s->nodes > 0;
}

/* Reads the facts of the selected cable when they are old; false when there is nothing to show. */
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
    size_t nodes = (size_t)v->info.nodes;
    double *position = s->rows, *velocity = position + 3 * nodes, *tension = velocity + 3 * nodes;
    if (cab_world_read(v->world, position, velocity, tension, &error)) return false;
    cab_facts_of(cable, position, velocity, tension, cab_scene_settings(v->scene)->gravity, &s->facts);
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

static void show_radius(cab_panels *panels, const cab_cable_facts *facts, double limit)
{
    char text[TEXT_SIZE] = "straight", least[TEXT_SIZE];
    bool bent_too_far = facts->bend_radius < limit;
    if (isfinite(facts->bend_radius)) cab_write_quantity(text, sizeof text, facts->bend_radius, "m", 3);
    cab_ui_fact_coloured(panels->ui, "Smallest bend radius", text,
                         bent_too_far ? cab_ui_dark.error : cab_ui_dark.text);
    if (limit <= 0) return;
    cab_write_quantity(least, sizeof least, limit, "m", 3);
    cab_ui_fact(panels->ui, bent_too_far ? "Its limit, not kept" : "Its limit", least);
}

static void show_stretch(cab_panels *panels, const char *what, double stretch)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%.3f %%", 100 * stretch);
    cab_ui_fact(panels->ui, what, text);
}

void cab_panel_selected(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    if (v->selected < 0) return;
    if (!cab_ui_section(panels->ui, "Selected cable", &panels->open[CAB_SECTION_SELECTED])) return;
    cab_cable_info cable = cab_world_get_cable(v->world, v->selected);
    if (!read_facts(panels, &cable)) return;
    const cab_cable_facts *f = &panels->selected.facts;
    const cab_material_def *material = &v->scene->materials[cable.material];
    cab_ui_fact(panels->ui, "Name", cable.name);
    cab_ui_fact(panels->ui, "Material", material->name);
    show_quantity(panels, "Length", f->rest_length, "m");
    show_quantity(panels, "Diameter", 2 * cable.radius, "m");
    show_quantity(panels, "Largest tension", f->tension, "N");
    show_radius(panels, f, material->min_bend_radius);
}

static void show_count(cab_panels *panels, const char *what, long count)
{
    char text[TEXT_SIZE];
    if (count >= 10000)
        snprintf(text, sizeof text, "%ld %03ld", count / 1000, count % 1000);
    else
        snprintf(text, sizeof text, "%ld", count);
    cab_ui_fact(panels->ui, what, text);
}

void cab_panel_pace(cab_panels *panels)
{
    const cab_viewer *v = panels->viewer;
    char text[TEXT_SIZE];
    cab_write_quantity(text, sizeof text, v->step_time > 0 ? v->step_time : NAN, "s", 2);
    cab_ui_fact(panels->ui, "Simulating a frame", text);
    cab_write_quantity(text, sizeof text, v->draw_time > 0 ? v->draw_time : NAN, "s", 2);
    cab_ui_fact(panels->ui, "Drawing a picture", text);
    snprintf(text, sizeof text, "%.0f", v->picture_rate);
    cab_ui_fact(panels->ui, "Pictures a second", v->playing && v->picture_rate > 0 ? text : "–");
    snprintf(text, sizeof text, "%.2f×", v->pace);
    cab_ui_fact(panels->ui, "Real time", v->playing ? text : "paused");
}

void cab_panel_statistics(cab_panels *panels)
{
    const cab_viewer *v = panels->viewer;
    if (!cab_ui_section(panels->ui, "Statistics", &panels->open[CAB_SECTION_STATISTICS])) return;
    cab_ui_fact(panels->ui, "Device", v->info.device.name);
    cab_ui_fact(panels->ui, "Way", cab_way_name(v->info.way));
    show_count(panels, "Cables", v->info.cables);
    if (v->info.sheets) show_count(panels, "Sheets", v->info.sheets);
    show_count(panels, "Particles", v->info.particles);
    show_count(panels, "Contacts", v->measures.contacts);
    show_stretch(panels, "Largest stretch", v->measures.stretch_max);
    if (v->warnings) show_count(panels, "Warnings", v->warnings);
    cab_panel_pace(panels);
    cab_ui_fact(panels->ui, "Shared with OpenGL", cab_world_shares_gl(v->world) ? "yes" : "no, copied");
}
