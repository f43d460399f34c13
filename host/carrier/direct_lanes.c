#include "carrier/direct_lanes.h"

#include "world/device.h"

typedef struct cab_direct_tiles {
    int *branch; /* those that may be side by side, the longest first */
    int count;
    cab_branch_tile *tile;
    int tile_count, nodes; /* of all tiles */
    int *lane;             /* [tiles][width] */
} cab_direct_tiles;

/* A branch by itself, whose particles are numbered from its start to its end. */
static bool fits(const cab_branches *b, const cab_branch *branch)
{
    const cab_branch_node *node = &b->node[branch->first];
    if (branch->start >= 0 || branch->end >= 0 || branch->fed || branch->taut == CAB_TAUT_RIGID) return false;
    for (int k = 1; k < branch->count; k++)
        if (node[k].particle != node[0].particle + k) return false;
    return true;
}

/* In the order of their length; among equal ones in that of the branches. */
static cab_status list_branches(const cab_branches *b, cab_direct_tiles *d, cab_error *error)
{
    int longest = 0, *start = NULL;
    cab_status status = CAB_NEW(d->branch, b->branch_count, error);
    for (int i = 0; i < b->branch_count; i++)
        if (b->branch[i].count > longest) longest = b->branch[i].count;
    if (status == CAB_OK) status = CAB_NEW(start, longest + 2, error);
    for (int pass = 0; status == CAB_OK && pass < 2; pass++) {
        for (int i = 0; i < b->branch_count; i++) {
            if (!fits(b, &b->branch[i])) continue;
            if (pass == 0)
                start[longest - b->branch[i].count + 1]++;
            else
                d->branch[start[longest - b->branch[i].count]++] = i;
            d->count += pass;
        }
        for (int k = 0; pass == 0 && k <= longest; k++) start[k + 1] += start[k];
    }
    free(start);
    return status;
}

/* Consecutive branches of a length share a tile. What would leave most of one empty is left out. */
static cab_status lay_tiles(cab_branches *b, int width, cab_direct_tiles *d, cab_error *error)
{
    cab_status status = CAB_NEW(d->tile, d->count, error);
    if (status == CAB_OK) status = CAB_NEW(d->lane, (long long)d->count * width, error);
    for (int i = 0, next; status == CAB_OK && i < d->count; i = next) {
        int nodes = b->branch[d->branch[i]].count;
        for (next = i; next < d->count && next < i + width && b->branch[d->branch[next]].count == nodes;
             next++)
            ;
        if ((next - i) * CAB_BRANCH_LANES_LEAST < width) continue;
        for (int l = 0; l < width; l++) {
            bool live = i + l < next;
            d->lane[d->tile_count * width + l] = live ? d->branch[i + l] : ~d->branch[i];
            if (live) b->branch[d->branch[i + l]].lane = 1;
        }
        d->tile[d->tile_count++] = (cab_branch_tile){.first = d->nodes, .count = nodes};
        d->nodes += nodes;
    }
    return status;
}

/* Are a node's only segments those of its branch before and behind it, numbered in a row? */
static bool is_in_row(const cab_model *m, const cab_branches *b, const cab_branch *branch, int k)
{
    const cab_branch_node *first = &b->node[branch->first];
    int p = first[k].particle, at = m->incident_start[p], end = m->incident_start[p + 1];
    if (k > 0 && (at == end || m->incident[at++] != 2 * (first->segment + k - 1) + 1)) return false;
    if (k < branch->count - 1 && (at == end || m->incident[at++] != 2 * (first->segment + k))) return false;
    return at == end;
}

/* Is each branch a component by itself, and each particle in one? */
static bool is_each_alone(const cab_model *m, const cab_branches *b)
{
    int nodes = 0;
    if (b->branch_count != b->component_count) return false;
    for (int i = 0; i < b->branch_count; i++) {
        nodes += b->branch[i].count;
        for (int k = 0; k < b->branch[i].count; k++)
            if (!is_in_row(m, b, &b->branch[i], k)) return false;
    }
    return nodes == m->particle_count;
}

cab_status cab_direct_lanes_start(cab_world *world, cab_error *error)
{
    cab_branches *b = &world->staged.branches;
    cab_direct_tiles d = {0};
    int width = world->backend->tile_width;
    cab_status status = list_branches(b, &d, error);
    if (status == CAB_OK) status = lay_tiles(b, width, &d, error);
    world->staged.branch_tiles = d.tile_count;
    world->staged.all_in_lanes = true;
    for (int i = 0; i < b->branch_count; i++) world->staged.all_in_lanes &= b->branch[i].lane != 0;
    world->staged.each_alone = is_each_alone(world->model, b);
    size_t tiles = (size_t)d.tile_count, floats = (size_t)d.nodes * CAB_BRANCH_SLOTS * (size_t)width;
    const cab_table tables[] = {
        {CAB_BUFFER_branch_tile, d.tile, tiles, sizeof *d.tile},
        {CAB_BUFFER_branch_lane, d.lane, tiles * (size_t)width, sizeof *d.lane},
        {CAB_BUFFER_branch_memory, NULL, floats, sizeof(float)},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    CAB_FREE(d.branch, d.tile, d.lane);
    return status;
}

bool cab_direct_lanes_used(const cab_world *world, int flags)
{
    return world->staged.branch_tiles > 0 && !(flags & CAB_NEWTON_LAST);
}

bool cab_direct_lanes_take_contact(const cab_world *world)
{
    const cab_staged *s = &world->staged;
    return s->branch_tiles > 0 && s->all_in_lanes && s->each_alone && !s->stiff && !s->clusters;
}

static cab_status run(cab_world *world, cab_kernel kernel, int flags, cab_error *error)
{
    if (world->staged.branch_tiles == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_DIRECT, kernel, 0, world->staged.branch_tiles, flags, 0, error);
}

cab_status cab_direct_lanes_solve(cab_world *world, int flags, cab_error *error)
{
    return run(world, CAB_KERNEL_direct_lanes, flags, error);
}

cab_status cab_direct_lanes_end(cab_world *world, int flags, cab_error *error)
{
    return run(world, CAB_KERNEL_direct_lanes_end, flags, error);
}
