#include "board/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *const cab_layer_names[CAB_LAYERS] = {"PROTECTIONS", "SEGMENTS",   "CONNECTORS", "SPLICES",
                                                 "FIXINGS",     "DIMENSIONS", "TEXT"};

/* Widths of Helvetica's characters from blank to ~ in thousandths of its size (Adobe's metrics of the font). */
static const short widths[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

double cab_text_width(const char *text, double height)
{
    double sum = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c >= 0x80 && *c < 0xC0) continue; /* goes on with a character of several bytes */
        sum += *c >= ' ' && *c <= '~' ? widths[*c - ' '] : 600;
    }
    return sum / 1000 * CAB_TEXT_SIZE * height;
}

void cab_drawing_free(cab_drawing *drawing)
{
    for (int i = 0; i < drawing->mark_count; i++) free(drawing->marks[i].text);
    CAB_FREE(drawing->marks, drawing->points);
    *drawing = (cab_drawing){0};
}

static cab_mark *add(cab_drawing *d, cab_mark like, cab_mark_kind kind, const cab_point *points, int count)
{
    if (d->lost || CAB_ROOM(d->marks, d->mark_room, d->mark_count + 1, NULL) ||
        CAB_ROOM(d->points, d->point_room, d->point_count + count, NULL)) {
        d->lost = true;
        return NULL;
    }
    like.kind = kind;
    like.first = d->point_count, like.count = count;
    like.box = cab_box_none();
    like.text = NULL;
    for (int i = 0; i < count; i++) {
        d->points[d->point_count++] = points[i];
        cab_box_add(&like.box, points[i], like.width / 2);
    }
    d->marks[d->mark_count] = like;
    return &d->marks[d->mark_count++];
}

void cab_draw_line(cab_drawing *drawing, cab_mark like, const cab_point *points, int count)
{
    if (!like.closed) like.fill = -1;
    add(drawing, like, CAB_MARK_LINE, points, count);
}

void cab_draw_circle(cab_drawing *drawing, cab_mark like, cab_point centre, double radius)
{
    cab_mark *mark = add(drawing, like, CAB_MARK_CIRCLE, &centre, 1);
    if (!mark) return;
    mark->radius = radius;
    cab_box_add(&mark->box, centre, radius + like.width / 2);
}

void cab_draw_text(cab_drawing *drawing, cab_mark like, cab_point middle, double height, double angle,
                   const char *text)
{
    char *copy = strdup(text);
    cab_mark *mark = copy ? add(drawing, like, CAB_MARK_TEXT, &middle, 1) : NULL;
    if (!mark) {
        free(copy);
        drawing->lost = true;
        return;
    }
    mark->text = copy;
    mark->height = height, mark->angle = angle;
    double half = cab_text_width(text, height) / 2;
    cab_point along = cab_point_at(angle);
    for (int i = -1; i <= 1; i += 2) cab_box_add(&mark->box, cab_point_add(middle, i * half, along), height);
}
