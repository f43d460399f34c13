/* rigid: rigid bodies on which cables end, by the direct method. Their particles and places: model/rigid.c; their part of the
 * equations: model/rigid_terms.c. Kernels: rigid.cl. */
#include "constraint/rigid.h"

#include "base/array.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vec3.h"
#include "constraint/rigid_contact.h"
#include "constraint/rigid_hand.h"
#include "constraint/rigid_pairs.h"
#include "constraint/rigid_twist.h"
#include "constraint/rigid_wrench.h"
#include "constraint/twist.h"
#include "model/body_mass.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/led.h"
#include "model/method.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/led.h"

const cab_constraint_kind cab_rigid_kind;

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    if (scene->body_count == 0) return CAB_OK;
    if (method->rule != CAB_RULE_DIRECT)
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: /bodies: the method \"%s\" does not know bodies, but \"direct\" does; expected none",
            scene->source, cab_method_name(scene->settings.method));
    if (scene->settings.contact.sleep > 0)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: /contact/sleep: expected none beside bodies",
                        scene->source);
    return CAB_OK;
}

/* Of led ones only what cables put on them is computed here; where they are is known (world/led.h). */
static bool present(const cab_model *m)
{
    return cab_model_all_rigid(m) > 0;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    for (int i = 0; i < cab_model_all_rigid(m); i++) {
        const cab_rigid_body *b = &m->rigid[i];
        const cab_body_def *def = cab_rigid_def(m, b);
        cab_hash_array(hash, def->keyframes, def->keyframe_count, sizeof *def->keyframes);
        cab_hash_array(hash, &b->center, 1, sizeof b->center);
        cab_hash_array(hash, &b->pivot, 1, sizeof b->pivot);
        cab_hash_array(hash, b->second, 9, sizeof(double));
        cab_hash_integer(hash, (int)def->motion);
    }
}

static cab_status run(cab_world *world, cab_stage stage, cab_kernel kernel, int count, int argument,
                      cab_error *error)
{
    if (world->model->rigid_count == 0) return CAB_OK;
    return cab_world_run(world, stage, kernel, 0, count, argument, 0, error);
}

static void free_data(void *data)
{
    cab_rigid_data *d = data;
    CAB_FREE(d->fresh);
}

/* Shapes are where bodies are. */
static cab_status stand(cab_world *world, cab_error *error)
{
    return cab_rigid_place(world, CAB_RIGID_ENDED, error);
}

/* Shapes as they are at the start; in the place of a displacement the arm of the shape's own point from the body's pivot. */
static cab_status upload_shapes(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t count = (size_t)(m->collider_count - m->led_collider_end);
    cab_collider *shape;
    cab_status status = CAB_NEW(shape, count, error);
    for (size_t i = 0; status == CAB_OK && i < count; i++) {
        int collider = m->led_collider_end + (int)i;
        shape[i] = m->collider[collider];
        const cab_rigid_body *b = &m->rigid[shape[i].rigid - 1];
        cab_vec3 arm = cab_vec3_sub(m->scene->colliders[collider].center, b->pivot);
        shape[i].mx = (float)arm.x;
        shape[i].my = (float)arm.y;
        shape[i].mz = (float)arm.z;
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_rigid_shape, shape, count, sizeof *shape, error);
    CAB_FREE(shape);
    return status;
}

static cab_status start(cab_world *world, cab_error *error)
{
    size_t count = (size_t)world->model->rigid_count;
    float4 *none;
    cab_status status = cab_wrench_start(world, error);
    if (count == 0 || status != CAB_OK) return status;
    status = CAB_NEW(none, count, error);
    for (size_t i = 0; status == CAB_OK && i < count; i++) none[i].w = 1;
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "rotation", CAB_BUFFER_rigid_rotation, none, count,
                                       sizeof *none, error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "bearing", CAB_BUFFER_rigid_bearing, NULL, count, sizeof *none,
                                       error);
    CAB_FREE(none);
    return status == CAB_OK ? upload_shapes(world, error) : status;
}

cab_status cab_rigid_upload(cab_world *world, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    cab_rigid_twist_clamps(world->model, &world->staged.branches);
    size_t count = (size_t)world->model->rigid_count;
    const cab_table tables[] = {
        {CAB_BUFFER_rigid, b->rigid, count, sizeof *b->rigid},
        {CAB_BUFFER_rigid_member, b->rigid_member, (size_t)b->rigid_member_count, sizeof *b->rigid_member},
        {CAB_BUFFER_rigid_term, b->rigid_term, (size_t)b->rigid_term_count, sizeof *b->rigid_term},
        {CAB_BUFFER_rigid_touch, b->rigid_touch, (size_t)b->rigid_touch_count, sizeof *b->rigid_touch},
        {CAB_BUFFER_rigid_touched, b->rigid_touched, (size_t)b->rigid_touched_count,
         sizeof *b->rigid_touched},
        {CAB_BUFFER_rigid_column, NULL, (size_t)b->rigid_column_count, sizeof(float)},
        {CAB_BUFFER_rigid_turn, NULL, CAB_RIGID_ROWS * count, sizeof(float4)},
        {CAB_BUFFER_rigid_other, NULL, count, sizeof(int)},
        {CAB_BUFFER_rigid_begun, NULL, (size_t)b->rigid_member_count, sizeof(float4)},
        {CAB_BUFFER_rigid_bent, b->rigid_bent, count, sizeof *b->rigid_bent},
        {CAB_BUFFER_rigid_clamp, b->rigid_clamp, (size_t)b->rigid_clamp_count, sizeof *b->rigid_clamp},
    };
    cab_status status = count > 0 ? CAB_UPLOAD(world, tables, error) : CAB_OK;
    return status == CAB_OK ? cab_rigid_hand_upload(world, error) : status;
}

