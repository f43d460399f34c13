#include "view/ui/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/scale/colour.h"
#include "view/draw/overlay.h"
#include "view/scale/units.h"
#include "view/ui/ui_widgets.h"

/* Lengths in points. */
static const float margin = 14; /* between the cards and the picture's edge */
static const float inset = 11;  /* between a card's edge and what is on it */
static const float bar_width = 12, bar_least = 50, bar_most = 200;
static const float scale_most = 120; /* of the scale bar */

enum { NAME_ROWS = 12, TICKS = 10 };

/* What all parts of a legend are drawn with. */
typedef struct pen {
    const cab_legend *legend;
    struct nk_command_buffer *canvas;
    const cab_ui_colours *colours;
    const struct nk_user_font *text, *small;
    struct nk_rect area;
    struct nk_rect caption; /* where that is; of no width = nowhere */
} pen;

/* The rectangle behind a part of the legend. False where there is no room for it. */
static bool card(const pen *p, struct nk_rect place)
{
    if (place.w + 2 * margin > p->area.w || place.h + 2 * margin > p->area.h) return false;
    if (place.y < p->area.y + p->legend->covered) return false;
    struct nk_color colour = p->colours->card;
    /* opaque, as it is not known what the picture will be laid over */
    if (p->legend->look->background == CAB_BACKGROUND_TRANSPARENT) colour.a = 255;
    nk_fill_rect(p->canvas, place, 5, colour);
    return true;
}

/* In the lower right corner; above the caption where there is no room beside it. */
static struct nk_rect lower_right(const pen *p, float w, float h)
{
    struct nk_rect place =
        nk_rect(p->area.x + p->area.w - margin - w, p->area.y + p->area.h - margin - h, w, h);
    if (p->caption.w > 0 && place.x < p->caption.x + p->caption.w + margin)
        place.y = p->caption.y - margin - h;
    return place;
}

/* Slices that blend from one colour to the next, as the colours on the cables do. */
static void draw_bar(const pen *p, struct nk_rect bar)
{
    enum { SLICES = 32 };
    unsigned char map[CAB_MAP_SIZE][4];
    cab_colour_map(map);
    float top = bar.y + bar.h;
    for (int i = 0; i < SLICES; i++) {
        float next = roundf(bar.y + bar.h * (float)(SLICES - 1 - i) / SLICES);
        const unsigned char *from = map[i * (CAB_MAP_SIZE - 1) / SLICES];
        const unsigned char *to = map[(i + 1) * (CAB_MAP_SIZE - 1) / SLICES];
        struct nk_color low = nk_rgb(from[0], from[1], from[2]), high = nk_rgb(to[0], to[1], to[2]);
        /* what Nuklear calls left, top, right, bottom are the corners, clockwise from the upper left one */
        nk_fill_rect_multi_color(p->canvas, nk_rect(bar.x, next, bar.w, top - next), high, high, low, low);
        top = next;
    }
}

/* The values at the ends of the colour map: fixed by the look, or those of the renderer. */
static void ends(const cab_legend *legend, double *lowest, double *highest)
{
    bool fixed = cab_look_has_range(legend->look);
    *lowest = fixed ? legend->look->lowest : legend->lowest;
    *highest = fixed ? legend->look->highest : legend->highest;
}

static void draw_quantity(const pen *p)
{
    const cab_legend *legend = p->legend;
    double lowest, highest;
    ends(legend, &lowest, &highest);
    float line = p->small->height;
    float height = fminf(roundf(p->area.h * 0.3f), bar_most);
    if (height < bar_least) return;
    int most = (int)(height / (line + 5)) + 1;
    cab_unit unit =
        cab_unit_choose(fmax(fabs(lowest), fabs(highest)), cab_quantity_unit(legend->look->quantity));
    cab_ticks ticks =
        cab_ticks_make(lowest / unit.factor, highest / unit.factor, most < TICKS ? most : TICKS);

    char title[40], texts[TICKS][32];
    cab_write_capitalised(title, sizeof title, cab_quantity_name(legend->look->quantity));
    float title_width = cab_ui_width(p->text, title) + 6 + cab_ui_width(p->small, unit.text), widest = 0;
    for (int i = 0; i < ticks.count; i++) {
        cab_write_number(texts[i], sizeof texts[i], cab_tick(&ticks, i), ticks.step);
        widest = fmaxf(widest, cab_ui_width(p->small, texts[i]));
    }
    float w = 2 * inset + fmaxf(title_width, bar_width + 12 + widest);
    float head = p->text->height + 10 + roundf(line / 2);
    struct nk_rect all = lower_right(p, w, inset + head + height + roundf(line / 2) + inset - 3);
    if (!card(p, all)) return;
    cab_ui_write(p->canvas, p->text, all.x + inset, all.y + inset, title, p->colours->text);
    cab_ui_write(p->canvas, p->small, all.x + inset + cab_ui_width(p->text, title) + 6, all.y + inset + 2,
                 unit.text, p->colours->faint);
    struct nk_rect bar = nk_rect(roundf(all.x + inset), roundf(all.y + inset + head), bar_width, height);
    draw_bar(p, bar);
    for (int i = 0; i < ticks.count; i++) {
        double length = highest - lowest;
        float part = length > 0 ? (float)((cab_tick(&ticks, i) * unit.factor - lowest) / length) : 0;
        float y = roundf(bar.y + bar.h * (1 - part));
        float mark = fminf(y, bar.y + bar.h - 1);
        nk_fill_rect(p->canvas, nk_rect(bar.x + bar.w + 2, mark, 4, 1), 0, p->colours->faint);
        cab_ui_write(p->canvas, p->small, bar.x + bar.w + 10, y - roundf(line / 2), texts[i],
                     p->colours->text);
    }
}

