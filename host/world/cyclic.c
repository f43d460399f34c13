/* The cyclic way: a work-group per cable, a frame in a launch. */
#include "world/world.h"

#include "model/scene.h"

cab_status cab_cyclic_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_cyclic_tables t;
    cab_status status = cab_cyclic_build(m, &t, error);
    if (status != CAB_OK) return status;
    size_t cables = (size_t)m->cable_count;
    struct {
        cab_buffer id;
        const void *data;
        size_t count, size;
    } tables[] = {
        {CAB_BUFFER_cyclic, t.cable, cables, sizeof *t.cable},
        {CAB_BUFFER_cyclic_constant, t.constant, t.constant_count, sizeof *t.constant},
        {CAB_BUFFER_cyclic_bending, t.bending, t.bending_count, sizeof *t.bending},
        {CAB_BUFFER_chain, m->chain, cables, sizeof *m->chain},
        {CAB_BUFFER_chain_node, m->chain_node, (size_t)m->particle_count, sizeof *m->chain_node},
    };
    for (size_t i = 0; status == CAB_OK && i < sizeof tables / sizeof *tables; i++)
        status =
            cab_world_upload(world, tables[i].id, tables[i].data, tables[i].count, tables[i].size, error);
    world->params.fused_substeps = m->settings.substeps;
    world->first_order = true;
    if (status == CAB_OK) status = cab_direct_reset_slow(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) {
        cab_world_log(world, 1, "cyclic: %d kinds of cables, %zu KiB of local memory for the longest",
                      t.kinds, (cab_cyclic_scratch(world) + 1023) / 1024);
    }
    cab_cyclic_free(&t);
    return status;
}

size_t cab_cyclic_scratch(const cab_world *world)
{
    const cab_model *m = world->model;
    size_t longest = 0;
    for (int c = 0; c < m->cable_count; c++) {
        size_t n = (size_t)m->cables[c].node_count;
        if (n > longest) longest = n;
    }
    /* a tile is as wide as a work-group, or wider */
    return CAB_CYCLIC_FLOATS(longest, (size_t)world->backend->tile_width) * sizeof(float);
}

cab_status cab_cyclic_frame(cab_world *world, cab_error *error)
{
    cab_status status =
        cab_world_run(world, CAB_STAGE_DIRECT, CAB_KERNEL_cyclic, 0, world->model->cable_count,
                      world->first_order, cab_cyclic_scratch(world), error);
    world->first_order = false;
    return status;
}