cab_status cab_rigid_fit(cab_world *world, int what, cab_error *error)
{
    return run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_fit, world->model->rigid_count, what, error);
}

cab_status cab_rigid_clamp_turn(cab_world *world, cab_error *error)
{
    if (world->staged.branches.rigid_clamp_count == 0) return CAB_OK;
    return run(world, CAB_STAGE_BENDING, CAB_KERNEL_rigid_clamp_turn, world->model->rigid_count, 0, error);
}

cab_status cab_rigid_clamp_push(cab_world *world, cab_error *error)
{
    if (world->staged.branches.rigid_clamp_count == 0) return CAB_OK;
    cab_status status = CAB_OK;
    if (cab_model_twists(world->model))
        status =
            run(world, CAB_STAGE_BENDING, CAB_KERNEL_rigid_clamp_twist, world->model->rigid_count, 0, error);
    if (status != CAB_OK) return status;
    return run(world, CAB_STAGE_BENDING, CAB_KERNEL_rigid_clamp_push, world->model->rigid_count, 0, error);
}

cab_status cab_rigid_place(cab_world *world, int what, cab_error *error)
{
    if (!cab_rigid_touchable(world->model)) return CAB_OK;
    return run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_rigid_place, world->model->rigid_count, what, error);
}

cab_status cab_rigid_assemble(cab_world *world, int flags, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    cab_status status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_weigh, b->joined_count, flags, error);
    if (status == CAB_OK && world->staged.stiff)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_condense, b->rigid_touch_count, flags, error);
    if (status != CAB_OK) return status;
    return run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_assemble, b->joined_count, flags, error);
}

cab_status cab_rigid_move(cab_world *world, int flags, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    cab_status status = CAB_OK;
    if (world->staged.stiff)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_follow, b->rigid_touch_count, flags, error);
    if (status != CAB_OK) return status;
    return run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_move, world->model->rigid_count, flags, error);
}

cab_status cab_rigid_check(cab_world *world, cab_error *error)
{
    return run(world, CAB_STAGE_DIRECT, CAB_KERNEL_rigid_check, world->staged.branches.joined_count, 0,
               error);
}

cab_status cab_rigid_finish(cab_world *world, cab_error *error)
{
    return run(world, CAB_STAGE_FINISH, CAB_KERNEL_rigid_finish, world->model->rigid_count, 0, error);
}

cab_status cab_rigid_tangent(cab_world *world, int flags, cab_error *error)
{
    return run(world, CAB_STAGE_FINISH, CAB_KERNEL_rigid_tangent, world->model->rigid_count, flags, error);
}

/* The body that a hand pulls at is predicted anew, with that. */
static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    if (!cab_rigid_hand_pulls(world->model)) return CAB_OK;
    cab_status status = cab_rigid_hand_aim(world, substep, error);
    if (status == CAB_OK) status = cab_rigid_fit(world, CAB_RIGID_PULLED, error);
    return status == CAB_OK ? cab_rigid_clamp_turn(world, error) : status;
}

static cab_status go_on(cab_world *world, cab_world *from, cab_error *error)
{
    size_t count = (size_t)world->model->rigid_count;
    float4 *rotation = NULL;
    if (count == 0 || world->model->rigid_count != from->model->rigid_count) return CAB_OK;
    cab_status status = CAB_READ_NEW(from, CAB_BUFFER_rigid_rotation, rotation, count, error);
    if (status == CAB_OK)
        status =
            cab_world_put(world, CAB_BUFFER_rigid_rotation, 0, count * sizeof *rotation, rotation, error);
    CAB_FREE(rotation);
    return status == CAB_OK ? stand(world, error) : status;
}

