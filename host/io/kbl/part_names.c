/* A wire's part is called by its part number, as people and tables of limits do, where that is enough to tell it: where all wires of the
 * number are alike. Cores of a cable share its number, and may differ. */
#include <stdlib.h>
#include <string.h>

#include "io/kbl/kbl.h"

static int by_number(const void *x, const void *y)
{
    const cab_kbl_wire *a = *(const cab_kbl_wire *const *)x, *b = *(const cab_kbl_wire *const *)y;
    return strcmp(a->number, b->number);
}

static bool alike(const cab_kbl_wire *a, const cab_kbl_wire *b)
{
    return a->diameter == b->diameter && a->area == b->area && a->mass == b->mass &&
           a->bend_radius == b->bend_radius;
}

void cab_kbl_name_parts(cab_kbl *kbl)
{
    cab_kbl_wire **sorted = cab_kbl_new(kbl, (size_t)kbl->wire_count, sizeof *sorted);
    if (!sorted) return;
    int count = 0;
    for (int i = 0; i < kbl->wire_count; i++) {
        kbl->wires[i].part = kbl->wires[i].part_id;
        if (*kbl->wires[i].number) sorted[count++] = &kbl->wires[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_number);
    for (int first = 0, end; first < count; first = end) {
        bool all = true;
        for (end = first + 1; end < count && by_number(&sorted[first], &sorted[end]) == 0; end++)
            all = all && alike(sorted[first], sorted[end]);
        for (int i = first; i < end && all; i++) sorted[i]->part = sorted[i]->number;
    }
}
