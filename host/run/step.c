/* A frame: computes what changes with time, lets the carrier compute the substeps, measures the result. */
#include <stdio.h>

#include "base/array.h"
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
#include "world/pieces.h"
#include "world/sleep.h"

#define JOINT_GRAIN 8 /* worlds that a thread takes at once: to begin or end a frame takes microseconds */

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

/* Decides how the substeps of a frame that has begun are computed. */
static cab_status choose(cab_world *world, cab_error *error)
{
    bool whole = false;
    cab_status status = CAB_OK;
    if (world->carrier->frame) return CAB_OK;
    if (cab_pieces_any(world)) status = cab_clear_could_be_near(world, &whole, error);
    if (status == CAB_OK && whole)
        status = cab_pace_make_whole(world, error); /* lanes cut their own pieces */
    return status == CAB_OK ? cab_clear_choose(world, error) : status;
}

/* Computes them as has been chosen. */
static cab_status substeps(cab_world *world, cab_error *error)
{
    bool done = false;
    if (world->carrier->frame) return world->carrier->frame(world, error);
    cab_status status = cab_clear_frame(world, &done, error);
    return status == CAB_OK && !done ? cab_pace_frame(world, error) : status;
}

/* What follows when a gang has computed them, or has found that they cannot be computed in lanes. */
static cab_status take_over(cab_world *world, bool done, cab_error *error)
{
    if (!done && world->clear.alone) return substeps(world, error);
    cab_status status = world->carrier->frame ? CAB_OK : cab_clear_end_frame(world, done, error);
    return status == CAB_OK && !done ? cab_pace_frame(world, error) : status;
}

static cab_status step_frame(cab_world *world, cab_error *error)
{
    cab_status status = begin_frame(world, error);
    if (status == CAB_OK) status = choose(world, error);
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

cab_status cab_world_may_join(cab_world *world, bool *may, cab_error *error)
{
    *may = world->way == CAB_WAY_LANES && !world->def.profile;
    return world->way == CAB_WAY_STAGED && !world->def.profile ? cab_clear_possible(world, may, error)
                                                               : CAB_OK;
}

/* Frames of worlds that step together. */
typedef struct cab_joint_frame {
    cab_joint_step *step;  /* [worlds] */
    cab_world **joint;     /* [worlds] those that a gang takes; NULL = none does */
    cab_world **candidate; /* [worlds] of the gang that is being chosen for */
    bool *done;            /* [worlds] has the gang computed its frame? */
    cab_status taken;      /* how that went */
} cab_joint_frame;

/* The first world that does not fit `other`; NULL: that does not count. */
static const cab_world *first_beside(cab_world *const *worlds, int count, const cab_world *other)
{
    for (int i = 0; i < count; i++)
        if (worlds[i] && !(other && cab_gang_fits(other, worlds[i]))) return worlds[i];
    return NULL;
}

static int count_fitting(cab_world *const *worlds, int count, const cab_world *lead)
{
    int fitting = 0;
    for (int i = 0; lead && i < count; i++) fitting += worlds[i] && cab_gang_fits(lead, worlds[i]);
    return fitting;
}

/* Leaves of `worlds` those that can take the frame by one launch; fewer than two: none. Mostly there are two kinds, those that begin
 * anew and the others, and the larger one is chosen. */
static int choose_joint(cab_world **worlds, int count)
{
    const cab_world *lead = first_beside(worlds, count, NULL), *other = NULL;
    if (lead) other = first_beside(worlds, count, lead);
    int joint = count_fitting(worlds, count, lead), others = count_fitting(worlds, count, other);
    if (others > joint) {
        lead = other;
        joint = others;
    }
    for (int i = 0; i < count; i++)
        if (worlds[i] && (joint < 2 || !cab_gang_fits(lead, worlds[i]))) worlds[i] = NULL;
    return joint < 2 ? 0 : joint;
}

/* Computes the frames that a gang can take by one launch. */
static void take_together(cab_gang *gang, cab_gang_kind kind, const cab_joint_frame *frame, int count,
                          cab_status *taken, cab_error *error)
{
    for (int i = 0; i < count; i++) {
        const cab_joint_step *s = &frame->step[i];
        bool fits = s->world && s->status == CAB_OK && cab_gang_kind_of(s->world) == kind;
        frame->candidate[i] = fits ? s->world : NULL;
    }
    if (choose_joint(frame->candidate, count) == 0) return;
    cab_status status = cab_gang_frame(gang, frame->candidate, frame->done, error);
    if (status != CAB_OK) *taken = status;
    for (int i = 0; i < count; i++)
        if (frame->candidate[i]) frame->joint[i] = frame->candidate[i];
}

static void begin_frames(void *context, int thread, int begin, int end)
{
    const cab_joint_frame *frame = context;
    (void)thread;
    for (int i = begin; i < end; i++) {
        cab_joint_step *s = &frame->step[i];
        if (!s->world) continue;
        s->status = s->world->failed ? fail_again(s->error) : begin_frame(s->world, s->error);
        if (s->status == CAB_OK) s->status = choose(s->world, s->error);
    }
}

static void end_frames(void *context, int thread, int begin, int end)
{
    const cab_joint_frame *frame = context;
    (void)thread;
    for (int i = begin; i < end; i++) {
        cab_joint_step *s = &frame->step[i];
        if (!s->world || s->world->failed) continue;
        if (frame->joint[i] && s->status == CAB_OK) s->status = frame->taken;
        if (s->status == CAB_OK)
            s->status = frame->joint[i] ? take_over(s->world, frame->done[i], s->error)
                                        : substeps(s->world, s->error);
        if (s->status == CAB_OK) s->status = end_frame(s->world, s->error);
        s->world->failed = s->status != CAB_OK;
    }
}

static void share_out(cab_pool *pool, int count, void (*work)(void *context, int thread, int begin, int end),
                      cab_joint_frame *frame)
{
    if (pool)
        cab_pool_run(pool, count, JOINT_GRAIN, work, frame);
    else
        work(frame, 0, 0, count);
}

cab_status cab_world_step_together(cab_gang *const *gangs, cab_pool *pool, cab_joint_step *steps, int count,
                                   cab_error *error)
{
    cab_joint_frame frame = {.step = steps, .taken = CAB_OK};
    cab_status status = CAB_NEW(frame.joint, count, error);
    if (status == CAB_OK) status = CAB_NEW(frame.candidate, count, error);
    if (status == CAB_OK) status = CAB_NEW(frame.done, count, error);
    if (status == CAB_OK) {
        share_out(pool, count, begin_frames, &frame);
        for (int k = 0; k < CAB_GANG_KIND_COUNT; k++)
            take_together(gangs[k], (cab_gang_kind)k, &frame, count, &frame.taken, error);
        share_out(pool, count, end_frames, &frame);
        status = frame.taken;
    }
    CAB_FREE(frame.joint, frame.candidate, frame.done);
    return status;
}