/* The directions of clamps, by which their bendings store energy. */
static cab_status read_energy(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    float4 *rotation = NULL;
    bool any = world->staged.branches.rigid_clamp_count > 0;
    cab_status status =
        any ? CAB_READ_NEW(world, CAB_BUFFER_rigid_rotation, rotation, (size_t)m->rigid_count, error)
            : CAB_OK;
    for (int i = 0; status == CAB_OK && any && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (!cab_rigid_is_clamp(a)) continue;
        cab_vec3 t = cab_quaternion_rotate(cab_rigid_turned(rotation[a->rigid]), a->direction);
        m->bending_target[m->bending[cab_model_clamp_bending(m, a)].target] =
            (float4){(float)t.x, (float)t.y, (float)t.z, 0};
    }
    CAB_FREE(rotation);
    return status;
}

/* ---- what is told ---- */

int cab_world_get_bodies(const cab_world *world, cab_body_info *infos, int capacity)
{
    const cab_model *m = world->model;
    for (int i = 0; i < cab_model_all_rigid(m); i++) {
        const cab_rigid_body *b = &m->rigid[i];
        const cab_body_mass own = cab_body_mass_of(cab_rigid_def(m, b));
        if (b->told >= capacity) continue;
        cab_body_info *info = &infos[b->told];
        *info = (cab_body_info){.body = b->scene_body, .mass = own.mass, .center = own.center};
        cab_rigid_name(m, i, info->name, sizeof info->name);
        cab_body_inertia(own.second, info->inertia);
    }
    return cab_model_all_rigid(m);
}

static void read_one(const cab_model *m, const cab_rigid_body *b, const cab_place_speed *motion,
                     float4 rotation, cab_body_reading *out)
{
    cab_vec3 center = {0, 0, 0}, velocity = {0, 0, 0}, spin = {0, 0, 0};
    double second[3][3] = {{0}}, inertia[3][3];
    for (int k = 0; k < CAB_RIGID_POINTS; k++) {
        const cab_place_speed *p = &motion[b->point + k];
        center = cab_vec3_add_scaled(center, 1.0 / CAB_RIGID_POINTS, (cab_vec3){p->x[0], p->x[1], p->x[2]});
        velocity =
            cab_vec3_add_scaled(velocity, 1.0 / CAB_RIGID_POINTS, (cab_vec3){p->v[0], p->v[1], p->v[2]});
    }
    for (int k = 0; k < CAB_RIGID_POINTS; k++) {
        const cab_place_speed *p = &motion[b->point + k];
        cab_vec3 arm = cab_vec3_sub((cab_vec3){p->x[0], p->x[1], p->x[2]}, center);
        const double a[3] = {arm.x, arm.y, arm.z};
        spin = cab_vec3_add(spin, cab_vec3_cross(arm, (cab_vec3){p->v[0], p->v[1], p->v[2]}));
        for (int i = 0; i < 9; i++) second[i / 3][i % 3] += a[i / 3] * a[i % 3];
    }
    cab_body_inertia((const double(*)[3])second, inertia);
    cab_quaternion now = cab_quaternion_times(cab_rigid_turned(rotation), cab_quaternion_unit(b->rotation));
    const cab_body_mass own = cab_body_mass_of(cab_rigid_def(m, b));
    cab_quaternion_store(now, out->rotation);
    out->position = cab_vec3_sub(center, cab_quaternion_rotate(now, own.center));
    out->center = center;
    out->velocity = velocity;
    out->spin = cab_body_spin((const double(*)[3])inertia, spin);
}

static cab_status read_moving(cab_world *world, cab_body_reading *readings, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *rotation = NULL;
    cab_place_speed *motion = NULL;
    if (m->rigid_count == 0) return CAB_OK;
    cab_status status = cab_world_read_motion(world, &motion, error);
    if (status == CAB_OK)
        status = CAB_READ_NEW(world, CAB_BUFFER_rigid_rotation, rotation, (size_t)m->rigid_count, error);
    for (int i = 0; status == CAB_OK && i < m->rigid_count; i++)
        read_one(m, &m->rigid[i], motion, rotation[i], &readings[m->rigid[i].told]);
    CAB_FREE(rotation, motion);
    return status;
}

cab_status cab_world_read_bodies(cab_world *world, cab_body_reading *readings, cab_error *error)
{
    const cab_model *m = world->model;
    for (int i = m->rigid_count; i < cab_model_all_rigid(m); i++)
        cab_led_read(world, i, &readings[m->rigid[i].told]);
    cab_status status = read_moving(world, readings, error);
    return status == CAB_OK ? cab_wrench_read(world, readings, error) : status;
}

const cab_constraint_kind cab_rigid_kind = {.name = "rigid",
                                            .check = check,
                                            .present = present,
                                            .ways = 1u << CAB_WAY_STAGED,
                                            .refusal = "cables end on bodies",
                                            .hash = hash,
                                            .data_size = sizeof(cab_rigid_data),
                                            .start = start,
                                            .free_data = free_data,
                                            .update_moving = cab_rigid_hand_upload,
                                            .predicted = predicted,
                                            .restored = stand,
                                            .go_on = go_on,
                                            .read_energy = read_energy,
                                            .end_frame = cab_rigid_look,
                                            .end = cab_wrench_add};
