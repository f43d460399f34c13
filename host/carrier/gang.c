#include "carrier/gang.h"

#include <string.h>

#include "base/array.h"
#include "carrier/gang_inside.h"
#include "carrier/lane_launch.h"
#include "carrier/near.h"
#include "constraint/twist.h"
#include "contact/contact.h"
#include "world/attached.h"
#include "world/device.h"

cab_status cab_gang_create(int size, cab_gang_kind kind, const cab_world *beside, cab_gang **out,
                           cab_error *error)
{
    cab_gang *gang = calloc(1, sizeof *gang);
    if (!gang) return cab_fail_memory(error, "a gang", sizeof *gang);
    cab_world_def def = beside->def;
    gang->size = size;
    gang->kind = kind;
    pthread_mutex_init(&gang->lock, NULL);
    cab_status status = CAB_NEW(gang->member, size, error);
    if (status == CAB_OK) status = cab_backend_open_beside(&def, beside->backend, &gang->backend, error);
    if (status == CAB_OK)
        *out = gang;
    else
        cab_gang_destroy(gang);
    return status;
}

void cab_gang_destroy(cab_gang *gang)
{
    if (!gang) return;
    if (gang->backend) gang->backend->ops->destroy(gang->backend);
    pthread_mutex_destroy(&gang->lock);
    cab_tiles_free(&gang->tiles);
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) free(gang->seen[i]);
    CAB_FREE(gang->member, gang->chain, gang->chain_member, gang->lane, gang->move, gang->moving,
             gang->target.data, gang->roll.data, gang->errors, gang->near, gang->collider, gang->turn, gang);
}

/* ---- who may be in one ---- */

cab_gang_kind cab_gang_kind_of(const cab_world *world)
{
    cab_frame_kind next = world->way == CAB_WAY_LANES    ? CAB_FRAME_CLEAR
                          : world->way == CAB_WAY_STAGED ? world->clear.next
                                                         : CAB_FRAME_STAGED;
    if (world->def.profile) return CAB_GANG_KIND_COUNT;
    return next == CAB_FRAME_CLEAR ? CAB_GANG_LANES
           : next == CAB_FRAME_NEAR && !world->colliders.move && !world->clear.near_partial
               ? CAB_GANG_NEAR
               : CAB_GANG_KIND_COUNT;
}

/* May two colliders be one of a gang's, which is of one shape in all worlds? Of a mesh or a sheave lanes know a bound only. */
static bool is_alike(const cab_collider *a, const cab_collider *b)
{
    if (a->shape == CAB_SHAPE_IS_MESH || a->shape == CAB_SHAPE_IS_SHEAVE) return !memcmp(a, b, sizeof *a);
    return a->shape == b->shape && a->group == b->group && a->rigid == b->rigid;
}

bool cab_gang_same_colliders(const cab_model *a, const cab_model *b)
{
    return a->collider_count == b->collider_count &&
           !memcmp(a->collider, b->collider, (size_t)a->collider_count * sizeof *a->collider);
}

bool cab_gang_alike_colliders(const cab_model *a, const cab_model *b)
{
    bool alike = a->collider_count == b->collider_count;
    for (int k = 0; alike && k < a->collider_count; k++) alike = is_alike(&a->collider[k], &b->collider[k]);
    return alike;
}

/* Do they touch colliders of the same shapes by the same numbers? */
static bool touch_alike(const cab_world *a, const cab_world *b)
{
    const cab_params *p = &a->params, *q = &b->params;
    return p->push_out == q->push_out && p->slip_least == q->slip_least && p->near_fast == q->near_fast &&
           p->fast == q->fast && p->contact_passes == q->contact_passes &&
           p->touch_between == q->touch_between && cab_gang_alike_colliders(a->model, b->model);
}

bool cab_gang_fits(const cab_world *a, const cab_world *b)
{
    const cab_params *p = &a->params, *q = &b->params;
    cab_gang_kind kind = cab_gang_kind_of(a);
    if (kind == CAB_GANG_KIND_COUNT || kind != cab_gang_kind_of(b)) return false;
    return (kind == CAB_GANG_NEAR ? touch_alike(a, b) : a->first_order == b->first_order) &&
           a->model->settings.method == b->model->settings.method && p->h == q->h &&
           p->substeps == q->substeps && p->fused_substeps == q->fused_substeps &&
           p->iterations == q->iterations && cab_model_twists(a->model) == cab_model_twists(b->model) &&
           cab_model_damps_bending(a->model) == cab_model_damps_bending(b->model);
}

