/* Makes a world: a device, a model, all uploads. */
#include <string.h>

#include "base/error.h"
#include "base/array.h"
#include "carrier/clear.h"
#include "carrier/plan.h"
#include "contact/contact.h"
#include "judge/judge.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/rigid.h"
#include "run/change.h"
#include "run/draw.h"
#include "run/measure.h"
#include "run/world.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/led.h"
#include "world/events.h"
#include "world/forces.h"
#include "world/loads.h"
#include "world/pieces.h"
#include "world/restart.h"
#include "run/pace.h"
#include "world/sleep.h"

static void fill_params(cab_world *world)
{
    const cab_model *model = world->model;
    const cab_model_settings *s = &model->settings;
    cab_params *p = &world->params;
    p->gx = (float)s->gravity.x;
    p->gy = (float)s->gravity.y;
    p->gz = (float)s->gravity.z;
    p->wind_x = (float)s->wind.x;
    p->wind_y = (float)s->wind.y;
    p->wind_z = (float)s->wind.z;
    p->particle_count = model->particle_count;
    p->segment_count = model->segment_count;
    p->distance_count = model->segment_count; /* double distances, which come after, are not measured */
    p->length_count = model->distance_count;
    cab_world_fill_weights(world);
    p->averaging_weight = (float)s->jacobi.averaging_weight;
    p->collider_count = model->collider_count;
    p->rigid_shape_count = model->collider_count - model->led_collider_end;
    p->iterations = s->iterations;
    p->substeps = s->substeps;
    cab_world_fill_substep(world);
    for (int i = 0; i < model->bending_count; i++) {
        if (model->bending[i].rest > 0) p->curved = 1;
    }
}

/* Uploads positions, residuals, and inverse masses, which are 0 for held and spare particles. */
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
        const cab_body *cable = &model->bodies[c];
        for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
            int p = model->node_particle[node];
            cab_vec3 v = cab_model_start_velocity(model, c, node);
            if (position[p].w > 0) velocity[p] = (float4){(float)v.x, (float)v.y, (float)v.z, velocity[p].w};
        }
    }
    for (int p = 0; status == CAB_OK && p < model->particle_count; p++) {
        int body = cab_rigid_of_particle(model, p);
        if (body < 0) continue;
        cab_vec3 v = cab_rigid_velocity(model, &model->rigid[body], model->place[p]);
        velocity[p] = (float4){(float)v.x, (float)v.y, (float)v.z, velocity[p].w};
    }
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "position", CAB_BUFFER_position, position, n, sizeof *position,
                                       error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "residual", CAB_BUFFER_residual, residual, n, sizeof *residual,
                                       error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "velocity", CAB_BUFFER_velocity, velocity, n, sizeof *velocity,
                                       error);
    if (status == CAB_OK && !world->carrier->whole_frames)
        status = cab_world_upload(world, CAB_BUFFER_offset, NULL, n, sizeof(float4), error);
    if (status == CAB_OK && model->settings.method == CAB_METHOD_DIRECT)
        status = cab_world_upload_kept(world, "step", CAB_BUFFER_step, NULL, 3 * n, sizeof(float4), error);
    CAB_FREE(position, residual, velocity);
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
    if (status == CAB_OK) status = cab_world_restart_carrier(world, error);
    if (status == CAB_OK) status = cab_loads_make_room(world, error);
    if (status == CAB_OK && world->model->has_drag)
        status = cab_world_upload(world, CAB_BUFFER_drag, world->model->drag,
                                  (size_t)world->model->segment_count, sizeof *world->model->drag, error);
    if (status == CAB_OK) status = CAB_NEW(world->errors, world->block_count, error);
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_measure, NULL, (size_t)world->block_count,
                                  sizeof(cab_errors), error);
    }
    return status;
}

static cab_status start_constraints(cab_world *world, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->start) status = cab_constraint_kinds[k]->start(world, error);
    }
    return status;
}

static cab_status make_constraint_data(cab_world *world, cab_error *error)
{
    cab_status status = CAB_NEW(world->constraint, cab_constraint_kind_count, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        size_t size = cab_constraint_kinds[k]->data_size;
        if (size > 0 && !(world->constraint[k] = calloc(1, size)))
            status = cab_fail_memory(error, "constraints", size);
    }
    return status;
}

static void free_constraint_data(cab_world *world)
{
    for (int k = 0; world->constraint && k < cab_constraint_kind_count; k++) {
        if (world->constraint[k] && cab_constraint_kinds[k]->free_data)
            cab_constraint_kinds[k]->free_data(world->constraint[k]);
        free(world->constraint[k]);
    }
    free(world->constraint);
}

static void log_warning(void *user, const char *text)
{
    cab_events_note(user, CAB_EVENT_WARNING, -1, text);
    cab_world_log(user, 0, "%s", text);
}

static cab_status start(cab_world *world, const cab_scene *scene, const cab_world *beside, cab_error *error)
{
    cab_status status = make_constraint_data(world, error);
    if (status == CAB_OK) status = cab_model_create(scene, log_warning, world, &world->model, error);
    if (status == CAB_OK) world->scene_hash = cab_model_hash(world->model);
    world->materials_changed = -1;
    if (status == CAB_OK && beside)
        status = cab_backend_open_beside(&world->def, beside->backend, &world->backend, error);
    else if (status == CAB_OK)
        status = cab_backend_open(&world->def, &world->backend, error);
    if (status == CAB_OK) status = cab_draw_start(world, error);
    if (status == CAB_OK) status = cab_world_plan(world, error);
    if (status == CAB_OK) status = upload(world, error);
    if (status == CAB_OK) status = start_constraints(world, error);
    if (status == CAB_OK) status = cab_contact_start(world, error);
    if (status == CAB_OK) status = cab_led_start(world, error);
    if (status == CAB_OK) status = cab_colliders_start(world, error);
    if (status == CAB_OK) status = cab_attached_start(world, error);
    if (status == CAB_OK) status = cab_pace_start(world, error);
    if (status == CAB_OK) status = cab_forces_start(world, error);
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
    cab_judge_end(world);
    cab_colliders_end(world);
    cab_led_end(world);
    cab_sleep_end(world);
    if (world->carrier && world->carrier->end) world->carrier->end(world);
    cab_clear_end(world);
    free_constraint_data(world);
    cab_draw_end(world);
    if (world->backend) world->backend->ops->destroy(world->backend);
    cab_model_destroy(world->model);
    cab_pieces_end(world);
    CAB_FREE(world->iterated.launch, world->iterated.change, world->attached.moving, world->attached.target,
             world->attached.moved, world->loads.path, world->loads.user, world->forces.watch,
             world->forces.mean, world->forces.couple, world->broken.list, world->events.list, world->errors,
             world);
}
