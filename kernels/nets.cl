/* nets: whole frames of cables that are joined and touch nothing. A group computes a net, or several small ones: their branches lie
 * in tiles, a lane each, whose state stays there from frame to frame as in lanes.cl; the group's first work-item solves separators and
 * junctions in between, so that nothing waits for the host within a frame.
 *
 * A net in which something happens that is not provided for here says so; the host then computes the frame stage by stage from its
 * start (host/carrier/net_frame.c). */
#define CAB_WIDE
#include "net_apart.h"
#include "net_joints.h"

#if CAB_NET_BEND != CAB_SLOT_BEND - CAB_SLOTS_KEPT
#error "the slot CAB_SLOT_BEND lies elsewhere"
#endif

/* CAB_NET_BUFFERS of host/backend/kernels.h. */
typedef struct cab_net_buffers {
    global const cab_params *params;
    global const cab_net *net;
    global const cab_net_tile *net_tile;
    global const cab_net_lane *net_lane;
    global const float *net_constant;
    global float *tile_kept;
    cab_net_tables tables;
    global const cab_segment *segment;
    global const int *exclude_start, *exclude;
} cab_net_buffers;

#define CAB_NET_KERNEL(name)                                                                                 \
    CAB_GROUP_KERNEL(name, global const cab_params *params, global const cab_net *net,                       \
                     global const cab_net_tile *net_tile, global const cab_net_lane *net_lane,               \
                     global const float *net_constant, global float *tile_kept, global float *tile_memory,   \
                     global float *net_memory, global const int *net_item, global const cab_joined *joined,  \
                     global const cab_separator *separator, global const int *separator_row,                 \
                     global const float *separator_factor, global const cab_junction *junction,              \
                     global const cab_block *block, global const cab_block_term *block_term,                 \
                     global const cab_segment *segment, global const int *exclude_start,                     \
                     global const int *exclude)
#define CAB_NET_BUFFERS_OF                                                                                   \
    {                                                                                                        \
        params, net, net_tile, net_lane, net_constant, tile_kept,                                            \
            {tile_memory,   net_memory,       net_item, joined, separator,                                   \
             separator_row, separator_factor, junction, block,  block_term},                                 \
            segment, exclude_start, exclude                                                                  \
    }

/* Tile `index` of a net. */
CAB_INLINE cab_net_view cab_net_view_of(const cab_net_buffers *b, const cab_net *n, int index,
                                        int first_order)
{
    cab_net_tile t = b->net_tile[n->tile + index];
    cab_net_view v;
    v.s.kept = (global real_memory *)cab_tile_kept_of(b->tile_kept, t.row) + CAB_LANE;
    v.s.work =
        (global real_memory *)(b->tables.work + (size_t)t.row * (CAB_SLOTS_WORK * CAB_TILE)) + CAB_LANE;
    v.s.ahead = v.s.kept;
    v.s.ahead_first = v.s.ahead_end = 0;
    v.s.constants = b->net_constant + t.constants + (first_order ? t.order_apart : 0) + CAB_LANE * CAB_VECTOR;
    v.s.rows = 0;
    v.s.count = t.count;
    v.s.apart = CAB_GROUP_SIZE;
    v.s.width = CAB_TILE;
    v.s.bends = 1;
    v.s.turned = v.s.orders = 0;
    v.more = (global const real_memory *)(v.s.constants + t.count * CAB_CONSTANTS * CAB_TILE);
    v.spike = (global real_memory *)(b->tables.memory + n->spike + (t.row - n->row) * CAB_TILE) + CAB_LANE;
    v.number = b->tables.memory + n->number + index * CAB_TILE + CAB_LANE * CAB_VECTOR;
    v.lanes = n->lanes;
    v.nodes = *cab_net_number(&v, CAB_NET_NODES);
    return v;
}

