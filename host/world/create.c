/* Making a world: a device, a model, everything uploaded. */
#include "base/clock.h"
#include "world/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/hash.h"
#include "model/method.h"

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

cab_status cab_world_run(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
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

cab_status cab_world_upload(cab_world *world, cab_buffer id, const void *data, size_t count, size_t size,
                            cab_error *error)
{
    cab_backend *backend = world->backend;
    cab_status status = backend->ops->allocate(backend, id, count * size, error);
    if (status == CAB_OK && data && count > 0) {
        status = backend->ops->write(backend, id, 0, count * size, data, error);
    }
    return status;
}

cab_status cab_world_upload_params(cab_world *world, cab_error *error)
{
    return world->backend->ops->write(world->backend, CAB_BUFFER_params, 0, sizeof world->params,
                                      &world->params, error);
}

void cab_world_note_weights(cab_world *world)
{
    const cab_model *m = world->model;
    world->params.equal_weight = m->settings.relaxation.equal_weights ? (float)m->equal_weight : 0;
}

static void fill_params(cab_world *world)
{
    const cab_model *model = world->model;
    const cab_model_settings *s = &model->settings;
    cab_params *p = &world->params;
    double h = cab_model_substep(model);
    p->h = (float)h;
    p->inverse_h = (float)(1 / h);
    p->gx = (float)s->gravity.x;
    p->gy = (float)s->gravity.y;
    p->gz = (float)s->gravity.z;
    p->wind_x = (float)s->wind.x;
    p->wind_y = (float)s->wind.y;
    p->wind_z = (float)s->wind.z;
    p->particle_count = model->particle_count;
    p->segment_count = model->segment_count;
    p->distance_count = model->segment_count; /* doubles come after the segments and are not measured */
    p->length_count = model->distance_count;
    cab_world_note_weights(world);
    p->spring_damping = (float)(s->springs.damping * h * h);
    p->averaging_weight = (float)s->jacobi.averaging_weight;
    p->collider_count = model->collider_count;
    p->iterations = s->iterations;
    p->substeps = s->substeps;
    for (int i = 0; i < model->bending_count; i++) {
        if (model->bending[i].rest > 0) p->curved = 1;
    }
}

/* Position and what rounding left out of it, with the inverse mass; 0 for held and spare particles. */
static cab_status upload_places(cab_world *world, cab_error *error)
{
    const cab_model *model = world->model;
    size_t n = (size_t)model->particle_count;
    float4 *position, *residual = NULL, *velocity = NULL;
    cab_status status = CAB_NEW(position, n, error);
    if (status == CAB_OK) status = CAB_NEW(residual, n, error);
    if (status == CAB_OK) status = CAB_NEW(velocity, n, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        bool free_to_move = model->held[i] < 0 && model->mass[i] > 0;
        cab_split_place(model->place[i], &position[i], &residual[i]);
        position[i].w = free_to_move ? (float)(1 / model->mass[i]) : 0;
        velocity[i].w = cab_world_damping(world, (int)i);
    }
    for (int c = 0; status == CAB_OK && c < model->body_count; c++) {
        const cab_model_cable *cable = &model->cables[c];
        cab_vec3 v = cable->velocity;
        for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
            int p = model->node_particle[node];
            if (position[p].w > 0) velocity[p] = (float4){(float)v.x, (float)v.y, (float)v.z, velocity[p].w};
        }
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_position, position, n, sizeof *position, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_residual, residual, n, sizeof *residual, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_velocity, velocity, n, sizeof *velocity, error);
    if (status == CAB_OK && !cab_way_is_fast(world->way)) {
        status = cab_world_upload(world, CAB_BUFFER_offset, NULL, n, sizeof(float4), error);
    }
    if (status == CAB_OK && model->settings.method == CAB_METHOD_DIRECT) {
        status = cab_world_upload(world, CAB_BUFFER_step, NULL, 3 * n, sizeof(float4), error);
    }
    free(position);
    free(residual);
    free(velocity);
    return status;
}

cab_status cab_world_upload_constraints(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t d = (size_t)m->distance_count, b = (size_t)m->bending_count;
    cab_status status =
        cab_world_upload(world, CAB_BUFFER_distance, m->distance, d, sizeof *m->distance, error);
    if (world->way == CAB_WAY_LANES) return status == CAB_OK ? cab_lanes_start(world, error) : status;
    if (world->way == CAB_WAY_CYCLIC) return status == CAB_OK ? cab_cyclic_start(world, error) : status;
    if (world->way == CAB_WAY_FUSED) {
        size_t n = (size_t)m->particle_count, c = (size_t)m->cable_count;
        if (status == CAB_OK)
            status = cab_world_upload(world, CAB_BUFFER_chain_node, m->chain_node, n, sizeof *m->chain_node,
                                      error);
        if (status == CAB_OK)
            status = cab_world_upload(world, CAB_BUFFER_chain, m->chain, c, sizeof *m->chain, error);
        return status;
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_bending, m->bending, b, sizeof *m->bending, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_bending_lambda, NULL, b, sizeof(float4), error);
    if (status == CAB_OK) status = cab_ties_upload(world, error);
    if (status == CAB_OK && world->way == CAB_WAY_STAGED) status = cab_direct_start(world, error);
    if (status == CAB_OK) status = cab_sleep_start(world, error);
    if (status == CAB_OK && world->way == CAB_WAY_CHUNKS) status = cab_chunks_upload(world, error);
    bool iterates = world->way == CAB_WAY_COLOURED || world->way == CAB_WAY_CHUNKS;
    if (status == CAB_OK && iterates) status = cab_solve_upload(world, error);
    return status;
}

