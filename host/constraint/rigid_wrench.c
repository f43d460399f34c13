#include "constraint/rigid_wrench.h"

#include <math.h>

#include "base/array.h"
#include "base/quaternion.h"
#include "base/vec3.h"
#include "constraint/rigid_twist.h"
#include "contact/contact.h"
#include "model/led.h"
#include "world/device.h"
#include "world/forces.h"

/* Are there sums of contacts with shapes? */
static bool is_summed(const cab_world *world)
{
    return world->model->collider_count > world->model->own_collider_count && world->contact.colliders;
}

cab_status cab_wrench_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t count = (size_t)m->collider_count;
    world->wrench = (cab_wrench){0};
    if (m->collider_count == m->own_collider_count) return CAB_OK;
    cab_status status = cab_world_upload(world, CAB_BUFFER_wrench_start, NULL, count + 1, sizeof(int), error);
    if (status != CAB_OK) return status;
    return cab_world_upload_kept(world, "wrench", CAB_BUFFER_rigid_wrench, NULL, 2 * count, sizeof(float4),
                                 error);
}

cab_status cab_wrench_begin_frame(cab_world *world, cab_error *error)
{
    size_t count = 2 * (size_t)world->model->collider_count;
    float4 *none;
    if (!is_summed(world)) return CAB_OK;
    cab_status status = CAB_NEW(none, count, error);
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_rigid_wrench, 0, count * sizeof *none, none, error);
    CAB_FREE(none);
    return status;
}

/* Segments near each shape, in their order, from the lists of contact: [colliders + 1] where each begins, and the list. */
static cab_status list_near(const cab_world *world, const int *start, const int *near, int *first, int **list,
                            cab_error *error)
{
    const cab_model *m = world->model;
    int total = 0;
    *list = NULL;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->segment_count; i++) {
            for (int k = start[i]; k < start[i + 1]; k++) {
                int collider = near[k] >> 2;
                bool again = k > start[i] && near[k - 1] >> 2 == collider; /* another place of the same */
                if (collider < m->own_collider_count || collider >= m->collider_count || again) continue;
                if (pass == 0)
                    first[collider + 1]++, total++;
                else
                    (*list)[first[collider]++] = i;
            }
        }
        if (pass == 0) {
            for (int c = 0; c < m->collider_count; c++) first[c + 1] += first[c];
            cab_status status = CAB_NEW(*list, total, error);
            if (status != CAB_OK) return status;
        }
    }
    for (int c = m->collider_count; c > 0; c--) first[c] = first[c - 1];
    first[0] = 0;
    return CAB_OK;
}

/* Tables for the lists of contact that are there now. */
static cab_status look(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int *start = NULL, *near = NULL, *first = NULL, *list = NULL;
    if (world->wrench.lists == world->contact.near_made) return CAB_OK;
    cab_status status = cab_contact_read_near(world, &start, &near, error);
    if (status == CAB_OK) status = CAB_NEW(first, m->collider_count + 1, error);
    if (status == CAB_OK) status = list_near(world, start, near, first, &list, error);
    if (status == CAB_OK) {
        const cab_table tables[] = {
            {CAB_BUFFER_wrench_start, first, (size_t)m->collider_count + 1, sizeof *first},
            {CAB_BUFFER_wrench_segment, list, (size_t)first[m->collider_count], sizeof *list}};
        status = CAB_UPLOAD(world, tables, error);
    }
    world->wrench.lists = world->contact.near_made;
    world->wrench.any = status == CAB_OK && first[m->collider_count] > 0;
    CAB_FREE(start, near, first, list);
    return status;
}

cab_status cab_wrench_add(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    (void)substep;
    if (!is_summed(world) || !world->contact.touching || !cab_contact_any_near(world)) return CAB_OK;
    cab_status status = look(world, error);
    if (status != CAB_OK || !world->wrench.any) return status;
    int argument = cab_forces_argument(world) | (world->staged.chosen ? CAB_WRENCH_PRESSED : 0);
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_rigid_wrench, m->own_collider_count,
                         m->collider_count - m->own_collider_count, argument, 0, error);
}

