/* overlap: how deep segments overlap, at the start of a run and when a frame is measured. */
#include "rods.h"

/* The depth of each pair's overlap before the first substep, written to effect.x. */
CAB_KERNEL(contact_start_pairs, global float4 *effect, global const int4 *pair, global const float4 *position,
           global const float4 *residual, global const cab_segment *segment)
{
    CAB_ITEM(k);
    cab_segment own = segment[pair[k].x], other = segment[pair[k].y];
    cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
    cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
    real reach = cab_rod_radius(own, &p) + cab_rod_radius(other, &q);
    effect[k].x = reach - sqrt(cab_rods_at(&p, &q, 0).distance2);
}

/* Each segment's deepest overlap with another before the first substep. All entries are -1 - pair. */
CAB_KERNEL(contact_start, global float *start_overlap, global const float4 *effect,
           global const int *contact_entry, global const int *pair_start, global const int *back_start)
{
    CAB_ITEM(i);
    real deepest = 0;
    for (int k = pair_start[i] + back_start[i]; k < pair_start[i + 1] + back_start[i + 1]; k++)
        deepest = real_max(deepest, effect[-1 - contact_entry[k]].x);
    start_overlap[i] = deepest;
}

/* The deepest overlap of a segment in the pairs that it owns, and how many of these touch. */
CAB_INLINE cab_overlap cab_measure_overlap(cab_segment own, int from, int to, global const int4 *pair,
                                           global const float4 *position, global const float4 *residual,
                                           global const cab_segment *segment)
{
    cab_overlap o;
    cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
    real radius = cab_rod_radius(own, &p);
    o.deepest = 0;
    o.touching = 0;
    for (int k = from; k < to; k++) {
        cab_segment other = segment[pair[k].y];
        cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
        real depth = radius + cab_rod_radius(other, &q) - sqrt(cab_rods_at(&p, &q, 0).distance2);
        if (depth > -CAB_MARGIN * radius) o.touching++;
        o.deepest = real_max(o.deepest, depth);
    }
    return o;
}

/* The same of a block of segments. Pairs of sleeping segments are not listed; they keep their last values. */
CAB_BLOCK_KERNEL(contact_measure, global const cab_params *params, global cab_errors *overlap,
                 global cab_overlap *own_overlap, global float *depth, global const int *pair_start,
                 global const int4 *pair, global const float4 *position, global const float4 *residual,
                 global const cab_segment *segment)
{
    CAB_ITEM(block);
    real deepest = 0;
    int touching = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        cab_segment own = segment[i];
        if (!cab_sleeps(position[own.a].w, position[own.b].w))
            own_overlap[i] =
                cab_measure_overlap(own, pair_start[i], pair_start[i + 1], pair, position, residual, segment);
        depth[i] = own_overlap[i].deepest;
        deepest = real_max(deepest, own_overlap[i].deepest);
        touching += own_overlap[i].touching;
    }
    cab_errors e = overlap[block];
    e.penetration_max = deepest;
    e.contacts = touching;
    overlap[block] = e;
}
