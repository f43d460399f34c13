/* Distance to a mesh: the nearest triangle is found by a tree of boxes; its normals tell on which side the
 * point is.
 *
 * A mesh is a collider for the ends of segments as any other shape is. For the stretch between the ends its
 * bent and open edges are colliders of their own: a straight rod whose ends are outside can only lie across
 * an edge. */
#ifndef CAB_MESH_H
#define CAB_MESH_H

#include "geometry.h"

/* The meshes of all colliders. */
typedef struct cab_meshes {
    global const cab_mesh_node *node;
    global const cab_triangle *triangle;
    global const cab_mesh_edge *edge;
    global const int *triangle_edge; /* [triangles][3] edges that come with the triangle; -1 = none */
} cab_meshes;

/* The point of a triangle nearest to p, and the part that it lies on: 0 face, 1 to 3 edges, 4 to 6 corners,
 * in the order of cab_triangle (Ericson, Real-Time Collision Detection, 5.1.5). */
typedef struct cab_on_triangle {
    vec3 between; /* vector from the nearest point to p */
    int part;
} cab_on_triangle;

CAB_INLINE cab_on_triangle cab_nearest_on_triangle(global const cab_triangle *triangle, vec3 p)
{
    cab_on_triangle n;
    vec3 u = vec3_make(triangle->ux, triangle->uy, triangle->uz);
    vec3 v = vec3_make(triangle->vx, triangle->vy, triangle->vz);
    vec3 a = vec3_make(p.x - triangle->ax, p.y - triangle->ay, p.z - triangle->az);
    vec3 b = vec3_sub(a, u), c = vec3_sub(a, v);
    real ua = vec3_dot(u, a), va = vec3_dot(v, a), ub = vec3_dot(u, b), vb = vec3_dot(v, b);
    real uc = vec3_dot(u, c), vc = vec3_dot(v, c);
    real at_v = ua * vb - ub * va, at_u = uc * va - ua * vc,
         at_a = ub * vc - uc * vb; /* barycentric coordinates times the area */
    real s = 0, t = 0;
    if (ua <= 0 && va <= 0) {
        n.part = 4;
    } else if (ub >= 0 && vb <= ub) {
        n.part = 5;
        s = 1;
    } else if (vc >= 0 && uc <= vc) {
        n.part = 6;
        t = 1;
    } else if (at_v <= 0 && ua >= 0 && ub <= 0) {
        n.part = 1;
        s = ua / (ua - ub);
    } else if (at_u <= 0 && va >= 0 && vc <= 0) {
        n.part = 2;
        t = va / (va - vc);
    } else if (at_a <= 0 && vb >= ub && uc >= vc) {
        n.part = 3;
        t = (vb - ub) / ((vb - ub) + (uc - vc));
        s = 1 - t;
    } else {
        real area = at_a + at_u + at_v;
        n.part = 0;
        s = at_u / area;
        t = at_v / area;
    }
    n.between = vec3_add_scaled(vec3_add_scaled(a, -s, u), -t, v);
    return n;
}

CAB_INLINE real cab_beyond(real x, real low, real high)
{
    return real_max(real_max(low - x, x - high), 0);
}

/* Squared distance of a point from a node's box; 0 inside. */
CAB_INLINE real cab_node_distance2(global const cab_mesh_node *node, vec3 p)
{
    real x = cab_beyond(p.x, node->lx, node->hx), y = cab_beyond(p.y, node->ly, node->hy);
    real z = cab_beyond(p.z, node->lz, node->hz);
    return x * x + y * y + z * z;
}

/* Rotates a point into the mesh's own axes. p: relative to the collider's centre. */
CAB_INLINE vec3 cab_into_mesh(const cab_collider *c, vec3 p)
{
    return cab_rotate(c->qw, vec3_make(-c->qx, -c->qy, -c->qz), p);
}

CAB_INLINE vec3 cab_out_of_mesh(const cab_collider *c, vec3 p)
{
    return cab_rotate(c->qw, vec3_make(c->qx, c->qy, c->qz), p);
}

/* The side of a solid that a point is on follows from the normal of the nearest part. Normals of edges and
 * corners are means weighted by angle (Baerentzen, Aanaes, Signed distance computation using the angle
 * weighted pseudonormal, 2005). An open surface has no inside. */
