/* What contact needs to know beforehand: segments, which of them meet at a particle, colliders, and pairs
 * that never count because they are neighbours through a joint or sit at their attachment. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/led.h"
#include "model/pose.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "model/sheave.h"

static void fill_segments(cab_model *model)
{
    for (int i = 0; i < model->segment_count; i++) {
        const cab_edge *e = &model->edge[i];
        const cab_material_def *material = &model->section[e->section].def;
        model->segment[i] = (cab_segment){
            .a = model->node_particle[e->a],
            .b = model->node_particle[e->b],
            .cable = e->body,
            .owner = (material->constant_volume ? CAB_SEGMENT_THINS : 0) | model->bodies[e->body].group
                                                                               << CAB_SEGMENT_GROUP,
            .radius = (float)material->radius,
            .rest = (float)e->rest,
            .arc = (float)e->arc,
        };
    }
}

/* incident lists, and the first segment at a particle owns its contacts with colliders. */
static void fill_incidence(cab_model *model)
{
    int *start = model->incident_start, n = model->particle_count;
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int s = 0; s < model->segment_count; s++) {
        start[model->segment[s].a + 1]++;
        start[model->segment[s].b + 1]++;
    }
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (int s = 0; s < model->segment_count; s++) {
        model->incident[start[model->segment[s].a]++] = 2 * s;
        model->incident[start[model->segment[s].b]++] = 2 * s + 1;
    }
    for (int i = n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
    for (int i = 0; i < n; i++) {
        if (start[i] == start[i + 1]) continue;
        int first = model->incident[start[i]];
        model->segment[first >> 1].owner |= 1 << (first & 1);
    }
}

cab_status cab_model_update_incidence(cab_model *model, cab_error *error)
{
    (void)error;
    fill_segments(model);
    fill_incidence(model);
    cab_model_set_parameters(model);
    return CAB_OK;
}

static cab_status add_mesh(cab_model *model, int i, cab_error *error)
{
    const cab_collider_def *def = &model->scene->colliders[i];
    cab_error fault = {0};
    cab_status status =
        cab_mesh_add(&model->meshes, &def->mesh, def->scale, i, &model->mesh_facts[i], &fault);
    if (status != CAB_OK)
        return cab_fail(error, status, "%s: /colliders/%d: %s", model->scene->source, i, fault.message);
    model->collider[i].radius = (float)model->mesh_facts[i].extent;
    model->collider[i].node = model->mesh_facts[i].root;
    model->collider[i].solid = model->mesh_facts[i].watertight;
    return CAB_OK;
}

/* Each collider's body: 1 + b of one that forces move, -1 - b of one that is led. */
static void name_bodies(cab_model *model)
{
    for (int b = 0; b < cab_model_all_rigid(model); b++)
        for (int k = 0; k < model->rigid[b].shape_count; k++)
            model->collider[model->rigid[b].collider + k].rigid = b < model->rigid_count ? b + 1 : -1 - b;
}

static cab_status fill_colliders(cab_model *model, cab_error *error)
{
    cab_status status = CAB_OK;
    name_bodies(model);
    for (int i = 0; status == CAB_OK && i < model->collider_count; i++) {
        const cab_collider_def *def = &model->scene->colliders[i];
        cab_pose pose = cab_model_collider_pose(model, i, 0);
        model->collider[i] = (cab_collider){.shape = (int)def->shape,
                                            .friction = (float)def->friction,
                                            .radius = (float)def->radius,
                                            .group = def->group,
                                            .rigid = model->collider[i].rigid};
        if (def->shape == CAB_SHAPE_MESH) status = add_mesh(model, i, error);
        if (def->shape == CAB_SHAPE_SHEAVE) {
            cab_sheave sheave = cab_sheave_of(def->center, def->to, def->radius, &def->groove);
            cab_sheave_store(&sheave, &model->collider[i]);
        }
        cab_pose_place(def, &pose, &pose, &model->collider[i]);
    }
    return status;
}

static int count_groups(const cab_model *model)
{
    int groups = 0;
    for (int b = 0; b < model->body_count; b++)
        if (model->bodies[b].group >= groups) groups = model->bodies[b].group + 1;
    for (int i = 0; i < model->collider_count; i++)
        if (model->scene->colliders[i].group >= groups) groups = model->scene->colliders[i].group + 1;
    return groups;
}

/* Does a group have two bodies? */
static cab_status look_for_company(cab_model *model, int groups, cab_error *error)
{
    bool *seen;
    cab_status status = CAB_NEW(seen, groups, error);
    for (int b = 0; status == CAB_OK && b < model->body_count; b++) {
        model->bodies_meet = model->bodies_meet || seen[model->bodies[b].group];
        seen[model->bodies[b].group] = true;
    }
    free(seen);
    return status;
}

