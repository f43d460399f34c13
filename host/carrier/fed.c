#include "carrier/fed.h"

#include <math.h>

#include "base/array.h"
#include "world/device.h"

cab_status cab_fed_restart(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    free(world->staged.fed);
    cab_status status = CAB_NEW(world->staged.fed, m->drum_count, error);
    for (int f = 0; status == CAB_OK && f < m->drum_count; f++) world->staged.fed[f].stored = NAN;
    return status;
}

static cab_status write(cab_world *world, cab_buffer id, const void *array, size_t first, size_t count,
                        size_t size, cab_error *error)
{
    const char *from = (const char *)array + first * size;
    if (count == 0) return CAB_OK;
    return world->backend->ops->write(world->backend, id, first * size, count * size, from, error);
}

static cab_status write_change(cab_world *world, const cab_branches_change *c, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    size_t first = (size_t)c->first_factor, count = (size_t)c->factor_count,
           nodes = (size_t)world->model->node_count;
    cab_status status = write(world, CAB_BUFFER_branch_node, b->node, (size_t)c->first_node,
                              (size_t)c->node_count, sizeof *b->node, error);
    for (size_t order = 0; status == CAB_OK && order < 2; order++)
        status = write(world, CAB_BUFFER_branch_factor, b->factor, first + order * nodes, count,
                       sizeof *b->factor, error);
    if (status != CAB_OK || !c->separators) return status;
    status = write(world, CAB_BUFFER_separator, b->separator, 0, (size_t)b->separator_count + 1,
                   sizeof *b->separator, error);
    if (status == CAB_OK)
        status = write(world, CAB_BUFFER_separator_factor, b->separator_factor, 0, 2 * (size_t)b->row_count,
                       sizeof(float), error);
    return status;
}

cab_status cab_fed_follow(cab_world *world, int drum, cab_error *error)
{
    cab_fed *fed = &world->staged.fed[drum];
    const cab_drum *now = &world->model->drum[drum];
    bool whole = isnan(fed->stored) || now->free > fed->free + 1 || now->free < fed->free - 1;
    cab_branches_change change;
    if (!whole && fed->stored == now->now) return CAB_OK;
    cab_status status = cab_branches_feed(world->model, &world->staged.branches, now, whole, &change, error);
    if (status == CAB_OK) status = write_change(world, &change, error);
    *fed = (cab_fed){now->now, now->free};
    return status;
}