CAB_INLINE cab_outside cab_beside_triangle(global const cab_triangle *triangle, cab_on_triangle nearest,
                                           int solid)
{
    cab_outside o;
    global const float *normal = triangle->normal + 3 * nearest.part;
    vec3 n = vec3_make(normal[0], normal[1], normal[2]);
    real along = vec3_dot(n, nearest.between), distance = vec3_length(nearest.between);
    if (nearest.part == 0) {
        real side = !solid && along < 0 ? -1.0f : 1.0f;
        o.distance = side * along;
        o.normal = vec3_scale(n, side);
    } else {
        real side = solid && along < 0 ? -1.0f : 1.0f;
        o.distance = side * distance;
        o.normal = distance > 0 ? vec3_scale(nearest.between, side / distance) : n;
    }
    return o;
}

/* The distance of a point, given relative to the collider's centre, from a mesh. */
CAB_INLINE cab_outside cab_outside_mesh(const cab_collider *c, const cab_meshes *mesh, vec3 from_centre)
{
    vec3 p = cab_into_mesh(c, from_centre);
    int stack[CAB_MESH_DEPTH], depth = 0, nearest = 0;
    real best2 = 3e38f;
    cab_on_triangle at;
    at.between = vec3_zero();
    at.part = 0;
    stack[depth++] = c->node;
    while (depth > 0) {
        global const cab_mesh_node *node = mesh->node + stack[--depth];
        if (!(cab_node_distance2(node, p) < best2)) continue;
        for (int k = node->first; k < node->first + node->count; k++) {
            cab_on_triangle n = cab_nearest_on_triangle(mesh->triangle + k, p);
            real distance2 = vec3_dot(n.between, n.between);
            if (!(distance2 < best2)) continue;
            best2 = distance2;
            nearest = k;
            at = n;
        }
        if (node->count == 0) { /* the nearer child comes first */
            int first = node->first;
            int swap =
                cab_node_distance2(mesh->node + first, p) < cab_node_distance2(mesh->node + first + 1, p);
            stack[depth++] = first + swap;
            stack[depth++] = first + 1 - swap;
        }
    }
    cab_outside o = cab_beside_triangle(mesh->triangle + nearest, at, c->solid);
    o.normal = cab_out_of_mesh(c, o.normal);
    return o;
}

/* A mesh's edge as a collider, with the mesh's pose, motion and friction, for a cable of this radius. */
CAB_INLINE cab_collider cab_edge_of_mesh(global const cab_mesh_edge *edge, const cab_collider *mesh,
                                         real radius)
{
    cab_collider c = *mesh;
    vec3 from = cab_out_of_mesh(mesh, vec3_make(edge->ax, edge->ay, edge->az));
    vec3 along = cab_out_of_mesh(mesh, vec3_make(edge->ux, edge->uy, edge->uz));
    vec3 p = cab_out_of_mesh(mesh, vec3_make(edge->px, edge->py, edge->pz));
    vec3 s = cab_out_of_mesh(mesh, vec3_make(edge->sx, edge->sy, edge->sz));
    c.shape = CAB_SHAPE_IS_EDGE;
    c.radius = radius;
    c.cx = mesh->cx + from.x;
    c.cy = mesh->cy + from.y;
    c.cz = mesh->cz + from.z;
    c.tx = along.x;
    c.ty = along.y;
    c.tz = along.z;
    c.px = p.x;
    c.py = p.y;
    c.pz = p.z;
    c.sx = s.x;
    c.sy = s.y;
    c.sz = s.z;
    /* A rotation about the mesh's centre is a rotation about this point and a displacement of the point. */
    vec3 before = cab_rotate(mesh->rw, vec3_make(-mesh->rx, -mesh->ry, -mesh->rz), from);
    c.mx = mesh->mx + (from.x - before.x);
    c.my = mesh->my + (from.y - before.y);
    c.mz = mesh->mz + (from.z - before.z);
    return c;
}

/* Collider k of a list: below collider_count a collider, from there on an edge of a mesh. */
CAB_INLINE cab_collider cab_candidate(int k, int collider_count, global const cab_collider *collider,
                                      const cab_meshes *mesh, real radius)
{
    if (!CAB_WITH_MESHES || k < collider_count) return collider[k];
    global const cab_mesh_edge *edge = mesh->edge + (k - collider_count);
    cab_collider of = collider[edge->collider];
    return cab_edge_of_mesh(edge, &of, radius);
}

#endif
