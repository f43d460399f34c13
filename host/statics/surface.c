#include "statics/surface.h"

#include <math.h>

#include "base/vec3.h"
#include "model/scene.h"

#define global /* the functions of distances are written as kernels */
#include "kernels/collide.h"
#undef global

static cab_meshes meshes_of(const cab_model *m)
{
    const cab_mesh_tables *t = &m->meshes;
    return (cab_meshes){t->node, t->triangle, t->edge, t->triangle_edge};
}

int cab_surface_count(const cab_model *m)
{
    return m->collider_count + m->meshes.edge_count;
}

/* Of an edge: its mesh. */
static int collider_of(const cab_model *m, int surface)
{
    return surface < m->collider_count ? surface : m->meshes.edge[surface - m->collider_count].collider;
}

bool cab_surface_is_plane(const cab_statics *s, int surface)
{
    return surface < s->model->collider_count && s->setup.collider[surface].shape == CAB_SHAPE_IS_PLANE;
}

/* A place in floats and what they leave out, so that near a collider no digit is lost. */
static vec3 single(cab_vec3 v, vec3 *rest)
{
    vec3 x = vec3_make((real)v.x, (real)v.y, (real)v.z);
    *rest = vec3_make((real)(v.x - (double)x.x), (real)(v.y - (double)x.y), (real)(v.z - (double)x.z));
    return x;
}

static cab_rod rod_of(const cab_statics *s, const cab_segment *segment)
{
    cab_rod r;
    r.x_a = single(s->x[segment->a], &r.start_a);
    r.x_b = single(s->x[segment->b], &r.start_b);
    r.end_a = r.start_a;
    r.end_b = r.start_b;
    return r;
}

bool cab_surface_is_near(const cab_statics *s, int surface, int segment, double range, cab_surface *about)
{
    const cab_model *m = s->model;
    const cab_segment *own = &m->segment[segment];
    int collider = collider_of(m, surface), group = m->scene->colliders[collider].group;
    if (!s->free[own->a] && !s->free[own->b]) return false;
    if (group != CAB_GROUP_ALL && group != m->bodies[own->cable].group) return false;
    cab_meshes mesh = meshes_of(m);
    cab_collider c = cab_candidate(surface, m->collider_count, s->setup.collider, &mesh, own->radius);
    *about = (cab_surface){c.shape, (double)s->setup.collider[collider].friction};
    cab_vec3 span = cab_vec3_sub(s->x[own->b], s->x[own->a]),
             middle = cab_vec3_add_scaled(s->x[own->a], 0.5, span);
    vec3 rest, x = single(middle, &rest);
    double distance;
    if (c.shape == CAB_SHAPE_IS_EDGE)
        distance = (double)vec3_length(cab_from_axis(&c, cab_from_collider(&c, x, rest)));
    else
        distance = (double)cab_point_outside(&c, &mesh, x, rest).distance;
    return distance - cab_vec3_length(span) / 2 - (double)own->radius <= range &&
           !cab_model_is_excluded(m, segment, -1 - collider);
}

double cab_surface_outside(const cab_statics *s, int surface, int segment, int place, double *at,
                           cab_vec3 *normal)
{
    const cab_model *m = s->model;
    const cab_segment *own = &m->segment[segment];
    cab_meshes mesh = meshes_of(m);
    cab_collider c = cab_candidate(surface, m->collider_count, s->setup.collider, &mesh, own->radius);
    if (c.shape == CAB_SHAPE_IS_PLANE) { /* in doubles: it is the one that cables lie on for long */
        cab_vec3 n = {(double)c.tx, (double)c.ty, (double)c.tz},
                 from = {(double)c.cx, (double)c.cy, (double)c.cz};
        *at = place;
        *normal = n;
        return cab_vec3_dot(cab_vec3_sub(s->x[place ? own->b : own->a], from), n);
    }
    cab_rod rod = rod_of(s, own);
    real share;
    cab_outside o = cab_rod_outside(&c, &mesh, &rod, place, 0, &share);
    *at = (double)share;
    if (!(vec3_dot(o.normal, o.normal) > 0)) return 1;
    *normal = (cab_vec3){(double)o.normal.x, (double)o.normal.y, (double)o.normal.z};
    return (double)o.distance;
}