/* ---- reading ---- */

/* An arm that turns along with a body, as it was in the middle of the frame. */
static cab_vec3 middle_of(const cab_world *world, const cab_body_reading *r, cab_vec3 arm)
{
    cab_vec3 half = cab_vec3_scale(-0.5 / world->model->settings.frame_rate, r->spin);
    double angle = cab_vec3_length(half);
    if (!(angle > 0)) return arm;
    cab_quaternion back = {cos(angle / 2), cab_vec3_scale(sin(angle / 2) / angle, half)};
    return cab_quaternion_rotate(back, arm);
}

static void add(cab_body_reading *r, cab_vec3 arm, cab_vec3 force)
{
    r->force = cab_vec3_add(r->force, force);
    r->torque = cab_vec3_add(r->torque, cab_vec3_cross(arm, force));
}

/* The arm from the origin of a body's axes to a place of it, as it was in the middle of the frame. point: in these axes */
static cab_vec3 arm_of(const cab_world *world, const cab_body_reading *r, cab_vec3 point)
{
    return middle_of(world, r, cab_quaternion_rotate(cab_quaternion_unit(r->rotation), point));
}

/* What ends there pulls with: what an attachment bears, the other way. */
static void add_ends(const cab_world *world, cab_body_reading *readings)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->attachment_count && world->forces.mean; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        int body = a->rigid >= 0 ? a->rigid : a->led;
        if (body < 0) continue;
        const cab_rigid_body *b = &m->rigid[body];
        cab_body_reading *r = &readings[b->told];
        add(r, arm_of(world, r, a->on_body), cab_vec3_scale(-1, world->forces.mean[i]));
        if (!world->forces.couple) continue;
        cab_quaternion start = cab_quaternion_unit(b->rotation);
        cab_vec3 own = a->led >= 0 ? cab_led_direction(m, a)
                                   : cab_quaternion_rotate(cab_quaternion_inverse(start), a->direction);
        cab_vec3 along = arm_of(world, r, own);
        r->torque = cab_vec3_add(r->torque, cab_vec3_cross(world->forces.couple[i], along));
    }
}

static void add_shape(const cab_world *world, int body, int collider, const float4 sum[2],
                      cab_body_reading *readings)
{
    const cab_model *m = world->model;
    const cab_rigid_body *b = &m->rigid[body];
    cab_body_reading *r = &readings[b->told];
    double share = 1.0 / m->settings.substeps;
    cab_vec3 about = body < m->rigid_count ? b->pivot : m->scene->colliders[collider].center;
    const cab_vec3 force = {(double)sum[0].x, (double)sum[0].y, (double)sum[0].z},
                   torque = {(double)sum[1].x, (double)sum[1].y, (double)sum[1].z};
    add(r, arm_of(world, r, cab_rigid_seen(m, b, about)), cab_vec3_scale(share, force));
    r->torque = cab_vec3_add_scaled(r->torque, share, torque);
}

cab_status cab_wrench_read(cab_world *world, cab_body_reading *readings, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *sum = NULL;
    for (int i = 0; i < cab_model_all_rigid(m); i++)
        readings[i].force = readings[i].torque = (cab_vec3){0, 0, 0};
    add_ends(world, readings);
    cab_status status = cab_rigid_twist_wrench(world, readings, error);
    if (!is_summed(world) || status != CAB_OK) return status;
    status = CAB_NEW(sum, 2 * (size_t)m->collider_count, error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_rigid_wrench, 0,
                                 2 * (size_t)m->collider_count * sizeof *sum, sum, error);
    for (int i = 0; status == CAB_OK && i < cab_model_all_rigid(m); i++)
        for (int k = m->rigid[i].collider; k < m->rigid[i].collider + m->rigid[i].shape_count; k++)
            add_shape(world, i, k, sum + 2 * (size_t)k, readings);
    CAB_FREE(sum);
    return status;
}
