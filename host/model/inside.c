/* Where cables start inside of colliders, or lie in a gap that is too narrow for them. */
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "model/model.h"
#include "model/led.h"
#include "model/pose.h"
#include "model/rigid.h"
#include "model/scene.h"

#define global /* the functions of distances are written as kernels */
#include "kernels/geometry.h"
#include "kernels/mesh.h"
#undef global

#define DEEP 0.5        /* radii; less is pushed out at once */
#define NARROW 0.05     /* of the thickness by which a gap may be narrower */
#define WORK_MOST 2e7   /* distances from shapes, */
#define WORK_MESHES 2e5 /* and from meshes: beyond that nothing is looked for */
#define TEXT_SIZE 512

/* A collider at a time. */
typedef struct solid {
    const cab_model *model;
    int index;
    cab_collider placed;
} solid;

static solid solid_at(const cab_model *m, int index, double t)
{
    solid s = {m, index, m->collider[index]};
    cab_pose pose = cab_model_collider_pose(m, index, t);
    cab_pose_place(&m->scene->colliders[index], &pose, &pose, &s.placed);
    return s;
}

/* How far a point is outside, m; negative inside. *out: away from the surface, a unit vector. */
static double outside(const solid *s, cab_vec3 x, cab_vec3 *out)
{
    vec3 place = vec3_make((float)x.x, (float)x.y, (float)x.z), none = vec3_make(0, 0, 0);
    cab_outside found;
    if (s->placed.shape == CAB_SHAPE_IS_MESH) {
        const cab_mesh_tables *t = &s->model->meshes;
        cab_meshes meshes = {t->node, t->triangle, t->edge, t->triangle_edge};
        vec3 centre = vec3_make(s->placed.cx, s->placed.cy, s->placed.cz);
        found = cab_outside_mesh(&s->placed, &meshes, vec3_sub(place, centre));
    } else {
        found = cab_outside_collider(&s->placed, place, none);
    }
    *out = (cab_vec3){(double)found.normal.x, (double)found.normal.y, (double)found.normal.z};
    return (double)found.distance;
}

double cab_model_outside(const cab_model *m, int collider, cab_vec3 place)
{
    solid s = solid_at(m, collider, 0);
    cab_vec3 unused;
    return outside(&s, place, &unused);
}

void cab_model_outside_each(const cab_model *m, int collider, const int *particle, int count, double *out)
{
    solid s = solid_at(m, collider, 0);
    cab_vec3 unused;
    for (int i = 0; i < count; i++) out[i] = outside(&s, m->place[particle[i]], &unused);
}

/* The model's segment at a node, of whose radius it is; -1 = none, or it may be in this collider. */
static int segment_of(const cab_model *m, const cab_body *cable, int node, int collider)
{
    int s = cable->first_segment + (node < cable->node_count - 1 ? node : node - 1);
    int group = m->scene->colliders[collider].group;
    if (group != CAB_GROUP_ALL && group != cable->group) return -1;
    for (int beside = s - 1; beside <= s + 1; beside++) {
        if (beside < cable->first_segment || beside >= cable->first_segment + cable->segment_count) continue;
        if (cab_model_is_excluded(m, beside, -1 - collider)) return -1;
    }
    return s;
}

/* ---- inside ---- */

typedef struct depth {
    double radii;
    int collider, cable, node;
    double metres;
} depth;

static void find_depth(const cab_model *m, const solid *s, int b, depth *worst)
{
    const cab_body *cable = &m->bodies[b];
    for (int node = 0; node < cable->node_count; node++) {
        int segment = segment_of(m, cable, node, s->index);
        if (segment < 0) continue;
        cab_vec3 out;
        double radius = m->segment[segment].radius,
               deep = radius - outside(s, m->place[m->node_particle[cable->first_node + node]], &out);
        if (deep / radius > worst->radii) *worst = (depth){deep / radius, s->index, b, node, deep};
    }
}

