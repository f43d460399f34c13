#include "carrier/gang.h"

#include <string.h>

#include "base/array.h"
#include "carrier/carriers.h"
#include "carrier/lane_launch.h"
#include "world/attached.h"
#include "world/device.h"

/* A world's place in the gang: where its part of the gang's tables begins. */
typedef struct cab_member {
    cab_world *world; /* NULL = nobody's */
    unsigned tables;  /* of the world when the gang's were made */
    int chain, particle, distance;
    int moving; /* of the targets of the coming frame */
} cab_member;

struct cab_gang {
    cab_backend *backend; /* tiles, and particles of all worlds one after the other */
    int size;
    cab_member *member; /* [size] */
    int chains, particles, distances, targets;
    cab_tiles tiles;
    cab_chain *chain; /* [chains] particles counted among all */
    int *lane;        /* [tiles][lanes] as the buffer tile_chain: of who takes part */
    bool ahead;       /* the tiles have states that the worlds' buffers do not */
    cab_tile_move *move;
    int *moving;    /* [particles] index of its target; -1 = none */
    float4 *target; /* [substeps][targets][2] */
    size_t room;    /* of it */
};

cab_status cab_gang_create(int size, const cab_world *beside, cab_gang **out, cab_error *error)
{
    cab_gang *gang = calloc(1, sizeof *gang);
    if (!gang) return cab_fail_memory(error, "a gang", sizeof *gang);
    cab_world_def def = {.threads = 1};
    gang->size = size;
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
    cab_tiles_free(&gang->tiles);
    CAB_FREE(gang->member, gang->chain, gang->lane, gang->move, gang->moving, gang->target, gang);
}

bool cab_gang_has_state(const cab_world *world)
{
    return world->lanes.resident;
}

bool cab_gang_fits(const cab_world *a, const cab_world *b)
{
    const cab_params *p = &a->params, *q = &b->params;
    return a->way == CAB_WAY_LANES && b->way == CAB_WAY_LANES &&
           a->backend->info.backend == CAB_BACKEND_NATIVE && !a->def.profile && !b->def.profile &&
           a->model->settings.method == b->model->settings.method && a->first_order == b->first_order &&
           p->h == q->h && p->substeps == q->substeps && p->fused_substeps == q->fused_substeps &&
           p->iterations == q->iterations && cab_model_bends_plainly(a->model) &&
           cab_model_bends_plainly(b->model);
}

/* ---- between the gang's buffers of particles and those of a world ---- */

static char *memory(const cab_backend *backend, cab_buffer id)
{
    return cab_native_memory(backend, id);
}

/* Rows of a buffer: where they are in the gang's and in the world's, in bytes. */
typedef struct cab_rows {
    cab_buffer id;
    size_t ours, theirs, bytes;
} cab_rows;

enum { ROWS_MOST = 8 };

/* What a tile takes of a world and gives it; `given`: multipliers, too. Returns how many. */
static int list_rows(const cab_gang *gang, const cab_member *member, bool given, cab_rows rows[ROWS_MOST])
{
    const cab_model *m = member->world->model;
    size_t all = (size_t)gang->particles, first = (size_t)member->particle, n = (size_t)m->particle_count;
    size_t row = sizeof(float4), distances = (size_t)m->segment_count;
    int count = 0;
    rows[count++] = (cab_rows){CAB_BUFFER_position, first * row, 0, n * row};
    rows[count++] = (cab_rows){CAB_BUFFER_residual, first * row, 0, n * row};
    rows[count++] = (cab_rows){CAB_BUFFER_velocity, first * row, 0, n * row};
    if (given)
        rows[count++] = (cab_rows){CAB_BUFFER_distance_lambda, (size_t)member->distance * sizeof(float), 0,
                                   distances * sizeof(float)};
    if (m->settings.method == CAB_METHOD_XPBD) return count;
    for (size_t k = 0; k < 3; k++)
        rows[count++] = (cab_rows){CAB_BUFFER_step, (k * all + first) * row, k * n * row, n * row};
    rows[count++] =
        (cab_rows){CAB_BUFFER_slow, first * sizeof(float), 0, (size_t)m->node_count * sizeof(float)};
    return count;
}