bool cab_gang_has(const cab_gang *gang, const cab_world *world)
{
    return world && world->lanes.resident && world->lanes.gangs[world->lanes.in] == gang;
}

/* The gang in whose tiles the world's state lies. */
static cab_gang *home_of(const cab_world *world)
{
    return world->lanes.gangs[world->lanes.in];
}

/* ---- between the gang's buffers of particles and those of a world ---- */

/* Rows of a buffer: where they are in the gang's and in the world's, in bytes. */
typedef struct cab_rows {
    cab_buffer id;
    size_t ours, theirs, bytes;
} cab_rows;

enum { ROWS_MOST = 13 };

/* What a tile takes of a world and gives it; `given`: multipliers, too. Returns how many. */
static int list_rows(const cab_gang *gang, const cab_member *member, bool given, cab_rows rows[ROWS_MOST])
{
    const cab_model *m = member->world->model;
    size_t all = (size_t)gang->all.particles, first = (size_t)member->before.particles,
           n = (size_t)m->particle_count;
    size_t row = sizeof(float4), distances = (size_t)m->segment_count;
    int count = 0;
    rows[count++] = (cab_rows){CAB_BUFFER_position, first * row, 0, n * row};
    rows[count++] = (cab_rows){CAB_BUFFER_residual, first * row, 0, n * row};
    rows[count++] = (cab_rows){CAB_BUFFER_velocity, first * row, 0, n * row};
    if (given)
        rows[count++] =
            (cab_rows){CAB_BUFFER_distance_lambda, (size_t)member->before.distances * sizeof(float), 0,
                       distances * sizeof(float)};
    if (m->settings.method == CAB_METHOD_XPBD) return count;
    for (size_t k = 0; k < 3; k++)
        rows[count++] = (cab_rows){CAB_BUFFER_step, (k * all + first) * row, k * n * row, n * row};
    rows[count++] =
        (cab_rows){CAB_BUFFER_slow, first * sizeof(float), 0, (size_t)m->node_count * sizeof(float)};
    if (cab_model_damps_bending(m))
        rows[count++] = (cab_rows){CAB_BUFFER_constrained, first * row, 0, n * row};
    if (cab_model_twists(m))
        rows[count++] = (cab_rows){CAB_BUFFER_twist, (size_t)member->before.holds * row, 0,
                                   (size_t)m->twist_hold_count * row};
    return count;
}

/* What a near frame takes of a world beside that, and (`given`) gives it. A component is a cable, and has as many segments as it has
 * particles less one. */
static int list_near_rows(const cab_member *member, bool given, cab_rows rows[ROWS_MOST])
{
    const cab_model *m = member->world->model;
    size_t first = (size_t)(member->before.particles - member->before.chains), n = (size_t)m->segment_count,
           f = sizeof(float);
    int count = 0;
    rows[count++] = (cab_rows){CAB_BUFFER_order, (size_t)member->before.chains * sizeof(int), 0,
                               (size_t)m->cable_count * sizeof(int)};
    rows[count++] = (cab_rows){CAB_BUFFER_pressing, first * f, 0, n * f};
    if (given) rows[count++] = (cab_rows){CAB_BUFFER_end_pressing, 2 * first * f, 0, 2 * n * f};
    return count;
}

/* Copies rows of a world into the gang's buffers or (`back`) from there. */
static cab_status copy_rows(cab_gang *gang, const cab_member *member, const cab_rows *rows, int count,
                            bool back, cab_error *error)
{
    cab_backend *ours = gang->backend, *theirs = member->world->backend;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < count; i++) {
        const cab_rows *r = &rows[i];
        status = back ? theirs->ops->copy(theirs, r->theirs, ours, r->ours, r->id, r->bytes, error)
                      : ours->ops->copy(ours, r->ours, theirs, r->theirs, r->id, r->bytes, error);
    }
    return status;
}

/* What a tile takes of a world goes into the gang's buffers. */
static cab_status bring(cab_gang *gang, const cab_member *member, cab_error *error)
{
    cab_rows rows[ROWS_MOST];
    bool near = gang->kind == CAB_GANG_NEAR;
    cab_status status = copy_rows(gang, member, rows, list_rows(gang, member, near, rows), false, error);
    return status == CAB_OK && near
               ? copy_rows(gang, member, rows, list_near_rows(member, false, rows), false, error)
               : status;
}

