/* Tables of frames of nets: branches into lanes, their constants, which of them meet. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "carrier/net_frame.h"
#include "contact/contact.h"
#include "model/tiles.h"
#include "world/device.h"

/* A net has at least so many branches and nodes, where there are more: small ones are computed together. These do not depend on
 * the width of vectors. */
#define BRANCHES_ENOUGH 64
#define NODES_ENOUGH 512

#define ALIGNED 16 /* floats; the widest vector */
#define ROW (CAB_CONSTANTS + CAB_NET_CONSTANTS)

typedef struct tables {
    cab_world *world;
    int width;
    cab_net *net;
    int net_count;
    cab_net_tile *tile;
    int tile_count, rows;
    cab_net_lane *lane; /* [tiles][width] */
    int *branch;        /* [tiles][width] the branch in a lane; -1 = none */
    int *bending;       /* [nodes] the bending about a node; -1 = none */
    float *constant;
    size_t constants, constant_room;
    float *memory;
    size_t floats, memory_room;
    int *item;
    int items, item_room;
    int *separator; /* [P] separator of a particle; -1 = none */
} tables;

/* Room for `count` more floats. */
static cab_status lay(tables *t, size_t count, int *place, cab_error *error)
{
    count = (count + ALIGNED - 1) / ALIGNED * ALIGNED;
    *place = (int)t->floats;
    if (t->floats + count > INT32_MAX) return cab_fail(error, CAB_ERROR_INPUT, "nets are too large");
    if (t->floats + count > t->memory_room) {
        t->memory_room = 2 * t->memory_room + count;
        cab_status status = CAB_RESIZE(t->memory, t->memory_room, error);
        if (status != CAB_OK) return status;
    }
    memset(t->memory + t->floats, 0, count * sizeof *t->memory);
    t->floats += count;
    return CAB_OK;
}

static cab_status add_item(tables *t, int value, cab_error *error)
{
    if (t->items == t->item_room) {
        t->item_room = 2 * t->item_room + 1024;
        cab_status status = CAB_RESIZE(t->item, t->item_room, error);
        if (status != CAB_OK) return status;
    }
    t->item[t->items++] = value;
    return CAB_OK;
}

/* Components one after the other into nets. */
static cab_status lay_nets(tables *t, cab_error *error)
{
    const cab_branches *b = &t->world->staged.branches;
    int branches = 0, nodes = 0, joined = 0;
    cab_status status = CAB_NEW(t->net, b->component_count, error);
    for (int c = 0; status == CAB_OK && c < b->component_count; c++) {
        int more = b->component_branch_start[c + 1] - b->component_branch_start[c];
        bool full = branches >= BRANCHES_ENOUGH && nodes >= NODES_ENOUGH;
        if (c == 0 || full || branches + more > CAB_NET_LANES_MOST - ALIGNED) {
            t->net[t->net_count++] = (cab_net){.component = c, .joined = joined};
            branches = nodes = 0;
        }
        cab_net *n = &t->net[t->net_count - 1];
        n->component_count++;
        if (joined < b->joined_count && b->joined[joined].component == c) {
            n->joined_count++;
            joined++;
        }
        branches += more;
        for (int k = b->component_branch_start[c]; k < b->component_branch_start[c + 1]; k++)
            nodes += b->branch[b->component_branch[k]].count;
    }
    return status;
}

/* A net's branches, the longest first, in lanes. */
static void fill_lanes(tables *t, cab_net *n)
{
    const cab_branches *b = &t->world->staged.branches;
    int from = b->component_branch_start[n->component],
        to = b->component_branch_start[n->component + n->component_count], lane = t->tile_count * t->width;
    int longest = 0, first = lane;
    for (int k = from; k < to; k++)
        if (b->branch[b->component_branch[k]].count > longest)
            longest = b->branch[b->component_branch[k]].count;
    for (int count = longest; count > 0; count--)
        for (int k = from; k < to; k++)
            if (b->branch[b->component_branch[k]].count == count) t->branch[lane++] = b->component_branch[k];
    n->tile = t->tile_count;
    n->row = t->rows;
    for (; first < lane; first += t->width) {
        t->tile[t->tile_count++] = (cab_net_tile){.row = t->rows, .count = b->branch[t->branch[first]].count};
        t->rows += b->branch[t->branch[first]].count;
    }
    for (; lane < first; lane++) t->branch[lane] = -1;
    n->tile_count = t->tile_count - n->tile;
    n->row_count = t->rows - n->row;
    n->lanes = n->tile_count * t->width;
}

