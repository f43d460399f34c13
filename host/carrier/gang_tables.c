/* Tables of a gang: who its members are, their chains, the tiles they share, the buffers for all of them. */
#include "carrier/gang.h"

#include <string.h>

#include "base/array.h"
#include "carrier/gang_inside.h"
#include "carrier/lane_launch.h"
#include "carrier/near.h"
#include "carrier/near_pieces.h"
#include "constraint/twist.h"
#include "world/device.h"

/* Where the parts of all members begin once those who take part and are none yet have become members; returns what all have. */
static cab_gang_counts count_members(const cab_gang *gang, cab_world *const *worlds, cab_member *next)
{
    cab_gang_counts end = {0};
    for (int i = 0; i < gang->size; i++) {
        cab_world *world = worlds[i] ? worlds[i] : gang->member[i].world;
        next[i] = (cab_member){.world = world, .before = end, .in = gang->member[i].in};
        if (!world) continue;
        next[i].tables = world->lanes.tables;
        end.chains += world->model->cable_count;
        end.particles += world->model->particle_count;
        end.distances += world->model->segment_count;
        if (cab_model_twists(world->model)) end.holds += world->model->twist_hold_count;
    }
    return end;
}

static bool are_equal(const cab_gang_counts *a, const cab_gang_counts *b)
{
    return a->chains == b->chains && a->particles == b->particles && a->distances == b->distances &&
           a->holds == b->holds;
}

/* Does everybody who has a state in the gang's buffers keep his part of them? */
static bool stay(const cab_gang *gang, const cab_member *next, const cab_gang_counts *end)
{
    bool same = are_equal(&gang->all, end);
    for (int i = 0; same && i < gang->size; i++) {
        const cab_member *was = &gang->member[i];
        if (was->world && was->world == next[i].world && cab_gang_has(gang, was->world))
            same = are_equal(&was->before, &next[i].before);
    }
    return same;
}

/* Makes members of those who take part and are none yet. *moved: buffers of particles must be made anew, all have been sent home. */
static cab_status list_members(cab_gang *gang, cab_world *const *worlds, bool *moved, cab_error *error)
{
    cab_member *next;
    cab_status status = CAB_NEW(next, gang->size, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < gang->size; i++) {
        cab_world *was = gang->member[i].world;
        if (worlds[i] && was && was != worlds[i]) cab_gang_leave(was);
    }
    const cab_gang_counts end = count_members(gang, worlds, next);
    bool damped = gang->damped;
    for (int i = 0; i < gang->size; i++)
        if (worlds[i]) damped = cab_model_damps_bending(worlds[i]->model);
    *moved = !stay(gang, next, &end) || damped != gang->damped;
    for (int i = 0; *moved && status == CAB_OK && i < gang->size; i++)
        if (cab_gang_has(gang, gang->member[i].world))
            status = cab_gang_release(gang->member[i].world, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        gang->member[i] = next[i];
        if (!next[i].world) continue;
        next[i].world->lanes.gangs[gang->kind] = gang;
        next[i].world->lanes.member = i;
    }
    if (status == CAB_OK) gang->all = end;
    if (status == CAB_OK) gang->damped = damped;
    free(next);
    return status;
}

static cab_status upload(const cab_gang *gang, const cab_table *tables, size_t count, cab_error *error)
{
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < count; i++)
        status = cab_device_upload(gang->backend, &tables[i], error);
    return status;
}
#define UPLOAD(gang, tables, error) upload(gang, tables, sizeof(tables) / sizeof *(tables), error)

/* The colliders of all members, once where all have the same. any: of those that take part */
static cab_status gather_colliders(cab_gang *gang, const cab_world *any, cab_error *error)
{
    const cab_model *m = any->model;
    bool same = true, alike = true;
    int count = m->collider_count;
    for (int i = 0; i < gang->size; i++) {
        const cab_world *world = gang->member[i].world;
        if (!world) continue;
        same = same && cab_gang_same_colliders(m, world->model);
        alike = alike && (gang->kind == CAB_GANG_NEAR || cab_gang_alike_colliders(m, world->model));
    }
    free(gang->collider);
    gang->collider_count = count;
    gang->collider_rows = same ? 1 : alike ? gang->size : 0;
    cab_status status = CAB_NEW(gang->collider, gang->collider_rows * count, error);
    for (int i = 0; status == CAB_OK && i < gang->collider_rows; i++) {
        const cab_world *world = same ? any : gang->member[i].world;
        if (!world) continue;
        if (!cab_gang_alike_colliders(m, world->model))
            world = any; /* a tile takes shapes from its first lane */
        memcpy(gang->collider + (size_t)i * (size_t)count, world->model->collider,
               (size_t)count * sizeof *gang->collider);
    }
    return status;
}

