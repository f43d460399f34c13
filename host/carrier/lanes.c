/* The carrier lanes: cables side by side in tiles, a frame in a few launches. */
#include "carrier/lanes.h"

#include "carrier/direct_slow.h"
#include "carrier/gang.h"
#include "carrier/lane_launch.h"
#include "carrier/near.h"
#include "carrier/refusals.h"
#include "constraint/twist.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/device.h"

#define GROUPS_PER_CORE 8 /* so that cores end at about the same time */

int cab_lanes_groups(const cab_tiles *t, const cab_backend *backend)
{
    bool gpu = backend->members ? backend->any_gpu : backend->info.gpu;
    int units = backend->members ? backend->all_units : backend->info.compute_units, most = 1,
        groups = gpu ? t->count : GROUPS_PER_CORE * units;
    for (int k = 0; k < CAB_TILE_KIND_COUNT; k++) {
        int n = t->first[k + 1] - t->first[k];
        if (n > most) most = n;
    }
    return groups < 1 ? 1 : groups < most ? groups : most;
}

static cab_stage stage_of(const cab_world *world)
{
    return world->model->settings.method == CAB_METHOD_XPBD ? CAB_STAGE_FUSED : CAB_STAGE_DIRECT;
}

static cab_status upload_tiles(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_tiles *t = &world->lanes.tiles;
    size_t width = (size_t)world->backend->tile_width, count = (size_t)t->count;
    const cab_table tables[] = {
        {CAB_BUFFER_tile, t->tile, count, sizeof *t->tile},
        {CAB_BUFFER_tile_chain, t->tile_chain, count * width, sizeof *t->tile_chain},
        {CAB_BUFFER_lane_constant, t->constant, t->constant_count, sizeof *t->constant},
        {CAB_BUFFER_chain, m->chain, (size_t)m->cable_count, sizeof *m->chain},
        {CAB_BUFFER_chain_node, m->chain_node, (size_t)m->particle_count, sizeof *m->chain_node},
        {CAB_BUFFER_tile_memory, NULL, (size_t)world->params.tile_groups * (size_t)world->params.tile_floats,
         sizeof(float)},
        {CAB_BUFFER_tile_kept, NULL, (size_t)t->kept * CAB_SLOTS_KEPT * width, sizeof(float)},
        {CAB_BUFFER_chain_errors, NULL, (size_t)m->cable_count, sizeof(cab_errors)},
    };
    cab_status status = CAB_UPLOAD(world, tables, error);
    if (status == CAB_OK) status = cab_twist_upload_tiles(world, error);
    size_t constrained = cab_model_damps_bending(m) ? 3 * (size_t)t->kept * width : 0;
    if (status != CAB_OK || constrained == 0) return status;
    return cab_world_upload(world, CAB_BUFFER_tile_constrained, NULL, constrained, sizeof(float), error);
}

int *cab_lanes_moving(const cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int *index;
    if (CAB_NEW(index, m->particle_count, error) != CAB_OK) return NULL;
    for (int i = 0; i < m->particle_count; i++) index[i] = -1;
    for (int i = 0; i < world->attached.moving_count; i++) {
        index[m->node_particle[m->attachments[world->attached.moving[i].attachment].node]] = i;
    }
    return index;
}

/* Lists the moving particles of a tile's lanes that hold a cable, sorted by particle. */
static int list_moves(const cab_world *world, int tile, const int *moving, cab_tile_move *out)
{
    const cab_model *m = world->model;
    int width = world->backend->tile_width, n = 0;
    for (int i = 0; i < world->lanes.tiles.tile[tile].count; i++) {
        for (int l = 0; l < width; l++) {
            int c = world->lanes.tiles.tile_chain[tile * width + l];
            if (c < 0 || i >= m->chain[c].particle_count) continue;
            int index = moving[m->chain[c].first_particle + i];
            if (index >= 0) out[n++] = (cab_tile_move){.particle = i, .lane = l, .moving = index};
        }
    }
    return n;
}