cab_status cab_gang_see(cab_gang *gang, cab_buffer id, const char **rows, cab_error *error)
{
    cab_backend *b = gang->backend;
    cab_status status = CAB_OK;
    if (b->info.backend == CAB_BACKEND_NATIVE) {
        *rows = cab_native_memory(b, id);
        return CAB_OK;
    }
    if (!gang->seen[id]) status = CAB_NEW(gang->seen[id], b->bytes[id], error);
    if (status == CAB_OK && !gang->current[id])
        status = b->ops->read(b, id, 0, b->bytes[id], gang->seen[id], error);
    gang->current[id] = status == CAB_OK;
    *rows = gang->seen[id];
    return status;
}

cab_status cab_gang_run(cab_gang *gang, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return gang->backend->ops->run(gang->backend, kernel, 0, count, argument, 0, error);
}

cab_status cab_gang_give(cab_gang *gang, cab_error *error)
{
    int flags = 0;
    bool damped = false;
    if (!gang->ahead) return CAB_OK;
    for (int i = 0; i < gang->size; i++) {
        cab_world *world = gang->member[i].world;
        if (!cab_gang_has(gang, world)) continue;
        flags = cab_lanes_give_flags(world); /* they have taken the last frame together */
        damped = cab_model_damps_bending(world->model);
        world->lanes.solved = world->lanes.solved_first = false;
    }
    if (gang->kind == CAB_GANG_NEAR)
        flags = CAB_FRAME_SOLVED_FIRST; /* as cab_near_done() says, also of who went back */
    gang->ahead = false;
    memset(gang->current, 0, sizeof gang->current);
    memset(gang->looked, 0, sizeof gang->looked);
    cab_status status =
        damped ? cab_gang_run(gang, CAB_KERNEL_viscous_give, gang->tiles.count, flags, error) : CAB_OK;
    return status == CAB_OK ? cab_gang_run(gang, CAB_KERNEL_lanes_give, gang->tiles.count, flags, error)
                            : status;
}

static cab_status settle(cab_world *world, bool change, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    cab_gang *gang = home_of(world);
    const cab_member *member = &gang->member[l->member];
    cab_rows rows[ROWS_MOST];
    cab_status status = l->ahead ? cab_gang_give(gang, error) : CAB_OK;
    if (status == CAB_OK && l->ahead)
        status = copy_rows(gang, member, rows, list_rows(gang, member, true, rows), true, error);
    if (status == CAB_OK && l->ahead && gang->kind == CAB_GANG_NEAR)
        status = copy_rows(gang, member, rows, list_near_rows(member, true, rows), true, error);
    if (status == CAB_OK && world->contact.forces_due) status = cab_contact_take_forces(world, error);
    world->contact.forces_due = false;
    l->ahead = false;
    if (change) l->taken = false;
    return status;
}

cab_status cab_gang_settle(cab_world *world, bool change, cab_error *error)
{
    cab_gang *gang = home_of(world);
    pthread_mutex_lock(&gang->lock);
    cab_status status = settle(world, change, error);
    pthread_mutex_unlock(&gang->lock);
    return status;
}

static cab_status fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                        cab_error *error)
{
    cab_rows rows[ROWS_MOST];
    cab_gang *gang = home_of(world);
    bool ahead = world->lanes.ahead;
    cab_status status = ahead ? cab_gang_give(gang, error) : CAB_OK;
    int count = ahead ? list_rows(gang, &gang->member[world->lanes.member], true, rows) : 0, i = 0;
    while (i < count &&
           (rows[i].id != id || offset < rows[i].theirs || offset + bytes > rows[i].theirs + rows[i].bytes))
        i++;
    const char *from = NULL;
    if (status == CAB_OK && i == count) status = settle(world, false, error);
    if (status == CAB_OK && i == count)
        return world->backend->ops->read(world->backend, id, offset, bytes, data, error);
    if (status == CAB_OK) status = cab_gang_see(gang, id, &from, error);
    if (status == CAB_OK) memcpy(data, from + rows[i].ours + offset - rows[i].theirs, bytes);
    return status;
}

