/* A world that continues from another one, with other settings. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "carrier/direct_slow.h"
#include "judge/judge.h"
#include "model/constraint_kind.h"
#include "model/scene.h"
#include "run/change.h"
#include "run/lengths.h"
#include "run/measure.h"
#include "run/state.h"
#include "world/device.h"

/* Cables are compared by the arcs of their nodes, since a drum changes how much of a segment is free. */
static bool same_body(const cab_model *a, const cab_model *b, int body)
{
    const cab_body *x = &a->bodies[body], *y = &b->bodies[body];
    if (x->node_count != y->node_count || x->segment_count != y->segment_count) return false;
    for (int i = x->first_node; i < x->first_node + x->node_count; i++) {
        if (a->node_arc[i] != b->node_arc[i]) return false;
    }
    for (int i = x->first_segment; i < x->first_segment + x->segment_count; i++) {
        const cab_edge *e = &a->edge[i], *f = &b->edge[i];
        if (e->a != f->a || e->b != f->b) return false;
        if (body >= a->cable_count && e->rest != f->rest) return false;
    }
    return true;
}

static bool same_attachment(const cab_model_attachment *x, const cab_model_attachment *y)
{
    return x->scene_attachment == y->scene_attachment && x->node == y->node && x->joint == y->joint &&
           x->axis.x == y->axis.x && x->axis.y == y->axis.y && x->axis.z == y->axis.z &&
           (!x->joint || x->target_node == y->target_node);
}

/* What differs between the bodies and all that a state counts, or NULL. */
static const char *what_differs(const cab_model *a, const cab_model *b)
{
    if (a->cable_count != b->cable_count || a->body_count != b->body_count)
        return "number of cables and sheets";
    for (int i = 0; i < a->body_count; i++) {
        if (!same_body(a, b, i)) return "segments and lengths of cables and sheets";
    }
    bool attached = a->attachment_count == b->attachment_count && a->particle_count == b->particle_count;
    for (int i = 0; attached && i < a->attachment_count; i++)
        attached = same_attachment(&a->attachments[i], &b->attachments[i]);
    if (!attached) return "attachments";
    bool collides = a->collider_count == b->collider_count;
    for (int i = 0; collides && i < a->collider_count; i++)
        collides = a->scene->colliders[i].shape == b->scene->colliders[i].shape;
    if (!collides) return "colliders";
    bool made = a->scene->material_count == b->scene->material_count;
    for (int i = 0; made && i < a->scene->material_count; i++)
        made = strcmp(a->scene->materials[i].name, b->scene->materials[i].name) == 0;
    if (!made) return "materials";
    return a->settings.frame_rate != b->settings.frame_rate ? "frame rate" : NULL;
}

/* Copies three numbers of each float4. The fourth, inverse mass or damping, is this world's own. */
static cab_status take_vectors(cab_world *world, cab_world *from, cab_buffer id, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    float4 *own, *taken = NULL;
    cab_status status = CAB_NEW(own, n, error);
    if (status == CAB_OK) status = CAB_NEW(taken, n, error);
    if (status == CAB_OK) status = cab_world_fetch(world, id, 0, n * sizeof *own, own, error);
    if (status == CAB_OK) status = cab_world_fetch(from, id, 0, n * sizeof *taken, taken, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) taken[i].w = own[i].w;
    if (status == CAB_OK) status = cab_world_put(world, id, 0, n * sizeof *taken, taken, error);
    free(own);
    free(taken);
    return status;
}

static cab_status take_over(cab_world *world, cab_world *from, cab_error *error)
{
    const cab_buffer motion[] = {CAB_BUFFER_position, CAB_BUFFER_residual, CAB_BUFFER_velocity};
    cab_status status = cab_state_take_over(world, from, error);
    /* until now a drum has held and released particles */
    if (status == CAB_OK) status = cab_world_upload_parameters(world, error);
    for (int i = 0; status == CAB_OK && i < 3; i++) status = take_vectors(world, from, motion[i], error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->go_on) status = cab_constraint_kinds[k]->go_on(world, from, error);
    }
    if (status == CAB_OK) status = cab_world_meet_lengths(world, from, error);
    if (status == CAB_OK && world->model->settings.method == CAB_METHOD_DIRECT)
        status = cab_direct_reset_slow(world, NULL, error);
    /* Candidate lists are made anew; overlaps count like those at the start of a run. */
    world->contact.listed = false;
    world->contact.speed = from->measures.speed_max;
    world->measures = (cab_measures){0};
    cab_judge_start(world);
    return status == CAB_OK ? cab_world_update_measures(world, error) : status;
}

cab_status cab_world_continue(cab_world *world, cab_world *from, cab_error *error)
{
    if (world->failed || from->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "continue: a world has failed before and cannot go on");
    if (world->frame > 0 || world->model->pull.on)
        return cab_fail(error, CAB_ERROR_INPUT, "continue: expected a new world, this one is at frame %d",
                        world->frame);
    const char *what = what_differs(world->model, from->model);
    if (what)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: cannot go on from the other world: expected the same %s",
                        world->model->scene->source, what);
    cab_status status = take_over(world, from, error);
    if (status != CAB_OK) world->failed = true; /* the world is neither new nor where the other one is */
    return status;
}
