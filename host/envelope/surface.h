/* The surface of a union of capsules, as triangles. */
#ifndef CAB_ENVELOPE_SURFACE_H
#define CAB_ENVELOPE_SURFACE_H

#include <clcable/scene.h>

#include "envelope/distances.h"

/* Marching tetrahedra (A. Doi, A. Koide 1991) on the cubes of the grid, six to a cube: the surface on which the distance, linear within each
 * tetrahedron, is 0. Each edge has two triangles, which are counter-clockwise seen from outside. The mesh must be freed with
 * cab_mesh_free(), also after a failure; it may be empty. The same field gives the same mesh, in whatever order it was filled. */
cab_status cab_surface_of(const cab_distances *field, cab_mesh *mesh, cab_error *error);

/* m^3; hollows that are closed do not count. */
double cab_surface_volume(const cab_mesh *mesh);

#endif
