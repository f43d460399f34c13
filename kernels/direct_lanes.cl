/* direct_lanes: lengths of branches that end at no junction, side by side. It is direct_condense and direct_substitute in
 * one, with the same bits: nothing is to be solved between them. A lane goes through a branch; the branches of a tile
 * have the same number of nodes. What a pass needs lies lane by lane in the tile's memory, and is read from the buffers of
 * particles once a substep, but for the offsets. */
#define CAB_WIDE
#include "direct.h"

/* The lanes of a work-item. */
typedef struct cab_branch_lanes {
    int branch[CAB_VECTOR], first[CAB_VECTOR], particle[CAB_VECTOR],
        segment[CAB_VECTOR]; /* of the first node */
    int component[CAB_VECTOR], order[CAB_VECTOR];
    int solved[CAB_VECTOR]; /* 1: this lane takes part in this pass; */
    real part;              /* the same as a factor */
    int count;              /* nodes of each */
    global float *memory;   /* of this work-item's lanes */
} cab_branch_lanes;

CAB_INLINE global float *cab_branch_slot(const cab_branch_lanes *s, int node, int slot)
{
    return s->memory + (node * CAB_BRANCH_SLOTS + slot) * CAB_TILE;
}

CAB_INLINE real cab_branch_get(const cab_branch_lanes *s, int node, int slot)
{
    return *(global const real_memory *)cab_branch_slot(s, node, slot);
}

CAB_INLINE void cab_branch_put(const cab_branch_lanes *s, int node, int slot, real x)
{
    *(global real_memory *)cab_branch_slot(s, node, slot) = x;
}

CAB_INLINE vec3 cab_branch_get3(const cab_branch_lanes *s, int node, int slot)
{
    return vec3_make(cab_branch_get(s, node, slot), cab_branch_get(s, node, slot + 1),
                     cab_branch_get(s, node, slot + 2));
}

/* Fills the lanes of a work-item. flags: CAB_NEWTON_...; returns whether any is to be solved. */
CAB_INLINE int cab_branch_lanes_of(cab_branch_lanes *s, int tile, cab_branch_tile t, int flags,
                                   global const int *branch_lane, global float *branch_memory,
                                   global const cab_branch *branch, global const cab_branch_node *branch_node,
                                   global const int *order, global const int *off, global const int *stiff)
{
    int any = 0;
    cab_numbers part;
    s->count = t.count;
    s->memory = branch_memory + (size_t)t.first * (CAB_BRANCH_SLOTS * CAB_TILE) + CAB_LANE * CAB_VECTOR;
    for (int l = 0; l < CAB_VECTOR; l++) {
        int b = branch_lane[tile * CAB_TILE + CAB_LANE * CAB_VECTOR + l], live = b >= 0;
        if (!live) b = ~b;
        int c = branch[b].component;
        s->branch[l] = b;
        s->first[l] = branch[b].first;
        s->particle[l] = branch_node[branch[b].first].particle;
        s->segment[l] = branch_node[branch[b].first].segment;
        s->component[l] = c;
        s->order[l] = order[c];
        s->solved[l] = live && order[c] != CAB_ORDER_ASLEEP && !(flags & CAB_NEWTON_WHERE_OFF && !off[c]) &&
                       !(flags & CAB_NEWTON_STIFF && stiff[c]);
        any |= s->solved[l];
        part.one[l] = s->solved[l] ? 1.0f : 0.0f;
    }
    s->part = part.all;
    return any;
}

/* Reads what stays as it is during a substep. */
CAB_INLINE void cab_branch_begin(const cab_branch_lanes *s, int node_count,
                                 global const cab_branch_node *branch_node,
                                 global const cab_branch_factor *branch_factor, global const float4 *position,
                                 global const float *slow)
{
    for (int k = 0; k < s->count; k++) {
        global float *slots = cab_branch_slot(s, k, 0);
        for (int l = 0; l < CAB_VECTOR; l++) {
            int n = s->first[l] + k, shift = s->order[l] ? node_count : 0;
            cab_branch_node node = branch_node[n];
            float4 x = position[s->particle[l] + k];
            global float *to = slots + l;
            to[CAB_BRANCH_PLACE * CAB_TILE] = x.x;
            to[(CAB_BRANCH_PLACE + 1) * CAB_TILE] = x.y;
            to[(CAB_BRANCH_PLACE + 2) * CAB_TILE] = x.z;
            to[CAB_BRANCH_WEIGHT * CAB_TILE] = branch_factor[n + shift].weight * slow[n];
            to[CAB_BRANCH_WANTED * CAB_TILE] = node.wanted;
            to[CAB_BRANCH_COMPLIANCE * CAB_TILE] = node.compliance * cab_per_h(s->order[l]);
            to[CAB_BRANCH_REGULARISATION * CAB_TILE] = node.regularisation;
            to[CAB_BRANCH_TOTAL * CAB_TILE] = 0;
            to[CAB_BRANCH_MASS * CAB_TILE] = x.w < 0 ? 0 : x.w; /* asleep */
        }
    }
}

