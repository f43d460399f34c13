/* A mesh that grows as a file is read. */
#include "io/mesh_file.h"

#include "base/array.h"
#include "model/limits.h"

cab_status cab_mesh_add_vertex(cab_mesh_maker *maker, cab_vec3 vertex, cab_error *error)
{
    cab_mesh *mesh = &maker->mesh;
    cab_status status = CAB_ROOM(mesh->vertices, maker->vertex_room, mesh->vertex_count + 1, error);
    if (status == CAB_OK) mesh->vertices[mesh->vertex_count++] = vertex;
    return status;
}

cab_status cab_mesh_add_triangle(cab_mesh_maker *maker, int a, int b, int c, cab_error *error)
{
    cab_mesh *mesh = &maker->mesh;
    int used = 3 * mesh->triangle_count;
    cab_status status = CAB_ROOM(mesh->triangles, maker->index_room, used + 3, error);
    if (status != CAB_OK) return status;
    mesh->triangles[used] = a;
    mesh->triangles[used + 1] = b;
    mesh->triangles[used + 2] = c;
    mesh->triangle_count++;
    return CAB_OK;
}

cab_status cab_mesh_fail_size(const char *file, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: expected at most %d triangles and %d points", file,
                    CAB_MESH_TRIANGLES_MAX, CAB_MESH_VERTICES_MAX);
}
