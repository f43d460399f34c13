/* From a harness to what is laid out. */
#include "board/board.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"

#define PI 3.14159265358979323846
#define FILL 0.7         /* wires' share of a bundle's area (docs/harness.md) */
#define USUAL_WIRE 1.6   /* mm, FLRY 0.5 mm^2 */
#define USUAL_BUNDLE 5.0 /* mm */
#define LEAST 0.5        /* mm; a segment that is shorter has no length */

/* mm: of its cross-section, else of its wires. */
static double width_of(const cab_kbl *kbl, const cab_kbl_segment *segment)
{
    double area = 1e6 * segment->area, wires = 0;
    for (int i = 0; i < segment->wire_count; i++) {
        const cab_kbl_wire *wire = &kbl->wires[segment->wires[i]];
        double diameter = wire->diameter > 0 ? 1e3 * wire->diameter : USUAL_WIRE;
        wires += PI / 4 * diameter * diameter / (segment->wire_count > 1 ? FILL : 1);
    }
    double width = area > 0 ? sqrt(4 * area / PI) : wires > 0 ? sqrt(4 * wires / PI) : USUAL_BUNDLE;
    return fmin(width, 1e4);
}

/* mm: what the file says, else as its nodes are apart; 0 = none. */
static double length_of(cab_kbl *kbl, const cab_kbl_segment *segment)
{
    if (segment->length > 0) return 1e3 * segment->length;
    const cab_kbl_node *a = &kbl->nodes[segment->start], *b = &kbl->nodes[segment->end];
    double x = a->place.x - b->place.x, y = a->place.y - b->place.y, z = a->place.z - b->place.z;
    double length = a->placed && b->placed ? 1e3 * sqrt(x * x + y * y + z * z) : 0;
    if (length <= LEAST) return 0;
    cab_kbl_note(kbl, segment->line, segment->id, "no length; its nodes are %.1f mm apart, which is taken",
                 length);
    return length;
}

static int root_of(int *as, int node)
{
    while (as[node] != node) node = as[node] = as[as[node]];
    return node;
}

/* Segments as edges; those without length make their nodes one. as: [node_count] room. */
static void take_segments(cab_board *board, int *as)
{
    cab_kbl *kbl = &board->kbl;
    cab_layout_edge *edges = board->layout.edges;
    for (int i = 0; i < kbl->node_count; i++) as[i] = i;
    for (int s = 0; s < kbl->segment_count; s++) {
        const cab_kbl_segment *segment = &kbl->segments[s];
        edges[s] =
            (cab_layout_edge){.start = segment->start, .end = segment->end, .width = width_of(kbl, segment)};
        if (segment->start < 0 || segment->end < 0) {
            cab_kbl_note(kbl, segment->line, segment->id, "Start_node or End_node is missing; left out");
            edges[s].start = edges[s].end = -1;
            continue;
        }
        edges[s].length = length_of(kbl, segment);
        if (edges[s].length > 0) continue;
        cab_kbl_note(kbl, segment->line, segment->id, "it has no length; left out, its nodes are one");
        as[root_of(as, segment->end)] = root_of(as, segment->start);
    }
    for (int s = 0; s < kbl->segment_count; s++) {
        if (edges[s].start < 0) continue;
        edges[s].start = root_of(as, edges[s].start), edges[s].end = root_of(as, edges[s].end);
        if (edges[s].length > 0) board->ends[edges[s].start]++, board->ends[edges[s].end]++;
    }
    for (int i = 0; i < board->contents.spot_count; i++) {
        cab_kbl_spot *spot = &board->contents.spots[i];
        if (spot->node >= 0) spot->node = root_of(as, spot->node);
    }
}

/* Room beyond the ends of branches, for connectors and their names. */
static void take_reach(cab_board *board)
{
    for (int i = 0; i < board->kbl.node_count; i++) board->reach[i] = 15;
    for (int i = 0; i < board->contents.spot_count; i++) {
        const cab_kbl_spot *spot = &board->contents.spots[i];
        if (spot->node < 0) continue;
        double room = 30 + fmin(60, cab_text_width(spot->name, 4));
        board->reach[spot->node] = fmax(board->reach[spot->node], room);
    }
}

static cab_status lay_out(cab_board *board, cab_error *error)
{
    cab_kbl *kbl = &board->kbl;
    cab_layout *layout = &board->layout;
    int *as = NULL;
    *layout = (cab_layout){.edge_count = kbl->segment_count, .node_count = kbl->node_count};
    cab_status status = CAB_NEW(layout->edges, kbl->segment_count, error);
    if (!status) status = CAB_NEW(board->reach, kbl->node_count, error);
    if (!status) status = CAB_NEW(board->ends, kbl->node_count, error);
    if (!status) status = CAB_NEW(as, kbl->node_count, error);
    if (!status) {
        take_segments(board, as);
        take_reach(board);
        layout->reach = board->reach;
        status = cab_layout_make(layout, error);
    }
    free(as);
    return status;
}

static void note_loops(cab_board *board)
{
    cab_kbl *kbl = &board->kbl;
    for (int s = 0; s < kbl->segment_count; s++) {
        const cab_layout_edge *edge = &board->layout.edges[s];
        if (edge->cut)
            cab_kbl_note(kbl, kbl->segments[s].line, kbl->segments[s].id,
                         "it closes a loop, which is cut: its end at %.60s is drawn apart from there",
                         board->contents.node_names[edge->end]);
    }
}

cab_status cab_board_make(cab_board *board, const char *file, const char *text, size_t size, cab_error *error)
{
    *board = (cab_board){.name = ""};
    cab_status status = cab_kbl_read_all(&board->kbl, &board->contents, file, text, size, error);
    if (!status) status = lay_out(board, error);
    if (!status && !board->layout.trees)
        status = cab_fail(error, CAB_ERROR_INPUT,
                          "%s: no segment has two nodes and a length: nothing to lay out", file);
    if (status) return status;
    note_loops(board);
    board->name = *board->contents.name ? board->contents.name : cab_path_name(file);
    board->drawing.name = board->name;
    status = cab_board_draw(board, error);
    if (!status && (board->drawing.lost || board->kbl.lost)) status = cab_fail_memory(error, "a drawing", 0);
    return status;
}

void cab_board_free(cab_board *board)
{
    cab_drawing_free(&board->drawing);
    cab_layout_free(&board->layout);
    CAB_FREE(board->layout.edges, board->reach, board->ends);
    cab_kbl_free(&board->kbl);
    *board = (cab_board){.name = NULL};
}
