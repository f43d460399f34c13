/* Settings that change while a world runs. */
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "model/scene.h"

/* Masses, damping, compliances, friction, drag as the model has them now; places and velocities stay. */
cab_status cab_world_upload_parameters(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_backend_ops *ops = world->backend->ops;
    size_t n = (size_t)m->particle_count;
    float4 *x;
    cab_status status = CAB_NEW(x, n, error);
    if (status == CAB_OK) status = ops->read(world->backend, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        x[i].w = m->held[i] < 0 && m->mass[i] > 0 ? (float)(1 / m->mass[i]) : 0;
    }
    if (status == CAB_OK)
        status = ops->write(world->backend, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    if (status == CAB_OK) status = ops->read(world->backend, CAB_BUFFER_velocity, 0, n * sizeof *x, x, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) x[i].w = cab_world_damping(world, (int)i);
    if (status == CAB_OK)
        status = ops->write(world->backend, CAB_BUFFER_velocity, 0, n * sizeof *x, x, error);
    free(x);
    cab_world_note_weights(world);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = cab_world_upload_constraints(world, error);
    if (status == CAB_OK) status = cab_soft_upload(world, error);
    if (status == CAB_OK && m->has_drag) {
        status = cab_world_upload(world, CAB_BUFFER_drag, m->drag, (size_t)m->segment_count, sizeof *m->drag,
                                  error);
    }
    if (status == CAB_OK) status = cab_contact_reset(world, error);
    return status;
}

static cab_status check_change(const cab_world *world, const cab_material_def *now,
                               const cab_material_def *def, cab_error *error)
{
    cab_way way = world->model->settings.way;
    bool drags = def->air_drag > 0 || def->air_drag_along > 0;
    if (drags && cab_way_is_fast(way)) {
        return cab_fail(error, CAB_ERROR_INPUT, "material \"%s\": %s cannot be had with /method/way \"%s\"",
                        def->name, def->air_drag > 0 ? "air_drag" : "air_drag_along", cab_way_name(way));
    }
    for (int i = 0; drags && i < world->model->feed_count; i++) {
        const cab_model_cable *cable = &world->model->cables[world->model->feed[i].cable];
        if (&world->model->scene->materials[cable->material] == now)
            return cab_fail(error, CAB_ERROR_INPUT, "material \"%s\": a cable on a drum has no air drag",
                            def->name);
    }
    if (def->radius != now->radius || def->rest_shape_path != now->rest_shape_path ||
        def->constant_volume != now->constant_volume) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "material \"%s\": radius, rest shape and volume cannot change", def->name);
    }
    if ((def->bending_stiffness > 0) != (now->bending_stiffness > 0)) {
        return cab_fail(error, CAB_ERROR_INPUT, "material \"%s\": bending cannot be switched on or off",
                        def->name);
    }
    return CAB_OK;
}

/* The values by themselves, as if a scene of the world's method were built with them. */
static cab_status check_values(const cab_scene *scene, const cab_material_def *def, cab_error *error)
{
    cab_scene *probe = cab_scene_create();
    if (!probe) return cab_fail_memory(error, "a scene", 0);
    probe->settings = scene->settings;
    cab_status status = cab_scene_add_material(probe, def, error);
    if (status == CAB_OK) status = cab_scene_check_settings(probe, error);
    cab_scene_destroy(probe);
    return status;
}

bool cab_world_get_material(const cab_world *world, int index, cab_material_def *def)
{
    const cab_scene *scene = world->model->scene;
    if (index < 0 || index >= scene->material_count) return false;
    *def = scene->materials[index];
    return true;
}

cab_status cab_world_set_material(cab_world *world, const cab_material_def *def, cab_error *error)
{
    cab_scene *scene = world->model->scene;
    int index = def->name ? cab_scene_find_material(scene, def->name) : -1;
    if (index < 0) {
        return cab_fail(error, CAB_ERROR_INPUT, "no material is called \"%s\"", def->name ? def->name : "");
    }
    cab_material_def *now = &scene->materials[index];
    cab_status status = check_values(scene, def, error);
    if (status == CAB_OK) status = check_change(world, now, def, error);
    if (status != CAB_OK) return status;
    const char *name = now->name;
    *now = *def;
    now->name = name;
    world->materials_changed = world->broken_count;
    cab_model_set_parameters(world->model);
    /* a fast way knows no drag: the world goes on in the other way of its method */
    if (cab_way_is_fast(world->way) && world->model->has_drag) status = cab_world_plan(world, error);
    if (status == CAB_OK) status = cab_world_upload_parameters(world, error);
    return status;
}

cab_status cab_world_set_wind(cab_world *world, cab_vec3 wind, cab_error *error)
{
    if (!isfinite(wind.x) || !isfinite(wind.y) || !isfinite(wind.z))
        return cab_fail(error, CAB_ERROR_INPUT, "wind: expected three finite numbers");
    world->model->settings.wind = wind;
    world->params.wind_x = (float)wind.x;
    world->params.wind_y = (float)wind.y;
    world->params.wind_z = (float)wind.z;
    cab_sleep_disturb_all(world);
    return cab_world_upload_params(world, error);
}

cab_status cab_world_set_gravity(cab_world *world, cab_vec3 gravity, cab_error *error)
{
    if (!isfinite(gravity.x) || !isfinite(gravity.y) || !isfinite(gravity.z)) {
        return cab_fail(error, CAB_ERROR_INPUT, "gravity: expected three finite numbers");
    }
    world->model->settings.gravity = gravity;
    world->params.gx = (float)gravity.x;
    world->params.gy = (float)gravity.y;
    world->params.gz = (float)gravity.z;
    cab_sleep_disturb_all(world);
    if (world->way == CAB_WAY_LANES) return cab_lanes_update(world, error);
    if (world->way == CAB_WAY_CYCLIC) return cab_cyclic_start(world, error);
    return cab_world_upload_params(world, error);
}
