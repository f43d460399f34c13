/* What of a world is drawn, fixed for its life: strands of tube, and triangles, between its nodes. */
#ifndef CAB_GEOMETRY_H
#define CAB_GEOMETRY_H

#include <stdint.h>

#include <clcable/clcable.h>

/* The nodes along which a tube is drawn: those of a section of cable, or the two of a sheet's stick.
 * tube.vert reads it as two texels of integers. */
typedef struct cab_strand {
    int32_t first, step, count; /* nodes first, first + step, ...: rows of cab_world_draw() */
    uint32_t cable;             /* index in the world; UINT32_MAX = none */
    float radius;               /* m */
    uint8_t colour[4];          /* sRGB */
    int32_t own_colour;         /* not 0: keeps its colour where others show a quantity */
    int32_t unused;
} cab_strand;

/* A triangle of a sheet. Bit k of `threads` is set where the side from node k to the next is a thread of the
 * sheet, and not only the diagonal of a cell. */
typedef struct cab_triangle_nodes {
    int32_t node[3];
    uint32_t sheet, threads;
} cab_triangle_nodes;

/* Whether each cable has a colour, or each material. */
typedef enum cab_paint { CAB_PAINT_CABLE = 0, CAB_PAINT_MATERIAL } cab_paint;

typedef struct cab_geometry {
    cab_strand *strands;
    cab_triangle_nodes *triangles; /* of sheets */
    int strand_count, triangle_count;
} cab_geometry;

cab_status cab_geometry_make(const cab_world *world, cab_paint paint, cab_geometry *geometry,
                             cab_error *error);
void cab_geometry_free(cab_geometry *geometry);

#endif
