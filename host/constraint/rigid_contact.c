/* rigid_contact: rigid bodies touch colliders and each other, by the direct method. Kernels: rigid_contact.cl, rigid_contact_solve.cl. */
#include "constraint/rigid_contact.h"

#include <clcable/contacts.h>

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/rigid_pairs.h"
#include "constraint/socket.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/limits.h"
#include "model/rigid.h"
#include "world/device.h"

const cab_constraint_kind cab_rigid_contact_kind;

typedef struct cab_rigid_contact_data {
    cab_mates mates;
    bool started; /* what overlaps at the start is noted */
    bool stale;   /* a state was put in: the buffer says who is near whom */
} cab_rigid_contact_data;

static void free_data(void *data)
{
    cab_rigid_contact_data *d = data;
    cab_mates_free(&d->mates);
}

/* Does a body of the group touch the collider, or the shape of a led body? */
static bool may_touch(const cab_model *m, int collider, int group)
{
    int of = m->scene->colliders[collider].group, rigid = m->collider[collider].rigid;
    if (rigid < 0 && !cab_rigid_def(m, &m->rigid[-1 - rigid])->collide) return false;
    return of == CAB_GROUP_ALL || of == group;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    for (int i = 0; i < m->rigid_count; i++)
        if (!cab_rigid_def(m, &m->rigid[i])->collide) cab_hash_integer(hash, i);
}

static cab_status run(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_COLLIDER, kernel, 0, count, argument, 0, error);
}

/* ---- tables ---- */

/* The colliders of each body, one body behind the other. */
static cab_status upload_walls(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int *wall, at = m->rigid_count + 1;
    size_t room = (size_t)at + (size_t)m->rigid_count * (size_t)m->led_collider_end;
    cab_status status = CAB_NEW(wall, room, error);
    for (int i = 0; status == CAB_OK && i < m->rigid_count; i++) {
        const cab_rigid_body *b = &m->rigid[i];
        wall[i] = at;
        for (int k = 0; k < m->led_collider_end && cab_rigid_collides(m, b); k++)
            if (may_touch(m, k, cab_rigid_def(m, b)->group)) wall[at++] = k;
        wall[i + 1] = at;
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_rigid_wall, wall, (size_t)at, sizeof *wall, error);
    CAB_FREE(wall);
    return status;
}

static cab_status start_kept(cab_world *world, cab_error *error)
{
    size_t count = (size_t)world->model->rigid_count;
    cab_rigid_pressed *none;
    cab_status status = CAB_NEW(none, count * CAB_RIGID_CONTACTS, error);
    for (size_t i = 0; status == CAB_OK && i < count * CAB_RIGID_CONTACTS; i++) none[i].other = -1;
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "bumps", CAB_BUFFER_rigid_pressed, none,
                                       count * CAB_RIGID_CONTACTS, sizeof *none, error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "mates", CAB_BUFFER_rigid_mate, NULL, count * CAB_RIGID_MATES,
                                       sizeof(int), error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "apart", CAB_BUFFER_rigid_apart, NULL, count * CAB_RIGID_APART,
                                       sizeof(int), error);
    CAB_FREE(none);
    return status;
}

static cab_status start(cab_world *world, cab_error *error)
{
    cab_rigid_contact_data *data = cab_kind_data(world, &cab_rigid_contact_kind);
    if (!cab_rigid_any_contact(world->model)) return CAB_OK;
    cab_status status = cab_mates_start(world->model, &data->mates, error);
    if (status == CAB_OK) status = upload_walls(world, error);
    return status == CAB_OK ? start_kept(world, error) : status;
}

/* Who is near whom, by places in rigid. */
static cab_status upload_near(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    int *near, *slot;
    cab_status status = CAB_NEW(near, CAB_RIGID_MATES * m->rigid_count, error);
    if (status == CAB_OK) status = CAB_NEW(slot, m->rigid_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < m->rigid_count; i++) slot[b->rigid[i].body] = i;
    for (int k = 0; k < m->rigid_mate_count; k++) {
        int *to = near + CAB_RIGID_MATES * slot[m->rigid_mate[k][0]];
        while (*to != 0) to++;
        *to = slot[m->rigid_mate[k][1]] + 1;
    }
    status = cab_world_upload(world, CAB_BUFFER_rigid_near, near,
                              (size_t)CAB_RIGID_MATES * (size_t)m->rigid_count, sizeof *near, error);
    CAB_FREE(near, slot);
    return status;
}

