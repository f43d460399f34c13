/* Buffers and launches of kernels/cluster.cl. */
#include "carrier/cluster.h"

#include "contact/contact.h"
#include "contact/lists.h"
#include "world/device.h"

cab_status cab_cluster_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    bool possible = cab_contact_possible(m) && (m->settings.contact.cables || m->settings.contact.self);
    size_t particles = possible ? (size_t)m->particle_count : 0, nodes = possible ? (size_t)m->node_count : 0;
    size_t components = possible ? (size_t)world->staged.branches.component_count : 0;
    const cab_table tables[] = {
        {CAB_BUFFER_paired, NULL, components, sizeof(int)},
        {CAB_BUFFER_burden, NULL, components, sizeof(int)},
        {CAB_BUFFER_cluster, NULL, components, sizeof(cab_cluster)},
        {CAB_BUFFER_cluster_root, NULL, components, sizeof(int)},
        {CAB_BUFFER_cluster_count, NULL, possible ? CAB_CLUSTERS_NUMBERS : 0, sizeof(int)},
        {CAB_BUFFER_mobility, NULL, CAB_MOBILITY * nodes, sizeof(float)},
        {CAB_BUFFER_pair_pull, NULL, particles, sizeof(float4)},
        {CAB_BUFFER_pair_force, NULL, particles, sizeof(float4)},
    };
    return CAB_UPLOAD(world, tables, error);
}

/* A launch of a list. */
typedef struct launch {
    cab_kernel kernel;
    int count, argument;
} launch;

static cab_status run_all(cab_world *world, const launch *launches, size_t count, cab_error *error)
{
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < count; i++)
        status = cab_world_run(world, CAB_STAGE_CONTACT, launches[i].kernel, 0, launches[i].count,
                               launches[i].argument, 0, error);
    return status;
}

#define RUN_ALL(world, launches, error) run_all(world, launches, sizeof(launches) / sizeof *(launches), error)

/* Makes room for what the clusters of a substep need. */
static cab_status make_room(cab_world *world, cab_error *error)
{
    static const struct {
        int number;
        cab_buffer id;
        size_t size;
    } buffers[] = {
        {CAB_CLUSTERS_CONTACTS, CAB_BUFFER_cluster_state, CAB_CLUSTER_STATE * sizeof(float)},
        {CAB_CLUSTERS_GROUPS, CAB_BUFFER_cluster_rows, sizeof(cab_cluster_rows)},
        {CAB_CLUSTERS_GROUPS, CAB_BUFFER_cluster_slide,
         CAB_CLUSTER_GROUP * CAB_CLUSTER_ROW_STATE * sizeof(float)},
        {CAB_CLUSTERS_FLOATS, CAB_BUFFER_delassus, sizeof(float)},
    };
    cab_staged *s = &world->staged;
    cab_status status = CAB_OK;
    bool grows[CAB_CLUSTERS_NUMBERS] = {false};
    for (int i = 0; i < CAB_CLUSTERS_NUMBERS; i++) {
        grows[i] = (size_t)s->cluster_need[i] > s->cluster_room[i];
        if (grows[i]) s->cluster_room[i] = (size_t)s->cluster_need[i] + (size_t)s->cluster_need[i] / 2;
    }
    for (size_t i = 0; status == CAB_OK && i < sizeof buffers / sizeof *buffers; i++) {
        if (!grows[buffers[i].number]) continue;
        status = world->backend->ops->allocate(world->backend, buffers[i].id,
                                               s->cluster_room[buffers[i].number] * buffers[i].size, error);
    }
    return status;
}

cab_status cab_cluster_find(cab_world *world, bool pairs, cab_error *error)
{
    int components = world->staged.branches.component_count, *need = world->staged.cluster_need;
    world->staged.clusters = false;
    if (!pairs) return CAB_OK;
    const launch find[] = {{CAB_KERNEL_cluster_burden, components, 0},
                           {CAB_KERNEL_cluster_find, 1, components}};
    cab_status status = RUN_ALL(world, find, error);
    if (status == CAB_OK)
        status = world->backend->ops->read(world->backend, CAB_BUFFER_cluster_count, 0,
                                           sizeof world->staged.cluster_need, need, error);
    if (status != CAB_OK || need[CAB_CLUSTERS_FOUND] == 0) return status;
    world->staged.clusters = true;
    const launch start[] = {{CAB_KERNEL_cluster_number, components, need[CAB_CLUSTERS_BLOCK]},
                            {CAB_KERNEL_cluster_start, world->model->particle_count, 0}};
    status = make_room(world, error);
    return status == CAB_OK ? RUN_ALL(world, start, error) : status;
}

cab_status cab_cluster_agree(cab_world *world, cab_error *error)
{
    const launch launches[] = {{CAB_KERNEL_cluster_agree, world->staged.branches.component_count, 0}};
    return world->staged.clusters ? RUN_ALL(world, launches, error) : CAB_OK;
}

cab_status cab_cluster_solve(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    int groups = world->staged.cluster_need[CAB_CLUSTERS_GROUPS], rows = groups * CAB_CLUSTER_GROUP;
    const launch launches[] = {
        {CAB_KERNEL_cluster_mobility, b->branch_count, 0},
        {CAB_KERNEL_cluster_columns, rows / world->backend->tile_width, 0},
        {CAB_KERNEL_cluster_turn, groups, 0},
        {CAB_KERNEL_cluster_clear, world->params.pair_count, 0},
        {CAB_KERNEL_cluster_solve, b->component_count, rows},
        {CAB_KERNEL_contact_push, cab_blocks_of(m->segment_count, CAB_CHUNK), 0},
        {CAB_KERNEL_cluster_force, m->particle_count, 0},
        {CAB_KERNEL_cluster_move, b->branch_count, 0},
    };
    return world->staged.clusters ? RUN_ALL(world, launches, error) : CAB_OK;
}
