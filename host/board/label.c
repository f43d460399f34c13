#include "board/label.h"

#include "base/array.h"

#define MOST_LOOKS 300000000LL /* a second or a few */

static void corners_of(const cab_slab *s, cab_point corners[4])
{
    cab_point along = cab_point_at(s->angle), across = {-along.y, along.x};
    for (int i = 0; i < 4; i++) {
        double l = (i == 0 || i == 3 ? -0.5 : 0.5) * s->length, h = (i < 2 ? -0.5 : 0.5) * s->height;
        corners[i] = cab_point_add(cab_point_add(s->middle, l, along), h, across);
    }
}

static cab_box box_of(const cab_slab *s)
{
    cab_point corners[4];
    cab_box box = cab_box_none();
    corners_of(s, corners);
    for (int i = 0; i < 4; i++) cab_box_add(&box, corners[i], 0);
    return box;
}

void cab_labels_add(cab_labels *labels, cab_slab slab)
{
    if (labels->lost || CAB_ROOM(labels->slabs, labels->slab_room, labels->count + 1, NULL) ||
        CAB_ROOM(labels->boxes, labels->box_room, labels->count + 1, NULL)) {
        labels->lost = true;
        return;
    }
    labels->slabs[labels->count] = slab;
    labels->boxes[labels->count++] = box_of(&slab);
}

void cab_labels_add_line(cab_labels *labels, cab_point a, cab_point b, double width, double price)
{
    cab_labels_add(labels, (cab_slab){.middle = cab_point_between(a, b, 0.5),
                                      .angle = atan2(b.y - a.y, b.x - a.x),
                                      .length = cab_point_distance(a, b),
                                      .height = width,
                                      .price = price});
}

/* Is there a line along a side of `a` that parts it from `b`? */
static bool parts(const cab_slab *a, const cab_point corners[4])
{
    cab_point along = cab_point_at(a->angle);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 4; i++) {
        cab_point p = {corners[i].x - a->middle.x, corners[i].y - a->middle.y};
        double at[2] = {p.x * along.x + p.y * along.y, cab_point_cross(along, p)};
        for (int k = 0; k < 2; k++) low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
    }
    return low[0] > a->length / 2 || high[0] < -a->length / 2 || low[1] > a->height / 2 ||
           high[1] < -a->height / 2;
}

double cab_labels_price(cab_labels *labels, const cab_slab *slab, double most)
{
    cab_box box = box_of(slab);
    cab_point mine[4], other[4];
    double price = 0;
    if (labels->looks > MOST_LOOKS) return 0;
    labels->looks += labels->count;
    corners_of(slab, mine);
    for (int i = 0; i < labels->count && price <= most; i++) {
        if (!cab_box_meet(&box, &labels->boxes[i])) continue;
        corners_of(&labels->slabs[i], other);
        if (!parts(slab, other) && !parts(&labels->slabs[i], mine)) price += labels->slabs[i].price;
    }
    return price;
}

void cab_labels_free(cab_labels *labels)
{
    CAB_FREE(labels->slabs, labels->boxes);
    *labels = (cab_labels){0};
}
