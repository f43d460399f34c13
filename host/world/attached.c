/* Held particles that move, along keyframes or to targets that the user sets. */
#include "world/attached.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model/led.h"
#include "model/pose.h"
#include "model/scene.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/led.h"
#include "world/sleep.h"
#include "world/window.h"

static const cab_attachment_def *def_of(const cab_world *world, int attachment)
{
    return &world->model->scene->attachments[world->model->attachments[attachment].scene_attachment];
}

bool cab_attached_is_soft(const cab_world *world, int attachment)
{
    return def_of(world, attachment)->compliance > 0;
}

int cab_attached_targets(const cab_world *world)
{
    return world->attached.moving_count + (world->model->pull.on ? 1 : 0);
}

cab_status cab_attached_upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = world->attached.moving_count;
    int *particle, *index = NULL;
    cab_status status = CAB_NEW(particle, n, error);
    if (status == CAB_OK) status = CAB_NEW(index, m->particle_count, error);
    if (status == CAB_OK) {
        memset(index, -1, (size_t)m->particle_count * sizeof *index);
        for (int i = 0; i < n; i++) {
            particle[i] = m->node_particle[m->attachments[world->attached.moving[i].attachment].node];
            if (cab_attached_is_soft(world, world->attached.moving[i].attachment))
                particle[i] = -1;
            else
                index[particle[i]] = i;
        }
        status =
            cab_world_upload(world, CAB_BUFFER_moving_particle, particle, (size_t)n, sizeof *particle, error);
    }
    if (status == CAB_OK && n > 0) {
        status = cab_world_upload(world, CAB_BUFFER_moving, index, (size_t)m->particle_count, sizeof *index,
                                  error);
    }
    free(particle);
    free(index);
    size_t room = 2 * (size_t)cab_attached_targets(world) * (size_t)m->settings.substeps;
    free(world->attached.target);
    world->attached.target = NULL;
    free(world->attached.moved);
    world->attached.moved = NULL;
    if (status == CAB_OK) status = CAB_NEW(world->attached.target, room, error);
    if (status == CAB_OK) status = CAB_NEW(world->attached.moved, room / 2, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_target, NULL, room, sizeof(float4), error);
    world->params.moving_count = cab_attached_targets(world);
    world->clear.tables = false;
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->update_moving)
            status = cab_constraint_kinds[k]->update_moving(world, error);
    }
    if (status == CAB_OK && world->carrier->update_moving)
        status = world->carrier->update_moving(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    return status;
}

cab_status cab_attached_add(cab_world *world, int attachment, cab_error *error)
{
    size_t total = (size_t)world->attached.moving_count + 1;
    cab_moving *grown = realloc(world->attached.moving, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "moving attachments", total * sizeof *grown);
    world->attached.moving = grown;
    grown[world->attached.moving_count++] = (cab_moving){.attachment = attachment};
    return CAB_OK;
}

/* A clamp keeps a direction in space, so its cable cannot be turned. */
static cab_status check_clamp(const cab_world *world, int attachment, bool turns, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_attachment_def *def = def_of(world, attachment);
    const char *key = def->clamp ? "clamp" : "to";
    if (!turns || (!def->clamp && def->part == CAB_PART_ATTACHMENT)) return CAB_OK;
    return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                    "%s: %s/%s: the collider turns, and a direction that turns with it is not built yet; "
                    "expected %s",
                    m->scene->source,
                    cab_attachment_pointer(m->scene, m->attachments[attachment].scene_attachment).text, key,
                    def->clamp ? "false" : "one that does not turn");
}

static bool turns_ever(const cab_collider_def *def)
{
    for (int i = 1; i < def->keyframe_count; i++) {
        if (cab_pose_turns(&def->keyframes[0].pose, &def->keyframes[i].pose)) return true;
    }
    return false;
}

cab_status cab_attached_ride(cab_world *world, int collider, bool turns, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        if (m->attachments[i].collider == collider && !m->attachments[i].broken)
            status = check_clamp(world, i, turns, error);
    }
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        int k = 0;
        if (m->attachments[i].collider != collider || m->attachments[i].broken) continue;
        if (cab_model_is_free(m, i)) continue; /* it is on the collider only after it has latched */
        while (k < world->attached.moving_count && world->attached.moving[k].attachment != i) k++;
        if (k == world->attached.moving_count) status = cab_attached_add(world, i, error);
    }
    if (status == CAB_OK && world->params.moving_count != cab_attached_targets(world))
        status = cab_attached_upload(world, error);
    return status;
}

