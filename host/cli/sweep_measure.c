/* What comes out of the variants of a batch: of each, and of its cables where these are asked for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/facts.h>

#include "base/array.h"
#include "base/vec3.h"
#include "cli/sweep_batch.h"
#include "contact/contact.h"
#include "model/model.h"
#include "model/scene.h"
#include "world/facts.h"
#include "world/world.h"

#define LOOKED_FOR 0.02 /* m: clearances, as reports do */

static cab_variant *variant_of(const cab_sweep_batch *b, int body)
{
    return &b->sweep->variants[b->variant[b->world->model->bodies[body].group]];
}

/* The results of a cable by itself; NULL of a sheet, and where they are not asked for. */
static double *own_results(const cab_sweep_batch *b, int body)
{
    cab_variant *v = variant_of(b, body);
    return v->cables && body < b->info.cables ? v->cables[b->place[body]].result : NULL;
}

static void take_most(const cab_sweep_batch *b, int body, cab_result result, double value)
{
    double *all = variant_of(b, body)->result, *own = own_results(b, body);
    all[result] = fmax(all[result], value);
    if (own) own[result] = fmax(own[result], value);
}

static void take_least(const cab_sweep_batch *b, int body, cab_result result, double value)
{
    double *all = variant_of(b, body)->result, *own = own_results(b, body);
    all[result] = fmin(all[result], value);
    if (own) own[result] = fmin(own[result], value);
}

/* ---- the beginning ---- */

static void begin_result(double *result)
{
    for (int r = 0; r < CAB_RESULT_COUNT; r++) result[r] = 0;
    result[CAB_RESULT_TENSION] = -INFINITY;
    result[CAB_RESULT_BEND_RADIUS] = INFINITY;
    result[CAB_RESULT_CLEARANCE_COLLIDER] = result[CAB_RESULT_CLEARANCE_CABLE] = INFINITY;
}

int cab_sweep_name(cab_sweep *sweep, const char *name, int guess, cab_error *error)
{
    if (guess < sweep->name_count && strcmp(sweep->names[guess], name) == 0) return guess;
    for (int i = 0; i < sweep->name_count; i++)
        if (strcmp(sweep->names[i], name) == 0) return i;
    char *copy = strdup(name);
    if (!copy || CAB_ONE_MORE(sweep->names, sweep->name_count, error) != CAB_OK) {
        free(copy);
        cab_fail_memory(error, "names", strlen(name));
        return -1;
    }
    sweep->names[sweep->name_count] = copy;
    return sweep->name_count++;
}

/* A place in its variant for each cable of the world. */
static cab_status list_cables(cab_sweep_batch *b)
{
    cab_status status = CAB_NEW(b->place, b->info.cables, &b->error);
    for (int c = 0; c < b->info.cables && !status; c++) b->place[c] = variant_of(b, c)->cable_count++;
    for (int i = 0; i < b->count && !status; i++) {
        cab_variant *v = &b->sweep->variants[b->variant[i]];
        status = CAB_NEW(v->cables, v->cable_count, &b->error);
    }
    for (int c = 0; c < b->info.cables && !status; c++) {
        cab_cable_result *own = &variant_of(b, c)->cables[b->place[c]];
        begin_result(own->result);
        const char *name = cab_world_get_cable(b->world, c).name, *slash = strchr(name, '/');
        own->name = cab_sweep_name(b->sweep, slash ? slash + 1 : name, b->place[c], &b->error);
        if (own->name < 0) status = CAB_ERROR_MEMORY;
    }
    return status;
}

cab_status cab_sweep_measure_begin(cab_sweep_batch *b)
{
    const cab_model *m = b->world->model;
    size_t nodes = (size_t)m->node_count;
    for (int i = 0; i < b->count; i++) {
        cab_variant *v = &b->sweep->variants[b->variant[i]];
        free(v->cables);
        *v = (cab_variant){0};
        begin_result(v->result);
    }
    cab_status status = CAB_NEW(b->position, 3 * nodes, &b->error);
    if (!status) status = CAB_NEW(b->velocity, 3 * nodes, &b->error);
    if (!status) status = CAB_NEW(b->tension, nodes, &b->error);
    if (!status) status = CAB_NEW(b->depth, m->segment_count, &b->error);
    if (!status) status = CAB_NEW(b->node_of, m->particle_count, &b->error);
    if (!status) status = CAB_NEW(b->flung, b->count, &b->error);
    if (!status) status = CAB_NEW(b->restless, b->count, &b->error);
    if (!status && b->sweep->columns & CAB_SWEEP_TORQUE) status = CAB_NEW(b->torque, nodes, &b->error);
    if (!status && b->sweep->columns & CAB_SWEEP_CLEARANCES) {
        status = CAB_NEW(b->to_cables, b->info.cables, &b->error);
        if (!status) status = CAB_NEW(b->to_colliders, b->info.cables, &b->error);
    }
    if (!status && b->sweep->columns & CAB_SWEEP_FORCES) {
        b->hold_count = cab_world_get_attachments(b->world, NULL, 0);
        status = CAB_NEW(b->holds, b->hold_count, &b->error);
    }
    return status || !(b->sweep->columns & CAB_SWEEP_CABLES) ? status : list_cables(b);
}

void cab_sweep_measure_end(cab_sweep_batch *b)
{
    CAB_FREE(b->position, b->velocity, b->tension, b->torque, b->depth, b->node_of, b->place, b->to_cables,
             b->to_colliders, b->holds);
}

/* ---- a frame ---- */

static cab_vec3 place(const cab_sweep_batch *b, int node)
{
    const double *x = b->position + 3 * (size_t)node;
    return (cab_vec3){x[0], x[1], x[2]};
}