static cab_status upload_moves(cab_world *world, cab_error *error)
{
    world->lanes.moves_due = world->lanes.resident; /* a gang looks up what moves by itself */
    if (world->lanes.resident) return CAB_OK;
    int *moving = cab_lanes_moving(world, error), total = 0;
    if (!moving) return CAB_ERROR_MEMORY;
    free(world->lanes.move);
    cab_status status = CAB_NEW(world->lanes.move, world->attached.moving_count, error);
    for (int t = 0; status == CAB_OK && t < world->lanes.tiles.count; t++) {
        world->lanes.tiles.tile[t].move = total;
        world->lanes.tiles.tile[t].move_count = list_moves(world, t, moving, world->lanes.move + total);
        total += world->lanes.tiles.tile[t].move_count;
    }
    free(moving);
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_tile_move, world->lanes.move, (size_t)total,
                                  sizeof *world->lanes.move, error);
    }
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_tile, world->lanes.tiles.tile,
                                  (size_t)world->lanes.tiles.count, sizeof *world->lanes.tiles.tile, error);
    }
    return status;
}

/* What a launch over all tiles needs of the buffers of particles, or gives them. */
static cab_status exchange(cab_world *world, cab_kernel kernel, int argument, cab_error *error)
{
    return cab_world_launch(world, stage_of(world), kernel, 0, world->lanes.tiles.count, argument, 0, error);
}

static cab_status settle(cab_world *world, bool change, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    if (l->resident) return cab_gang_settle(world, change, error);
    bool due = l->ahead;
    int flags = cab_lanes_give_flags(world);
    if (change) l->taken = false;
    if (due) l->ahead = l->solved = l->solved_first = false;
    cab_status status = CAB_OK;
    if (due && cab_model_damps_bending(world->model))
        status = exchange(world, CAB_KERNEL_viscous_give, flags, error);
    return due && status == CAB_OK ? exchange(world, CAB_KERNEL_lanes_give, flags, error) : status;
}

static cab_status make_tables(cab_world *world, cab_error *error)
{
    int width = world->backend->tile_width;
    cab_status settled = settle(world, true, error);
    if (settled != CAB_OK) return settled;
    cab_tiles_free(&world->lanes.tiles);
    world->lanes.tables_due = false;
    world->lanes.level = 0;
    const cab_model *model = world->model;
    cab_status status = cab_tiles_build(&model, 1, width, &world->lanes.tiles, error);
    if (status != CAB_OK) return status;
    for (int k = 0; k <= CAB_TILE_KIND_COUNT; k++) world->params.tile_first[k] = world->lanes.tiles.first[k];
    world->params.tile_groups = cab_lanes_groups(&world->lanes.tiles, world->backend);
    world->params.tile_floats = world->lanes.tiles.longest * CAB_SLOTS_WORK * width +
                                cab_near_floats(world, &world->lanes.tiles, width);
    world->params.fused_substeps = world->model->settings.substeps;
    status = upload_tiles(world, error);
    if (status == CAB_OK) status = upload_moves(world, error);
    if (status == CAB_OK) status = cab_near_make_tables(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    return status;
}

static cab_status update(cab_world *world, cab_error *error)
{
    world->lanes.tables++;
    world->lanes.tables_due = world->lanes.resident; /* a gang has tables of its own */
    return world->lanes.resident ? CAB_OK : make_tables(world, error);
}

static cab_status start(cab_world *world, cab_error *error)
{
    cab_status status = cab_gang_release(world, error);
    if (status == CAB_OK) status = update(world, error);
    world->first_order = true;
    if (status == CAB_OK) status = cab_direct_reset_slow(world, NULL, error);
    if (status == CAB_OK) {
        cab_world_log(world, 1, "lanes: %d tiles of %d cables, %.0f %% of them padding",
                      world->lanes.tiles.count, world->backend->tile_width, 100 * world->lanes.tiles.padding);
    }
    return status;
}

/* The substeps from `first` on that a launch takes, of all tiles. */
static cab_status launch(cab_world *world, int first, cab_error *error)
{
    int argument = cab_lanes_argument(world, first);
    cab_status status = CAB_OK;
    for (int k = 0; status == CAB_OK && k < CAB_TILE_KIND_COUNT; k++) {
        int tiles = world->lanes.tiles.first[k + 1] - world->lanes.tiles.first[k];
        int groups = tiles < world->params.tile_groups ? tiles : world->params.tile_groups;
        status = cab_world_launch(world, stage_of(world), cab_lanes_kernel(world, k), 0, groups, argument, 0,
                                  error);
    }
    cab_lanes_launched(world, first);
    return status;
}

cab_status cab_lanes_come_home(cab_world *world, cab_error *error)
{
    cab_status status = cab_gang_release(world, error);
    if (status == CAB_OK && world->lanes.tables_due) status = make_tables(world, error);
    if (status == CAB_OK && world->lanes.moves_due) status = upload_moves(world, error);
    if (status == CAB_OK && world->attached.target_due) status = cab_attached_write(world, error);
    return status;
}

static cab_status frame(cab_world *world, cab_error *error)
{
    cab_status status = cab_lanes_come_home(world, error);
    if (status == CAB_OK && !world->lanes.taken)
        status = exchange(world, CAB_KERNEL_lanes_take, cab_lanes_take_flags(world), error);
    if (status == CAB_OK && !world->lanes.taken && cab_model_damps_bending(world->model))
        status = exchange(world, CAB_KERNEL_viscous_take, 0, error);
    for (int first = 0; status == CAB_OK && first < world->params.substeps;
         first += world->params.fused_substeps)
        status = launch(world, first, error);
    world->lanes.taken = world->lanes.ahead = status == CAB_OK;
    return status;
}

static cab_status fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                        cab_error *error)
{
    if (world->lanes.resident) return cab_gang_fetch(world, id, offset, bytes, data, error);
    cab_status status = settle(world, false, error);
    return status == CAB_OK ? world->backend->ops->read(world->backend, id, offset, bytes, data, error)
                            : status;
}

