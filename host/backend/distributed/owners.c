#include "backend/distributed/owners.h"

#include <string.h>

#include "base/array.h"

bool cab_owners_ask(cab_buffer id)
{
    return id == CAB_BUFFER_tile || id == CAB_BUFFER_tile_chain || id == CAB_BUFFER_chain ||
           id == CAB_BUFFER_chain_node || id == CAB_BUFFER_component || id == CAB_BUFFER_tile_twist ||
           id == CAB_BUFFER_net || id == CAB_BUFFER_net_tile || id == CAB_BUFFER_net_lane ||
           id == CAB_BUFFER_net_memory || id == CAB_BUFFER_branch_node || id == CAB_BUFFER_params;
}

bool cab_owners_differ(const cab_owners *o, const cab_params *params)
{
    return memcmp(params->tile_first, o->first, sizeof o->first) != 0 || params->tile_groups != o->groups ||
           params->particle_count != o->particles || params->net_rows != o->net_rows;
}

cab_status cab_owners_start(cab_owners *o, int members, int width, cab_error *error)
{
    *o = (cab_owners){.members = members, .width = width};
    cab_status status = CAB_NEW(o->share, members, error);
    if (status == CAB_OK)
        status = CAB_NEW(o->extents, CAB_PARTITION_COUNT * CAB_BUFFER_COUNT * members, error);
    for (int m = 0; status == CAB_OK && m < members; m++) o->share[m] = 1.0 / members;
    return status;
}

static void forget(cab_owners *o)
{
    for (int i = 0; o->extents && i < CAB_PARTITION_COUNT * CAB_BUFFER_COUNT * o->members; i++) {
        free(o->extents[i].at);
        o->extents[i] = (cab_extents){0};
    }
    CAB_FREE(o->tile, o->tile_chain, o->chain, o->chain_node, o->component, o->tile_twist, o->net,
             o->net_tile, o->net_lane, o->branch_node, o->runs);
    *o = (cab_owners){.members = o->members, .width = o->width, .share = o->share, .extents = o->extents};
}

void cab_owners_end(cab_owners *o)
{
    forget(o);
    CAB_FREE(o->share, o->extents);
}

/* A copy of a buffer, of `bytes`, in *array. */
static cab_status copy_of(cab_backend *home, cab_buffer id, size_t bytes, void *array, cab_error *error)
{
    void *data = malloc(bytes + 1);
    if (!data) return cab_fail_memory(error, "a table of what devices share", bytes);
    memcpy(array, &data, sizeof data);
    return home->ops->read(home, id, 0, bytes, data, error);
}

cab_status cab_owners_read(cab_owners *o, cab_backend *home, const size_t *bytes, cab_error *error)
{
    cab_params params;
    forget(o);
    const struct {
        cab_buffer id;
        void *array;
    } tables[] = {{CAB_BUFFER_tile, &o->tile},
                  {CAB_BUFFER_tile_chain, &o->tile_chain},
                  {CAB_BUFFER_chain, &o->chain},
                  {CAB_BUFFER_chain_node, &o->chain_node},
                  {CAB_BUFFER_component, &o->component},
                  {CAB_BUFFER_tile_twist, &o->tile_twist},
                  {CAB_BUFFER_net, &o->net},
                  {CAB_BUFFER_net_tile, &o->net_tile},
                  {CAB_BUFFER_net_lane, &o->net_lane},
                  {CAB_BUFFER_branch_node, &o->branch_node}};
    cab_status status = home->ops->read(home, CAB_BUFFER_params, 0, sizeof params, &params, error);
    for (size_t i = 0; status == CAB_OK && i < sizeof tables / sizeof *tables; i++)
        status = copy_of(home, tables[i].id, bytes[tables[i].id], tables[i].array, error);
    if (status != CAB_OK) return status;
    memcpy(o->first, params.tile_first, sizeof o->first);
    o->groups = params.tile_groups;
    o->particles = params.particle_count;
    o->net_rows = params.net_rows;
    o->twists = bytes[CAB_BUFFER_tile_twist] / sizeof(float);
    o->memory = bytes[CAB_BUFFER_net_memory] / sizeof(float);
    o->chains = (int)(bytes[CAB_BUFFER_chain] / sizeof *o->chain);
    o->nets = (int)(bytes[CAB_BUFFER_net] / sizeof *o->net);
    o->net_tiles = (int)(bytes[CAB_BUFFER_net_tile] / sizeof *o->net_tile);
    return CAB_ROOM(o->runs, o->runs_room, CAB_TILE_KIND_COUNT, error);
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
    switch (split.unit) {
    case CAB_SPLIT_GROUPS:
        return groups_of(o, kind_of(split, argument));
    case CAB_SPLIT_TILES:
        return o->first[CAB_TILE_KIND_COUNT];
    case CAB_SPLIT_NETS:
        return o->nets;
    case CAB_SPLIT_NET_TILES:
        return o->net_tiles;
    case CAB_SPLIT_CABLES:
        return o->chains;
    case CAB_SPLIT_LANE_CABLES:
        return o->first[CAB_TILE_KIND_COUNT] > 0 ? o->chains : -1;
    case CAB_SPLIT_LANE_PARTICLES:
        return o->first[CAB_TILE_KIND_COUNT] > 0 ? o->particles : -1;
    default:
        return -1;
    }
}

