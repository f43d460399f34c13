/* Meshes by the ending of the file's name. */
#include "io/mesh_file.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/path.h"
#include "io/read_file.h"

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
