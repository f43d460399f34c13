/* The smallest distances of cables from one another and from colliders, by a grid of segments on the host. */
#include "contact/clearance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/array.h"
#include "base/closest.h"
#include "base/vec3.h"
#include "model/pose.h"
#include "model/scene.h"
#include "world/colliders.h"
#include "world/world.h"

#define global /* the functions of distances are written as kernels */
#include "kernels/geometry.h"
#include "kernels/mesh.h"
#undef global

#define MESH_EXACT 1e-4 /* m */

/* A segment of a cable at its present place. */
typedef struct capsule {
    int segment; /* index in the model */
    int cable, node;
    cab_line axis;
    double radius, length;
} capsule;

/* The capsules in the cells of their midpoints. Cells are hashed into slots. */
typedef struct grid {
    double cell;  /* m; two capsules within range lie in neighbouring cells */
    int slots;    /* a power of two */
    int *start;   /* [slots + 1] */
    int *capsule; /* by slot */
} grid;

/* A particle that a cable shares with another cable or with itself. */
typedef struct joint {
    int particle;
    double arc; /* arc of the cable there, m */
} joint;

typedef struct search {
    const cab_model *model;
    capsule *capsules;
    int count;
    int *joint_start; /* [cables + 1] */
    joint *joints;
    double range;
} search;

static cab_vec3 point_of(const capsule *p, double s)
{
    return cab_line_point(&p->axis, s);
}

static cab_status collect(search *s, cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t rows = (size_t)m->node_count;
    double *x = malloc((3 * rows + 1) * sizeof *x);
    s->capsules = malloc(((size_t)m->segment_count + 1) * sizeof *s->capsules);
    if (!x || !s->capsules) {
        free(x);
        return cab_fail_memory(error, "clearances", rows * sizeof *s->capsules);
    }
    cab_status status = cab_world_read(world, x, NULL, NULL, error);
    for (int i = 0; i < m->segment_count && status == CAB_OK; i++) {
        const cab_edge *e = &m->edge[i];
        if (e->body >= m->cable_count) break; /* sheets come last */
        const double *a = x + 3 * (size_t)e->a, *b = x + 3 * (size_t)e->b;
        cab_vec3 span = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        s->capsules[s->count++] = (capsule){i,
                                            e->body,
                                            e->a,
                                            {{a[0], a[1], a[2]}, span},
                                            (double)m->segment[i].radius,
                                            cab_vec3_length(span)};
    }
    free(x);
    return status;
}

/* Lists particles that more than one node of a cable has: these are joints. */
static cab_status find_joints(search *s, cab_error *error)
{
    const cab_model *m = s->model;
    size_t nodes = (size_t)m->node_count;
    int *shared = calloc((size_t)m->particle_count + 1, sizeof *shared);
    s->joint_start = calloc((size_t)m->cable_count + 1, sizeof *s->joint_start);
    s->joints = malloc((nodes + 1) * sizeof *s->joints);
    if (!shared || !s->joint_start || !s->joints) {
        free(shared);
        return cab_fail_memory(error, "clearances", nodes * sizeof *s->joints);
    }
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < m->cable_count; c++) {
            const cab_body *cable = &m->bodies[c];
            s->joint_start[c] = count;
            for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
                int particle = m->node_particle[node];
                if (!pass)
                    shared[particle]++;
                else if (shared[particle] > 1)
                    s->joints[count++] = (joint){particle, m->node_arc[node]};
            }
        }
    }
    s->joint_start[m->cable_count] = count;
    free(shared);
    return CAB_OK;
}

static int slot_of(const grid *g, long x, long y, long z)
{
    unsigned long hash =
        (unsigned long)x * 73856093UL ^ (unsigned long)y * 19349663UL ^ (unsigned long)z * 83492791UL;
    return (int)(hash & (unsigned long)(g->slots - 1));
}

static void cell_of(const grid *g, const capsule *p, long cell[3])
{
    cab_vec3 middle = point_of(p, 0.5);
    cell[0] = (long)floor(middle.x / g->cell);
    cell[1] = (long)floor(middle.y / g->cell);
    cell[2] = (long)floor(middle.z / g->cell);
}