static void bring(cab_gang *gang, const cab_member *member)
{
    cab_rows rows[ROWS_MOST];
    int count = list_rows(gang, member, false, rows);
    for (int i = 0; i < count; i++)
        memcpy(memory(gang->backend, rows[i].id) + rows[i].ours,
               memory(member->world->backend, rows[i].id) + rows[i].theirs, rows[i].bytes);
}

static void hand_over(cab_gang *gang, const cab_member *member)
{
    cab_rows rows[ROWS_MOST];
    int count = list_rows(gang, member, true, rows);
    for (int i = 0; i < count; i++)
        memcpy(memory(member->world->backend, rows[i].id) + rows[i].theirs,
               memory(gang->backend, rows[i].id) + rows[i].ours, rows[i].bytes);
}

static cab_status run(cab_gang *gang, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return gang->backend->ops->run(gang->backend, kernel, 0, count, argument, 0, error);
}

/* Everybody's state from the tiles into the gang's buffers of particles; it stays in the tiles, too. */
static cab_status give(cab_gang *gang, cab_error *error)
{
    int flags = 0;
    if (!gang->ahead) return CAB_OK;
    for (int i = 0; i < gang->size; i++) {
        cab_world *world = gang->member[i].world;
        if (!world || !world->lanes.resident) continue;
        flags = cab_lanes_give_flags(world);
        world->lanes.solved = world->lanes.solved_first = false;
    }
    gang->ahead = false;
    return run(gang, CAB_KERNEL_lanes_give, gang->tiles.count, flags, error);
}

cab_status cab_gang_settle(cab_world *world, bool change, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    cab_status status = l->ahead ? give(l->gang, error) : CAB_OK;
    if (status == CAB_OK && l->ahead) hand_over(l->gang, &l->gang->member[l->member]);
    l->ahead = false;
    if (change) l->taken = false;
    return status;
}

cab_status cab_gang_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                          cab_error *error)
{
    cab_rows rows[ROWS_MOST];
    cab_gang *gang = world->lanes.gang;
    bool ahead = world->lanes.ahead;
    cab_status status = ahead ? give(gang, error) : CAB_OK;
    int count = ahead ? list_rows(gang, &gang->member[world->lanes.member], true, rows) : 0, i = 0;
    while (i < count &&
           (rows[i].id != id || offset < rows[i].theirs || offset + bytes > rows[i].theirs + rows[i].bytes))
        i++;
    if (status == CAB_OK && i == count) status = cab_gang_settle(world, false, error);
    if (status != CAB_OK) return status;
    const char *from = i < count ? memory(gang->backend, id) + rows[i].ours + offset - rows[i].theirs
                                 : memory(world->backend, id) + offset;
    memcpy(data, from, bytes);
    return CAB_OK;
}

cab_status cab_gang_release(cab_world *world, cab_error *error)
{
    if (!world->lanes.resident) return CAB_OK;
    cab_status status = cab_gang_settle(world, true, error);
    world->lanes.resident = false;
    return status;
}

void cab_gang_leave(cab_world *world)
{
    cab_gang *gang = world->lanes.gang;
    if (!gang) return;
    cab_gang_release(world, NULL);
    gang->member[world->lanes.member].world = NULL;
    world->lanes.gang = NULL;
}

/* ---- tables ---- */

static cab_status upload(cab_gang *gang, cab_buffer id, const void *data, size_t count, size_t size,
                         cab_error *error)
{
    cab_backend *b = gang->backend;
    cab_status status = b->ops->allocate(b, id, count * size, error);
    if (status == CAB_OK && data) status = b->ops->write(b, id, 0, count * size, data, error);
    return status;
}

