/* The cyclic way: a work-group per cable, a frame in a launch. */
#include "carrier/direct_slow.h"
#include "carrier/refusals.h"
#include "model/scene.h"
#include "world/device.h"

static size_t scratch_of(const cab_world *world)
{
    const cab_model *m = world->model;
    size_t longest = 0;
    for (int c = 0; c < m->cable_count; c++) {
        size_t n = (size_t)m->bodies[c].node_count;
        if (n > longest) longest = n;
    }
    /* a tile is as wide as a work-group, or wider */
    return CAB_CYCLIC_FLOATS(longest, (size_t)world->backend->tile_width) * sizeof(float);
}

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_cyclic_tables t;
    cab_status status = cab_cyclic_build(m, &t, error);
    if (status != CAB_OK) return status;
    size_t cables = (size_t)m->cable_count;
    const cab_table tables[] = {
        {CAB_BUFFER_cyclic, t.cable, cables, sizeof *t.cable},
        {CAB_BUFFER_cyclic_constant, t.constant, t.constant_count, sizeof *t.constant},
        {CAB_BUFFER_cyclic_bending, t.bending, t.bending_count, sizeof *t.bending},
        {CAB_BUFFER_chain, m->chain, cables, sizeof *m->chain},
        {CAB_BUFFER_chain_node, m->chain_node, (size_t)m->particle_count, sizeof *m->chain_node},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    world->params.fused_substeps = m->settings.substeps;
    world->first_order = true;
    if (status == CAB_OK) status = cab_direct_reset_slow(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) {
        cab_world_log(world, 1, "cyclic: %d kinds of cables, %zu KiB of local memory for the longest",
                      t.kinds, (scratch_of(world) + 1023) / 1024);
    }
    cab_cyclic_free(&t);
    return status;
}

static cab_status frame(cab_world *world, cab_error *error)
{
    cab_status status =
        cab_world_run(world, CAB_STAGE_DIRECT, CAB_KERNEL_cyclic, 0, world->model->cable_count,
                      world->first_order ? CAB_FRAME_FIRST_ORDER : 0, scratch_of(world), error);
    world->first_order = false;
    return status;
}

static const char *refuses(const cab_world *world)
{
    const char *reason = cab_lanes_refuses(world);
    size_t there = world->backend->info.local_memory;
    if (!reason && there > 0 && scratch_of(world) > there)
        reason = "the longest cable does not fit the device's local memory";
    return reason;
}

const cab_carrier cab_cyclic_carrier = {.way = CAB_WAY_CYCLIC,
                                        .whole_frames = true,
                                        .refuses = refuses,
                                        .start = start,
                                        .update = start,
                                        .frame = frame};
