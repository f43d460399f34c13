#include "carrier/span_frame.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "carrier/lanes.h"
#include "carrier/plan.h"
#include "contact/contact.h"
#include "world/device.h"

/* Of the displacement of the separator beside a hold: less than this share of it is left out. A float has 6e-8, and such shares fall by a factor
 * from node to node, so that their sum is hardly more than the largest. */
#define SPIKE_LEAST 1e-12f

/* Rows of constants as they are laid down; see cab_span_tile. */
typedef struct rows {
    const cab_world *world;
    float *constant;      /* of all cables, cab_direct_constants one after the other */
    const float **branch; /* [branches] those of a branch's cable, less those of the nodes before it */
    int *apart;           /* [branches] floats between the two orders there */
    float *table;
    size_t count, room; /* floats */
    int *row;           /* [2][nodes of tiles] */
    float *wide, *last; /* [CAB_SPAN_ROW][lanes] a row of all lanes; the row before, in a tile */
} rows;

bool cab_span_frame_possible(const cab_world *world)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    if (!cab_plan_hands_over(world) || world->staged.span_tiles == 0 || !m->chain || cab_contact_possible(m))
        return false;
    for (int i = 0; i < b->branch_count; i++)
        if (!b->branch[i].span || b->branch[i].count < 3) return false;
    return !cab_lanes_refuses_clear(world);
}

static cab_status find_constants(rows *r, cab_error *error)
{
    const cab_model *m = r->world->model;
    const cab_branches *b = &r->world->staged.branches;
    cab_status status = CAB_NEW(r->constant, 2LL * m->particle_count * CAB_CONSTANTS, error);
    if (status == CAB_OK) status = CAB_NEW(r->branch, b->branch_count, error);
    if (status == CAB_OK) status = CAB_NEW(r->apart, b->branch_count, error);
    for (int c = 0, i = 0; status == CAB_OK && c < m->cable_count; c++) {
        const cab_body *body = &m->bodies[c];
        float *of = r->constant + 2 * (size_t)body->first_node * CAB_CONSTANTS;
        status = cab_direct_constants(m, c, of, error);
        for (; i < b->branch_count && b->branch[i].first < body->first_node + body->node_count; i++) {
            r->branch[i] = of + (size_t)(b->branch[i].first - body->first_node) * CAB_CONSTANTS;
            r->apart[i] = body->node_count * CAB_CONSTANTS;
        }
    }
    return status;
}

/* The bending about a hold between two spans is none of theirs (cab_span_hold). */
static void leave_hold(float *out)
{
    for (int k = CAB_CONSTANT_BEFORE; k < CAB_CONSTANT_TARGET + 3; k++) out[k] = 0;
}

/* Constants of node i of a branch; behind its end those of a held node. */
static void fill_row(const rows *r, int branch, int i, int order, float out[CAB_SPAN_ROW])
{
    const cab_branches *b = &r->world->staged.branches;
    const cab_branch *own = &b->branch[branch];
    memset(out, 0, CAB_SPAN_ROW * sizeof *out);
    if (i >= own->count) return;
    const cab_branch_node *node = &b->node[own->first + i];
    const cab_branch_factor *f =
        &b->factor[own->first + i + (order ? (size_t)r->world->model->node_count : 0)];
    memcpy(out, r->branch[branch] + (size_t)order * (size_t)r->apart[branch] + (size_t)i * CAB_CONSTANTS,
           CAB_CONSTANTS * sizeof *out);
    out[CAB_CONSTANT_DIAGONAL] = out[CAB_CONSTANT_REST] = out[CAB_CONSTANT_COMPLIANCE] = 0;
    if (i + 1 < own->count) {
        out[CAB_CONSTANT_REST] = node->rest;
        out[CAB_CONSTANT_COMPLIANCE] = node->compliance;
        out[CAB_CONSTANT_REGULARISATION] = node->regularisation;
    }
    out[CAB_CONSTANT_MASS] = out[CAB_CONSTANT_WEIGHT] > 0 ? 1 / out[CAB_CONSTANT_WEIGHT] : 0;
    out[CAB_CONSTANT_BAND] = f->band;
    out[CAB_CONSTANT_BAND + 1] = f->band_next;
    out[CAB_CONSTANT_PIVOT] = f->pivot;
    out[CAB_CONSTANT_SPIKE] = fabsf(f->spike_next) > SPIKE_LEAST ? f->spike_next : 0;
    if ((i == 0 && own->separator[0] >= 0) || (i == own->count - 1 && own->separator[3] >= 0))
        leave_hold(out);
}

