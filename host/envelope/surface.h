/* The surface of a union of capsules, as triangles. */
#ifndef CAB_ENVELOPE_SURFACE_H
#define CAB_ENVELOPE_SURFACE_H

#include <clcable/scene.h>

#include "envelope/distances.h"

/* Marching cubes (W. Lorensen, H. Cline 1987): the surface on which the distance, linear along each edge of the grid's cubes, is
 * 0. What is outside is parted from the rest alike by both cubes at a face, so that the mesh is closed: each edge has two triangles,
 * which are counter-clockwise seen from outside. The mesh must be freed with cab_mesh_free(), also after a failure; it may be
 * empty. The same distances give the same mesh, in whatever order they came; they
 * are covered by it. */
cab_status cab_surface_of(cab_distances *field, cab_mesh *mesh, cab_error *error);

/* m^3; hollows that are closed do not count. */
double cab_surface_volume(const cab_mesh *mesh);

#endif
