/* Forces along keyframes: what they are in each substep of a frame, to the device; forces that the user sets.
 */
#include "world/world.h"

#include <string.h>

#include "base/vec3.h"
#include "model/scene.h"

/* In a substep of the coming frame. XPBD's step is explicit in forces and takes the middle, the mean of what
 * is linear; the direct method is implicit and takes the end. */
static cab_vec3 force_in(const cab_world *world, int source, int substep)
{
    const cab_model_settings *s = &world->model->settings;
    double part = s->method == CAB_METHOD_DIRECT ? 1 : 0.5;
    double t = (world->frame + (substep + part) / s->substeps) / s->frame_rate;
    return cab_load_force_at(&world->model->scene->loads[source], t);
}

cab_status cab_world_start_loads(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t room = (size_t)m->load_count * (size_t)m->settings.substeps;
    if (!m->loads_move) return CAB_OK;
    free(world->load_path);
    cab_status status = CAB_NEW(world->load_path, room, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_load_path, NULL, room, sizeof(float4), error);
    return status;
}

cab_status cab_world_update_loads(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = m->load_count, substeps = m->settings.substeps;
    bool disturbed = false; /* by a force other than in the substep before, the first's in the last frame */
    if (!m->loads_move) return CAB_OK;
    for (int k = 0; k < substeps; k++) {
        for (int i = 0; i < n; i++) {
            const cab_load_force *load = &m->load[i];
            cab_vec3 f = {load->x, load->y, load->z};
            if (load->far < 0) f = force_in(world, load->source, k);
            float4 now = {(float)f.x, (float)f.y, (float)f.z, 0};
            float4 *before =
                &world->load_path[(size_t)((k + substeps - 1) % substeps) * (size_t)n + (size_t)i];
            disturbed = disturbed || now.x != before->x || now.y != before->y || now.z != before->z;
            world->load_path[(size_t)k * (size_t)n + (size_t)i] = now;
        }
    }
    if (disturbed) cab_sleep_disturb_all(world);
    size_t bytes = (size_t)n * (size_t)substeps * sizeof *world->load_path;
    return world->backend->ops->write(world->backend, CAB_BUFFER_load_path, 0, bytes, world->load_path,
                                      error);
}

cab_status cab_world_move_loads(cab_world *world, int index, cab_error *error)
{
    int n = world->model->load_count;
    if (!world->model->loads_move) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_load_move, 0, n, index * n, 0, error);
}

cab_vec3 cab_world_mean_force(const cab_world *world, int source)
{
    int substeps = world->model->settings.substeps;
    cab_vec3 sum = {0, 0, 0};
    for (int k = 0; k < substeps; k++) sum = cab_vec3_add(sum, force_in(world, source, k));
    return cab_vec3_scale(1.0 / substeps, sum);
}

bool cab_world_load_is_set(const cab_world *world, int load)
{
    return world->user_load && world->user_load[load].set;
}

/* What is to be made again with other forces. */
static cab_status follow_loads(cab_world *world, cab_error *error)
{
    cab_status status = cab_model_update_loads(world->model, error);
    cab_sleep_disturb_all(world);
    if (status == CAB_OK) status = cab_world_upload_loads(world, error);
    if (status != CAB_OK) return status;
    if (world->way == CAB_WAY_LANES) return cab_lanes_update(world, error);
    if (world->way == CAB_WAY_CYCLIC) return cab_cyclic_start(world, error);
    /* fused knows no forces: the world goes on coloured, with the same bits */
    if (world->way != CAB_WAY_FUSED || world->model->loaded_count == 0) return CAB_OK;
    status = cab_world_plan(world, error);
    return status == CAB_OK ? cab_world_upload_parameters(world, error) : status;
}

static cab_status remember_loads(cab_world *world, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    if (world->user_load) return CAB_OK;
    cab_status status = CAB_NEW(world->user_load, scene->load_count, error);
    for (int i = 0; status == CAB_OK && i < scene->load_count; i++) {
        world->user_load[i] = (cab_user_load){.force = scene->loads[i].force,
                                              .keyframe_count = scene->loads[i].force_keyframe_count};
    }
    return status;
}

cab_status cab_world_set_loads(cab_world *world, const bool *set, const cab_vec3 *force, cab_error *error)
{
    cab_scene *scene = world->model->scene;
    bool changes = false;
    cab_status status = remember_loads(world, error);
    for (int i = 0; status == CAB_OK && i < scene->load_count; i++) {
        cab_user_load *load = &world->user_load[i];
        cab_load_def *def = &scene->loads[i];
        cab_vec3 f = set[i] ? force[i] : load->force;
        changes = changes || load->set != set[i] || memcmp(&f, &def->force, sizeof f) != 0;
        load->set = set[i];
        def->force = f;
        def->force_keyframe_count = set[i] ? 0 : load->keyframe_count;
    }
    return status == CAB_OK && changes ? follow_loads(world, error) : status;
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
        set[i] = i == load || cab_world_load_is_set(world, i);
        forces[i] = i == load ? force : world->model->scene->loads[i].force;
    }
    if (status == CAB_OK) {
        status = cab_world_set_loads(world, set, forces, error);
        if (status != CAB_OK) world->failed = true; /* neither what it was nor what it should be */
    }
    free(set);
    free(forces);
    return status;
}
