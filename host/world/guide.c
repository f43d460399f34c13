/* Clips: guides that a cable slides through. Each is a row among the soft attachments whose target the device
 * moves along the clip's axis (kernels/soft.cl). */
#include "world/world.h"

#include <math.h>

#include "base/vec3.h"
#include "model/scene.h"

static bool is_clip(const cab_model *m, int attachment)
{
    return cab_model_attachment_def(m, attachment)->part == CAB_PART_CLIP;
}

static cab_guide guide_of(const cab_model *m, int attachment)
{
    const cab_attachment_def *def = cab_model_attachment_def(m, attachment);
    cab_vec3 axis = m->attachments[attachment].axis;
    return (cab_guide){.soft = -1,
                       .ax = (float)axis.x,
                       .ay = (float)axis.y,
                       .az = (float)axis.z,
                       .play = (float)def->play,
                       .friction = (float)def->friction,
                       .grip = (float)(def->grip * def->compliance),
                       .travel = isfinite(def->travel) ? (float)def->travel : CAB_REACH_ANY};
}

/* The target begins where the cable is along the axis: nothing pulls along it at first. */
cab_status cab_guide_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *state;
    cab_status status = CAB_NEW(state, m->attachment_count, error);
    int count = 0;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (!is_clip(m, i)) continue;
        cab_vec3 off = cab_vec3_sub(m->place[m->node_particle[a->node]], a->place);
        double along = cab_vec3_dot(off, a->axis), travel = cab_model_attachment_def(m, i)->travel;
        state[count++] = (float4){(float)fmax(-travel, fmin(travel, along)), 0, (float)along, 0};
    }
    world->guide_count = count;
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_guide_state, state, (size_t)count, sizeof *state, error);
    free(state);
    return status;
}

/* Which of the soft rows belongs to an attachment; the pull of a hand is none's. */
static int row_of(const cab_world *world, const cab_soft *soft, int soft_count, int attachment)
{
    for (int k = 0; k < soft_count; k++) {
        if (soft[k].moving < world->moving_count && world->moving[soft[k].moving].attachment == attachment)
            return k;
    }
    return -1;
}

cab_status cab_guide_upload(cab_world *world, const cab_soft *soft, int soft_count, cab_error *error)
{
    const cab_model *m = world->model;
    cab_guide *guide;
    if (world->guide_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(guide, world->guide_count, error);
    int count = 0;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        if (!is_clip(m, i)) continue;
        guide[count] = guide_of(m, i);
        guide[count++].soft = row_of(world, soft, soft_count, i);
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_guide, guide, (size_t)count, sizeof *guide, error);
    free(guide);
    return status;
}

cab_status cab_guide_place(cab_world *world, int substep, cab_error *error)
{
    if (world->guide_count == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_guide_place, 0, world->guide_count, substep, 0,
                         error);
}

cab_status cab_guide_slide(cab_world *world, int substep, cab_error *error)
{
    if (world->guide_count == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_guide_slide, 0, world->guide_count, substep, 0,
                         error);
}
