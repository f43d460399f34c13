/* Meshes by the ending of the file's name, and those of OBJ files. */
#include "io/mesh_file.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/path.h"
#include "io/obj.h"
#include "io/read_file.h"
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

/* Polygons as fans about their first corners. Lines make no surface: left out. */
static cab_status add_polygons(const cab_obj *obj, cab_mesh_maker *maker, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < obj->point_count && status == CAB_OK; i++)
        status = cab_mesh_add_vertex(maker, obj->point[i], error);
    for (int face = 0, first = 0; face < obj->face_count; first = obj->face_end[face++]) {
        for (int k = first + 2; k < obj->face_end[face] && status == CAB_OK; k++) {
            status =
                cab_mesh_add_triangle(maker, obj->corner[first], obj->corner[k - 1], obj->corner[k], error);
        }
    }
    return status;
}

static cab_status read_obj(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
                           cab_error *error)
{
    cab_obj obj;
    cab_status status = cab_obj_parse(file, text, size, CAB_OBJ_ANY_CORNERS, &obj, error);
    int triangles = obj.corner_count - 2 * obj.face_count;
    if (status == CAB_OK && (obj.point_count > CAB_MESH_VERTICES_MAX || triangles > CAB_MESH_TRIANGLES_MAX))
        status = cab_mesh_fail_size(file, error);
    if (status == CAB_OK) status = add_polygons(&obj, maker, error);
    cab_obj_free(&obj);
    return status;
}

cab_status cab_mesh_parse(const char *file, const char *text, size_t size, cab_mesh *mesh, cab_error *error)
{
    cab_mesh_maker maker = {0};
    cab_status status;
    if (cab_path_ends(file, ".obj"))
        status = read_obj(file, text, size, &maker, error);
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
    CAB_FREE(mesh->vertices, mesh->triangles);
    *mesh = (cab_mesh){0};
}
