/* Colliders as a static problem sees them: those of the scene, then the edges of meshes that cables can lie across. */
#ifndef CAB_STATICS_SURFACE_H
#define CAB_STATICS_SURFACE_H

#include "statics/parts.h"

typedef struct cab_surface {
    int shape;
    double friction;
} cab_surface;

int cab_surface_count(const cab_model *model);
bool cab_surface_is_plane(const cab_statics *s, int surface);

/* May a segment touch it, and is it no further than `range` from its surface? m. */
bool cab_surface_is_near(const cab_statics *s, int surface, int segment, double range, cab_surface *about);

/* How far a place of a segment's axis is outside of it, m: place 0 and 1 its ends, 2 the nearest between them, *at its share of the segment. The normal
 * stays as it was where there is none. */
double cab_surface_outside(const cab_statics *s, int surface, int segment, int place, double *at,
                           cab_vec3 *normal);

#endif
