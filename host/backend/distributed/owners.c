#include "backend/distributed/owners.h"

#include <string.h>

#include "base/array.h"

cab_split cab_split_of(cab_kernel kernel)
{
    enum { BY_ARGUMENT = -1 };
    switch (kernel) {
    case CAB_KERNEL_lanes_lengths:
    case CAB_KERNEL_lanes_xpbd_lengths:
        return (cab_split){CAB_SPLIT_GROUPS, CAB_TILE_LENGTHS, false};
    case CAB_KERNEL_lanes_bending:
    case CAB_KERNEL_lanes_xpbd_bending:
    case CAB_KERNEL_lanes_viscous:
        return (cab_split){CAB_SPLIT_GROUPS, CAB_TILE_BENDING, false};
    case CAB_KERNEL_lanes_mixed:
    case CAB_KERNEL_lanes_xpbd_mixed:
    case CAB_KERNEL_lanes_viscous_mixed:
    case CAB_KERNEL_lanes_twist:
    case CAB_KERNEL_near_mixed:
        return (cab_split){CAB_SPLIT_GROUPS, CAB_TILE_MIXED, false};
    case CAB_KERNEL_near_equal:
        return (cab_split){CAB_SPLIT_GROUPS, BY_ARGUMENT, false};
    case CAB_KERNEL_lanes_take:
    case CAB_KERNEL_viscous_take:
    case CAB_KERNEL_near_take:
        return (cab_split){CAB_SPLIT_TILES, 0, true};
    case CAB_KERNEL_lanes_give:
    case CAB_KERNEL_viscous_give:
    case CAB_KERNEL_near_back:
        return (cab_split){CAB_SPLIT_TILES, 0, false};
    default:
        return (cab_split){CAB_SPLIT_NONE, 0, false};
    }
}

bool cab_kernel_only_reads(cab_kernel kernel)
{
    return kernel == CAB_KERNEL_far_chains || kernel == CAB_KERNEL_far_straight ||
           kernel == CAB_KERNEL_measure_chains || kernel == CAB_KERNEL_measure || kernel == CAB_KERNEL_draw;
}

/* How the parts of a buffer follow from tiles and cables. */
typedef enum row_kind {
    ROW_NONE = 0,
    ROW_TABLE,   /* of a table, which is not taken apart */
    ROW_FIXED,   /* the same, and only the host writes it */
    ROW_SCRATCH, /* of work memory */
    ROW_TILE,    /* `size` for each lane of each particle of a tile */
    ROW_CHAIN,   /* a cable */
    ROW_PARTICLE,
    ROW_STEP, /* [3][P] */
    ROW_SEGMENT,
    ROW_DISTANCE,  /* the multiplier of a segment's length */
    ROW_COMPONENT, /* of a cable that is joined to nothing */
    ROW_HOLD       /* the place that holds the roll at the cable's start */
} row_kind;

typedef struct buffer_rows {
    row_kind kind;
    size_t size; /* bytes of a row */
} buffer_rows;