/* Lays down a row that is the same in all lanes, or one for each, unless it is that of node `like` in span_row. */
static cab_status lay_row(rows *r, const float *numbers, int floats, int like, int *row, cab_error *error)
{
    int wide = floats > CAB_SPAN_ROW;
    if (like >= 0 && (r->row[like] & 1) == wide &&
        memcmp(r->table + (r->row[like] >> 1), numbers, (size_t)floats * sizeof *numbers) == 0) {
        *row = r->row[like];
        return CAB_OK;
    }
    if (r->count + (size_t)floats > r->room) {
        r->room = 2 * r->room + (size_t)floats + 4096;
        cab_status status = CAB_RESIZE(r->table, r->room, error);
        if (status != CAB_OK) return status;
    }
    /* a vector is read at a multiple of its size; narrow rows keep to it, too */
    memcpy(r->table + r->count, numbers, (size_t)floats * sizeof *numbers);
    *row = (int)(2 * r->count) + wide;
    size_t width = (size_t)r->world->backend->tile_width;
    r->count += ((size_t)floats + width - 1) / width * width;
    return CAB_OK;
}

/* The row of node i of a tile. */
static cab_status lay_node(rows *r, int tile, int i, int order, cab_error *error)
{
    const cab_staged *s = &r->world->staged;
    int width = r->world->backend->tile_width, at = s->span_tile[tile].first + i, like = -1;
    float one[CAB_SPAN_ROW];
    bool same = true;
    for (int l = 0; l < width; l++) {
        int branch = s->span_lane[tile * width + l];
        fill_row(r, branch < 0 ? ~branch : branch, i, order, one);
        for (int k = 0; k < CAB_SPAN_ROW; k++) {
            r->wide[k * width + l] = one[k];
            same = same && one[k] == r->wide[k * width];
        }
    }
    at += order ? s->span_nodes : 0;
    if (i > 0) like = at - 1;
    if (!same) return lay_row(r, r->wide, CAB_SPAN_ROW * width, like, &r->row[at], error);
    cab_status status = lay_row(r, one, CAB_SPAN_ROW, like, &r->row[at], error);
    return status;
}

/* Node from which on the separator at the start moves no node of any lane by SPIKE_LEAST of its own displacement. */
static int spikes_of(const rows *r, const cab_span_tile *tile, const int *lane)
{
    float row[CAB_SPAN_ROW];
    int most = 0;
    for (int l = 0; l < r->world->backend->tile_width; l++) {
        int branch = lane[l] < 0 ? ~lane[l] : lane[l];
        for (int i = most; i < tile->count; i++) {
            bool any = false;
            for (int order = 0; order < 2; order++) {
                fill_row(r, branch, i, order, row);
                any = any || row[CAB_CONSTANT_SPIKE] != 0;
            }
            if (any) most = i + 1;
        }
    }
    return most;
}

static bool is_turned(const cab_model *m)
{
    for (int i = 0; i < m->node_count; i++)
        if (m->chain_node[i].target >= 0) return true;
    return false;
}