/* The chains of all, and their nodes, with indices as they are in the gang's buffers. */
static cab_status make_chains(cab_gang *gang, cab_error *error)
{
    cab_chain_node *node;
    CAB_FREE(gang->chain, gang->chain_member, gang->moving);
    gang->chain = NULL;
    gang->chain_member = gang->moving = NULL;
    cab_status status = CAB_NEW(node, gang->all.particles, error);
    if (status == CAB_OK) status = CAB_NEW(gang->chain, gang->all.chains, error);
    if (status == CAB_OK) status = CAB_NEW(gang->chain_member, gang->all.chains, error);
    if (status == CAB_OK) status = CAB_NEW(gang->moving, gang->all.particles, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        const cab_model *m = member->world ? member->world->model : NULL;
        for (int c = 0; m && c < m->cable_count; c++) {
            gang->chain[member->before.chains + c] = m->chain[c];
            gang->chain[member->before.chains + c].first_particle += member->before.particles;
            gang->chain[member->before.chains + c].first_collider =
                gang->collider_rows > 1 ? i * gang->collider_count : 0;
            gang->chain_member[member->before.chains + c] = i;
        }
        for (int k = 0; m && k < m->particle_count; k++) {
            node[member->before.particles + k] = m->chain_node[k];
            if (m->chain_node[k].distance >= 0)
                node[member->before.particles + k].distance += member->before.distances;
        }
    }
    const cab_table tables[] = {
        {CAB_BUFFER_chain, gang->chain, (size_t)gang->all.chains, sizeof *gang->chain},
        {CAB_BUFFER_chain_node, node, (size_t)gang->all.particles, sizeof *node},
    };
    if (status == CAB_OK) status = UPLOAD(gang, tables, error);
    free(node);
    return status;
}

static cab_status make_tiles(cab_gang *gang, cab_error *error)
{
    cab_world **worlds;
    int count = 0, width = gang->backend->tile_width;
    cab_status status = CAB_NEW(worlds, gang->size, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++)
        if (gang->member[i].world) worlds[count++] = gang->member[i].world;
    cab_tiles_free(&gang->tiles);
    if (status == CAB_OK) status = cab_near_build_tiles(worlds, count, width, 0, &gang->tiles, error);
    free(worlds);
    CAB_FREE(gang->lane, gang->turn, gang->move);
    gang->lane = gang->turn = NULL;
    gang->level = 0;
    gang->stale = false;
    gang->move = NULL;
    if (status == CAB_OK) status = CAB_NEW(gang->lane, gang->tiles.count * width, error);
    if (status == CAB_OK) status = CAB_NEW(gang->turn, gang->tiles.count * width, error);
    if (status == CAB_OK) status = CAB_NEW(gang->move, gang->all.particles, error);
    return status;
}

/* The run of each chain, -1 = it has none. */
static cab_status list_runs(const cab_gang *gang, int *chain_run, cab_error *error)
{
    for (int i = 0; i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        if (!member->world) continue;
        int *run = cab_twist_runs_of_cables(member->world->model, error);
        if (!run) return CAB_ERROR_MEMORY;
        memcpy(chain_run + member->before.chains, run,
               (size_t)member->world->model->cable_count * sizeof *run);
        free(run);
    }
    return CAB_OK;
}