/* One warning a cable of the scene. */
static void warn_deep(const cab_model *m, cab_warn *warn, void *user)
{
    depth worst = {.radii = DEEP};
    for (int b = 0; b < m->cable_count; b++) {
        if (cab_model_is_first_copy(m, b)) worst = (depth){.radii = DEEP, .node = -1};
        for (int c = 0; c < m->collider_count; c++) {
            solid s = solid_at(m, c, 0);
            find_depth(m, &s, b, &worst);
        }
        bool last_copy = b + 1 == m->cable_count || cab_model_is_first_copy(m, b + 1);
        if (!last_copy || worst.node < 0) continue;
        char name[256], text[TEXT_SIZE];
        cab_model_body_name(m, worst.cable, name, sizeof name);
        snprintf(text, sizeof text,
                 "/cables/%d: cable \"%s\" starts inside or behind %s: particle %d is %.4g m "
                 "(%.3g radii) deep, "
                 "and will be pushed out",
                 m->bodies[b].scene_index, name, cab_collider_pointer(m, worst.collider).text, worst.node,
                 worst.metres, worst.radii);
        warn(user, text);
    }
}

/* ---- gaps ---- */

/* The gap between two colliders where a place lies between them at the start: from the foot of the place on one to the
 * other one. INFINITY: it does not lie between them. */
static double gap_at(const solid *one, const solid *other, const solid *other_then, cab_vec3 place)
{
    cab_vec3 up, away, unused;
    double below = outside(one, place, &up), above = outside(other, place, &away);
    if (below < 0 || above < 0 || cab_vec3_dot(up, away) > -0.9) return INFINITY;
    cab_vec3 foot = cab_vec3_add_scaled(place, -below, up);
    return outside(other_then, foot, &unused);
}

static void tell_gap(const cab_model *m, int b, int one, int other, double gap, double t, cab_warn *warn,
                     void *user)
{
    char name[256], text[TEXT_SIZE];
    const cab_body *cable = &m->bodies[b];
    cab_model_body_name(m, b, name, sizeof name);
    double thick = 2 * m->segment[cable->first_segment].radius;
    snprintf(text, sizeof text,
             "%s: at %.4g s only %.4g m are left between it and %s, where cable \"%s\" "
             "of %.4g m lies",
             cab_collider_pointer(m, other).text, t, fmax(0, gap), cab_collider_pointer(m, one).text, name,
             thick);
    warn(user, text);
}

/* Where a cable lies between two colliders: is there room at all keyframes of the second one? */
static bool warn_gap(const cab_model *m, int b, int one, int other, cab_warn *warn, void *user)
{
    const cab_body *cable = &m->bodies[b];
    const cab_collider_def *def = &m->scene->colliders[other];
    solid first = solid_at(m, one, 0), second = solid_at(m, other, 0);
    double worst = INFINITY, at = 0, thick = 2 * (double)m->segment[cable->first_segment].radius;
    for (int k = -1; k < def->keyframe_count; k++) {
        double t = k < 0 ? 0 : def->keyframes[k].t;
        if (t < 0 || t > m->scene->settings.duration) continue;
        solid then = solid_at(m, other, t);
        for (int node = 0; node < cable->node_count; node++) {
            if (segment_of(m, cable, node, one) < 0 || segment_of(m, cable, node, other) < 0) continue;
            double gap = gap_at(&first, &second, &then, m->place[m->node_particle[cable->first_node + node]]);
            if (gap < worst) worst = gap, at = t;
        }
    }
    if (!(worst < (1 - NARROW) * thick)) return false;
    tell_gap(m, b, one, other, worst, at, warn, user);
    return true;
}

/* One warning a cable of the scene. What moves is looked at from what stays. */
static void warn_narrow(const cab_model *m, cab_warn *warn, void *user)
{
    for (int b = 0; b < m->cable_count; b++) {
        bool told = !cab_model_is_first_copy(m, b);
        for (int one = 0; one < m->collider_count && !told; one++)
            for (int other = 0; other < m->collider_count && !told; other++)
                told = one != other && !m->scene->colliders[one].keyframe_count &&
                       (other > one || m->scene->colliders[other].keyframe_count) &&
                       warn_gap(m, b, one, other, warn, user);
    }
}

void cab_model_warn_inside(const cab_model *m, cab_warn *warn, void *user)
{
    double nodes = m->node_count, most = WORK_MOST;
    for (int c = 0; c < m->collider_count; c++)
        if (m->scene->colliders[c].shape == CAB_SHAPE_MESH) most = WORK_MESHES;
    if (!m->collider_count || !m->exclude_start) return;
    if (nodes * m->collider_count <= most) warn_deep(m, warn, user);
    if (nodes * m->collider_count * m->collider_count <= most) warn_narrow(m, warn, user);
}
