#include "constraint/rigid_pairs.h"

#include <string.h>

#include "base/array.h"
#include "base/union.h"
#include "contact/contact.h"
#include "model/constraint_kind.h"
#include "model/rigid.h"
#include "world/device.h"
#include "world/pieces.h"

extern const cab_constraint_kind cab_rigid_kind;

bool cab_rigid_touchable(const cab_model *m)
{
    return m->collider_count > m->led_collider_end;
}

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static cab_status note(cab_rigid_data *data, const cab_model *m, int cable, int body, cab_error *error)
{
    const int pair[2] = {cable, body}, *last = data->fresh_count ? data->fresh[data->fresh_count - 1] : NULL;
    if (last && compare(last, pair) == 0) return CAB_OK;
    if (m->rigid_pair_count > 0 &&
        bsearch(pair, m->rigid_pair, (size_t)m->rigid_pair_count, sizeof pair, compare))
        return CAB_OK;
    cab_status status = CAB_ONE_MORE(data->fresh, data->fresh_count, error);
    if (status == CAB_OK) memcpy(data->fresh[data->fresh_count++], pair, sizeof pair);
    return status;
}

static cab_status look(cab_world *world, cab_rigid_data *data, cab_error *error)
{
    const cab_model *m = world->model;
    int *start = NULL, *near = NULL, n = m->segment_count;
    cab_status status = cab_contact_read_near(world, &start, &near, error);
    for (int i = 0; status == CAB_OK && i < n; i++) {
        for (int k = start[i]; status == CAB_OK && k < start[i + 1]; k++) {
            int collider = near[k] >> 2;
            if (collider < m->led_collider_end || collider >= m->collider_count) continue;
            status = note(data, m, (int)m->segment[i].cable, m->collider[collider].rigid - 1, error);
        }
    }
    CAB_FREE(start, near);
    return status;
}

cab_status cab_rigid_look(cab_world *world, cab_error *error)
{
    if (!cab_rigid_touchable(world->model) || !world->contact.listed) return CAB_OK;
    cab_rigid_data *data = cab_kind_data(world, &cab_rigid_kind);
    if (data->lists == world->contact.near_made) return CAB_OK;
    data->lists = world->contact.near_made;
    return look(world, data, error);
}

void cab_rigid_join(const cab_world *world, int *parent)
{
    const cab_model *m = world->model;
    if (!cab_rigid_touchable(m)) return;
    const cab_rigid_data *data = cab_kind_data(world, &cab_rigid_kind);
    const int *of = world->pace.components.of;
    for (int i = 0; i < data->fresh_count; i++)
        cab_union_join(parent, of[cab_rigid_pair_particle(m, data->fresh[i])],
                       of[m->rigid[data->fresh[i][1]].point]);
}

/* New components, with tables of their own, and all else as it is. */
static cab_status remake(cab_world *world, cab_error *error)
{
    cab_status status = cab_pieces_restart(world, error);
    return status == CAB_OK ? world->carrier->regroup(world, error) : status;
}

cab_status cab_rigid_regroup(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    if (!cab_rigid_touchable(m)) return CAB_OK;
    cab_rigid_data *data = cab_kind_data(world, &cab_rigid_kind);
    int count = m->rigid_pair_count, all = count + data->fresh_count;
    if (data->fresh_count == 0) return CAB_OK;
    cab_status status = CAB_RESIZE(m->rigid_pair, all, error);
    if (status != CAB_OK) return status;
    memcpy(m->rigid_pair + count, data->fresh, (size_t)data->fresh_count * sizeof *data->fresh);
    qsort(m->rigid_pair, (size_t)all, sizeof *m->rigid_pair, compare);
    m->rigid_pair_count = 1;
    for (int i = 1; i < all; i++)
        if (compare(m->rigid_pair[i - 1], m->rigid_pair[i]) != 0)
            memmove(m->rigid_pair[m->rigid_pair_count++], m->rigid_pair[i], sizeof *m->rigid_pair);
    CAB_FREE(data->fresh);
    data->fresh = NULL;
    data->fresh_count = 0;
    return remake(world, error);
}

cab_status cab_rigid_set_pairs(cab_world *world, const int (*pairs)[2], size_t count, cab_error *error)
{
    cab_model *m = world->model;
    if (!cab_rigid_touchable(m)) return CAB_OK;
    cab_rigid_data *data = cab_kind_data(world, &cab_rigid_kind);
    CAB_FREE(m->rigid_pair, data->fresh);
    data->fresh = NULL;
    data->fresh_count = m->rigid_pair_count = 0;
    cab_status status = CAB_NEW(m->rigid_pair, count, error);
    if (status != CAB_OK) return status;
    if (count > 0) memcpy(m->rigid_pair, pairs, count * sizeof *pairs);
    m->rigid_pair_count = (int)count;
    return remake(world, error);
}

int cab_rigid_fresh(const cab_world *world, int (*pairs)[2])
{
    const cab_rigid_data *data = cab_kind_data(world, &cab_rigid_kind);
    if (pairs && data->fresh_count > 0)
        memcpy(pairs, data->fresh, (size_t)data->fresh_count * sizeof *data->fresh);
    return data->fresh_count;
}

cab_status cab_rigid_set_fresh(cab_world *world, const int (*pairs)[2], size_t count, cab_error *error)
{
    cab_rigid_data *data = cab_kind_data(world, &cab_rigid_kind);
    if (!cab_rigid_touchable(world->model)) return CAB_OK;
    CAB_FREE(data->fresh);
    data->fresh_count = 0;
    cab_status status = CAB_NEW(data->fresh, count, error);
    if (status != CAB_OK) return status;
    if (count > 0) memcpy(data->fresh, pairs, count * sizeof *pairs);
    data->fresh_count = (int)count;
    data->lists = world->contact.near_made;
    return CAB_OK;
}

/* Tables that are made within a substep keep which lengths its pieces solve for (pace_lengths). */
static cab_status keep_lengths(cab_world *world, const cab_branch_node *before, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branch_node *made = world->staged.branches.node;
    cab_branch_node *node;
    int *row = NULL, n = m->node_count;
    cab_status status = CAB_NEW(node, n, error);
    if (status == CAB_OK) status = CAB_NEW(row, m->distance_count, error);
    for (int k = 0; status == CAB_OK && k < n; k++)
        if (before[k].distance >= 0) row[before[k].distance] = k;
    for (int k = 0; status == CAB_OK && k < n; k++) {
        node[k] = made[k];
        if (made[k].distance < 0) continue;
        node[k].wanted = before[row[made[k].distance]].wanted;
        node[k].kept = before[row[made[k].distance]].kept;
    }
    if (status == CAB_OK)
        status = world->backend->ops->write(world->backend, CAB_BUFFER_branch_node, 0,
                                            (size_t)n * sizeof *node, node, error);
    CAB_FREE(node, row);
    return status;
}

cab_status cab_rigid_remake(cab_world *world, cab_error *error)
{
    bool *none;
    cab_branch_node *before = NULL;
    cab_status status = CAB_NEW(none, world->staged.branches.component_count, error);
    if (status == CAB_OK && cab_pieces_any(world))
        status = CAB_READ_NEW(world, CAB_BUFFER_branch_node, before, (size_t)world->model->node_count, error);
    if (status == CAB_OK) status = world->carrier->update_substep(world, none, error);
    if (status == CAB_OK && before) status = keep_lengths(world, before, error);
    CAB_FREE(none, before);
    return status;
}
