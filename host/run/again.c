#include "run/again.h"

#include <math.h>

#include "base/array.h"
#include "contact/contact.h"
#include "model/method.h"
#include "world/device.h"
#include "world/pieces.h"
#include "world/sleep.h"

/* Share of a length. By the direct method a whole substep leaves 1e-4 or less where it is not overtaxed; what lands under load on
 * another cable leaves 1e-3 now and then. To take that again, in pieces, is a blow of its own: a loaded rope hopped for ever. */
#define OFF_DIRECT 3e-3
#define OFF_ITERATED 4e-3 /* by iterations, more */
/* What the most pieces leave is taken if it is less than this. */
#define OFF_AT_MOST 8e-3
/* What was off at the start of a substep counts if it is so many times as much off at its end. */
#define WORSE 1.25
/* Where another length of the component stays off, as between two holds that are too far apart, less does not count: all of a car's
 * harness would be in pieces for the two segments that cannot be met. */
#define OFF_CONTRADICTED 3e-2
/* What could not be met from the start may become so many times as much off by pieces. */
#define THROWN 1.02
/* By iterations what moves by less in a substep, of the smallest radius, may be off by any share. */
#define SLOW 0.125
/* Share of a segment's radius: where something lies so deep in another thing, it may be on its way through, which takes hundreds of
 * pieces where contacts and lengths take turns. It is looked at after every so many. */
#define DEEP 0.5f
#define DEEP_EVERY 8

bool cab_again_iterates(const cab_world *world)
{
    return world->model->settings.method != CAB_METHOD_DIRECT;
}

static float limit_of(const cab_world *world)
{
    return cab_again_iterates(world) ? OFF_ITERATED : OFF_DIRECT;
}

/* What tells of the lists of what may touch: they are made again instead. */
static bool is_of_lists(cab_buffer id)
{
    return id == CAB_BUFFER_reference || id == CAB_BUFFER_near_reference || id == CAB_BUFFER_travel ||
           id == CAB_BUFFER_rod || id == CAB_BUFFER_pair_limit || id == CAB_BUFFER_rigid_mate;
}

/* Is it a buffer that the coming substep depends on, or a sum over a frame? */
static bool is_put_aside(const cab_world *world, cab_buffer id)
{
    if (id == CAB_BUFFER_breakable_force) return world->forces.watch_count > 0;
    if (id == CAB_BUFFER_start_overlap) return world->contact.cables;
    if (id == CAB_BUFFER_start_overlap_collider) return world->contact.colliders;
    return world->kept[id].tag && !is_of_lists(id);
}

static cab_status move_all(cab_world *world, bool back, cab_error *error)
{
    cab_status status = cab_world_flush(world, true, error);
    for (int id = 0; status == CAB_OK && id < CAB_BUFFER_COUNT; id++)
        if (is_put_aside(world, (cab_buffer)id))
            status = world->backend->ops->aside(world->backend, (cab_buffer)id, back, error);
    return status;
}

static cab_status read_errors(cab_world *world, float *error_of, cab_error *error)
{
    int n = world->model->segment_count;
    cab_status status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_pace_errors, 0, n, 0, 0, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->read(world->backend, CAB_BUFFER_length_error, 0, (size_t)n * sizeof *error_of,
                                     error_of, error);
}

/* A hand pulls as hard as it must, however slow everything is. */
static bool is_pulled(const cab_world *world)
{
    const cab_model_settings *s = &world->model->settings;
    const cab_contact_state *c = &world->contact;
    return world->model->pull.on && s->max_pieces > 1 && (c->cables || c->colliders) &&
           s->contact.detection == CAB_DETECTION_SWEPT && !cab_sleep_all(world);
}

/* Iterations leave lengths off where nothing is fast, too. Where substeps may be cut none is to be off by more than OFF_AT_MOST. */
static bool is_slow_work(const cab_world *world)
{
    return cab_again_iterates(world) && world->model->settings.max_pieces > 1 && !cab_sleep_all(world);
}

bool cab_again_is_worse(const cab_world *world, double beyond)
{
    return !(world->pace.again.beyond <= THROWN * beyond);
}

