/* A drawing in the plane, made anew for each frame: lines, arcs and dots, all drawn as tubes (tubes.h). The
 * plane's x and y become x and z of the world, whose y points away from who looks from the front. No GL in
 * here. */
#ifndef CAB_SKETCH_H
#define CAB_SKETCH_H

#include <clcable/particles.h>

#include "view/shapes/geometry.h"

/* What a stroke is drawn with. */
typedef struct cab_pen {
    float radius;               /* m; half of its width */
    unsigned char colour[3];    /* sRGB */
    bool valued;                /* the colour map shows `from` and `to` instead of the colour */
    float value_from, value_to; /* of the quantity, at the stroke's ends */
    float lift;                 /* m, towards who looks from the front */
} cab_pen;

/* Zero at first. */
typedef struct cab_sketch {
    float (*rows)[4]; /* as of cab_world_draw() */
    cab_strand *strands;
    int row_count, strand_count;
    int row_room, strand_room;
    bool short_of_memory; /* something is missing */
} cab_sketch;

/* Of nothing; keeps its memory. */
void cab_sketch_clear(cab_sketch *sketch);
void cab_sketch_free(cab_sketch *sketch);

void cab_sketch_line(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to);
/* A smooth curve through points. */
void cab_sketch_curve(cab_sketch *sketch, const cab_pen *pen, const cab_vec2 *points, int count);
/* Straight from point to point, with corners; values go along it by the number of points. */
void cab_sketch_path(cab_sketch *sketch, const cab_pen *pen, const cab_vec2 *points, int count);
/* From an angle on, counterclockwise where `turn` is more than 0; rad. */
void cab_sketch_arc(cab_sketch *sketch, const cab_pen *pen, cab_vec2 centre, double radius, double start,
                    double turn);
void cab_sketch_circle(cab_sketch *sketch, const cab_pen *pen, cab_vec2 centre, double radius);
/* A ball of the pen's radius. */
void cab_sketch_dot(cab_sketch *sketch, const cab_pen *pen, cab_vec2 at);
/* With a head that is `head` long, m. */
void cab_sketch_arrow(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to, double head);
/* A coiled spring, seen from the side: `width` m wide, straight at its ends. */
void cab_sketch_zigzag(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to, double width,
                       int turns);

#endif
