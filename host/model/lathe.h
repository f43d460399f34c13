/* Making triangles: room for them, one by one, and those of what is turned about an axis. */
#ifndef CAB_LATHE_H
#define CAB_LATHE_H

#include <clcable/scene.h>

/* An empty mesh with room for so many; to be freed by cab_mesh_free(). */
cab_status cab_triangles_room(cab_mesh *mesh, int vertices, int triangles, cab_error *error);
void cab_triangles_add(cab_mesh *mesh, int a, int b, int c);

/* A profile turned about an axis through the origin, in so many steps, with the points at both ends of it: profile[k] is so far from the
 * axis and so far along it, m, and both grow along the surface as seen from the start. axis: a unit vector. To be freed by cab_mesh_free(). */
cab_status cab_lathe_mesh(const double (*profile)[2], int count, cab_vec3 axis, double start, double end,
                          int sides, cab_mesh *mesh, cab_error *error);

#endif