bool cab_again_will_do(const cab_world *world, double worst)
{
    return worst < OFF_AT_MOST && !world->pace.again.sunk;
}

/* Lengths that are to be met, and nothing that goes on by more than its place in time: a drum moves its cable by the way from one
 * substep to the next. */
static bool is_possible(const cab_world *world)
{
    const cab_model *m = world->model;
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    return m->settings.length_kind == CAB_LENGTH_EQUAL && m->drum_count == 0 &&
           (rule == CAB_RULE_DIRECT || rule == CAB_RULE_COMPLIANT) && m->segment_count > 0;
}

/* Notes what is too deep now. Who is held meanwhile is not where the colliders are. */
static cab_status note_deep(cab_world *world, bool *deep, cab_error *error)
{
    const cab_pace *p = &world->pace;
    const cab_model *m = world->model;
    cab_status status = cab_contact_look(world, p->again.depth, error);
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++) {
        bool held = p->held > 0 && p->pieces[p->components.of[m->segment[i].a]] != p->held;
        if (!held && p->again.depth[i] > DEEP * m->segment[i].radius) deep[i] = true;
    }
    return status;
}

/* Is it looked at how deep things are in the coming substep? Notes what is so at its start. By the direct method contacts and lengths
 * are solved together in pieces. looks: as below */
static cab_status begin_watch(cab_world *world, bool looks, cab_error *error)
{
    cab_again *a = &world->pace.again;
    const cab_contact_state *c = &world->contact;
    a->watches = looks && (c->cables || c->colliders) && cab_again_iterates(world);
    for (int i = 0; a->watches && i < world->model->segment_count; i++) a->deep[i] = a->was_deep[i] = false;
    return a->watches && c->listed && c->touching ? note_deep(world, a->was_deep, error) : CAB_OK;
}

cab_status cab_again_watch(cab_world *world, int piece, int pieces, cab_error *error)
{
    cab_again *a = &world->pace.again;
    if (!a->watches || !world->contact.touching) return CAB_OK;
    if (piece % DEEP_EVERY != DEEP_EVERY - 1 && piece + 1 < pieces) return CAB_OK;
    return note_deep(world, a->deep, error);
}

cab_status cab_again_keep(cab_world *world, bool looks, bool *kept, cab_error *error)
{
    cab_pace *p = &world->pace;
    cab_again *a = &p->again;
    a->watches = false;
    *kept = is_possible(world) && (looks || is_pulled(world) || is_slow_work(world));
    if (!*kept) return CAB_OK;
    cab_contact_keep(world); /* what contacts remember belongs to the substep's start */
    cab_status status = cab_pieces_start(world, error);
    if (status == CAB_OK) status = begin_watch(world, looks, error);
    for (int c = 0; status == CAB_OK && c < p->components.count; c++) a->pieces[c] = p->pieces[c];
    a->ticks = world->ticks;
    a->asleep = world->sleep.asleep;
    a->iterations = world->iterated.iterations;
    a->last_step = world->contact.last_step;
    a->speed = world->contact.speed;
    a->drift[0] = world->params.recent_drift_x;
    a->drift[1] = world->params.recent_drift_y;
    a->drift[2] = world->params.recent_drift_z;
    if (status == CAB_OK) status = move_all(world, false, error);
    return status == CAB_OK ? read_errors(world, a->error, error) : status;
}

/* Is a length off that should not be? before, now: the share at the start and at the end of the substep */
static bool is_missed(const cab_world *world, float before, float now)
{
    float limit = limit_of(world);
    if (now <= limit || !(before <= OFF_AT_MOST)) return false;
    if (cab_again_iterates(world) && !(now <= OFF_AT_MOST)) return true;
    return before <= limit || !(now <= WORSE * before);
}

/* By iterations what is slow is often off, and counts only where it is by more than OFF_AT_MOST. It is to be as it would be if nothing
 * else were fast. */
