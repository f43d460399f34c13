/* Looks at the cables of a gang's worlds, which several worlds need in the same frame: one launch and one read for all. */
#include <string.h>

#include "base/array.h"
#include "carrier/gang.h"
#include "carrier/gang_inside.h"
#include "world/device.h"

/* Could the cables of two worlds touch what is alike? What moves is elsewhere in each; meshes have tables of their own. */
static bool look_alike(const cab_model *a, const cab_model *b)
{
    return cab_gang_alike_colliders(a, b) && a->group_collider_count == b->group_collider_count &&
           !memcmp(a->group_collider, b->group_collider,
                   (size_t)a->group_collider_count * sizeof *a->group_collider);
}

static bool can_look(const cab_gang *gang, const cab_world *any)
{
    const cab_model *m = any->model;
    for (int k = 0; k < m->collider_count; k++)
        if (m->collider[k].shape == CAB_SHAPE_IS_MESH) return false;
    for (int i = 0; i < gang->size; i++) {
        const cab_world *world = gang->member[i].world;
        if (world && (!world->clear.possible || world->colliders.move || !look_alike(m, world->model) ||
                      cab_model_excluded_colliders(world->model) > 0))
            return false;
    }
    return true;
}

cab_status cab_gang_make_looks(cab_gang *gang, const cab_world *any, cab_error *error)
{
    const cab_model *m = any->model;
    size_t chains = (size_t)gang->all.chains, segments = (size_t)(gang->all.particles - gang->all.chains);
    cab_segment *segment = NULL;
    int *excluded, none = 0;
    size_t first = gang->kind == CAB_GANG_NEAR ? 2 : 0; /* near frames have the first two already */
    memset(gang->looked, 0, sizeof gang->looked);
    gang->looks = gang->collider_rows > 0 && can_look(gang, any);
    if (!gang->looks) return CAB_OK;
    cab_status status = CAB_NEW(excluded, segments + 1, error);
    if (status == CAB_OK && first == 0) status = cab_gang_segments(gang, &segment, error);
    const cab_table tables[] = {
        {CAB_BUFFER_segment, segment, segments, sizeof *segment},
        {CAB_BUFFER_collider, gang->collider, (size_t)(gang->collider_rows * gang->collider_count),
         sizeof *gang->collider},
        {CAB_BUFFER_group_collider, m->group_collider, (size_t)m->group_collider_count,
         sizeof *m->group_collider},
        {CAB_BUFFER_exclude_start, excluded, segments + 1, sizeof *excluded},
        {CAB_BUFFER_exclude, &none, 1, sizeof none},
        {CAB_BUFFER_far_chain, NULL, chains * CAB_FAR_NUMBERS, sizeof(float)},
        {CAB_BUFFER_far_cosine, NULL, chains, sizeof(float)},
        {CAB_BUFFER_far_part, NULL, chains * CAB_PART_NUMBERS, sizeof(float)},
    };
    for (size_t i = first; status == CAB_OK && i < sizeof tables / sizeof *tables; i++)
        status = cab_device_upload(gang->backend, &tables[i], error);
    CAB_FREE(excluded, segment);
    return status;
}

static cab_gang_looked *looked_by(cab_gang *gang, cab_kernel kernel)
{
    return &gang->looked[kernel == CAB_KERNEL_far_chains ? 0 : kernel == CAB_KERNEL_far_straight ? 1 : 2];
}

/* Looks at all worlds, if that has not been done. */
static cab_status look(cab_gang *gang, cab_kernel kernel, int argument, cab_buffer id, cab_error *error)
{
    cab_backend *b = gang->backend;
    cab_status status = cab_gang_give(gang, error);
    cab_gang_looked *looked = looked_by(gang, kernel);
    if (status != CAB_OK || looked->done) return status;
    status = b->ops->run(b, kernel, 0, gang->all.chains, argument, 0, error);
    gang->current[id] = false;
    *looked = (cab_gang_looked){status == CAB_OK, argument};
    return status;
}

static cab_status take_rows(cab_gang *gang, const cab_world *world, cab_buffer id, size_t numbers,
                            float *rows, cab_error *error)
{
    size_t row = numbers * sizeof *rows;
    size_t first = (size_t)gang->member[world->lanes.member].before.chains;
    const char *from;
    cab_status status = cab_gang_see(gang, id, &from, error);
    if (status == CAB_OK) memcpy(rows, from + first * row, (size_t)world->model->cable_count * row);
    return status;
}

cab_status cab_gang_look(cab_world *world, cab_kernel kernel, int argument, cab_buffer id, size_t numbers,
                         float *rows, bool *done, cab_error *error)
{
    *done = false;
    if (!world->lanes.resident || !world->lanes.taken || world->colliders.move) return CAB_OK;
    cab_gang *gang = world->lanes.gangs[world->lanes.in];
    pthread_mutex_lock(&gang->lock);
    cab_status status = gang->looks ? look(gang, kernel, argument, id, error) : CAB_OK;
    *done = status == CAB_OK && gang->looks && looked_by(gang, kernel)->argument == argument;
    if (*done) status = take_rows(gang, world, id, numbers, rows, error);
    pthread_mutex_unlock(&gang->lock);
    return status;
}
