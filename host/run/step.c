/* A frame: computes what changes with time, lets the carrier compute the substeps, measures the result. */
#include <stdio.h>

#include "base/error.h"
#include "carrier/clear.h"
#include "model/constraint_kind.h"
#include "run/break.h"
#include "run/measure.h"
#include "run/pace.h"
#include "world/attached.h"
#include "world/colliders.h"
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
    return status;
}

/* Measures the frame just done. */
static cab_status end_frame(cab_world *world, cab_error *error)
{
    cab_attached_end_frame(world);
    cab_colliders_end_frame(world);
    world->frame++;
    cab_status status = cab_world_update_measures(world, error);
    if (status == CAB_OK) status = cab_world_break(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->end_frame) status = cab_constraint_kinds[k]->end_frame(world, error);
    }
    if (status == CAB_OK) status = cab_sleep_update(world, error);
    return status;
}

static cab_status step_frame(cab_world *world, cab_error *error)
{
    bool clear = false;
    cab_status status = begin_frame(world, error);
    if (status == CAB_OK && world->carrier->frame) {
        status = world->carrier->frame(world, error);
    } else {
        if (status == CAB_OK) status = cab_clear_frame(world, &clear, error);
        if (status == CAB_OK && !clear) status = cab_pace_frame(world, error);
    }
    return status == CAB_OK ? end_frame(world, error) : status;
}

cab_status cab_world_step(cab_world *world, int frames, cab_error *error)
{
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before and cannot go on");
    for (int i = 0; i < frames; i++) {
        cab_status status = step_frame(world, error);
        if (status != CAB_OK) {
            world->failed = true;
            return status;
        }
    }
    return CAB_OK;
}
