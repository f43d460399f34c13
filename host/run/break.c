/* Attachments that break by force or let go by distance. */
#include "run/break.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "constraint/soft.h"
#include "contact/contact.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/device.h"
#include "world/forces.h"
#include "world/loads.h"
#include "world/restart.h"

/* Uploads inverse mass and damping of a particle as the model has them now. */
static cab_status upload_particle(cab_world *world, int p, cab_error *error)
{
    const cab_model *m = world->model;
    bool moves = m->held[p] < 0 && m->mass[p] > 0;
    float w = moves ? (float)(1 / m->mass[p]) : 0, damping = cab_world_damping(world, p);
    size_t at = (size_t)p * sizeof(float4) + 3 * sizeof(float);
    cab_status status = cab_world_put(world, CAB_BUFFER_position, at, sizeof w, &w, error);
    if (status != CAB_OK) return status;
    return cab_world_put(world, CAB_BUFFER_velocity, at, sizeof damping, &damping, error);
}

/* Releases a particle from a hard or soft attachment. */
static cab_status release(cab_world *world, int attachment, cab_error *error)
{
    cab_model *m = world->model;
    int p = m->node_particle[m->attachments[attachment].node];
    (m->attachments[attachment].rigid >= 0     ? m->rigid_of
     : cab_attached_is_soft(world, attachment) ? m->soft
                                               : m->held)[p] = -1;
    for (int i = 0; i < world->attached.moving_count; i++) {
        if (world->attached.moving[i].attachment != attachment) continue;
        world->attached.moving[i] = world->attached.moving[--world->attached.moving_count];
        cab_status status = cab_attached_upload(world, error);
        if (status != CAB_OK) return status;
    }
    return upload_particle(world, p, error);
}

/* Gives the spare particle the place and velocity of the shared one. */
static cab_status copy_particle(cab_world *world, int from, int to, cab_error *error)
{
    const cab_buffer copied[] = {CAB_BUFFER_position, CAB_BUFFER_residual, CAB_BUFFER_velocity};
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < 3; i++) {
        float4 x;
        status = cab_world_fetch(world, copied[i], (size_t)from * sizeof x, sizeof x, &x, error);
        if (status == CAB_OK)
            status = cab_world_put(world, copied[i], (size_t)to * sizeof x, sizeof x, &x, error);
    }
    return status;
}

static cab_status split(cab_world *world, int attachment, cab_error *error)
{
    cab_model *m = world->model;
    const cab_model_attachment *a = &m->attachments[attachment];
    int p = m->node_particle[a->node];
    cab_status status = cab_model_split(m, attachment, error);
    if (status == CAB_OK) status = copy_particle(world, p, a->spare, error);
    if (status == CAB_OK) status = upload_particle(world, a->spare, error);
    if (status == CAB_OK) status = upload_particle(world, p, error);
    if (status == CAB_OK) status = cab_loads_make_room(world, error);
    if (status == CAB_OK && cab_attached_targets(world) > 0) status = cab_attached_upload(world, error);
    if (status == CAB_OK) status = cab_contact_reset(world, error);
    if (status == CAB_OK) status = cab_contact_soften(world, p, error);
    if (status == CAB_OK) status = cab_contact_soften(world, a->spare, error);
    return status;
}

cab_status cab_world_break_one(cab_world *world, const cab_broken *broken, cab_error *error)
{
    cab_model *m = world->model;
    int attachment = broken->attachment;
    cab_model_attachment *a = &m->attachments[attachment];
    a->broken = true;
    size_t total = (size_t)world->broken.count + 1;
    cab_broken *grown = realloc(world->broken.list, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "broken attachments", total * sizeof *grown);
    world->broken.list = grown;
    grown[world->broken.count++] = *broken;
    for (int i = 0; i < a->clamp_count; i++) {
        cab_bending_constraint *b = &m->bending[m->bending_order[a->first_clamp + i]];
        b->ga = b->gc = 0;
    }
    cab_status status = a->joint ? split(world, attachment, error) : release(world, attachment, error);
    if (status == CAB_OK) status = cab_world_restart_carrier(world, error);
    return status;
}

cab_status cab_break_now(cab_world *world, const cab_broken *broken, cab_error *error)
{
    cab_world_log(world, 1, "attachment %d %s at frame %d, %.4g N",
                  world->model->attachments[broken->attachment].scene_attachment,
                  broken->released ? "was released" : "broke", broken->frame, broken->force);
    return cab_world_break_one(world, broken, error);
}

bool cab_break_is_due(const cab_world *world, int i, double force, double distance, cab_broken *broken)
{
    const cab_model *m = world->model;
    const cab_attachment_def *def = &m->scene->attachments[m->attachments[i].scene_attachment];
    *broken = (cab_broken){.attachment = i, .frame = world->frame, .force = force};
    if (m->attachments[i].broken) return false;
    if (def->part == CAB_PART_CONNECTOR && !m->attachments[i].mated) return false;
    if (force > def->break_force) return true;
    broken->released = distance > def->release_distance;
    if (broken->released) broken->force = distance / def->compliance;
    return broken->released;
}

/* Keeps the mean forces for callers that ask for them. */
static cab_status keep_forces(cab_world *world, const cab_vec3 *force, const cab_vec3 *couple,
                              cab_error *error)
{
    size_t count = (size_t)world->model->attachment_count;
    cab_status status = world->forces.mean ? CAB_OK : CAB_NEW(world->forces.mean, count, error);
    if (status == CAB_OK && !world->forces.couple) status = CAB_NEW(world->forces.couple, count, error);
    if (status != CAB_OK) return status;
    memcpy(world->forces.mean, force, count * sizeof *force);
    memcpy(world->forces.couple, couple, count * sizeof *couple);
    return status;
}

cab_status cab_world_break(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (world->forces.watch_count == 0 && world->attached.soft_count == 0) return CAB_OK;
    cab_vec3 *force, *couple = NULL;
    double *distance = NULL;
    cab_status status = CAB_NEW(force, m->attachment_count, error);
    if (status == CAB_OK) status = CAB_NEW(couple, m->attachment_count, error);
    if (status == CAB_OK) status = CAB_NEW(distance, m->attachment_count, error);
    if (status == CAB_OK && world->forces.watch_count > 0)
        status = cab_forces_read(world, force, couple, error);
    if (status == CAB_OK) status = cab_soft_distances(world, distance, error);
    if (status == CAB_OK) status = keep_forces(world, force, couple, error);
    bool any = false;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        cab_broken broken;
        if (!cab_break_is_due(world, i, cab_vec3_length(force[i]), distance[i], &broken)) continue;
        status = cab_break_now(world, &broken, error);
        any = true;
    }
    if (status == CAB_OK && any) status = cab_forces_start(world, error);
    CAB_FREE(force, couple, distance);
    return status;
}

int cab_world_get_broken(const cab_world *world, int *attachments, int *cables, int capacity)
{
    for (int i = 0; i < world->broken.count && i < capacity; i++) {
        const cab_model_attachment *a = &world->model->attachments[world->broken.list[i].attachment];
        if (attachments) attachments[i] = a->scene_attachment;
        if (cables) cables[i] = a->body;
    }
    return world->broken.count;
}
