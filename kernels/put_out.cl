/* put_out: particles that lie in colliders go out of them after the iterations, "touching": "particles-after". A file of
 * its own, since few scenes ask for it and all of a file is compiled. */
#include "collide.h"
#include "rows.h"

/* After the iterations of a substep: particles of a segment that lie in colliders go straight out to the surface, from one
 * collider after the other. Notes a contact for each, for its force. A particle belongs to one segment, so that nobody else
 * writes its offset. */
CAB_KERNEL(collider_put_out, global float4 *offset, global cab_contact *near_contact, global int *near_count,
           global const int *near_start, global const int *near, global const float4 *position,
           global const float4 *residual, global const cab_segment *segment,
           global const cab_collider *collider, global const cab_mesh_node *mesh_node,
           global const cab_triangle *mesh_triangle, global const cab_mesh_edge *mesh_edge)
{
    CAB_ITEM(i);
    cab_meshes mesh = {mesh_node, mesh_triangle, mesh_edge, 0};
    cab_segment own = segment[i];
    cab_rod r = cab_rod_of(own.a, own.b, position, residual, residual);
    real radius = cab_rod_radius(own, &r);
    int count = 0;
    for (int k = near_start[i]; k < near_start[i + 1]; k++) {
        int place = near[k] & 3, p = place == 0 ? own.a : own.b;
        cab_collider c = collider[near[k] >> 2];
        real w = position[p].w;
        vec3 e = vec3_of(offset[p]);
        cab_outside o = cab_point_outside(&c, &mesh, vec3_of(position[p]), e);
        real depth = radius - o.distance;
        if (!(w > 0) || !(depth > 0)) continue;
        offset[p] = cab_with(vec3_add_scaled(e, depth, o.normal), 0);
        near_contact[near_start[i] + count].t = (real)place;
        near_contact[near_start[i] + count].lambda = depth / w;
        count++;
    }
    near_count[i] = count;
}
