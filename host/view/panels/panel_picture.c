/* Side panel: colours, the camera, how the picture looks. */
#include <math.h>

#include "view/panels/panels_inside.h"
#include "view/scale/units.h"

enum { ROW = 24 };

/* A chip that makes colours show this. */
static void show_paint(cab_panels *panels, const char *word, cab_paint paint, cab_quantity quantity)
{
    cab_look look = panels->viewer->look;
    char name[32];
    cab_write_capitalised(name, sizeof name, word);
    bool on = look.quantity == quantity && (quantity || panels->viewer->study || look.paint == paint);
    if (!cab_ui_chip(panels->ui, name, on, NULL)) return;
    look.paint = quantity ? look.paint : paint;
    look.quantity = quantity;
    look.lowest = look.highest = 0;
    cab_viewer_set_look(panels->viewer, &look);
}

/* A field for one end of the range, in the legend's unit. True when it was changed. */
static bool show_end(cab_panels *panels, const char *what, float *value, const cab_unit *unit)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    cab_ui_row(panels->ui, ROW, 3, (float[]){44, 0, 40});
    cab_ui_label(panels->ui, CAB_FONT_SMALL, what, NK_TEXT_LEFT, cab_ui_dark.faint);
    double shown = *value / unit->factor, before = shown;
    nk_property_double(nk, "#", -1e6, &shown, 1e6, 1, 0.5f);
    cab_ui_label(panels->ui, CAB_FONT_SMALL, unit->text, NK_TEXT_LEFT, cab_ui_dark.faint);
    if (fabs(shown - before) > 1e-9 * fabs(before)) *value = (float)(shown * unit->factor);
    return *value != (float)(before * unit->factor);
}

static void show_range(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_context *nk = cab_ui_context(panels->ui);
    cab_look look = v->look;
    bool fixed = cab_look_has_range(&look);
    nk_layout_row_dynamic(nk, ROW, 2);
    if (cab_ui_chip(panels->ui, "Automatic", !fixed, "The range follows the values")) {
        look.lowest = look.highest = 0;
        cab_viewer_set_look(v, &look);
        return;
    }
    if (cab_ui_chip(panels->ui, "Fixed", fixed, "A range that you set") && !fixed) {
        cab_renderer_range(v->renderer, &look.lowest, &look.highest);
        if (!(cab_look_has_range(&look))) look.highest = look.lowest + 1;
        cab_viewer_set_look(v, &look);
    }
    if (!fixed) return;
    cab_unit unit =
        cab_unit_choose(fmax(fabs(look.lowest), fabs(look.highest)), cab_quantity_unit(look.quantity));
    bool changed = show_end(panels, "From", &look.lowest, &unit);
    if (show_end(panels, "to", &look.highest, &unit) || changed) {
        if (cab_look_has_range(&look)) cab_viewer_set_look(v, &look);
    }
}

void cab_panel_colours(cab_panels *panels)
{
    if (!cab_ui_section(panels->ui, "Colours", &panels->open[CAB_SECTION_COLOURS])) return;
    nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW, 2);
    show_paint(panels, "cable", CAB_PAINT_CABLE, CAB_QUANTITY_NONE);
    show_paint(panels, "material", CAB_PAINT_MATERIAL, CAB_QUANTITY_NONE);
    for (int i = CAB_QUANTITY_NONE + 1; i < CAB_QUANTITY_COUNT; i++)
        show_paint(panels, cab_quantity_name((cab_quantity)i), CAB_PAINT_CABLE, (cab_quantity)i);
    if (panels->viewer->look.quantity != CAB_QUANTITY_NONE) show_range(panels);
}

/* For a study: whether colours show what things are, or the quantity that it has. */
void cab_panel_quantity(cab_panels *panels)
{
    cab_quantity quantity = panels->viewer->study->drawing->quantity;
    if (!quantity || !cab_ui_section(panels->ui, "Colours", &panels->open[CAB_SECTION_COLOURS])) return;
    nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW, 2);
    show_paint(panels, "cable", CAB_PAINT_CABLE, CAB_QUANTITY_NONE);
    show_paint(panels, cab_quantity_name(quantity), CAB_PAINT_CABLE, quantity);
    if (panels->viewer->look.quantity != CAB_QUANTITY_NONE) show_range(panels);
}