cab_status cab_gang_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                          cab_error *error)
{
    cab_gang *gang = home_of(world);
    pthread_mutex_lock(&gang->lock);
    cab_status status = fetch(world, id, offset, bytes, data, error);
    pthread_mutex_unlock(&gang->lock);
    return status;
}

cab_status cab_gang_release(cab_world *world, cab_error *error)
{
    if (!world->lanes.resident) return CAB_OK;
    cab_status status = cab_world_flush(world, true, error);
    world->lanes.resident = false;
    return status;
}

void cab_gang_leave(cab_world *world)
{
    cab_gang_release(world, NULL);
    for (int k = 0; k < CAB_GANG_KIND_COUNT; k++) {
        cab_gang *gang = world->lanes.gangs[k];
        if (gang) gang->member[world->lanes.member].world = NULL;
        world->lanes.gangs[k] = NULL;
    }
}

cab_status cab_gang_write_lanes(cab_gang *gang, const int *lane, cab_error *error)
{
    size_t count = (size_t)gang->tiles.count * (size_t)gang->backend->tile_width;
    return gang->backend->ops->write(gang->backend, CAB_BUFFER_tile_chain, 0, count * sizeof *lane, lane,
                                     error);
}

/* Fills lanes: those of who takes part have their cable, the others only fill the tile, as a copy of one that does. */
static cab_status fill_lanes(cab_gang *gang, cab_world *const *worlds, cab_error *error)
{
    int width = gang->backend->tile_width, any = -1;
    for (int i = gang->size - 1; i >= 0; i--)
        if (worlds[i]) any = gang->member[i].before.chains;
    for (int place = 0; place < gang->tiles.count * width; place++) {
        int c = gang->tiles.tile_chain[place];
        bool in = c >= 0 && worlds[gang->chain_member[c]];
        bool fits = gang->chain[c >= 0 ? c : ~c].particle_count == gang->chain[any].particle_count;
        gang->lane[place] = in ? c : fits ? ~any : c >= 0 ? ~c : c;
    }
    return cab_gang_write_lanes(gang, gang->lane, error);
}

cab_status cab_gang_write_params(cab_gang *gang, const cab_world *any, cab_error *error)
{
    cab_params p = any->params;
    for (int k = 0; k <= CAB_TILE_KIND_COUNT; k++) p.tile_first[k] = gang->tiles.first[k];
    p.tile_groups = cab_gang_groups(gang);
    p.tile_floats = gang->floats;
    p.particle_count = gang->all.particles;
    p.moving_count = gang->targets;
    p.twist_holds = gang->all.holds;
    return gang->backend->ops->write(gang->backend, CAB_BUFFER_params, 0, sizeof p, &p, error);
}

/* Tiles take states anew where (`due`) they are new, somebody comes or goes, or has been changed. */
static cab_status take(cab_gang *gang, cab_world *const *worlds, const cab_world *any, bool due,
                       cab_error *error)
{
    for (int i = 0; i < gang->size; i++) {
        bool is_in = worlds[i] != NULL, here = cab_gang_has(gang, worlds[i]);
        due |= gang->member[i].in != is_in || (is_in && !(here && worlds[i]->lanes.taken));
    }
    if (!due) return CAB_OK;
    cab_status status = cab_gang_give(gang, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        cab_member *member = &gang->member[i];
        member->in = worlds[i] != NULL;
        if (!worlds[i] && cab_gang_has(gang, member->world)) status = cab_gang_release(member->world, error);
        if (!worlds[i] || (cab_gang_has(gang, worlds[i]) && worlds[i]->lanes.taken)) continue;
        cab_lanes *l = &worlds[i]->lanes;
        status = cab_world_flush(worlds[i], true, error);
        if (status == CAB_OK) status = bring(gang, member, error);
        l->resident = l->taken = status == CAB_OK;
        l->in = gang->kind;
    }
    if (status == CAB_OK) status = fill_lanes(gang, worlds, error);
    if (status == CAB_OK) status = cab_gang_write_params(gang, any, error);
    if (status == CAB_OK && gang->kind == CAB_GANG_NEAR)
        return cab_gang_run(gang, CAB_KERNEL_near_take, gang->tiles.count, 0, error);
    if (status == CAB_OK)
        status =
            cab_gang_run(gang, CAB_KERNEL_lanes_take, gang->tiles.count, cab_lanes_take_flags(any), error);
    return status == CAB_OK && cab_model_damps_bending(any->model)
               ? cab_gang_run(gang, CAB_KERNEL_viscous_take, gang->tiles.count, 0, error)
               : status;
}

