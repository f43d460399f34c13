/* Forces on a particle: loads and air drag. */
#ifndef CAB_LOADS_H
#define CAB_LOADS_H

#include "xpbd.h"

/* The sum of the forces on a loaded particle p, N. A couple M on a segment of direction t and length l is the
 * pair of forces +-(M x t)/l, which turns with the segment. */
CAB_INLINE vec3 cab_load_sum(int i, int p, global const float4 *position, global const int *load_start,
                             global const cab_load_force *load)
{
    vec3 sum = vec3_zero();
    for (int k = load_start[i]; k < load_start[i + 1]; k++) {
        vec3 f = vec3_make(load[k].x, load[k].y, load[k].z);
        if (load[k].far >= 0) {
            real lever = load[k].lever;
            vec3 t = vec3_sub(vec3_of(position[load[k].far]), vec3_of(position[p]));
            if (lever > 0) t = vec3_scale(t, -1);
            real length = vec3_length(t);
            f = length > 0 ? vec3_scale(vec3_cross(f, t), lever / length) : vec3_zero();
        }
        sum = vec3_add(sum, f);
    }
    return sum;
}

/* The velocity u after drag k |u|. Drag is implicit in the speed, so it never reverses the velocity. */
CAB_INLINE vec3 cab_drag_taken(vec3 u, real k)
{
    real factor = k * vec3_length(u);
    return vec3_scale(u, -factor / (1 + factor));
}

/* The velocity v of particle i after quadratic drag of the halves of its segments. Drag across and along the
 * cable are computed separately, as on a cylinder (Taylor, "Analysis of the swimming of long and narrow
 * animals", 1952). scale: time step times inverse mass. */
CAB_INLINE vec3 cab_drag_slows(int i, vec3 v, real scale, global const cab_params *params,
                               global const float4 *position, global const int *incident_start,
                               global const int *incident, global const cab_segment *segment,
                               global const cab_segment_drag *drag)
{
    vec3 wind = vec3_make(params->wind_x, params->wind_y, params->wind_z);
    vec3 u = vec3_sub(v, wind);
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++) {
        int s = incident[k] >> 1;
        vec3 t = vec3_sub(vec3_of(position[segment[s].b]), vec3_of(position[segment[s].a]));
        real tt = vec3_dot(t, t);
        if (!(tt > 0)) continue;
        vec3 along = vec3_scale(t, vec3_dot(u, t) / tt);
        vec3 across = vec3_sub(u, along);
        u = vec3_add(u, cab_drag_taken(across, scale * drag[s].across));
        u = vec3_add(u, cab_drag_taken(along, scale * drag[s].along));
    }
    return vec3_add(u, wind);
}

#endif