/* Reads the offsets of `count` nodes from k on. */
CAB_INLINE void cab_branch_read(const cab_branch_lanes *s, int k, int count, global const float4 *offset)
{
    for (int last = k + count; k < last; k++) {
        global float *to = cab_branch_slot(s, k, CAB_BRANCH_OFFSET);
        for (int l = 0; l < CAB_VECTOR; l++) {
            float4 e = offset[s->particle[l] + k];
            to[l] = e.x;
            to[CAB_TILE + l] = e.y;
            to[2 * CAB_TILE + l] = e.z;
        }
    }
}

/* Moves the particles of the lanes that are solved. What is held stays as it is: several branches may share it. */
CAB_INLINE void cab_branch_write(const cab_branch_lanes *s, global float4 *offset)
{
    for (int k = 0; k < s->count; k++) {
        global const float *from = cab_branch_slot(s, k, CAB_BRANCH_OFFSET);
        global const float *weight = cab_branch_slot(s, k, CAB_BRANCH_WEIGHT);
        for (int l = 0; l < CAB_VECTOR; l++)
            if (s->solved[l] && weight[l] > 0)
                offset[s->particle[l] + k] =
                    CAB_FLOAT4(from[l], from[CAB_TILE + l], from[2 * CAB_TILE + l], 0);
    }
}

/* Reads what contacts push the particles of `count` nodes by, kg m: the sum of `push` at the ends of both segments. Its place is that
 * of what the elimination writes. */
CAB_INLINE void cab_branch_read_push(const cab_branch_lanes *s, int k, int count, global const float4 *push)
{
    float4 none = CAB_FLOAT4(0, 0, 0, 0);
    for (int last = k + count; k < last; k++) {
        global float *to = cab_branch_slot(s, k, CAB_BRANCH_PUSH);
        for (int l = 0; l < CAB_VECTOR; l++) {
            int end = 2 * (s->segment[l] + k);
            float4 before = k > 0 ? push[end - 1] : none, after = k < s->count - 1 ? push[end] : none;
            to[l] = before.x + after.x;
            to[CAB_TILE + l] = before.y + after.y;
            to[2 * CAB_TILE + l] = before.z + after.z;
        }
    }
}

/* Moves the particles of `count` nodes as contacts push them. kept: how much of a displacement is; slow: where particles count as
 * heavier by that, or NULL. Returns the lanes in which something has moved. */
CAB_INLINE real_mask cab_branch_push(const cab_branch_lanes *s, int k, int count, real kept,
                                     global const float *slow)
{
    real none = real_of(0);
    real_mask any = none != none;
    for (int last = k + count; k < last; k++) {
        vec3 was = cab_branch_get3(s, k, CAB_BRANCH_OFFSET);
        vec3 e = vec3_add_scaled(was, cab_branch_get(s, k, CAB_BRANCH_MASS),
                                 cab_branch_get3(s, k, CAB_BRANCH_PUSH));
        if (slow) {
            cab_numbers part;
            for (int l = 0; l < CAB_VECTOR; l++) part.one[l] = slow[s->first[l] + k];
            vec3 slower = vec3_add_scaled(was, part.all, vec3_sub(e, was));
            e = vec3_select(part.all < real_of(1), slower, e);
        }
        vec3 d = vec3_sub(e, was);
        any = any | (d.x != none) | (d.y != none) | (d.z != none);
        e = vec3_select(kept < real_of(1), vec3_add_scaled(was, kept, d), e);
        cab_branch_put(s, k, CAB_BRANCH_OFFSET, e.x);
        cab_branch_put(s, k, CAB_BRANCH_OFFSET + 1, e.y);
        cab_branch_put(s, k, CAB_BRANCH_OFFSET + 2, e.z);
    }
    return any;
}

#define CAB_BRANCH_NODES 8 /* so many at a time, which a first-level cache holds */

/* Reads the offsets, and moves the particles as contacts push them: contact_apply, direct_slow_contact and direct_touch in one, with
 * the same bits. Returns the lanes in which something has moved. */
