/* sleep: counts for how many frames each component (cables joined to each other) has been quiet: no particle
 * is farther than a limit from where it was when counting began. Distance counts, not speed: what trembles is
 * quiet, what creeps is not. */
#include "vector.h"
#include "types.h"

CAB_BLOCK_KERNEL(sleep_watch, global const cab_params *params, global int *quiet, global float4 *quiet_place,
                 global const float4 *position, global const int *component_start,
                 global const int *component_particle)
{
    CAB_ITEM(c);
    int first = component_start[c], end = component_start[c + 1];
    real farthest = 0;
    for (int k = first; k < end; k++) {
        int p = component_particle[k];
        vec3 displacement = vec3_sub(vec3_of(position[p]), vec3_of(quiet_place[p]));
        real distance2 = vec3_dot(displacement, displacement);
        if (!(distance2 <= farthest)) farthest = distance2;
    }
    if (farthest <= params->quiet_distance * params->quiet_distance) {
        quiet[c] += 1;
        return;
    }
    quiet[c] = 0;
    for (int k = first; k < end; k++) quiet_place[component_particle[k]] = position[component_particle[k]];
}
