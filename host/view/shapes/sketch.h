/* A drawing in a plane, made anew for each frame: lines, arcs and dots, all of them strands of tube. The
 * plane's x and y are the world's x and z; the world's y points away from someone who looks from the front.
 * No OpenGL in here. */
#ifndef CAB_SKETCH_H
#define CAB_SKETCH_H

#include <clcable/particles.h>

#include "view/shapes/geometry.h"

/* How a line is drawn. */
typedef struct cab_pen {
    float radius;               /* half of the line's width, m */
    unsigned char colour[3];    /* sRGB */
    bool valued;                /* colours show the quantity `value_from` to `value_to` instead of `colour` */
    float value_from, value_to; /* at the ends of the line */
    float lift;                 /* towards someone who looks from the front, m */
} cab_pen;

/* A pen of one colour. */
cab_pen cab_pen_of(double radius, const unsigned char colour[3], double lift);

/* Zero at first. */
typedef struct cab_sketch {
    float (*rows)[4]; /* as of cab_world_draw() */
    cab_strand *strands;
    int row_count, strand_count;
    int row_room, strand_room;
    bool short_of_memory; /* something is missing */
} cab_sketch;

/* Empties it, and keeps its memory. */
void cab_sketch_clear(cab_sketch *sketch);
void cab_sketch_free(cab_sketch *sketch);

void cab_sketch_line(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to);
/* A smooth curve through points. */
void cab_sketch_curve(cab_sketch *sketch, const cab_pen *pen, const cab_vec2 *points, int count);
/* Straight lines from point to point, with corners. Values change evenly from point to point. */
void cab_sketch_path(cab_sketch *sketch, const cab_pen *pen, const cab_vec2 *points, int count);
/* From the angle `start` on by the angle `turn`, counterclockwise where that is positive; rad. */
void cab_sketch_arc(cab_sketch *sketch, const cab_pen *pen, cab_vec2 centre, double radius, double start,
                    double turn);
void cab_sketch_circle(cab_sketch *sketch, const cab_pen *pen, cab_vec2 centre, double radius);
/* A ball of the pen's radius. */
void cab_sketch_dot(cab_sketch *sketch, const cab_pen *pen, cab_vec2 at);
/* With a head of `head` m length. */
void cab_sketch_arrow(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to, double head);
/* A coiled spring, seen from the side: `width` m wide, straight at its ends. */
void cab_sketch_zigzag(cab_sketch *sketch, const cab_pen *pen, cab_vec2 from, cab_vec2 to, double width,
                       int turns);

#endif
