/* drum: cable that is paid out and reeled in at a held end. drum_table.c sets the model for an amount of
 * cable on the drum; this file sends the changes in each substep of a frame to the device. Kernels: drum.cl.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "constraint/drum_table.h"
#include "model/drums.h"
#include "model/hash.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/sleep.h"
#include "world/window.h"

typedef struct cab_drum_data {
    cab_drum_step *step; /* [substeps][drums] in the window */
} cab_drum_data;

const cab_constraint_kind cab_drum_kind;

static float weight_of(const cab_model *m, int particle)
{
    return m->held[particle] < 0 && m->mass[particle] > 0 ? (float)(1 / m->mass[particle]) : 0;
}

/* The step from the metres on the drum at the substep's start to those at its end, for which the model is
 * set. */
static cab_drum_step step_of(const cab_world *world, const cab_drum *drum, double before, double now)
{
    const cab_model *m = world->model;
    const cab_drum_node *node = &m->drum_node[drum->first];
    int first = cab_drum_first(m, drum, now), count = drum->count - first;
    cab_drum_step s = {.row = drum->first, .first_free = drum->first + first, .count = count < 2 ? count : 2};
    s.released = first < cab_drum_first(m, drum, before);
    if (s.released) {
        double out = node[first].arc - before;
        s.along = (float)((out > 0 ? out : 0) / (node[first + 1].arc - before));
        s.speed = (float)((before - now) / cab_model_substep(m));
    }
    s.fade = (float)fmax(0, 1 - fabs(now - before) / (CAB_DRUM_LEAST * node[first].length));
    s.decay = cab_world_damping(world, node[first].particle);
    for (int k = 0; k < s.count; k++) {
        const cab_drum_node *n = &node[first + k];
        s.rest[k] = m->distance[n->distance].rest;
        s.compliance[k] = m->distance[n->distance].compliance;
        s.weight[k] = weight_of(m, n->particle);
        if (n->bending < 0) continue;
        s.ga[k] = m->bending[n->bending].ga;
        s.gc[k] = m->bending[n->bending].gc;
        s.bending_compliance[k] = m->bending[n->bending].compliance;
    }
    return s;
}

static cab_status start(cab_world *world, cab_error *error)
{
    cab_drum_data *data = cab_kind_data(world, &cab_drum_kind);
    const cab_model *m = world->model;
    size_t steps = (size_t)m->drum_count * (size_t)m->settings.substeps;
    cab_drum_row *row;
    if (m->drum_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(row, m->drum_node_count, error);
    for (int f = 0; status == CAB_OK && f < m->drum_count; f++) {
        for (int i = m->drum[f].first; i < m->drum[f].first + m->drum[f].count; i++) {
            const cab_drum_node *n = &m->drum_node[i];
            int node = cab_drum_node_at(m, &m->drum[f], i - m->drum[f].first);
            row[i] = (cab_drum_row){.particle = n->particle,
                                    .distance = n->distance,
                                    .bending = n->bending,
                                    .drum = f,
                                    .node = m->drum[f].at_end ? node : node - 1};
        }
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_drum_node, row, (size_t)m->drum_node_count, sizeof *row,
                                  error);
    free(row);
    if (status == CAB_OK) status = CAB_NEW(data->step, steps, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_drum_step, NULL, steps, sizeof *data->step, error);
    if (status != CAB_OK) return status;
    size_t drums = 2 * (size_t)m->drum_count;
    return m->settings.method == CAB_METHOD_DIRECT
               ? cab_world_upload_kept(world, "drum", CAB_BUFFER_drum_slack, NULL, drums, sizeof(float),
                                       error)
               : cab_world_upload(world, CAB_BUFFER_drum_slack, NULL, drums, sizeof(float), error);
}

static cab_status begin_window(cab_world *world, cab_error *error)
{
    cab_drum_data *data = cab_kind_data(world, &cab_drum_kind);
    cab_model *m = world->model;
    int substeps = world->window.count;
    if (m->drum_count == 0) return CAB_OK;
    for (int k = 0; k < substeps; k++) {
        for (int f = 0; f < m->drum_count; f++) {
            cab_drum *drum = &m->drum[f];
            double before = cab_drum_stored(m, drum, cab_window_time(world, k, 0));
            double now = cab_drum_stored(m, drum, cab_window_time(world, k, 1));
            cab_drum_update(m, drum, now);
            data->step[(size_t)k * (size_t)m->drum_count + (size_t)f] = step_of(world, drum, before, now);
            if (now != before) cab_sleep_disturb(world, m->drum_node[drum->first].particle);
        }
    }
    size_t bytes = (size_t)substeps * (size_t)m->drum_count * sizeof *data->step;
    return world->backend->ops->write(world->backend, CAB_BUFFER_drum_step, 0, bytes, data->step, error);
}

/* Has a particle left a drum or come onto it? Then other segments can touch than before. */
static bool has_changed(const cab_world *world, int substep)
{
    cab_drum_data *data = cab_kind_data(world, &cab_drum_kind);
    const cab_model *m = world->model;
    for (int f = 0; f < m->drum_count; f++) {
        const cab_drum *drum = &m->drum[f];
        int before = cab_drum_first(m, drum, cab_drum_stored(m, drum, cab_window_time(world, substep, 0)));
        if (data->step[(size_t)substep * (size_t)m->drum_count + (size_t)f].first_free !=
            drum->first + before)
            return true;
    }
    return false;
}

/* Tables of the direct method are for the substep that begins; the model has been set to the end of the window. */
static cab_status follow(cab_world *world, int substep, cab_error *error)
{
    cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int f = 0; status == CAB_OK && f < m->drum_count; f++) {
        double now = cab_drum_stored(m, &m->drum[f], cab_window_time(world, substep, 1));
        if (m->drum[f].now != now) cab_drum_update(m, &m->drum[f], now);
        status = world->carrier->feed(world, f, error);
    }
    return status;
}