void cab_panel_view(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_context *nk = cab_ui_context(panels->ui);
    if (!cab_ui_section(panels->ui, "View", &panels->open[CAB_SECTION_VIEW])) return;
    nk_layout_row_dynamic(nk, ROW, 4);
    for (int i = 0; cab_camera_view_name(i); i++) {
        char name[32];
        cab_write_capitalised(name, sizeof name, cab_camera_view_name(i));
        if (cab_ui_chip(panels->ui, name, false, NULL)) cab_viewer_set_view(v, cab_camera_view_name(i));
    }
    if (cab_ui_chip(panels->ui, "Ortho", v->camera.orthographic, "Parallel lines stay parallel")) {
        v->camera.orthographic = !v->camera.orthographic;
        v->changed = true;
    }
    nk_layout_row_dynamic(nk, ROW, v->study ? 1 : 2);
    if (cab_ui_chip(panels->ui, "Show all", false, NULL)) cab_viewer_fit(v);
    if (!v->study && cab_ui_chip(panels->ui, "Show selected", false, NULL)) cab_viewer_fit_selected(v);
}

static bool show_qualities(cab_panels *panels, cab_look *look)
{
    static const char *const hints[CAB_QUALITY_COUNT] = {"For slow machines", "Soft shadows, smooth edges",
                                                         "Each pixel made of four"};
    bool changed = false;
    nk_layout_row_dynamic(cab_ui_context(panels->ui), ROW, CAB_QUALITY_COUNT);
    for (int i = 0; i < CAB_QUALITY_COUNT; i++) {
        char name[32];
        cab_write_capitalised(name, sizeof name, cab_quality_name(i));
        if (!cab_ui_chip(panels->ui, name, (int)look->quality == i, hints[i])) continue;
        cab_look_set_quality(look, (cab_quality)i);
        changed = true;
    }
    return changed;
}

/* Switches shadows off, or on as the quality has them. */
static bool show_shadows(cab_panels *panels, cab_look *look)
{
    bool on = look->shadow_size > 0;
    if (!cab_ui_chip(panels->ui, "Shadows", on, NULL)) return false;
    cab_look whole = *look;
    cab_look_set_quality(&whole, look->quality);
    look->shadow_size = on ? 0 : whole.shadow_size;
    return true;
}

/* A switch; true when it was clicked, which has changed the value. */
static bool show_switch(cab_panels *panels, const char *text, bool *now, const char *hint)
{
    if (!cab_ui_chip(panels->ui, text, *now, hint)) return false;
    *now = !*now;
    return true;
}

static bool show_stripe(cab_panels *panels, cab_look *look)
{
    bool on = cab_viewer_has_stripes(panels->viewer);
    if (!show_switch(panels, "Stripe", &on, "How cables that resist twisting are rolled")) return false;
    look->stripe = on ? CAB_STRIPE_ON : CAB_STRIPE_OFF;
    return true;
}

static bool show_background(cab_panels *panels, const char *text, cab_look *look, cab_background background)
{
    if (!cab_ui_chip(panels->ui, text, look->background == background, NULL)) return false;
    look->background = background;
    return true;
}

void cab_panel_look(cab_panels *panels)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    if (!cab_ui_section(panels->ui, "Look", &panels->open[CAB_SECTION_LOOK])) return;
    cab_look look = panels->viewer->look;
    nk_layout_row_dynamic(nk, ROW, 2);
    bool changed = show_background(panels, "Light", &look, CAB_BACKGROUND_LIGHT);
    changed |= show_background(panels, "Dark", &look, CAB_BACKGROUND_DARK);
    bool study = panels->viewer->study;
    nk_layout_row_dynamic(nk, ROW, study ? 2 : 4);
    changed |= show_switch(panels, "Grid", &look.grid, study ? "Lines behind" : "Lines on the ground");
    if (!study) changed |= show_switch(panels, "Marks", &look.marks, "What is held, joined, loaded, broken");
    changed |= show_shadows(panels, &look);
    if (!study) changed |= show_stripe(panels, &look);
    changed |= show_qualities(panels, &look);
    if (changed) cab_viewer_set_look(panels->viewer, &look);
}
