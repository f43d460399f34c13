#include "model/truss.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/blocks.h"

struct cab_truss {
    const cab_bar *bars;
    int bar_count, node_count;
    cab_row_pair *pairs; /* [bars] */
    cab_blocks *matrix;
};

/* a += sign (along d d^T + across (1 - d d^T)) */
static void add_bar(cab_mat3 *a, double sign, const cab_stiffness *bar)
{
    const double d[3] = {bar->direction.x, bar->direction.y, bar->direction.z};
    double excess = sign * (bar->along - bar->across);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a->m[i][j] += excess * d[i] * d[j];
        a->m[i][i] += sign * bar->across;
    }
}

cab_truss *cab_truss_create(int node_count, const cab_bar *bars, int bar_count, cab_error *error)
{
    cab_truss *truss;
    cab_status status = CAB_NEW(truss, 1, error);
    if (status != CAB_OK) return NULL;
    *truss = (cab_truss){.bars = bars, .bar_count = bar_count, .node_count = node_count};
    status = CAB_NEW(truss->pairs, bar_count, error);
    for (int i = 0; status == CAB_OK && i < bar_count; i++)
        truss->pairs[i] = (cab_row_pair){bars[i].a, bars[i].b};
    if (status == CAB_OK) truss->matrix = cab_blocks_create(node_count, truss->pairs, bar_count, error);
    if (truss->matrix) return truss;
    cab_truss_destroy(truss);
    return NULL;
}

void cab_truss_destroy(cab_truss *truss)
{
    if (!truss) return;
    cab_blocks_destroy(truss->matrix);
    CAB_FREE(truss->pairs, truss);
}

void cab_truss_factor(cab_truss *truss, const cab_stiffness *stiffness)
{
    cab_mat3 *diagonal = cab_blocks_diagonal(truss->matrix), *beside = cab_blocks_beside(truss->matrix);
    memset(diagonal, 0, (size_t)truss->node_count * sizeof *diagonal);
    for (int i = 0; i < truss->bar_count; i++) {
        const cab_bar *bar = &truss->bars[i];
        if (bar->a >= 0) add_bar(&diagonal[bar->a], 1, &stiffness[i]);
        if (bar->b >= 0) add_bar(&diagonal[bar->b], 1, &stiffness[i]);
        beside[i] = (cab_mat3){{{0}}};
        add_bar(&beside[i], -1, &stiffness[i]);
    }
    cab_blocks_factor(truss->matrix);
}

void cab_truss_solve(cab_truss *truss, cab_vec3 *x)
{
    cab_blocks_solve(truss->matrix, x);
}