static cab_status lay_rows(cab_world *world, rows *r, cab_error *error)
{
    cab_staged *s = &world->staged;
    int width = world->backend->tile_width;
    bool turned = is_turned(world->model);
    cab_status status = find_constants(r, error);
    if (status == CAB_OK) status = CAB_NEW(r->row, 2LL * s->span_nodes, error);
    if (status == CAB_OK) status = CAB_NEW(r->wide, (long long)CAB_SPAN_ROW * width, error);
    for (int t = 0; status == CAB_OK && t < s->span_tiles; t++) {
        cab_span_tile *tile = &s->span_tile[t];
        tile->first_order = tile->first + s->span_nodes;
        tile->turned = turned;
        tile->spikes = spikes_of(r, tile, s->span_lane + (size_t)t * (size_t)width);
        for (int order = 0; status == CAB_OK && order < 2; order++)
            for (int i = 0; status == CAB_OK && i < tile->count; i++)
                status = lay_node(r, t, i, order, error);
    }
    return status;
}

/* Lists the held particles of the tiles' lanes that move. */
static cab_status list_moves(cab_world *world, cab_error *error)
{
    cab_staged *s = &world->staged;
    int width = world->backend->tile_width, total = 0, *moving = cab_lanes_moving(world, error);
    free(s->span_move);
    s->span_move = NULL;
    if (!moving) return CAB_ERROR_MEMORY;
    /* a hold inside a cable is in two spans */
    cab_status status = CAB_NEW(s->span_move, 2LL * world->attached.moving_count, error);
    for (int t = 0; status == CAB_OK && t < s->span_tiles; t++) {
        s->span_tile[t].move = total;
        for (int i = 0; i < s->span_tile[t].count; i++) {
            for (int l = 0; l < width; l++) {
                int b = s->span_lane[t * width + l];
                const cab_branch *own = &s->branches.branch[b < 0 ? ~b : b];
                int index = i < own->count ? moving[own->first + i] : -1;
                if (b >= 0 && index >= 0)
                    s->span_move[total++] = (cab_tile_move){.particle = i, .lane = l, .moving = index};
            }
        }
        s->span_tile[t].move_count = total - s->span_tile[t].move;
    }
    s->span_moves = total;
    free(moving);
    return status;
}

/* The holds between spans. A cable's branches follow one another. */
static cab_status find_holds(const rows *r, cab_span_hold **holds, int **joined, cab_error *error)
{
    const cab_branches *b = &r->world->staged.branches;
    cab_status status = CAB_NEW(*holds, b->branch_count, error);
    if (status == CAB_OK) status = CAB_NEW(*joined, b->component_count, error);
    for (int i = 0; status == CAB_OK && i < b->branch_count; i++) {
        cab_span_hold *h = &(*holds)[i];
        h->before = -1;
        h->after = i;
        if (b->branch[i].separator[0] < 0) continue;
        h->before = i - 1;
        for (int order = 0; order < 2; order++) {
            const float *c = r->branch[i] + (size_t)order * (size_t)r->apart[i];
            h->before_factor = c[CAB_CONSTANT_BEFORE];
            h->after_factor = c[CAB_CONSTANT_AFTER];
            h->stiff_before[order] = c[CAB_CONSTANT_STIFF_BEFORE];
            h->stiff_after[order] = c[CAB_CONSTANT_STIFF_AFTER];
            memcpy(h->target[order], c + CAB_CONSTANT_TARGET, sizeof h->target[order]);
        }
    }
    for (int c = 0; status == CAB_OK && c < b->component_count; c++) (*joined)[c] = -1;
    for (int j = 0; status == CAB_OK && j < b->joined_count; j++) (*joined)[b->joined[j].component] = j;
    return status;
}

static cab_status upload(cab_world *world, const rows *r, const cab_span_hold *holds, const int *joined,
                         cab_error *error)
{
    const cab_staged *s = &world->staged;
    size_t lanes = (size_t)s->span_nodes * (size_t)world->backend->tile_width;
    const cab_table tables[] = {
        {CAB_BUFFER_span_tile, s->span_tile, (size_t)s->span_tiles, sizeof *s->span_tile},
        {CAB_BUFFER_span_row, r->row, 2 * (size_t)s->span_nodes, sizeof *r->row},
        {CAB_BUFFER_span_table, r->table, r->count, sizeof *r->table},
        {CAB_BUFFER_span_hold, holds, (size_t)s->branches.branch_count, sizeof *holds},
        {CAB_BUFFER_span_joined, joined, (size_t)s->branches.component_count, sizeof *joined},
        {CAB_BUFFER_tile_move, s->span_move, (size_t)s->span_moves, sizeof *s->span_move},
        {CAB_BUFFER_tile_kept, NULL, lanes * CAB_SLOTS_KEPT, sizeof(float)},
        {CAB_BUFFER_tile_memory, NULL, lanes * CAB_SLOTS_WORK, sizeof(float)},
    };
    return CAB_UPLOAD(world, tables, error);
}