CAB_INLINE cab_net_apart cab_net_apart_of(const cab_net_buffers *b, const cab_net *n)
{
    cab_net_apart a = {b->params,
                       *n,
                       b->net_tile + n->tile,
                       b->net_lane + n->tile * CAB_TILE,
                       b->tables.memory,
                       b->tile_kept,
                       b->tables.item + n->pair,
                       b->segment,
                       b->exclude_start,
                       b->exclude,
                       0};
    return a;
}

/* What the first work-item of a group has found out, for all of them. */
CAB_INLINE int cab_net_share(const cab_net_buffers *b, int index, int value)
{
    global float *shared = b->tables.memory + index * CAB_NET_REPORT + CAB_NET_SHARED;
    if (CAB_LANE == 0) *shared = (float)value;
    CAB_BARRIER_GLOBAL();
    value = (int)*shared;
    CAB_BARRIER_GLOBAL();
    return value;
}

CAB_INLINE void cab_net_boxes(const cab_net_buffers *b, const cab_net *n)
{
    for (int t = 0; t < n->tile_count; t++) {
        cab_net_view v = cab_net_view_of(b, n, t, 0);
        cab_net_box(&v);
    }
    CAB_BARRIER_GLOBAL();
}

/* Looks at the pairs that do not meet and have reached their limit, or tells whether there are any. */
CAB_INLINE int cab_net_far(cab_net_apart *a, int look)
{
    cab_numbers reached;
    for (int p = 0; p < a->net.lanes; p++) {
        if (!a->lane[p].live) continue;
        for (int q = p / CAB_VECTOR * CAB_VECTOR; q < a->net.lanes; q += CAB_VECTOR) {
            if (!cab_net_reached(a, p, q, &reached)) continue;
            if (!look) return 1;
            for (int l = 0; l < CAB_VECTOR; l++)
                if (reached.one[l] > 0) cab_net_look(a, p, q + l);
        }
    }
    return 0;
}

/* May a collider be touched? */
CAB_INLINE int cab_net_collides(const cab_net_apart *a)
{
    global const float *number = a->memory + a->net.number;
    for (int q = 0; q < a->net.lanes; q++)
        if (!(number[CAB_NET_TRAVEL * a->net.lanes + q] < number[CAB_NET_GAP * a->net.lanes + q])) return 1;
    return 0;
}

/* May something have touched in the last substep? */
CAB_INLINE int cab_net_touches(const cab_net_buffers *b, const cab_net *n, int index)
{
    cab_net_apart a = cab_net_apart_of(b, n);
    int reached = 0, touching = 0;
    CAB_BARRIER_GLOBAL();
    if (CAB_LANE == 0) reached = cab_net_far(&a, 0);
    if (cab_net_share(b, index, reached)) {
        cab_net_boxes(b, n);
        if (CAB_LANE == 0) cab_net_far(&a, 1);
    }
    if (CAB_LANE == 0) {
        for (int k = 0; k < n->pair_count; k++) cab_net_check_pair(&a, k);
        touching = a.touching | cab_net_collides(&a);
    }
    return cab_net_share(b, index, touching);
}

/* Ends the substep before, if there is one, and predicts the next one. */
CAB_INLINE void cab_net_advance(const cab_net_buffers *b, const cab_net *n, int solved, int solved_first,
                                int first_order)
{
    cab_sweep_moves none = {0, 0, 0, 0, -1};
    for (int t = 0; t < n->tile_count; t++) {
        cab_net_view v = cab_net_view_of(b, n, t, first_order);
        cab_sweep_advance(&v.s, solved, solved_first, 0, &none);
        cab_net_leave(&v);
        if (solved) cab_net_travel(&v);
    }
}