/* What twists in each lane. */
static cab_status make_twist(cab_gang *gang, cab_error *error)
{
    int width = gang->backend->tile_width, lanes = gang->tiles.count * width;
    float *slots = NULL;
    int *run;
    if (gang->all.holds == 0) return CAB_OK;
    cab_status status = CAB_NEW(run, gang->all.chains, error);
    if (status == CAB_OK) status = CAB_NEW(slots, CAB_TWIST_SLOTS * (size_t)lanes, error);
    if (status == CAB_OK) status = list_runs(gang, run, error);
    for (int i = 0; status == CAB_OK && i < lanes; i++) {
        int c = gang->tiles.tile_chain[i];
        if (c < 0) c = ~c;
        const cab_member *member = &gang->member[gang->chain_member[c]];
        cab_twist_fill_lane(member->world->model, run[c], member->before.holds, slots, i, width);
    }
    const cab_table table = {CAB_BUFFER_tile_twist, slots, CAB_TWIST_SLOTS * (size_t)lanes, sizeof *slots};
    if (status == CAB_OK) status = cab_device_upload(gang->backend, &table, error);
    CAB_FREE(run, slots);
    return status;
}

int cab_gang_groups(const cab_gang *gang)
{
    const cab_backend *b = gang->backend;
    return b->info.backend == CAB_BACKEND_NATIVE ? 1 : cab_lanes_groups(&gang->tiles, b);
}

static cab_status make_buffers(cab_gang *gang, const cab_world *any, cab_error *error)
{
    const cab_tiles *t = &gang->tiles;
    int lanes = gang->backend->tile_width,
        near = gang->kind == CAB_GANG_NEAR ? cab_near_floats(any, t, lanes) : 0;
    gang->floats = t->longest * CAB_SLOTS_WORK * lanes + near;
    size_t width = (size_t)gang->backend->tile_width, n = (size_t)gang->all.particles;
    const cab_table tables[] = {
        {CAB_BUFFER_params, NULL, 1, sizeof(cab_params)},
        {CAB_BUFFER_tile, t->tile, (size_t)t->count, sizeof *t->tile},
        {CAB_BUFFER_tile_chain, NULL, (size_t)t->count * width, sizeof *gang->lane},
        {CAB_BUFFER_lane_constant, t->constant, t->constant_count, sizeof *t->constant},
        {CAB_BUFFER_tile_memory, NULL, (size_t)cab_gang_groups(gang) * (size_t)gang->floats, sizeof(float)},
        {CAB_BUFFER_tile_kept, NULL, (size_t)t->kept * CAB_SLOTS_KEPT * width, sizeof(float)},
        {CAB_BUFFER_tile_constrained, NULL, gang->damped ? 3 * (size_t)t->kept * width : 0, sizeof(float)},
        {CAB_BUFFER_tile_move, NULL, n, sizeof *gang->move},
    };
    return UPLOAD(gang, tables, error);
}

cab_status cab_gang_segments(const cab_gang *gang, cab_segment **segment, cab_error *error)
{
    cab_status status = CAB_NEW(*segment, gang->all.particles - gang->all.chains, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        if (!member->world) continue;
        const cab_model *m = member->world->model;
        int first = member->before.particles - member->before.chains;
        for (int k = 0; k < m->segment_count; k++) {
            (*segment)[first + k] = m->segment[k];
            (*segment)[first + k].a += member->before.particles;
            (*segment)[first + k].b += member->before.particles;
        }
    }
    return status;
}

/* The component of each particle: its cable. */
static void fill_near(const cab_gang *gang, int *component)
{
    for (int i = 0; i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        if (!member->world) continue;
        const cab_model *m = member->world->model;
        for (int c = 0; c < m->cable_count; c++)
            for (int k = 0; k < m->chain[c].particle_count; k++)
                component[member->before.particles + m->chain[c].first_particle + k] =
                    member->before.chains + c;
    }
}

/* What near frames need beside. */
static cab_status make_near(cab_gang *gang, cab_error *error)
{
    size_t chains = (size_t)gang->all.chains, n = (size_t)gang->all.particles, segments = n - chains,
           kept = (size_t)gang->tiles.kept * (size_t)gang->backend->tile_width,
           colliders = (size_t)(gang->collider_rows * gang->collider_count);
    cab_segment *segment = NULL;
    int *component = NULL;
    if (gang->kind != CAB_GANG_NEAR) return CAB_OK;
    CAB_FREE(gang->near);
    gang->near = NULL;
    cab_status status = CAB_NEW(gang->near, chains, error);
    if (status == CAB_OK) status = cab_gang_segments(gang, &segment, error);
    if (status == CAB_OK) status = CAB_NEW(component, n, error);
    if (status == CAB_OK) fill_near(gang, component);
    const cab_table tables[] = {
        {CAB_BUFFER_tile_back, NULL, kept * CAB_SLOTS_BACK, sizeof(float)},
        {CAB_BUFFER_chain_near, gang->near, chains, sizeof *gang->near},
        {CAB_BUFFER_collider, gang->collider, colliders, sizeof *gang->collider},
        {CAB_BUFFER_segment, segment, segments, sizeof *segment},
        {CAB_BUFFER_component, component, n, sizeof *component},
    };
    if (status == CAB_OK) status = UPLOAD(gang, tables, error);
    CAB_FREE(segment, component);
    return status;
}

