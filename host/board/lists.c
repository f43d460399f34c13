/* The wires as they are cut, and the list of parts, as CSV (RFC 4180) in UTF-8: lengths in mm, numbers with a point. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "board/board.h"

/* ---- cells ---- */

/* A text; in quotes where it must be. */
static void cell(cab_file *file, const char *text, char after)
{
    bool plain = !strpbrk(text, ",;\"\r\n");
    if (!plain) cab_file_print(file, "\"");
    for (; *text; text++) cab_file_print(file, *text == '"' ? "\"\"" : "%c", *text);
    cab_file_print(file, plain ? "%c" : "\"%c", after);
}

/* Texts of one cell, with a blank between. */
static void joined(cab_file *file, const char *text, bool first)
{
    if (!first) cab_file_print(file, " ");
    for (; *text; text++) cab_file_print(file, *text == '"' ? "\"\"" : "%c", *text);
}

/* ---- routes ---- */

/* A wire on the board. */
typedef struct run {
    double length;     /* mm */
    int nodes[2];      /* at which it begins and ends; -1 = its route is none */
    const char *fault; /* "" = none */
} run;

/* What wires need to find their ends. */
typedef struct routes {
    const cab_board *board;
    int *degree;  /* [node] segments of the route there; 0 between two routes */
    int *spot_at; /* [node] the first thing at it; -1 = none */
} routes;

static bool routes_make(routes *r, const cab_board *board, cab_file *file)
{
    *r = (routes){.board = board};
    if (CAB_NEW(r->degree, board->kbl.node_count, NULL) || CAB_NEW(r->spot_at, board->kbl.node_count, NULL)) {
        CAB_FREE(r->degree, r->spot_at);
        file->errnum = ENOMEM;
        return false;
    }
    for (int i = 0; i < board->kbl.node_count; i++) r->spot_at[i] = -1;
    for (int i = board->contents.spot_count - 1; i >= 0; i--) {
        const cab_kbl_spot *spot = &board->contents.spots[i];
        if (spot->node >= 0 && spot->kind != CAB_KBL_FIXING) r->spot_at[spot->node] = i;
    }
    return true;
}

static run run_of(const routes *r, const cab_kbl_wire *wire)
{
    run found = {.nodes = {-1, -1}, .fault = wire->route_count ? "" : "not routed"};
    const cab_layout_edge *edges = r->board->layout.edges;
    int ends = 0;
    for (int i = 0; i < wire->route_count; i++) {
        const cab_layout_edge *edge = &edges[wire->route[i]];
        if (edge->start < 0 || edge->length <= 0) continue;
        found.length += edge->length;
        r->degree[edge->start]++, r->degree[edge->end]++;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < wire->route_count; i++) {
            const cab_layout_edge *edge = &edges[wire->route[i]];
            for (int k = 0; k < 2 && edge->start >= 0; k++) {
                int node = k ? edge->end : edge->start;
                if (pass) r->degree[node] = 0;
                if (pass || r->degree[node] != 1) continue;
                if (ends < 2) found.nodes[ends] = node;
                ends++;
            }
        }
    }
    if (wire->route_count && ends != 2) found.fault = "the route has a gap or a branch";
    return found;
}

static const char *name_at(const routes *r, int node)
{
    if (node < 0) return "";
    int spot = r->spot_at[node];
    return spot >= 0 ? r->board->contents.spots[spot].name : r->board->contents.node_names[node];
}

/* ---- the wires ---- */

static void write_wire(cab_file *file, const routes *r, int index, double allowance)
{
    const cab_board *board = r->board;
    const cab_kbl_wire *wire = &board->kbl.wires[index];
    const cab_kbl_lead *lead = &board->contents.leads[index];
    run way = run_of(r, wire);
    bool told = *lead->ends[0].name || *lead->ends[1].name;
    cell(file, wire->id, ',');
    cell(file, lead->number, ',');
    cell(file, lead->cable, ',');
    cell(file, lead->part, ',');
    if (wire->area > 0) cab_file_print(file, "%.3f", 1e6 * wire->area);
    cab_file_print(file, ",");
    cell(file, lead->colour, ',');
    cell(file, lead->signal, ',');
    for (int i = 0; i < 2; i++) {
        cell(file, told ? lead->ends[i].name : name_at(r, way.nodes[i]), ',');
        cell(file, lead->ends[i].pin, ',');
    }
    if (way.length > 0)
        cab_file_print(file, "%.2f,%.2f,%.2f,", way.length, allowance, way.length + 2 * allowance);
    else
        cab_file_print(file, ",,,");
    if (wire->length > 0) cab_file_print(file, "%.2f", 1e3 * wire->length);
    cab_file_print(file, ",");
    if (wire->route_count) cab_file_print(file, "\"");
    for (int i = 0; i < wire->route_count; i++)
        joined(file, board->contents.segment_names[wire->route[i]], i == 0);
    if (wire->route_count) cab_file_print(file, "\"");
    cab_file_print(file, ",%s\r\n", way.fault);
}

void cab_write_cut_list(cab_file *file, const void *of)
{
    const cab_board_list *list = of;
    routes r;
    if (!routes_make(&r, list->board, file)) return;
    cab_file_print(file,
                   "id,number,cable,part_number,core_area_mm2,colour,signal,from,from_pin,to,to_pin,route_mm,"
                   "allowance_per_end_mm,cut_mm,length_in_file_mm,segments,remark\r\n");
    for (int i = 0; i < list->board->kbl.wire_count; i++) write_wire(file, &r, i, list->allowance);
    CAB_FREE(r.degree, r.spot_at);
}

/* ---- the parts ---- */

typedef struct row {
    const char *word, *part, *text, *name;
    double length; /* mm; 0 = none */
    int index;
} row;

