/* What a ray through the mouse hits. Plain C: no OpenGL, no world. */
#ifndef CAB_PICK_H
#define CAB_PICK_H

#include <stdbool.h>

#include "view/shapes/geometry.h"

/* How far beside the ray a thin cable is still hit: at a distance t (m) along it by `width` + `spread` t. A
 * pixel of a perspective picture has the spread 2 tan(fov / 2) / height, of an orthographic one the width. */
typedef struct cab_pick_tolerance {
    float width;  /* m, >= 0 */
    float spread; /* m per m, >= 0 */
} cab_pick_tolerance;

typedef struct cab_pick {
    int strand, triangle; /* of the geometry; one of them is -1 */
    int cable;            /* -1 = a sheet's */
    int node;             /* the nearest of those that it lies between: the one to pull at */
    float part;           /* of a strand's segment: where between its nodes, 0 to 1 */
    float point[3];       /* m; on the surface, or where the ray just misses it on the middle line */
    float distance;       /* of that along the ray, m */
} cab_pick;

/* The nearest thing that the ray goes through; if there is none, what it misses by the smallest part of the
 * tolerance. So what is under the mouse always wins over what is beside it.
 *
 * rows: [nodes][4] as of cab_world_draw(), m. direction: of any length but 0. False when nothing is hit. */
bool cab_pick_ray(const cab_geometry *geometry, const float *rows, const float origin[3],
                  const float direction[3], cab_pick_tolerance tolerance, cab_pick *pick);

#endif
