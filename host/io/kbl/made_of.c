/* Stiffness of a bundle from its parts: wires side by side, tapes and tubes round them. Between the ends of tapes and tubes it is the same
 * all along; such pieces lie one behind the other, so what they give under a moment or a pull adds up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/kbl/kbl.h"

#define ROWS_MOST 1e6 /* wires that a row of a scene counts */

/* A tape or tube of the segment. */
typedef struct layer {
    const cab_kbl_cover *cover;
    cab_kbl_layer is;
} layer;

/* What a wire gives to the bundle; in the end the mean of all pieces. */
typedef struct strand {
    const char *part;
    int index; /* in the segment */
    double own_bond;
    cab_kbl_stiffness bending;
} strand;

/* A piece of the segment on which the same lies all along. */
typedef struct piece {
    double length, radius; /* fraction of the segment; m */
    cab_kbl_stiffness bending, stretching;
} piece;

typedef struct work {
    cab_kbl *kbl;
    cab_kbl_segment *segment;
    layer *layers;
    strand *strands;
    double *ends; /* of layers, and 0 and 1, sorted */
    piece *pieces;
    int layer_count, end_count, piece_count;
    double wires; /* m; radius of what the layers lie on */
} work;

static void add(cab_kbl_stiffness *sum, const cab_kbl_stiffness *one, double factor)
{
    sum->sliding += factor * one->sliding;
    sum->bonded += factor * one->bonded;
    sum->taken += factor * one->taken;
}

static double bond_of_wire(const work *w, const cab_kbl_wire *wire, const cab_kbl_options *options)
{
    const char *const names[] = {w->segment->id, w->segment->name, wire->id, wire->part,
                                 wire->part_id,  "wire",           NULL};
    return cab_kbl_bond_of(options, names);
}

/* ---- wires ---- */

static double bond_in(const strand *s, double tape)
{
    return fmax(s->own_bond, tape);
}

/* What wires that stick to one another give beside their own stiffness: of all directions of bending the mean of EA times the square of the
 * distance from the neutral axis, half the polar moment about the middle of their EA. tape: the least bond; 1: all are one rod. Adds to
 * each strand's; the sum. */
static double lever(const work *w, double tape, double length, bool bonded)
{
    const cab_kbl_segment *s = w->segment;
    double weight = 0, x = 0, y = 0, sum = 0;
    for (int i = 0; i < s->wire_count; i++) {
        double one = bond_in(&w->strands[i], tape) * w->kbl->wires[s->wires[i]].stretching_stiffness;
        weight += one, x += one * s->discs[i].x, y += one * s->discs[i].y;
    }
    if (!(weight > 0)) return 0;
    x /= weight, y /= weight;
    for (int i = 0; i < s->wire_count; i++) {
        double dx = s->discs[i].x - x, dy = s->discs[i].y - y;
        double one = bond_in(&w->strands[i], tape) * w->kbl->wires[s->wires[i]].stretching_stiffness *
                     (dx * dx + dy * dy) / 2;
        *(bonded ? &w->strands[i].bending.bonded : &w->strands[i].bending.taken) += length * one;
        sum += one;
    }
    return sum;
}

static void add_wires(const work *w, double tape, piece *p)
{
    for (int i = 0; i < w->segment->wire_count; i++) {
        const cab_kbl_wire *wire = &w->kbl->wires[w->segment->wires[i]];
        cab_kbl_stiffness bending = {wire->bending_stiffness, wire->bending_stiffness,
                                     wire->bending_stiffness};
        cab_kbl_stiffness stretching = {wire->stretching_stiffness, wire->stretching_stiffness,
                                        wire->stretching_stiffness};
        add(&p->bending, &bending, 1);
        add(&p->stretching, &stretching, 1);
        add(&w->strands[i].bending, &bending, p->length);
    }
    p->bending.bonded += lever(w, 1, p->length, true);
    p->bending.taken += lever(w, tape, p->length, false);
}