/* Makes members of those who take part and are none yet, and counts what all have. */
static void list_members(cab_gang *gang, cab_world *const *worlds)
{
    gang->chains = gang->particles = gang->distances = 0;
    for (int i = 0; i < gang->size; i++) {
        cab_member *member = &gang->member[i];
        if (worlds[i] && member->world && member->world != worlds[i]) cab_gang_leave(member->world);
        if (worlds[i]) {
            member->world = worlds[i];
            worlds[i]->lanes.gang = gang;
            worlds[i]->lanes.member = i;
        }
        if (!member->world) continue;
        member->tables = member->world->lanes.tables;
        member->chain = gang->chains;
        member->particle = gang->particles;
        member->distance = gang->distances;
        gang->chains += member->world->model->cable_count;
        gang->particles += member->world->model->particle_count;
        gang->distances += member->world->model->segment_count;
    }
}

/* The chains of all, and their nodes, with indices as they are in the gang's buffers. */
static cab_status make_chains(cab_gang *gang, cab_error *error)
{
    cab_chain_node *node;
    CAB_FREE(gang->chain, gang->moving);
    gang->chain = NULL;
    gang->moving = NULL;
    cab_status status = CAB_NEW(node, gang->particles, error);
    if (status == CAB_OK) status = CAB_NEW(gang->chain, gang->chains, error);
    if (status == CAB_OK) status = CAB_NEW(gang->moving, gang->particles, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        const cab_model *m = member->world ? member->world->model : NULL;
        for (int c = 0; m && c < m->cable_count; c++) {
            gang->chain[member->chain + c] = m->chain[c];
            gang->chain[member->chain + c].first_particle += member->particle;
        }
        for (int k = 0; m && k < m->particle_count; k++) {
            node[member->particle + k] = m->chain_node[k];
            if (m->chain_node[k].distance >= 0) node[member->particle + k].distance += member->distance;
        }
    }
    if (status == CAB_OK)
        status =
            upload(gang, CAB_BUFFER_chain, gang->chain, (size_t)gang->chains, sizeof *gang->chain, error);
    if (status == CAB_OK)
        status = upload(gang, CAB_BUFFER_chain_node, node, (size_t)gang->particles, sizeof *node, error);
    free(node);
    return status;
}

static cab_status make_tiles(cab_gang *gang, cab_error *error)
{
    const cab_model **models;
    int count = 0, width = gang->backend->tile_width;
    cab_status status = CAB_NEW(models, gang->size, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++)
        if (gang->member[i].world) models[count++] = gang->member[i].world->model;
    cab_tiles_free(&gang->tiles);
    if (status == CAB_OK) status = cab_tiles_build(models, count, width, &gang->tiles, error);
    free(models);
    CAB_FREE(gang->lane, gang->move);
    gang->lane = NULL;
    gang->move = NULL;
    if (status == CAB_OK) status = CAB_NEW(gang->lane, gang->tiles.count * width, error);
    if (status == CAB_OK) status = CAB_NEW(gang->move, gang->particles, error);
    return status;
}

static cab_status make_buffers(cab_gang *gang, cab_error *error)
{
    const cab_tiles *t = &gang->tiles;
    size_t width = (size_t)gang->backend->tile_width, n = (size_t)gang->particles, f = sizeof(float4);
    const cab_table tables[] = {
        {CAB_BUFFER_params, NULL, 1, sizeof(cab_params)},
        {CAB_BUFFER_tile, t->tile, (size_t)t->count, sizeof *t->tile},
        {CAB_BUFFER_tile_chain, NULL, (size_t)t->count * width, sizeof *gang->lane},
        {CAB_BUFFER_lane_constant, t->constant, t->constant_count, sizeof *t->constant},
        {CAB_BUFFER_tile_memory, NULL, (size_t)t->longest * CAB_SLOTS_WORK * width, sizeof(float)},
        {CAB_BUFFER_tile_kept, NULL, (size_t)t->kept * CAB_SLOTS_KEPT * width, sizeof(float)},
        {CAB_BUFFER_tile_move, NULL, n, sizeof *gang->move},
        {CAB_BUFFER_chain_errors, NULL, (size_t)gang->chains, sizeof(cab_errors)},
        {CAB_BUFFER_position, NULL, n, f},
        {CAB_BUFFER_residual, NULL, n, f},
        {CAB_BUFFER_velocity, NULL, n, f},
        {CAB_BUFFER_step, NULL, 3 * n, f},
        {CAB_BUFFER_slow, NULL, n, sizeof(float)},
        {CAB_BUFFER_distance_lambda, NULL, (size_t)gang->distances, sizeof(float)},
    };
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < sizeof tables / sizeof *tables; i++)
        status = upload(gang, tables[i].id, tables[i].data, tables[i].count, tables[i].size, error);
    return status;
}