/* Buffers that worlds' states are brought into, and what is measured. */
static cab_status make_particles(cab_gang *gang, cab_error *error)
{
    size_t n = (size_t)gang->all.particles, f = sizeof(float4), chains = (size_t)gang->all.chains;
    bool near = gang->kind == CAB_GANG_NEAR;
    const cab_table tables[] = {
        {CAB_BUFFER_chain_errors, NULL, chains, sizeof(cab_errors)},
        {CAB_BUFFER_measure, NULL, chains, sizeof(cab_errors)},
        {CAB_BUFFER_position, NULL, n, f},
        {CAB_BUFFER_residual, NULL, n, f},
        {CAB_BUFFER_velocity, NULL, n, f},
        {CAB_BUFFER_step, NULL, 3 * n, f},
        {CAB_BUFFER_slow, NULL, n, sizeof(float)},
        {CAB_BUFFER_distance_lambda, NULL, (size_t)gang->all.distances, sizeof(float)},
        {CAB_BUFFER_constrained, NULL, gang->damped ? n : 0, f},
        {CAB_BUFFER_twist, NULL, (size_t)gang->all.holds, f},
        {CAB_BUFFER_order, NULL, near ? chains : 0, sizeof(int)},
        {CAB_BUFFER_pressing, NULL, near ? n - chains : 0, sizeof(float)},
        {CAB_BUFFER_end_pressing, NULL, near ? n - chains : 0, 2 * sizeof(float)},
    };
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) {
        free(gang->seen[i]);
        gang->seen[i] = NULL;
        gang->current[i] = false;
    }
    free(gang->errors);
    gang->errors = NULL;
    cab_status status = CAB_NEW(gang->errors, chains, error);
    return status ? status : UPLOAD(gang, tables, error);
}

/* Are the gang's colliders of a member still his? */
static bool touches_ours(const cab_gang *gang, int i, const cab_world *world)
{
    const cab_model *m = world->model;
    size_t count = (size_t)gang->collider_count, row = gang->collider_rows > 1 ? (size_t)i : 0;
    return gang->kind != CAB_GANG_NEAR ||
           (m->collider_count == gang->collider_count &&
            !memcmp(m->collider, gang->collider + row * count, count * sizeof *m->collider));
}

bool cab_gang_is_current(const cab_gang *gang, cab_world *const *worlds)
{
    if (gang->stale) return false;
    for (int i = 0; i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        if (worlds[i] && (member->world != worlds[i] || member->tables != worlds[i]->lanes.tables ||
                          !touches_ours(gang, i, worlds[i])))
            return false;
    }
    return true;
}

cab_status cab_gang_make_tables(cab_gang *gang, cab_world *const *worlds, cab_error *error)
{
    bool moved = false;
    const cab_world *any = NULL;
    for (int i = 0; i < gang->size && !any; i++) any = worlds[i];
    cab_status status = cab_gang_give(gang, error);
    if (status == CAB_OK) status = list_members(gang, worlds, &moved, error);
    if (status == CAB_OK) status = gather_colliders(gang, any, error);
    if (status == CAB_OK) status = make_chains(gang, error);
    if (status == CAB_OK) status = make_tiles(gang, error);
    if (status == CAB_OK) status = make_buffers(gang, any, error);
    if (status == CAB_OK) status = make_near(gang, error);
    if (status == CAB_OK) status = make_twist(gang, error);
    if (status == CAB_OK) status = cab_gang_make_looks(gang, any, error);
    return status == CAB_OK && moved ? make_particles(gang, error) : status;
}