/* Wires that are not known, evenly over the area: their mean square distance from the middle is half that of its edge. */
static void add_usual(const work *w, double tape, piece *p)
{
    const cab_kbl_usual *usual = &w->segment->usual;
    double own = usual->count * usual->bending, along = usual->count * usual->stretching;
    double square = w->wires * w->wires / 2, bond = fmax(w->strands[0].own_bond, tape);
    cab_kbl_stiffness bending = {own, own + along * square / 2, own + bond * along * square / 2};
    add(&p->bending, &bending, 1);
    add(&p->stretching, &(cab_kbl_stiffness){along, along, along}, 1);
    add(&w->strands[0].bending, &bending, p->length);
}

/* ---- pieces ---- */

static int by_value(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static void make_piece(work *w, double from, double to)
{
    piece *p = &w->pieces[w->piece_count++];
    double tape = 0, middle = (from + to) / 2;
    *p = (piece){.length = to - from, .radius = w->wires};
    for (int i = 0; i < w->layer_count; i++) {
        const layer *l = &w->layers[i];
        if (!(l->cover->from < middle && middle < l->cover->to)) continue;
        p->radius = fmax(p->radius, l->is.radius);
        if (l->cover->kind == CAB_KBL_TAPE) tape = fmax(tape, l->is.bond);
        add(&p->bending, &l->is.bending, 1);
        add(&p->stretching, &l->is.stretching, 1);
    }
    (w->segment->wire_count ? add_wires : add_usual)(w, tape, p);
}

static void make_pieces(work *w)
{
    w->ends[w->end_count++] = 0;
    w->ends[w->end_count++] = 1;
    for (int i = 0; i < w->layer_count; i++) {
        w->ends[w->end_count++] = w->layers[i].cover->from;
        w->ends[w->end_count++] = w->layers[i].cover->to;
    }
    qsort(w->ends, (size_t)w->end_count, sizeof *w->ends, by_value);
    for (int i = 1; i < w->end_count; i++)
        if (w->ends[i] > w->ends[i - 1]) make_piece(w, w->ends[i - 1], w->ends[i]);
}

/* One behind the other: 1/EI is the mean of theirs. Of what has none at all, nothing. */
static void sum_up(const work *w)
{
    cab_kbl_stiffness bending = {0, 0, 0}, stretching = {0, 0, 0};
    for (int i = 0; i < w->piece_count; i++) {
        const piece *p = &w->pieces[i];
        add(&bending,
            &(cab_kbl_stiffness){1 / p->bending.sliding, 1 / p->bending.bonded, 1 / p->bending.taken},
            p->length);
        add(&stretching,
            &(cab_kbl_stiffness){1 / p->stretching.sliding, 1 / p->stretching.bonded,
                                 1 / p->stretching.taken},
            p->length);
    }
    cab_kbl_segment *s = w->segment;
    s->bending = w->piece_count == 1
                     ? w->pieces[0].bending
                     : (cab_kbl_stiffness){1 / bending.sliding, 1 / bending.bonded, 1 / bending.taken};
    s->stretching = w->piece_count == 1 ? w->pieces[0].stretching
                                        : (cab_kbl_stiffness){1 / stretching.sliding, 1 / stretching.bonded,
                                                              1 / stretching.taken};
}

static int by_radius(const void *a, const void *b)
{
    return by_value(&((const piece *)a)->radius, &((const piece *)b)->radius);
}

/* The radius that half of the segment does not exceed: a short tube does not make all of it thick. */
static double usual_radius(work *w)
{
    double length = 0;
    qsort(w->pieces, (size_t)w->piece_count, sizeof *w->pieces, by_radius);
    int i = 0;
    while (i + 1 < w->piece_count && (length += w->pieces[i].length) <= 0.5) i++;
    return w->pieces[i].radius;
}

/* ---- rows ---- */

static int by_part(const void *a, const void *b)
{
    const strand *p = a, *q = b;
    int order = strcmp(p->part, q->part);
    return order ? order : p->index - q->index;
}

static void add_row(cab_kbl_segment *s, cab_kbl_row row)
{
    s->rows[s->row_count++] = row;
}

static void make_rows(work *w)
{
    cab_kbl_segment *s = w->segment;
    int count = s->wire_count, parts = count ? 1 : 0;
    qsort(w->strands, (size_t)count, sizeof *w->strands, by_part);
    for (int i = 1; i < count; i++) parts += strcmp(w->strands[i].part, w->strands[i - 1].part) != 0;
    s->rows = cab_kbl_new(w->kbl, (size_t)(parts + w->layer_count + 1), sizeof *s->rows);
    if (!s->rows) return;
    for (int i = 0, end; i < count; i = end) {
        cab_kbl_row row = {.name = w->strands[i].part, .kind = "wire", .to = 1};
        for (end = i; end < count && strcmp(w->strands[i].part, w->strands[end].part) == 0; end++) {
            double along = w->kbl->wires[s->wires[w->strands[end].index]].stretching_stiffness;
            add(&row.bending, &w->strands[end].bending, 1);
            add(&row.stretching, &(cab_kbl_stiffness){along, along, along}, 1);
            row.count++;
        }
        add_row(s, row);
    }
    double along = s->usual.count * s->usual.stretching;
    if (!count)
        add_row(s, (cab_kbl_row){"assumed",
                                 "wire",
                                 (int)fmin(round(s->usual.count), ROWS_MOST),
                                 0,
                                 1,
                                 w->strands[0].bending,
                                 {along, along, along}});
    for (int i = 0; i < w->layer_count; i++) {
        const cab_kbl_cover *c = w->layers[i].cover;
        add_row(s, (cab_kbl_row){cab_kbl_part_of(c), cab_kbl_kind_word(c->kind), 1, c->from, c->to,
                                 w->layers[i].is.bending, w->layers[i].is.stretching});
    }
}

/* ---- all ---- */

/* Each lies on what those before it in the file make where they overlap. */
static void wrap(work *w, const cab_kbl_options *options)
{
    for (int k = 0; k < w->layer_count; k++) {
        const cab_kbl_cover *cover = w->layers[k].cover;
        double inside = w->wires;
        for (int i = 0; i < k; i++) {
            const cab_kbl_cover *below = w->layers[i].cover;
            if (below->from < cover->to && cover->from < below->to)
                inside = fmax(inside, w->layers[i].is.radius);
        }
        w->layers[k].is = cab_kbl_layer_on(w->kbl, cover, inside, options);
    }
}

static void begin_strands(work *w, const cab_kbl_options *options)
{
    const cab_kbl_segment *s = w->segment;
    static const cab_kbl_wire assumed = {.id = "", .part = "", .part_id = ""};
    for (int i = 0; i < s->wire_count || i < 1; i++) {
        const cab_kbl_wire *wire = s->wire_count ? &w->kbl->wires[s->wires[i]] : &assumed;
        w->strands[i] = (strand){.part = wire->part, .index = i, .own_bond = bond_of_wire(w, wire, options)};
    }
}

static void measure(cab_kbl_segment *s, const json_t *measured)
{
    const char *const names[] = {s->id, s->name};
    double bending, stretching = 0;
    if (!cab_kbl_measured(measured, names, 2, &bending, &stretching)) return;
    s->bending.taken = bending;
    s->stretches = stretching > 0;
    if (s->stretches) s->stretching.taken = stretching;
}

void cab_kbl_make_of(cab_kbl *kbl, int segment, double wires, const cab_kbl_options *options)
{
    work w = {.kbl = kbl, .segment = &kbl->segments[segment], .wires = wires};
    size_t count = (size_t)w.segment->cover_count;
    w.layers = cab_kbl_new(kbl, count, sizeof *w.layers);
    w.strands = cab_kbl_new(kbl, (size_t)w.segment->wire_count + 1, sizeof *w.strands);
    w.ends = cab_kbl_new(kbl, 2 * count + 2, sizeof *w.ends);
    w.pieces = cab_kbl_new(kbl, 2 * count + 1, sizeof *w.pieces);
    if (kbl->lost) return;
    for (; w.layer_count < w.segment->cover_count; w.layer_count++)
        w.layers[w.layer_count].cover = &w.segment->covers[w.layer_count];
    begin_strands(&w, options);
    wrap(&w, options);
    make_pieces(&w);
    sum_up(&w);
    w.segment->radius = usual_radius(&w);
    make_rows(&w);
    measure(w.segment, options->stiffness);
}
