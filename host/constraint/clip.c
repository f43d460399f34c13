/* clip: a fixing that a cable slides through. Each clip is a soft attachment (soft.c) whose target the device
 * moves along the clip's axis. Kernels: soft.cl. */
#include "constraint/clip.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "model/scene.h"
#include "world/device.h"

typedef struct cab_clip_data {
    int count; /* clips, including those that have let go */
} cab_clip_data;

const cab_constraint_kind cab_clip_kind;

static int count_of(const cab_world *world)
{
    return ((const cab_clip_data *)cab_kind_data(world, &cab_clip_kind))->count;
}

static bool is_clip(const cab_model *m, int attachment)
{
    return cab_model_attachment_def(m, attachment)->part == CAB_PART_CLIP;
}

static cab_clip clip_of(const cab_model *m, int attachment)
{
    const cab_attachment_def *def = cab_model_attachment_def(m, attachment);
    cab_vec3 axis = m->attachments[attachment].axis;
    return (cab_clip){.soft = -1,
                      .ax = (float)axis.x,
                      .ay = (float)axis.y,
                      .az = (float)axis.z,
                      .play = (float)def->play,
                      .friction = (float)def->friction,
                      .grip = (float)(def->grip * def->compliance),
                      .travel = isfinite(def->travel) ? (float)def->travel : CAB_REACH_ANY};
}

/* How far along its axis from its place the particle of a clip is. */
static double along_of(const cab_model *m, int attachment, cab_vec3 x)
{
    const cab_model_attachment *a = &m->attachments[attachment];
    return cab_vec3_dot(cab_vec3_sub(x, a->place), a->axis);
}

/* The target begins where the cable is along the axis, so nothing pulls along it at first. */
static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *state;
    cab_status status = CAB_NEW(state, m->attachment_count, error);
    int count = 0;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        if (!is_clip(m, i)) continue;
        double along = along_of(m, i, m->place[m->node_particle[m->attachments[i].node]]),
               travel = cab_model_attachment_def(m, i)->travel;
        state[count++] = (float4){(float)fmax(-travel, fmin(travel, along)), 0, (float)along, 0};
    }
    ((cab_clip_data *)cab_kind_data(world, &cab_clip_kind))->count = count;
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "clip", CAB_BUFFER_clip_state, state, (size_t)count,
                                       sizeof *state, error);
    free(state);
    return status;
}

cab_status cab_clip_read(cab_world *world, double *slid, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *state;
    if (count_of(world) == 0) return CAB_OK;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_clip_state, state, (size_t)count_of(world), error);
    for (int i = 0, k = 0; status == CAB_OK && i < m->attachment_count; i++)
        if (is_clip(m, i)) slid[i] = (double)state[k++].x;
    free(state);
    return status;
}

cab_status cab_clip_write(cab_world *world, const cab_vec3 *place, const double *slid, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *state;
    cab_status status = CAB_NEW(state, m->attachment_count, error);
    int count = 0;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        double along = along_of(m, i, place[m->node_particle[m->attachments[i].node]]);
        if (is_clip(m, i)) state[count++] = (float4){(float)slid[i], 0, (float)along, 0};
    }
    if (status == CAB_OK && count > 0)
        status = cab_world_put(world, CAB_BUFFER_clip_state, 0, (size_t)count * sizeof *state, state, error);
    free(state);
    return status;
}

/* The row in `soft` of an attachment; -1 = none. The pull of a hand belongs to no attachment. */
static int row_of(const cab_world *world, const cab_soft *soft, int soft_count, int attachment)
{
    for (int k = 0; k < soft_count; k++) {
        if (soft[k].moving < world->attached.moving_count &&
            world->attached.moving[soft[k].moving].attachment == attachment)
            return k;
    }
    return -1;
}

cab_status cab_clip_follow(cab_world *world, const cab_soft *soft, int soft_count, cab_error *error)
{
    const cab_model *m = world->model;
    cab_clip *clip;
    if (count_of(world) == 0) return CAB_OK;
    cab_status status = CAB_NEW(clip, count_of(world), error);
    int count = 0;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        if (!is_clip(m, i)) continue;
        clip[count] = clip_of(m, i);
        clip[count++].soft = row_of(world, soft, soft_count, i);
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_clip, clip, (size_t)count, sizeof *clip, error);
    free(clip);
    return status;
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    if (count_of(world) == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_clip_place, 0, count_of(world), substep, 0,
                         error);
}

static cab_status end(cab_world *world, int substep, cab_error *error)
{
    if (count_of(world) == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_clip_slide, 0, count_of(world), substep, 0,
                         error);
}

static cab_status go_on(cab_world *world, cab_world *from, cab_error *error)
{
    size_t n = (size_t)count_of(world);
    float4 *state;
    if (n == 0) return CAB_OK;
    cab_status status = CAB_READ_NEW(from, CAB_BUFFER_clip_state, state, n, error);
    if (status == CAB_OK)
        status = world->backend->ops->write(world->backend, CAB_BUFFER_clip_state, 0, n * sizeof *state,
                                            state, error);
    free(state);
    return status;
}

const cab_constraint_kind cab_clip_kind = {.name = "clip",
                                           .data_size = sizeof(cab_clip_data),
                                           .start = start,
                                           .predicted = predicted,
                                           .end = end,
                                           .go_on = go_on};