static cab_status leave_slow_out(cab_world *world, cab_error *error)
{
    cab_pace *p = &world->pace;
    const cab_model *m = world->model;
    double h = 1 / (m->settings.frame_rate * m->settings.substeps);
    float4 *v;
    bool *fast = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_velocity, &v, error);
    if (status == CAB_OK) status = CAB_NEW(fast, p->components.count, error);
    for (int i = 0; status == CAB_OK && i < m->particle_count; i++) {
        double speed = sqrt((double)v[i].x * v[i].x + (double)v[i].y * v[i].y + (double)v[i].z * v[i].z);
        if (!(speed * h <= SLOW * world->contact.smallest_radius)) fast[p->components.of[i]] = true;
    }
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++)
        if (!(p->again.now[i] <= OFF_AT_MOST) && p->again.error[i] <= OFF_AT_MOST)
            fast[p->components.of[m->distance[i].a]] = true;
    for (int c = 0; status == CAB_OK && c < p->components.count; c++) p->again.missed[c] &= fast[c];
    CAB_FREE(v, fast);
    return status;
}

/* Components with a length that stays off by more than what is ever accepted. */
static void find_contradicted(cab_world *world)
{
    const cab_model *m = world->model;
    cab_again *a = &world->pace.again;
    const cab_components *components = &world->pace.components;
    a->beyond = 0;
    for (int c = 0; c < components->count; c++) a->contradicted[c] = false;
    for (int i = 0; i < m->segment_count; i++) {
        if (!(a->error[i] > OFF_AT_MOST)) continue;
        a->beyond = fmaxf(a->beyond, isfinite(a->now[i]) ? a->now[i] : INFINITY);
        if (!(a->now[i] <= OFF_AT_MOST)) a->contradicted[components->of[m->distance[i].a]] = true;
    }
}

/* Sets pace.again.missed where a length is; worst: the share by which one is off. */
static bool find_missed(cab_world *world, double *worst)
{
    const cab_model *m = world->model;
    cab_again *a = &world->pace.again;
    bool off = false;
    find_contradicted(world);
    for (int i = 0; i < m->segment_count; i++) {
        int component = world->pace.components.of[m->distance[i].a];
        if (m->distance_origin[i].body >= m->cable_count || !is_missed(world, a->error[i], a->now[i]))
            continue;
        if (a->contradicted[component] && !cab_again_iterates(world) && a->now[i] <= OFF_CONTRADICTED)
            continue;
        a->missed[component] = off = true;
        *worst = isfinite(a->now[i]) ? fmax(*worst, (double)a->now[i]) : INFINITY;
    }
    return off;
}

cab_status cab_again_look(cab_world *world, bool *any, double *worst, cab_error *error)
{
    cab_pace *p = &world->pace;
    cab_again *a = &p->again;
    const cab_model *m = world->model;
    bool off = false;
    *any = false;
    *worst = 0;
    a->sunk = false;
    for (int c = 0; c < p->components.count; c++) a->missed[c] = false;
    if (world->sleep.asleep != a->asleep) return CAB_OK; /* the sign of a mass tells who sleeps */
    cab_status status = read_errors(world, a->now, error);
    if (status == CAB_OK) off = find_missed(world, worst);
    if (status == CAB_OK && off && cab_again_iterates(world) && !m->pull.on)
        status = leave_slow_out(world, error);
    for (int i = 0; status == CAB_OK && a->watches && i < m->segment_count; i++)
        if (a->deep[i] && !a->was_deep[i]) a->missed[p->components.of[m->segment[i].a]] = a->sunk = true;
    for (int c = 0; status == CAB_OK && c < p->components.count; c++) *any |= a->missed[c];
    return status;
}

cab_status cab_again_back(cab_world *world, cab_error *error)
{
    cab_again *a = &world->pace.again;
    world->ticks = a->ticks;
    world->iterated.iterations = a->iterations;
    world->contact.last_step = a->last_step;
    world->contact.speed = a->speed;
    world->contact.listed = false;
    for (int i = 0; a->watches && i < world->model->segment_count; i++) a->deep[i] = false;
    world->params.recent_drift_x = a->drift[0];
    world->params.recent_drift_y = a->drift[1];
    world->params.recent_drift_z = a->drift[2];
    cab_status status = move_all(world, true, error);
    /* offsets count from the positions again */
    if (status == CAB_OK)
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_grid_settle, 0,
                               world->model->particle_count, 0, 0, error);
    if (status == CAB_OK && world->pace.unwatch) world->pace.unwatch(world->pace.user, world);
    return status;
}