static cab_status lay_lanes(tables *t, cab_error *error)
{
    size_t most = (size_t)t->world->staged.branches.branch_count + (size_t)t->net_count;
    cab_status status = CAB_NEW(t->tile, (long long)most, error);
    if (status == CAB_OK) status = CAB_NEW(t->branch, (long long)most * t->width, error);
    if (status == CAB_OK) status = CAB_NEW(t->lane, (long long)most * t->width, error);
    for (int i = 0; status == CAB_OK && i < t->net_count; i++) fill_lanes(t, &t->net[i]);
    return status;
}

static cab_status find_bendings(tables *t, cab_error *error)
{
    const cab_model *m = t->world->model;
    const cab_branches *b = &t->world->staged.branches;
    cab_status status = CAB_NEW(t->bending, m->node_count, error);
    if (status != CAB_OK) return status;
    memset(t->bending, -1, (size_t)m->node_count * sizeof *t->bending);
    for (int i = 0; i < b->branch_count; i++) {
        for (int k = b->branch[i].first + 1; k < b->branch[i].first + b->branch[i].count - 1; k++) {
            int p = m->node_particle[k];
            for (int n = b->bend_start[p]; n < b->bend_start[p + 1]; n++) {
                const cab_bending_constraint *c = &m->bending[b->bend_item[n] >> 2];
                if (c->a == m->node_particle[k - 1] && c->b == p && c->c == m->node_particle[k + 1])
                    t->bending[k] = b->bend_item[n] >> 2;
            }
        }
    }
    return status;
}

/* Constants of node i of a branch; behind its end, and in an empty lane, those of a held node. */
static void fill_node(const tables *t, int branch, int i, int order, float out[ROW])
{
    const cab_model *m = t->world->model;
    const cab_branches *b = &t->world->staged.branches;
    float *more = out + CAB_CONSTANTS, per_h = order ? 1 : 2.25f;
    memset(out, 0, ROW * sizeof *out);
    out[CAB_CONSTANT_REST] = 1;
    out[CAB_CONSTANT_DIAGONAL] = INFINITY;
    if (branch < 0 || i >= b->branch[branch].count) return;
    const cab_branch *own = &b->branch[branch];
    int k = own->first + i;
    const cab_branch_factor *f = &b->factor[k + (order ? m->node_count : 0)];
    cab_direct_motion(m, m->node_particle[k], order, out);
    out[CAB_CONSTANT_WEIGHT] = f->weight;
    if (k >= own->run && k < own->run + own->run_count) {
        out[CAB_CONSTANT_BAND] = f->band;
        out[CAB_CONSTANT_BAND + 1] = f->band_next;
        out[CAB_CONSTANT_PIVOT] = f->pivot;
        more[CAB_NET_SPIKE] = f->spike;
        more[CAB_NET_SPIKE_NEXT] = f->spike_next;
    } else {
        out[CAB_CONSTANT_PIVOT] = 1;
    }
    if (i + 1 < own->count) {
        const cab_branch_node *node = &b->node[k];
        out[CAB_CONSTANT_REST] = node->rest;
        out[CAB_CONSTANT_COMPLIANCE] = node->compliance * per_h;
        out[CAB_CONSTANT_DIAGONAL] = node->compliance * per_h + node->regularisation;
        more[CAB_NET_PER_REST] = 1 / (node->rest * node->rest);
    }
    if (t->bending[k] < 0) return;
    const cab_bending_constraint *c = &m->bending[t->bending[k]];
    float stiffness = c->compliance > 0 ? (order ? 1 : 4.0f / 9) / c->compliance : 0;
    out[CAB_CONSTANT_BEFORE] = c->ga;
    out[CAB_CONSTANT_AFTER] = c->gc;
    out[CAB_CONSTANT_STIFF_BEFORE] = stiffness * c->ga;
    out[CAB_CONSTANT_STIFF_AFTER] = stiffness * c->gc;
}

