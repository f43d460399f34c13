/* Forces along keyframes, in each substep of a frame, and forces that the user sets. */
#include "world/loads.h"

#include <string.h>

#include "base/vec3.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/sleep.h"
#include "world/window.h"

/* A force in a substep of the window. XPBD is explicit in forces and takes the middle, the mean of what
 * is linear; the direct method is implicit and takes the end. */
static cab_vec3 force_in(const cab_world *world, int source, int row)
{
    double part = world->model->settings.method == CAB_METHOD_DIRECT ? 1 : 0.5;
    return cab_load_force_at(&world->model->scene->loads[source], cab_window_time(world, row, part));
}

cab_status cab_loads_make_room(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t room = (size_t)m->load_count * (size_t)m->settings.substeps;
    if (!m->loads_move) return CAB_OK;
    free(world->loads.path);
    world->loads.last_row = m->settings.substeps - 1;
    cab_status status = CAB_NEW(world->loads.path, room, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_load_path, NULL, room, sizeof(float4), error);
    return status;
}

cab_status cab_loads_upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (m->loaded_count == 0 || world->carrier->whole_frames) return CAB_OK;
    const cab_table tables[] = {
        {CAB_BUFFER_load, m->load, (size_t)m->load_count, sizeof *m->load},
        {CAB_BUFFER_load_start, m->load_start, (size_t)m->loaded_count + 1, sizeof *m->load_start},
    };
    return CAB_UPLOAD(world, tables, error);
}

cab_status cab_loads_update(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = m->load_count, substeps = world->window.count;
    bool disturbed =
        false; /* a force differs from that in the substep before, which may be the last window's */
    if (!m->loads_move) return CAB_OK;
    for (int k = 0; k < substeps; k++) {
        for (int i = 0; i < n; i++) {
            const cab_load_force *load = &m->load[i];
            cab_vec3 f = {load->x, load->y, load->z};
            if (load->far < 0) f = force_in(world, load->source, k);
            float4 now = {(float)f.x, (float)f.y, (float)f.z, 0};
            int row_before = k > 0 ? k - 1 : world->loads.last_row;
            float4 *before = &world->loads.path[(size_t)row_before * (size_t)n + (size_t)i];
            disturbed = disturbed || now.x != before->x || now.y != before->y || now.z != before->z;
            world->loads.path[(size_t)k * (size_t)n + (size_t)i] = now;
        }
    }
    world->loads.last_row = substeps - 1;
    if (disturbed) cab_sleep_disturb_all(world);
    size_t bytes = (size_t)n * (size_t)substeps * sizeof *world->loads.path;
    return world->backend->ops->write(world->backend, CAB_BUFFER_load_path, 0, bytes, world->loads.path,
                                      error);
}

cab_status cab_loads_move(cab_world *world, int index, cab_error *error)
{
    int n = world->model->load_count;
    if (!world->model->loads_move) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_load_move, 0, n, index * n, 0, error);
}

cab_vec3 cab_loads_now(const cab_world *world, int source)
{
    const cab_model *m = world->model;
    return cab_load_force_at(&m->scene->loads[source], world->frame / m->settings.frame_rate);
}

cab_vec3 cab_loads_mean(const cab_world *world, int source)
{
    int substeps = world->window.count; /* the whole frame's: it has just begun */
    cab_vec3 sum = {0, 0, 0};
    for (int k = 0; k < substeps; k++) sum = cab_vec3_add(sum, force_in(world, source, k));
    return cab_vec3_scale(1.0 / substeps, sum);
}

bool cab_loads_is_set(const cab_world *world, int load)
{
    return world->loads.user && world->loads.user[load].set;
}

static cab_status remember_loads(cab_world *world, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    if (world->loads.user) return CAB_OK;
    cab_status status = CAB_NEW(world->loads.user, scene->load_count, error);
    for (int i = 0; status == CAB_OK && i < scene->load_count; i++) {
        world->loads.user[i] = (cab_user_load){.force = scene->loads[i].force,
                                               .keyframe_count = scene->loads[i].force_keyframe_count};
    }
    return status;
}

cab_status cab_loads_set(cab_world *world, const bool *set, const cab_vec3 *force, bool *changed,
                         cab_error *error)
{
    cab_scene *scene = world->model->scene;
    *changed = false;
    cab_status status = remember_loads(world, error);
    for (int i = 0; status == CAB_OK && i < scene->load_count; i++) {
        cab_user_load *load = &world->loads.user[i];
        cab_load_def *def = &scene->loads[i];
        cab_vec3 f = set[i] ? force[i] : load->force;
        *changed = *changed || load->set != set[i] || memcmp(&f, &def->force, sizeof f) != 0;
        load->set = set[i];
        def->force = f;
        def->force_keyframe_count = set[i] ? 0 : load->keyframe_count;
    }
    if (status != CAB_OK || !*changed) return status;
    status = cab_model_update_loads(world->model, error);
    cab_sleep_disturb_all(world);
    if (status == CAB_OK) status = cab_loads_upload(world, error);
    return status == CAB_OK ? cab_loads_make_room(world, error) : status;
}