/* Colliders by group, those of all groups first; in each in the order of the scene. */
static cab_status list_groups(cab_model *model, cab_error *error)
{
    int groups = count_groups(model), head = groups + 2;
    model->group_collider_count = head + model->collider_count;
    cab_status status = CAB_NEW(model->group_collider, model->group_collider_count, error);
    if (status != CAB_OK) return status;
    int *list = model->group_collider;
    for (int i = 0; i < model->collider_count; i++) list[model->scene->colliders[i].group + 2]++;
    list[0] = head;
    for (int k = 1; k < head; k++) list[k] += list[k - 1];
    for (int i = 0; i < model->collider_count; i++) {
        int *next = &list[model->scene->colliders[i].group + 1]; /* ends where its part does */
        list[(*next)++] = i;
    }
    for (int k = head - 1; k > 0; k--) list[k] = list[k - 1];
    list[0] = head;
    return look_for_company(model, groups, error);
}

/* A walk over the graph of particles and segments: how far, and over how many segments. */
typedef struct cab_visit {
    int particle, hops;
    double arc;
} cab_visit;

typedef struct cab_walk {
    cab_visit *visits;
    int count, room;
} cab_walk;

static cab_status visit(cab_walk *walk, int particle, int hops, double arc, cab_error *error)
{
    for (int i = 0; i < walk->count; i++) {
        cab_visit *v = &walk->visits[i];
        if (v->particle == particle && v->hops <= hops && v->arc <= arc) return CAB_OK;
    }
    cab_status status = CAB_ROOM(walk->visits, walk->room, walk->count + 1, error);
    if (!status) walk->visits[walk->count++] = (cab_visit){particle, hops, arc};
    return status;
}

typedef struct cab_exclusions {
    int (*pair)[2]; /* a segment, the other */
    int count, room;
} cab_exclusions;

static cab_status exclude(cab_exclusions *list, int segment, int other, cab_error *error)
{
    cab_status status = CAB_ROOM(list->pair, list->room, list->count + 1, error);
    if (status != CAB_OK) return status;
    list->pair[list->count][0] = segment;
    list->pair[list->count++][1] = other;
    return CAB_OK;
}

/* The arc under which two segments never touch: 2 r + one segment. */
static double near_arc(const cab_segment *s, const cab_segment *t)
{
    return (double)s->radius + t->radius + fmax(s->rest, t->rest);
}

/* Walks on from the visits in `walk`; calls exclude for each segment met that is too near `from` (a segment),
 * or for from < 0 for each one within its own arc, as -1 - collider. */
static cab_status walk_on(const cab_model *model, cab_walk *walk, int from, int collider, double reach,
                          cab_exclusions *list, cab_error *error)
{
    for (int i = 0; i < walk->count; i++) {
        cab_visit v = walk->visits[i];
        for (int k = model->incident_start[v.particle]; k < model->incident_start[v.particle + 1]; k++) {
            int t = model->incident[k] >> 1;
            const cab_segment *seg = &model->segment[t];
            cab_status status = CAB_OK;
            if (from >= 0) {
                bool near = v.hops < 2 || v.arc < near_arc(&model->segment[from], seg);
                if (t != from && near) status = exclude(list, from, t, error);
            } else if (v.arc < 2 * (double)seg->radius + (model->collider[collider].rigid ? 0 : seg->rest)) {
                status = exclude(list, t, -1 - collider, error);
            }
            int next = seg->a == v.particle ? seg->b : seg->a;
            double arc = v.arc + seg->rest;
            if (status == CAB_OK && t != from && (arc < reach || (from >= 0 && v.hops < 1)))
                status = visit(walk, next, v.hops + 1, arc, error);
            if (status != CAB_OK) return status;
        }
    }
    return CAB_OK;
}

