/* Triangle meshes as devices want them: trees of boxes, normals of faces, edges and corners, edges to lie on.
 */
#ifndef CAB_MODEL_MESH_H
#define CAB_MODEL_MESH_H

#include <stdbool.h>

#include <clcable/scene.h>

#include "kernels/types.h"

/* The meshes of all colliders, one behind the other. */
typedef struct cab_mesh_tables {
    cab_mesh_node *node;
    cab_triangle *triangle;
    cab_mesh_edge *edge;
    int *triangle_edge; /* [triangles][3] */
    int node_count, triangle_count, edge_count;
} cab_mesh_tables;

/* What became of one. */
typedef struct cab_mesh_facts {
    int root; /* node */
    int triangle_count, edge_count;
    bool watertight;
    bool turned;   /* it was inside out */
    double extent; /* farthest corner from the origin, m */
} cab_mesh_facts;

/* Adds the mesh of `collider` to the tables. CAB_ERROR_INPUT when no triangle has an area. */
cab_status cab_mesh_add(cab_mesh_tables *tables, const cab_mesh *mesh, double scale, int collider,
                        cab_mesh_facts *facts, cab_error *error);
void cab_mesh_tables_free(cab_mesh_tables *tables);

#endif
