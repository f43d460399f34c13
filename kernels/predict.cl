/* predict: moves each particle by inertia; loads and drag change its velocity first. */
#include "loads.h"

/* Semi-implicit Euler: v = v + h g; offset = residual + h v. Sleeping particles keep their offset. */
CAB_KERNEL(predict, global const cab_params *params, global float4 *offset, global float4 *velocity,
           global const float4 *position, global const float4 *residual)
{
    CAB_ITEM(i);
    if (position[i].w < 0) return;
    float4 e = residual[i];
    if (position[i].w > 0) {
        vec3 v = vec3_of(velocity[i]);
        vec3 x = cab_predict_place(vec3_of(e), &v, params->h, vec3_make(params->gx, params->gy, params->gz));
        e = CAB_FLOAT4(x.x, x.y, x.z, 0);
    }
    offset[i] = e;
}

/* Sets the forces of this substep. argument: index of the substep's first entry in load_path */
CAB_KERNEL(load_move, global cab_load_force *load, global const float4 *load_path)
{
    CAB_ITEM(i);
    int first = argument;
    float4 f = load_path[first + i];
    load[i].x = f.x;
    load[i].y = f.y;
    load[i].z = f.z;
}

/* Forces and couples on a loaded particle, a work-item each. */
CAB_KERNEL(load, global const cab_params *params, global float4 *velocity, global const float4 *position,
           global const int *load_start, global const cab_load_force *load)
{
    CAB_ITEM(i);
    int p = load[load_start[i]].particle;
    if (position[p].w < 0) return;
    vec3 f = cab_load_sum(i, p, position, load_start, load);
    vec3 v = vec3_add_scaled(vec3_of(velocity[p]), params->h * position[p].w, f);
    velocity[p] = CAB_FLOAT4(v.x, v.y, v.z, velocity[p].w);
}

CAB_KERNEL(drag, global const cab_params *params, global float4 *velocity, global const float4 *position,
           global const int *incident_start, global const int *incident, global const cab_segment *segment,
           global const cab_segment_drag *drag)
{
    CAB_ITEM(i);
    if (position[i].w < 0) return;
    float4 v4 = velocity[i];
    vec3 v = cab_drag_slows(i, vec3_of(v4), params->h * position[i].w, params, position, incident_start,
                            incident, segment, drag);
    velocity[i] = CAB_FLOAT4(v.x, v.y, v.z, v4.w);
}