CAB_INLINE real_mask cab_branch_take_contact(const cab_branch_lanes *s, global const float4 *offset,
                                             global const float4 *push, global const float *slow,
                                             global const float4 *branch_slow)
{
    cab_numbers kept;
    int slower = 0;
    real_mask any = real_of(0) != real_of(0);
    for (int l = 0; l < CAB_VECTOR; l++) {
        kept.one[l] = s->order[l] ? 1.0f : 2.0f / 3;
        slower |= branch_slow[s->branch[l]].z != 0;
    }
    for (int k = 0; k < s->count; k += CAB_BRANCH_NODES) {
        int count = s->count - k < CAB_BRANCH_NODES ? s->count - k : CAB_BRANCH_NODES;
        cab_branch_read(s, k, count, offset);
        cab_branch_read_push(s, k, count, push);
        any = any | cab_branch_push(s, k, count, kept.all, slower ? slow : 0);
    }
    return any;
}

/* The lanes that are still to be solved, after contact has moved them. Each branch is a component by itself. */
CAB_INLINE int cab_branch_touch(cab_branch_lanes *s, int flags, real_mask moved, global int *touched,
                                global int *off)
{
    cab_numbers moves, part;
    int any = 0;
    moves.all = real_select(moved, real_of(1), real_of(0));
    for (int l = 0; l < CAB_VECTOR; l++) {
        int c = s->component[l];
        if (s->solved[l]) {
            touched[c] |= moves.one[l] > 0;
            off[c] |= touched[c];
            s->solved[l] = !(flags & CAB_NEWTON_WHERE_OFF) || off[c];
        }
        any |= s->solved[l];
        part.one[l] = s->solved[l] ? 1.0f : 0.0f;
    }
    s->part = part.all;
    return any;
}

/* Eliminates the lengths from the end to the start. */
CAB_INLINE void cab_branch_eliminate(const cab_branch_lanes *s)
{
    int k = s->count - 1;
    vec3 x_next = cab_branch_get3(s, k, CAB_BRANCH_PLACE), e_next = cab_branch_get3(s, k, CAB_BRANCH_OFFSET),
         r_next = vec3_zero();
    real none = real_of(0), w_next = cab_branch_get(s, k, CAB_BRANCH_WEIGHT), inverse_next = none;
    cab_elimination rows = {none, none};
    for (k--; k >= 0; k--) {
        vec3 x = cab_branch_get3(s, k, CAB_BRANCH_PLACE), e = cab_branch_get3(s, k, CAB_BRANCH_OFFSET);
        real w = cab_branch_get(s, k, CAB_BRANCH_WEIGHT),
             compliance = cab_branch_get(s, k, CAB_BRANCH_COMPLIANCE);
        vec3 r = cab_between(x, e, x_next, e_next);
        real length = vec3_length(r), inverse = cab_inverse_length(length);
        real diagonal = w + w_next + compliance + cab_branch_get(s, k, CAB_BRANCH_REGULARISATION);
        diagonal = real_select(diagonal > none, diagonal, real_of(INFINITY)); /* both particles are held */
        real shared = cab_shared_entry(w_next, r, inverse, r_next, inverse_next);
        real band = cab_eliminate_length(&rows, diagonal, shared,
                                         cab_branch_get(s, k, CAB_BRANCH_WANTED) - length -
                                             compliance * cab_branch_get(s, k, CAB_BRANCH_TOTAL));
        cab_branch_put(s, k, CAB_BRANCH_INVERSE, inverse);
        cab_branch_put(s, k, CAB_BRANCH_RIGHT, rows.right * rows.inverse_pivot);
        cab_branch_put(s, k, CAB_BRANCH_BAND, band);
        x_next = x;
        e_next = e;
        r_next = r;
        inverse_next = inverse;
        w_next = w;
    }
}

