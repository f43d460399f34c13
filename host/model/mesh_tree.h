/* A tree of boxes around triangles. */
#ifndef CAB_MESH_TREE_H
#define CAB_MESH_TREE_H

#include <clcable/scene.h>

#include "kernels/types.h"

typedef struct cab_mesh_tree {
    const cab_vec3 *point;
    const int *corner;   /* [3 triangles] */
    int *order;          /* [triangles] filled: the triangles, leaf by leaf */
    cab_mesh_node *node; /* [first_node + 2 triangles] */
    int first_node;      /* the root */
    int first_triangle;  /* index that leaves give to order[0] */
} cab_mesh_tree;

/* Halves the triangles at the median of their middles, along the longest side, down to a few a leaf. Returns
 * how many nodes it made. */
int cab_mesh_tree_build(cab_mesh_tree *tree, int count);

#endif