/* Displacements of the junctions at the ends of a tile's lanes. */
CAB_INLINE void cab_net_moves(const cab_net_buffers *b, const cab_net *n, int tile, int first, vec3 *start,
                              vec3 *end)
{
    cab_numbers x[6];
    global const float *move = b->tables.memory + n->move - 3 * first;
    for (int l = 0; l < CAB_VECTOR; l++) {
        cab_net_lane lane = b->net_lane[(n->tile + tile) * CAB_TILE + CAB_LANE * CAB_VECTOR + l];
        for (int c = 0; c < 3; c++) {
            x[c].one[l] = lane.start >= 0 ? move[3 * lane.start + c] : 0;
            x[3 + c].one[l] = lane.end >= 0 ? move[3 * lane.end + c] : 0;
        }
    }
    *start = vec3_make(x[0].all, x[1].all, x[2].all);
    *end = vec3_make(x[3].all, x[4].all, x[5].all);
}

/* Says of each lane whether its component is to be solved again: all at first, then where a lane's own number tells of a length
 * that is off. Returns whether any is. */
CAB_INLINE int cab_net_choose(const cab_net_buffers *b, const cab_net *n, int all)
{
    global float *off = b->tables.memory + n->off,
                 *todo = b->tables.memory + n->number + CAB_NET_TODO * n->lanes;
    global const cab_net_lane *lane = b->net_lane + n->tile * CAB_TILE;
    int any = all;
    for (int c = 0; c < n->component_count; c++) off[c] = all ? 1.0f : 0.0f;
    for (int l = 0; l < n->lanes && !all; l++) {
        if (!(todo[l] > 0)) continue;
        any = 1;
        off[lane[l].component] = 1.0f;
    }
    if (!any) return 0;
    for (int l = 0; l < n->lanes; l++) todo[l] = off[lane[l].component];
    return 1;
}

/* Bends, and solves the lengths. Returns whether one is still off. */
CAB_INLINE int cab_net_solve(const cab_net_buffers *b, const cab_net *n, int index, int first_order)
{
    cab_net_joints joints = {*n, b->tables};
    int first = 0, first_block = 0, any = 0;
    if (n->joined_count > 0) {
        first = b->tables.joined[n->joined].junction;
        first_block = b->tables.junction[first].block;
    }
    CAB_BARRIER_GLOBAL();
    for (int k = 0; k < n->joined_count && CAB_LANE == 0; k++)
        cab_net_separate(&joints, b->tables.joined[n->joined + k], b->tables.joined[n->joined].separator,
                         first_order);
    for (int pass = 0; pass <= CAB_NET_PASSES; pass++) {
        if (CAB_LANE == 0) any = cab_net_choose(b, n, pass == 0);
        any = cab_net_share(b, index, any);
        if (!any || pass == CAB_NET_PASSES) return any;
        for (int t = 0; t < n->tile_count; t++) {
            cab_net_view v = cab_net_view_of(b, n, t, first_order);
            cab_net_eliminate(&v, pass > 0);
        }
        CAB_BARRIER_GLOBAL();
        for (int k = 0; k < n->joined_count && CAB_LANE == 0; k++)
            cab_net_join(&joints, b->tables.joined[n->joined + k], first, first_block, first_order);
        CAB_BARRIER_GLOBAL();
        for (int t = 0; t < n->tile_count; t++) {
            cab_net_view v = cab_net_view_of(b, n, t, first_order);
            vec3 start, end;
            cab_net_moves(b, n, t, first, &start, &end);
            real_mask off = cab_net_project(&v, pass > 0, start, end);
            *cab_net_number(&v, CAB_NET_TODO) = real_select(off, real_of(1), real_of(0));
        }
        CAB_BARRIER_GLOBAL();
    }
    return 1;
}

/* Sets the numbers of lanes back, so that all limits are found anew. */
CAB_INLINE void cab_net_forget(const cab_net_buffers *b, const cab_net *n)
{
    global float *number = b->tables.memory + n->number, *limit = b->tables.memory + n->limit,
                 *turn = b->tables.memory + n->turn;
    CAB_LANES(l, n->lanes)
    number[CAB_NET_TRAVEL * n->lanes + l] = number[CAB_NET_TURN * n->lanes + l] =
        number[CAB_NET_STEP * n->lanes + l] = 0;
    CAB_LANES(k, n->lanes * n->lanes)
    {
        if (limit[k] < CAB_NET_NEVER) limit[k] = -1;
    }
    CAB_LANES(k, n->pair_count)
    {
        if (turn[k] < CAB_NET_NEVER) turn[k] = -1;
    }
}

