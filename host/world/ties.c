/* Ties between cables: their table on the device, a pass over them. */
#include "world/world.h"

cab_status cab_ties_upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t count = (size_t)m->tie_count;
    if (count == 0) return CAB_OK;
    cab_status status = cab_world_upload(world, CAB_BUFFER_tie, m->tie, count, sizeof *m->tie, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_tie_lambda, NULL, count, sizeof(float), error);
    return status;
}

cab_status cab_ties_solve(cab_world *world, bool first, cab_error *error)
{
    const cab_model *m = world->model;
    int flags = CAB_SOLVE_AT_MOST | (first ? CAB_SOLVE_FIRST : 0);
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->tie_colour_count; i++)
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_tie, m->tie_colour[i].first,
                               m->tie_colour[i].count, flags, 0, error);
    return status;
}

int cab_world_get_ties(const cab_world *world, int (*nodes)[2], int capacity)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->tie_count && i < capacity; i++) {
        nodes[i][0] = m->tie_node[i][0];
        nodes[i][1] = m->tie_node[i][1];
    }
    return m->tie_count;
}
