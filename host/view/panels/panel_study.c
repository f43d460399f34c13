/* Side panel: what of a study can be switched, and its statistics. */

#include "view/panels/panels_inside.h"
#include "view/scale/units.h"

enum { ITEM = 22, LINE = 18 };

static void show_words(cab_panels *panels, int index, const cab_choice *choice)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    int chosen = -1;
    struct nk_rect place = nk_widget_bounds(nk);
    if (choice->from_start && nk_widget_is_hovered(nk))
        cab_ui_set_hint(panels->ui, "Switching goes back to the start", place.y + place.h / 2);
    float height = (float)(choice->count + 1) * (ITEM + nk->style.window.spacing.y);
    if (!nk_combo_begin_label(nk, choice->words[choice->now], nk_vec2(nk_widget_width(nk), height))) return;
    nk_layout_row_dynamic(nk, ITEM, 1);
    for (int i = 0; i < choice->count; i++) {
        nk_style_push_color(nk, &nk->style.contextual_button.text_normal,
                            i == choice->now ? cab_ui_dark.accent : cab_ui_dark.text);
        if (nk_combo_item_label(nk, choice->words[i], NK_TEXT_LEFT)) chosen = i;
        nk_style_pop_color(nk);
    }
    nk_combo_end(nk);
    if (chosen >= 0) cab_viewer_choose(panels->viewer, index, chosen);
}

void cab_panel_choices(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    cab_choice choice;
    if (!cab_ui_section(panels->ui, "Simulation", &panels->open[CAB_SECTION_SIMULATION])) return;
    for (int i = 0; i < CAB_CHOICES_MOST && cab_viewer_choice(v, i, &choice); i++) {
        char name[32];
        cab_write_capitalised(name, sizeof name, choice.name);
        if (choice.idle) continue;
        if (choice.count) {
            cab_panel_begin_choice(panels, name);
            show_words(panels, i, &choice);
        } else if (cab_panel_pending(panels, name, &panels->choices[i], choice.now, choice.least,
                                     choice.most)) {
            cab_viewer_choose(v, i, (int)panels->choices[i].value);
        }
    }
}

void cab_panel_lines(cab_panels *panels)
{
    const cab_viewer *v = panels->viewer;
    if (!cab_ui_section(panels->ui, "Statistics", &panels->open[CAB_SECTION_STATISTICS])) return;
    nk_layout_row_dynamic(cab_ui_context(panels->ui), LINE, 1);
    for (int i = 0; i < v->line_count; i++)
        cab_ui_label(panels->ui, CAB_FONT_SMALL, v->lines[i], NK_TEXT_LEFT, cab_ui_dark.text);
    cab_panel_pace(panels);
}