/* Names beside their colours, in the upper or lower right corner. With many cables several have the same
 * colour, so names would not help. */
static void draw_names(const pen *p, bool above)
{
    const float box = 11, row = p->small->height + 5, widest_allowed = fminf(180, p->area.w * 0.4f);
    const cab_subject *subject = p->legend->subject;
    cab_paint paint = p->legend->look->paint;
    int count = subject->kind->name_count(subject->self, paint),
        fit = (int)((p->area.h * 0.6f - 2 * inset) / row);
    int rows = fit < NAME_ROWS ? fit : NAME_ROWS;
    if (count > rows && paint == CAB_PAINT_CABLE) return;
    if (count < 1 || rows < 2) return;
    int shown = count > rows ? rows - 1 : count;
    char texts[NAME_ROWS][CAB_NAME_SIZE];
    unsigned char rgba[NAME_ROWS][4];
    float widest = 0;
    for (int i = 0; i < shown; i++) subject->kind->name(subject->self, paint, i, texts[i], rgba[i]);
    if (shown < count) snprintf(texts[shown], sizeof texts[shown], "and %d more", count - shown);
    int lines = shown < count ? shown + 1 : shown;
    for (int i = 0; i < lines; i++) {
        cab_ui_shorten(p->small, texts[i], sizeof texts[i], widest_allowed);
        widest = fmaxf(widest, cab_ui_width(p->small, texts[i]));
    }
    struct nk_rect all = lower_right(p, 2 * inset + box + 8 + widest, 2 * inset - 5 + row * (float)lines);
    if (above) all.y = p->area.y + margin;
    if (!card(p, all)) return;
    for (int i = 0; i < lines; i++) {
        float y = all.y + inset + row * (float)i;
        if (i < shown) {
            struct nk_rect place = nk_rect(all.x + inset, y + roundf((p->small->height - box) / 2), box, box);
            nk_fill_rect(p->canvas, place, 3, nk_rgb(rgba[i][0], rgba[i][1], rgba[i][2]));
        }
        cab_ui_write(p->canvas, p->small, all.x + inset + box + 8, y, texts[i],
                     i < shown ? p->colours->text : p->colours->faint);
    }
}

/* A round length for the scale bar, m, and its length in the picture at the camera's target. */
static double scale_length(const pen *p, float picture_height, float *points)
{
    double metres = cab_camera_height_at(p->legend->camera, p->legend->camera->target) / picture_height;
    double length = cab_round_below(scale_most * metres);
    *points = (float)(length / metres);
    return length;
}

static void draw_scale(const pen *p, float x, float y, float length, const char *text)
{
    struct nk_color colour = p->colours->text;
    float left = roundf(x), right = roundf(x + length), base = y + p->small->height + 8;
    cab_ui_write(p->canvas, p->small, x + (length - cab_ui_width(p->small, text)) / 2, y, text, colour);
    nk_fill_rect(p->canvas, nk_rect(left, base, right - left, 2), 0, colour);
    nk_fill_rect(p->canvas, nk_rect(left, base - 4, 2, 10), 0, colour);
    nk_fill_rect(p->canvas, nk_rect(right - 2, base - 4, 2, 10), 0, colour);
}

