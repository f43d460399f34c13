/* Forces on a particle: loads, and drag of still air. */
#ifndef CAB_LOADS_H
#define CAB_LOADS_H

#include "xpbd.h"

/* Sum of the forces on a loaded particle p, N. The couple M on a segment of direction t and length l is the
 * pair of forces
 * +-(M x t)/l; it turns with the segment. */
CAB_INLINE vec3 cab_load_sum(int i, int p, global const float4 *position, global const int *load_start,
                             global const cab_load_force *load)
{
    vec3 sum = vec3_make(0, 0, 0);
    for (int k = load_start[i]; k < load_start[i + 1]; k++) {
        vec3 f = vec3_make(load[k].x, load[k].y, load[k].z);
        if (load[k].far >= 0) {
            real lever = load[k].lever;
            vec3 t = vec3_sub(vec3_of(position[load[k].far]), vec3_of(position[p]));
            if (lever > 0) t = vec3_scale(t, -1);
            real length = vec3_length(t);
            f = length > 0 ? vec3_scale(vec3_cross(f, t), lever / length) : vec3_make(0, 0, 0);
        }
        sum = vec3_add(sum, f);
    }
    return sum;
}

/* What quadratic drag of the half segments at particle i leaves of its velocity v: it acts across the cable
 * only, as on a cylinder in still air, and is implicit in the speed, so it never turns a velocity round.
 * scale: time step times inverse mass. drag[segment] = Cd rho r l / 2, kg/m. */
CAB_INLINE vec3 cab_drag_slows(int i, vec3 v, real scale, global const float4 *position,
                               global const int *incident_start, global const int *incident,
                               global const cab_segment *segment, global const float *drag)
{
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++) {
        int s = incident[k] >> 1;
        vec3 t = vec3_sub(vec3_of(position[segment[s].b]), vec3_of(position[segment[s].a]));
        real tt = vec3_dot(t, t);
        if (!(tt > 0)) continue;
        vec3 across = vec3_add_scaled(v, -vec3_dot(v, t) / tt, t);
        real factor = scale * drag[s] * vec3_length(across);
        v = vec3_add_scaled(v, -factor / (1 + factor), across);
    }
    return v;
}

#endif