/* Are the tables those of everybody who takes part? */
static bool is_current(const cab_gang *gang, cab_world *const *worlds)
{
    for (int i = 0; i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        if (worlds[i] && (member->world != worlds[i] || member->tables != worlds[i]->lanes.tables))
            return false;
    }
    return true;
}

static cab_status make_tables(cab_gang *gang, cab_world *const *worlds, cab_error *error)
{
    cab_status status = give(gang, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++)
        if (gang->member[i].world) status = cab_gang_release(gang->member[i].world, error);
    list_members(gang, worlds);
    if (status == CAB_OK) status = make_chains(gang, error);
    if (status == CAB_OK) status = make_tiles(gang, error);
    return status == CAB_OK ? make_buffers(gang, error) : status;
}

/* ---- a frame ---- */

static int member_of_chain(const cab_gang *gang, int chain)
{
    int i = gang->size - 1;
    while (!gang->member[i].world || gang->member[i].chain > chain) i--;
    return i;
}

/* Fills lanes: those of who takes part have their cable, the others only fill the tile, as a copy of one that does. */
static cab_status fill_lanes(cab_gang *gang, cab_world *const *worlds, cab_error *error)
{
    int width = gang->backend->tile_width, any = -1;
    for (int i = gang->size - 1; i >= 0; i--)
        if (worlds[i]) any = gang->member[i].chain;
    for (int place = 0; place < gang->tiles.count * width; place++) {
        int c = gang->tiles.tile_chain[place];
        bool in = c >= 0 && worlds[member_of_chain(gang, c)];
        bool fits = gang->chain[c >= 0 ? c : ~c].particle_count == gang->chain[any].particle_count;
        gang->lane[place] = in ? c : fits ? ~any : c >= 0 ? ~c : c;
    }
    return gang->backend->ops->write(gang->backend, CAB_BUFFER_tile_chain, 0,
                                     (size_t)gang->tiles.count * (size_t)width * sizeof *gang->lane,
                                     gang->lane, error);
}

/* The parameters of the worlds, which fit, with what is different of the gang's tiles. */
static cab_status write_params(cab_gang *gang, const cab_world *any, cab_error *error)
{
    cab_params p = any->params;
    for (int k = 0; k <= CAB_TILE_KIND_COUNT; k++) p.tile_first[k] = gang->tiles.first[k];
    p.tile_groups = 1;
    p.tile_floats = gang->tiles.longest * CAB_SLOTS_WORK * gang->backend->tile_width;
    p.particle_count = gang->particles;
    p.moving_count = gang->targets;
    return gang->backend->ops->write(gang->backend, CAB_BUFFER_params, 0, sizeof p, &p, error);
}

