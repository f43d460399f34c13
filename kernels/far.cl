/* far: how far each cable is from what it could touch. The host compares that with how far anything could move in a frame; where the
 * frame cannot bring anything together, it is computed without contact (host/carrier/clear.c). For cables by themselves: chains. */
#include "mesh.h"

/* What is asked for distances. */
typedef struct cab_far_shapes {
    global const cab_collider *collider;
    global const int *group_collider;
    cab_meshes mesh;
    global const int *exclude_start, *exclude;
} cab_far_shapes;

/* Has the segment no contact with the collider? segment: -1 = none is asked about */
CAB_INLINE int cab_far_excluded(const cab_far_shapes *s, int segment, int collider)
{
    if (segment < 0) return 0;
    for (int k = s->exclude_start[segment]; k < s->exclude_start[segment + 1]; k++) {
        if (s->exclude[k] == -1 - collider) return 1;
    }
    return 0;
}

/* The distance of a point from the nearest collider of all groups or of this one, without those that the segment has no contact
 * with, m. */
CAB_INLINE real cab_far_from(const cab_far_shapes *s, vec3 x, int group, int segment)
{
    real least = CAB_FAR_NOTHING;
    for (int part = 0; part < 2; part++) {
        int kind = part == 0 ? 0 : 1 + group;
        for (int n = s->group_collider[kind]; n < s->group_collider[kind + 1]; n++) {
            int k = s->group_collider[n];
            if (cab_far_excluded(s, segment, k)) continue;
            cab_collider c = s->collider[k];
            cab_outside o = c.shape == CAB_SHAPE_IS_MESH
                                ? cab_outside_mesh(&c, &s->mesh, vec3_sub(x, vec3_make(c.cx, c.cy, c.cz)))
                                : cab_outside_collider(&c, x, vec3_zero());
            least = real_min(least, o.distance);
        }
    }
    return least;
}

/* The numbers of a chain, CAB_FAR_...: see there. */
CAB_BLOCK_KERNEL(far_chains, global float *far_chain, global const float4 *position,
                 global const cab_chain *chain, global const cab_segment *segment,
                 global const cab_collider *collider, global const int *group_collider,
                 global const cab_mesh_node *mesh_node, global const cab_triangle *mesh_triangle,
                 global const int *exclude_start, global const int *exclude)
{
    CAB_ITEM(i);
    cab_far_shapes shapes = {
        collider, group_collider, {mesh_node, mesh_triangle, 0, 0}, exclude_start, exclude};
    cab_chain own = chain[i];
    int first = own.first_particle - i, last = first + own.particle_count - 2; /* segments */
    int group = segment[first].owner >> CAB_SEGMENT_GROUP;
    real gap = CAB_FAR_NOTHING, reach = -CAB_FAR_NOTHING, radius = 0;
    real start = segment[first].arc, end = segment[last].arc + segment[last].rest;
    vec3 low = vec3_of(position[own.first_particle]), high = low;
    for (int k = first; k <= last; k++) {
        cab_segment s = segment[k];
        vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
        real beside = 0.5f * vec3_length(vec3_sub(b, a)) + s.radius;
        gap = real_min(gap, cab_far_from(&shapes, vec3_mix(a, b, 0.5f), group, k) - beside);
        radius = real_max(radius, s.radius);
        low = vec3_make(real_min(low.x, b.x), real_min(low.y, b.y), real_min(low.z, b.z));
        high = vec3_make(real_max(high.x, b.x), real_max(high.y, b.y), real_max(high.z, b.z));
    }
    for (int k = 0; k < own.particle_count; k++) {
        float4 p = position[own.first_particle + k];
        if (p.w != 0) continue; /* it is not held */
        real arc = first + k <= last ? segment[first + k].arc : end;
        real longest = CAB_FAR_STRETCHED * real_max(arc - start, end - arc);
        reach = real_max(reach, cab_far_from(&shapes, vec3_of(p), group, -1) - longest - radius);
    }
    global float *to = far_chain + CAB_FAR_NUMBERS * i;
    to[CAB_FAR_GAP] = gap;
    to[CAB_FAR_REACH] = reach;
    to[CAB_FAR_LOW] = low.x - radius;
    to[CAB_FAR_LOW + 1] = low.y - radius;
    to[CAB_FAR_LOW + 2] = low.z - radius;
    to[CAB_FAR_HIGH] = high.x + radius;
    to[CAB_FAR_HIGH + 1] = high.y + radius;
    to[CAB_FAR_HIGH + 2] = high.z + radius;
}

/* After a frame in lanes: notes for the way staged which branches have particles that count as heavier. A branch is a cable. */
CAB_BLOCK_KERNEL(far_slow, global float4 *branch_slow, global const cab_branch *branch,
                 global const float *slow)
{
    CAB_ITEM(i);
    int first = branch[i].first, end = first + branch[i].count;
    real least = 1;
    for (int k = first; k < end; k++) least = real_min(least, slow[k]);
    branch_slow[i] = CAB_FLOAT4(0, 0, least < 1 ? 1.0f : 0.0f, 0);
}
