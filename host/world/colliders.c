/* Colliders that move, along keyframes or as the user wants. */
#include "world/colliders.h"

#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/led.h"
#include "model/pose.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/led.h"
#include "world/sleep.h"
#include "world/window.h"

#define LEAST 1e-9 /* m; way of a surface that slides along itself */

static const cab_collider_def *def_of(const cab_world *world, int collider)
{
    return &world->model->scene->colliders[collider];
}

/* How far a collider's surface is from its point where a rotation moves it sideways, m. */
static double extent_of(const cab_world *world, int collider)
{
    const cab_collider_def *def = def_of(world, collider);
    if (cab_shape_has_axis(def->shape))
        return cab_vec3_distance(def->center, def->to) +
               (def->shape == CAB_SHAPE_SHEAVE ? def->groove.flange : def->radius);
    if (def->shape == CAB_SHAPE_BOX) return cab_vec3_length(def->half_extents);
    if (def->shape == CAB_SHAPE_MESH) return world->model->mesh_facts[collider].extent;
    return 0; /* a rotation does not move the surface of a sphere, and a plane has none */
}

static cab_status allocate_paths(cab_world *world, cab_error *error)
{
    size_t substeps = (size_t)world->model->settings.substeps;
    size_t room = substeps * (size_t)world->model->collider_count;
    cab_status status = CAB_NEW(world->colliders.path, room, error);
    if (status == CAB_OK) status = CAB_NEW(world->colliders.moved, substeps, error);
    if (status == CAB_OK) status = CAB_NEW(world->colliders.each, room, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_collider_path, NULL, room, sizeof(cab_collider), error);
    world->colliders.move = status == CAB_OK;
    return status;
}

cab_status cab_colliders_start(cab_world *world, cab_error *error)
{
    int n = world->model->collider_count;
    bool any = false;
    cab_status status = CAB_NEW(world->colliders.motion, n, error);
    for (int i = 0; status == CAB_OK && i < n; i++) {
        int body = cab_led_of_collider(world->model, i);
        world->colliders.motion[i].from = world->colliders.motion[i].to =
            cab_model_collider_pose(world->model, i, 0);
        any = any || def_of(world, i)->keyframe_count > 0 || (body >= 0 && cab_led_moves(world, body));
    }
    return status == CAB_OK && any ? allocate_paths(world, error) : status;
}

cab_pose cab_colliders_pose(const cab_world *world, int collider, double part)
{
    const cab_collider_motion *m = &world->colliders.motion[collider];
    double t = (world->frame + part) / world->model->settings.frame_rate;
    int body = cab_led_of_collider(world->model, collider);
    if (body >= 0) {
        cab_pose pose = cab_led_now(world, body, part);
        return cab_led_shape(world->model, body, collider, &pose);
    }
    if (!m->by_user) return cab_pose_at(def_of(world, collider), t);
    return part < 1 ? cab_pose_mix(&m->from, &m->to, part) : m->to;
}

cab_status cab_colliders_update(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = m->collider_count, substeps = world->window.count;
    if (!world->colliders.move) return CAB_OK;
    bool disturbed = false;
    for (int k = 0; k < substeps; k++) world->colliders.moved[k] = 0;
    for (int i = 0; i < n; i++) {
        double extent = extent_of(world, i);
        cab_pose before = cab_colliders_pose(world, i, cab_window_part(world, 0, 0));
        double way = 0; /* more than 0 where it moves at all: what turns in its place is not still */
        for (int k = 0; k < substeps; k++) {
            cab_pose now = cab_colliders_pose(world, i, cab_window_part(world, k, 1));
            cab_collider *out = &world->colliders.path[(size_t)k * (size_t)n + (size_t)i];
            *out = m->collider[i];
            cab_pose_place(def_of(world, i), &before, &now, out);
            disturbed = disturbed || out->moves;
            double moved = cab_pose_moved(&before, &now, extent);
            way += fmax(moved, out->moves ? LEAST : 0);
            world->colliders.each[(size_t)k * (size_t)n + (size_t)i] = (float)moved;
            world->colliders.moved[k] = fmax(world->colliders.moved[k], moved);
            before = now;
        }
        for (int k = 0; k < substeps; k++)
            world->colliders.path[(size_t)k * (size_t)n + (size_t)i].way = (float)way;
    }
    if (disturbed) cab_sleep_disturb_all(world);
    size_t bytes = (size_t)n * (size_t)substeps * sizeof *world->colliders.path;
    return world->backend->ops->write(world->backend, CAB_BUFFER_collider_path, 0, bytes,
                                      world->colliders.path, error);
}

void cab_colliders_end_frame(cab_world *world)
{
    for (int i = 0; world->colliders.move && i < world->model->collider_count; i++)
        world->colliders.motion[i].from = cab_colliders_pose(world, i, 1);
}

cab_collider cab_colliders_at_rest(const cab_world *world, int collider)
{
    cab_collider placed = world->model->collider[collider];
    cab_pose pose = cab_colliders_pose(world, collider, 0);
    cab_pose_place(def_of(world, collider), &pose, &pose, &placed);
    return placed;
}

cab_status cab_colliders_place(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t n = (size_t)m->led_collider_end;
    cab_collider *now;
    if (!world->colliders.move) return CAB_OK;
    cab_status status = CAB_NEW(now, n, error);
    for (int i = 0; status == CAB_OK && i < m->led_collider_end; i++)
        now[i] = cab_colliders_at_rest(world, i);
    if (status == CAB_OK)
        status =
            world->backend->ops->write(world->backend, CAB_BUFFER_collider, 0, n * sizeof *now, now, error);
    free(now);
    return status;
}

cab_status cab_colliders_move(cab_world *world, int index, cab_error *error)
{
    if (!world->colliders.move) return CAB_OK;
    world->contact.collider_step = world->colliders.moved[index];
    world->contact.collider_moved += world->colliders.moved[index];
    /* whatever of cables lies elsewhere may stay there */
    return cab_world_launch(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_move, 0,
                            world->model->led_collider_end, index, 0, error);
}

void cab_colliders_end(cab_world *world)
{
    CAB_FREE(world->colliders.motion, world->colliders.path, world->colliders.moved, world->colliders.each);
}

cab_status cab_colliders_check(const cab_world *world, int collider, const cab_pose *pose, cab_error *error)
{
    const double *q = pose->rotation;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (collider < 0 || collider >= world->model->own_collider_count)
        return cab_fail(error, CAB_ERROR_INPUT, "/colliders/%d: there is no such collider", collider);
    if (!cab_vec3_finite(pose->position) || !isfinite(length) || !(length > 0))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "/colliders/%d: expected a pose of finite numbers and a rotation other than 0",
                        collider);
    if (def_of(world, collider)->shape == CAB_SHAPE_PLANE &&
        cab_pose_tilts(pose, def_of(world, collider)->normal))
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "/colliders/%d: a plane has no end and cannot tilt",
                        collider);
    return CAB_OK;
}

cab_status cab_colliders_set(cab_world *world, int collider, const cab_pose *pose, cab_error *error)
{
    cab_status status = world->colliders.move ? CAB_OK : allocate_paths(world, error);
    if (status != CAB_OK) return status;
    world->colliders.motion[collider] =
        (cab_collider_motion){true, cab_colliders_pose(world, collider, 0), cab_pose_unit(pose)};
    return CAB_OK;
}

bool cab_world_get_collider(const cab_world *world, int collider, cab_pose *pose)
{
    if (collider < 0 || collider >= world->model->own_collider_count) return false;
    *pose = cab_colliders_pose(world, collider, 0);
    return true;
}
