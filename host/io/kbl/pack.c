/* Discs in a circle: pulled to the middle ever more weakly, pushed apart where they overlap. */
#include "io/kbl/kbl.h"

#include <math.h>

enum { ROUNDS = 150, PASSES = 4, CENTRE_ROUNDS = 200 };
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

/* Spreads them about the origin until none overlaps, by the pair that overlaps most. */
static void inflate(cab_kbl_disc *discs, int count)
{
    double most = 1;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            double d = hypot(discs[j].x - discs[i].x, discs[j].y - discs[i].y);
            double need = discs[i].radius + discs[j].radius;
            if (d > 1e-3 * need) most = fmax(most, need / d);
        }
    }
    for (int i = 0; i < count; i++) discs[i].x *= most, discs[i].y *= most;
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
    for (int round = 0; round <= ROUNDS && count > 1; round++) {
        double pull = PULL * (ROUNDS - round) / ROUNDS;
        for (int i = 0; i < count; i++) discs[i].x *= 1 - pull, discs[i].y *= 1 - pull;
        for (int pass = 0; pass < PASSES; pass++) {
            for (int i = 0; i < count; i++)
                for (int j = i + 1; j < count; j++) part(&discs[i], &discs[j], i + j);
        }
    }
    inflate(discs, count);
    return count ? centre(discs, count) : 0;
}
