/* A mesh that grows as a file is read. */
#include "io/mesh_file.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/limits.h"

/* Room for `count` items more than `used`. */
static cab_status grow(void **items, size_t *room, size_t used, size_t count, size_t size, cab_error *error)
{
    if (used + count <= *room) return CAB_OK;
    size_t more = 2 * *room + 64;
    void *grown = realloc(*items, more * size);
    if (!grown) return cab_fail_memory(error, "a mesh", more * size);
    *items = grown;
    *room = more;
    return CAB_OK;
}

cab_status cab_mesh_add_vertex(cab_mesh_maker *maker, cab_vec3 vertex, cab_error *error)
{
    cab_mesh *mesh = &maker->mesh;
    void *items = mesh->vertices;
    cab_status status =
        grow(&items, &maker->vertex_room, (size_t)mesh->vertex_count, 1, sizeof vertex, error);
    mesh->vertices = items;
    if (status == CAB_OK) mesh->vertices[mesh->vertex_count++] = vertex;
    return status;
}

cab_status cab_mesh_add_triangle(cab_mesh_maker *maker, int a, int b, int c, cab_error *error)
{
    cab_mesh *mesh = &maker->mesh;
    void *items = mesh->triangles;
    size_t used = 3 * (size_t)mesh->triangle_count;
    cab_status status = grow(&items, &maker->index_room, used, 3, sizeof(int), error);
    mesh->triangles = items;
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