/* Constants of a tile; equal nets share theirs. */
static cab_status fill_constants(tables *t, int net, int tile, cab_error *error)
{
    cab_net_tile *own = &t->tile[tile];
    size_t width = (size_t)t->width, count = (size_t)own->count, apart = count * ROW * width;
    float row[ROW];
    if (t->constants + 2 * apart > t->constant_room) {
        t->constant_room = 2 * t->constant_room + 2 * apart;
        cab_status status = CAB_RESIZE(t->constant, t->constant_room, error);
        if (status != CAB_OK) return status;
    }
    own->constants = (int)t->constants;
    own->order_apart = (int)apart;
    for (int order = 0; order < 2; order++) {
        float *out = t->constant + t->constants + (size_t)order * apart;
        for (size_t i = 0; i < count; i++) {
            for (size_t l = 0; l < width; l++) {
                fill_node(t, t->branch[(size_t)tile * width + l], (int)i, order, row);
                for (size_t c = 0; c < CAB_CONSTANTS; c++) out[(i * CAB_CONSTANTS + c) * width + l] = row[c];
                for (size_t c = 0; c < CAB_NET_CONSTANTS; c++)
                    out[((count * CAB_CONSTANTS) + i * CAB_NET_CONSTANTS + c) * width + l] =
                        row[CAB_CONSTANTS + c];
            }
        }
    }
    int before = net > 0 ? tile - t->net[net - 1].tile_count : -1;
    if (before >= 0 && before < t->net[net].tile && t->tile[before].count == own->count &&
        memcmp(t->constant + t->tile[before].constants, t->constant + own->constants,
               2 * apart * sizeof *t->constant) == 0)
        own->constants = t->tile[before].constants;
    else
        t->constants += 2 * apart;
    return CAB_OK;
}

/* Room for the numbers of a net. */
static cab_status lay_memory(tables *t, cab_net *n, cab_error *error)
{
    const cab_branches *b = &t->world->staged.branches;
    size_t lanes = (size_t)n->lanes, separators = 0, junctions = 0, blocks = 0;
    for (int k = n->joined; k < n->joined + n->joined_count; k++) {
        const cab_joined *j = &b->joined[k];
        separators += (size_t)j->separator_count;
        junctions += (size_t)j->junction_count;
        blocks +=
            (size_t)(b->junction[j->junction + j->junction_count].block - b->junction[j->junction].block);
    }
    struct {
        size_t count;
        int *place;
    } parts[] = {{CAB_NET_NUMBERS * lanes, &n->number},
                 {lanes * lanes, &n->limit},
                 {(size_t)n->pair_count, &n->turn},
                 {(size_t)n->row_count * (size_t)t->width, &n->spike},
                 {(size_t)n->component_count, &n->off},
                 {3 * separators, &n->separator},
                 {3 * junctions, &n->move},
                 {6 * junctions, &n->diagonal},
                 {9 * blocks, &n->block}};
    cab_status status = CAB_OK;
    for (size_t k = 0; status == CAB_OK && k < sizeof parts / sizeof *parts; k++)
        status = lay(t, parts[k].count, parts[k].place, error);
    return status;
}

static int particle_at(const tables *t, int branch, int end)
{
    const cab_branch *b = &t->world->staged.branches.branch[branch];
    return t->world->model->node_particle[b->first + (end ? b->count - 1 : 0)];
}

