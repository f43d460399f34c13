/* predict: where each particle would go by inertia; loads and drag change its velocity first. */
#include "xpbd.h"

/* Semi-implicit Euler: v = v + h g; offset = residual + h v. */
CAB_KERNEL(predict, global const cab_params *params, global float4 *offset, global float4 *velocity,
           global const float4 *position, global const float4 *residual)
{
    CAB_ITEM(i);
    float4 r = residual[i];
    float4 v = velocity[i];
    real h = params->h;
    if (position[i].w > 0) {
        v.x = v.x + h * params->gx;
        v.y = v.y + h * params->gy;
        v.z = v.z + h * params->gz;
        r = CAB_FLOAT4(r.x + h * v.x, r.y + h * v.y, r.z + h * v.z, 0);
    }
    offset[i] = r;
}

/* A loaded particle's forces and couples, one work-item each. The couple M on a segment of direction t and
 * length l is the pair of forces +-(M x t)/l; it turns with the segment. */
CAB_KERNEL(load, global const cab_params *params, global float4 *velocity, global const float4 *position,
           global const int *load_start, global const cab_load_force *load)
{
    CAB_ITEM(i);
    int p = load[load_start[i]].particle;
    real impulse = params->h * position[p].w;
    vec3 v = vec3_of(velocity[p]);
    for (int k = load_start[i]; k < load_start[i + 1]; k++) {
        vec3 f = vec3_make(load[k].x, load[k].y, load[k].z);
        if (load[k].far >= 0) {
            real lever = load[k].lever;
            vec3 t = vec3_sub(vec3_of(position[load[k].far]), vec3_of(position[p]));
            if (lever > 0) t = vec3_scale(t, -1);
            real length = vec3_length(t);
            f = length > 0 ? vec3_scale(vec3_cross(f, t), lever / length) : vec3_make(0, 0, 0);
        }
        v = vec3_add_scaled(v, impulse, f);
    }
    velocity[p] = CAB_FLOAT4(v.x, v.y, v.z, velocity[p].w);
}

/* Quadratic drag of the half segments at a particle, across the cable only: a cylinder in still air. Implicit
 * in the speed, so it never turns a velocity round. drag[segment] = Cd rho r l / 2, kg/m. */
CAB_KERNEL(drag, global const cab_params *params, global float4 *velocity, global const float4 *position,
           global const int *incident_start, global const int *incident, global const cab_segment *segment,
           global const float *drag)
{
    CAB_ITEM(i);
    float4 v4 = velocity[i];
    vec3 v = vec3_of(v4);
    real scale = params->h * position[i].w;
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++) {
        int s = incident[k] >> 1;
        vec3 t = vec3_sub(vec3_of(position[segment[s].b]), vec3_of(position[segment[s].a]));
        real tt = vec3_dot(t, t);
        if (!(tt > 0)) continue;
        vec3 across = vec3_add_scaled(v, -vec3_dot(v, t) / tt, t);
        real factor = scale * drag[s] * vec3_length(across);
        v = vec3_add_scaled(v, -factor / (1 + factor), across);
    }
    velocity[i] = CAB_FLOAT4(v.x, v.y, v.z, v4.w);
}