cab_status cab_world_upload_loads(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (m->loaded_count == 0) return CAB_OK;
    cab_status status =
        cab_world_upload(world, CAB_BUFFER_load, m->load, (size_t)m->load_count, sizeof *m->load, error);
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_load_start, m->load_start, (size_t)m->loaded_count + 1,
                                  sizeof *m->load_start, error);
    }
    if (status == CAB_OK) status = cab_world_start_loads(world, error);
    return status;
}

float cab_world_damping(const cab_world *world, int p)
{
    const cab_model *m = world->model;
    bool moves = m->held[p] < 0 && m->mass[p] > 0;
    if (m->settings.method == CAB_METHOD_DIRECT)
        return moves ? (float)(m->damping[p] * cab_model_substep(m)) : 0;
    return moves ? m->decay[p] : 1;
}

static cab_status upload_ranges(cab_world *world, cab_buffer id, const cab_range *ranges, int count,
                                cab_error *error)
{
    _Static_assert(sizeof(cab_range) == 2 * sizeof(int), "pairs of int on the device");
    return cab_world_upload(world, id, ranges, (size_t)count, sizeof *ranges, error);
}

static cab_status upload_topology(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = cab_world_upload_constraints(world, error);
    size_t segments = (size_t)m->segment_count;
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_distance_lambda, NULL, (size_t)m->distance_count,
                                  sizeof(float), error);
    }
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_bending_target, m->bending_target,
                                  (size_t)m->bending_target_count, sizeof(float4), error);
    }
    if (status == CAB_OK) {
        status = upload_ranges(world, CAB_BUFFER_distance_colour, m->distance_colour,
                               m->distance_colour_count, error);
    }
    if (status == CAB_OK) {
        status = upload_ranges(world, CAB_BUFFER_bending_colour, m->bending_colour, m->bending_colour_count,
                               error);
    }
    if (status == CAB_OK) status = cab_world_upload_loads(world, error);
    if (status == CAB_OK && m->has_drag) {
        status = cab_world_upload(world, CAB_BUFFER_drag, m->drag, segments, sizeof *m->drag, error);
    }
    return status;
}

static cab_status upload(cab_world *world, cab_error *error)
{
    int larger = world->model->distance_count > world->model->particle_count ? world->model->distance_count
                                                                             : world->model->particle_count;
    world->block_count = (larger + CAB_BLOCK - 1) / CAB_BLOCK;
    fill_params(world);
    cab_status status =
        cab_world_upload(world, CAB_BUFFER_params, &world->params, 1, sizeof world->params, error);
    if (status == CAB_OK) status = upload_places(world, error);
    if (status == CAB_OK) status = upload_topology(world, error);
    if (status == CAB_OK) status = CAB_NEW(world->errors, world->block_count, error);
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_measure, NULL, (size_t)world->block_count,
                                  sizeof(cab_errors), error);
    }
    return status;
}

static void log_warning(void *user, const char *text)
{
    cab_world_note(user, CAB_EVENT_WARNING, -1, text);
    cab_world_log(user, 0, "%s", text);
}

static cab_status start(cab_world *world, const cab_scene *scene, const cab_world *beside, cab_error *error)
{
    cab_status status = cab_model_create(scene, log_warning, world, &world->model, error);
    if (status == CAB_OK) world->scene_hash = cab_model_hash(world->model);
    world->materials_changed = -1;
    if (status == CAB_OK && beside)
        status = cab_backend_open_beside(&world->def, beside->backend, &world->backend, error);
    else if (status == CAB_OK)
        status = cab_backend_open(&world->def, &world->backend, error);
    if (status == CAB_OK) status = cab_draw_start(world, error);
    if (status == CAB_OK) status = cab_world_plan(world, error);
    if (status == CAB_OK) status = upload(world, error);
    if (status == CAB_OK) status = cab_feed_start(world, error);
    if (status == CAB_OK) status = cab_world_start_own(world, error);
    if (status == CAB_OK) status = cab_contact_start(world, error);
    if (status == CAB_OK) status = cab_colliders_start(world, error);
    if (status == CAB_OK) status = cab_world_start_attachments(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = cab_world_update_measures(world, error);
    return status;
}

cab_world_def cab_world_default(void)
{
    return (cab_world_def){0};
}

cab_status cab_world_create(const cab_scene *scene, const cab_world_def *def, cab_world **out,
                            cab_error *error)
{
    return cab_world_create_beside(scene, def, NULL, out, error);
}

cab_status cab_world_create_beside(const cab_scene *scene, const cab_world_def *def, const cab_world *beside,
                                   cab_world **out, cab_error *error)
{
    cab_world *world = calloc(1, sizeof *world);
    if (!world) return cab_fail_memory(error, "a world", sizeof *world);
    world->def = *def;
    if (def->gl) {
        world->drawing.gl = *def->gl;
        world->def.gl = &world->drawing.gl;
    }
    cab_status status = start(world, scene, beside, error);
    if (status == CAB_OK)
        *out = world;
    else
        cab_world_destroy(world);
    return status;
}

void cab_world_destroy(cab_world *world)
{
    if (!world) return;
    cab_contact_end(world);
    cab_colliders_end(world);
    cab_sleep_end(world);
    cab_lanes_end(world);
    cab_direct_end(world);
    cab_draw_end(world);
    if (world->backend) world->backend->ops->destroy(world->backend);
    cab_model_destroy(world->model);
    free(world->plan);
    free(world->change);
    free(world->moving);
    free(world->target);
    free(world->load_path);
    free(world->user_load);
    free(world->feed_step);
    free(world->watch);
    free(world->force);
    free(world->broken);
    free(world->notes);
    free(world->errors);
    free(world->callback_lambda);
    free(world);
}
