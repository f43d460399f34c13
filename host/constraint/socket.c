/* socket: plugs and sockets, by the direct method: places of rigid bodies of which one goes into the other. In the model: model/sockets.c.
 * Kernels: socket.cl. */
#include "constraint/socket.h"

#include <math.h>

#include <clcable/contacts.h>

#include "base/array.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vec3.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/led.h"
#include "model/limits.h"
#include "model/rigid.h"
#include "model/sockets.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/led.h"
#include "world/window.h"

#define global /* where a plug is to its socket is written as kernels are */
#include "kernels/socket.h"
#undef global

const cab_constraint_kind cab_socket_kind;

_Static_assert((int)CAB_SOCKET_OUT == CAB_SOCKET_PHASE_OUT &&
                   (int)CAB_SOCKET_GUIDED == CAB_SOCKET_PHASE_GUIDED &&
                   (int)CAB_SOCKET_MATED == CAB_SOCKET_PHASE_MATED &&
                   (int)CAB_SOCKET_RELEASED == CAB_SOCKET_PHASE_RELEASED,
               "what kernels note is told as it is");

typedef struct cab_socket_data {
    bool engaged;          /* one of them, in this substep */
    float4 *led;           /* [sockets][2][CAB_SOCKET_LED] */
    int *state;            /* [sockets] as it was told last */
    cab_socket_state *now; /* [sockets] as read for energies */
} cab_socket_data;

static bool present(const cab_model *m)
{
    return m->socket_count > 0;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    for (int i = 0; i < m->socket_count; i++) {
        const cab_model_socket *s = &m->socket[i];
        const cab_socket_def *def = cab_socket_def_of(m, i);
        const double numbers[] = {def->depth, def->capture_radius, def->capture_angle, def->compliance};
        cab_hash_array(hash, s->point, 2, sizeof *s->point);
        cab_hash_array(hash, s->axis, 2, sizeof *s->axis);
        cab_hash_array(hash, s->up, 2, sizeof *s->up);
        cab_hash_array(hash, s->body, 2, sizeof *s->body);
        cab_hash_array(hash, numbers, 4, sizeof *numbers);
        cab_hash_array(hash, def->friction, def->friction_count, sizeof *def->friction);
        cab_hash_integer(hash, 2 * def->keyed + def->latch);
    }
}

static cab_status run(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_COLLIDER, kernel, 0, count, argument, 0, error);
}

/* ---- where what is led is ---- */

static cab_vec3 turned(const cab_pose *pose, cab_vec3 v)
{
    return cab_quaternion_rotate(cab_quaternion_unit(pose->rotation), v);
}

static float4 float4_of(cab_vec3 v)
{
    return (float4){(float)v.x, (float)v.y, (float)v.z, 0};
}

/* Rows of one side that no force moves, between two parts of the frame. */
static void put_led(const cab_world *world, int socket, int side, double from, double to, float4 *rows)
{
    const cab_model *m = world->model;
    const cab_model_socket *s = &m->socket[socket];
    cab_vec3 start = s->point[side], end = start, axis = s->axis[side], up = s->up[side];
    if (s->body[side] >= 0) {
        const cab_socket_def *def = cab_socket_def_of(m, socket);
        const cab_socket_side *own = side ? &def->to : &def->plug;
        cab_pose before = cab_led_now(world, s->body[side], from),
                 now = cab_led_now(world, s->body[side], to);
        start = cab_led_place(&before, own->point), end = cab_led_place(&now, own->point);
        axis = turned(&now, cab_vec3_unit(own->axis)), up = turned(&now, cab_socket_up(own));
    }
    cab_split_place(start, &rows[CAB_SOCKET_LED_PLACE], &rows[CAB_SOCKET_LED_REST]);
    rows[CAB_SOCKET_LED_STEP] = float4_of(cab_vec3_sub(end, start));
    rows[CAB_SOCKET_LED_AXIS] = float4_of(axis);
    rows[CAB_SOCKET_LED_UP] = float4_of(up);
}

