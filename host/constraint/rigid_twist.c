#include "constraint/rigid_twist.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vec3.h"
#include "constraint/twist_chains.h"
#include "model/led.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/led.h"
#include "world/window.h"

static const cab_model_attachment *attachment_of(const cab_model *m, const cab_twist_hold *hold)
{
    return &m->attachments[hold->attachment];
}

/* Does its body turn, be it by forces or by its keyframes? */
static bool turns(const cab_model *m, const cab_twist_hold *hold)
{
    const cab_model_attachment *a = attachment_of(m, hold);
    return a->rigid >= 0 || (a->led >= 0 && cab_rigid_def(m, &m->rigid[a->led])->motion != CAB_BODY_FIXED);
}

cab_status cab_rigid_twist_check(const cab_model *m, cab_error *error)
{
    for (int k = 0; k < m->twist_hold_count; k++) {
        if (!turns(m, &m->twist_hold[k]) || !cab_twist_has_directors(m, m->twist_hold[k].cable)) continue;
        int index = attachment_of(m, &m->twist_hold[k])->scene_attachment;
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: %s/clamp: expected a cable that is straight at rest, with one bending stiffness, on "
            "a body that moves, if it has a twisting_stiffness",
            m->scene->source, cab_attachment_pointer(m->scene, index).text);
    }
    return CAB_OK;
}

void cab_rigid_twist_clamps(const cab_model *m, cab_branches *b)
{
    for (int c = 0; c < b->rigid_clamp_count; c++) b->rigid_clamp[c].hold = -1;
    for (int k = 0; k < m->twist_hold_count; k++) {
        const cab_twist_hold *hold = &m->twist_hold[k];
        const cab_model_attachment *a = attachment_of(m, hold);
        if (!cab_rigid_is_clamp(a)) continue;
        int target = m->bending[cab_model_clamp_bending(m, a)].target;
        for (int c = 0; c < b->rigid_clamp_count; c++) {
            if (b->rigid_clamp[c].target != target) continue;
            b->rigid_clamp[c].hold = k;
            b->rigid_clamp[c].sense = hold->back ? -1 : 1;
            cab_vec3_to_floats(hold->director, b->rigid_clamp[c].director);
        }
    }
}

/* N m a rad with which all runs that end there turn a body back. */
static double stiffness_on(const cab_model *m, int body)
{
    double sum = 0;
    for (int k = 0; k < m->twist_run_count; k++) {
        const int end[2] = {m->twist_run[k].start, m->twist_run[k].end};
        for (int e = 0; e < 2; e++)
            if (attachment_of(m, &m->twist_hold[end[e]])->rigid == body)
                sum += (double)m->twist_run[k].stiffness;
    }
    return sum;
}

void cab_rigid_twist_frequencies(cab_model *m)
{
    for (int k = 0; k < m->twist_run_count; k++) {
        const int end[2] = {m->twist_run[k].start, m->twist_run[k].end};
        double omega2 = 0;
        for (int e = 0; e < 2; e++) {
            const cab_twist_hold *hold = &m->twist_hold[end[e]];
            int body = attachment_of(m, hold)->rigid;
            if (body >= 0)
                omega2 += stiffness_on(m, body) * cab_rigid_turns_by(m, &m->rigid[body], hold->direction);
        }
        m->twist_run[k].omega2 = (float)omega2;
    }
}

/* ---- the world ---- */

static void turn(cab_twist_hold *hold, cab_quaternion by)
{
    hold->direction = cab_quaternion_rotate(by, hold->direction);
    hold->director = cab_quaternion_rotate(by, hold->director);
}

/* By how much a led body has turned since the start, at a part of the frame. */
static cab_quaternion led_turn(const cab_world *world, int body, double part)
{
    cab_pose start = cab_led_pose(world->model, body, 0), now = cab_led_now(world, body, part);
    return cab_quaternion_times(cab_quaternion_unit(now.rotation),
                                cab_quaternion_inverse(cab_quaternion_unit(start.rotation)));
}

cab_status cab_rigid_twist_lead(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int k = 0; status == CAB_OK && m->led_count > 0 && k < m->twist_hold_count; k++) {
        cab_twist_hold hold = m->twist_hold[k];
        int led = attachment_of(m, &hold)->led;
        if (led < 0 || !turns(m, &hold)) continue;
        cab_quaternion before = led_turn(world, led, cab_window_part(world, substep, 0)),
                       now = led_turn(world, led, cab_window_part(world, substep, 1));
        if (memcmp(&before, &now, sizeof now) != 0) world->judging.driven = true;
        turn(&hold, now);
        const float4 rows[2] = {
            {(float)hold.direction.x, (float)hold.direction.y, (float)hold.direction.z, 0},
            {(float)hold.director.x, (float)hold.director.y, (float)hold.director.z, 0}};
        status = cab_world_put(world, CAB_BUFFER_twist_frame, 2 * (size_t)k * sizeof *rows, sizeof rows, rows,
                               error);
    }
    return status;
}

cab_status cab_rigid_twist_now(cab_world *world, cab_twist_hold *hold, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *rotation = NULL;
    cab_status status = CAB_OK;
    if (m->rigid_count > 0)
        status = CAB_READ_NEW(world, CAB_BUFFER_rigid_rotation, rotation, (size_t)m->rigid_count, error);
    for (int k = 0; status == CAB_OK && k < m->twist_hold_count; k++) {
        const cab_model_attachment *a = attachment_of(m, &m->twist_hold[k]);
        hold[k] = m->twist_hold[k];
        if (a->led >= 0) turn(&hold[k], led_turn(world, a->led, 0));
        if (a->rigid >= 0) turn(&hold[k], cab_rigid_turned(rotation[a->rigid]));
    }
    CAB_FREE(rotation);
    return status;
}

cab_status cab_rigid_twist_wrench(cab_world *world, cab_body_reading *readings, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *couple = NULL;
    if (m->twist_run_count == 0) return CAB_OK;
    cab_status status =
        CAB_READ_NEW(world, CAB_BUFFER_twist_couple, couple, 2 * (size_t)m->twist_hold_count, error);
    for (int i = 0; status == CAB_OK && i < 2 * m->twist_hold_count; i++) {
        const cab_model_attachment *a = attachment_of(m, &m->twist_hold[i / 2]);
        int body = a->rigid >= 0 ? a->rigid : a->led;
        if (body < 0 || a->broken) continue;
        const cab_vec3 by = {(double)couple[i].x, (double)couple[i].y, (double)couple[i].z};
        cab_body_reading *r = &readings[m->rigid[body].told];
        r->torque = cab_vec3_add(r->torque, by);
    }
    CAB_FREE(couple);
    return status;
}
