/* attach: puts held particles that move where they must be at the end of this substep, and measures the
 * forces on breakable attachments. */
#include "forces.h"
#include "xpbd.h"

/* target[2 (substep moving_count + i)]: the place; the next entry: its rounding rest. argument: the
 * substep */
CAB_KERNEL(attach, global const cab_params *params, global float4 *offset, global const float4 *position,
           global const int *moving_particle, global const float4 *target)
{
    CAB_ITEM(i);
    int p = moving_particle[i], substep = argument;
    if (p < 0) return;             /* a soft attachment: see soft.cl */
    if (position[p].w < 0) return; /* held while others take their pieces of the substep */
    int k = 2 * (substep * params->moving_count + i);
    vec3 e = cab_offset_to(vec3_of(target[k]), vec3_of(target[k + 1]), vec3_of(position[p]));
    offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Adds to breakable_force the force that the cable's constraints exert on the particle in this substep, for a
 * constraint grad C lambda / h^2. The caller divides by the number of substeps. argument: see cab_force_counts(). */
CAB_KERNEL(attach_force, global const cab_params *params, global float4 *breakable_force,
           global const cab_breakable *breakable, global const float4 *position, global const float4 *offset,
           global const cab_distance_constraint *distance, global const float *distance_lambda,
           global const cab_bending_constraint *bending, global const float4 *bending_lambda,
           global const int *component, global const int *component_pieces)
{
    CAB_ITEM(i);
    int p = breakable[i].particle;
    if (CAB_NUMBER(argument) > 0 && !cab_force_counts(argument, component_pieces[component[p]])) return;
    vec3 f = vec3_zero();
    for (int k = 0; k < 2; k++) {
        int d = breakable[i].distance[k];
        if (d < 0) continue;
        int a = distance[d].a, b = distance[d].b;
        vec3 r =
            cab_between(vec3_of(position[a]), vec3_of(offset[a]), vec3_of(position[b]), vec3_of(offset[b]));
        real length = vec3_length(r);
        real sign = p == b ? 1.0f : -1.0f;
        if (length > 0) f = vec3_add_scaled(f, sign * distance_lambda[d] / length, r);
    }
    for (int k = 0; k < 5; k++) {
        int d = breakable[i].bending[k];
        if (d < 0) continue;
        real g = p == bending[d].a   ? bending[d].ga
                 : p == bending[d].c ? bending[d].gc
                                     : -(bending[d].ga + bending[d].gc);
        f = vec3_add_scaled(f, g, vec3_of(bending_lambda[d]));
    }
    real scale = params->inverse_h * params->inverse_h * params->share;
    float4 sum = breakable_force[i];
    breakable_force[i] = CAB_FLOAT4(sum.x + scale * f.x, sum.y + scale * f.y, sum.z + scale * f.z, 0);
}
