/* What of a world is drawn, fixed for its life: tubes and triangles between its nodes. */
#ifndef CAB_GEOMETRY_H
#define CAB_GEOMETRY_H

#include <stdint.h>

#include <clcable/clcable.h>

/* A segment of a cable. Nodes are rows of cab_world_draw(). */
typedef struct cab_tube {
    int32_t before, a, b,
        after;         /* `before` and `after` bend the curve between a and b; -1 = the cable ends */
    float radius;      /* m */
    uint32_t cable;    /* index in the world */
    uint8_t colour[4]; /* sRGB */
} cab_tube;

/* A piece of a sheet. Bit k of `threads`: a link goes from node k to the next, it is no diagonal of a cell. */
typedef struct cab_triangle_nodes {
    int32_t node[3];
    uint32_t sheet;
    uint32_t threads;
} cab_triangle_nodes;

typedef enum cab_paint { CAB_PAINT_CABLE = 0, CAB_PAINT_MATERIAL } cab_paint;

typedef struct cab_geometry {
    cab_tube *tubes;
    cab_triangle_nodes *triangles; /* of sheets */
    int tube_count, triangle_count;
} cab_geometry;

cab_status cab_geometry_make(const cab_world *world, cab_paint paint, cab_geometry *geometry,
                             cab_error *error);
void cab_geometry_free(cab_geometry *geometry);

#endif