cab_status cab_span_frame_tables(cab_world *world, cab_error *error)
{
    rows r = {.world = world};
    cab_span_hold *holds = NULL;
    int *joined = NULL;
    cab_status status = cab_span_frame_settle(world, true, error);
    if (status == CAB_OK) status = lay_rows(world, &r, error);
    if (status == CAB_OK) status = list_moves(world, error);
    if (status == CAB_OK) status = find_holds(&r, &holds, &joined, error);
    if (status == CAB_OK) status = upload(world, &r, holds, joined, error);
    if (status == CAB_OK)
        cab_world_log(world, 1,
                      "nothing can touch: whole frames in %d tiles of spans, %zu floats of constants",
                      world->staged.span_tiles, r.count);
    CAB_FREE(r.constant, r.branch, r.apart, r.table, r.row, r.wide, holds, joined);
    return status;
}

static cab_status launch(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_launch(world, CAB_STAGE_DIRECT, kernel, 0, count, argument, 0, error);
}

static int solved_flags(const cab_staged *s)
{
    return (s->span_solved ? CAB_FRAME_SOLVED : 0) | (s->span_solved_first ? CAB_FRAME_SOLVED_FIRST : 0);
}

cab_status cab_span_frame_run(cab_world *world, cab_error *error)
{
    cab_staged *s = &world->staged;
    int components = s->branches.component_count,
        first_order = world->first_order ? CAB_FRAME_FIRST_ORDER : 0;
    int substeps = world->params.substeps, tiles = s->span_tiles;
    cab_status status = CAB_OK;
    if (!s->span_taken) status = launch(world, CAB_KERNEL_span_tiles_take, tiles, first_order, error);
    if (status == CAB_OK)
        status = launch(world, CAB_KERNEL_span_start, tiles, first_order | solved_flags(s), error);
    for (int k = 0; status == CAB_OK && k < substeps; k++) {
        status = launch(world, CAB_KERNEL_span_separate, components,
                        first_order | CAB_FRAME_BENDS | (k > 0 ? CAB_FRAME_SOLVED : 0), error);
        int next = k + 1 < substeps ? k + 1 : 0;
        if (status == CAB_OK)
            status = launch(world, CAB_KERNEL_span_substep, tiles, CAB_ARGUMENT(first_order, next), error);
        s->span_solved_first = first_order != 0;
        first_order = 0;
    }
    if (status == CAB_OK)
        status = launch(world, CAB_KERNEL_span_separate, components, CAB_FRAME_SOLVED, error);
    s->span_taken = s->span_ahead = s->span_solved = status == CAB_OK;
    if (status == CAB_OK && world->first_order) /* all are of second order now */
        status = cab_world_upload(world, CAB_BUFFER_order, NULL, (size_t)components, sizeof(int), error);
    world->first_order = false;
    return status;
}

cab_status cab_span_frame_settle(cab_world *world, bool change, cab_error *error)
{
    cab_staged *s = &world->staged;
    int flags = solved_flags(s);
    bool due = s->span_ahead;
    if (change) s->span_taken = false;
    if (due) s->span_ahead = s->span_solved = s->span_solved_first = false;
    return due ? launch(world, CAB_KERNEL_span_tiles_give, s->span_tiles, flags, error) : CAB_OK;
}

void cab_span_frame_end(cab_world *world)
{
    cab_staged *s = &world->staged;
    CAB_FREE(s->span_tile, s->span_lane, s->span_move);
    s->span_tile = NULL;
    s->span_lane = NULL;
    s->span_move = NULL;
}
