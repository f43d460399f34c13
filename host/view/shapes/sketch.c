#include "view/shapes/sketch.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

enum { CIRCLE = 64 /* points of a circle; the tube is smooth between them */ };

cab_pen cab_pen_of(double radius, const unsigned char colour[3], double lift)
{
    cab_pen pen = {.radius = (float)radius, .lift = (float)lift};
    memcpy(pen.colour, colour, sizeof pen.colour);
    return pen;
}

void cab_sketch_clear(cab_sketch *sketch)
{
    sketch->row_count = sketch->strand_count = 0;
    sketch->short_of_memory = false;
}

void cab_sketch_free(cab_sketch *sketch)
{
    CAB_FREE(sketch->rows, sketch->strands);
    *sketch = (cab_sketch){0};
}

/* Begins a strand of `count` rows, which are to be filled in; NULL when memory is out. */
static float (*begin(cab_sketch *s, const cab_pen *pen, int count))[4]
{
    if (CAB_ROOM(s->rows, s->row_room, (long long)s->row_count + count, NULL) ||
        CAB_ROOM(s->strands, s->strand_room, (long long)s->strand_count + 1, NULL)) {
        s->short_of_memory = true;
        return NULL;
    }
    cab_strand strand = {.first = s->row_count,
                         .step = 1,
                         .count = count,
                         .cable = UINT32_MAX,
                         .radius = pen->radius,
                         .own_colour = !pen->valued};
    memcpy(strand.colour, pen->colour, sizeof pen->colour);
    strand.colour[3] = 255;
    s->strands[s->strand_count++] = strand;
    float(*rows)[4] = s->rows + s->row_count;
    s->row_count += count;
    return rows;
}

/* Fills in a row. `part`: how far along the line it is, 0 to 1. Lines without values get 0, which is always
 * in the range of values. */
static void put(float row[4], const cab_pen *pen, cab_vec2 at, double part)
{
    row[0] = (float)at.x;
    row[1] = -pen->lift;
    row[2] = (float)at.y;
    row[3] = pen->valued ? pen->value_from + (float)part * (pen->value_to - pen->value_from) : 0;
}

void cab_sketch_curve(cab_sketch *sketch, const cab_pen *pen, const cab_vec2 *points, int count)
{
    float(*rows)[4] = count > 1 ? begin(sketch, pen, count) : NULL;
    for (int i = 0; rows && i < count; i++) put(rows[i], pen, points[i], (double)i / (count - 1));
}

void cab_sketch_line(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to)
{
    cab_sketch_curve(sketch, pen, (cab_vec2[]){from, to}, 2);
}

void cab_sketch_path(cab_sketch *sketch, const cab_pen *pen, const cab_vec2 *points, int count)
{
    for (int i = 0; i + 1 < count; i++) {
        float(*rows)[4] = begin(sketch, pen, 2);
        for (int k = 0; rows && k < 2; k++) put(rows[k], pen, points[i + k], (double)(i + k) / (count - 1));
    }
}

void cab_sketch_arc(cab_sketch *sketch, const cab_pen *pen, cab_vec2 centre, double radius, double start,
                    double turn)
{
    int pieces = (int)ceil(fmin(fabs(turn) / (2 * M_PI), 1000) * CIRCLE);
    int count = (pieces < 2 ? 2 : pieces) + 1;
    float(*rows)[4] = begin(sketch, pen, count);
    for (int i = 0; rows && i < count; i++) {
        double part = (double)i / (count - 1), angle = start + part * turn;
        put(rows[i], pen, (cab_vec2){centre.x + radius * cos(angle), centre.y + radius * sin(angle)}, part);
    }
}

void cab_sketch_circle(cab_sketch *sketch, const cab_pen *pen, cab_vec2 centre, double radius)
{
    cab_sketch_arc(sketch, pen, centre, radius, 0, 2 * M_PI);
}

/* A tube needs two ends. They are a thousandth of its radius apart. */
void cab_sketch_dot(cab_sketch *sketch, const cab_pen *pen, cab_vec2 at)
{
    double half = 0.0005 * (double)pen->radius;
    cab_sketch_line(sketch, pen, (cab_vec2){at.x - half, at.y}, (cab_vec2){at.x + half, at.y});
}

void cab_sketch_arrow(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to, double head)
{
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    if (!(length > 0)) return;
    x *= head / length;
    y *= head / length;
    cab_sketch_line(sketch, pen, from, to);
    for (int side = -1; side <= 1; side += 2) {
        cab_vec2 back = {to.x - x + 0.6 * side * y, to.y - y - 0.6 * side * x};
        cab_sketch_line(sketch, pen, back, to);
    }
}

void cab_sketch_zigzag(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to, double width,
                       int turns)
{
    enum { MOST = 32 };
    cab_vec2 points[2 * MOST + 4];
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    int count = 0, bends = 2 * (turns < MOST ? turns : MOST);
    if (!(length > 0)) return;
    cab_vec2 across = {-y / length * width / 2, x / length * width / 2};
    points[count++] = from;
    for (int i = 0; i <= bends; i++) {
        double part = 0.15 + 0.7 * i / bends, side = i == 0 || i == bends ? 0 : i % 2 ? 1 : -1;
        points[count++] =
            (cab_vec2){from.x + part * x + side * across.x, from.y + part * y + side * across.y};
    }
    points[count++] = to;
    cab_sketch_path(sketch, pen, points, count);
}