/* Counts the targets, and writes which particle goes to which. */
static cab_status write_moves(cab_gang *gang, cab_world *const *worlds, cab_error *error)
{
    int width = gang->backend->tile_width, before = gang->targets, total = 0;
    gang->targets = 0;
    for (int i = 0; i < gang->size; i++) {
        gang->member[i].moving = gang->targets;
        if (worlds[i]) gang->targets += cab_attached_targets(worlds[i]);
    }
    if (before == 0 && gang->targets == 0) return CAB_OK;
    memset(gang->moving, -1, (size_t)gang->all.particles * sizeof *gang->moving);
    for (int i = 0; i < gang->size; i++) {
        const cab_model *m = worlds[i] ? worlds[i]->model : NULL;
        for (int k = 0; m && k < worlds[i]->attached.moving_count; k++) {
            int node = m->attachments[worlds[i]->attached.moving[k].attachment].node;
            gang->moving[gang->member[i].before.particles + m->node_particle[node]] =
                gang->member[i].moving + k;
        }
    }
    for (int t = 0; t < gang->tiles.count; t++) {
        gang->tiles.tile[t].move = total;
        for (int at = 0; at < gang->tiles.tile[t].count * width; at++) {
            int c = gang->lane[t * width + at % width], i = at / width;
            if (c < 0 || i >= gang->chain[c].particle_count) continue;
            int target = gang->moving[gang->chain[c].first_particle + i];
            if (target >= 0)
                gang->move[total++] = (cab_tile_move){.particle = i, .lane = at % width, .moving = target};
        }
        gang->tiles.tile[t].move_count = total - gang->tiles.tile[t].move;
    }
    cab_backend *b = gang->backend;
    cab_status status =
        b->ops->write(b, CAB_BUFFER_tile_move, 0, (size_t)total * sizeof *gang->move, gang->move, error);
    return status ? status
                  : b->ops->write(b, CAB_BUFFER_tile, 0, (size_t)gang->tiles.count * sizeof *gang->tiles.tile,
                                  gang->tiles.tile, error);
}

/* A world's part of a row of what there is for each substep: where it begins in the gang's row and how long it is, in bytes; its own rows,
 * one after the other. */
typedef struct cab_step_part {
    size_t first, bytes;
    const void *rows;
} cab_step_part;

static cab_step_part targets_of(const cab_member *member)
{
    size_t row = 2 * sizeof(float4);
    return (cab_step_part){(size_t)member->moving * row, (size_t)cab_attached_targets(member->world) * row,
                           member->world->attached.target};
}

/* How clamps are rolled. */
static cab_step_part rolls_of(const cab_member *member)
{
    return (cab_step_part){(size_t)member->before.holds * sizeof(float),
                           (size_t)member->world->model->twist_hold_count * sizeof(float),
                           cab_twist_rolls(member->world)};
}

/* Writes what there is for each substep, in rows of `row` bytes, of those who take part. */
static cab_status write_steps(cab_gang *gang, cab_world *const *worlds, cab_buffer id, cab_gang_steps *steps,
                              size_t row, size_t substeps, cab_step_part (*part_of)(const cab_member *member),
                              cab_error *error)
{
    size_t bytes = row * substeps;
    cab_status status = CAB_OK;
    if (bytes == 0) return CAB_OK;
    if (bytes > steps->room) {
        const cab_table table = {id, NULL, bytes, 1};
        CAB_FREE(steps->data);
        steps->room = 0;
        status = CAB_NEW(steps->data, bytes, error);
        if (status == CAB_OK) status = cab_device_upload(gang->backend, &table, error);
        if (status == CAB_OK) steps->room = bytes;
    }
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        if (!worlds[i]) continue;
        const cab_step_part part = part_of(&gang->member[i]);
        for (size_t k = 0; part.bytes > 0 && k < substeps; k++)
            memcpy(steps->data + k * row + part.first, (const char *)part.rows + k * part.bytes, part.bytes);
    }
    return status == CAB_OK ? gang->backend->ops->write(gang->backend, id, 0, bytes, steps->data, error)
                            : status;
}