/* Do two branches meet at an end? Which ends. */
static bool meet(const tables *t, int p, int q, int ends[2])
{
    for (int k = 0; k < 4; k++) {
        ends[0] = k & 1;
        ends[1] = k >> 1;
        if (particle_at(t, p, ends[0]) == particle_at(t, q, ends[1])) return true;
    }
    return false;
}

/* Pairs of a net's lanes that meet, and lanes with themselves; the shorter one first. */
static cab_status list_pairs(tables *t, cab_net *n, cab_error *error)
{
    const int *branch = t->branch + n->tile * t->width;
    cab_status status = CAB_OK;
    int ends[2];
    n->pair = t->items;
    for (int p = 0; status == CAB_OK && p < n->lanes; p++) {
        for (int q = p; status == CAB_OK && q < n->lanes; q++) {
            if (branch[p] < 0 || branch[q] < 0) continue;
            if (p == q)
                ends[0] = ends[1] = -1;
            else if (!meet(t, branch[p], branch[q], ends))
                continue;
            const int pair[4] = {q, p, ends[1], ends[0]};
            for (int k = 0; status == CAB_OK && k < 4; k++) status = add_item(t, pair[k], error);
            n->pair_count++;
        }
    }
    return status;
}

static void fill_lane(tables *t, const cab_net *n, int lane)
{
    const cab_model *m = t->world->model;
    const cab_branches *b = &t->world->staged.branches;
    int place = n->tile * t->width + lane, branch = t->branch[place];
    float *number = t->memory + n->number + lane, radius = 0;
    cab_net_lane *out = &t->lane[place];
    *out = (cab_net_lane){.start = -1, .end = -1, .lanes = n->lanes};
    out->number = n->number + CAB_NET_TRAVEL * n->lanes + lane;
    number[CAB_NET_GAP * n->lanes] = CAB_FAR_NOTHING;
    if (branch < 0) return;
    const cab_branch *own = &b->branch[branch];
    out->first = own->first;
    out->count = own->count;
    out->live = 1;
    out->start = own->start;
    out->end = own->end;
    out->component = own->component - n->component;
    out->segment = own->segment;
    out->give_count = own->count;
    for (int k = own->segment; k < own->segment + own->count - 1; k++)
        radius = fmaxf(radius, m->segment[k].radius);
    number[CAB_NET_NODES * n->lanes] = (float)own->count;
    number[CAB_NET_JOINS * n->lanes] = own->end >= 0 ? 1.0f : 0.0f;
    number[CAB_NET_RADIUS * n->lanes] = radius;
}

/* Limits that are never reached are those of lanes that cannot touch, and of pairs that are listed. */
static void fill_limits(tables *t, const cab_net *n)
{
    const cab_model *m = t->world->model;
    const int *branch = t->branch + n->tile * t->width, *pair = t->item + n->pair;
    float *limit = t->memory + n->limit, *turn = t->memory + n->turn;
    for (int p = 0; p < n->lanes; p++) {
        for (int q = 0; q < n->lanes; q++) {
            bool any = q > p && branch[p] >= 0 && branch[q] >= 0 && m->settings.contact.cables;
            limit[p * n->lanes + q] = any ? -1 : CAB_FAR_NOTHING;
        }
    }
    for (int k = 0; k < n->pair_count; k++, pair += 4) {
        bool any = pair[0] == pair[1] ? m->settings.contact.self : m->settings.contact.cables;
        limit[pair[1] * n->lanes + pair[0]] = CAB_FAR_NOTHING;
        turn[k] = any ? -1 : CAB_FAR_NOTHING;
    }
}

