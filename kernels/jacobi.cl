/* jacobi: all lengths are solved at once from the same places. Then each particle moves by the mean of its
 * lengths' corrections, where its own place counts as averaging_weight of them. Each particle gathers its
 * corrections, so nothing depends on the order of work-items. */
#include "xpbd.h"

/* The correction of a length's second end before the inverse mass; the first end gets the opposite. With
 * equal weights each end takes half, also when the other one is held. Flags: CAB_SOLVE_... */
CAB_KERNEL(jacobi_move, global const cab_params *params, global float4 *move, global float *distance_lambda,
           global const float4 *offset, global const float4 *position,
           global const cab_distance_constraint *distance, global const int *incident_distance_start)
{
    CAB_ITEM(i);
    cab_distance_constraint c = distance[i];
    float4 pa = position[c.a], pb = position[c.b];
    real equal = params->equal_weight;
    real wa = equal > 0 ? equal : pa.w, wb = equal > 0 ? equal : pb.w;
    vec3 r = cab_between(vec3_of(pa), vec3_of(offset[c.a]), vec3_of(pb), vec3_of(offset[c.b]));
    real lambda = 0;
    vec3 d = cab_solve_length(r, wa, wb, c.rest, 0, argument, &lambda);
    move[i] = CAB_FLOAT4(d.x, d.y, d.z, 0);
    real na =
        params->averaging_weight + (real)(incident_distance_start[c.a + 1] - incident_distance_start[c.a]);
    real nb =
        params->averaging_weight + (real)(incident_distance_start[c.b + 1] - incident_distance_start[c.b]);
    lambda = 0.5f * (1 / na + 1 / nb) * lambda; /* mean of both ends */
    if (!(argument & CAB_SOLVE_FIRST)) lambda = distance_lambda[i] + lambda;
    distance_lambda[i] = lambda;
}

/* incident_distance: 2 distance + end, in the order of the distances. */
CAB_KERNEL(jacobi_gather, global const cab_params *params, global float4 *offset,
           global const float4 *position, global const float4 *move,
           global const int *incident_distance_start, global const int *incident_distance)
{
    CAB_ITEM(i);
    int first = incident_distance_start[i], end = incident_distance_start[i + 1];
    real w = cab_weight(params->equal_weight, position[i].w);
    if (!(w > 0) || first == end) return;
    vec3 sum = vec3_zero();
    for (int k = first; k < end; k++)
        sum = vec3_add_scaled(sum, incident_distance[k] & 1 ? 1.0f : -1.0f,
                              vec3_of(move[incident_distance[k] >> 1]));
    w = w / (params->averaging_weight + (real)(end - first));
    vec3 e = vec3_add_scaled(vec3_of(offset[i]), w, sum);
    offset[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}
