/* libFuzzer target for meshes and sheets: the first byte chooses what the rest is: an STL file, an OBJ file
 * of a mesh, or an OBJ file of a sheet. Meshes that can be read are made into tables. */
#include <stdint.h>
#include <stdlib.h>

#include "io/mesh_file.h"
#include "io/obj.h"
#include "model/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cab_status read_mesh(const char *file, const char *text, size_t size, cab_error *error)
{
    cab_mesh mesh = {0};
    cab_mesh_tables tables = {0};
    cab_mesh_facts facts;
    cab_status status = cab_mesh_parse(file, text, size, &mesh, error);
    if (status == CAB_OK) status = cab_mesh_add(&tables, &mesh, 1, 0, &facts, error);
    cab_mesh_tables_free(&tables);
    cab_mesh_free(&mesh);
    return status;
}

static cab_status read_sheet(const char *file, const char *text, size_t size, cab_error *error)
{
    cab_obj obj;
    cab_status status = cab_obj_parse(file, text, size, 4, &obj, error);
    for (int face = 0, first = 0; face < obj.face_count; first = obj.face_end[face++])
        if (obj.face_end[face] < first + 3 || obj.face_end[face] > first + 4) abort();
    for (int i = 0; i < obj.corner_count; i++)
        if (obj.corner[i] < 0 || obj.corner[i] >= obj.point_count) abort();
    cab_obj_free(&obj);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    cab_error error = {0};
    const char *text = (const char *)data + 1;
    cab_status status;
    if (data[0] & 2)
        status = read_sheet("fuzz.obj", text, size - 1, &error);
    else
        status = read_mesh(data[0] & 1 ? "fuzz.obj" : "fuzz.stl", text, size - 1, &error);
    if (status != CAB_OK && (error.status != status || !error.message[0])) abort();
    return 0;
}
