/* Where attachments, joints and loads of a world are, for viewers. */
#include "model/pose.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/loads.h"
#include "world/world.h"

/* A broken attachment is not moved any more, except by its collider. */
static cab_vec3 target_of(const cab_world *world, const cab_model_attachment *a)
{
    bool led = world->model->scene->attachments[a->scene_attachment].hand_keyframe_count > 0 && !a->mated;
    return a->collider < 0 || led ? a->place : cab_attached_place_on_collider(world, a);
}

static cab_attachment_info attachment_of(const cab_world *world, int index)
{
    const cab_model_attachment *a = &world->model->attachments[index];
    const cab_attachment_def *def = &world->model->scene->attachments[a->scene_attachment];
    cab_attachment_info info = {.attachment = a->scene_attachment,
                                .body = a->body,
                                .node = a->node,
                                .target_node = a->joint ? a->target_node : -1,
                                .shift = a->shift,
                                .collider = a->joint ? -1 : a->collider,
                                .clamped = def->clamp,
                                .soft = def->compliance > 0,
                                .broken = a->broken,
                                .free = cab_model_is_free(world->model, index) && !a->broken,
                                .mated = a->mated,
                                .axis = a->axis};
    if (def->part == CAB_PART_CONNECTOR) info.mate = cab_attached_mate(world, a);
    if (world->forces.mean && !a->broken) info.force = world->forces.mean[index];
    if (a->joint) return info;
    info.target = target_of(world, a);
    if (def->clamp) info.direction = a->direction;
    return info;
}

int cab_world_get_attachments(const cab_world *world, cab_attachment_info *infos, int capacity)
{
    int count = world->model->attachment_count;
    for (int i = 0; i < count && i < capacity; i++) infos[i] = attachment_of(world, i);
    return count;
}

int cab_world_get_loads(const cab_world *world, cab_load_info *infos, int capacity)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->placed_load_count && i < capacity; i++) {
        const cab_placed_load *load = &m->placed_loads[i];
        const cab_load_def *def = &m->scene->loads[load->scene_load];
        infos[i] = (cab_load_info){.load = load->scene_load,
                                   .body = load->body,
                                   .node = load->node,
                                   .mass = def->mass,
                                   .force = cab_loads_now(world, load->scene_load),
                                   .moment = def->moment};
    }
    return m->placed_load_count;
}