/* What the host is to know of a net. */
CAB_INLINE void cab_net_tell(const cab_net_buffers *b, const cab_net *n, int index, int failed, float moved)
{
    cab_net_apart a = cab_net_apart_of(b, n);
    global float *report = b->tables.memory + index * CAB_NET_REPORT;
    float left = CAB_NET_NEVER, low[3], high[3];
    CAB_BARRIER_GLOBAL();
    cab_net_boxes(b, n);
    if (CAB_LANE > 0) return;
    for (int c = 0; c < 3; c++) {
        low[c] = CAB_NET_NEVER;
        high[c] = -CAB_NET_NEVER;
    }
    for (int l = 0; l < n->lanes; l++) {
        if (!a.lane[l].live) continue;
        float own = *cab_net_of(&a, CAB_NET_GAP, l) - *cab_net_of(&a, CAB_NET_TRAVEL, l);
        left = own < left ? own : left;
        for (int c = 0; c < 3; c++) {
            float x = *cab_net_of(&a, CAB_NET_LOW + c, l), y = *cab_net_of(&a, CAB_NET_HIGH + c, l);
            low[c] = x < low[c] ? x : low[c];
            high[c] = y > high[c] ? y : high[c];
        }
    }
    report[CAB_NET_FAILED] = failed ? 1.0f : 0.0f;
    report[CAB_NET_MOVED] = moved;
    report[CAB_NET_LEFT] = left;
    for (int c = 0; c < 3; c++) {
        report[CAB_NET_BOX + c] = low[c];
        report[CAB_NET_BOX + 3 + c] = high[c];
    }
}

/* The longest way in the last substep. */
CAB_INLINE float cab_net_step(const cab_net_buffers *b, const cab_net *n)
{
    global const float *step = b->tables.memory + n->number + CAB_NET_STEP * n->lanes;
    float longest = 0;
    for (int l = 0; l < n->lanes; l++) longest = step[l] > longest ? step[l] : longest;
    return longest;
}

/* Keeps what the tiles hold at a frame's start, or fetches it back. */
CAB_INLINE void cab_net_keep(const cab_net_buffers *b, const cab_net *n, int fetch)
{
    global real_memory *own = (global real_memory *)cab_tile_kept_of(b->tile_kept, n->row) + CAB_LANE;
    global real_memory *kept =
        (global real_memory *)cab_tile_kept_of(b->tile_kept, b->params->net_rows + n->row) + CAB_LANE;
    for (int k = 0; k < n->row_count * CAB_SLOTS_KEPT; k++) {
        if (fetch)
            own[k * CAB_GROUP_SIZE] = kept[k * CAB_GROUP_SIZE];
        else
            kept[k * CAB_GROUP_SIZE] = own[k * CAB_GROUP_SIZE];
    }
}

/* A frame of a net. Number: how far anything may move, in CAB_NET_LEASH. Flag: CAB_FRAME_FIRST_ORDER */
CAB_NET_KERNEL(nets_frame)
{
    CAB_GROUP(index);
    cab_net_buffers b = CAB_NET_BUFFERS_OF;
    cab_net n = net[index];
    int first_order = argument & CAB_FRAME_FIRST_ORDER, steps = params->substeps, failed = 0;
    float moved = 0, leash = (float)CAB_NUMBER(argument) * CAB_NET_LEASH;
    cab_net_keep(&b, &n, 0);
    failed = cab_net_touches(&b, &n, index);
    for (int step = 0; step <= steps && !failed; step++) {
        int last_first = step == 1 && first_order, now_first = step == 0 && first_order;
        if (step < steps) {
            cab_net_advance(&b, &n, step > 0, last_first, now_first);
        } else {
            for (int t = 0; t < n.tile_count; t++) {
                cab_net_view v = cab_net_view_of(&b, &n, t, 0);
                cab_sweep_end(&v.s, last_first);
                cab_net_travel(&v);
            }
        }
        if (step > 0) {
            failed = cab_net_touches(&b, &n, index);
            moved += cab_net_step(&b, &n);
            failed |= !(moved < leash);
        }
        if (step < steps && !failed) failed = cab_net_solve(&b, &n, index, now_first);
    }
    cab_net_tell(&b, &n, index, failed, moved);
}

