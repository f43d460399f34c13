/* Sheets: a scene's rectangle or points as particles, links and cells. */
#ifndef CAB_MESH_H
#define CAB_MESH_H

#include "model/scene.h"

/* A link between two points; `colour` is the one that it would like. */
typedef struct cab_pair {
    int a, b, colour;
} cab_pair;

typedef struct cab_mesh {
    cab_vec3 *point;  /* m */
    cab_pair *edge;   /* the links, each once */
    cab_pair *second; /* second neighbours: along rows and columns, or across an edge between two faces */
    int (*cell)[4];   /* faces, the last corner of a triangle -1; sticks, two corners and -1, -1 */
    int point_count, edge_count, second_count, cell_count;
} cab_mesh;

/* Free with cab_mesh_destroy. CAB_ERROR_INPUT for points without a link and links without a length. */
cab_status cab_mesh_create(const cab_scene *scene, int sheet, cab_mesh **mesh, cab_error *error);
void cab_mesh_destroy(cab_mesh *mesh);

/* Of a cell, m^2; 0 for a stick. A quadrangle's is half the product of its diagonals. */
double cab_mesh_area(const cab_mesh *mesh, int cell);

#endif