static void measure_cables(const cab_sweep_batch *b)
{
    for (int c = 0; c < b->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(b->world, c);
        cab_cable_facts facts;
        cab_facts_of(&cable, b->position, b->velocity, b->tension, b->scene->settings.gravity, &facts);
        take_most(b, c, CAB_RESULT_TENSION, facts.tension);
        take_least(b, c, CAB_RESULT_BEND_RADIUS, facts.bend_radius);
    }
}

static void measure_segments(const cab_sweep_batch *b)
{
    const cab_model *m = b->world->model;
    for (int i = 0; i < m->segment_count; i++) {
        const cab_segment *s = &m->segment[i];
        double length = cab_vec3_distance(place(b, b->node_of[s->a]), place(b, b->node_of[s->b]));
        if (s->rest > 0) /* on a drum it has none */
            take_most(b, s->cable, CAB_RESULT_STRETCH, fabs(length - s->rest) / s->rest);
        take_most(b, s->cable, CAB_RESULT_PENETRATION, b->depth[i]);
    }
}

static cab_status measure_torque(cab_sweep_batch *b)
{
    cab_status status = cab_world_read_torque(b->world, b->torque, &b->error);
    for (int c = 0; c < b->info.cables && !status; c++) {
        cab_cable_info cable = cab_world_get_cable(b->world, c);
        for (int i = cable.first_node; i < cable.first_node + cable.node_count; i++)
            take_most(b, c, CAB_RESULT_TORQUE, fabs(b->torque[i]));
    }
    return status;
}

static cab_status measure_clearances(cab_sweep_batch *b)
{
    cab_status status =
        cab_world_get_clearances(b->world, LOOKED_FOR, b->to_cables, b->to_colliders, &b->error);
    for (int c = 0; c < b->info.cables && !status; c++) {
        if (b->to_colliders[c].node >= 0)
            take_least(b, c, CAB_RESULT_CLEARANCE_COLLIDER, b->to_colliders[c].distance);
        if (b->to_cables[c].node >= 0) take_least(b, c, CAB_RESULT_CLEARANCE_CABLE, b->to_cables[c].distance);
    }
    return status;
}

static void take_force(const cab_sweep_batch *b, int attachment, int body, double force)
{
    static const cab_result results[] = {[CAB_PART_ATTACHMENT] = CAB_RESULT_HOLD_FORCE,
                                         [CAB_PART_CLIP] = CAB_RESULT_CLIP_FORCE,
                                         [CAB_PART_CONNECTOR] = CAB_RESULT_CONNECTOR_FORCE};
    if (body < b->info.cables) take_most(b, body, results[b->scene->attachments[attachment].part], force);
}

/* Means over the frame, and of what let go in it what it bore then. */
static cab_status measure_forces(cab_sweep_batch *b)
{
    cab_world_get_attachments(b->world, b->holds, b->hold_count);
    for (int i = 0; i < b->hold_count; i++) {
        const cab_attachment_info *h = &b->holds[i];
        if (!h->broken && !h->free) take_force(b, h->attachment, h->body, cab_vec3_length(h->force));
    }
    int count = cab_world_get_events(b->world, NULL, 0);
    if (count == b->event_count) return CAB_OK;
    cab_event *events;
    cab_status status = CAB_NEW(events, count, &b->error);
    if (status) return status;
    cab_world_get_events(b->world, events, count);
    for (int i = b->event_count; i < count; i++)
        if (events[i].kind == CAB_EVENT_BROKE || events[i].kind == CAB_EVENT_RELEASED)
            take_force(b, events[i].attachment, events[i].cable, events[i].force);
    b->event_count = count;
    free(events);
    return CAB_OK;
}

cab_status cab_sweep_measure(cab_sweep_batch *b)
{
    cab_status status = cab_world_read(b->world, b->position, b->velocity, b->tension, &b->error);
    if (!status) status = cab_contact_read_depths(b->world, b->depth, &b->error);
    if (status) return status;
    const cab_model *m = b->world->model;
    for (int node = 0; node < m->node_count; node++) b->node_of[m->node_particle[node]] = node;
    measure_cables(b);
    measure_segments(b);
    if (b->torque) status = measure_torque(b);
    if (!status && b->to_cables) status = measure_clearances(b);
    return status || !b->holds ? status : measure_forces(b);
}

/* ---- the end ---- */

static void measure_ends(const cab_sweep_batch *b)
{
    for (int c = b->info.cables - 1; c >= 0; c--) { /* the first of a variant has the last word */
        cab_cable_info cable = cab_world_get_cable(b->world, c);
        cab_vec3 end = place(b, cable.first_node + cable.node_count - 1);
        double *result = variant_of(b, c)->result;
        cab_cable_facts facts;
        cab_facts_of(&cable, b->position, b->velocity, b->tension, b->scene->settings.gravity, &facts);
        take_most(b, c, CAB_RESULT_SAG, facts.sag);
        result[CAB_RESULT_END_X] = end.x;
        result[CAB_RESULT_END_Y] = end.y;
        result[CAB_RESULT_END_Z] = end.z;
    }
}

cab_status cab_sweep_measure_last(cab_sweep_batch *b)
{
    measure_ends(b);
    int count = cab_world_get_broken(b->world, NULL, NULL, 0), *attachment, *cable = NULL;
    cab_status status = CAB_NEW(attachment, count, &b->error);
    if (!status) status = CAB_NEW(cable, count, &b->error);
    if (!status) cab_world_get_broken(b->world, attachment, cable, count);
    for (int i = 0; i < count && !status; i++) {
        double *own = own_results(b, cable[i]);
        variant_of(b, cable[i])->result[CAB_RESULT_BROKEN]++;
        if (own) own[CAB_RESULT_BROKEN]++;
    }
    CAB_FREE(attachment, cable);
    return status;
}
