/* Arc lengths of paths: a table of pieces, from which a point at any length is found. */
#include "model/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/spline.h"

/* A panel is good when halving it moves its length by less than this share of its piece. */
#define PANEL_TOLERANCE 1e-12
/* Cusps have no smooth panel; 2^-40 of a piece is short enough there. */
#define PANEL_DEPTH 40
#define INVERSION_STEPS 80

/* A stretch of curve whose length one panel gives. */
typedef struct panel {
    double s0;     /* arc length at its start, m */
    double t0, t1; /* of its Bezier piece */
    int piece;
    bool straight;
} panel;

struct cab_arc_table {
    cab_vec3 *path;
    int count; /* control points */
    cab_curve curve;
    panel *panels;
    int panel_count, panel_capacity;
    double length; /* m */
};

static cab_status add_panel(cab_arc_table *table, panel item, double length, cab_error *error)
{
    if (!(length > 0)) return CAB_OK;
    cab_status status = CAB_ROOM(table->panels, table->panel_capacity, table->panel_count + 1, error);
    if (status != CAB_OK) return status;
    item.s0 = table->length;
    table->panels[table->panel_count++] = item;
    table->length += length;
    return CAB_OK;
}

static cab_status add_straight(cab_arc_table *table, int piece, cab_error *error)
{
    panel item = {.t0 = 0, .t1 = 1, .piece = piece, .straight = true};
    return add_panel(table, item, cab_vec3_distance(table->path[piece], table->path[piece + 1]), error);
}

/* Halves [t0, t1] until a panel fits, left to right. */
static cab_status add_curved(cab_arc_table *table, int piece, const cab_bezier *bezier, double t0, double t1,
                             double tolerance, int depth, cab_error *error)
{
    double middle = 0.5 * (t0 + t1);
    double whole = cab_bezier_panel(bezier, t0, t1);
    double halves = cab_bezier_panel(bezier, t0, middle) + cab_bezier_panel(bezier, middle, t1);
    if (fabs(whole - halves) <= tolerance || depth == 0) {
        panel item = {.t0 = t0, .t1 = t1, .piece = piece};
        return add_panel(table, item, halves, error);
    }
    cab_status status = add_curved(table, piece, bezier, t0, middle, tolerance, depth - 1, error);
    return status ? status : add_curved(table, piece, bezier, middle, t1, tolerance, depth - 1, error);
}

static cab_status add_piece(cab_arc_table *table, int piece, cab_error *error)
{
    if (table->curve == CAB_CURVE_POLYLINE) return add_straight(table, piece, error);
    cab_bezier bezier = cab_spline_piece(table->path, table->count, piece);
    if (cab_bezier_straight(&bezier)) return add_straight(table, piece, error);
    double polygon = 0;
    for (int i = 0; i < 3; i++) polygon += cab_vec3_distance(bezier.p[i], bezier.p[i + 1]);
    return add_curved(table, piece, &bezier, 0, 1, PANEL_TOLERANCE * polygon, PANEL_DEPTH, error);
}

static cab_status fill(cab_arc_table *table, const cab_vec3 *path, int count, cab_error *error)
{
    table->path = malloc((size_t)count * sizeof *path);
    if (!table->path) return cab_fail_memory(error, "a path", (size_t)count * sizeof *path);
    memcpy(table->path, path, (size_t)count * sizeof *path);
    table->count = count;
    for (int i = 0; i < count; i++)
        if (!cab_vec3_finite(path[i]))
            return cab_fail(error, CAB_ERROR_INPUT, "path point %d is not finite", i);
    for (int i = 0; i + 1 < count; i++) {
        cab_status status = add_piece(table, i, error);
        if (status) return status;
    }
    if (!isfinite(table->length)) return cab_fail(error, CAB_ERROR_INPUT, "the path is too long");
    if (!(table->length > 0)) return cab_fail(error, CAB_ERROR_INPUT, "the path has no length");
    return CAB_OK;
}

cab_arc_table *cab_arc_table_create(const cab_vec3 *path, int count, cab_curve curve, cab_error *error)
{
    if (count < 2) {
        cab_fail(error, CAB_ERROR_INPUT, "a path needs at least 2 points, got %d", count);
        return NULL;
    }
    cab_arc_table *table = calloc(1, sizeof *table);
    if (!table) {
        cab_fail_memory(error, "arc lengths", sizeof *table);
        return NULL;
    }
    table->curve = curve;
    if (fill(table, path, count, error)) {
        cab_arc_table_destroy(table);
        return NULL;
    }
    return table;
}

void cab_arc_table_destroy(cab_arc_table *table)
{
    if (!table) return;
    CAB_FREE(table->path, table->panels, table);
}

double cab_arc_table_length(const cab_arc_table *table)
{
    return table->length;
}

/* The last panel that starts at or before s. */
static int find_panel(const cab_arc_table *table, double s)
{
    int low = 0, high = table->panel_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (table->panels[middle].s0 <= s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* t at `along` metres into the panel: Newton on the arc length, kept inside a shrinking bracket. */
static double invert(const cab_bezier *bezier, const panel *item, double along, double length,
                     double tolerance)
{
    double low = item->t0, high = item->t1;
    double t = low + (high - low) * (along / length);
    for (int i = 0; i < INVERSION_STEPS; i++) {
        double excess = cab_bezier_panel(bezier, item->t0, t) - along;
        if (fabs(excess) <= tolerance) break;
        if (excess > 0)
            high = t;
        else
            low = t;
        double next = t - excess / cab_bezier_speed(bezier, t);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == t) break;
        t = next;
    }
    return t;
}

cab_vec3 cab_arc_table_point(const cab_arc_table *table, double s)
{
    if (!(s > 0)) return table->path[0];
    if (s >= table->length) return table->path[table->count - 1];
    int index = find_panel(table, s);
    const panel *item = &table->panels[index];
    double end = index + 1 < table->panel_count ? item[1].s0 : table->length;
    double along = s - item->s0, length = end - item->s0;
    if (item->straight) {
        cab_vec3 a = table->path[item->piece], b = table->path[item->piece + 1];
        return cab_vec3_add_scaled(a, along / length, cab_vec3_sub(b, a));
    }
    cab_bezier bezier = cab_spline_piece(table->path, table->count, item->piece);
    /* a tenth of the promised 1e-9 would do; this costs the same */
    return cab_bezier_point(&bezier, invert(&bezier, item, along, length, 1e-14 * table->length));
}