static void put_all_led(const cab_world *world, double from, double to)
{
    const cab_model *m = world->model;
    const cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    for (int i = 0; i < 2 * m->socket_count; i++)
        if (!cab_socket_moves(m, m->socket[i / 2].body[i % 2]))
            put_led(world, i / 2, i % 2, from, to, data->led + CAB_SOCKET_LED * i);
}

static cab_status begin(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    if (!present(m)) return CAB_OK;
    put_all_led(world, cab_window_part(world, substep, 0), cab_window_part(world, substep, 1));
    return world->backend->ops->write(world->backend, CAB_BUFFER_socket_led, 0,
                                      2 * CAB_SOCKET_LED * (size_t)m->socket_count * sizeof *data->led,
                                      data->led, error);
}

/* ---- tables ---- */

/* What a socket is apart from its bodies. */
static cab_socket numbers_of(const cab_socket_def *def)
{
    return (cab_socket){.keyed = def->keyed,
                        .latches = def->latch,
                        .friction_count = def->friction_count,
                        .depth = (float)def->depth,
                        .capture = (float)def->capture_radius,
                        .capture_cosine = (float)cos(def->capture_angle),
                        .stiffness = (float)(1 / def->compliance),
                        .turning = (float)(def->depth * def->depth / 4 / def->compliance),
                        .hold = isfinite(def->pull_out_force) ? (float)def->pull_out_force : CAB_SOCKET_EVER};
}

static vec3 vec3_from(cab_vec3 v)
{
    return vec3_make((float)v.x, (float)v.y, (float)v.z);
}

/* What a plug is to its socket as the scene has drawn them. */
static cab_socket_state drawn(const cab_model *m, int socket)
{
    const cab_model_socket *s = &m->socket[socket];
    const cab_socket own = numbers_of(cab_socket_def_of(m, socket));
    const vec3 axis[2] = {vec3_from(s->axis[0]), vec3_from(s->axis[1])};
    const vec3 up[2] = {vec3_from(s->up[0]), vec3_from(s->up[1])};
    vec3 apart = vec3_from(cab_vec3_sub(s->point[0], s->point[1]));
    cab_socket_pose pose = cab_socket_pose_of(apart, axis, up, own.keyed);
    cab_socket_state state = {.place = pose.along};
    if (pose.along < -own.depth || !cab_socket_catches(&own, &pose)) return state;
    state.state =
        own.latches && pose.along >= -CAB_SOCKET_PLAY * own.depth ? CAB_SOCKET_MATED : CAB_SOCKET_GUIDED;
    cab_socket_enter(&state, &pose);
    return state;
}

static cab_status upload_friction(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    float(*rows)[2];
    size_t count = 0, at = 0;
    for (int i = 0; i < m->socket_count; i++) count += (size_t)cab_socket_def_of(m, i)->friction_count;
    cab_status status = CAB_NEW(rows, count, error);
    for (int i = 0; status == CAB_OK && i < m->socket_count; i++) {
        const cab_socket_def *def = cab_socket_def_of(m, i);
        for (int k = 0; k < def->friction_count; k++, at++) {
            rows[at][0] = (float)def->friction[k].depth;
            rows[at][1] = (float)def->friction[k].force;
        }
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_socket_friction, rows, count, sizeof *rows, error);
    CAB_FREE(rows);
    return status;
}

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    cab_socket_state *state;
    size_t count = (size_t)m->socket_count;
    if (!present(m)) return CAB_OK;
    cab_status status = CAB_NEW(state, count, error);
    if (status == CAB_OK) status = CAB_NEW(data->led, 2 * CAB_SOCKET_LED * count, error);
    if (status == CAB_OK) status = CAB_NEW(data->state, count, error);
    if (status == CAB_OK) status = CAB_NEW(data->now, count, error);
    for (int i = 0; status == CAB_OK && i < m->socket_count; i++) {
        state[i] = drawn(m, i);
        data->state[i] = state[i].state;
    }
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "sockets", CAB_BUFFER_socket_state, state, count, sizeof *state,
                                       error);
    CAB_FREE(state);
    const cab_table tables[] = {
        {CAB_BUFFER_socket_led, NULL, 2 * CAB_SOCKET_LED * count, sizeof(float4)},
        {CAB_BUFFER_socket_engaged, NULL, count, sizeof(int)},
        {CAB_BUFFER_socket_work, NULL, count, sizeof(cab_socket_work)},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    return status == CAB_OK ? upload_friction(world, error) : status;
}

