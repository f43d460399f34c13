/* Side panel: the numbers of materials. One is unfolded at a time, found by its name where there are many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/panels/panels_inside.h"
#include "view/scale/units.h"

enum { ROW = 20, LISTED_MOST = 12, TEXT_SIZE = 64 };

/* A slider: its ends, and whether equal ways are equal factors (log), its right end means no limit. */
static const struct {
    const char *name, *unit;
    double least, most;
    bool log, unlimited;
    bool later; /* makes the world anew: not with every step of a drag, but at its end */
} sliders[CAB_MATERIAL_NUMBERS] = {
    [CAB_MATERIAL_FRICTION] = {.name = "Friction", .unit = "", .most = 2},
    [CAB_MATERIAL_DENSITY] = {.name = "Mass", .unit = "kg/m", .least = 1e-3, .most = 10, .log = true},
    [CAB_MATERIAL_STRETCHING] =
        {.name = "EA", .unit = "N", .least = 1, .most = 1e7, .log = true, .unlimited = true, .later = true},
    [CAB_MATERIAL_BENDING] =
        {.name = "EI", .unit = "N m²", .least = 1e-7, .most = 10, .log = true, .later = true},
    [CAB_MATERIAL_DAMPING] = {.name = "Damping", .unit = "1/s", .most = 20},
    [CAB_MATERIAL_DRAG] = {.name = "Air drag", .unit = "", .most = 2, .later = true},
    [CAB_MATERIAL_DRAG_ALONG] = {.name = "… along", .unit = "", .most = 0.5, .later = true},
    [CAB_MATERIAL_RADIUS] =
        {.name = "Radius", .unit = "m", .least = 5e-4, .most = 0.05, .log = true, .later = true},
};

/* Where a value is on its slider, 0 to 1, and the value there, to three digits. */
static float place_of(cab_material_number which, double value)
{
    double least = sliders[which].least, most = sliders[which].most;
    double place = sliders[which].log ? log(fmax(value, least) / least) / log(most / least)
                                      : (value - least) / (most - least);
    return (float)fmin(fmax(place, 0), 1);
}

static double value_at(cab_material_number which, float place)
{
    double least = sliders[which].least, most = sliders[which].most;
    if (sliders[which].unlimited && place >= 1) return INFINITY;
    double value = sliders[which].log ? least * pow(most / least, place) : least + place * (most - least);
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%.3g", value);
    return strtod(text, NULL);
}

static void write_value(char *text, size_t size, cab_material_number which, double value)
{
    if (!isfinite(value))
        snprintf(text, size, "stiff");
    else if (strlen(sliders[which].unit) == 1 && value != 0) /* m, N: with prefixes */
        cab_write_quantity(text, size, value, sliders[which].unit, 3);
    else
        snprintf(text, size, "%.3g %s", value, sliders[which].unit);
}

static void show_number(cab_panels *panels, int material, cab_material_number which)
{
    cab_viewer *v = panels->viewer;
    cab_pending *pending = &panels->numbers[which];
    double now = cab_viewer_material_number(cab_viewer_material(v, material), which);
    double value = pending->differs ? pending->value : now;
    float place = place_of(which, value);
    char text[TEXT_SIZE];
    cab_ui_row(panels->ui, ROW, 3, (float[]){58, 0, 72});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, sliders[which].name, NK_TEXT_LEFT, cab_ui_dark.faint);
    if (cab_ui_slider(panels->ui, &place)) *pending = (cab_pending){value_at(which, place), true};
    write_value(text, sizeof text, which, value);
    cab_ui_label(panels->ui, CAB_FONT_SMALL, text, NK_TEXT_RIGHT, cab_ui_dark.text);
    bool busy = sliders[which].later && cab_ui_context(panels->ui)->input.mouse.buttons[NK_BUTTON_LEFT].down;
    if (!pending->differs || busy) return;
    pending->differs = false;
    if (pending->value != now) cab_viewer_set_material(v, material, which, pending->value);
}

static bool is_listed(const cab_panels *panels, const char *name)
{
    if (!panels->filter_length) return true;
    char part[CAB_FILTER_SIZE];
    snprintf(part, sizeof part, "%.*s", panels->filter_length, panels->filter);
    return strstr(name, part) != NULL;
}

static void show_filter(cab_panels *panels)
{
    cab_ui_row(panels->ui, 24, 2, (float[]){58, 0});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, "Filter", NK_TEXT_LEFT, cab_ui_dark.faint);
    nk_edit_string(cab_ui_context(panels->ui), NK_EDIT_FIELD, panels->filter, &panels->filter_length,
                   CAB_FILTER_SIZE, nk_filter_default);
}

void cab_panel_materials(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    if (!cab_ui_section(panels->ui, "Materials", &panels->open[CAB_SECTION_MATERIALS])) return;
    int count = cab_viewer_material_count(v), listed = 0;
    if (panels->material >= count) panels->material = -1;
    if (count > LISTED_MOST) show_filter(panels);
    for (int i = 0; i < count; i++) {
        const char *name = cab_viewer_material(v, i)->name;
        if (!is_listed(panels, name) || listed++ >= LISTED_MOST) continue;
        nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW + 2, 1);
        if (cab_ui_chip(panels->ui, name, i == panels->material, NULL)) {
            panels->material = i == panels->material ? -1 : i;
            memset(panels->numbers, 0, sizeof panels->numbers);
        }
        for (int k = 0; k < CAB_MATERIAL_NUMBERS && i == panels->material; k++)
            show_number(panels, i, (cab_material_number)k);
    }
    char more[TEXT_SIZE];
    if (listed <= LISTED_MOST) return;
    snprintf(more, sizeof more, "and %d more: filter by name", listed - LISTED_MOST);
    nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW, 1);
    cab_ui_label(panels->ui, CAB_FONT_SMALL, more, NK_TEXT_LEFT, cab_ui_dark.faint);
}
