#include "run/again.h"

#include <math.h>

#include "model/method.h"
#include "world/device.h"
#include "world/pieces.h"

/* Share of a length. By the direct method a whole substep leaves 1e-4 or less where it is not overtaxed. */
#define OFF_DIRECT 1e-3
#define OFF_ITERATED 4e-3 /* by iterations, more */

static float limit_of(const cab_world *world)
{
    return world->model->settings.method == CAB_METHOD_DIRECT ? OFF_DIRECT : OFF_ITERATED;
}

/* What tells of the lists of what may touch: they are made again instead. */
static bool is_of_lists(cab_buffer id)
{
    return id == CAB_BUFFER_reference || id == CAB_BUFFER_near_reference || id == CAB_BUFFER_travel ||
           id == CAB_BUFFER_rod || id == CAB_BUFFER_pair_limit;
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
    cab_status status = cab_world_settle(world, true, error);
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

/* Lengths that are to be met, and nothing that goes on by more than its place in time: a drum moves its cable by the way from one
 * substep to the next. */
static bool is_possible(const cab_world *world)
{
    const cab_model *m = world->model;
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    return m->settings.length_kind == CAB_LENGTH_EQUAL && m->drum_count == 0 &&
           (rule == CAB_RULE_DIRECT || rule == CAB_RULE_COMPLIANT) && m->segment_count > 0;
}

cab_status cab_again_keep(cab_world *world, bool looks, bool *kept, cab_error *error)
{
    cab_pace *p = &world->pace;
    cab_again *a = &p->again;
    *kept = looks && p->made && is_possible(world);
    if (!*kept) return CAB_OK;
    for (int c = 0; c < p->components.count; c++) a->pieces[c] = p->pieces[c];
    a->ticks = world->ticks;
    a->asleep = world->sleep.asleep;
    a->iterations = world->iterated.iterations;
    a->last_step = world->contact.last_step;
    a->speed = world->contact.speed;
    a->drift[0] = world->params.recent_drift_x;
    a->drift[1] = world->params.recent_drift_y;
    a->drift[2] = world->params.recent_drift_z;
    cab_status status = move_all(world, false, error);
    return status == CAB_OK ? read_errors(world, a->error, error) : status;
}

cab_status cab_again_look(cab_world *world, bool *any, cab_error *error)
{
    cab_pace *p = &world->pace;
    cab_again *a = &p->again;
    const cab_model *m = world->model;
    float limit = limit_of(world);
    *any = false;
    for (int c = 0; c < p->components.count; c++) a->missed[c] = false;
    if (world->sleep.asleep != a->asleep) return CAB_OK; /* the sign of a mass tells who sleeps */
    cab_status status = read_errors(world, a->now, error);
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++) {
        int c = p->components.of[m->distance[i].a];
        if (!(a->now[i] <= limit) && m->distance_origin[i].body < m->cable_count) a->missed[c] = true;
    }
    /* lengths that were off at the start cannot be met, or not at once */
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++)
        if (!(a->error[i] <= limit)) a->missed[p->components.of[m->distance[i].a]] = false;
    for (int c = 0; status == CAB_OK && c < p->components.count; c++) *any |= a->missed[c];
    return status;
}

cab_status cab_again_back(cab_world *world, cab_error *error)
{
    const cab_again *a = &world->pace.again;
    world->ticks = a->ticks;
    world->iterated.iterations = a->iterations;
    world->contact.last_step = a->last_step;
    world->contact.speed = a->speed;
    world->contact.listed = false;
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