/* Tiles measure their cables at a frame's end. Before the first frame, or when something has changed places, it
 * is done in the buffers, with the same bits. */
static cab_status measure(cab_world *world, cab_errors *rows, int *blocks, cab_error *error)
{
    int cables = world->model->cable_count;
    cab_status status = CAB_OK;
    *blocks = (cables + CAB_BLOCK - 1) / CAB_BLOCK;
    if (world->lanes.resident && world->lanes.taken) {
        cab_gang_measure(world, rows);
        return CAB_OK;
    }
    if (!world->lanes.taken)
        status = cab_world_launch(world, CAB_STAGE_MEASURE, CAB_KERNEL_measure_chain, 0, cables, 0, 0, error);
    if (status == CAB_OK)
        status = cab_world_launch(world, CAB_STAGE_MEASURE, CAB_KERNEL_measure_chains, 0, *blocks, cables, 0,
                                  error);
    if (status != CAB_OK) return status;
    return cab_world_fetch(world, CAB_BUFFER_measure, 0, (size_t)*blocks * sizeof *rows, rows, error);
}

static void end(cab_world *world)
{
    cab_gang_leave(world);
    cab_tiles_free(&world->lanes.tiles);
    free(world->lanes.move);
    world->lanes.move = NULL;
}

/* Are there couples? They turn with their segments. */
static bool has_couples(const cab_model *model)
{
    for (int i = 0; i < model->load_count; i++) {
        if (model->load[i].far >= 0) return true;
    }
    return false;
}

const char *cab_lanes_refuses_clear(const cab_world *world)
{
    const char *reason = cab_refusal_clear_frames(world);
    return reason ? reason : cab_lanes_refuses_frames(world);
}

const char *cab_lanes_refuses_frames(const cab_world *world)
{
    const cab_model *model = world->model;
    const cab_model_settings *s = &model->settings;
    const char *reason = cab_refusal_any_frames(world);
    if (reason) return reason;
    if (s->iterations > 1 && s->method == CAB_METHOD_DIRECT) return "more than one iteration is asked for";
    if (s->doubles.on) return "the scene has double distances";
    if (has_couples(model)) return "the scene has moments";
    if (model->loads_move) return "a force has keyframes";
    if (cab_model_damps_bending(model) && !model->viscous_whole)
        return "the bending of parts of a cable is damped";
    if (cab_model_damps_bending(model) && cab_model_twists(model))
        return "some cables resist twisting, and the bending of others is damped";
    for (int i = 0; i < model->bending_count; i++) {
        if (model->bending[i].rest > 0) return "cables are curved at rest";
    }
    return NULL;
}

static const char *refuses(const cab_world *world)
{
    const char *reason = cab_refusal_whole_frames(world);
    return reason ? reason : cab_lanes_refuses_clear(world);
}

const cab_carrier cab_lanes_carrier = {.way = CAB_WAY_LANES,
                                       .whole_frames = true,
                                       .refuses = refuses,
                                       .start = start,
                                       .update = update,
                                       .update_moving = upload_moves,
                                       .frame = frame,
                                       .settle = settle,
                                       .fetch = fetch,
                                       .measure = measure,
                                       .end = end};