cab_status cab_rigid_contact_upload(cab_world *world, cab_error *error)
{
    size_t count = (size_t)world->model->rigid_count;
    const cab_table tables[] = {
        {CAB_BUFFER_rigid_contact, NULL, CAB_RIGID_CONTACTS * count, sizeof(cab_rigid_contact)},
        {CAB_BUFFER_rigid_contact_count, NULL, count, sizeof(int)},
        {CAB_BUFFER_rigid_bumped, NULL, count, sizeof(int)},
        {CAB_BUFFER_rigid_reach, NULL, count, sizeof(float4)},
    };
    if (!cab_rigid_any_contact(world->model)) return CAB_OK;
    cab_status status = CAB_UPLOAD(world, tables, error);
    return status == CAB_OK ? upload_near(world, error) : status;
}

/* ---- who is near whom ---- */

/* As the buffer says: after a state was put in. */
static cab_status take_mates(cab_world *world, cab_error *error)
{
    cab_rigid_contact_data *data = cab_kind_data(world, &cab_rigid_contact_kind);
    size_t count = (size_t)world->model->rigid_count * CAB_RIGID_MATES;
    cab_status status = world->backend->ops->read(world->backend, CAB_BUFFER_rigid_mate, 0,
                                                  count * sizeof(int), data->mates.of, error);
    if (status == CAB_OK) status = cab_mates_list(world->model, &data->mates, error);
    return status == CAB_OK ? cab_rigid_remake(world, error) : status;
}

static cab_status begin(cab_world *world, int substep, cab_error *error)
{
    cab_rigid_contact_data *data = cab_kind_data(world, &cab_rigid_contact_kind);
    cab_model *m = world->model;
    size_t count = (size_t)m->rigid_count * CAB_RIGID_POINTS, bytes = count * sizeof(float4);
    bool changed = false;
    cab_status status = CAB_OK;
    (void)substep;
    if (!cab_rigid_any_contact(m) || count == CAB_RIGID_POINTS) return CAB_OK;
    if (data->stale) status = take_mates(world, error);
    data->stale = false;
    if (status != CAB_OK) return status;
    float4 *place, *velocity = NULL;
    size_t first = (size_t)m->rigid[0].point * sizeof(float4);
    status = CAB_NEW(place, count, error);
    if (status == CAB_OK) status = CAB_NEW(velocity, count, error);
    if (status == CAB_OK) status = cab_world_fetch(world, CAB_BUFFER_position, first, bytes, place, error);
    if (status == CAB_OK) status = cab_world_fetch(world, CAB_BUFFER_velocity, first, bytes, velocity, error);
    if (status == CAB_OK)
        status = cab_mates_update(m, &data->mates, place, velocity, (double)world->params.h, &changed, error);
    CAB_FREE(place, velocity);
    if (status != CAB_OK || !changed) return status;
    status = world->backend->ops->write(world->backend, CAB_BUFFER_rigid_mate, 0,
                                        (size_t)m->rigid_count * CAB_RIGID_MATES * sizeof(int),
                                        data->mates.of, error);
    if (status == CAB_OK) status = cab_mates_list(m, &data->mates, error);
    return status == CAB_OK ? cab_rigid_remake(world, error) : status;
}

static cab_status resume(cab_world *world, cab_error *error)
{
    cab_rigid_contact_data *data = cab_kind_data(world, &cab_rigid_contact_kind);
    if (!cab_rigid_any_contact(world->model)) return CAB_OK;
    data->started = world->frame > 0;
    data->stale = true; /* it is written after this */
    (void)error;
    return CAB_OK;
}

/* Another world goes on: what did not touch there does not do so here. */
static cab_status go_on(cab_world *world, cab_world *from, cab_error *error)
{
    cab_rigid_contact_data *data = cab_kind_data(world, &cab_rigid_contact_kind);
    size_t count = (size_t)world->model->rigid_count * CAB_RIGID_APART;
    int *apart = NULL;
    if (!cab_rigid_any_contact(world->model) || !cab_rigid_any_contact(from->model) ||
        world->model->rigid_count != from->model->rigid_count)
        return CAB_OK;
    cab_status status = CAB_READ_NEW(from, CAB_BUFFER_rigid_apart, apart, count, error);
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_rigid_apart, 0, count * sizeof *apart, apart, error);
    CAB_FREE(apart);
    data->started = true;
    return status;
}

/* ---- a substep ---- */

/* Tells what does not touch since it overlaps at the start. */
static cab_status tell_apart(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int *apart = NULL;
    cab_status status =
        CAB_READ_NEW(world, CAB_BUFFER_rigid_apart, apart, m->rigid_count * CAB_RIGID_APART, error);
    for (int k = 0; status == CAB_OK && k < m->rigid_count * CAB_RIGID_APART; k++) {
        char name[CAB_NAME_MAX + 64];
        int other = apart[k] - 1;
        if (other < 0) continue;
        cab_rigid_name(m, k / CAB_RIGID_APART, name, sizeof name);
        cab_world_log(world, 0, "note: the body \"%s\" overlaps %s at the start and does not touch it", name,
                      cab_collider_pointer(m, other).text);
    }
    CAB_FREE(apart);
    return status;
}

