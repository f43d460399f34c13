#include "carrier/coupled.h"

#include "world/device.h"

static cab_status run(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_DIRECT, kernel, 0, count, argument, 0, error);
}

cab_status cab_coupled_start(cab_world *world, cab_error *error)
{
    cab_coupled_tables *t = &world->staged.coupled;
    cab_coupled_free(t);
    cab_status status = cab_coupled_build(world->model, &world->staged.branches, t, error);
    if (status != CAB_OK || t->count == 0) return status;
    if (!world->backend->doubles)
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s does not calculate in 64 bits (cl_khr_fp64), which bending and lengths in one system "
            "need; expected /method/bending \"split\"",
            world->backend->info.name);
    size_t columns = (size_t)t->column_count, blocks = (size_t)t->block_count;
    const cab_table tables[] = {
        {CAB_BUFFER_coupled, t->coupled, (size_t)t->count, sizeof *t->coupled},
        {CAB_BUFFER_coupled_of, t->of, (size_t)world->staged.branches.component_count, sizeof *t->of},
        {CAB_BUFFER_coupled_column, t->column, columns + 1, sizeof *t->column},
        {CAB_BUFFER_coupled_row, t->row, (size_t)t->row_count, sizeof *t->row},
        {CAB_BUFFER_coupled_link, t->link, (size_t)t->link_count, sizeof *t->link},
        {CAB_BUFFER_coupled_bend, t->bend, (size_t)t->bend_count, sizeof *t->bend},
        {CAB_BUFFER_coupled_work, NULL, CAB_COUPLED_SLOTS * columns + CAB_COUPLED_BLOCK * blocks,
         sizeof(double)},
    };
    return CAB_UPLOAD(world, tables, error);
}

void cab_coupled_stop(cab_world *world)
{
    cab_coupled_free(&world->staged.coupled);
}

cab_status cab_coupled_begin(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    if (world->staged.coupled.count == 0) return CAB_OK;
    if (m->loaded_count > 0) status = run(world, CAB_KERNEL_coupled_load, m->loaded_count, 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_coupled_note, m->particle_count, 0, error);
    return status;
}

cab_status cab_coupled_unbend(cab_world *world, cab_error *error)
{
    if (world->staged.coupled.count == 0) return CAB_OK;
    return run(world, CAB_KERNEL_coupled_unbend, world->model->particle_count, 0, error);
}

cab_status cab_coupled_choose(cab_world *world, cab_error *error)
{
    if (world->staged.coupled.count == 0) return CAB_OK;
    return run(world, CAB_KERNEL_coupled_choose, world->staged.branches.component_count, 0, error);
}

cab_status cab_coupled_solve(cab_world *world, int flags, cab_error *error)
{
    if (world->staged.coupled.count == 0) return CAB_OK;
    return run(world, CAB_KERNEL_coupled_solve, world->staged.coupled.count, flags, error);
}
