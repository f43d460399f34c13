#include "io/surface_write.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "base/vec3.h"
#include "io/file.h"
#include "io/polydata.h"

enum { STL_HEAD = 80, STL_RECORD = 50 /* bytes */ };

/* ---- Wavefront OBJ ---- */

static void write_obj(cab_file *file, const cab_mesh *mesh)
{
    cab_file_print(file, "# m, z up\n");
    for (int i = 0; i < mesh->vertex_count; i++) {
        cab_vec3 x = mesh->vertices[i];
        cab_file_print(file, "v %.9g %.9g %.9g\n", x.x + 0, x.y + 0, x.z + 0);
    }
    for (int i = 0; i < mesh->triangle_count; i++) { /* points count from 1 */
        const int *t = mesh->triangles + 3 * (size_t)i;
        cab_file_print(file, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
}

/* ---- VTK's PolyData ---- */

static cab_status write_vtp(cab_file *file, const cab_mesh *mesh, cab_error *error)
{
    cab_polydata data = {.points = mesh->vertex_count,
                         .position = &mesh->vertices[0].x,
                         .faces = {.count = mesh->triangle_count, .corner = mesh->triangles}};
    data.faces.end = cab_polydata_allocate(&data, (size_t)mesh->triangle_count, sizeof(int), error);
    if (!data.faces.end) return CAB_ERROR_MEMORY;
    for (int i = 0; i < mesh->triangle_count; i++) data.faces.end[i] = 3 * (i + 1);
    cab_write_polydata(file, &data);
    cab_polydata_free(&data);
    return CAB_OK;
}

/* ---- STL, its numbers with the low byte first ---- */

static unsigned char *put_number(unsigned char *to, uint32_t bits)
{
    for (int i = 0; i < 4; i++) *to++ = (unsigned char)(bits >> 8 * i);
    return to;
}

static unsigned char *put_vector(unsigned char *to, cab_vec3 v)
{
    const float numbers[3] = {(float)v.x + 0, (float)v.y + 0, (float)v.z + 0};
    for (int k = 0; k < 3; k++) {
        uint32_t bits;
        memcpy(&bits, &numbers[k], sizeof bits);
        to = put_number(to, bits);
    }
    return to;
}

static void write_stl(cab_file *file, const cab_mesh *mesh)
{
    unsigned char bytes[STL_HEAD + 4] = "binary STL, m, z up";
    put_number(bytes + STL_HEAD, (uint32_t)mesh->triangle_count);
    cab_file_write(file, bytes, STL_HEAD + 4);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *t = mesh->triangles + 3 * (size_t)i;
        cab_vec3 a = mesh->vertices[t[0]], b = mesh->vertices[t[1]], c = mesh->vertices[t[2]];
        unsigned char *to = bytes;
        to = put_vector(to, cab_vec3_unit(cab_vec3_cross(cab_vec3_sub(b, a), cab_vec3_sub(c, a))));
        to = put_vector(put_vector(put_vector(to, a), b), c);
        to[0] = to[1] = 0;
        cab_file_write(file, bytes, STL_RECORD);
    }
}

/* ---- files ---- */

cab_status cab_surface_check(const char *path, const char *what, cab_error *error)
{
    if (!cab_path_ends(path, ".obj") && !cab_path_ends(path, ".vtp") && !cab_path_ends(path, ".stl"))
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s is written as .obj, .vtp or .stl", path, what);
    return cab_file_check(path, error);
}

cab_status cab_surface_write(const char *path, const cab_mesh *mesh, cab_error *error)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, error);
    if (status) return status;
    if (cab_path_ends(path, ".vtp"))
        status = write_vtp(&file, mesh, error);
    else if (cab_path_ends(path, ".stl"))
        write_stl(&file, mesh);
    else
        write_obj(&file, mesh);
    if (!status) status = cab_file_finish(&file, error);
    if (!status) status = cab_file_rename(&file, error);
    cab_file_close(&file);
    return status;
}
