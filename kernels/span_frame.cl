/* span_frame: frames of long held cables that touch nothing: tiles of spans keep the state of their spans from
 * substep to substep and from frame to frame. A launch solves a substep and starts the next one; in between the
 * separators beside the holds are solved (span_separate, direct_bend.cl), by which spans know of each other. */
#define CAB_WIDE
#include "span_sweep.h"

/* CAB_SPAN_BUFFERS of host/backend/kernels.h. */
typedef struct cab_span_buffers {
    global const cab_params *params;
    global const cab_span_tile *span_tile;
    global const int *span_branch;
    global const cab_branch *branch;
    global const int *span_row;
    global const float *span_table;
    global const cab_tile_move *tile_move;
    global const float4 *target;
    global float *tile_kept, *tile_memory, *span_memory;
    global float4 *bend, *branch_bend;
    global int *outcome;
} cab_span_buffers;

/* Floats of a tile with so many for each node, up to this work-item's lanes. */
CAB_INLINE global real_memory *cab_span_floats(global float *memory, cab_span_tile t, int slots)
{
    return (global real_memory *)(memory + (size_t)t.first * (size_t)(slots * CAB_TILE)) + CAB_LANE;
}

CAB_INLINE cab_span_view cab_span_view_of(const cab_span_buffers *b, int tile, cab_span_tile t,
                                          int first_order)
{
    cab_span_view v;
    v.tile.kept = cab_span_floats(b->tile_kept, t, CAB_SLOTS_KEPT);
    v.tile.work = cab_span_floats(b->tile_memory, t, CAB_SLOTS_WORK);
    v.tile.ahead = v.tile.kept;
    v.tile.ahead_first = v.tile.ahead_end = 0;
    v.tile.constants = b->span_table;
    v.tile.rows = b->span_row + (first_order ? t.first_order : t.first);
    v.tile.count = t.count;
    v.tile.apart = CAB_GROUP_SIZE;
    v.tile.width = 1;
    v.tile.bends = 1;
    v.tile.turned = t.turned;
    v.tile.orders = 0;
    cab_span_lanes_of(&v.lanes, b->span_branch + tile * CAB_TILE, b->branch);
    v.lanes.per_h = real_of(cab_per_h(first_order));
    v.inverse_per_h = real_of(1 / cab_per_h(first_order));
    v.lanes.tolerance = real_of(CAB_TAUT_ERROR); /* as the whole cable has stage by stage */
    v.lanes.memory = cab_span_floats(b->span_memory, t, CAB_SPAN_SLOTS);
    v.shortest = t.shortest;
    v.spikes = t.spikes;
    return v;
}

/* Starts the substep of the number `step`: ends the one before if `solved`, predicts, and begins its bending. What
 * span_separate needs goes to branch_bend[4 branch + ...]: 0, 3 the first and the last segment; 1, 2 right sides of the
 * separators beside the holds. */
CAB_INLINE void cab_span_begin_next(const cab_span_buffers *b, cab_span_view *v, cab_span_tile t, int solved,
                                    int first_order, int step)
{
    int apart = 2 * b->params->moving_count;
    cab_sweep_moves moves = cab_moves_of(b->tile_move + t.move, b->target, t.move_count, step * apart);
    cab_sweep_advance(&v->tile, solved, first_order, 0, &moves);
    cab_numbers first[3], left[3];
    vec3 segment = cab_slot3(&v->tile, 0, CAB_SLOT_SEGMENT), z = cab_span_left(v);
    first[0].all = segment.x;
    first[1].all = segment.y;
    first[2].all = segment.z;
    left[0].all = z.x;
    left[1].all = z.y;
    left[2].all = z.z;
    for (int l = 0; l < CAB_VECTOR; l++) {
        int end = v->lanes.count[l] - 2;
        if (!v->lanes.moves[l]) continue;
        global float4 *out = b->branch_bend + 4 * v->lanes.branch[l];
        global const float *x = (global const float *)cab_slot_of(&v->tile, end, CAB_SLOT_SEGMENT) + l;
        global const float *right = (global const float *)cab_slot_of(&v->tile, end, CAB_SLOT_BEND) + l;
        out[0] = CAB_FLOAT4(first[0].one[l], first[1].one[l], first[2].one[l], 0);
        out[1] = CAB_FLOAT4(left[0].one[l], left[1].one[l], left[2].one[l], 0);
        out[2] = CAB_FLOAT4(right[0], right[CAB_TILE], right[2 * CAB_TILE], 0);
        out[3] = CAB_FLOAT4(x[0], x[CAB_TILE], x[2 * CAB_TILE], 0);
    }
}

/* Reads what span_separate has found. */
CAB_INLINE void cab_span_ends(const cab_span_buffers *b, cab_span_view *v)
{
    cab_numbers start[3], end[3];
    for (int l = 0; l < CAB_VECTOR; l++) {
        cab_branch own = b->branch[v->lanes.branch[l]];
        float4 none = CAB_FLOAT4(0, 0, 0, 0);
        float4 s = own.separator[1] >= 0 ? b->bend[own.separator[1]] : none;
        float4 e = own.separator[2] >= 0 ? b->bend[own.separator[2]] : none;
        start[0].one[l] = s.x;
        start[1].one[l] = s.y;
        start[2].one[l] = s.z;
        end[0].one[l] = e.x;
        end[1].one[l] = e.y;
        end[2].one[l] = e.z;
    }
    v->start = vec3_make(start[0].all, start[1].all, start[2].all);
    v->end = vec3_make(end[0].all, end[1].all, end[2].all);
}

