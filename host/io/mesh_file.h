/* Triangle meshes from files. cab_mesh_load of <clcable/scene.h> reads the file and comes here. */
#ifndef CAB_MESH_FILE_H
#define CAB_MESH_FILE_H

#include <stddef.h>

#include "io/words.h"

/* A mesh that grows. */
typedef struct cab_mesh_maker {
    cab_mesh mesh;
    int vertex_room, index_room; /* in numbers of vertices and of indices */
} cab_mesh_maker;

cab_status cab_mesh_add_vertex(cab_mesh_maker *maker, cab_vec3 vertex, cab_error *error);
cab_status cab_mesh_add_triangle(cab_mesh_maker *maker, int a, int b, int c, cab_error *error);
/* The refusal of one triangle too many, or one point. */
cab_status cab_mesh_fail_size(const char *file, cab_error *error);

cab_status cab_mesh_read_stl(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
                             cab_error *error);

/* As cab_mesh_load, from memory; the format by the ending of `file`. */
cab_status cab_mesh_parse(const char *file, const char *text, size_t size, cab_mesh *mesh, cab_error *error);

#endif
