/* Lines in colliders that no centre line may cross. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "judge.h"
#include "model/pose.h"
#include "model/scene.h"

/* Deeper than half of what is inside is no honest overlap. */
#define DEEP 0.5
/* A box is crossed where it is, not at its edges, round which a cable bends. */
#define WITHIN 0.7

typedef struct maker {
    judge *j;
    int collider, room;
    bool failed;
} maker;

static void add_line(maker *m, cab_vec3 from, cab_vec3 to)
{
    judge *j = m->j;
    if (j->lines == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        core_line *grown = realloc(j->line, (size_t)m->room * sizeof *grown);
        if (!grown) {
            m->failed = true;
            return;
        }
        j->line = grown;
    }
    j->line[j->lines++] = (core_line){m->collider, {from, to}};
}

/* Twelve edges of a box a little smaller, and what joins the middles of its sides. */
static void add_box(maker *m, const cab_collider_def *def)
{
    const cab_pose turned = {{0, 0, 0},
                             {def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]}};
    const cab_collider_def origin = {0};
    const double *h = &def->half_extents.x;
    int thin = h[0] < h[1] ? (h[0] < h[2] ? 0 : 2) : (h[1] < h[2] ? 1 : 2);
    double half[3];
    for (int axis = 0; axis < 3; axis++) half[axis] = (axis == thin ? DEEP : WITHIN) * h[axis];
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 5; k++) { /* four edges, and the middle */
            cab_vec3 end[2];
            for (int e = 0; e < 2; e++) {
                double at[3];
                at[axis] = e ? half[axis] : -half[axis];
                at[(axis + 1) % 3] = k == 4 ? 0 : (k & 1 ? half[(axis + 1) % 3] : -half[(axis + 1) % 3]);
                at[(axis + 2) % 3] = k == 4 ? 0 : (k & 2 ? half[(axis + 2) % 3] : -half[(axis + 2) % 3]);
                end[e] = cab_pose_from_collider(&origin, &turned, (cab_vec3){at[0], at[1], at[2]});
            }
            add_line(m, end[0], end[1]);
        }
    }
}

static void add_sphere(maker *m, double radius)
{
    double r = DEEP * radius;
    add_line(m, (cab_vec3){-r, 0, 0}, (cab_vec3){r, 0, 0});
    add_line(m, (cab_vec3){0, -r, 0}, (cab_vec3){0, r, 0});
    add_line(m, (cab_vec3){0, 0, -r}, (cab_vec3){0, 0, r});
}

/* All edges: where a centre line meets one, all of its radius is in the mesh. */
static void add_mesh(maker *m, const cab_collider_def *def)
{
    const cab_pose turned = {{0, 0, 0},
                             {def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]}};
    const cab_collider_def origin = {0};
    for (int t = 0; t < def->mesh.triangle_count; t++) {
        cab_vec3 corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = cab_pose_from_collider(
                &origin, &turned,
                cab_vec3_scale(def->scale, def->mesh.vertices[def->mesh.triangles[3 * t + k]]));
        for (int k = 0; k < 3; k++) add_line(m, corner[k], corner[(k + 1) % 3]);
    }
}

bool core_make(judge *j, const cab_scene *scene)
{
    maker m = {.j = j};
    for (int c = 0; c < scene->collider_count; c++) {
        const cab_collider_def *def = &scene->colliders[c];
        m.collider = c;
        if (def->shape == CAB_SHAPE_CAPSULE)
            add_line(&m, (cab_vec3){0, 0, 0}, cab_vec3_sub(def->to, def->center));
        else if (def->shape == CAB_SHAPE_SPHERE)
            add_sphere(&m, def->radius);
        else if (def->shape == CAB_SHAPE_BOX)
            add_box(&m, def);
        else if (def->shape == CAB_SHAPE_MESH)
            add_mesh(&m, def);
    }
    return !m.failed;
}