static int by_pair(const void *x, const void *y)
{
    const int *a = x, *b = y;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

static cab_status store_exclusions(cab_model *model, cab_exclusions *list, cab_error *error)
{
    if (list->count > 0) qsort(list->pair, (size_t)list->count, sizeof *list->pair, by_pair);
    CAB_FREE(model->exclude, model->exclude_start);
    cab_status status = CAB_NEW(model->exclude, list->count, error);
    if (status == CAB_OK) status = CAB_NEW(model->exclude_start, model->segment_count + 1, error);
    if (status != CAB_OK) return status;
    int kept = 0;
    for (int i = 0, s = 0; s < model->segment_count; s++) {
        model->exclude_start[s] = kept;
        for (; i < list->count && list->pair[i][0] == s; i++) {
            if (i > 0 && by_pair(list->pair[i], list->pair[i - 1]) == 0) continue;
            model->exclude[kept++] = list->pair[i][1];
        }
    }
    model->exclude_start[model->segment_count] = kept;
    return CAB_OK;
}

/* Bodies with a joint: only there can a neighbour be on another cable, or on the same one by another way. */
static cab_status mark_joined(const cab_model *model, bool **joined, cab_error *error)
{
    int *uses;
    cab_status status = CAB_NEW(uses, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(*joined, model->body_count, error);
    for (int i = 0; status == CAB_OK && i < model->node_count; i++) uses[model->node_particle[i]]++;
    for (int c = 0; status == CAB_OK && c < model->body_count; c++) {
        const cab_body *cable = &model->bodies[c];
        for (int i = 0; i < cable->node_count; i++)
            if (uses[model->node_particle[cable->first_node + i]] > 1) (*joined)[c] = true;
    }
    free(uses);
    return status;
}

static cab_status exclude_neighbours(const cab_model *model, cab_walk *walk, cab_exclusions *list,
                                     cab_error *error)
{
    bool *joined = NULL;
    double radius = 0, rest = 0;
    for (int s = 0; s < model->segment_count; s++) {
        radius = fmax(radius, model->segment[s].radius);
        rest = fmax(rest, model->segment[s].rest);
    }
    cab_status status = mark_joined(model, &joined, error);
    for (int s = 0; status == CAB_OK && s < model->segment_count; s++) {
        const cab_segment *seg = &model->segment[s];
        if (!joined[seg->cable]) continue;
        walk->count = 0;
        status = visit(walk, seg->a, 0, 0, error);
        if (status == CAB_OK) status = visit(walk, seg->b, 0, 0, error);
        if (status == CAB_OK) status = walk_on(model, walk, s, -1, seg->radius + radius + rest, list, error);
    }
    free(joined);
    return status;
}

#define CLEAR 0.02 /* of the radius: by so much an end may be drawn too near */

/* Does a cable end beside a shape of a body, and not in it? Then it may touch that like any other. */
static bool is_clear(const cab_model *model, const cab_model_attachment *a, int collider, double radius)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    cab_vec3 place = def->at_point && a->rigid >= 0
                         ? cab_rigid_point(model, &model->rigid[a->rigid], def->point)
                     : a->led >= 0 ? cab_model_target(model, a, 0)
                                   : model->place[model->node_particle[a->node]];
    return cab_model_outside(model, collider, place) > (1 - CLEAR) * radius;
}

static cab_status exclude_attached(const cab_model *model, cab_walk *walk, cab_exclusions *list,
                                   cab_error *error)
{
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
        int body = a->rigid >= 0 ? a->rigid : a->led;
        if (a->broken || (def->to != CAB_TARGET_COLLIDER && body < 0)) continue;
        cab_range on = {cab_scene_find_collider(model->scene, def->target), 1};
        if (body >= 0) on = (cab_range){model->rigid[body].collider, model->rigid[body].shape_count};
        int p = model->node_particle[a->node];
        const cab_segment *near = &model->segment[model->incident[model->incident_start[p]] >> 1];
        double rest = near->rest;
        for (int k = on.first; k < on.first + on.count; k++) {
            if (body >= 0 && is_clear(model, a, k, (double)near->radius)) continue;
            walk->count = 0;
            cab_status status = visit(walk, p, 0, 0, error);
            if (status == CAB_OK)
                status = walk_on(model, walk, -1, k, 2 * (double)near->radius + 2 * rest, list, error);
            if (status != CAB_OK) return status;
        }
    }
    return CAB_OK;
}

#define STUCK_MOST 512 /* particles: a longer way through a collider counts as one that never comes out */

/* Visits a particle and, along cables, those that are no further from it than `reach`, or are drawn inside the collider. *leaves: a way
 * through the collider comes out of it. */
static cab_status walk_inside(const cab_model *model, int particle, int collider, double reach,
                              cab_walk *walk, bool *leaves, cab_error *error)
{
    *leaves = false;
    walk->count = 0;
    cab_status status = visit(walk, particle, 0, 0, error);
    for (int i = 0; i < walk->count && walk->count < STUCK_MOST; i++) {
        cab_visit v = walk->visits[i];
        for (int k = model->incident_start[v.particle]; k < model->incident_start[v.particle + 1]; k++) {
            const cab_segment *segment = &model->segment[model->incident[k] >> 1];
            int next = segment->a == v.particle ? segment->b : segment->a;
            double arc = v.arc + segment->rest;
            bool inside = cab_model_outside(model, collider, model->place[next]) < 0;
            *leaves = *leaves || !inside;
            if (status == CAB_OK && (inside || arc < reach))
                status = visit(walk, next, v.hops + 1, arc, error);
        }
    }
    *leaves = *leaves && walk->count < STUCK_MOST;
    return status;
}

/* Excludes a collider for what is drawn in it, from a particle that is held there until the cable comes out. Where it never does, it is
 * pushed out, but for what cannot come out: what is nearer to the particle along the cable than that is deep, since the distance from
 * a collider changes by no more than the way. */