static cab_status look(cab_world *world, int what, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_rigid_contact_look, 0,
                         world->staged.branches.joined_count, what, 0, error);
}

cab_status cab_rigid_contact_find(cab_world *world, cab_error *error)
{
    cab_rigid_contact_data *data = cab_kind_data(world, &cab_rigid_contact_kind);
    int n = world->model->rigid_count, *count = NULL, argument = data->started ? 0 : CAB_RIGID_CONTACT_START;
    world->staged.bumped = cab_socket_engaged(world);
    if (!cab_rigid_any_contact(world->model)) return CAB_OK;
    cab_status status = run(world, CAB_KERNEL_rigid_contact_reach, n, 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_rigid_contact_find, n, argument, error);
    if (status == CAB_OK) status = cab_socket_part(world, error);
    if (status == CAB_OK) status = look(world, 0, error);
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_rigid_contact_count, count, n, error);
    for (int i = 0; status == CAB_OK && i < n; i++) world->staged.bumped |= count[i] > 0;
    CAB_FREE(count);
    if (status == CAB_OK && !data->started) status = tell_apart(world, error);
    data->started = true;
    return status;
}

cab_status cab_rigid_contact_press(cab_world *world, int flags, cab_error *error)
{
    if (!world->staged.bumped || !cab_rigid_any_contact(world->model)) return CAB_OK;
    cab_status status = run(world, CAB_KERNEL_rigid_contact_press, world->model->rigid_count, flags, error);
    return status == CAB_OK ? look(world, 0, error) : status;
}

cab_status cab_rigid_contact_assemble(cab_world *world, int flags, cab_error *error)
{
    if (!world->staged.bumped || !cab_rigid_any_contact(world->model)) return CAB_OK;
    return run(world, CAB_KERNEL_rigid_contact_assemble, world->staged.branches.joined_count, flags, error);
}

cab_status cab_rigid_contact_end(cab_world *world, cab_error *error)
{
    if (!cab_rigid_any_contact(world->model)) return CAB_OK;
    cab_status status = run(world, CAB_KERNEL_rigid_contact_end, world->model->rigid_count, 0, error);
    return status == CAB_OK ? look(world, CAB_RIGID_CONTACT_END, error) : status;
}

/* ---- what is told ---- */

/* Adds what the contacts of the body at a place in rigid have given, to it and to the others. */
static void add_forces(const cab_branches *b, int slot, const cab_rigid_contact *contact, int count,
                       double per_h2, cab_vec3 *forces)
{
    for (int k = 0; k < count; k++) {
        const float *f = contact[k].given;
        cab_vec3 force = {(double)f[0] * per_h2, (double)f[1] * per_h2, (double)f[2] * per_h2};
        cab_vec3 *own = &forces[b->rigid[slot].body];
        *own = cab_vec3_add(*own, force);
        if (contact[k].slot < 0) continue;
        cab_vec3 *other = &forces[b->rigid[contact[k].slot].body];
        *other = cab_vec3_sub(*other, force);
    }
}

/* The multipliers are those of the order that the substep had; where something presses the next one is of first order, and so was one
 * that presses on. */
cab_status cab_world_read_body_contacts(cab_world *world, cab_vec3 *forces, cab_error *error)
{
    const cab_model *m = world->model;
    cab_rigid_contact *contact = NULL;
    int *count = NULL;
    double per_h2 = (double)world->params.inverse_h * (double)world->params.inverse_h;
    for (int i = 0; i < m->rigid_count; i++) forces[i] = (cab_vec3){0, 0, 0};
    if (!cab_rigid_any_contact(m)) return CAB_OK;
    cab_status status = cab_world_flush(world, false, error);
    if (status == CAB_OK)
        status = CAB_READ_NEW(world, CAB_BUFFER_rigid_contact_count, count, m->rigid_count, error);
    if (status == CAB_OK)
        status = CAB_READ_NEW(world, CAB_BUFFER_rigid_contact, contact, CAB_RIGID_CONTACTS * m->rigid_count,
                              error);
    for (int i = 0; status == CAB_OK && i < m->rigid_count; i++)
        add_forces(&world->staged.branches, i, contact + CAB_RIGID_CONTACTS * i, count[i], per_h2, forces);
    CAB_FREE(contact, count);
    return status;
}

const cab_constraint_kind cab_rigid_contact_kind = {.name = "rigid_contact",
                                                    .present = cab_rigid_any_contact,
                                                    .ways = 1u << CAB_WAY_STAGED,
                                                    .refusal = "bodies touch",
                                                    .hash = hash,
                                                    .data_size = sizeof(cab_rigid_contact_data),
                                                    .start = start,
                                                    .free_data = free_data,
                                                    .resume = resume,
                                                    .go_on = go_on,
                                                    .begin = begin};
