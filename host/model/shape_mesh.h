/* Triangles of shapes, for formats that know nothing else. */
#ifndef CAB_SHAPE_MESH_H
#define CAB_SHAPE_MESH_H

#include <clcable/scene.h>

/* What a collider that is no plane looks like, about its own point; round ones in so many steps. To be freed by cab_mesh_free(). */
cab_status cab_shape_mesh(const cab_collider_def *def, int sides, cab_mesh *mesh, cab_error *error);

#endif
