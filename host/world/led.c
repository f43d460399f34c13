#include "world/led.h"

#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vec3.h"
#include "model/body_mass.h"
#include "model/led.h"
#include "model/pose.h"
#include "model/rigid.h"
#include "model/sockets.h"
#include "world/window.h"

static const cab_body_def *def_of(const cab_world *world, int body)
{
    return cab_rigid_def(world->model, &world->model->rigid[body]);
}

static cab_led_motion *motion_of(const cab_world *world, int body)
{
    return &world->led[body - world->model->rigid_count];
}

bool cab_led_moves(const cab_world *world, int body)
{
    return def_of(world, body)->motion != CAB_BODY_FIXED;
}

cab_pose cab_led_now(const cab_world *world, int body, double part)
{
    const cab_led_motion *m = motion_of(world, body);
    double t = (world->frame + part) / world->model->settings.frame_rate;
    if (!m->pose.by_user) return cab_led_pose(world->model, body, t);
    return part < 1 ? cab_pose_mix(&m->pose.from, &m->pose.to, part) : m->pose.to;
}

double cab_led_socket_way(const cab_world *world, double from, double to)
{
    const cab_model *m = world->model;
    double most = 0;
    for (int i = 0; i < 2 * m->socket_count; i++) {
        int body = m->socket[i / 2].body[i % 2];
        if (body < m->rigid_count) continue;
        const cab_socket_def *def = cab_socket_def_of(m, i / 2);
        cab_vec3 point = i % 2 ? def->to.point : def->plug.point;
        cab_pose before = cab_led_now(world, body, from), now = cab_led_now(world, body, to);
        most = fmax(most, cab_vec3_distance(cab_led_place(&before, point), cab_led_place(&now, point)));
    }
    return most;
}

/* Its velocity and its spin between two poses that are `time` s apart. */
static void note(cab_led_motion *m, const cab_pose *before, const cab_pose *now, double time)
{
    cab_quaternion turn = cab_quaternion_times(cab_quaternion_unit(now->rotation),
                                               cab_quaternion_inverse(cab_quaternion_unit(before->rotation)));
    double sine = cab_vec3_length(turn.v), angle = 2 * atan2(sine, fabs(turn.w));
    double scale = sine > 0 ? (turn.w < 0 ? -angle : angle) / sine : 0;
    m->velocity = cab_vec3_scale(1 / time, cab_vec3_sub(now->position, before->position));
    m->spin = cab_vec3_scale(scale / time, turn.v);
}

/* At the start of a run a body moves as its keyframes will have it in the first substep. */
cab_status cab_led_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    double part = 1.0 / m->settings.substeps;
    cab_status status = CAB_NEW(world->led, m->led_count, error);
    for (int b = m->rigid_count; status == CAB_OK && b < cab_model_all_rigid(m); b++) {
        cab_pose from = cab_led_now(world, b, 0), to = cab_led_now(world, b, part);
        motion_of(world, b)->pose = (cab_collider_motion){false, from, from};
        note(motion_of(world, b), &from, &to, part / m->settings.frame_rate);
    }
    return status;
}

void cab_led_note(cab_world *world)
{
    const cab_model *m = world->model;
    int last = world->window.count - 1;
    double time = 1 / (m->settings.frame_rate * world->window.of);
    for (int b = m->rigid_count; b < cab_model_all_rigid(m); b++) {
        cab_pose before = cab_led_now(world, b, cab_window_part(world, last, 0)),
                 now = cab_led_now(world, b, cab_window_part(world, last, 1));
        note(motion_of(world, b), &before, &now, time);
    }
}

void cab_led_end_frame(cab_world *world)
{
    for (int i = 0; i < world->model->led_count; i++) world->led[i].pose.from = world->led[i].pose.to;
}

void cab_led_end(cab_world *world)
{
    CAB_FREE(world->led);
}

void cab_led_read(const cab_world *world, int body, cab_body_reading *out)
{
    const cab_led_motion *m = motion_of(world, body);
    const cab_body_mass own = cab_body_mass_of(def_of(world, body));
    cab_pose now = cab_led_now(world, body, 0);
    *out = (cab_body_reading){.position = now.position, .spin = m->spin};
    for (int k = 0; k < 4; k++) out->rotation[k] = now.rotation[k];
    out->center = cab_led_place(&now, own.center);
    cab_vec3 arm = cab_vec3_sub(out->center, out->position);
    out->velocity = cab_vec3_add(m->velocity, cab_vec3_cross(m->spin, arm));
}

cab_status cab_world_set_body_pose(cab_world *world, int body, cab_pose pose, cab_error *error)
{
    const double *q = pose.rotation;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    int found = cab_rigid_told(world->model, body);
    if (found < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "body %d: expected the number of a body, 0 to %d", body,
                        cab_model_all_rigid(world->model) - 1);
    if (def_of(world, found)->motion != CAB_BODY_GIVEN) {
        char name[256];
        cab_rigid_name(world->model, found, name, sizeof name);
        return cab_fail(error, CAB_ERROR_INPUT, "%s: body \"%s\": expected one whose motion is \"given\"",
                        world->model->scene->source, name);
    }
    if (!cab_vec3_finite(pose.position) || !isfinite(length) || !(length > 0))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "body %d: expected a pose of finite numbers and a rotation other than 0", body);
    motion_of(world, found)->pose =
        (cab_collider_motion){true, cab_led_now(world, found, 0), cab_pose_unit(&pose)};
    return CAB_OK;
}