static cab_vec3 mix(cab_vec3 a, cab_vec3 b, double t)
{
    return (cab_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

/* The place of an attachment that the user has not taken over, at a part of the coming frame. */
static cab_vec3 place_of(const cab_world *world, const cab_model_attachment *a, double part)
{
    const cab_model *m = world->model;
    const cab_attachment_def *def = &m->scene->attachments[a->scene_attachment];
    bool led = def->part == CAB_PART_CONNECTOR && !a->mated;
    cab_vec3 place = cab_model_target(m, a, (world->frame + part) / m->settings.frame_rate);
    if (a->led >= 0) {
        cab_pose pose = cab_led_now(world, a->led, part);
        place = cab_led_place(&pose, a->on_body);
    }
    if (a->collider >= 0 && !led) {
        cab_pose pose = cab_colliders_pose(world, a->collider, part);
        place = cab_pose_from_collider(&m->scene->colliders[a->collider], &pose, a->on_collider);
    }
    bool going_home = a->mated && a->mated_frame > 0 && world->frame == a->mated_frame;
    return going_home ? mix(a->mate_from, place, part) : place;
}

cab_status cab_attached_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        int collider = m->attachments[i].collider;
        const cab_collider_def *def = collider >= 0 ? &m->scene->colliders[collider] : NULL;
        bool rides = def && def->keyframe_count > 0;
        bool moves = def_of(world, i)->to == CAB_TARGET_KEYFRAMES || cab_attached_is_soft(world, i) || rides;
        int led = m->attachments[i].led;
        moves = moves || (led >= 0 && cab_led_moves(world, led));
        if (moves && !cab_model_is_free(m, i)) status = cab_attached_add(world, i, error);
        if (status == CAB_OK && rides) status = check_clamp(world, i, turns_ever(def), error);
    }
    if (status == CAB_OK) status = cab_attached_upload(world, error);
    return status;
}

cab_vec3 cab_attached_place_on_collider(const cab_world *world, const cab_model_attachment *a)
{
    cab_pose pose = cab_colliders_pose(world, a->collider, 0);
    return cab_pose_from_collider(&world->model->scene->colliders[a->collider], &pose, a->on_collider);
}

cab_vec3 cab_attached_mate(const cab_world *world, const cab_model_attachment *a)
{
    return a->collider < 0 ? a->mate : cab_attached_place_on_collider(world, a);
}

static void put_target(cab_world *world, int substep, int i, cab_vec3 x)
{
    float4 *t =
        &world->attached.target[2 * ((size_t)substep * (size_t)cab_attached_targets(world) + (size_t)i)];
    cab_split_place(x, &t[0], &t[1]);
}

cab_status cab_attached_update(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    int n = cab_attached_targets(world), substeps = world->window.count;
    double h = 1 / (m->settings.frame_rate * world->window.of);
    world->attached.jerk = 0;
    if (n == 0) return CAB_OK;
    for (int k = 0; k < substeps; k++) {
        double part = cab_window_part(world, k, 1);
        float *moved = &world->attached.moved[(size_t)k * (size_t)n];
        if (m->pull.on) put_target(world, k, n - 1, mix(world->hand.from, world->hand.to, part));
        for (int i = 0; i < world->attached.moving_count; i++) {
            cab_moving *moving = &world->attached.moving[i];
            cab_model_attachment *a = &m->attachments[moving->attachment];
            cab_vec3 x = moving->by_user ? mix(moving->from, moving->to, part) : place_of(world, a, part);
            put_target(world, k, i, x);
            if (x.x != a->place.x || x.y != a->place.y || x.z != a->place.z)
                cab_sleep_disturb(world, m->node_particle[a->node]);
            moved[i] = (float)cab_vec3_distance(a->place, x);
            cab_vec3 velocity = cab_vec3_scale(1 / h, cab_vec3_sub(x, a->place));
            world->attached.jerk =
                fmax(world->attached.jerk, h * cab_vec3_distance(velocity, moving->velocity));
            moving->velocity = velocity;
            a->place = x;
        }
    }
    world->attached.target_due = true;
    return world->lanes.resident ? CAB_OK : cab_attached_write(world, error);
}

cab_status cab_attached_write(cab_world *world, cab_error *error)
{
    size_t rows = (size_t)cab_attached_targets(world) * (size_t)world->window.count;
    world->attached.target_due = false;
    return world->backend->ops->write(world->backend, CAB_BUFFER_target, 0, 2 * rows * sizeof(float4),
                                      world->attached.target, error);
}

void cab_attached_end_frame(cab_world *world)
{
    for (int i = 0; i < world->attached.moving_count; i++)
        world->attached.moving[i].from = world->attached.moving[i].to;
    world->hand.from = world->hand.to;
}

cab_status cab_attached_move(cab_world *world, int substep, cab_error *error)
{
    if (world->attached.moving_count == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_attach, 0, world->attached.moving_count, substep,
                         0, error);
}

cab_status cab_world_set_target(cab_world *world, int attachment, cab_vec3 point, cab_error *error)
{
    const cab_model *m = world->model;
    int found = 0;
    cab_status status = CAB_OK;
    if (!cab_vec3_finite(point)) {
        return cab_fail(error, CAB_ERROR_INPUT, "/attachments/%d: expected a target of three finite numbers",
                        attachment);
    }
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (a->scene_attachment != attachment || a->joint || a->broken) continue;
        if (cab_model_is_free(m, i)) continue;
        found++;
        int k = 0;
        while (k < world->attached.moving_count && world->attached.moving[k].attachment != i) k++;
        if (k == world->attached.moving_count) status = cab_attached_add(world, i, error);
        if (status != CAB_OK) return status;
        cab_vec3 to = {point.x + a->shift.x, point.y + a->shift.y, point.z + a->shift.z};
        world->attached.moving[k].by_user = true;
        world->attached.moving[k].from = a->place;
        world->attached.moving[k].to = to;
    }
    if (found == 0) {
        return cab_fail(error, CAB_ERROR_INPUT, "/attachments/%d: no held particle belongs to it",
                        attachment);
    }
    if (world->params.moving_count != cab_attached_targets(world)) status = cab_attached_upload(world, error);
    return status;
}
