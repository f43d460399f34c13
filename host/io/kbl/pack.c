/* Discs in a circle: pulled to the middle ever more weakly, pushed apart where they overlap. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

enum { ROUNDS = 150, PASSES = 4, CENTRE_ROUNDS = 200, FEW = 128, ROUNDS_MANY = 50 };
#define PULL 0.1 /* share of the way to the middle in the first round; falls to 0 in the last */
#define GOLDEN_ANGLE 2.399963229728653 /* directions for discs at one place, no two of them alike */

static void part(cab_kbl_disc *a, cab_kbl_disc *b, int index)
{
    double x = b->x - a->x, y = b->y - a->y, need = a->radius + b->radius, square = x * x + y * y;
    if (square >= need * need) return;
    double distance = sqrt(square);
    if (distance < 1e-9 * need) x = cos(index * GOLDEN_ANGLE), y = sin(index * GOLDEN_ANGLE), distance = 1;
    double step = (need - (square > 0 ? sqrt(square) : 0)) / 2 / distance;
    a->x -= step * x, a->y -= step * y;
    b->x += step * x, b->y += step * y;
}

/* How much farther apart two discs have to be, at least. */
static void measure(const cab_kbl_disc *a, const cab_kbl_disc *b, double *most)
{
    double d = hypot(b->x - a->x, b->y - a->y), need = a->radius + b->radius;
    if (d > 1e-3 * need) *most = fmax(*most, need / d);
}

/* Spreads them about the origin until none overlaps, by the pair that overlaps most. */
static void spread(cab_kbl_disc *discs, int count, double most)
{
    for (int i = 0; i < count; i++) discs[i].x *= most, discs[i].y *= most;
}

static void pull(cab_kbl_disc *discs, int count, int round)
{
    double share = PULL * (ROUNDS - round) / ROUNDS;
    spread(discs, count, 1 - share);
}

/* ---- more than a few: pairs are looked for among neighbours, in a grid whose cells are as wide as the widest disc ---- */

typedef struct grid {
    cab_kbl_disc *discs;
    int count, side;               /* cells a side */
    double least_x, least_y, cell; /* m */
    int *start, *member;           /* [side * side + 1], [count] in the order of their numbers */
} grid;

static int cell_of(double x, double least, const grid *g)
{
    int at = (int)fmin((x - least) / g->cell, g->side - 1);
    return at > 0 ? at : 0;
}

static int cell_at(const grid *g, int disc)
{
    return cell_of(g->discs[disc].y, g->least_y, g) * g->side + cell_of(g->discs[disc].x, g->least_x, g);
}

/* As many cells as discs at most: cells are wider than needed where discs lie far apart. */
static void sort_into(grid *g)
{
    double most_x = -INFINITY, most_y = -INFINITY, widest = 1e-9;
    g->least_x = g->least_y = INFINITY;
    for (int i = 0; i < g->count; i++) {
        const cab_kbl_disc *d = &g->discs[i];
        g->least_x = fmin(g->least_x, d->x), most_x = fmax(most_x, d->x);
        g->least_y = fmin(g->least_y, d->y), most_y = fmax(most_y, d->y);
        widest = fmax(widest, 2 * d->radius);
    }
    double reach = fmax(fmax(most_x - g->least_x, most_y - g->least_y), widest);
    g->side = (int)fmax(1, fmin(floor(reach / widest), floor(sqrt(g->count))));
    g->cell = reach / g->side;
    for (int i = 0; i <= g->side * g->side; i++) g->start[i] = 0;
    for (int i = 0; i < g->count; i++) g->start[cell_at(g, i)]++;
    for (int i = 1; i <= g->side * g->side; i++) g->start[i] += g->start[i - 1];
    for (int i = g->count - 1; i >= 0; i--) g->member[--g->start[cell_at(g, i)]] = i;
}

/* Every two in a cell or in cells side by side, once; most: NULL = they are parted. */
static void visit_pairs(const grid *g, double *most)
{
    for (int i = 0; i < g->count; i++) {
        int own = cell_at(g, i), row = own / g->side, column = own % g->side;
        for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < g->side; y++) {
            for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < g->side; x++) {
                for (int k = g->start[y * g->side + x]; k < g->start[y * g->side + x + 1]; k++) {
                    int j = g->member[k];
                    if (j <= i) continue;
                    if (most)
                        measure(&g->discs[i], &g->discs[j], most);
                    else
                        part(&g->discs[i], &g->discs[j], i + j);
                }
            }
        }
    }
}

/* Where many begin in one place, all would push all: they are laid out as the seeds of a sunflower. */
static void lay_out(cab_kbl_disc *discs, int count)
{
    double widest = 0;
    for (int i = 0; i < count; i++) {
        if (discs[i].x != discs[0].x || discs[i].y != discs[0].y) return;
        widest = fmax(widest, discs[i].radius);
    }
    for (int i = 0; i < count; i++) {
        double far = widest * sqrt(i), angle = i * GOLDEN_ANGLE;
        discs[i].x = far * cos(angle), discs[i].y = far * sin(angle);
    }
}

static double pack_many(cab_kbl_disc *discs, int count)
{
    grid g = {.discs = discs, .count = count};
    double most = 1;
    if (CAB_NEW(g.start, count + 1, NULL) || CAB_NEW(g.member, count, NULL)) {
        CAB_FREE(g.start, g.member);
        return -1;
    }
    lay_out(discs, count);
    for (int round = 0; round <= ROUNDS_MANY; round++) {
        pull(discs, count, round * ROUNDS / ROUNDS_MANY);
        for (int pass = 0; pass < PASSES; pass++) {
            sort_into(&g);
            visit_pairs(&g, NULL);
        }
    }
    sort_into(&g);
    visit_pairs(&g, &most);
    spread(discs, count, most);
    CAB_FREE(g.start, g.member);
    return 0;
}

/* ---- a few: every two ---- */

static void pack_few(cab_kbl_disc *discs, int count)
{
    double most = 1;
    for (int round = 0; round <= ROUNDS && count > 1; round++) {
        pull(discs, count, round);
        for (int pass = 0; pass < PASSES; pass++) {
            for (int i = 0; i < count; i++)
                for (int j = i + 1; j < count; j++) part(&discs[i], &discs[j], i + j);
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) measure(&discs[i], &discs[j], &most);
    spread(discs, count, most);
}

/* The circle round them becomes the origin's (Badoiu and Clarkson, 2003: towards the farthest). */
static double centre(cab_kbl_disc *discs, int count)
{
    double x = 0, y = 0, radius = 0;
    for (int k = 0; k <= CENTRE_ROUNDS; k++) {
        int farthest = 0;
        radius = 0;
        for (int i = 0; i < count; i++) {
            double reach = hypot(discs[i].x - x, discs[i].y - y) + discs[i].radius;
            if (reach > radius) radius = reach, farthest = i;
        }
        double off = hypot(discs[farthest].x - x, discs[farthest].y - y);
        if (k == CENTRE_ROUNDS || off <= 0) break;
        double share = radius / off / (k + 2) * 0.5; /* towards its far side */
        share = fmin(share, 1);
        x += share * (discs[farthest].x - x), y += share * (discs[farthest].y - y);
    }
    for (int i = 0; i < count; i++) discs[i].x -= x, discs[i].y -= y;
    return radius;
}

double cab_kbl_pack(cab_kbl_disc *discs, int count)
{
    if (count <= FEW)
        pack_few(discs, count);
    else if (pack_many(discs, count) < 0)
        return -1;
    return count ? centre(discs, count) : 0;
}
