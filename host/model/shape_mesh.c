#include "model/shape_mesh.h"

#include <math.h>
#include <string.h>

#include "base/quaternion.h"
#include "base/vec3.h"
#include "model/lathe.h"
#include "model/sheave.h"

#define PI 3.14159265358979323846

enum { BOX_CORNERS = 8, BOX_TRIANGLES = 12, MOST_RINGS = 64 };

/* A ball's halves at both ends of a line of the length `length`, which may be 0. */
static cab_status capsule_mesh(cab_vec3 axis, double length, double radius, int sides, cab_mesh *mesh,
                               cab_error *error)
{
    double profile[MOST_RINGS][2];
    int rings = sides / 4 < MOST_RINGS / 2 ? sides / 4 : MOST_RINGS / 2,
        count = length > 0 ? 2 * rings : 2 * rings - 1;
    for (int k = 0; k < rings; k++) { /* from the pole, which is no ring, to the equator */
        double angle = PI / 2 * (k + 1) / rings, out = radius * sin(angle), along = radius * cos(angle);
        profile[k][0] = profile[count - 1 - k][0] = out;
        profile[count - 1 - k][1] = length + along;
        profile[k][1] = -along;
    }
    return cab_lathe_mesh((const double(*)[2])profile, count, axis, -radius, length + radius, sides, mesh,
                          error);
}

static cab_status box_mesh(const cab_collider_def *def, cab_mesh *mesh, cab_error *error)
{
    /* corner 4 x + 2 y + z; each side's, counter-clockwise from outside */
    static const int side[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                   {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    cab_status status = cab_triangles_room(mesh, BOX_CORNERS, BOX_TRIANGLES, error);
    if (status != CAB_OK) return status;
    cab_quaternion turn = cab_quaternion_unit(def->rotation);
    cab_vec3 h = def->half_extents;
    for (int i = 0; i < BOX_CORNERS; i++) {
        cab_vec3 x = {i & 4 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 1 ? h.z : -h.z};
        mesh->vertices[i] = cab_quaternion_rotate(turn, x);
    }
    mesh->vertex_count = BOX_CORNERS;
    for (int i = 0; i < 6; i++) {
        cab_triangles_add(mesh, side[i][0], side[i][1], side[i][2]);
        cab_triangles_add(mesh, side[i][0], side[i][2], side[i][3]);
    }
    return CAB_OK;
}

static cab_status own_mesh(const cab_collider_def *def, cab_mesh *mesh, cab_error *error)
{
    const cab_mesh *from = &def->mesh;
    cab_status status = cab_triangles_room(mesh, from->vertex_count, from->triangle_count, error);
    if (status != CAB_OK) return status;
    cab_quaternion turn = cab_quaternion_unit(def->rotation);
    for (int i = 0; i < from->vertex_count; i++)
        mesh->vertices[i] = cab_quaternion_rotate(turn, cab_vec3_scale(def->scale, from->vertices[i]));
    memcpy(mesh->triangles, from->triangles, 3 * (size_t)from->triangle_count * sizeof *mesh->triangles);
    mesh->vertex_count = from->vertex_count;
    mesh->triangle_count = from->triangle_count;
    return CAB_OK;
}

cab_status cab_shape_mesh(const cab_collider_def *def, int sides, cab_mesh *mesh, cab_error *error)
{
    cab_vec3 to = cab_vec3_sub(def->to, def->center);
    double length = cab_vec3_length(to);
    cab_vec3 axis = length > 0 ? cab_vec3_unit(to) : (cab_vec3){0, 0, 1};
    cab_sheave sheave;
    switch (def->shape) {
    case CAB_SHAPE_SPHERE:
        return capsule_mesh((cab_vec3){0, 0, 1}, 0, def->radius, sides, mesh, error);
    case CAB_SHAPE_CAPSULE:
        return capsule_mesh(axis, length, def->radius, sides, mesh, error);
    case CAB_SHAPE_CYLINDER:
        return cab_lathe_mesh((const double[2][2]){{def->radius, 0}, {def->radius, length}}, 2, axis, 0,
                              length, sides, mesh, error);
    case CAB_SHAPE_SHEAVE:
        sheave = cab_sheave_of(def->center, def->to, def->radius, &def->groove);
        return cab_sheave_mesh(&sheave, to, sides, mesh, error);
    case CAB_SHAPE_BOX:
        return box_mesh(def, mesh, error);
    default:
        return own_mesh(def, mesh, error);
    }
}