/* Of `count` things in a row those that a member owns: at least one, where there are as many as members. */
static cab_units share_of(const cab_owners *o, int count, int member)
{
    int spare = count - o->members;
    double before = 0;
    if (spare < 0) return (cab_units){member < count ? member : count, member < count};
    for (int m = 0; m < member; m++) before += o->share[m];
    int first = member + (int)(before * spare + 0.5), end = count;
    if (member + 1 < o->members) end = member + 1 + (int)((before + o->share[member]) * spare + 0.5);
    if (first > count) first = count;
    if (end > count) end = count;
    return (cab_units){first, end > first ? end - first : 0};
}

/* The tiles of the nets that it owns. */
static cab_units net_tiles_owned(const cab_owners *o, int member)
{
    cab_units nets = share_of(o, o->nets, member);
    if (nets.count == 0) return (cab_units){0, 0};
    const cab_net *first = &o->net[nets.first], *last = &o->net[nets.first + nets.count - 1];
    return (cab_units){first->tile, last->tile + last->tile_count - first->tile};
}

/* The tiles of the groups of a kind that it owns (cab_tiles_of_group of kernels/lanes.h). */
static cab_units tiles_owned(const cab_owners *o, int kind, int member)
{
    int groups = groups_of(o, kind);
    cab_units own = share_of(o, groups, member);
    long all = o->first[kind + 1] - o->first[kind];
    if (own.count == 0) return (cab_units){0, 0};
    int begin = (int)(own.first * all / groups), end = (int)((own.first + own.count) * all / groups);
    return (cab_units){o->first[kind] + begin, end - begin};
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
    cab_status status = CAB_ROOM(list->at, list->room, (long long)list->count + 1, error);
    if (status == CAB_OK) list->at[list->count++] = e;
    return status;
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

/* Adds what cable `index` has of a buffer. */
static cab_status add_cable(const cab_owners *o, cab_rows rows, int index, cab_extents *list,
                            cab_error *error)
{
    cab_chain c = o->chain[index];
    size_t first = (size_t)c.first_particle, count = (size_t)c.particle_count;
    cab_status status = CAB_OK;
    switch (rows.kind) {
    case CAB_ROW_CABLE:
        return add(list, (size_t)index, 1, rows.size, error);
    case CAB_ROW_PARTICLE:
        return add(list, first, count, rows.size, error);
    case CAB_ROW_STEP:
        for (size_t k = 0; status == CAB_OK && k < 3; k++)
            status = add(list, k * (size_t)o->particles + first, count, rows.size, error);
        return status;
    case CAB_ROW_SEGMENT:
        return add(list, first - (size_t)index, count - 1, rows.size, error);
    case CAB_ROW_DISTANCE:
        return add_lengths(o, c, rows.size, list, error);
    case CAB_ROW_COMPONENT:
        return add(list, (size_t)o->component[c.first_particle], 1, rows.size, error);
    default:
        return CAB_OK;
    }
}

/* What the lanes of tile `t` have. */
static cab_status add_tile(const cab_owners *o, cab_rows rows, int t, cab_extents *list, cab_error *error)
{
    cab_status status = CAB_OK;
    if (rows.kind == CAB_ROW_TILE)
        return add(list, (size_t)o->tile[t].kept, (size_t)o->tile[t].count, rows.size * (size_t)o->width,
                   error);
    for (int l = 0; status == CAB_OK && l < o->width; l++) {
        int index = o->tile_chain[t * o->width + l];
        if (index < 0) continue;
        status = rows.kind == CAB_ROW_HOLD ? add_hold(o, t, l, rows.size, list, error)
                                           : add_cable(o, rows, index, list, error);
    }
    return status;
}

/* Node `i` of those of a branch. */
static cab_status add_node(const cab_owners *o, cab_rows rows, const cab_net_lane *lane, int i,
                           cab_extents *list, cab_error *error)
{
    const cab_branch_node *node = &o->branch_node[lane->first + i];
    bool gives = i >= lane->give && i < lane->give + lane->give_count;
    cab_status status = CAB_OK;
    if (rows.kind == CAB_ROW_DISTANCE && i + 1 < lane->count)
        return add(list, (size_t)node->distance, 1, rows.size, error);
    if (rows.kind == CAB_ROW_PARTICLE && gives) return add(list, (size_t)node->particle, 1, rows.size, error);
    for (size_t k = 0; status == CAB_OK && k < 3 && rows.kind == CAB_ROW_STEP && gives; k++)
        status = add(list, k * (size_t)o->particles + (size_t)node->particle, 1, rows.size, error);
    return status;
}

/* What net `index` has: rows of tiles twice, those of now and those of the frame's start; of net_memory its report and its numbers,
 * which go on to those of the next net. */
static cab_status add_net(const cab_owners *o, cab_rows rows, int index, cab_extents *list, cab_error *error)
{
    const cab_net *n = &o->net[index];
    size_t width = (size_t)o->width;
    cab_status status = CAB_OK;
    for (size_t k = 0; status == CAB_OK && k < 2 && rows.kind == CAB_ROW_TILE; k++)
        status = add(list, k * (size_t)o->net_rows + (size_t)n->row, (size_t)n->row_count, rows.size * width,
                     error);
    if (rows.kind == CAB_ROW_NET) {
        size_t end = index + 1 < o->nets ? (size_t)n[1].number : o->memory;
        status = add(list, (size_t)index * CAB_NET_REPORT, CAB_NET_REPORT, rows.size, error);
        if (status == CAB_OK)
            status = add(list, (size_t)n->number, end - (size_t)n->number, rows.size, error);
    }
    for (int l = n->tile * o->width; l < (n->tile + n->tile_count) * o->width; l++)
        for (int i = 0; status == CAB_OK && o->net_lane[l].live && i < o->net_lane[l].count; i++)
            status = add_node(o, rows, &o->net_lane[l], i, list, error);
    return status;
}

/* Adds what a tile, a net or a cable has of a buffer. */
typedef cab_status add_one(const cab_owners *owners, cab_rows rows, int index, cab_extents *list,
                           cab_error *error);

static cab_status add_each(const cab_owners *o, cab_rows rows, cab_units units, add_one *add_it,
                           cab_extents *list, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = units.first; status == CAB_OK && i < units.first + units.count; i++)
        status = add_it(o, rows, i, list, error);
    return status;
}