static int compare_rows(const void *a, const void *b)
{
    const row *p = a, *q = b;
    int order = strcmp(p->word, q->word);
    if (!order) order = strcmp(p->part, q->part);
    if (!order) order = strcmp(p->text, q->text);
    if (!order && strcmp(p->word, "cable") == 0) order = strcmp(p->name, q->name);
    return order ? order : p->index - q->index;
}

/* What is counted together. */
static bool same_part(const row *a, const row *b)
{
    return strcmp(a->word, b->word) == 0 && strcmp(a->part, b->part) == 0 && strcmp(a->text, b->text) == 0;
}

/* Rows of one part: how many, how long together, which. Cores of one cable are one, as long as the longest. */
static void write_part(cab_file *file, const row *rows, int count)
{
    bool cable = strcmp(rows->word, "cable") == 0, wire = cable || strcmp(rows->word, "wire") == 0;
    double length = 0, longest = 0;
    int number = 0;
    for (int i = 0; i < count; i++) {
        bool last = !cable || i + 1 == count || strcmp(rows[i].name, rows[i + 1].name) != 0;
        longest = fmax(longest, rows[i].length);
        if (!last) continue;
        length += longest;
        longest = 0;
        number++;
    }
    cell(file, rows->word, ',');
    cell(file, rows->part, ',');
    cell(file, rows->text, ',');
    cab_file_print(file, "%d,", number);
    if (length > 0) cab_file_print(file, "%.2f", length);
    cab_file_print(file, ",\"");
    for (int i = 0; i < count && !wire; i++) joined(file, rows[i].name, i == 0);
    cab_file_print(file, "\",\r\n");
}

static double length_on(const cab_board *board, const cab_kbl_spot *spot)
{
    return (spot->to - spot->from) * board->layout.edges[spot->segment].length;
}

/* How long the parts of a protection are together, by its id. */
typedef struct cover {
    const char *id;
    double length;
} cover;

static int compare_covers(const void *a, const void *b)
{
    return strcmp(((const cover *)a)->id, ((const cover *)b)->id);
}

/* Sorted, one for each id; how many. */
static int list_covers(const cab_board *board, cover *covers)
{
    int count = 0, kept = 0;
    for (int i = 0; i < board->contents.spot_count; i++) {
        const cab_kbl_spot *spot = &board->contents.spots[i];
        if (spot->kind == CAB_KBL_PROTECTION && spot->segment >= 0)
            covers[count++] = (cover){spot->id, length_on(board, spot)};
    }
    qsort(covers, (size_t)count, sizeof *covers, compare_covers);
    for (int i = 0; i < count; i++) {
        if (kept && strcmp(covers[kept - 1].id, covers[i].id) == 0)
            covers[kept - 1].length += covers[i].length;
        else
            covers[kept++] = covers[i];
    }
    return kept;
}

static int list_rows(const cab_board_list *list, const routes *r, const cover *covers, int cover_count,
                     row *rows)
{
    const cab_board *board = list->board;
    int count = 0;
    for (int i = 0; i < board->contents.piece_count; i++) {
        const cab_kbl_piece *piece = &board->contents.pieces[i];
        cover key = {.id = piece->id};
        const cover *found = piece->kind == CAB_KBL_PROTECTION
                                 ? bsearch(&key, covers, (size_t)cover_count, sizeof key, compare_covers)
                                 : NULL;
        rows[count] =
            (row){piece->word, piece->part, piece->text, piece->name, found ? found->length : 0, count};
        count++;
    }
    for (int i = 0; i < board->kbl.wire_count; i++) {
        const cab_kbl_lead *lead = &board->contents.leads[i];
        double length = run_of(r, &board->kbl.wires[i]).length;
        if (length > 0) length += 2 * list->allowance;
        const char *part = *lead->part ? lead->part : board->kbl.wires[i].part;
        rows[count] = (row){*lead->cable ? "cable" : "wire",
                            part,
                            "",
                            *lead->cable ? lead->cable : board->kbl.wires[i].id,
                            length,
                            count};
        count++;
    }
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    return count;
}

/* Each piece of tape and tube by the segment that it lies on. */
static void write_covers(cab_file *file, const cab_board *board)
{
    for (int i = 0; i < board->contents.spot_count; i++) {
        const cab_kbl_spot *spot = &board->contents.spots[i];
        if (spot->kind != CAB_KBL_PROTECTION || spot->segment < 0) continue;
        cab_file_print(file, "protection on segment,");
        cell(file, spot->part, ',');
        cell(file, spot->text, ',');
        cab_file_print(file, ",%.2f,", length_on(board, spot));
        cell(file, spot->name, ',');
        cell(file, board->contents.segment_names[spot->segment], '\r');
        cab_file_print(file, "\n");
    }
}

void cab_write_parts(cab_file *file, const void *of)
{
    const cab_board_list *list = of;
    const cab_board *board = list->board;
    routes r;
    row *rows = NULL;
    cover *covers = NULL;
    if (!routes_make(&r, board, file)) return;
    if (CAB_NEW(rows, board->contents.piece_count + board->kbl.wire_count, NULL) ||
        CAB_NEW(covers, board->contents.spot_count, NULL)) {
        file->errnum = ENOMEM;
    } else {
        int cover_count = list_covers(board, covers), count = list_rows(list, &r, covers, cover_count, rows);
        cab_file_print(file, "kind,part_number,description,count,length_mm,names,segment\r\n");
        for (int i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && same_part(&rows[i], &rows[end]);) end++;
            write_part(file, &rows[i], end - i);
        }
        write_covers(file, board);
    }
    CAB_FREE(rows, covers, r.degree, r.spot_at);
}
