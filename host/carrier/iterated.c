/* The carrier coloured: a launch per colour, for any topology. Iterations end after a given number or by a
 * tolerance. The carrier chunks iterates likewise, with other launches. */
#include "carrier/iterated.h"

#include <math.h>

#include "contact/contact.h"
#include "model/constraint_kind.h"
#include "model/method.h"
#include "world/device.h"
#include "world/launches.h"

static int projection_flags(const cab_model_settings *s, const cab_method_traits *traits)
{
    int flags = traits->rule == CAB_RULE_PROJECTED ? CAB_SOLVE_FORGET : 0;
    if (s->relaxation.approximate_root) flags |= CAB_SOLVE_ROOTLESS;
    if (traits->halves && s->equal_weights) flags |= CAB_SOLVE_HALVES;
    return flags;
}

/* Uploads the list of lengths at each particle, in their order: 2 length + end. */
static cab_status upload_incident(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = m->particle_count, *start, *incident = NULL;
    cab_status status = CAB_NEW(start, n + 2, error);
    if (status == CAB_OK) status = CAB_NEW(incident, 2 * (size_t)m->distance_count, error);
    if (status == CAB_OK) {
        int *next = start + 1; /* starts shifted by one, so that filling the lists leaves them right */
        for (int i = 0; i < m->distance_count; i++)
            next[m->distance[i].a + 1]++, next[m->distance[i].b + 1]++;
        for (int p = 0; p < n; p++) next[p + 1] += next[p];
        for (int i = 0; i < m->distance_count; i++) {
            incident[next[m->distance[i].a]++] = 2 * i;
            incident[next[m->distance[i].b]++] = 2 * i + 1;
        }
        const cab_table tables[] = {
            {CAB_BUFFER_incident_distance_start, start, (size_t)n + 1, sizeof *start},
            {CAB_BUFFER_incident_distance, incident, 2 * (size_t)m->distance_count, sizeof *incident},
            {CAB_BUFFER_move, NULL, (size_t)m->distance_count, sizeof(float4)},
        };
        status = CAB_UPLOAD(world, tables, error);
    }
    free(start);
    free(incident);
    return status;
}

/* Plans the launches: first the constraints that chunks solve, then the others in colours, kind by kind. */
static cab_status plan(cab_world *world, cab_plan_chunks *plan_chunks, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_method_traits *traits = cab_method_traits_of(m->settings.method);
    size_t room = (size_t)(m->distance_colour_count + m->bending_colour_count + m->own_colour_count) + 4;
    cab_launches launches = {.flags = projection_flags(&m->settings, traits)};
    cab_status status = CAB_NEW(launches.list, room, error);
    if (status != CAB_OK) return status;
    if (plan_chunks) plan_chunks(world, &launches);
    for (int k = 0; k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->plan && !(plan_chunks && kind->chunked)) kind->plan(world, &launches);
    }
    free(world->iterated.launch);
    world->iterated.launch = launches.list;
    world->iterated.launch_count = launches.count;
    return CAB_OK;
}

cab_status cab_iterated_start(cab_world *world, cab_plan_chunks *plan_chunks, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    const cab_method_traits *traits = cab_method_traits_of(s->method);
    cab_status status = plan(world, plan_chunks, error);
    if (status == CAB_OK && traits->rule == CAB_RULE_AVERAGED) status = upload_incident(world, error);
    if (status != CAB_OK || !s->adaptive) return status;
    free(world->iterated.change);
    status = CAB_NEW(world->iterated.change, 2 * world->block_count, error);
    if (status != CAB_OK) return status;
    const cab_table tables[] = {
        {CAB_BUFFER_change, NULL, 2 * (size_t)world->block_count, sizeof(float)},
        {CAB_BUFFER_before, NULL, (size_t)world->model->particle_count, sizeof(float4)},
    };
    return CAB_UPLOAD(world, tables, error);
}

static cab_status iterate(cab_world *world, int substep, bool first, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < world->iterated.launch_count; i++) {
        const cab_launch_plan *p = &world->iterated.launch[i];
        status = cab_world_run(world, p->stage, p->kernel, p->first, p->count,
                               p->argument | (first ? CAB_SOLVE_FIRST : 0), 0, error);
    }
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->iterate) status = kind->iterate(world, substep, first, error);
    }
    int passes = world->model->settings.contact.passes;
    for (int pass = 0; status == CAB_OK && pass < passes; pass++) {
        status = cab_contact_solve(world, first && pass == 0, pass == passes - 1, error);
    }
    return status;
}

static cab_status note_change(cab_world *world, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    int kinds = cab_all_length_flags(s);
    return cab_world_run(world, CAB_STAGE_CONVERGE, CAB_KERNEL_converge, 0, world->block_count, kinds, 0,
                         error);
}

/* Has the last iteration moved all particles by little, and are the lengths right? Waits for the device. */
static cab_status look_at_change(cab_world *world, bool *done, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    float moved = 0, off = 0;
    size_t bytes = 2 * (size_t)world->block_count * sizeof *world->iterated.change;
    cab_status status = note_change(world, error);
    if (status == CAB_OK)
        status = world->backend->ops->read(world->backend, CAB_BUFFER_change, 0, bytes,
                                           world->iterated.change, error);
    for (int i = 0; i < world->block_count; i++) {
        moved = fmaxf(moved, world->iterated.change[2 * i]);
        off = fmaxf(off, world->iterated.change[2 * i + 1]);
    }
    *done = (s->tolerance.move > 0 && moved <= s->tolerance.move) ||
            (s->tolerance.stretch > 0 && off <= s->tolerance.stretch);
    return status;
}

static cab_status solve(cab_world *world, int substep, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    bool adaptive = s->adaptive, done = false;
    cab_status status = adaptive ? note_change(world, error) : CAB_OK; /* places before the first iteration */
    int i = 0;
    bool most_pieces = world->model->pieces == s->max_pieces;
    int most = s->iterations * (world->pace.more > 1 && most_pieces ? world->pace.more : 1);
    for (; status == CAB_OK && i < most && !done; i++) {
        status = iterate(world, substep, i == 0, error);
        if (status == CAB_OK && adaptive) status = look_at_change(world, &done, error);
    }
    world->iterated.iterations += i;
    if (i > world->measures.iterations_max) world->measures.iterations_max = i;
    return status;
}

/* Semi-implicit Euler: loads and drag change velocities, then particles move by inertia. */
static cab_status predict(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    if (m->loaded_count > 0)
        status = cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_load, 0, m->loaded_count, 0, 0, error);
    if (status == CAB_OK && m->has_drag)
        status = cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_drag, 0, m->particle_count, 0, 0, error);
    if (status == CAB_OK)
        status =
            cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_predict, 0, m->particle_count, 0, 0, error);
    return status;
}

static cab_status finish(cab_world *world, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_FINISH, CAB_KERNEL_finish, 0, world->model->particle_count, 0, 0,
                         error);
}

const cab_substep_hooks cab_iterated_substep = {
    .predict = predict, .solve = solve, .contact_pass = cab_contact_solve, .finish = finish};

static cab_status start(cab_world *world, cab_error *error)
{
    return cab_iterated_start(world, NULL, error);
}

static const char *refuses(const cab_world *world)
{
    (void)world;
    return NULL; /* any scene */
}

const cab_carrier cab_coloured_carrier = {.way = CAB_WAY_COLOURED,
                                          .coloured_bits = true,
                                          .refuses = refuses,
                                          .start = start,
                                          .substep = &cab_iterated_substep};
