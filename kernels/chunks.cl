/* chunks: each cable is cut into chunks. A work-item solves a chunk from end to end, then the seams between
 * chunks are solved (thesis on cable simulation, 4.3). The length across a seam is corrected by shifting
 * whole chunks, which does not change the lengths inside; other constraints across a seam are solved by
 * themselves. With one chunk per cable this is the serial order. */
#include "relax.h"

/* Solves items first ... end-1 of a list: 2 distance, or 2 bending + 1. flags: CAB_SOLVE_... */
CAB_INLINE void cab_chunk_items(int first, int end, int flags, global const cab_params *params,
                                global float4 *offset, global float *distance_lambda,
                                global float4 *bending_lambda, global const float4 *position,
                                global const cab_distance_constraint *distance,
                                global const cab_bending_constraint *bending,
                                global const float4 *bending_target, global const int *chunk_item)
{
    int double_flags = cab_flags_of_doubles(flags);
    for (int k = first; k < end; k++) {
        int i = chunk_item[k] >> 1;
        if (chunk_item[k] & 1)
            cab_bending_item(i, flags, params->equal_weight, offset, bending_lambda, position, bending,
                             bending_target);
        else
            cab_distance_item(i, i < params->distance_count ? flags : double_flags, params->equal_weight,
                              offset, distance_lambda, position, distance);
    }
}

/* A chunk's own constraints, in the order of its particles. */
CAB_BLOCK_KERNEL(chunks_solve, global const cab_params *params, global float4 *offset,
                 global float *distance_lambda, global float4 *bending_lambda, global const float4 *position,
                 global const cab_distance_constraint *distance, global const cab_bending_constraint *bending,
                 global const float4 *bending_target, global const cab_chunk *chunk,
                 global const int *chunk_item)
{
    CAB_ITEM(i);
    cab_chunk_items(chunk[i].item, chunk[i].seam_item, argument, params, offset, distance_lambda,
                    bending_lambda, position, distance, bending, bending_target, chunk_item);
}

/* The displacement of each chunk of a cable, seam by seam. */
CAB_BLOCK_KERNEL(chunks_seam, global float4 *chunk_shift, global float *distance_lambda,
                 global const float4 *offset, global const float4 *position,
                 global const cab_distance_constraint *distance, global const cab_chunk *chunk,
                 global const int *chunk_start)
{
    CAB_ITEM(cable);
    int first = chunk_start[cable], end = chunk_start[cable + 1];
    for (int k = first; k < end; k++) chunk_shift[k] = CAB_FLOAT4(0, 0, 0, 0);
    for (int k = first; k + 1 < end; k++) {
        int i = chunk[k].seam;
        if (i < 0) continue; /* neither chunk can move; the length is among the other items of the seam */
        cab_distance_constraint c = distance[i];
        vec3 sa = vec3_of(chunk_shift[k]), sb = vec3_of(chunk_shift[k + 1]);
        vec3 r = cab_between(vec3_of(position[c.a]), vec3_add(vec3_of(offset[c.a]), sa),
                             vec3_of(position[c.b]), vec3_add(vec3_of(offset[c.b]), sb));
        real lambda = argument & CAB_SOLVE_FIRST ? 0 : distance_lambda[i];
        vec3 d = cab_solve_length(r, chunk[k].weight, chunk[k + 1].weight, c.rest, c.compliance, argument,
                                  &lambda);
        distance_lambda[i] = lambda;
        sa = vec3_add_scaled(sa, -chunk[k].weight, d);
        sb = vec3_add_scaled(sb, chunk[k + 1].weight, d);
        chunk_shift[k] = CAB_FLOAT4(sa.x, sa.y, sa.z, 0);
        chunk_shift[k + 1] = CAB_FLOAT4(sb.x, sb.y, sb.z, 0);
    }
}

CAB_KERNEL(chunks_shift, global float4 *offset, global const float4 *chunk_shift, global const int *chunk_of)
{
    CAB_ITEM(i);
    vec3 e = vec3_add(vec3_of(offset[i]), vec3_of(chunk_shift[chunk_of[i]]));
    offset[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Solves the other constraints across the seam after a chunk. Two seams never share a particle. */
CAB_BLOCK_KERNEL(chunks_cross, global const cab_params *params, global float4 *offset,
                 global float *distance_lambda, global float4 *bending_lambda, global const float4 *position,
                 global const cab_distance_constraint *distance, global const cab_bending_constraint *bending,
                 global const float4 *bending_target, global const cab_chunk *chunk,
                 global const int *chunk_item)
{
    CAB_ITEM(i);
    cab_chunk_items(chunk[i].seam_item, chunk[i].end_item, argument, params, offset, distance_lambda,
                    bending_lambda, position, distance, bending, bending_target, chunk_item);
}
