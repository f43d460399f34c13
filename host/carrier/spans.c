/* Tiles of spans on the host. A span is a branch between holds or ends of its cable; no other branch has a part in
 * its lengths. */
#include "carrier/spans.h"

#include "carrier/span_frame.h"
#include "world/device.h"

#define SPANS_LEAST 4 /* with fewer, most of a vector would be empty */

typedef struct cab_spans {
    int *branch; /* the spans, the longest first */
    int count;
    cab_span_tile *tile;
    int tile_count, nodes; /* of all tiles */
    int *lane;             /* [tiles][width] */
    float *constant;
} cab_spans;

bool cab_spans_used(const cab_world *world)
{
    return world->staged.span_tiles > 0 && !world->staged.near && !world->staged.clusters;
}

static bool is_span(const cab_branch *branch)
{
    if (branch->taut == CAB_TAUT_RIGID) return false;
    return branch->start < 0 && branch->end < 0 && !branch->fed;
}

/* The spans of components that have a long one which is held, in the order of their length; among equal ones in
 * that of the branches. */
static cab_status list_spans(const cab_branches *b, cab_spans *s, cab_error *error)
{
    bool *taut;
    int longest = 0, *start = NULL;
    cab_status status = CAB_NEW(taut, b->component_count, error);
    if (status == CAB_OK) status = CAB_NEW(s->branch, b->branch_count, error);
    for (int i = 0; status == CAB_OK && i < b->branch_count; i++) {
        taut[b->branch[i].component] |= b->branch[i].taut != 0;
        if (b->branch[i].count > longest) longest = b->branch[i].count;
    }
    if (status == CAB_OK) status = CAB_NEW(start, longest + 2, error);
    for (int pass = 0; status == CAB_OK && pass < 2; pass++) {
        for (int i = 0; i < b->branch_count; i++) {
            const cab_branch *r = &b->branch[i];
            if (!is_span(r) || !taut[r->component]) continue;
            if (pass == 0)
                start[longest - r->count + 1]++;
            else
                s->branch[start[longest - r->count]++] = i;
            s->count += pass;
        }
        for (int k = 0; pass == 0 && k <= longest; k++) start[k + 1] += start[k];
    }
    CAB_FREE(taut, start);
    return status;
}

/* Consecutive spans share a tile. */
static cab_status lay_tiles(const cab_branches *b, int width, cab_spans *s, cab_error *error)
{
    s->tile_count = (s->count + width - 1) / width;
    cab_status status = CAB_NEW(s->tile, s->tile_count, error);
    if (status == CAB_OK) status = CAB_NEW(s->lane, (long long)s->tile_count * width, error);
    for (int t = 0; status == CAB_OK && t < s->tile_count; t++) {
        s->tile[t] = (cab_span_tile){.first = s->nodes, .count = b->branch[s->branch[t * width]].count};
        s->nodes += s->tile[t].count;
        for (int l = t * width; l < (t + 1) * width; l++)
            s->lane[l] = l < s->count ? s->branch[l] : ~s->branch[t * width];
        int last = (t + 1) * width - 1;
        s->tile[t].shortest =
            last < s->count ? b->branch[s->branch[last]].count : b->branch[s->branch[s->count - 1]].count;
    }
    return status;
}

/* The constants of a branch in a lane. Behind its end are held nodes without segments. */
static void lay_constants(const cab_branches *b, int nodes, const cab_branch *branch, int width, float *out)
{
    for (int i = 0; i < branch->count; i++, out += CAB_SPAN_CONSTANTS * width) {
        int k = branch->first + i;
        out[CAB_SPAN_REST * width] = b->node[k].rest;
        out[CAB_SPAN_COMPLIANCE * width] = b->node[k].compliance;
        out[CAB_SPAN_REGULARISATION * width] = b->node[k].regularisation;
        out[CAB_SPAN_WEIGHT * width] = b->factor[k].weight;
        out[(CAB_SPAN_WEIGHT + 1) * width] = b->factor[k + nodes].weight;
    }
}

static cab_status build(const cab_world *world, cab_spans *s, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    int width = world->backend->tile_width;
    cab_status status = list_spans(b, s, error);
    if (status == CAB_OK && s->count < SPANS_LEAST) s->count = 0;
    if (status == CAB_OK) status = lay_tiles(b, width, s, error);
    if (status == CAB_OK)
        status = CAB_NEW(s->constant, (long long)s->nodes * CAB_SPAN_CONSTANTS * width, error);
    for (int l = 0; status == CAB_OK && l < s->count; l++) {
        size_t first = (size_t)s->tile[l / width].first * CAB_SPAN_CONSTANTS * (size_t)width;
        lay_constants(b, world->model->node_count, &b->branch[s->branch[l]], width,
                      s->constant + first + l % width);
    }
    return status;
}

cab_status cab_spans_start(cab_world *world, cab_error *error)
{
    cab_branches *b = &world->staged.branches;
    cab_spans s = {0};
    size_t width = (size_t)world->backend->tile_width;
    cab_status status = cab_span_frame_settle(world, true, error); /* by the tiles that there are */
    if (status == CAB_OK && b->any_taut) status = build(world, &s, error);
    for (int i = 0; status == CAB_OK && i < s.count; i++) b->branch[s.branch[i]].span = 1;
    world->staged.span_tiles = s.tile_count;
    const cab_table tables[] = {
        {CAB_BUFFER_span_tile, s.tile, (size_t)s.tile_count, sizeof *s.tile},
        {CAB_BUFFER_span_branch, s.lane, (size_t)s.tile_count * width, sizeof *s.lane},
        {CAB_BUFFER_span_constant, s.constant, (size_t)s.nodes * CAB_SPAN_CONSTANTS * width, sizeof(float)},
        {CAB_BUFFER_span_memory, NULL, (size_t)s.nodes * CAB_SPAN_SLOTS * width, sizeof(float)},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    CAB_FREE(s.branch, s.constant, world->staged.span_tile, world->staged.span_lane);
    world->staged.span_tile = s.tile;
    world->staged.span_lane = s.lane;
    world->staged.span_nodes = s.nodes;
    return status;
}