static cab_status make_grid(grid *g, const search *s, cab_error *error)
{
    double reach = 0;
    for (int i = 0; i < s->count; i++) reach = fmax(reach, s->capsules[i].length + 2 * s->capsules[i].radius);
    *g = (grid){.cell = reach + s->range, .slots = 1};
    while (g->slots < 2 * s->count) g->slots *= 2;
    g->start = calloc((size_t)g->slots + 1, sizeof *g->start);
    g->capsule = malloc(((size_t)s->count + 1) * sizeof *g->capsule);
    if (!g->start || !g->capsule)
        return cab_fail_memory(error, "clearances", (size_t)g->slots * sizeof *g->start);
    long c[3];
    for (int i = 0; i < s->count; i++) {
        cell_of(g, &s->capsules[i], c);
        g->start[slot_of(g, c[0], c[1], c[2]) + 1]++;
    }
    for (int i = 0; i < g->slots; i++) g->start[i + 1] += g->start[i];
    for (int i = s->count - 1; i >= 0; i--) {
        cell_of(g, &s->capsules[i], c);
        g->capsule[--g->start[slot_of(g, c[0], c[1], c[2]) + 1]] = i;
    }
    /* The loop above has moved each start by one slot. */
    memmove(g->start, g->start + 1, (size_t)g->slots * sizeof *g->start);
    g->start[g->slots] = s->count;
    return CAB_OK;
}

/* The shortest arc between two places along cables, through at most one joint, or INFINITY. */
static double arc_between(const search *s, int cable, double arc, int other, double other_arc)
{
    double least = cable == other ? fabs(arc - other_arc) : INFINITY;
    for (int i = s->joint_start[cable]; i < s->joint_start[cable + 1]; i++) {
        const joint *here = &s->joints[i];
        for (int k = s->joint_start[other]; k < s->joint_start[other + 1]; k++) {
            const joint *there = &s->joints[k];
            if (here->particle == there->particle)
                least = fmin(least, fabs(arc - here->arc) + fabs(other_arc - there->arc));
        }
    }
    return least;
}

/* Two places that are neighbours along a cable, or through a joint, are always near to each other. They count
 * only where the cable turns back: at a right angle the arc is 1.41 times the distance, on a half circle
 * 1.57. */
static bool counts(const search *s, const capsule *p, const capsule *q, const cab_approach *c)
{
    const cab_segment *a = &s->model->segment[p->segment], *b = &s->model->segment[q->segment];
    double arc = arc_between(s, p->cable, (double)a->arc + c->s * (double)a->rest, q->cable,
                             (double)b->arc + c->t * (double)b->rest);
    double near = p->radius + q->radius + fmax((double)a->rest, (double)b->rest); /* as for contact */
    return arc > fmax(1.5 * c->distance, near) && !cab_model_is_excluded(s->model, p->segment, q->segment);
}

static void note(cab_clearance *best, double distance, const capsule *p, double at, int other)
{
    if (!(distance < best->distance)) return;
    *best = (cab_clearance){distance, p->node, at, point_of(p, at), other};
}

static vec3 single(cab_vec3 v)
{
    return vec3_make((real)v.x, (real)v.y, (real)v.z);
}

static void compare(const search *s, const capsule *p, const capsule *q, cab_clearance *cables)
{
    const cab_body *bodies = s->model->bodies;
    if (bodies[p->cable].group != bodies[q->cable].group) return;
    double apart = cab_vec3_distance(point_of(p, 0.5), point_of(q, 0.5)), radii = p->radius + q->radius;
    if (apart - (p->length + q->length) / 2 - radii > s->range) return;
    cab_approach c = cab_approach_of(&p->axis, &q->axis);
    double distance = c.distance - radii;
    if (distance > s->range || !counts(s, p, q, &c)) return;
    note(&cables[p->cable], distance, p, c.s, q->cable);
    note(&cables[q->cable], distance, q, c.t, p->cable);
}

/* Compares a capsule with those before it in its cell and the neighbouring ones. A slot may also hold other
 * cells, whose capsules turn out to be far away, and two neighbouring cells may share a slot; comparing twice
 * does no harm. */
static void look_around(const search *s, const grid *g, int i, cab_clearance *cables)
{
    long c[3];
    cell_of(g, &s->capsules[i], c);
    for (int n = 0; n < 27; n++) {
        int slot = slot_of(g, c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1);
        for (int k = g->start[slot]; k < g->start[slot + 1]; k++)
            if (g->capsule[k] < i) compare(s, &s->capsules[i], &s->capsules[g->capsule[k]], cables);
    }
}

static cab_status to_cables(const search *s, cab_clearance *cables, cab_error *error)
{
    grid g = {0};
    cab_status status = make_grid(&g, s, error);
    for (int i = 0; i < s->count && status == CAB_OK; i++) look_around(s, &g, i, cables);
    free(g.start);
    free(g.capsule);
    return status;
}

typedef struct solid {
    cab_collider collider; /* at its present place */
    cab_meshes mesh;
} solid;

static double outside(const solid *c, cab_vec3 x)
{
    vec3 none = vec3_make(0, 0, 0);
    if (c->collider.shape == CAB_SHAPE_IS_MESH) {
        vec3 centre = vec3_make(c->collider.cx, c->collider.cy, c->collider.cz);
        return (double)cab_outside_mesh(&c->collider, &c->mesh, vec3_sub(single(x), centre)).distance;
    }
    return (double)cab_outside_collider(&c->collider, single(x), none).distance;
}