static cab_status exclude_stuck(const cab_model *model, int particle, int collider, double deep,
                                cab_walk *walk, cab_exclusions *list, cab_error *error)
{
    bool leaves;
    cab_status status = walk_inside(model, particle, collider, deep, walk, &leaves, error);
    for (int i = 0; i < walk->count; i++) {
        const cab_visit *v = &walk->visits[i];
        if (!leaves && v->arc >= deep) continue;
        for (int k = model->incident_start[v->particle];
             status == CAB_OK && k < model->incident_start[v->particle + 1]; k++)
            status = exclude(list, model->incident[k] >> 1, -1 - collider, error);
    }
    return status;
}

/* Is it held at a place of its own? What is held by a collider or a body has its own exclusions. */
static bool is_held_in_space(const cab_model *model, const cab_model_attachment *a)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    int p = model->node_particle[a->node];
    return !a->broken && !a->joint && a->rigid < 0 && a->led < 0 && def->to != CAB_TARGET_COLLIDER &&
           model->held[p] >= 0 && model->incident_start[p] < model->incident_start[p + 1];
}

static double radius_at(const cab_model *model, int particle)
{
    return (double)model->segment[model->incident[model->incident_start[particle]] >> 1].radius;
}

static cab_status exclude_held_inside(const cab_model *model, cab_walk *walk, cab_exclusions *list,
                                      cab_error *error)
{
    int count = 0, *held;
    double *outside = NULL;
    cab_status status = CAB_NEW(held, model->attachment_count, error);
    if (status == CAB_OK) status = CAB_NEW(outside, model->attachment_count, error);
    for (int i = 0; status == CAB_OK && i < model->attachment_count; i++) {
        if (is_held_in_space(model, &model->attachments[i]))
            held[count++] = model->node_particle[model->attachments[i].node];
    }
    for (int c = 0; status == CAB_OK && c < model->scene->collider_count; c++) {
        cab_model_outside_each(model, c, held, count, outside);
        for (int i = 0; status == CAB_OK && i < count; i++) {
            double deep = radius_at(model, held[i]) - outside[i];
            if (outside[i] < 0) status = exclude_stuck(model, held[i], c, deep, walk, list, error);
        }
    }
    CAB_FREE(held, outside);
    return status;
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

bool cab_model_is_excluded(const cab_model *model, int segment, int other)
{
    const int *first = model->exclude + model->exclude_start[segment];
    size_t count = (size_t)(model->exclude_start[segment + 1] - model->exclude_start[segment]);
    return bsearch(&other, first, count, sizeof *first, by_value) != NULL;
}

int cab_model_excluded_colliders(const cab_model *model)
{
    int count = 0;
    for (int i = 0; i < model->exclude_start[model->segment_count]; i++) count += model->exclude[i] < 0;
    return count;
}

bool cab_model_may_touch(const cab_model *model, int a, int b)
{
    const cab_segment *s = &model->segment[a], *t = &model->segment[b];
    const cab_contact_settings *contact = &model->settings.contact;
    if (model->bodies[s->cable].group != model->bodies[t->cable].group) return false;
    if (s->cable != t->cable) return contact->cables && !cab_model_is_excluded(model, a, b);
    int hops = abs(a - b) - 1; /* segments between them */
    double arc = fabs((double)s->arc - (double)t->arc) - (double)(a < b ? s : t)->rest;
    return contact->self && hops >= 2 && arc >= near_arc(s, t) && !cab_model_is_excluded(model, a, b);
}

cab_status cab_model_update_exclusions(cab_model *model, cab_error *error)
{
    cab_walk walk = {0};
    cab_exclusions list = {0};
    cab_status status = exclude_neighbours(model, &walk, &list, error);
    if (status == CAB_OK) status = exclude_attached(model, &walk, &list, error);
    if (status == CAB_OK) status = exclude_held_inside(model, &walk, &list, error);
    if (status == CAB_OK) status = store_exclusions(model, &list, error);
    CAB_FREE(walk.visits, list.pair);
    return status;
}

cab_status cab_model_add_contact(cab_model *model, cab_error *error)
{
    model->collider_count = model->scene->collider_count;
    cab_status status = CAB_NEW(model->segment, model->segment_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->drag, model->segment_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->incident_start, model->particle_count + 1, error);
    if (status == CAB_OK) status = CAB_NEW(model->incident, 2 * (long long)model->segment_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->collider, model->collider_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->mesh_facts, model->collider_count, error);
    if (status != CAB_OK) return status;
    fill_segments(model);
    fill_incidence(model);
    status = list_groups(model, error);
    if (status == CAB_OK) status = fill_colliders(model, error);
    return status ? status : cab_model_update_exclusions(model, error);
}
