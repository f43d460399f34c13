#include "view/panels/panels.h"

#include <math.h>
#include <stdlib.h>

#include <glad/gl.h>

#include "base/array.h"
#include "base/path.h"
#include "library/glfw.h"
#include "view/ui/legend.h"
#include "view/panels/panels_inside.h"

/* Lengths in points. */
static const float side_width = 270, side_edge = 10;
/* s between two readings of the scenes' folders */
static const double scenes_every = 2;

cab_status cab_panels_create(cab_panels **panels, cab_error *error)
{
    cab_panels *made = calloc(1, sizeof *made);
    if (!made) return cab_fail_memory(error, "panels", sizeof *made);
    for (int i = 0; i < CAB_SECTION_COUNT; i++)
        made->open[i] = i != CAB_SECTION_VIEW && i != CAB_SECTION_LOOK && i != CAB_SECTION_MATERIALS &&
                        i != CAB_SECTION_PLOTS;
    made->material = -1;
    made->selected.cable = -1;
    made->scenes_age = scenes_every;
    *panels = made;
    return CAB_OK;
}

void cab_panels_destroy(cab_panels *panels)
{
    if (!panels) return;
    cab_scene_list_free(&panels->scenes);
    CAB_FREE(panels->selected.rows, panels);
}

void cab_panels_open(cab_panels *panels, cab_section section, bool open)
{
    panels->open[section] = open;
}

struct nk_rect cab_panels_side(const cab_panels *panels)
{
    return panels->side;
}

cab_ui *cab_panels_ui(cab_panels *panels)
{
    return panels->ui;
}

static cab_status start(void *user, cab_viewer *viewer, float scale, cab_error *error)
{
    cab_panels *panels = user;
    panels->viewer = viewer;
    viewer->covered = viewer->show_panels ? (side_edge + side_width) * scale : 0;
    cab_status status = cab_ui_create(&panels->ui, error);
    /* as input may come before the first picture */
    return status ? status : cab_ui_begin(panels->ui, 1, 1, scale, error);
}

static void stop(void *user)
{
    cab_panels *panels = user;
    cab_ui_destroy(panels->ui);
    panels->ui = NULL;
}

static void begin_input(void *user)
{
    cab_panels *panels = user;
    cab_ui_input_begin(panels->ui, &panels->input);
}

/* s; how long a message stays. An error stays until it is closed. */
static const double message_time = 5;

static void end_input(void *user)
{
    cab_panels *panels = user;
    cab_viewer *v = panels->viewer;
    if (v->message[0] && !v->message_is_error && v->message_age > message_time) {
        v->message[0] = 0;
        v->changed = true;
    }
    cab_ui_input_end(panels->ui);
}

static bool input(void *user, const cab_input *event)
{
    cab_panels *panels = user;
    cab_viewer *v = panels->viewer;
    bool was_over = cab_ui_is_over(panels->ui),
         escape = event->kind == CAB_INPUT_KEY && event->down && event->code == GLFW_KEY_ESCAPE;
    if (escape && v->dialog) {
        v->dialog = CAB_DIALOG_NONE;
        cab_ui_stop_writing(panels->ui);
        return v->changed = true;
    }
    bool ours = cab_ui_take_input(panels->ui, &panels->input, event);
    if (ours || was_over)
        v->changed = true; /* also when the mouse has just left a widget, which was highlighted */
    return ours;
}

typedef void part(cab_panels *panels);

/* The parts of the side panel, from above. */
static part *const of_cables[] = {cab_panel_scene,     cab_panel_changes,    cab_panel_time,
                                  cab_panel_selected,  cab_panel_plots,      cab_panel_simulation,
                                  cab_panel_materials, cab_panel_colours,    cab_panel_view,
                                  cab_panel_look,      cab_panel_statistics, NULL};
static part *const of_study[] = {cab_panel_scene, cab_panel_time, cab_panel_choices, cab_panel_quantity,
                                 cab_panel_view,  cab_panel_look, cab_panel_lines,   NULL};

/* The side panel is as high as its content, as long as that fits. */
static void show_side(cab_panels *panels)
{
    struct nk_context *nk = cab_ui_context(panels->ui);
    struct nk_vec2 size = cab_ui_size(panels->ui);
    float most = size.y - 2 * side_edge, bar = nk->style.window.scrollbar_size.x;
    bool fits = panels->side_height <= most;
    float width = side_width + (fits ? 0 : bar), height = fits ? panels->side_height : most;
    if (panels->side_height <= 0) height = most; /* not known before the first picture */
    panels->side = nk_rect(side_edge, side_edge, fminf(width, size.x - 2 * side_edge), height);
    if (cab_ui_begin_window(panels->ui, "side", panels->side, fits ? NK_WINDOW_NO_SCROLLBAR : 0, false)) {
        part *const *parts = panels->viewer->study ? of_study : of_cables;
        for (int i = 0; parts[i]; i++) parts[i](panels);
        nk_layout_row_dynamic(nk, 2, 1);
        struct nk_rect last = nk_widget_bounds(nk);
        float scrolled = (float)*nk->current->layout->offset_y;
        float content = last.y + scrolled - panels->side.y + 14;
        if (fabsf(content - panels->side_height) > 0.5f) panels->viewer->changed = true;
        panels->side_height = content;
    }
    nk_end(nk);
}

static void show_legend(cab_panels *panels)
{
    cab_viewer *v = panels->viewer;
    struct nk_vec2 size = cab_ui_size(panels->ui);
    float left = panels->side.w > 0 ? panels->side.x + panels->side.w : 0;
    char title[300];
    cab_path_stem(v->path, title, sizeof title);
    cab_legend legend = {
        .subject = &v->subject,
        .look = &v->look,
        .camera = &v->camera,
        .title = title,
        .area = nk_rect(left, 0, size.x - left, size.y),
        .covered = panels->message_end,
        .dark = true,
    };
    cab_renderer_range(v->renderer, &legend.lowest, &legend.highest);
    if (legend.area.w > 0) cab_legend_add(&legend, panels->ui);
}

static void follow_folders(cab_panels *panels)
{
    panels->scenes_age += panels->seconds;
    if (panels->scenes_age < scenes_every) return;
    panels->scenes_age = 0;
    cab_scene_list_fill(&panels->scenes, panels->viewer->path);
}

static cab_status draw(void *user, const cab_layer_frame *frame, cab_error *error)
{
    cab_panels *panels = user;
    cab_viewer *v = panels->viewer;
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    panels->seconds = frame->seconds;
    cab_status status = cab_ui_begin(panels->ui, frame->width, frame->height, frame->scale, error);
    if (status) return status;
    panels->side.w = 0;
    if (v->show_panels) {
        follow_folders(panels);
        show_side(panels);
    }
    v->covered = (panels->side.x + panels->side.w) * (v->show_panels ? frame->scale : 0);
    cab_panel_message(panels); /* before the legend, which makes way */
    show_legend(panels);
    cab_panel_help(panels);
    cab_panel_dialog(panels);
    cab_ui_show_hint(panels->ui, panels->side.x + panels->side.w);
    panels->input.drawn = true;
    if (panels->input.late) v->changed = true;
    return cab_ui_draw(panels->ui, (unsigned)framebuffer, error);
}

cab_layer cab_panels_layer(cab_panels *panels)
{
    return (cab_layer){panels, start, begin_input, end_input, input, draw, stop};
}
