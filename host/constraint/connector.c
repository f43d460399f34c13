/* connector: a plug at a cable's end, which latches at its mating place and then is a soft attachment. */
#include "constraint/connector.h"

#include "base/vec3.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/device.h"
#include "world/events.h"
#include "world/forces.h"
#include "world/restart.h"
#include "world/sleep.h"

/* Adds a soft attachment. The direct method has its spring in the factors. */
static cab_status hold(cab_world *world, int attachment, cab_error *error)
{
    cab_model *m = world->model;
    m->soft[m->node_particle[m->attachments[attachment].node]] = attachment;
    cab_status status = cab_attached_add(world, attachment, error);
    if (status == CAB_OK && world->carrier->springs_in_factors)
        status = cab_world_restart_carrier(world, error);
    return status == CAB_OK ? cab_attached_upload(world, error) : status;
}

cab_status cab_connector_mate(cab_world *world, int attachment, int frame, cab_vec3 from, cab_error *error)
{
    cab_model_attachment *a = &world->model->attachments[attachment];
    bool free = cab_model_is_free(world->model, attachment);
    a->mated = true;
    a->mated_frame = frame;
    a->mate_from = from;
    cab_events_note_mated(world, attachment, frame);
    cab_sleep_disturb(world, world->model->node_particle[a->node]);
    for (int i = 0; i < world->attached.moving_count; i++) {
        if (world->attached.moving[i].attachment == attachment) world->attached.moving[i].by_user = false;
    }
    return free && !a->broken ? hold(world, attachment, error) : CAB_OK;
}

static cab_status place_of(cab_world *world, int node, cab_vec3 *place, cab_error *error)
{
    size_t at = (size_t)world->model->node_particle[node] * sizeof(float4);
    float4 x, r;
    cab_status status = cab_world_fetch(world, CAB_BUFFER_position, at, sizeof x, &x, error);
    if (status == CAB_OK) status = cab_world_fetch(world, CAB_BUFFER_residual, at, sizeof r, &r, error);
    if (status == CAB_OK) *place = (cab_vec3){(double)x.x + r.x, (double)x.y + r.y, (double)x.z + r.z};
    return status;
}

/* Has the scene connectors? It has fewer attachments than the model, whose copies have their own. */
static bool has_connectors(const cab_scene *scene)
{
    for (int i = 0; i < scene->attachment_count; i++) {
        if (scene->attachments[i].part == CAB_PART_CONNECTOR) return true;
    }
    return false;
}

static cab_status end_frame(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    bool any = false;
    cab_status status = CAB_OK;
    if (!has_connectors(m->scene)) return CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        cab_vec3 place = a->place;
        if (cab_model_attachment_def(m, i)->part != CAB_PART_CONNECTOR || a->mated || a->broken) continue;
        status = place_of(world, a->node, &place, error);
        if (status != CAB_OK || !cab_model_is_home(m, i, place, cab_attached_mate(world, a))) continue;
        cab_world_log(world, 1, "connector %d mated at frame %d", a->scene_attachment, world->frame);
        status = cab_connector_mate(world, i, world->frame, place, error);
        any = true;
    }
    return status == CAB_OK && any ? cab_forces_start(world, error) : status;
}

const cab_constraint_kind cab_connector_kind = {.name = "connector", .end_frame = end_frame};
