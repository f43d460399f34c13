/* Forces along keyframes: what they are in each substep of a frame, to the device. */
#include "world/world.h"

#include "model/scene.h"
#include "model/vec3.h"

/* In a substep of the coming frame. XPBD's step is explicit in forces and takes the middle, the mean of what
 * is linear; the direct method is implicit and takes the end. */
static cab_vec3 force_in(const cab_world *world, int source, int substep)
{
    const cab_settings *s = &world->model->scene->settings;
    double part = s->method == CAB_METHOD_DIRECT ? 1 : 0.5;
    double t = (world->frame + (substep + part) / s->substeps) / s->frame_rate;
    return cab_load_force_at(&world->model->scene->loads[source], t);
}

cab_status cab_world_start_loads(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t room = (size_t)m->load_count * (size_t)m->scene->settings.substeps;
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
    int n = m->load_count, substeps = m->scene->settings.substeps;
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
    int substeps = world->model->scene->settings.substeps;
    cab_vec3 sum = {0, 0, 0};
    for (int k = 0; k < substeps; k++) sum = cab_vec3_add(sum, force_in(world, source, k));
    return cab_vec3_scale(1.0 / substeps, sum);
}
