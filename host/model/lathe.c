#include "model/lathe.h"

#include <math.h>

#include "base/array.h"
#include "base/vec3.h"

#define PI 3.14159265358979323846

cab_status cab_triangles_room(cab_mesh *mesh, int vertices, int triangles, cab_error *error)
{
    *mesh = (cab_mesh){0};
    cab_status status = CAB_NEW(mesh->vertices, vertices, error);
    if (status == CAB_OK) status = CAB_NEW(mesh->triangles, 3 * triangles, error);
    if (status != CAB_OK) cab_mesh_free(mesh);
    return status;
}

void cab_triangles_add(cab_mesh *mesh, int a, int b, int c)
{
    int *to = mesh->triangles + 3 * mesh->triangle_count++;
    to[0] = a, to[1] = b, to[2] = c;
}

cab_status cab_lathe_mesh(const double (*profile)[2], int count, cab_vec3 axis, double start, double end,
                          int sides, cab_mesh *mesh, cab_error *error)
{
    cab_status status = cab_triangles_room(mesh, count * sides + 2, 2 * count * sides, error);
    if (status != CAB_OK) return status;
    cab_vec3 x = cab_vec3_any_normal(axis), y = cab_vec3_cross(axis, x);
    for (int i = 0; i < count * sides; i++) {
        const double *p = profile[i % count], turn = 2 * PI * (i / count) / sides;
        cab_vec3 out = cab_vec3_add(cab_vec3_scale(p[0] * cos(turn), x), cab_vec3_scale(p[0] * sin(turn), y));
        mesh->vertices[i] = cab_vec3_add_scaled(out, p[1], axis);
    }
    int near = count * sides, far = near + 1;
    mesh->vertices[near] = cab_vec3_scale(start, axis);
    mesh->vertices[far] = cab_vec3_scale(end, axis);
    mesh->vertex_count = far + 1;
    for (int side = 0; side < sides; side++) {
        int a = count * side, b = count * ((side + 1) % sides);
        for (int k = 0; k + 1 < count; k++) {
            cab_triangles_add(mesh, a + k, b + k, b + k + 1);
            cab_triangles_add(mesh, a + k, b + k + 1, a + k + 1);
        }
        cab_triangles_add(mesh, near, b, a);
        cab_triangles_add(mesh, far, a + count - 1, b + count - 1);
    }
    return CAB_OK;
}
