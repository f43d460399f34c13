/* Meshes from OBJ files: polygons as fans about their first corners. Lines make no surface: left out. */
#include "io/mesh_file.h"
#include "io/obj.h"
#include "model/limits.h"

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

cab_status cab_mesh_read_obj(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
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