/* The lower left corner: name, time and frame, and beside them the scale bar. */
static void draw_caption(pen *p, float picture_height)
{
    const cab_legend *legend = p->legend;
    char title[CAB_NAME_SIZE] = "", time[80] = "", length_text[32];
    float points = 0, gap = 0, texts = 0;
    if (legend->title) {
        cab_clock now = legend->subject->kind->clock(legend->subject->self);
        snprintf(title, sizeof title, "%s", legend->title);
        cab_ui_shorten(p->text, title, sizeof title, fminf(260, p->area.w * 0.4f));
        snprintf(time, sizeof time, "%.2f s · frame %d", now.time, now.frame);
        texts = fmaxf(cab_ui_width(p->text, title), cab_ui_width(p->small, time));
    }
    if (legend->look->grid) {
        double length = scale_length(p, picture_height, &points);
        cab_write_quantity(length_text, sizeof length_text, length, "m", 1);
        gap = legend->title ? 22 : 0;
    }
    float w = 2 * inset + texts + gap + points, h = 2 * inset + p->text->height + 4 + p->small->height;
    if (!legend->title && !legend->look->grid) return;
    struct nk_rect all = nk_rect(p->area.x + margin, p->area.y + p->area.h - margin - h, w, h);
    if (!card(p, all)) return;
    p->caption = all;
    cab_ui_write(p->canvas, p->text, all.x + inset, all.y + inset, title, p->colours->text);
    cab_ui_write(p->canvas, p->small, all.x + inset, all.y + inset + p->text->height + 4, time,
                 p->colours->faint);
    if (legend->look->grid)
        draw_scale(p, all.x + inset + texts + gap, all.y + inset + 2, points, length_text);
}

/* The subject's labels, at their places in the scene. */
static void draw_labels(const pen *p, struct nk_vec2 size)
{
    const cab_subject *subject = p->legend->subject;
    cab_label label;
    for (int i = 0; subject->kind->label && subject->kind->label(subject->self, i, &label); i++) {
        float at[2], w = cab_ui_width(p->text, label.text), h = p->text->height;
        if (!cab_overlay_project(p->legend->camera, (int)size.x, (int)size.y, label.at, at)) continue;
        struct nk_rect place = nk_rect(at[0] - w / 2 - 8, at[1] - h - 8, w + 16, h + 8);
        if (card(p, place))
            cab_ui_write(p->canvas, p->text, place.x + 8, place.y + 4, label.text, p->colours->text);
    }
}

float cab_legend_scale(int width, int height)
{
    return fminf(fmaxf(fminf((float)width / 1280, (float)height / 720), 0.75f), 4);
}

void cab_legend_add(const cab_legend *legend, cab_ui *ui)
{
    static const nk_flags flags =
        NK_WINDOW_BACKGROUND | NK_WINDOW_NO_SCROLLBAR | NK_WINDOW_NO_INPUT | NK_WINDOW_ROM;
    struct nk_context *nk = cab_ui_context(ui);
    struct nk_vec2 size = cab_ui_size(ui);
    struct nk_rect whole = nk_rect(0, 0, size.x, size.y);
    bool dark = legend->dark || legend->look->background == CAB_BACKGROUND_DARK;
    nk_style_push_style_item(nk, &nk->style.window.fixed_background, nk_style_item_hide());
    nk_style_push_vec2(nk, &nk->style.window.padding, nk_vec2(0, 0));
    if (nk_begin(nk, "legend", whole, flags)) {
        pen p = {
            .legend = legend,
            .canvas = nk_window_get_canvas(nk),
            .colours = dark ? &cab_ui_dark : &cab_ui_light,
            .text = cab_ui_font(ui, CAB_FONT_TEXT),
            .small = cab_ui_font(ui, CAB_FONT_SMALL),
            .area = legend->area.w > 0 ? legend->area : whole,
        };
        draw_caption(&p, size.y);
        if (legend->look->quantity != CAB_QUANTITY_NONE) {
            draw_quantity(&p);
            if (legend->subject->kind->own_names) draw_names(&p, true);
        } else {
            draw_names(&p, false);
        }
        draw_labels(&p, size);
    }
    nk_end(nk);
    nk_style_pop_vec2(nk);
    nk_style_pop_style_item(nk);
}

cab_status cab_legend_draw(const cab_legend *legend, cab_ui *ui, unsigned framebuffer, int width, int height,
                           float scale, cab_error *error)
{
    cab_status status = cab_ui_begin(ui, width, height, scale, error);
    if (status) return status;
    cab_legend_add(legend, ui);
    return cab_ui_draw(ui, framebuffer, error);
}
