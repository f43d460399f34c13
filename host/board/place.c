#include "board/place.h"

#define PI 3.14159265358979323846
#define GAP 1.2 /* mm between a text and what it stands at */

/* The best place so far. */
typedef struct choice {
    cab_slab slab;
    cab_point tip;
    bool leads; /* a line leads from it to the tip */
    double price;
} choice;

/* So that it is read from below or from the right. */
static double readable(double angle)
{
    angle = remainder(angle, 2 * PI);
    if (angle > PI / 2 + 1e-9) angle -= PI;
    if (angle <= -PI / 2 + 1e-9) angle += PI;
    return angle;
}

static cab_slab slab_of(const cab_wish *wish, cab_point middle, double angle, double height)
{
    return (cab_slab){.middle = middle,
                      .angle = readable(angle),
                      .length = cab_text_width(wish->text, height) + 1,
                      .height = 1.45 * height, /* with room for what goes below the line */
                      .price = CAB_OVER_TEXT};
}

static void try_slab(cab_pad *pad, choice *best, cab_slab slab, double price)
{
    if (price >= best->price) return;
    price += cab_labels_price(&pad->labels, &slab, best->price - price);
    if (price < best->price) *best = (choice){.slab = slab, .price = price};
}

/* Around a point, level, with a line that leads to it. */
static void try_leaders(cab_pad *pad, choice *best, const cab_wish *wish, cab_point tip, double least)
{
    static const double far[] = {8, 14, 22, 32, 45, 60, 80, 105, 135};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        for (int k = 0; k < 16; k++) {
            double price = 0.8 + 0.02 * far[i];
            if (price >= best->price) return;
            cab_point way = cab_point_at(k * PI / 8 + PI / 16),
                      foot = cab_point_add(tip, least + far[i], way);
            cab_slab slab = slab_of(wish, foot, 0, wish->height), line;
            slab.middle.x += (way.x > 0 ? 0.5 : -0.5) * slab.length;
            line = (cab_slab){cab_point_between(tip, foot, 0.5), atan2(way.y, way.x), 0, 0.3, 0};
            line.length = cab_point_distance(tip, foot) - 2 * least;
            line.middle = cab_point_between(cab_point_add(tip, 2 * least, way), foot, 0.5);
            if (line.length > 0) price += 0.25 * cab_labels_price(&pad->labels, &line, 4 * best->price);
            if (price >= best->price) continue;
            price += cab_labels_price(&pad->labels, &slab, best->price - price);
            if (price < best->price)
                *best = (choice){.slab = slab, .tip = tip, .leads = true, .price = price};
        }
    }
}

static void write(cab_pad *pad, const cab_wish *wish, const choice *best)
{
    const cab_slab *slab = &best->slab;
    if (wish->dispensable && best->price > CAB_OVER_LEADER - 1) return;
    if (best->leads) {
        double side = slab->middle.x > best->tip.x ? -0.5 : 0.5;
        cab_point foot = {slab->middle.x + side * slab->length, slab->middle.y};
        cab_point points[2] = {best->tip, foot};
        cab_draw_line(pad->drawing, (cab_mark){.layer = wish->layer, .width = 0.15, .grey = 0.45}, points, 2);
        cab_labels_add_line(&pad->labels, points[0], points[1], 0.3, CAB_OVER_LEADER);
    }
    double height = slab->height / 1.45;
    cab_draw_text(pad->drawing, (cab_mark){.layer = wish->layer, .grey = wish->grey}, slab->middle, height,
                  slab->angle, wish->text);
    cab_labels_add(&pad->labels, *slab);
}

void cab_place_along(cab_pad *pad, const cab_wish *wish, const cab_point *points, int count, double off)
{
    static const double shares[] = {0.5, 0.38, 0.62, 0.26, 0.74, 0.15, 0.85}, heights[] = {1, 0.75};
    choice best = {.price = HUGE_VAL};
    int longest = 1;
    for (int i = 2; i < count; i++)
        if (cab_point_distance(points[i - 1], points[i]) >
            cab_point_distance(points[longest - 1], points[longest]))
            longest = i;
    for (int h = 0; h < 2; h++) {
        for (int i = 1; i < count; i++) {
            cab_point a = points[i - 1], b = points[i];
            double length = cab_point_distance(a, b), angle = atan2(b.y - a.y, b.x - a.x);
            cab_point across = cab_point_at(readable(angle) + PI / 2);
            cab_slab slab = slab_of(wish, a, angle, heights[h] * wish->height);
            for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
                for (int side = 1; side >= -1; side -= 2) {
                    slab.middle = cab_point_add(cab_point_between(a, b, shares[k]),
                                                side * (off + GAP + slab.height / 2), across);
                    double price =
                        0.02 * (double)k + (side < 0 ? 0.1 : 0) + 0.4 * h + (i != longest ? 0.3 : 0);
                    if (slab.length > length) price += 0.5 + 0.02 * (slab.length - length);
                    try_slab(pad, &best, slab, price);
                }
            }
        }
    }
    cab_point tip = cab_point_between(points[longest - 1], points[longest], 0.5);
    try_leaders(pad, &best, wish, tip, off);
    write(pad, wish, &best);
}

void cab_place_beyond(cab_pad *pad, const cab_wish *wish, cab_point at, double angle, double off)
{
    choice best = {.price = HUGE_VAL};
    cab_point along = cab_point_at(angle);
    for (int h = 0; h < 2; h++) {
        double height = h ? 0.75 * wish->height : wish->height;
        cab_slab slab = slab_of(wish, at, angle, height);
        slab.middle = cab_point_add(at, off + GAP + slab.length / 2, along);
        try_slab(pad, &best, slab, 0.4 * h);
        for (int k = 1; k < 8; k++) {
            cab_point way = cab_point_at(angle + (k % 2 ? 1 : -1) * ((k + 1) / 2) * PI / 4);
            slab = slab_of(wish, at, 0, height);
            slab.middle = cab_point_add(at, off + GAP, way);
            slab.middle.x += way.x * slab.length / 2, slab.middle.y += way.y * slab.height / 2;
            try_slab(pad, &best, slab, 0.15 + 0.03 * k + 0.4 * h);
        }
    }
    try_leaders(pad, &best, wish, at, off);
    write(pad, wish, &best);
}