cab_status cab_gang_write_motion(cab_gang *gang, cab_world *const *worlds, size_t substeps, cab_error *error)
{
    cab_status status = write_steps(gang, worlds, CAB_BUFFER_target, &gang->target,
                                    2 * (size_t)gang->targets * sizeof(float4), substeps, targets_of, error);
    return status ? status
                  : write_steps(gang, worlds, CAB_BUFFER_twist_roll, &gang->roll,
                                (size_t)gang->all.holds * sizeof(float), substeps, rolls_of, error);
}

cab_status cab_gang_launch(cab_gang *gang, const cab_world *any, int number, cab_error *error)
{
    cab_status status = CAB_OK;
    int groups = cab_gang_groups(gang);
    bool near = gang->kind == CAB_GANG_NEAR;
    for (int k = 0; status == CAB_OK && k < CAB_TILE_KIND_COUNT; k++) {
        int tiles = gang->tiles.first[k + 1] - gang->tiles.first[k];
        status = cab_gang_run(
            gang, near ? cab_near_kernel(k) : cab_lanes_kernel(any, k), tiles < groups ? tiles : groups,
            near ? cab_near_argument(any, k, number) : cab_lanes_argument(any, number), error);
    }
    return status;
}

/* What the tiles have found wrong with all cables. Worlds have as many cables each. */
static int blocks_of(const cab_world *world)
{
    return (world->model->cable_count + CAB_BLOCK - 1) / CAB_BLOCK;
}

static cab_status read_errors(cab_gang *gang, const cab_world *any, cab_error *error)
{
    int cables = any->model->cable_count, blocks = gang->all.chains / cables * blocks_of(any);
    cab_backend *b = gang->backend;
    cab_status status = cab_gang_run(gang, CAB_KERNEL_measure_chains, blocks, cables, error);
    if (status != CAB_OK) return status;
    return b->ops->read(b, CAB_BUFFER_measure, 0, (size_t)blocks * sizeof *gang->errors, gang->errors, error);
}

void cab_gang_measure(const cab_world *world, cab_errors *rows)
{
    const cab_gang *gang = home_of(world);
    const cab_member *member = &gang->member[world->lanes.member];
    int blocks = blocks_of(world), first = member->before.chains / world->model->cable_count * blocks;
    for (int i = 0; i < blocks; i++) {
        rows[i] = gang->errors[first + i];
        if (rows[i].worst_distance >= 0) rows[i].worst_distance -= member->before.distances;
        if (rows[i].worst_particle >= 0) rows[i].worst_particle -= member->before.particles;
    }
}

/* All substeps, of worlds that touch nothing. */
static cab_status compute(cab_gang *gang, cab_world *const *worlds, const cab_world *any, cab_error *error)
{
    int substeps = any->params.substeps, apart = any->params.fused_substeps;
    cab_status status = CAB_OK;
    for (int first = 0; status == CAB_OK && first < substeps; first += apart) {
        status = cab_gang_launch(gang, any, first, error);
        for (int i = 0; i < gang->size; i++)
            if (worlds[i]) cab_lanes_launched(worlds[i], first);
    }
    return status;
}

cab_status cab_gang_frame(cab_gang *gang, cab_world *const *worlds, bool *done, cab_error *error)
{
    const cab_world *any = NULL;
    for (int i = 0; i < gang->size; i++) {
        if (!worlds[i]) continue;
        done[i] = true;
        any = worlds[i];
    }
    if (!any) return CAB_OK;
    bool current = cab_gang_is_current(gang, worlds);
    cab_status status = current ? CAB_OK : cab_gang_make_tables(gang, worlds, error);
    if (status == CAB_OK) status = take(gang, worlds, any, !current, error);
    if (status == CAB_OK) status = write_moves(gang, worlds, error);
    if (status == CAB_OK) status = cab_gang_write_motion(gang, worlds, (size_t)any->params.substeps, error);
    if (status == CAB_OK) status = cab_gang_write_params(gang, any, error);
    if (status == CAB_OK)
        status = gang->kind == CAB_GANG_NEAR ? cab_gang_near(gang, worlds, done, error)
                                             : compute(gang, worlds, any, error);
    gang->ahead = true;
    if (status == CAB_OK) status = read_errors(gang, any, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++)
        if (worlds[i] && done[i]) worlds[i]->lanes.ahead = true;
    return status;
}
