/* draw: a row per node for a viewer: place and one quantity. The simulation reads nothing of it. */
#include "xpbd.h"

/* Curvature of the circle through three points, q in the middle: 4 area / product of the sides. */
CAB_INLINE real cab_circle_curvature(vec3 to_q, vec3 from_q)
{
    real sides = vec3_length(to_q) * vec3_length(from_q) * vec3_length(vec3_add(to_q, from_q));
    real area2 = vec3_length(vec3_cross(to_q, from_q)); /* twice the area */
    return sides > 0 ? 2 * area2 / sides : 0;
}

CAB_INLINE vec3 cab_chord(global const float4 *position, global const float4 *residual, int a, int b)
{
    return cab_between(vec3_of(position[a]), vec3_of(residual[a]), vec3_of(position[b]),
                       vec3_of(residual[b]));
}

CAB_INLINE real cab_curvature_at(global const cab_draw_node *draw_node, int centre,
                                 global const float4 *position, global const float4 *residual)
{
    if (centre < 0) return 0;
    int p = draw_node[centre - 1].particle, q = draw_node[centre].particle,
        r = draw_node[centre + 1].particle;
    return cab_circle_curvature(cab_chord(position, residual, p, q), cab_chord(position, residual, q, r));
}

/* argument: the quantity, CAB_DRAW_... */
CAB_KERNEL(draw, global const cab_params *params, global float4 *draw, global const cab_draw_node *draw_node,
           global const float4 *position, global const float4 *residual, global const float4 *velocity,
           global const float *distance_lambda, global const float *contact_force,
           global const int *component, global const int *component_pieces, global const float4 *twist)
{
    CAB_ITEM(i);
    cab_draw_node node = draw_node[i];
    float4 x = position[node.particle];
    real value = 0;
    if (argument == CAB_DRAW_TENSION && node.distance >= 0) {
        value = (0 - distance_lambda[node.distance]) * params->inverse_h * params->inverse_h;
        if (params->cut) { /* inverse_h is that of a substep in one piece then */
            real pieces = (real)component_pieces[component[node.particle]];
            value = value * pieces * pieces;
        }
    }
    if (argument == CAB_DRAW_CURVATURE) value = cab_curvature_at(draw_node, node.centre, position, residual);
    if (argument == CAB_DRAW_SPEED) value = vec3_length(vec3_of(velocity[node.particle]));
    if (argument == CAB_DRAW_CONTACT) value = contact_force[node.particle];
    if (argument == CAB_DRAW_TORQUE && node.twist >= 0) value = twist[node.twist].z;
    draw[i] = CAB_FLOAT4(x.x, x.y, x.z, value);
}