/* Multipliers and offsets from the start to the end. Returns the lanes in which a length is still off. */
CAB_INLINE real_mask cab_branch_substitute(const cab_branch_lanes *s)
{
    real none = real_of(0), wanted = none;
    cab_substitution back = cab_substitution_none();
    real_mask any = none != none, solved = s->part > none;
    vec3 moved_last = vec3_zero(), r = moved_last, x = cab_branch_get3(s, 0, CAB_BRANCH_PLACE),
         e = cab_branch_get3(s, 0, CAB_BRANCH_OFFSET);
    for (int k = 0; k < s->count; k++) {
        vec3 push = back.pull, next = vec3_zero(), x_next = x, e_next = e;
        real length = none;
        if (k < s->count - 1) {
            x_next = cab_branch_get3(s, k + 1, CAB_BRANCH_PLACE);
            e_next = cab_branch_get3(s, k + 1, CAB_BRANCH_OFFSET);
            next = cab_between(x, e, x_next, e_next);
            push = cab_substitute_length(&back, cab_branch_get(s, k, CAB_BRANCH_RIGHT),
                                         cab_branch_get(s, k, CAB_BRANCH_BAND), next,
                                         cab_branch_get(s, k, CAB_BRANCH_INVERSE));
            real total = cab_branch_get(s, k, CAB_BRANCH_TOTAL) + real_select(solved, back.lambda, none);
            cab_branch_put(s, k, CAB_BRANCH_TOTAL, total);
            length =
                cab_branch_get(s, k, CAB_BRANCH_WANTED) - cab_branch_get(s, k, CAB_BRANCH_COMPLIANCE) * total;
        }
        vec3 moved = vec3_scale(push, cab_branch_get(s, k, CAB_BRANCH_WEIGHT));
        if (k > 0) any = cab_length_off(any, vec3_add(r, vec3_sub(moved, moved_last)), wanted);
        vec3 end = vec3_add(e, moved);
        cab_branch_put(s, k, CAB_BRANCH_OFFSET, end.x);
        cab_branch_put(s, k, CAB_BRANCH_OFFSET + 1, end.y);
        cab_branch_put(s, k, CAB_BRANCH_OFFSET + 2, end.z);
        r = next;
        wanted = length;
        moved_last = moved;
        x = x_next;
        e = e_next;
    }
    return any;
}

/* A Newton pass for a tile of branches. Flags: CAB_NEWTON_...; with CAB_NEWTON_CONTACT a contact pass's `push` moves the particles
 * first, and there only lanes are left out whose component is off by neither. */
CAB_GROUP_KERNEL(direct_lanes, global const cab_params *params, global const cab_branch_tile *branch_tile,
                 global const int *branch_lane, global float *branch_memory, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global const cab_branch_factor *branch_factor,
                 global const float4 *position, global float4 *offset, global const float *slow,
                 global int *off_branch, global const int *order, global int *off, global const int *stiff,
                 global const float4 *push, global const float4 *branch_slow, global int *touched)
{
    CAB_GROUP(tile);
    cab_branch_lanes s;
    int contact = argument & CAB_NEWTON_CONTACT,
        flags = contact ? argument & ~CAB_NEWTON_WHERE_OFF : argument;
    if (!cab_branch_lanes_of(&s, tile, branch_tile[tile], flags, branch_lane, branch_memory, branch,
                             branch_node, order, off, stiff))
        return;
    if (!(argument & CAB_NEWTON_GOES_ON))
        cab_branch_begin(&s, params->node_count, branch_node, branch_factor, position, slow);
    if (contact) {
        real_mask moved = cab_branch_take_contact(&s, offset, push, slow, branch_slow);
        if (!cab_branch_touch(&s, argument, moved, touched, off)) return;
    } else {
        cab_branch_read(&s, 0, s.count, offset);
    }
    cab_branch_eliminate(&s);
    cab_numbers any;
    any.all = real_select(cab_branch_substitute(&s), real_of(1), real_of(0));
    cab_branch_write(&s, offset);
    for (int l = 0; l < CAB_VECTOR; l++)
        if (s.solved[l]) off_branch[s.branch[l]] = any.one[l] > 0;
}

/* Writes the multipliers of a substep to the buffers, before its last pass, which goes on from them.
 * Flag: CAB_NEWTON_STIFF */
CAB_GROUP_KERNEL(direct_lanes_end, global const cab_branch_tile *branch_tile, global const int *branch_lane,
                 global float *branch_memory, global const cab_branch *branch,
                 global const cab_branch_node *branch_node, global float4 *branch_state,
                 global float *distance_lambda, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_GROUP(tile);
    cab_branch_lanes s;
    if (!cab_branch_lanes_of(&s, tile, branch_tile[tile], argument & CAB_NEWTON_STIFF, branch_lane,
                             branch_memory, branch, branch_node, order, off, stiff))
        return;
    for (int l = 0; l < CAB_VECTOR; l++) {
        float per_h = cab_per_h(s.order[l]);
        int count = s.solved[l] ? s.count - 1 : 0;
        for (int k = 0; k < count; k++) {
            int n = s.first[l] + k;
            float total = cab_branch_slot(&s, k, CAB_BRANCH_TOTAL)[l];
            branch_state[2 * n + 1].w = total;
            distance_lambda[branch_node[n].distance] = total * per_h;
        }
    }
}