/* Copies of a separator: what the lanes with its particle hold of the bending. */
static cab_status list_copies(tables *t, cab_net *n, cab_error *error)
{
    const cab_model *m = t->world->model;
    const cab_branches *b = &t->world->staged.branches;
    if (n->joined_count == 0) return CAB_OK;
    int first = b->joined[n->joined].separator, count = 0, at;
    const cab_joined *last = &b->joined[n->joined + n->joined_count - 1];
    count = last->separator + last->separator_count - first;
    cab_status status = CAB_OK;
    n->copy = t->items;
    for (int k = 0; status == CAB_OK && k <= count; k++) status = add_item(t, 0, error);
    at = t->items;
    for (int pass = 0; status == CAB_OK && pass < 2; pass++) {
        for (int lane = 0; lane < n->lanes; lane++) {
            int place = n->tile * t->width + lane, branch = t->branch[place];
            for (int i = 0; branch >= 0 && i < b->branch[branch].count; i++) {
                int k = b->branch[branch].first + i, run = b->branch[branch].run;
                if (k >= run && k < run + b->branch[branch].run_count) continue;
                int s = t->separator[m->node_particle[k]] - first;
                int row = t->tile[place / t->width].row + i;
                int copy = (row * CAB_SLOTS_WORK + CAB_NET_BEND) * t->width + place % t->width;
                if (pass == 0)
                    t->item[n->copy + s + 1]++;
                else
                    t->item[t->item[n->copy + s]++] = copy;
            }
        }
        if (pass > 0) continue;
        t->item[n->copy] = at;
        for (int s = 0; s < count; s++) t->item[n->copy + s + 1] += t->item[n->copy + s];
        int total = t->item[n->copy + count] - at;
        for (int k = 0; status == CAB_OK && k < total; k++) status = add_item(t, 0, error);
    }
    for (int s = count; s > 0; s--) t->item[n->copy + s] = t->item[n->copy + s - 1];
    t->item[n->copy] = at;
    return status;
}

/* The items of junctions and blocks, with lanes of their net instead of branches. */
static cab_status list_joints(tables *t, cab_error *error)
{
    const cab_branches *b = &t->world->staged.branches;
    int junctions = t->items, blocks, *lane_of;
    cab_status status = CAB_NEW(lane_of, b->branch_count, error);
    for (int i = 0; status == CAB_OK && i < t->net_count; i++)
        for (int l = 0; l < t->net[i].lanes; l++) {
            int branch = t->branch[t->net[i].tile * t->width + l];
            if (branch >= 0) lane_of[branch] = l;
        }
    for (int k = 0; status == CAB_OK && k < b->junction[b->junction_count].item; k++)
        status = add_item(t, 4 * lane_of[b->junction_item[k] >> 2] + (b->junction_item[k] & 3), error);
    blocks = t->items;
    for (int k = 0; status == CAB_OK && k < b->block[b->block_count].item; k++)
        status = add_item(t, 2 * lane_of[b->block_item[k] >> 1] + (b->block_item[k] & 1), error);
    free(lane_of);
    for (int i = 0; i < t->net_count; i++) {
        t->net[i].junction_item = junctions;
        t->net[i].block_item = blocks;
    }
    return status;
}

/* Of several lanes with a particle the first writes it. */
static cab_status share_out(tables *t, cab_error *error)
{
    bool *given;
    cab_status status = CAB_NEW(given, t->world->model->particle_count, error);
    for (int k = 0; status == CAB_OK && k < t->tile_count * t->width; k++) {
        cab_net_lane *lane = &t->lane[k];
        if (!lane->live) continue;
        int start = particle_at(t, t->branch[k], 0), end = particle_at(t, t->branch[k], 1);
        if (given[start]) {
            lane->give++;
            lane->give_count--;
        }
        if (given[end] || end == start) lane->give_count--;
        given[start] = given[end] = true;
    }
    free(given);
    return status;
}

static cab_status fill_net(tables *t, int net, cab_error *error)
{
    cab_net *n = &t->net[net];
    cab_status status = list_pairs(t, n, error);
    if (status == CAB_OK) status = list_copies(t, n, error);
    if (status == CAB_OK) status = lay_memory(t, n, error);
    for (int k = 0; status == CAB_OK && k < n->tile_count; k++)
        status = fill_constants(t, net, n->tile + k, error);
    for (int l = 0; status == CAB_OK && l < n->lanes; l++) fill_lane(t, n, l);
    if (status == CAB_OK) fill_limits(t, n);
    return status;
}

