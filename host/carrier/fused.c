/* The carrier fused: a work-group computes all substeps of a frame for a cable (kernels/fused.cl). */
#include "carrier/refusals.h"
#include "world/device.h"

#define FUSED_TRIPS 32768 /* loop iterations in a launch: llvmpipe ends a kernel after 65,535 */

static int longest_chain(const cab_model *model)
{
    int longest = 0;
    for (int c = 0; c < model->cable_count; c++) {
        if (model->chain[c].particle_count > longest) longest = model->chain[c].particle_count;
    }
    return longest;
}

static size_t scratch_of(const cab_world *world)
{
    return CAB_FUSED_FLOATS((size_t)longest_chain(world->model)) * sizeof(float);
}

static const char *refuses(const cab_world *world)
{
    const char *reason = cab_refusal_whole_frames(world);
    if (reason) return reason;
    if (world->model->loaded_count > 0) return "the scene has forces";
    size_t there = world->backend->info.local_memory;
    return there > 0 && scratch_of(world) > there ? "the longest cable does not fit the device's local memory"
                                                  : NULL;
}

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int iterations = m->settings.iterations, columns = CAB_FUSED_COLUMNS(longest_chain(m));
    int trips = columns * (2 * CAB_FUSED_ROWS + 2 * CAB_FUSED_ROWS * iterations) + 64;
    world->params.fused_substeps = FUSED_TRIPS / trips > 1 ? FUSED_TRIPS / trips : 1;
    const cab_table tables[] = {
        {CAB_BUFFER_chain_node, m->chain_node, (size_t)m->particle_count, sizeof *m->chain_node},
        {CAB_BUFFER_chain, m->chain, (size_t)m->cable_count, sizeof *m->chain},
    };
    return CAB_UPLOAD(world, tables, error);
}

/* A frame in launches of some substeps each, so that a launch does not take too long. */
static cab_status frame(cab_world *world, cab_error *error)
{
    int total = world->model->settings.substeps;
    cab_status status = CAB_OK;
    for (int first = 0; status == CAB_OK && first < total; first += world->params.fused_substeps) {
        status = cab_world_run(world, CAB_STAGE_FUSED, CAB_KERNEL_fused, 0, world->model->cable_count, first,
                               scratch_of(world), error);
    }
    return status;
}

const cab_carrier cab_fused_carrier = {.way = CAB_WAY_FUSED,
                                       .whole_frames = true,
                                       .coloured_bits = true,
                                       .refuses = refuses,
                                       .start = start,
                                       .frame = frame};