static void free_data(void *own)
{
    cab_socket_data *data = own;
    CAB_FREE(data->led, data->state, data->now);
}

/* A vector's numbers in a pair of vectors. */
static void put_pair(float *pair, int which, cab_vec3 v)
{
    cab_vec3_to_floats(v, pair + 3 * which);
}

static cab_socket row_of(const cab_model *m, const cab_branches *b, int socket, const int *slot)
{
    const cab_model_socket *s = &m->socket[socket];
    cab_socket row = numbers_of(cab_socket_def_of(m, socket));
    for (int k = 0; k < 2; k++) {
        bool moves = cab_socket_moves(m, s->body[k]);
        row.slot[k] = moves ? slot[s->body[k]] : -1;
        if (moves) row.component = b->rigid[row.slot[k]].component;
        if (moves) put_pair(row.arm, k, cab_vec3_sub(s->point[k], m->rigid[s->body[k]].pivot));
        put_pair(row.axis, k, s->axis[k]);
        put_pair(row.up, k, s->up[k]);
    }
    return row;
}

/* Work of cab_socket_upload. */
typedef struct cab_socket_tables {
    cab_socket *row;
    int *slot; /* [bodies] places in rigid */
    int *start, *of;
    int (*shape)[2][2];
} cab_socket_tables;

static cab_status make(const cab_model *m, const cab_branches *b, cab_socket_tables *t, cab_error *error)
{
    cab_status status = CAB_NEW(t->row, m->socket_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->slot, m->rigid_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->start, m->rigid_count + 2, error);
    if (status == CAB_OK) status = CAB_NEW(t->of, 2 * m->socket_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->shape, m->socket_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < m->rigid_count; i++) t->slot[b->rigid[i].body] = i;
    for (int i = 0, friction = 0; i < m->socket_count; i++) {
        t->row[i] = row_of(m, b, i, t->slot);
        t->row[i].friction = friction;
        friction += t->row[i].friction_count;
        for (int k = 0; k < 2; k++) {
            int body = m->socket[i].body[k];
            if (t->row[i].slot[k] >= 0) t->start[t->row[i].slot[k] + 2]++;
            if (body < m->rigid_count) continue;
            t->shape[i][k][0] = m->rigid[body].collider;
            t->shape[i][k][1] = m->rigid[body].shape_count;
        }
    }
    for (int i = 0; i < m->rigid_count; i++) t->start[i + 2] += t->start[i + 1];
    for (int i = 0; i < 2 * m->socket_count; i++) {
        int slot = t->row[i / 2].slot[i % 2];
        if (slot >= 0) t->of[t->start[slot + 1]++] = i / 2;
    }
    return CAB_OK;
}

cab_status cab_socket_upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_socket_tables t = {0};
    if (!present(m)) return CAB_OK;
    cab_status status = make(m, &world->staged.branches, &t, error);
    size_t count = (size_t)m->socket_count, bodies = (size_t)m->rigid_count;
    if (status == CAB_OK) {
        const cab_table tables[] = {
            {CAB_BUFFER_socket, t.row, count, sizeof *t.row},
            {CAB_BUFFER_socket_start, t.start, bodies + 1, sizeof *t.start},
            {CAB_BUFFER_socket_of, t.of, 2 * count, sizeof *t.of},
            {CAB_BUFFER_socket_shape, t.shape, count, sizeof *t.shape},
        };
        status = CAB_UPLOAD(world, tables, error);
    }
    CAB_FREE(t.row, t.slot, t.start, t.of, t.shape);
    return status;
}