static cab_status fill(tables *t, cab_error *error)
{
    const cab_branches *b = &t->world->staged.branches;
    int reports;
    cab_status status = lay_nets(t, error);
    if (status == CAB_OK) status = lay_lanes(t, error);
    if (status == CAB_OK) status = find_bendings(t, error);
    if (status == CAB_OK) status = CAB_NEW(t->separator, t->world->model->particle_count, error);
    for (int k = 0; status == CAB_OK && k < b->separator_count; k++)
        t->separator[b->separator[k].particle] = k;
    if (status == CAB_OK) status = lay(t, (size_t)t->net_count * CAB_NET_REPORT, &reports, error);
    for (int i = 0; status == CAB_OK && i < t->net_count; i++) status = fill_net(t, i, error);
    if (status == CAB_OK) status = list_joints(t, error);
    return status == CAB_OK ? share_out(t, error) : status;
}

static cab_status upload(const tables *t, cab_error *error)
{
    cab_world *world = t->world;
    size_t lanes = (size_t)t->tile_count * (size_t)t->width, floats = (size_t)t->rows * (size_t)t->width;
    const cab_table list[] = {
        {CAB_BUFFER_net, t->net, (size_t)t->net_count, sizeof *t->net},
        {CAB_BUFFER_net_tile, t->tile, (size_t)t->tile_count, sizeof *t->tile},
        {CAB_BUFFER_net_lane, t->lane, lanes, sizeof *t->lane},
        {CAB_BUFFER_net_constant, t->constant, t->constants, sizeof *t->constant},
        {CAB_BUFFER_net_memory, t->memory, t->floats, sizeof *t->memory},
        {CAB_BUFFER_net_item, t->item, (size_t)t->items, sizeof *t->item},
        {CAB_BUFFER_tile_kept, NULL, 2 * floats * CAB_SLOTS_KEPT, sizeof(float)},
        {CAB_BUFFER_tile_memory, NULL, floats * CAB_SLOTS_WORK, sizeof(float)},
    };
    world->params.net_rows = t->rows;
    cab_status status = CAB_UPLOAD(world, list, error);
    return status == CAB_OK ? cab_world_upload_params(world, error) : status;
}

/* The group of a net's bodies; -1 = they are of several. */
static void note_groups(const tables *t, int *group)
{
    const cab_model *m = t->world->model;
    for (int i = 0; i < t->net_count; i++) {
        const cab_net *n = &t->net[i];
        for (int l = 0; l < n->lanes; l++) {
            int branch = t->branch[n->tile * t->width + l];
            if (branch < 0) continue;
            int own = m->segment[t->world->staged.branches.branch[branch].segment].owner >> CAB_SEGMENT_GROUP;
            group[i] = l == 0 || group[i] == own ? own : -1;
        }
    }
}

cab_status cab_net_frame_tables(cab_world *world, cab_error *error)
{
    cab_nets *nets = &world->staged.nets;
    tables t = {.world = world, .width = world->backend->tile_width};
    cab_status status = cab_net_frame_settle(world, true, error);
    if (status == CAB_OK) status = fill(&t, error);
    if (status == CAB_OK) status = upload(&t, error);
    cab_net_frame_end(world);
    if (status == CAB_OK) status = CAB_NEW(nets->report, (long long)t.net_count * CAB_NET_REPORT, error);
    if (status == CAB_OK) status = CAB_NEW(nets->group, t.net_count, error);
    if (status == CAB_OK) {
        note_groups(&t, nets->group);
        nets->count = t.net_count;
        nets->tiles = t.tile_count;
        cab_world_log(world, 1,
                      "whole frames of %d nets in %d tiles while nothing touches, %zu floats of constants",
                      t.net_count, t.tile_count, t.constants);
    }
    CAB_FREE(t.net, t.tile, t.lane, t.branch, t.bending, t.constant, t.memory, t.item, t.separator);
    return status;
}