/* Along a line the distance to a convex shape has one minimum: ternary search to 1e-7 of the length. */
static double nearest_to_convex(const solid *c, const capsule *p, double *at)
{
    double low = 0, high = 1;
    for (int i = 0; i < 40; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (outside(c, point_of(p, a)) <= outside(c, point_of(p, b)))
            high = b;
        else
            low = a;
    }
    *at = (low + high) / 2;
    return outside(c, point_of(p, *at));
}

/* A distance changes by no more than the length moved, so halves without anything nearer are left out. Of a mesh and of a sheave, which
 * are not convex. */
static void nearest_to_hollow(const solid *c, const capsule *p, double low, double high, double *best,
                              double *at)
{
    double middle = (low + high) / 2, distance = outside(c, point_of(p, middle));
    if (distance < *best) {
        *best = distance;
        *at = middle;
    }
    double half = (high - low) / 2 * p->length;
    if (half < MESH_EXACT || distance - half > *best - MESH_EXACT) return;
    nearest_to_hollow(c, p, low, middle, best, at);
    nearest_to_hollow(c, p, middle, high, best, at);
}

struct cab_surroundings {
    const cab_model *model;
    solid *solids; /* [model->own_collider_count]: not of bodies, on which cables end */
};

static void approach(const cab_surroundings *around, int collider, const capsule *p, double range,
                     cab_clearance *best)
{
    const cab_model *m = around->model;
    const solid *c = &around->solids[collider];
    int group = m->scene->colliders[collider].group;
    if (group != CAB_GROUP_ALL && group != m->bodies[p->cable].group) return;
    double limit = fmin(range, best->distance) + p->radius, at = 0.5;
    if (outside(c, point_of(p, at)) - p->length / 2 > limit) return;
    if (cab_model_is_excluded(m, p->segment, -1 - collider)) return;
    double distance = limit;
    if (c->collider.shape == CAB_SHAPE_IS_MESH || c->collider.shape == CAB_SHAPE_IS_SHEAVE)
        nearest_to_hollow(c, p, 0, 1, &distance, &at);
    else
        distance = nearest_to_convex(c, p, &at);
    if (distance - p->radius <= range) note(best, distance - p->radius, p, at, collider);
}

cab_status cab_surroundings_take(const cab_world *world, cab_surroundings **around, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_mesh_tables *t = &m->meshes;
    cab_status status = CAB_NEW(*around, 1, error);
    if (status) return status;
    (*around)->model = m;
    status = CAB_NEW((*around)->solids, m->own_collider_count, error);
    for (int i = 0; i < m->own_collider_count && !status; i++)
        (*around)->solids[i] =
            (solid){cab_colliders_at_rest(world, i), {t->node, t->triangle, t->edge, t->triangle_edge}};
    return status;
}

void cab_surroundings_free(cab_surroundings *around)
{
    if (around) free(around->solids);
    free(around);
}

void cab_surroundings_approach(const cab_surroundings *around, int collider, int segment,
                               const cab_line *axis, double range, cab_clearance *best)
{
    const cab_edge *e = &around->model->edge[segment];
    capsule p = {segment,
                 e->body,
                 e->a,
                 *axis,
                 (double)around->model->segment[segment].radius,
                 cab_vec3_length(axis->span)};
    approach(around, collider, &p, range, best);
}

static cab_status to_colliders(const search *s, const cab_world *world, cab_clearance *colliders,
                               cab_error *error)
{
    cab_surroundings *around;
    cab_status status = cab_surroundings_take(world, &around, error);
    for (int i = 0; i < s->model->own_collider_count && !status; i++)
        for (int k = 0; k < s->count; k++)
            approach(around, i, &s->capsules[k], s->range, &colliders[s->capsules[k].cable]);
    cab_surroundings_free(around);
    return status;
}

static void begin(cab_clearance *list, int count)
{
    for (int i = 0; i < count; i++) list[i] = (cab_clearance){.distance = INFINITY, .node = -1, .other = -1};
}

cab_status cab_world_get_clearances(cab_world *world, double range, cab_clearance *cables,
                                    cab_clearance *colliders, cab_error *error)
{
    if (!(range > 0) || !isfinite(range))
        return cab_fail(error, CAB_ERROR_INPUT, "clearance: expected a range above 0 m, got %g", range);
    search s = {.model = world->model, .range = range};
    cab_status status = collect(&s, world, error);
    if (cables) begin(cables, s.model->cable_count);
    if (colliders) begin(colliders, s.model->cable_count);
    if (status == CAB_OK && cables) status = find_joints(&s, error);
    if (status == CAB_OK && cables) status = to_cables(&s, cables, error);
    if (status == CAB_OK && colliders) status = to_colliders(&s, world, colliders, error);
    CAB_FREE(s.capsules, s.joint_start, s.joints);
    return status;
}