static const buffer_rows rows_of[CAB_BUFFER_COUNT] = {
    [CAB_BUFFER_params] = {ROW_FIXED, 0},
    [CAB_BUFFER_tile] = {ROW_FIXED, 0},
    [CAB_BUFFER_tile_chain] = {ROW_FIXED, 0},
    [CAB_BUFFER_tile_move] = {ROW_FIXED, 0},
    [CAB_BUFFER_lane_constant] = {ROW_FIXED, 0},
    [CAB_BUFFER_chain] = {ROW_FIXED, 0},
    [CAB_BUFFER_chain_node] = {ROW_FIXED, 0},
    [CAB_BUFFER_segment] = {ROW_FIXED, 0},
    [CAB_BUFFER_component] = {ROW_FIXED, 0},
    [CAB_BUFFER_tile_twist] = {ROW_FIXED, 0},
    [CAB_BUFFER_twist_roll] = {ROW_FIXED, 0},
    [CAB_BUFFER_target] = {ROW_TABLE, 0},
    [CAB_BUFFER_collider] = {ROW_TABLE, 0},
    [CAB_BUFFER_tile_memory] = {ROW_SCRATCH, 0},
    [CAB_BUFFER_tile_kept] = {ROW_TILE, CAB_SLOTS_KEPT * sizeof(float)},
    [CAB_BUFFER_tile_back] = {ROW_TILE, CAB_SLOTS_BACK * sizeof(float)},
    [CAB_BUFFER_tile_constrained] = {ROW_TILE, 3 * sizeof(float)},
    [CAB_BUFFER_chain_errors] = {ROW_CHAIN, sizeof(cab_errors)},
    [CAB_BUFFER_chain_near] = {ROW_CHAIN, sizeof(int)},
    [CAB_BUFFER_position] = {ROW_PARTICLE, sizeof(float4)},
    [CAB_BUFFER_residual] = {ROW_PARTICLE, sizeof(float4)},
    [CAB_BUFFER_velocity] = {ROW_PARTICLE, sizeof(float4)},
    [CAB_BUFFER_constrained] = {ROW_PARTICLE, sizeof(float4)},
    [CAB_BUFFER_slow] = {ROW_PARTICLE, sizeof(float)},
    [CAB_BUFFER_step] = {ROW_STEP, sizeof(float4)},
    [CAB_BUFFER_pressing] = {ROW_SEGMENT, sizeof(float)},
    [CAB_BUFFER_end_pressing] = {ROW_SEGMENT, 2 * sizeof(float)},
    [CAB_BUFFER_distance_lambda] = {ROW_DISTANCE, sizeof(float)},
    [CAB_BUFFER_order] = {ROW_COMPONENT, sizeof(int)},
    [CAB_BUFFER_twist] = {ROW_HOLD, sizeof(float4)},
};

cab_split_buffer cab_split_buffer_of(cab_buffer id)
{
    switch (rows_of[id].kind) {
    case ROW_NONE:
        return CAB_BUFFER_AT_HOME;
    case ROW_FIXED:
    case ROW_TABLE:
        return CAB_BUFFER_TABLE;
    case ROW_SCRATCH:
        return CAB_BUFFER_SCRATCH;
    case ROW_TILE:
        return CAB_BUFFER_OF_TILES;
    default:
        return CAB_BUFFER_OF_CABLES;
    }
}

bool cab_buffer_is_fixed(cab_buffer id)
{
    return rows_of[id].kind == ROW_FIXED;
}

bool cab_owners_ask(cab_buffer id)
{
    return id == CAB_BUFFER_tile || id == CAB_BUFFER_tile_chain || id == CAB_BUFFER_chain ||
           id == CAB_BUFFER_chain_node || id == CAB_BUFFER_component || id == CAB_BUFFER_tile_twist ||
           id == CAB_BUFFER_params;
}

cab_status cab_owners_start(cab_owners *o, int members, int width, cab_error *error)
{
    *o = (cab_owners){.members = members, .width = width};
    cab_status status = CAB_NEW(o->share, members, error);
    if (status == CAB_OK) status = CAB_NEW(o->extents, CAB_BUFFER_COUNT * members, error);
    for (int m = 0; status == CAB_OK && m < members; m++) o->share[m] = 1.0 / members;
    return status;
}

static void forget(cab_owners *o)
{
    for (int i = 0; o->extents && i < CAB_BUFFER_COUNT * o->members; i++) {
        free(o->extents[i].at);
        o->extents[i] = (cab_extents){0};
    }
    CAB_FREE(o->tile, o->tile_chain, o->chain, o->chain_node, o->component, o->tile_twist, o->runs);
    o->tile = NULL;
    o->tile_chain = o->component = NULL;
    o->chain = NULL;
    o->chain_node = NULL;
    o->tile_twist = NULL;
    o->runs = NULL;
}

void cab_owners_end(cab_owners *o)
{
    forget(o);
    CAB_FREE(o->share, o->extents);
}

/* A copy of a whole buffer, and how many elements it has. */
static cab_status copy_of(cab_backend *home, cab_buffer id, void *array, size_t size, size_t *count,
                          cab_error *error)
{
    size_t bytes = home->bytes[id];
    void *data = malloc(bytes + 1);
    if (!data) return cab_fail_memory(error, "a table of lanes", bytes);
    memcpy(array, &data, sizeof data);
    *count = bytes / size;
    return home->ops->read(home, id, 0, bytes, data, error);
}