/* Takes the frame back. */
CAB_GROUP_KERNEL(nets_back, global const cab_params *params, global const cab_net *net,
                 global float *tile_kept)
{
    CAB_GROUP(index);
    cab_net n = net[index];
    cab_net_buffers b = {params, net, 0, 0, 0, tile_kept, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0};
    cab_net_keep(&b, &n, 1);
}

/* After nets_take: nothing is known of distances but boxes. */
CAB_NET_KERNEL(nets_look)
{
    CAB_GROUP(index);
    cab_net_buffers b = CAB_NET_BUFFERS_OF;
    cab_net n = net[index];
    cab_net_forget(&b, &n);
    cab_net_tell(&b, &n, index, 0, 0);
}

/* A tile takes the state of its branches from the buffers. Flag: CAB_FRAME_FIRST_ORDER */
CAB_GROUP_KERNEL(nets_take, global const cab_params *params, global const cab_net_tile *net_tile,
                 global const cab_net_lane *net_lane, global const cab_branch_node *branch_node,
                 global float4 *position, global float4 *residual, global float4 *velocity,
                 global float4 *step, global float *tile_kept)
{
    CAB_GROUP(index);
    int particles = params->particle_count, first_order = argument & CAB_FRAME_FIRST_ORDER;
    cab_net_tile t = net_tile[index];
    global float *f = cab_tile_kept_of(tile_kept, t.row);
    CAB_LANES(l, CAB_TILE)
    {
        cab_net_lane own = net_lane[index * CAB_TILE + l];
        cab_lane lane = {0, own.count, own.live};
        for (int i = 0; i < own.count; i++) {
            int p = branch_node[own.first + i].particle;
            /* as if the node were the only particle */
            cab_state state = {position + p, residual + p, velocity + p, step + p, 0, particles};
            cab_lane_take_one(f + i * CAB_SLOTS_KEPT * CAB_TILE + l, 0, state, first_order, 0, params->h);
        }
        cab_lane_pad(f + l, lane, t.count);
    }
}

/* And writes it there. Flag: CAB_FRAME_SOLVED_FIRST: multipliers are for h^2 */
CAB_GROUP_KERNEL(nets_give, global const cab_params *params, global const cab_net_tile *net_tile,
                 global const cab_net_lane *net_lane, global const cab_branch_node *branch_node,
                 global const float *tile_kept, global float4 *position, global float4 *residual,
                 global float4 *velocity, global float4 *step, global float *distance_lambda)
{
    CAB_GROUP(index);
    float scale = cab_per_h(argument & CAB_FRAME_SOLVED_FIRST);
    cab_net_tile t = net_tile[index];
    global const float *f = tile_kept + (size_t)t.row * (CAB_SLOTS_KEPT * CAB_TILE);
    CAB_LANES(l, CAB_TILE)
    {
        cab_net_lane own = net_lane[index * CAB_TILE + l];
        for (int i = 0; own.live && i < own.count; i++) {
            int p = branch_node[own.first + i].particle;
            global const float *from = f + i * CAB_SLOTS_KEPT * CAB_TILE + l;
            cab_state state = {position + p, residual + p, velocity + p, step + p, 0, params->particle_count};
            if (i + 1 < own.count)
                distance_lambda[branch_node[own.first + i].distance] =
                    from[CAB_SLOT_LAMBDA * CAB_TILE] * scale;
            if (i >= own.give && i < own.give + own.give_count)
                cab_lane_give_one(from, 0, state, 0, params->inverse_h);
        }
    }
}
