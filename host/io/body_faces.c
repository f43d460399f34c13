#include "io/body_faces.h"

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "model/body_shape.h"
#include "model/scene.h"
#include "model/shape_mesh.h"
#include "world/world.h"

/* Round shapes have so many sides; where there are many shapes, fewer: each of their points is written in each frame. */
enum { SIDES = 48, FEW_SIDES = 16, MANY_SHAPES = 100 };

static cab_status make_room(cab_body_faces *f, int points, int faces, cab_error *error)
{
    cab_status status = CAB_RESIZE(f->point, f->points + points, error);
    if (!status) status = CAB_RESIZE(f->point_body, f->points + points, error);
    if (!status) status = CAB_RESIZE(f->corner, 3 * (f->faces + faces), error);
    return status ? status : CAB_RESIZE(f->face_body, f->faces + faces, error);
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
        if (!status) status = make_room(f, mesh.vertex_count, mesh.triangle_count, error);
        if (!status) add_mesh(f, &mesh, shape.center, body);
        cab_mesh_free(&mesh);
    }
    return status;
}

/* The same as the body before, of which it is a copy: those from `point` and `face` on. */
static cab_status repeat_body(cab_body_faces *f, int body, int point, int face, cab_error *error)
{
    int points = f->points - point, faces = f->faces - face;
    cab_status status = make_room(f, points, faces, error);
    if (status) return status;
    for (int i = 0; i < 3 * faces; i++) f->corner[3 * f->faces + i] = f->corner[3 * face + i] + points;
    for (int i = 0; i < faces; i++) f->face_body[f->faces++] = body;
    for (int i = 0; i < points; i++) {
        f->point[f->points] = f->point[point + i];
        f->point_body[f->points++] = body;
    }
    return CAB_OK;
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
    for (int i = 0, point = 0, face = 0; i < count && !status; i++) {
        int points = faces->points, all = faces->faces;
        if (i > 0 && infos[i - 1].body == infos[i].body)
            status = repeat_body(faces, i, point, face, error);
        else
            status = add_body(faces, &scene->bodies[infos[i].body], i, sides, error);
        point = points, face = all;
    }
    CAB_FREE(infos);
    if (status) cab_body_faces_free(faces);
    return status;
}

void cab_body_faces_free(cab_body_faces *f)
{
    CAB_FREE(f->point, f->point_body, f->corner, f->face_body);
    *f = (cab_body_faces){0};
}