/* ---- a substep ---- */

cab_status cab_socket_begin(cab_world *world, cab_error *error)
{
    cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    int n = world->model->socket_count, *state = NULL;
    if (n == 0) return CAB_OK;
    data->engaged = false;
    cab_status status = run(world, CAB_KERNEL_socket_begin, n, 0, error);
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_socket_engaged, state, n, error);
    for (int i = 0; status == CAB_OK && i < n; i++) data->engaged |= state[i] != CAB_SOCKET_OUT;
    CAB_FREE(state);
    return status;
}

bool cab_socket_engaged(const cab_world *world)
{
    const cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    return present(world->model) && data->engaged;
}

cab_status cab_socket_part(cab_world *world, cab_error *error)
{
    if (!cab_socket_engaged(world)) return CAB_OK;
    return run(world, CAB_KERNEL_socket_part, world->model->rigid_count, 0, error);
}

static cab_status look(cab_world *world, int what, cab_error *error)
{
    int alone = cab_rigid_any_contact(world->model) ? 0 : CAB_SOCKET_ALONE;
    return run(world, CAB_KERNEL_socket_look, world->staged.branches.joined_count, what | alone, error);
}

cab_status cab_socket_near(cab_world *world, cab_error *error)
{
    return cab_socket_engaged(world) ? look(world, 0, error) : CAB_OK;
}

cab_status cab_socket_press(cab_world *world, int flags, cab_error *error)
{
    if (!cab_socket_engaged(world)) return CAB_OK;
    cab_status status = run(world, CAB_KERNEL_socket_press, world->model->socket_count, flags, error);
    return status == CAB_OK ? look(world, 0, error) : status;
}

cab_status cab_socket_assemble(cab_world *world, int flags, cab_error *error)
{
    if (!cab_socket_engaged(world)) return CAB_OK;
    return run(world, CAB_KERNEL_socket_assemble, world->staged.branches.joined_count, flags, error);
}

cab_status cab_socket_end(cab_world *world, cab_error *error)
{
    if (!present(world->model)) return CAB_OK;
    cab_status status = run(world, CAB_KERNEL_socket_end, world->model->socket_count, 0, error);
    return status == CAB_OK ? look(world, CAB_SOCKET_END, error) : status;
}

/* ---- a frame ---- */

static const char *const said[] = {[CAB_SOCKET_OUT] = "out of its socket",
                                   [CAB_SOCKET_GUIDED] = "in its socket",
                                   [CAB_SOCKET_MATED] = "mated",
                                   [CAB_SOCKET_RELEASED] = "pulled out of its latch"};

static cab_status end_frame(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    cab_socket_state *state = NULL;
    bool any = false;
    if (!present(m)) return CAB_OK;
    size_t bytes = (size_t)m->socket_count * sizeof *state;
    cab_status status = run(world, CAB_KERNEL_socket_frame, m->socket_count, m->settings.substeps, error);
    if (status == CAB_OK)
        status = CAB_READ_NEW(world, CAB_BUFFER_socket_state, state, m->socket_count, error);
    for (int i = 0; status == CAB_OK && i < m->socket_count; i++) {
        char name[CAB_NAME_MAX + 64];
        if (state[i].state == data->state[i]) continue;
        any = true;
        data->state[i] = state[i].state;
        state[i].frame = world->frame;
        cab_socket_name(m, i, name, sizeof name);
        cab_world_log(world, 1, "socket %s: the plug is %s at frame %d", name, said[state[i].state],
                      world->frame);
    }
    if (status == CAB_OK && any)
        status = cab_world_put(world, CAB_BUFFER_socket_state, 0, bytes, state, error);
    CAB_FREE(state);
    return status;
}

