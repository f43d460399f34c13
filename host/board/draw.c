/* Segments, their dimensions, and what is on them and at their nodes, as a drawing. */
#include "board/board.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "board/place.h"

#define PI 3.14159265358979323846
#define TEXT 4.0       /* mm, names */
#define SMALL_TEXT 2.5 /* mm, names of segments */
#define THIN 0.25      /* mm, of outlines */
#define BUNDLE_GREY 0.66
#define BOX_LENGTH 22.0 /* mm, of a connector */
#define DIMENSIONS 64   /* of a segment with many fixings */

typedef struct sketch {
    cab_board *board;
    cab_pad pad;
    int *near, *around; /* edges at each node, drawn ones */
    int *first, *stops; /* [segment + 1] where its fixings begin in `stops`, which are spots */
} sketch;

/* ---- places ---- */

/* A point of a drawn segment, and the direction there, at a fraction of it. */
static cab_point point_of(const cab_layout_edge *edge, double share, double *angle)
{
    double rest = share * edge->length;
    for (int i = 1; i < edge->point_count; i++) {
        cab_point a = edge->points[i - 1], b = edge->points[i];
        double piece = cab_point_distance(a, b);
        *angle = atan2(b.y - a.y, b.x - a.x);
        if (rest <= piece || i + 1 == edge->point_count)
            return cab_point_between(a, b, piece > 0 ? fmin(1, rest / piece) : 0);
        rest -= piece;
    }
    return edge->points[0];
}

/* The part of a drawn segment between two fractions; `points` has room for as many as the edge has, and two. */
static int part_of(const cab_layout_edge *edge, double from, double to, cab_point *points)
{
    double angle, at = 0;
    int count = 0;
    points[count++] = point_of(edge, from, &angle);
    for (int i = 1; i + 1 < edge->point_count; i++) {
        at += cab_point_distance(edge->points[i - 1], edge->points[i]) / edge->length;
        if (at > from && at < to) points[count++] = edge->points[i];
    }
    points[count++] = point_of(edge, to, &angle);
    return count;
}

/* Away from a node into a segment; false: the segment was cut here and ends elsewhere. */
static bool way_out(const cab_layout_edge *edge, int node, double *angle)
{
    int n = edge->point_count;
    bool starts = edge->start == node;
    if (!starts && edge->cut) return false;
    cab_point a = edge->points[starts ? 0 : n - 1], b = edge->points[starts ? 1 : n - 2];
    *angle = atan2(b.y - a.y, b.x - a.x);
    return true;
}

