/* Settings that change while a world runs. */
#include "run/change.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "carrier/carriers.h"
#include "carrier/plan.h"
#include "contact/contact.h"
#include "judge/judge.h"
#include "model/constraint_kind.h"
#include "model/pose.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/loads.h"
#include "world/restart.h"
#include "world/sleep.h"

void cab_world_fill_weights(cab_world *world)
{
    const cab_model *m = world->model;
    world->params.equal_weight = m->settings.equal_weights ? (float)m->equal_weight : 0;
}

cab_status cab_world_upload_substep(cab_world *world, cab_error *error)
{
    cab_status status = cab_world_upload_damping(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = cab_world_restart_carrier(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->update_moving)
            status = cab_constraint_kinds[k]->update_moving(world, error);
    }
    return status;
}

/* Uploads masses, damping, compliances, friction and drag of the model; places and velocities stay. */
cab_status cab_world_upload_parameters(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t n = (size_t)m->particle_count;
    float4 *x;
    cab_status status = CAB_NEW(x, n, error);
    if (status == CAB_OK) status = cab_world_fetch(world, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        x[i].w = m->held[i] < 0 && m->mass[i] > 0 ? (float)(1 / m->mass[i]) : 0;
    }
    if (status == CAB_OK) status = cab_world_put(world, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    free(x);
    cab_world_fill_weights(world);
    if (status == CAB_OK) status = cab_world_upload_substep(world, error);
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
    if (drags && way != CAB_WAY_AUTO && cab_carriers[way]->whole_frames) {
        return cab_fail(error, CAB_ERROR_INPUT, "material \"%s\": %s cannot be had with /method/way \"%s\"",
                        def->name, def->air_drag > 0 ? "air_drag" : "air_drag_along", cab_way_name(way));
    }
    bool damps = def->bending_damping > 0;
    for (int i = 0; (drags || damps) && i < world->model->drum_count; i++) {
        const cab_body *cable = &world->model->bodies[world->model->drum[i].cable];
        if (&world->model->scene->materials[cable->material] == now)
            return cab_fail(error, CAB_ERROR_INPUT, "material \"%s\": a cable on a drum has no %s", def->name,
                            drags ? "air drag" : "bending_damping");
    }
    if (def->radius != now->radius || def->rest_shape_path != now->rest_shape_path ||
        def->rest_share != now->rest_share || def->constant_volume != now->constant_volume) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "material \"%s\": radius, rest shape and volume cannot change", def->name);
    }
    if (def->second_bending_stiffness != now->second_bending_stiffness ||
        def->yield_curvature != now->yield_curvature)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "material \"%s\": the second bending stiffness and yield_curvature cannot change",
                        def->name);
    if ((def->bending_stiffness > 0) != (now->bending_stiffness > 0)) {
        return cab_fail(error, CAB_ERROR_INPUT, "material \"%s\": bending cannot be switched on or off",
                        def->name);
    }
    if ((def->twisting_stiffness > 0) != (now->twisting_stiffness > 0))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "material \"%s\": resistance to twisting cannot be switched on or off", def->name);
    if (def->twisting_stiffness > 0 && def->bending_damping > 0 && now->bending_damping == 0)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "material \"%s\": damping of bending cannot be switched on beside twisting_stiffness",
                        def->name);
    if (def->bending_damping > 0 && !cab_model_damps_bending(world->model)) {
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "material \"%s\": damping of bending cannot be switched on where no material had it at the start",
            def->name);
    }
    return CAB_OK;
}

/* Checks the values as if a scene of the world's method had them. */
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
    world->materials_changed = world->broken.count;
    cab_model_set_parameters(world->model);
    cab_judge_changed(world);
    /* A way of whole frames has no drag: the world changes to another way of its method. */
    if (world->carrier->whole_frames && world->model->has_drag) status = cab_world_plan(world, error);
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
    cab_judge_changed(world);
    return cab_world_upload_params(world, error);
}

cab_status cab_world_set_gravity(cab_world *world, cab_vec3 gravity, cab_error *error)
{
    if (!isfinite(gravity.x) || !isfinite(gravity.y) || !isfinite(gravity.z)) {
        return cab_fail(error, CAB_ERROR_INPUT, "gravity: expected three finite numbers");
    }
    cab_vec3 now = world->model->settings.gravity;
    if (gravity.x == now.x && gravity.y == now.y && gravity.z == now.z)
        return CAB_OK; /* no tables anew for nothing */
    world->model->settings.gravity = gravity;
    world->params.gx = (float)gravity.x;
    world->params.gy = (float)gravity.y;
    world->params.gz = (float)gravity.z;
    world->clear.asked = world->clear.tables = false;
    cab_sleep_disturb_all(world);
    cab_judge_changed(world);
    return world->carrier->update ? world->carrier->update(world, error)
                                  : cab_world_upload_params(world, error);
}

cab_status cab_world_set_loads(cab_world *world, const bool *set, const cab_vec3 *force, cab_error *error)
{
    bool changed;
    cab_status status = cab_loads_set(world, set, force, &changed, error);
    cab_judge_changed(world);
    if (status != CAB_OK || !changed) return status;
    world->clear.asked = world->clear.tables = false;
    if (world->carrier->update) return world->carrier->update(world, error);
    /* The way fused has no forces: the world changes to coloured, with the same bits. */
    if (!world->carrier->whole_frames || world->model->loaded_count == 0) return CAB_OK;
    status = cab_world_plan(world, error);
    return status == CAB_OK ? cab_world_upload_parameters(world, error) : status;
}

static cab_status check_load(const cab_world *world, int load, cab_vec3 force, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before and cannot go on");
    if (load < 0 || load >= scene->load_count)
        return cab_fail(error, CAB_ERROR_INPUT, "/loads/%d: the scene has %d loads", load, scene->load_count);
    if (!cab_vec3_finite(force))
        return cab_fail(error, CAB_ERROR_INPUT, "/loads/%d: expected a force of three finite numbers", load);
    if (world->model->settings.way == CAB_WAY_FUSED)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "/loads/%d: the way \"fused\" knows no forces; expected /method/way \"auto\"", load);
    return CAB_OK;
}

cab_status cab_world_set_load(cab_world *world, int load, cab_vec3 force, cab_error *error)
{
    int count = world->model->scene->load_count;
    bool *set = NULL;
    cab_vec3 *forces = NULL;
    cab_status status = check_load(world, load, force, error);
    if (status == CAB_OK) status = CAB_NEW(set, count, error);
    if (status == CAB_OK) status = CAB_NEW(forces, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        set[i] = i == load || cab_loads_is_set(world, i);
        forces[i] = i == load ? force : world->model->scene->loads[i].force;
    }
    if (status == CAB_OK) {
        status = cab_world_set_loads(world, set, forces, error);
        if (status != CAB_OK) world->failed = true; /* the world is neither in its old nor in its new state */
    }
    free(set);
    free(forces);
    return status;
}

cab_status cab_world_set_collider(cab_world *world, int collider, cab_pose pose, cab_error *error)
{
    cab_status status = cab_colliders_check(world, collider, &pose, error);
    if (status != CAB_OK) return status;
    cab_pose now = cab_colliders_pose(world, collider, 0);
    status = cab_attached_ride(world, collider, cab_pose_turns(&now, &pose), error);
    return status == CAB_OK ? cab_colliders_set(world, collider, &pose, error) : status;
}
