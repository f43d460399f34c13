/* The lanes way: cables side by side in tiles, a frame in a few launches. */
#include "world/world.h"

#include "model/scene.h"

#define GROUPS_PER_CORE 4 /* so that no core waits long for the last one */

/* A GPU has a group for each tile. */
static int group_count(const cab_world *world)
{
    const cab_tiles *t = &world->tiles;
    const cab_device_info *info = &world->backend->info;
    int most = 1, groups = info->gpu ? t->count : GROUPS_PER_CORE * info->compute_units;
    for (int k = 0; k < CAB_TILE_KIND_COUNT; k++) {
        int n = t->first[k + 1] - t->first[k];
        if (n > most) most = n;
    }
    return groups < 1 ? 1 : groups < most ? groups : most;
}

static cab_status upload_tiles(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_tiles *t = &world->tiles;
    size_t width = (size_t)world->backend->tile_width, count = (size_t)t->count;
    struct {
        cab_buffer id;
        const void *data;
        size_t count, size;
    } tables[] = {
        {CAB_BUFFER_tile, t->tile, count, sizeof *t->tile},
        {CAB_BUFFER_tile_chain, t->tile_chain, count * width, sizeof *t->tile_chain},
        {CAB_BUFFER_lane_constant, t->constant, t->constant_count, sizeof *t->constant},
        {CAB_BUFFER_chain, m->chain, (size_t)m->cable_count, sizeof *m->chain},
        {CAB_BUFFER_chain_node, m->chain_node, (size_t)m->particle_count, sizeof *m->chain_node},
        {CAB_BUFFER_tile_memory, NULL, (size_t)world->params.tile_groups * (size_t)world->params.tile_floats,
         sizeof(float)},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        cab_status status =
            cab_world_upload(world, tables[i].id, tables[i].data, tables[i].count, tables[i].size, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

cab_status cab_lanes_update(cab_world *world, cab_error *error)
{
    int width = world->backend->tile_width;
    cab_tiles_free(&world->tiles);
    cab_status status = cab_tiles_build(world->model, width, &world->tiles, error);
    if (status != CAB_OK) return status;
    for (int k = 0; k <= CAB_TILE_KIND_COUNT; k++) world->params.tile_first[k] = world->tiles.first[k];
    world->params.tile_groups = group_count(world);
    world->params.tile_floats = world->tiles.longest * CAB_SLOTS * width;
    world->params.fused_substeps = world->model->settings.substeps;
    status = upload_tiles(world, error);
    if (status == CAB_OK) status = cab_lanes_upload_moves(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    return status;
}

cab_status cab_lanes_start(cab_world *world, cab_error *error)
{
    cab_status status = cab_lanes_update(world, error);
    world->first_order = true;
    if (status == CAB_OK) status = cab_direct_reset_slow(world, error);
    if (status == CAB_OK) {
        cab_world_log(world, 1, "lanes: %d tiles of %d cables, %.0f %% of them padding", world->tiles.count,
                      world->backend->tile_width, 100 * world->tiles.padding);
    }
    return status;
}

/* Index of the cable's particle among the moving ones; -1 = none. */
static int *moving_of_particle(const cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int *index;
    if (CAB_NEW(index, m->particle_count, error) != CAB_OK) return NULL;
    for (int i = 0; i < m->particle_count; i++) index[i] = -1;
    for (int i = 0; i < world->moving_count; i++) {
        index[m->node_particle[m->attachments[world->moving[i].attachment].node]] = i;
    }
    return index;
}

/* The moving particles of a tile's live lanes, by particle. */
static int list_moves(const cab_world *world, int tile, const int *moving, cab_tile_move *out)
{
    const cab_model *m = world->model;
    int width = world->backend->tile_width, n = 0;
    for (int i = 0; i < world->tiles.tile[tile].count; i++) {
        for (int l = 0; l < width; l++) {
            int c = world->tiles.tile_chain[tile * width + l];
            if (c < 0 || i >= m->chain[c].particle_count) continue;
            int index = moving[m->chain[c].first_particle + i];
            if (index >= 0) out[n++] = (cab_tile_move){.particle = i, .lane = l, .moving = index};
        }
    }
    return n;
}

cab_status cab_lanes_upload_moves(cab_world *world, cab_error *error)
{
    int *moving = moving_of_particle(world, error), total = 0;
    if (!moving) return CAB_ERROR_MEMORY;
    free(world->tile_move);
    cab_status status = CAB_NEW(world->tile_move, world->moving_count, error);
    for (int t = 0; status == CAB_OK && t < world->tiles.count; t++) {
        world->tiles.tile[t].move = total;
        world->tiles.tile[t].move_count = list_moves(world, t, moving, world->tile_move + total);
        total += world->tiles.tile[t].move_count;
    }
    free(moving);
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_tile_move, world->tile_move, (size_t)total,
                                  sizeof *world->tile_move, error);
    }
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_tile, world->tiles.tile, (size_t)world->tiles.count,
                                  sizeof *world->tiles.tile, error);
    }
    return status;
}

cab_status cab_lanes_frame(cab_world *world, cab_error *error)
{
    static const cab_kernel kernels[2][CAB_TILE_KIND_COUNT] = {
        {CAB_KERNEL_lanes_lengths, CAB_KERNEL_lanes_bending, CAB_KERNEL_lanes_mixed},
        {CAB_KERNEL_lanes_xpbd_lengths, CAB_KERNEL_lanes_xpbd_bending, CAB_KERNEL_lanes_xpbd_mixed}};
    bool xpbd = world->model->settings.method == CAB_METHOD_XPBD;
    cab_stage stage = xpbd ? CAB_STAGE_FUSED : CAB_STAGE_DIRECT;
    int total = world->model->settings.substeps;
    cab_status status = CAB_OK;
    for (int first = 0; status == CAB_OK && first < total; first += world->params.fused_substeps) {
        for (int k = 0; status == CAB_OK && k < CAB_TILE_KIND_COUNT; k++) {
            int tiles = world->tiles.first[k + 1] - world->tiles.first[k];
            int groups = tiles < world->params.tile_groups ? tiles : world->params.tile_groups;
            status = cab_world_run(world, stage, kernels[xpbd][k], 0, groups,
                                   2 * first + (world->first_order || xpbd), 0, error);
        }
        world->first_order = false;
    }
    return status;
}

void cab_lanes_end(cab_world *world)
{
    cab_tiles_free(&world->tiles);
    free(world->tile_move);
    world->tile_move = NULL;
}
