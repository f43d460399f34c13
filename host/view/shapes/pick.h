/* What a ray through the mouse hits. No OpenGL, no world. */
#ifndef CAB_PICK_H
#define CAB_PICK_H

#include <stdbool.h>

#include <clcable/scene.h>

#include "view/shapes/geometry.h"

/* How far beside a cable the ray may pass and still hit it: at a distance of t m along the ray by `width` +
 * `spread` t. For one pixel, in a perspective picture `spread` is 2 tan(fov / 2) / height, in an orthographic
 * one `width` is the pixel's size. */
typedef struct cab_pick_tolerance {
    float width;  /* m, >= 0 */
    float spread; /* m per m, >= 0 */
} cab_pick_tolerance;

typedef struct cab_pick {
    int strand, triangle; /* of the geometry; one of them is -1 */
    int cable;            /* -1 = none: it is a sheet */
    int node;             /* the nearest of the nodes that the point lies between */
    float part;           /* of a strand's segment: where between its nodes the point lies, 0 to 1 */
    float point[3];       /* m; on the surface, or on the middle line where the ray passes beside it */
    float distance;       /* of the point along the ray, m */
    bool beside;          /* the ray passes beside it */
} cab_pick;

/* Finds the nearest thing that the ray goes through. Only if there is none: what it passes by the smallest
 * part of the tolerance. So what is under the mouse always comes before what is beside it. Returns false when
 * nothing is hit.
 *
 * @param rows       [nodes][4] as of cab_world_draw(), m
 * @param direction  of any length but 0 */
bool cab_pick_ray(const cab_geometry *geometry, const float *rows, const float origin[3],
                  const float direction[3], cab_pick_tolerance tolerance, cab_pick *pick);

/* How far along the ray, whose direction is a unit vector, it goes through a triangle, from either side; INFINITY where it does not.
 * share: by how much of each corner the point is. T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997). */
double cab_pick_triangle(cab_vec3 origin, cab_vec3 direction, const cab_vec3 corner[3], double share[3]);

#endif
