/* Running kernels, filling buffers, logging. */
#include "world/device.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"

void cab_world_log(const cab_world *world, int level, const char *format, ...)
{
    if (!world->def.log) return;
    char text[CAB_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->def.log(world->def.user, level, text);
}

cab_status cab_world_flush(cab_world *world, bool change, cab_error *error)
{
    return world->carrier && world->carrier->settle ? world->carrier->settle(world, change, error) : CAB_OK;
}

/* Buffers that a carrier may keep elsewhere. */
static bool is_of_particles(cab_buffer id)
{
    return id == CAB_BUFFER_position || id == CAB_BUFFER_residual || id == CAB_BUFFER_velocity ||
           id == CAB_BUFFER_step || id == CAB_BUFFER_slow || id == CAB_BUFFER_branch_slow ||
           id == CAB_BUFFER_distance_lambda || id == CAB_BUFFER_constrained || id == CAB_BUFFER_twist;
}

/* Buffers that a gang may keep beside those (carrier/gang.h). */
static bool is_of_contact(cab_buffer id)
{
    return id == CAB_BUFFER_order || id == CAB_BUFFER_pressing || id == CAB_BUFFER_contact_force;
}

cab_status cab_world_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                           cab_error *error)
{
    bool in_gang = world->lanes.resident && is_of_contact(id);
    if ((is_of_particles(id) || in_gang) && world->carrier && world->carrier->fetch)
        return world->carrier->fetch(world, id, offset, bytes, data, error);
    cab_status status = is_of_particles(id) ? cab_world_flush(world, false, error) : CAB_OK;
    return status == CAB_OK ? world->backend->ops->read(world->backend, id, offset, bytes, data, error)
                            : status;
}

cab_status cab_world_put(cab_world *world, cab_buffer id, size_t offset, size_t bytes, const void *data,
                         cab_error *error)
{
    cab_status status = is_of_particles(id) ? cab_world_flush(world, true, error) : CAB_OK;
    return status == CAB_OK ? world->backend->ops->write(world->backend, id, offset, bytes, data, error)
                            : status;
}

static bool only_reads(cab_kernel kernel)
{
    return kernel == CAB_KERNEL_draw || kernel == CAB_KERNEL_measure || kernel == CAB_KERNEL_far_chains ||
           kernel == CAB_KERNEL_far_straight || kernel == CAB_KERNEL_far_parts;
}

cab_status cab_world_run(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                         int argument, size_t scratch, cab_error *error)
{
    cab_status status = count > 0 ? cab_world_flush(world, !only_reads(kernel), error) : CAB_OK;
    return status == CAB_OK ? cab_world_launch(world, stage, kernel, first, count, argument, scratch, error)
                            : status;
}

cab_status cab_world_launch(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                            int argument, size_t scratch, cab_error *error)
{
    cab_backend *backend = world->backend;
    double start = world->def.profile ? cab_now() : 0;
    cab_status status = backend->ops->run(backend, kernel, first, count, argument, scratch, error);
    if (status == CAB_OK && world->def.profile) {
        status = backend->ops->finish(backend, error);
        world->times[stage] += cab_now() - start;
    }
    return status;
}

cab_status cab_device_upload(cab_backend *backend, const cab_table *table, cab_error *error)
{
    size_t bytes = table->count * table->size;
    cab_status status = backend->ops->allocate(backend, table->id, bytes, error);
    return status == CAB_OK && table->data && bytes > 0
               ? backend->ops->write(backend, table->id, 0, bytes, table->data, error)
               : status;
}

cab_status cab_world_upload(cab_world *world, cab_buffer id, const void *data, size_t count, size_t size,
                            cab_error *error)
{
    const cab_table table = {id, data, count, size};
    cab_status status = is_of_particles(id) ? cab_world_flush(world, true, error) : CAB_OK;
    return status == CAB_OK ? cab_device_upload(world->backend, &table, error) : status;
}

void cab_world_keep(cab_world *world, cab_buffer id, const char *tag, size_t count, size_t size)
{
    world->kept[id] = (cab_kept){count > 0 ? tag : NULL, count, size};
}

cab_status cab_world_upload_tables(cab_world *world, const cab_table *tables, int count, cab_error *error)
{
    for (int i = 0; i < count; i++) {
        const cab_table *t = &tables[i];
        cab_status status = cab_world_upload(world, t->id, t->data, t->count, t->size, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

cab_status cab_world_upload_kept(cab_world *world, const char *tag, cab_buffer id, const void *data,
                                 size_t count, size_t size, cab_error *error)
{
    cab_world_keep(world, id, tag, count, size);
    return cab_world_upload(world, id, data, count, size, error);
}

cab_status cab_world_measure_blocks(cab_world *world, cab_errors *rows, int blocks, cab_error *error)
{
    cab_status status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_measure, 0, blocks, 0, 0, error);
    if (status != CAB_OK) return status;
    return cab_world_fetch(world, CAB_BUFFER_measure, 0, (size_t)blocks * sizeof *rows, rows, error);
}

cab_status cab_world_read_particles(cab_world *world, cab_buffer id, float4 **rows, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    cab_status status = CAB_NEW(*rows, n, error);
    if (status == CAB_OK) status = cab_world_fetch(world, id, 0, n * sizeof **rows, *rows, error);
    return status;
}

void *cab_kind_data(const cab_world *world, const cab_constraint_kind *kind)
{
    int i = 0;
    while (cab_constraint_kinds[i] != kind) i++;
    return world->constraint[i];
}

cab_status cab_world_upload_params(cab_world *world, cab_error *error)
{
    /* What has been computed by what the parameters were; a gang has its own. */
    cab_status status = world->lanes.resident ? CAB_OK : cab_world_flush(world, false, error);
    return status == CAB_OK
               ? cab_world_put(world, CAB_BUFFER_params, 0, sizeof world->params, &world->params, error)
               : status;
}

float cab_world_damping(const cab_world *world, int p)
{
    const cab_model *m = world->model;
    bool moves = m->held[p] < 0 && m->mass[p] > 0;
    if (m->settings.method == CAB_METHOD_DIRECT)
        return moves ? (float)(m->damping[p] * cab_model_substep_of(m, p)) : 0;
    return moves ? m->decay[p] : 1;
}

cab_status cab_world_upload_damping(cab_world *world, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    float4 *v;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_velocity, &v, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) v[i].w = cab_world_damping(world, (int)i);
    if (status == CAB_OK) status = cab_world_put(world, CAB_BUFFER_velocity, 0, n * sizeof *v, v, error);
    free(v);
    return status;
}
