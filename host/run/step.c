/* A frame: computes what changes with time, lets the carrier compute the substeps, measures the result. */
#include <stdio.h>

#include "base/error.h"
#include "carrier/clear.h"
#include "carrier/gang.h"
#include "model/constraint_kind.h"
#include "run/break.h"
#include "run/measure.h"
#include "run/pace.h"
#include "run/world.h"
#include "world/attached.h"
#include "constraint/rigid_wrench.h"
#include "world/colliders.h"
#include "world/led.h"
#include "world/forces.h"
#include "world/sleep.h"

static const char *const stage_names[CAB_STAGE_COUNT] = {
    "feed",    "predict", "attach", "grid",   "narrow",   "contact", "collider", "distance",
    "bending", "own",     "fused",  "direct", "converge", "finish",  "measure"};

const char *cab_stage_name(cab_stage stage)
{
    return (unsigned)stage < CAB_STAGE_COUNT ? stage_names[stage] : "";
}

/* Computes values over the coming frame. */
static cab_status begin_frame(cab_world *world, cab_error *error)
{
    cab_status status = cab_pace_begin_frame(world, error);
    if (status == CAB_OK) status = cab_forces_begin_frame(world, error);
    if (status == CAB_OK) status = cab_wrench_begin_frame(world, error);
    return status;
}

/* Measures the frame just done. */
static cab_status end_frame(cab_world *world, cab_error *error)
{
    cab_attached_end_frame(world);
    cab_colliders_end_frame(world);
    cab_led_end_frame(world);
    world->frame++;
    cab_status status = cab_world_update_measures(world, error);
    if (status == CAB_OK) status = cab_world_break(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->end_frame) status = cab_constraint_kinds[k]->end_frame(world, error);
    }
    if (status == CAB_OK) status = cab_sleep_update(world, error);
    return status;
}

/* Computes the substeps of a frame that has begun. */
static cab_status substeps(cab_world *world, cab_error *error)
{
    bool clear = false;
    if (world->carrier->frame) return world->carrier->frame(world, error);
    cab_status status = cab_clear_frame(world, &clear, error);
    return status == CAB_OK && !clear ? cab_pace_frame(world, error) : status;
}

static cab_status step_frame(cab_world *world, cab_error *error)
{
    cab_status status = begin_frame(world, error);
    if (status == CAB_OK) status = substeps(world, error);
    return status == CAB_OK ? end_frame(world, error) : status;
}

static cab_status fail_again(cab_error *error)
{
    return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before and cannot go on");
}

cab_status cab_world_step(cab_world *world, int frames, cab_error *error)
{
    if (world->failed) return fail_again(error);
    for (int i = 0; i < frames; i++) {
        cab_status status = step_frame(world, error);
        if (status != CAB_OK) {
            world->failed = true;
            return status;
        }
    }
    return CAB_OK;
}

/* Leaves of `worlds` those that can take the frame by one launch; fewer than two: none. */
static int choose_joint(cab_world **worlds, int count)
{
    const cab_world *lead = NULL;
    int joint = 0;
    for (int i = 0; i < count; i++)
        if (worlds[i] && (!lead || (cab_gang_has_state(worlds[i]) && !cab_gang_has_state(lead))))
            lead = worlds[i];
    for (int i = 0; i < count; i++) {
        if (worlds[i] && !cab_gang_fits(lead, worlds[i])) worlds[i] = NULL;
        joint += worlds[i] != NULL;
    }
    if (joint >= 2) return joint;
    for (int i = 0; i < count; i++) worlds[i] = NULL;
    return 0;
}

cab_status cab_world_step_together(cab_gang *gang, cab_joint_step *steps, int count, cab_error *error)
{
    cab_world **joint;
    cab_status all = CAB_NEW(joint, count, error);
    if (all != CAB_OK) return all;
    for (int i = 0; i < count; i++) {
        cab_joint_step *s = &steps[i];
        if (!s->world) continue;
        s->status = s->world->failed ? fail_again(s->error) : begin_frame(s->world, s->error);
        if (s->status == CAB_OK) joint[i] = s->world;
    }
    if (choose_joint(joint, count) > 0) all = cab_gang_frame(gang, joint, error);
    for (int i = 0; i < count; i++) {
        cab_joint_step *s = &steps[i];
        if (!s->world || s->world->failed) continue;
        if (s->status == CAB_OK) s->status = joint[i] ? all : substeps(s->world, s->error);
        if (s->status == CAB_OK) s->status = end_frame(s->world, s->error);
        s->world->failed = s->status != CAB_OK;
    }
    free(joint);
    return all;
}