static int compare_angles(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The middle of the widest gap between the segments at a node; at an end of the harness, straight on. */
static double free_direction(const sketch *s, int node)
{
    double angles[DIMENSIONS], best = PI / 2, widest = -1;
    int count = 0;
    for (int k = s->near[node]; k < s->near[node + 1] && count < DIMENSIONS; k++)
        count += way_out(&s->board->layout.edges[s->around[k]], node, &angles[count]);
    if (!count) return best;
    qsort(angles, (size_t)count, sizeof *angles, compare_angles);
    for (int i = 0; i < count; i++) {
        double next = i + 1 < count ? angles[i + 1] : angles[0] + 2 * PI;
        if (next - angles[i] > widest + 1e-9) widest = next - angles[i], best = (angles[i] + next) / 2;
    }
    return best;
}

/* Of the thickest segment at a node. */
static double width_at(const sketch *s, int node)
{
    double width = 1;
    for (int k = s->near[node]; k < s->near[node + 1]; k++)
        width = fmax(width, s->board->layout.edges[s->around[k]].width);
    return width;
}

static cab_status list_edges(sketch *s, cab_error *error)
{
    const cab_layout *layout = &s->board->layout;
    cab_status status = CAB_NEW(s->near, layout->node_count + 1, error);
    if (!status) status = CAB_NEW(s->around, 2 * layout->edge_count, error);
    if (status) return status;
    for (int e = 0; e < layout->edge_count; e++)
        if (layout->edges[e].point_count) s->near[layout->edges[e].start]++, s->near[layout->edges[e].end]++;
    for (int i = 1; i <= layout->node_count; i++) s->near[i] += s->near[i - 1];
    for (int e = layout->edge_count - 1; e >= 0; e--) {
        if (!layout->edges[e].point_count) continue;
        s->around[--s->near[layout->edges[e].start]] = e;
        s->around[--s->near[layout->edges[e].end]] = e;
    }
    return CAB_OK;
}

static cab_status list_fixings(sketch *s, cab_error *error)
{
    const cab_kbl_contents *contents = &s->board->contents;
    int segments = s->board->layout.edge_count;
    cab_status status = CAB_NEW(s->first, segments + 1, error);
    if (!status) status = CAB_NEW(s->stops, contents->spot_count, error);
    for (int pass = 0; pass < 2 && !status; pass++) {
        for (int i = contents->spot_count - 1; i >= 0; i--) {
            const cab_kbl_spot *spot = &contents->spots[i];
            if (spot->segment < 0 || spot->kind != CAB_KBL_FIXING) continue;
            if (pass)
                s->stops[--s->first[spot->segment]] = i;
            else
                s->first[spot->segment]++;
        }
        for (int i = 1; i <= segments && !pass; i++) s->first[i] += s->first[i - 1];
    }
    return status;
}

/* ---- bundles ---- */

static void draw_bundles(sketch *s)
{
    const cab_board *board = s->board;
    cab_drawing *d = s->pad.drawing;
    for (int i = 0; i < board->contents.spot_count; i++) {
        const cab_kbl_spot *spot = &board->contents.spots[i];
        const cab_layout_edge *edge = spot->segment >= 0 ? &board->layout.edges[spot->segment] : NULL;
        cab_point points[CAB_LAYOUT_CORNERS + 4];
        if (!edge || !edge->point_count || spot->kind != CAB_KBL_PROTECTION) continue;
        int count = part_of(edge, spot->from, spot->to, points);
        cab_draw_line(
            d,
            (cab_mark){
                .layer = CAB_LAYER_PROTECTIONS, .name = spot->name, .width = edge->width + 1.6, .grey = 0.2},
            points, count);
    }
    for (int e = 0; e < board->layout.edge_count; e++) {
        const cab_layout_edge *edge = &board->layout.edges[e];
        if (!edge->point_count) continue;
        cab_draw_line(d,
                      (cab_mark){.layer = CAB_LAYER_SEGMENTS,
                                 .name = board->kbl.segments[e].id,
                                 .width = edge->width,
                                 .grey = BUNDLE_GREY},
                      edge->points, edge->point_count);
        for (int i = 1; i < edge->point_count; i++)
            cab_labels_add_line(&s->pad.labels, edge->points[i - 1], edge->points[i], edge->width + 2,
                                CAB_OVER_BUNDLE);
        for (int i = 1; i + 1 < edge->point_count; i++)
            cab_draw_circle(d,
                            (cab_mark){.layer = CAB_LAYER_SEGMENTS, .fill = BUNDLE_GREY, .grey = BUNDLE_GREY},
                            edge->points[i], edge->width / 2);
    }
    for (int i = 0; i < board->layout.node_count; i++)
        if (board->layout.placed[i] && board->ends[i] > 1)
            cab_draw_circle(d,
                            (cab_mark){.layer = CAB_LAYER_SEGMENTS, .fill = BUNDLE_GREY, .grey = BUNDLE_GREY},
                            board->layout.places[i], width_at(s, i) / 2);
}

/* ---- dimensions ---- */

/* Lengths are measured from the middle of a branching. */
static void draw_branchings(sketch *s)
{
    const cab_layout *layout = &s->board->layout;
    for (int i = 0; i < layout->node_count; i++) {
        if (!layout->placed[i] || s->board->ends[i] < 3) continue;
        cab_draw_circle(s->pad.drawing, (cab_mark){.layer = CAB_LAYER_DIMENSIONS, .width = THIN, .fill = 1},
                        layout->places[i], 1.2);
        cab_draw_circle(s->pad.drawing, (cab_mark){.layer = CAB_LAYER_DIMENSIONS, .fill = 0},
                        layout->places[i], 0.3);
    }
}

/* A short line across a bundle. */
static void draw_tick(sketch *s, const cab_layout_edge *edge, double share, double beyond, cab_layer layer,
                      double width)
{
    double angle;
    cab_point at = point_of(edge, share, &angle), across = cab_point_at(angle + PI / 2);
    double half = edge->width / 2 + beyond;
    cab_point points[2] = {cab_point_add(at, -half, across), cab_point_add(at, half, across)};
    cab_draw_line(s->pad.drawing, (cab_mark){.layer = layer, .width = width}, points, 2);
}

/* The places of fixings on a segment, in order, from 0 to 1. */
static int list_stops(const sketch *s, int segment, double *stops)
{
    int count = 0;
    stops[count++] = 0;
    for (int i = s->first[segment]; i < s->first[segment + 1] && count < DIMENSIONS - 1; i++)
        stops[count++] = s->board->contents.spots[s->stops[i]].from;
    stops[count++] = 1;
    qsort(stops, (size_t)count, sizeof *stops, compare_angles);
    return count;
}

/* The length of a segment, or of its parts between fixings. */
static void dimension_segment(sketch *s, int e)
{
    const cab_layout_edge *edge = &s->board->layout.edges[e];
    double stops[DIMENSIONS];
    int count = list_stops(s, e, stops);
    const int nodes[2] = {edge->start, edge->end};
    for (int i = 0; i < 2; i++)
        if (s->board->ends[nodes[i]] < 3 || (i && edge->cut))
            draw_tick(s, edge, i, 2.5, CAB_LAYER_DIMENSIONS, THIN);
    for (int i = 1; i < count; i++) {
        cab_point points[CAB_LAYOUT_CORNERS + 4];
        char text[32];
        double length = (stops[i] - stops[i - 1]) * edge->length;
        if (length < 0.05) continue;
        snprintf(text, sizeof text, "%.1f", length);
        cab_wish wish = {.text = text, .layer = CAB_LAYER_DIMENSIONS, .height = 3.5};
        cab_place_along(&s->pad, &wish, points, part_of(edge, stops[i - 1], stops[i], points),
                        edge->width / 2);
    }
}

static void name_segment(sketch *s, int e)
{
    const cab_layout_edge *edge = &s->board->layout.edges[e];
    double stops[DIMENSIONS];
    char text[120];
    const char *name = s->board->contents.segment_names[e];
    if (list_stops(s, e, stops) > 2)
        snprintf(text, sizeof text, "%.80s = %.1f", name, edge->length);
    else
        snprintf(text, sizeof text, "%.100s", name);
    cab_wish wish = {
        .text = text, .layer = CAB_LAYER_TEXT, .height = SMALL_TEXT, .grey = 0.35, .dispensable = true};
    cab_place_along(&s->pad, &wish, edge->points, edge->point_count, edge->width / 2);
}

/* ---- what is at nodes and on segments ---- */

/* A box from `at` on along an angle. */
static void draw_box(sketch *s, const cab_kbl_spot *spot, cab_point at, double angle, double length,
                     double height)
{
    cab_point along = cab_point_at(angle), across = {-along.y, along.x}, points[4];
    for (int i = 0; i < 4; i++)
        points[i] = cab_point_add(cab_point_add(at, i == 1 || i == 2 ? length : 0, along),
                                  i < 2 ? -height / 2 : height / 2, across);
    cab_draw_line(
        s->pad.drawing,
        (cab_mark){
            .layer = CAB_LAYER_CONNECTORS, .name = spot->name, .width = 0.5, .closed = true, .fill = 1},
        points, 4);
    cab_labels_add(&s->pad.labels, (cab_slab){cab_point_add(at, length / 2, along), angle, length + 1,
                                              height + 1, CAB_OVER_SYMBOL});
}

static void draw_splice(sketch *s, const cab_kbl_spot *spot, cab_point at, double half)
{
    cab_point points[4] = {
        {at.x - half, at.y}, {at.x, at.y - half}, {at.x + half, at.y}, {at.x, at.y + half}};
    cab_draw_line(
        s->pad.drawing,
        (cab_mark){
            .layer = CAB_LAYER_SPLICES, .name = spot->name, .width = THIN, .closed = true, .fill = 0.1},
        points, 4);
    cab_labels_add(&s->pad.labels, (cab_slab){at, PI / 4, 1.5 * half, 1.5 * half, CAB_OVER_SYMBOL});
}

/* How far from the node its name may begin. */
static double draw_symbol(sketch *s, const cab_kbl_spot *spot, double angle, double off)
{
    cab_point node = s->board->layout.places[spot->node], at = cab_point_add(node, off, cab_point_at(angle));
    double width = width_at(s, spot->node);
    switch (spot->kind) {
    case CAB_KBL_CONNECTOR:
        draw_box(s, spot, at, angle, BOX_LENGTH, fmax(12, width + 5));
        return off + BOX_LENGTH;
    case CAB_KBL_BOX:
        draw_box(s, spot, at, angle, 1.4 * BOX_LENGTH, fmax(20, width + 10));
        return off + 1.4 * BOX_LENGTH;
    case CAB_KBL_TERMINAL:
        cab_draw_circle(
            s->pad.drawing,
            (cab_mark){.layer = CAB_LAYER_CONNECTORS, .name = spot->name, .width = 1.2, .fill = 1},
            cab_point_add(at, 5, cab_point_at(angle)), 4);
        cab_labels_add(&s->pad.labels,
                       (cab_slab){cab_point_add(at, 5, cab_point_at(angle)), angle, 10, 10, CAB_OVER_SYMBOL});
        return off + 10;
    case CAB_KBL_SPLICE:
        draw_splice(s, spot, node, fmax(4, width / 2 + 2));
        return fmax(off, fmax(4, width / 2 + 2));
    default:
        cab_draw_circle(s->pad.drawing,
                        (cab_mark){.layer = CAB_LAYER_FIXINGS, .name = spot->name, .width = 0.6, .fill = -1},
                        node, width / 2 + 3);
        return fmax(off, width / 2 + 4);
    }
}

/* Where the next symbol at a node goes, one behind the other. */
typedef struct stack {
    double angle, off;
    bool begun;
} stack;

static void draw_node_spot(sketch *s, int index, stack *stacks, bool named)
{
    const cab_kbl_spot *spot = &s->board->contents.spots[index];
    stack *at = &stacks[spot->node];
    if (!at->begun) {
        *at = (stack){.angle = free_direction(s, spot->node), .begun = true};
        if (s->board->ends[spot->node] > 1) at->off = width_at(s, spot->node) / 2 + 1;
    }
    if (!named) {
        at->off = draw_symbol(s, spot, at->angle, at->off);
        return;
    }
    cab_layer layer = spot->kind == CAB_KBL_SPLICE   ? CAB_LAYER_SPLICES
                      : spot->kind == CAB_KBL_FIXING ? CAB_LAYER_FIXINGS
                                                     : CAB_LAYER_CONNECTORS;
    cab_wish wish = {.text = spot->name, .layer = layer, .height = spot->kind == CAB_KBL_SPLICE ? 3 : TEXT};
    cab_place_beyond(&s->pad, &wish, s->board->layout.places[spot->node], at->angle, at->off);
}

static void draw_fixing(sketch *s, const cab_kbl_spot *spot, bool named)
{
    const cab_layout_edge *edge = &s->board->layout.edges[spot->segment];
    double angle;
    cab_point at = point_of(edge, spot->from, &angle);
    if (named) {
        cab_wish wish = {.text = spot->name, .layer = CAB_LAYER_FIXINGS, .height = 3};
        cab_place_beyond(&s->pad, &wish, at, angle + PI / 2, edge->width / 2 + 5);
        return;
    }
    cab_draw_circle(s->pad.drawing,
                    (cab_mark){.layer = CAB_LAYER_FIXINGS, .name = spot->name, .width = 0.6, .fill = -1}, at,
                    edge->width / 2 + 3);
    draw_tick(s, edge, spot->from, 5, CAB_LAYER_FIXINGS, 0.6);
    cab_labels_add(&s->pad.labels, (cab_slab){at, angle, edge->width + 7, edge->width + 10, CAB_OVER_SYMBOL});
}

static void draw_spots(sketch *s, stack *stacks, bool named)
{
    const cab_board *board = s->board;
    for (int i = 0; i < board->contents.spot_count; i++) {
        const cab_kbl_spot *spot = &board->contents.spots[i];
        if (spot->node >= 0 && board->layout.placed[spot->node])
            draw_node_spot(s, i, stacks, named);
        else if (spot->segment >= 0 && spot->kind == CAB_KBL_FIXING &&
                 board->layout.edges[spot->segment].point_count)
            draw_fixing(s, spot, named);
    }
}

/* Where a loop was cut both ends tell of it. */
static void draw_cuts(sketch *s)
{
    for (int e = 0; e < s->board->layout.edge_count; e++) {
        const cab_layout_edge *edge = &s->board->layout.edges[e];
        if (!edge->cut || !edge->point_count) continue;
        char text[120];
        double angle;
        cab_point at = point_of(edge, 1, &angle);
        snprintf(text, sizeof text, "cut: joins %.80s", s->board->contents.node_names[edge->end]);
        cab_wish wish = {.text = text, .layer = CAB_LAYER_TEXT, .height = 3};
        cab_place_beyond(&s->pad, &wish, at, angle, 2);
        wish.text = s->board->contents.node_names[edge->end];
        cab_place_beyond(&s->pad, &wish, s->board->layout.places[edge->end], free_direction(s, edge->end),
                         width_at(s, edge->end) / 2 + 1);
    }
}

static void draw_all(sketch *s, stack *stacks)
{
    int count = s->board->layout.edge_count;
    const cab_layout_edge *edges = s->board->layout.edges;
    draw_bundles(s);
    draw_branchings(s);
    draw_spots(s, stacks, false);
    for (int e = 0; e < count; e++)
        if (edges[e].point_count) dimension_segment(s, e);
    draw_spots(s, stacks, true);
    draw_cuts(s);
    for (int e = 0; e < count; e++)
        if (edges[e].point_count) name_segment(s, e);
}

cab_status cab_board_draw(cab_board *board, cab_error *error)
{
    sketch s = {.board = board, .pad = {.drawing = &board->drawing}};
    stack *stacks = NULL;
    cab_status status = list_edges(&s, error);
    if (!status) status = list_fixings(&s, error);
    if (!status) status = CAB_NEW(stacks, board->layout.node_count, error);
    if (!status) {
        draw_all(&s, stacks);
        board->drawing.lost |= s.pad.labels.lost;
        cab_board_frame(board);
    }
    cab_labels_free(&s.pad.labels);
    CAB_FREE(s.near, s.around, s.first, s.stops, stacks);
    return status;
}
