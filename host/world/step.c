/* A frame: its substeps, stage by stage. The order here is the physics.
 *
 *   feed      what drums pay out and reel in
 *   predict   where inertia, loads and drag lead
 *   attach    held particles to their targets
 *   grid      candidate lists that cover the substep
 *   narrow    contacts at the predicted places
 *   distance  segment lengths, colour by colour            } each iteration,
 *   bending   curvature, colour by colour                  } contact last: friction
 *   own       the user's own, colour by colour; callbacks  }
 *   contact   passes over the contacts                     } then has the last word
 *   finish    velocity and position
 */
#include "world/world.h"

#include <stdio.h>

#include "model/scene.h"

#define MANY_SUBSTEPS (1 << 28)

static const char *const stage_names[CAB_STAGE_COUNT] = {
    "feed",    "predict", "attach", "grid",   "narrow",   "contact", "collider", "distance",
    "bending", "own",     "fused",  "direct", "converge", "finish",  "measure"};

const char *cab_stage_name(cab_stage stage)
{
    return (unsigned)stage < CAB_STAGE_COUNT ? stage_names[stage] : "";
}

static cab_status predict(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    if (m->loaded_count > 0) {
        status = cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_load, 0, m->loaded_count, 0, 0, error);
    }
    if (status == CAB_OK && m->has_drag) {
        status = cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_drag, 0, m->particle_count, 0, 0, error);
    }
    if (status == CAB_OK) {
        status =
            cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_predict, 0, m->particle_count, 0, 0, error);
    }
    return status;
}

static cab_status substep(cab_world *world, int index, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = cab_feed_substep(world, index, error);
    if (status == CAB_OK) status = cab_world_move_loads(world, index, error);
    if (status == CAB_OK) status = predict(world, error);
    if (status == CAB_OK && world->moving_count > 0) {
        status = cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_attach, 0, world->moving_count, index, 0,
                               error);
    }
    if (status == CAB_OK) status = cab_guide_place(world, index, error);
    if (status == CAB_OK) status = cab_feed_follow(world, index, error);
    if (status == CAB_OK) status = cab_colliders_move(world, index, error);
    if (status == CAB_OK) status = cab_contact_update(world, error);
    if (status == CAB_OK) status = cab_contact_find(world, error);
    if (status == CAB_OK) status = cab_solve_substep(world, index, error);
    if (status == CAB_OK) status = cab_contact_note_forces(world, index, error);
    if (status == CAB_OK) status = cab_contact_guard(world, cab_contact_solve, error);
    if (status == CAB_OK) status = cab_guide_slide(world, index, error);
    if (status == CAB_OK && world->watch_count > 0) {
        status = cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_attach_force, 0, world->watch_count, 0, 0,
                               error);
    }
    if (status == CAB_OK) {
        status = cab_world_run(world, CAB_STAGE_FINISH, CAB_KERNEL_finish, 0, m->particle_count, 0, 0, error);
    }
    return status;
}

/* The frame in launches of some substeps each: a device need not work for long without a break. */
static cab_status fused_frame(cab_world *world, cab_error *error)
{
    int total = world->model->settings.substeps;
    cab_status status = CAB_OK;
    for (int first = 0; status == CAB_OK && first < total; first += world->params.fused_substeps) {
        status = cab_world_run(world, CAB_STAGE_FUSED, CAB_KERNEL_fused, 0, world->model->cable_count, first,
                               world->fused_scratch, error);
    }
    return status;
}

/* A substep of a way that goes stage by stage. */
static cab_status staged_substep(cab_world *world, int index, cab_error *error)
{
    if (world->substeps < MANY_SUBSTEPS) world->substeps++;
    if (cab_sleep_all(world)) return CAB_OK;
    cab_status status = cab_sleep_wake(world, error);
    if (status != CAB_OK) return status;
    return world->way == CAB_WAY_STAGED ? cab_direct_substep(world, index, error)
                                        : substep(world, index, error);
}

static cab_status step_frame(cab_world *world, cab_error *error)
{
    cab_status status = cab_world_update_targets(world, error);
    if (status == CAB_OK) status = cab_world_update_colliders(world, error);
    if (status == CAB_OK) status = cab_world_update_loads(world, error);
    if (status == CAB_OK) status = cab_world_update_feeds(world, error);
    if (status == CAB_OK) status = cab_world_watch_forces(world, error);
    if (status == CAB_OK && world->way == CAB_WAY_FUSED) {
        status = fused_frame(world, error);
    } else if (status == CAB_OK && world->way == CAB_WAY_LANES) {
        status = cab_lanes_frame(world, error);
    } else if (status == CAB_OK && world->way == CAB_WAY_CYCLIC) {
        status = cab_cyclic_frame(world, error);
    } else {
        for (int i = 0; status == CAB_OK && i < world->model->settings.substeps; i++)
            status = staged_substep(world, i, error);
    }
    if (status != CAB_OK) return status;
    world->frame++;
    status = cab_world_update_measures(world, error);
    if (status == CAB_OK) status = cab_world_break(world, error);
    if (status == CAB_OK) status = cab_connectors_update(world, error);
    if (status == CAB_OK) status = cab_sleep_update(world, error);
    return status;
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