cab_status cab_owners_read(cab_owners *o, cab_backend *home, cab_error *error)
{
    cab_params params;
    size_t n;
    forget(o);
    cab_status status = home->ops->read(home, CAB_BUFFER_params, 0, sizeof params, &params, error);
    if (status == CAB_OK) status = copy_of(home, CAB_BUFFER_tile, &o->tile, sizeof *o->tile, &n, error);
    if (status == CAB_OK)
        status = copy_of(home, CAB_BUFFER_tile_chain, &o->tile_chain, sizeof *o->tile_chain, &n, error);
    if (status == CAB_OK) status = copy_of(home, CAB_BUFFER_chain, &o->chain, sizeof *o->chain, &n, error);
    if (status == CAB_OK)
        status = copy_of(home, CAB_BUFFER_chain_node, &o->chain_node, sizeof *o->chain_node, &n, error);
    if (status == CAB_OK)
        status = copy_of(home, CAB_BUFFER_component, &o->component, sizeof *o->component, &n, error);
    if (status == CAB_OK)
        status =
            copy_of(home, CAB_BUFFER_tile_twist, &o->tile_twist, sizeof *o->tile_twist, &o->twists, error);
    if (status != CAB_OK) return status;
    memcpy(o->first, params.tile_first, sizeof o->first);
    o->groups = params.tile_groups;
    o->particles = params.particle_count;
    return CAB_NEW(o->runs, o->first[CAB_TILE_KIND_COUNT] + 1, error);
}

static int kind_of(cab_split split, int argument)
{
    if (split.kind >= 0) return split.kind;
    return argument & CAB_FRAME_BENDS ? CAB_TILE_BENDING : CAB_TILE_LENGTHS;
}

/* How many groups have tiles of a kind. */
static int groups_of(const cab_owners *o, int kind)
{
    int tiles = o->first[kind + 1] - o->first[kind];
    return tiles < o->groups ? tiles : o->groups;
}

int cab_owners_units(const cab_owners *o, cab_split split, int argument)
{
    return split.unit == CAB_SPLIT_TILES ? o->first[CAB_TILE_KIND_COUNT]
                                         : groups_of(o, kind_of(split, argument));
}

/* The groups of a kind that a member owns: at least one, where there are as many as members. */
static cab_units groups_owned(const cab_owners *o, int kind, int member)
{
    int groups = groups_of(o, kind), spare = groups - o->members;
    double before = 0;
    if (spare < 0) return (cab_units){member < groups ? member : groups, member < groups};
    for (int m = 0; m < member; m++) before += o->share[m];
    int first = member + (int)(before * spare + 0.5), end = groups;
    if (member + 1 < o->members) end = member + 1 + (int)((before + o->share[member]) * spare + 0.5);
    if (end > groups) end = groups;
    return (cab_units){first, end - first};
}

/* The tiles of the groups that it owns. */
static int tiles_owned(cab_owners *o, int member)
{
    int n = 0;
    for (int kind = 0; kind < CAB_TILE_KIND_COUNT; kind++) {
        cab_units groups = groups_owned(o, kind, member);
        for (int t = o->first[kind] + groups.first; t < o->first[kind + 1] && groups.count > 0;
             t += o->groups) {
            int left = o->first[kind + 1] - t;
            cab_units run = {t, left < groups.count ? left : groups.count};
            if (n > 0 && o->runs[n - 1].first + o->runs[n - 1].count == t)
                o->runs[n - 1].count += run.count;
            else
                o->runs[n++] = run;
        }
    }
    return n;
}

int cab_owners_runs(cab_owners *o, cab_split split, int argument, int member, const cab_units **runs)
{
    *runs = o->runs;
    if (split.unit == CAB_SPLIT_TILES) return tiles_owned(o, member);
    o->runs[0] = groups_owned(o, kind_of(split, argument), member);
    return o->runs[0].count > 0;
}

static cab_status add(cab_extents *list, size_t first, size_t count, size_t size, cab_error *error)
{
    cab_extent e = {first * size, count * size};
    if (count == 0) return CAB_OK;
    cab_extent *last = list->count > 0 ? &list->at[list->count - 1] : NULL;
    if (last && last->offset + last->bytes == e.offset) {
        last->bytes += e.bytes;
        return CAB_OK;
    }
    if (list->count + 1 >= list->room &&
        CAB_ROOM(list->at, list->room, (long long)list->count + 1, error) != CAB_OK)
        return CAB_ERROR_MEMORY;
    list->at[list->count++] = e;
    return CAB_OK;
}

