/* Sheets: a scene's rectangle or points as particles, links and cells. */
#ifndef CAB_SHEET_H
#define CAB_SHEET_H

#include "model/scene.h"

/* A link between two points; `colour` is the one that it would like. */
typedef struct cab_pair {
    int a, b, colour;
} cab_pair;

typedef struct cab_sheet {
    cab_vec3 *point;  /* m */
    cab_pair *edge;   /* the links, each once */
    cab_pair *second; /* second neighbours: along rows and columns, or across an edge between two faces */
    int (*cell)[4];   /* faces, the last corner of a triangle -1; sticks, two corners and -1, -1 */
    int point_count, edge_count, second_count, cell_count;
} cab_sheet;

/* Free with cab_sheet_destroy. CAB_ERROR_INPUT for points without a link and links without a length. */
cab_status cab_sheet_create(const cab_scene *scene, int index, cab_sheet **sheet, cab_error *error);
void cab_sheet_destroy(cab_sheet *sheet);

/* Of a cell, m^2; 0 for a stick. A quadrangle's is half the product of its diagonals. */
double cab_sheet_cell_area(const cab_sheet *sheet, int cell);

#endif