/* What was told last is what the state has. */
static cab_status resume(cab_world *world, cab_error *error)
{
    cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    cab_socket_state *state = NULL;
    if (!present(world->model)) return CAB_OK;
    cab_status status =
        CAB_READ_NEW(world, CAB_BUFFER_socket_state, state, world->model->socket_count, error);
    for (int i = 0; status == CAB_OK && i < world->model->socket_count; i++) data->state[i] = state[i].state;
    CAB_FREE(state);
    return status;
}

static cab_status go_on(cab_world *world, cab_world *from, cab_error *error)
{
    size_t bytes = (size_t)world->model->socket_count * sizeof(cab_socket_state);
    cab_socket_state *state = NULL;
    if (!present(world->model) || world->model->socket_count != from->model->socket_count) return CAB_OK;
    cab_status status = CAB_READ_NEW(from, CAB_BUFFER_socket_state, state, world->model->socket_count, error);
    if (status == CAB_OK) status = cab_world_put(world, CAB_BUFFER_socket_state, 0, bytes, state, error);
    CAB_FREE(state);
    return status == CAB_OK ? resume(world, error) : status;
}

/* ---- energy ---- */

static cab_status read_energy(cab_world *world, cab_error *error)
{
    const cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    if (!present(world->model)) return CAB_OK;
    return cab_world_fetch(world, CAB_BUFFER_socket_state, 0,
                           (size_t)world->model->socket_count * sizeof *data->now, data->now, error);
}

static void add_energy(const cab_world *world, const int *part, cab_energy *energy)
{
    const cab_model *m = world->model;
    const cab_socket_data *data = cab_kind_data(world, &cab_socket_kind);
    for (int i = 0; i < m->socket_count; i++) {
        const int *body = m->socket[i].body;
        int owner = m->rigid[cab_socket_moves(m, body[0]) ? body[0] : body[1]].point;
        cab_energy *e = part ? &energy[part[owner]] : energy;
        e->potential += (double)data->now[i].stored;
        e->springs += (double)data->now[i].stored;
    }
}

/* ---- what is told ---- */

int cab_world_get_sockets(const cab_world *world, cab_socket_info *infos, int capacity)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->socket_count && i < capacity; i++) {
        const cab_model_socket *s = &m->socket[i];
        infos[i] = (cab_socket_info){.socket = s->scene_socket,
                                     .plug = m->rigid[s->body[0]].told,
                                     .to = s->body[1] < 0 ? -1 : m->rigid[s->body[1]].told};
        cab_socket_name(m, i, infos[i].name, sizeof infos[i].name);
    }
    return m->socket_count;
}

cab_status cab_world_read_sockets(cab_world *world, cab_socket_reading *readings, cab_error *error)
{
    const cab_model *m = world->model;
    cab_socket_state *state = NULL;
    if (!present(m)) return CAB_OK;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_socket_state, state, m->socket_count, error);
    for (int i = 0; status == CAB_OK && i < m->socket_count; i++) {
        const float *f = state[i].told, *t = f + 3;
        double depth = cab_socket_def_of(m, i)->depth;
        readings[i] = (cab_socket_reading){.phase = (cab_socket_phase)state[i].state,
                                           .frame = state[i].frame,
                                           .depth = depth + (double)state[i].place,
                                           .force = {(double)f[0], (double)f[1], (double)f[2]},
                                           .torque = {(double)t[0], (double)t[1], (double)t[2]},
                                           .pull = (double)state[i].told_pull};
    }
    CAB_FREE(state);
    return status;
}

const cab_constraint_kind cab_socket_kind = {.name = "socket",
                                             .present = present,
                                             .ways = 1u << CAB_WAY_STAGED,
                                             .refusal = "plugs go into sockets",
                                             .hash = hash,
                                             .data_size = sizeof(cab_socket_data),
                                             .start = start,
                                             .free_data = free_data,
                                             .resume = resume,
                                             .go_on = go_on,
                                             .read_energy = read_energy,
                                             .add_energy = add_energy,
                                             .end_frame = end_frame,
                                             .begin = begin};
