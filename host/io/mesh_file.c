#include "io/mesh_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "io/read_file.h"
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

cab_status cab_mesh_parse(const char *file, const char *text, size_t size, cab_mesh *mesh, cab_error *error)
{
    cab_mesh_maker maker = {0};
    cab_status status;
    if (cab_path_ends(file, ".obj"))
        status = cab_mesh_read_obj(file, text, size, &maker, error);
    else if (cab_path_ends(file, ".stl"))
        status = cab_mesh_read_stl(file, text, size, &maker, error);
    else
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: expected a mesh file that ends in .obj or .stl", file);
    if (status == CAB_OK && maker.mesh.triangle_count == 0)
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: expected at least one triangle", file);
    if (status == CAB_OK)
        *mesh = maker.mesh;
    else
        cab_mesh_free(&maker.mesh);
    return status;
}

cab_status cab_mesh_load(const char *path, cab_mesh *mesh, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cab_status status = cab_read_file(path, &text, &size, error);
    if (status == CAB_OK) status = cab_mesh_parse(path, text, size, mesh, error);
    free(text);
    return status;
}

void cab_mesh_free(cab_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (cab_mesh){0};
}