#define CAB_SPAN_KERNEL(name)                                                                                \
    CAB_GROUP_KERNEL(name, global const cab_params *params, global const cab_span_tile *span_tile,           \
                     global const int *span_branch, global const cab_branch *branch,                         \
                     global const int *span_row, global const float *span_table,                             \
                     global const cab_tile_move *tile_move, global const float4 *target,                     \
                     global float *tile_kept, global float *tile_memory, global float *span_memory,          \
                     global float4 *bend, global float4 *branch_bend, global int *outcome)
#define CAB_SPAN_BUFFERS_OF                                                                                  \
    {                                                                                                        \
        params, span_tile, span_branch, branch, span_row, span_table, tile_move, target, tile_kept,          \
            tile_memory, span_memory, bend, branch_bend, outcome                                             \
    }

/* Starts the first substep of a frame. Flags: CAB_FRAME_FIRST_ORDER (of this substep), CAB_FRAME_SOLVED,
 * CAB_FRAME_SOLVED_FIRST. */
CAB_SPAN_KERNEL(span_start)
{
    CAB_GROUP(tile);
    cab_span_buffers b = CAB_SPAN_BUFFERS_OF;
    cab_span_tile t = span_tile[tile];
    cab_span_view v = cab_span_view_of(&b, tile, t, argument & CAB_FRAME_FIRST_ORDER);
    cab_span_begin_next(&b, &v, t, argument & CAB_FRAME_SOLVED, argument & CAB_FRAME_SOLVED_FIRST, 0);
}

/* Solves a substep, and starts the next one, of the number given, unless that is 0. Flag: CAB_FRAME_FIRST_ORDER (of the
 * substep solved). */
CAB_SPAN_KERNEL(span_substep)
{
    CAB_GROUP(tile);
    cab_span_buffers b = CAB_SPAN_BUFFERS_OF;
    cab_span_tile t = span_tile[tile];
    int first_order = argument & CAB_FRAME_FIRST_ORDER, next = CAB_NUMBER(argument);
    cab_span_view v = cab_span_view_of(&b, tile, t, first_order);
    cab_span_ends(&b, &v);
    cab_span_sweep_solve(&v);
    cab_numbers lost;
    lost.all = real_select(v.lost, real_of(1), real_of(0));
    for (int l = 0; l < CAB_VECTOR; l++)
        if (v.lanes.moves[l]) outcome[v.lanes.branch[l]] = lost.one[l] > 0 ? CAB_OUTCOME_OFF : 0;
    if (next == 0) return;
    v.tile.rows = span_row + t.first;
    cab_span_begin_next(&b, &v, t, 1, first_order, next);
}

/* A lane's span, as the functions of a tile know cables; nodes are particles. */
CAB_INLINE cab_lane cab_span_lane(global const int *span_branch, global const cab_branch *branch, int place)
{
    int i = span_branch[place];
    cab_lane lane = {branch[i < 0 ? ~i : i].first, branch[i < 0 ? ~i : i].count, i >= 0};
    return lane;
}

/* A tile takes the state of its spans from the buffers. Flag: CAB_FRAME_FIRST_ORDER */
CAB_GROUP_KERNEL(span_tiles_take, global const cab_params *params, global const cab_span_tile *span_tile,
                 global const int *span_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global float4 *position, global float4 *residual,
                 global float4 *velocity, global float4 *step, global float *slow,
                 global const float *distance_lambda, global float *tile_kept)
{
    CAB_GROUP(index);
    cab_state state = {position, residual, velocity, step, slow, params->particle_count};
    cab_span_tile t = span_tile[index];
    global float *f = cab_tile_kept_of(tile_kept, t.first);
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_span_lane(span_branch, branch, index * CAB_TILE + l);
        cab_lane_take(f + l, own, t.count, state, argument & CAB_FRAME_FIRST_ORDER, 0, params->h);
        for (int i = 0; i < own.count - 1; i++)
            f[(i * CAB_SLOTS_KEPT + CAB_SLOT_LAMBDA) * CAB_TILE + l] =
                distance_lambda[branch_node[own.first + i].distance];
        f[((own.count - 1) * CAB_SLOTS_KEPT + CAB_SLOT_LAMBDA) * CAB_TILE + l] = 0;
    }
}

/* And writes it there; of two spans that meet at a hold the one that starts there writes it. Flags: CAB_FRAME_SOLVED,
 * CAB_FRAME_SOLVED_FIRST */
CAB_GROUP_KERNEL(span_tiles_give, global const cab_params *params, global const cab_span_tile *span_tile,
                 global const int *span_branch, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global float *tile_kept, global float4 *position,
                 global float4 *residual, global float4 *velocity, global float4 *step, global float *slow,
                 global float *distance_lambda)
{
    CAB_GROUP(index);
    cab_state state = {position, residual, velocity, step, slow, params->particle_count};
    cab_span_tile t = span_tile[index];
    global float *f = cab_tile_kept_of(tile_kept, t.first);
    cab_sweep s;
    s.kept = s.work = (global real_memory *)(f + CAB_LANE);
    s.count = t.count;
    s.apart = CAB_GROUP_SIZE;
    if (argument & CAB_FRAME_SOLVED) cab_sweep_end(&s, argument & CAB_FRAME_SOLVED_FIRST);
    CAB_LANES(l, CAB_TILE)
    {
        int place = index * CAB_TILE + l;
        cab_lane own = cab_span_lane(span_branch, branch, place);
        if (!own.live) continue;
        for (int i = 0; i < own.count - 1; i++)
            distance_lambda[branch_node[own.first + i].distance] =
                f[(i * CAB_SLOTS_KEPT + CAB_SLOT_LAMBDA) * CAB_TILE + l];
        if (branch[span_branch[place]].separator[3] >= 0) own.count--;
        cab_lane_give(f + l, own, state, 0, params->inverse_h);
    }
}