/* All that a member owns. */
static cab_status add_owned(const cab_owners *o, cab_partition partition, cab_rows rows, int member,
                            cab_extents *list, cab_error *error)
{
    cab_status status = CAB_OK;
    if (partition == CAB_PARTITION_NETS)
        return add_each(o, rows, share_of(o, o->nets, member), add_net, list, error);
    if (partition == CAB_PARTITION_CABLES)
        return add_each(o, rows, share_of(o, o->chains, member), add_cable, list, error);
    for (int kind = 0; status == CAB_OK && kind < CAB_TILE_KIND_COUNT; kind++)
        status = add_each(o, rows, tiles_owned(o, kind, member), add_tile, list, error);
    return status;
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

const cab_extents *cab_owners_extents(cab_owners *o, cab_partition partition, cab_buffer id, int member,
                                      cab_error *error)
{
    cab_extents *list = &o->extents[((int)partition * CAB_BUFFER_COUNT + (int)id) * o->members + member];
    if (list->known) return list;
    list->count = 0;
    if (add_owned(o, partition, cab_rows_of(id), member, list, error) != CAB_OK) return NULL;
    tidy(list);
    list->known = true;
    return list;
}

/* The rows of a member in a buffer as work-items; -1: no memory. */
static int rows_owned(cab_owners *o, cab_buffer id, int member)
{
    const cab_extents *list = cab_owners_extents(o, CAB_PARTITION_LANES, id, member, NULL);
    size_t size = cab_rows_of(id).size;
    if (!list || CAB_ROOM(o->runs, o->runs_room, (long long)list->count + 1, NULL) != CAB_OK) return -1;
    for (int i = 0; i < list->count; i++)
        o->runs[i] = (cab_units){(int)(list->at[i].offset / size), (int)(list->at[i].bytes / size)};
    return list->count;
}

int cab_owners_runs(cab_owners *o, cab_split split, int argument, int member, const cab_units **runs)
{
    int n = 1;
    switch (split.unit) {
    case CAB_SPLIT_TILES:
        for (n = 0; n < CAB_TILE_KIND_COUNT; n++) o->runs[n] = tiles_owned(o, n, member);
        break;
    case CAB_SPLIT_LANE_CABLES:
        n = rows_owned(o, CAB_BUFFER_chain_errors, member);
        break;
    case CAB_SPLIT_LANE_PARTICLES:
        n = rows_owned(o, CAB_BUFFER_position, member);
        break;
    case CAB_SPLIT_NET_TILES:
        o->runs[0] = net_tiles_owned(o, member);
        break;
    default: /* what is shared out itself */
        o->runs[0] = share_of(o, cab_owners_units(o, split, argument), member);
    }
    *runs = o->runs;
    return n;
}
