#include "io/body_faces.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "model/body_shape.h"
#include "model/scene.h"
#include "model/shape_mesh.h"
#include "world/world.h"

/* Round shapes have so many sides; where there are many shapes, fewer: each of their points is written in each frame. */
enum { SIDES = 48, FEW_SIDES = 16, MANY_SHAPES = 100 };

static cab_status grow(void **array, size_t count, size_t size, cab_error *error)
{
    void *more = realloc(*array, (count + 1) * size);
    if (!more) return cab_fail_memory(error, "shapes of bodies", count * size);
    *array = more;
    return CAB_OK;
}

static cab_status make_room(cab_body_faces *f, const cab_mesh *mesh, cab_error *error)
{
    size_t points = (size_t)(f->points + mesh->vertex_count),
           faces = (size_t)(f->faces + mesh->triangle_count);
    cab_status status = grow((void **)&f->point, points, sizeof *f->point, error);
    if (!status) status = grow((void **)&f->point_body, points, sizeof *f->point_body, error);
    if (!status) status = grow((void **)&f->corner, 3 * faces, sizeof *f->corner, error);
    return status ? status : grow((void **)&f->face_body, faces, sizeof *f->face_body, error);
}

static void add_mesh(cab_body_faces *f, const cab_mesh *mesh, cab_vec3 center, int body)
{
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        f->corner[3 * f->faces + i] = f->points + mesh->triangles[i];
    for (int i = 0; i < mesh->triangle_count; i++) f->face_body[f->faces++] = body;
    for (int i = 0; i < mesh->vertex_count; i++) {
        f->point[f->points] = cab_vec3_add(center, mesh->vertices[i]);
        f->point_body[f->points++] = body;
    }
}

static cab_status add_body(cab_body_faces *f, const cab_body_def *def, int body, int sides, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int k = 0; k < def->shape_count && !status; k++) {
        cab_collider_def shape = cab_body_shape_collider(&def->shapes[k]);
        cab_mesh mesh = {0};
        status = cab_shape_mesh(&shape, sides, &mesh, error);
        if (!status) status = make_room(f, &mesh, error);
        if (!status) add_mesh(f, &mesh, shape.center, body);
        cab_mesh_free(&mesh);
    }
    return status;
}

cab_status cab_body_faces_make(const cab_world *world, cab_body_faces *faces, cab_error *error)
{
    int count = cab_world_get_bodies(world, NULL, 0), shapes = 0;
    cab_body_info *infos;
    *faces = (cab_body_faces){0};
    if (count == 0) return CAB_OK;
    const cab_scene *scene = world->model->scene;
    cab_status status = CAB_NEW(infos, count, error);
    if (status) return status;
    cab_world_get_bodies(world, infos, count);
    for (int i = 0; i < count; i++) shapes += scene->bodies[infos[i].body].shape_count;
    int sides = shapes > MANY_SHAPES ? FEW_SIDES : SIDES;
    for (int i = 0; i < count && !status; i++)
        status = add_body(faces, &scene->bodies[infos[i].body], i, sides, error);
    CAB_FREE(infos);
    if (status) cab_body_faces_free(faces);
    return status;
}

void cab_body_faces_free(cab_body_faces *f)
{
    CAB_FREE(f->point, f->point_body, f->corner, f->face_body);
    *f = (cab_body_faces){0};
}