/* Tiles take states anew where somebody comes or goes, or has been changed. */
static cab_status take(cab_gang *gang, cab_world *const *worlds, const cab_world *any, cab_error *error)
{
    bool due = false;
    for (int i = 0; i < gang->size; i++) {
        const cab_world *was = gang->member[i].world;
        bool was_in = was && was->lanes.resident, is_in = worlds[i] != NULL;
        due |= was_in != is_in || (is_in && !worlds[i]->lanes.taken);
    }
    if (!due) return CAB_OK;
    cab_status status = give(gang, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        cab_member *member = &gang->member[i];
        if (!worlds[i] && member->world) status = cab_gang_release(member->world, error);
        if (!worlds[i] || (worlds[i]->lanes.resident && worlds[i]->lanes.taken)) continue;
        cab_lanes *l = &worlds[i]->lanes;
        status = cab_carriers[CAB_WAY_LANES]->settle(worlds[i], true, error);
        if (status != CAB_OK) break;
        bring(gang, member);
        l->resident = l->taken = true;
    }
    if (status == CAB_OK) status = fill_lanes(gang, worlds, error);
    if (status == CAB_OK) status = write_params(gang, any, error);
    return status == CAB_OK
               ? run(gang, CAB_KERNEL_lanes_take, gang->tiles.count, cab_lanes_take_flags(any), error)
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
    memset(gang->moving, -1, (size_t)gang->particles * sizeof *gang->moving);
    for (int i = 0; i < gang->size; i++) {
        const cab_model *m = worlds[i] ? worlds[i]->model : NULL;
        for (int k = 0; m && k < worlds[i]->attached.moving_count; k++) {
            int node = m->attachments[worlds[i]->attached.moving[k].attachment].node;
            gang->moving[gang->member[i].particle + m->node_particle[node]] = gang->member[i].moving + k;
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

static cab_status write_targets(cab_gang *gang, cab_world *const *worlds, int substeps, cab_error *error)
{
    size_t row = 2 * (size_t)gang->targets, count = row * (size_t)substeps;
    cab_status status = CAB_OK;
    if (count == 0) return CAB_OK;
    if (count > gang->room) {
        CAB_FREE(gang->target);
        gang->room = 0;
        status = CAB_NEW(gang->target, count, error);
        if (status == CAB_OK)
            status = upload(gang, CAB_BUFFER_target, NULL, count, sizeof *gang->target, error);
        if (status == CAB_OK) gang->room = count;
    }
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        size_t own = worlds[i] ? 2 * (size_t)cab_attached_targets(worlds[i]) : 0;
        for (size_t k = 0; own > 0 && k < (size_t)substeps; k++)
            memcpy(gang->target + k * row + 2 * (size_t)gang->member[i].moving,
                   worlds[i]->attached.target + k * own, own * sizeof *gang->target);
    }
    cab_backend *b = gang->backend;
    return status ? status
                  : b->ops->write(b, CAB_BUFFER_target, 0, count * sizeof *gang->target, gang->target, error);
}

static cab_status launch(cab_gang *gang, const cab_world *any, int first, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int k = 0; status == CAB_OK && k < CAB_TILE_KIND_COUNT; k++) {
        bool some = gang->tiles.first[k + 1] > gang->tiles.first[k];
        status = run(gang, cab_lanes_kernel(any, k), some, cab_lanes_argument(any, first), error);
    }
    return status;
}

/* What the tiles have found wrong with a world's cables, into its own buffer. */
static void write_errors(cab_gang *gang, const cab_member *member)
{
    const cab_errors *from = cab_native_memory(gang->backend, CAB_BUFFER_chain_errors);
    cab_errors *to = cab_native_memory(member->world->backend, CAB_BUFFER_chain_errors);
    for (int c = 0; c < member->world->model->cable_count; c++) {
        to[c] = from[member->chain + c];
        if (to[c].worst_distance >= 0) to[c].worst_distance -= member->particle;
        if (to[c].worst_particle >= 0) to[c].worst_particle -= member->particle;
    }
}

cab_status cab_gang_frame(cab_gang *gang, cab_world *const *worlds, cab_error *error)
{
    const cab_world *any = NULL;
    for (int i = 0; i < gang->size; i++)
        if (worlds[i]) any = worlds[i];
    if (!any) return CAB_OK;
    int substeps = any->params.substeps, apart = any->params.fused_substeps;
    cab_status status = is_current(gang, worlds) ? CAB_OK : make_tables(gang, worlds, error);
    if (status == CAB_OK) status = take(gang, worlds, any, error);
    if (status == CAB_OK) status = write_moves(gang, worlds, error);
    if (status == CAB_OK) status = write_targets(gang, worlds, substeps, error);
    if (status == CAB_OK) status = write_params(gang, any, error);
    for (int first = 0; status == CAB_OK && first < substeps; first += apart) {
        status = launch(gang, any, first, error);
        for (int i = 0; i < gang->size; i++)
            if (worlds[i]) cab_lanes_launched(worlds[i], first);
    }
    gang->ahead = true;
    for (int i = 0; status == CAB_OK && i < gang->size; i++) {
        if (!worlds[i]) continue;
        worlds[i]->lanes.ahead = true;
        write_errors(gang, &gang->member[i]);
    }
    return status;
}