static cab_status add_lengths(const cab_owners *o, cab_chain c, size_t size, cab_extents *list,
                              cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < c.particle_count - 1; i++) {
        int d = o->chain_node[c.first_particle + i].distance;
        if (d >= 0) status = add(list, (size_t)d, 1, size, error);
    }
    return status;
}

/* The row of `twist` in which a lane's cable ends, where it resists twisting. */
static cab_status add_hold(const cab_owners *o, int tile, int lane, size_t size, cab_extents *list,
                           cab_error *error)
{
    size_t width = (size_t)o->width, slot = (size_t)tile * CAB_TWIST_SLOTS * width + (size_t)lane;
    if (slot + CAB_TWIST_HOLD * width >= o->twists) return CAB_OK;
    if (o->tile_twist[slot + CAB_TWIST_STIFF * width] == 0) return CAB_OK;
    return add(list, (size_t)o->tile_twist[slot + CAB_TWIST_HOLD * width], 1, size, error);
}

/* Adds what a lane's cable has of a buffer. */
static cab_status add_cable(const cab_owners *o, buffer_rows rows, int tile, int lane, cab_extents *list,
                            cab_error *error)
{
    int index = o->tile_chain[tile * o->width + lane];
    if (index < 0) return CAB_OK;
    cab_chain c = o->chain[index];
    size_t first = (size_t)c.first_particle, count = (size_t)c.particle_count;
    cab_status status = CAB_OK;
    switch (rows.kind) {
    case ROW_CHAIN:
        return add(list, (size_t)index, 1, rows.size, error);
    case ROW_PARTICLE:
        return add(list, first, count, rows.size, error);
    case ROW_STEP:
        for (size_t k = 0; status == CAB_OK && k < 3; k++)
            status = add(list, k * (size_t)o->particles + first, count, rows.size, error);
        return status;
    case ROW_SEGMENT:
        return add(list, first - (size_t)index, count - 1, rows.size, error);
    case ROW_DISTANCE:
        return add_lengths(o, c, rows.size, list, error);
    case ROW_COMPONENT:
        return add(list, (size_t)o->component[c.first_particle], 1, rows.size, error);
    default:
        return add_hold(o, tile, lane, rows.size, list, error);
    }
}

static int by_offset(const void *a, const void *b)
{
    const cab_extent *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Sorts a list and joins what follows one another. */
static void tidy(cab_extents *list)
{
    int n = 0;
    if (list->count == 0) return;
    qsort(list->at, (size_t)list->count, sizeof *list->at, by_offset);
    for (int i = 1; i < list->count; i++) {
        if (list->at[n].offset + list->at[n].bytes >= list->at[i].offset) {
            size_t end = list->at[i].offset + list->at[i].bytes;
            if (end > list->at[n].offset + list->at[n].bytes) list->at[n].bytes = end - list->at[n].offset;
        } else {
            list->at[++n] = list->at[i];
        }
    }
    list->count = n + 1;
}

const cab_extents *cab_owners_extents(cab_owners *o, cab_buffer id, int member, cab_error *error)
{
    cab_extents *list = &o->extents[(int)id * o->members + member];
    buffer_rows rows = rows_of[id];
    if (list->known) return list;
    list->count = 0;
    int runs = tiles_owned(o, member);
    for (int r = 0; r < runs; r++) {
        for (int t = o->runs[r].first; t < o->runs[r].first + o->runs[r].count; t++) {
            cab_status status = CAB_OK;
            if (rows.kind == ROW_TILE)
                status = add(list, (size_t)o->tile[t].kept, (size_t)o->tile[t].count,
                             rows.size * (size_t)o->width, error);
            for (int l = 0; status == CAB_OK && l < o->width && rows.kind != ROW_TILE; l++)
                status = add_cable(o, rows, t, l, list, error);
            if (status != CAB_OK) return NULL;
        }
    }
    tidy(list);
    list->known = true;
    return list;
}