static cab_status begin(cab_world *world, int substep, cab_error *error)
{
    int n = world->model->drum_count;
    if (n == 0) return CAB_OK;
    if (has_changed(world, substep)) world->contact.listed = false;
    cab_status status = CAB_OK;
    if (world->carrier->feed) {
        status = follow(world, substep, error);
        if (status == CAB_OK)
            status =
                cab_world_run(world, CAB_STAGE_FEED, CAB_KERNEL_direct_feed, 0, n, substep * n, 0, error);
    }
    if (status != CAB_OK) return status;
    return cab_world_run(world, CAB_STAGE_FEED, CAB_KERNEL_drum_move, 0, n, substep * n, 0, error);
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    if (m->drum_count == 0 || world->attached.moving_count == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_FEED, CAB_KERNEL_drum_follow, 0, m->drum_node_count,
                         substep * m->drum_count, 0, error);
}

static void set_time(cab_model *m, double t)
{
    for (int f = 0; f < m->drum_count; f++) cab_drum_set(m, &m->drum[f], cab_drum_stored(m, &m->drum[f], t));
}

static cab_status resume(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    const cab_backend_ops *ops = world->backend->ops;
    size_t distances = (size_t)m->distance_count * sizeof *m->distance;
    size_t bendings = (size_t)m->bending_count * sizeof *m->bending;
    if (m->drum_count == 0) return CAB_OK;
    set_time(m, world->frame / m->settings.frame_rate);
    cab_status status = ops->write(world->backend, CAB_BUFFER_distance, 0, distances, m->distance, error);
    if (status == CAB_OK && bendings > 0)
        status = ops->write(world->backend, CAB_BUFFER_bending, 0, bendings, m->bending, error);
    return status;
}

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    bool knows = method->rule == CAB_RULE_COMPLIANT || method->rule == CAB_RULE_DIRECT;
    for (int i = 0; !knows && i < scene->cable_count; i++) {
        if (scene->cables[i].feed.keyframe_count > 0)
            return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                            "%s: /cables/%d/feed: the method \"%s\" feeds no cable; expected \"xpbd\" or "
                            "\"direct\"",
                            scene->source, i, method->name);
    }
    return CAB_OK;
}

static bool present(const cab_model *model)
{
    return model->drum_count > 0;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    for (int i = 0; i < m->scene->cable_count; i++) {
        const cab_feed_def *def = &m->scene->cables[i].feed;
        if (def->keyframe_count == 0) continue;
        cab_hash_integer(hash, def->at_end);
        cab_hash_number(hash, def->stored);
        cab_hash_array(hash, def->keyframes, def->keyframe_count, sizeof *def->keyframes);
    }
}

static void free_model(cab_model *m)
{
    free(m->drum);
    free(m->drum_node);
}

static void free_data(void *data)
{
    free(((cab_drum_data *)data)->step);
}

const cab_constraint_kind cab_drum_kind = {.name = "drum",
                                           .check = check,
                                           .present = present,
                                           .ways = 1u << CAB_WAY_COLOURED | 1u << CAB_WAY_STAGED,
                                           .refusal = "a cable is fed",
                                           .draft = cab_drums_draft,
                                           .set_time = set_time,
                                           .hash = hash,
                                           .free_model = free_model,
                                           .data_size = sizeof(cab_drum_data),
                                           .start = start,
                                           .free_data = free_data,
                                           .resume = resume,
                                           .begin_window = begin_window,
                                           .begin = begin,
                                           .predicted = predicted};
