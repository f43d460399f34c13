/* A world is put to rest: host/statics finds the places, the world goes on from there without velocity. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "backend/native/native.h"
#include "base/vec3.h"
#include "constraint/clip.h"
#include "contact/contact.h"
#include "judge/judge.h"
#include "model/method.h"
#include "run/measure.h"
#include "statics/statics.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/restart.h"

#define ITERATIONS 2000
#define RESIDUAL 1e-3 /* N */

/* Why its rest cannot be found this way, or NULL. */
static const char *obstacle(const cab_world *world)
{
    const cab_model *m = world->model;
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    if (rule == CAB_RULE_PROJECTED) return "a method whose stiffness depends on its iterations has";
    if (m->own_place_count > 0) return "constraints of one's own have";
    if (m->has_drag && cab_vec3_length(m->settings.wind) > 0) return "wind has";
    if (m->pull.on) return "what a hand pulls at has";
    return NULL;
}

static cab_status place_colliders(const cab_world *world, cab_collider **collider, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_NEW(*collider, m->collider_count, error);
    for (int i = 0; status == CAB_OK && i < m->collider_count; i++)
        (*collider)[i] = cab_colliders_at_rest(world, i);
    return status;
}

typedef struct cab_task {
    void (*work)(void *data, int i);
    void *data;
} cab_task;

static void work_on(void *task, int thread, int first, int end)
{
    const cab_task *t = task;
    (void)thread;
    for (int i = first; i < end; i++) t->work(t->data, i);
}

static void share_out(void *pool, int count, void (*work)(void *data, int i), void *data)
{
    cab_task task = {work, data};
    cab_pool_run(pool, count, 1, work_on, &task);
}

/* Goes on from these places, without velocity. */
static cab_status go_on(cab_world *world, cab_place_speed *motion, const cab_vec3 *x, const double *slid,
                        cab_error *error)
{
    for (int p = 0; p < world->model->particle_count; p++)
        motion[p] = (cab_place_speed){.x = {x[p].x, x[p].y, x[p].z}};
    cab_status status = cab_world_write_motion(world, motion, error);
    if (status == CAB_OK) status = cab_clip_write(world, x, slid, error);
    if (status == CAB_OK) status = cab_world_restart_carrier(world, error);
    world->contact.listed = false;
    world->contact.speed = 0;
    cab_judge_start(world);
    return status == CAB_OK ? cab_world_update_measures(world, error) : status;
}

static void fill(const cab_model *m, const cab_rest *rest, cab_equilibrium *result)
{
    *result = (cab_equilibrium){.settled = rest->settled,
                                .residual = rest->residual,
                                .body = cab_model_body_of_particle(m, rest->particle),
                                .iterations = rest->steps,
                                .moved = rest->moved,
                                .overlap = rest->overlap,
                                .slipped = rest->slippery};
}

static cab_status solve(const cab_world *world, const cab_settle_def *def, const cab_collider *collider,
                        cab_vec3 *x, double *slid, cab_rest *rest, cab_error *error)
{
    cab_pool *pool = cab_pool_create(world->def.threads > 0 ? world->def.threads : cab_pool_cores());
    if (!pool) return cab_fail_memory(error, "threads", sizeof(void *));
    cab_statics_setup setup = {.collider = collider,
                               .steps_most = def && def->iterations > 0 ? def->iterations : ITERATIONS,
                               .residual = def && def->residual > 0 ? def->residual : RESIDUAL,
                               .share_out = share_out,
                               .by = pool,
                               .stop = def ? def->stop : NULL,
                               .user = def ? def->user : NULL};
    cab_status status = cab_statics_solve(world->model, &setup, x, slid, rest, error);
    cab_pool_destroy(pool);
    return status;
}

static cab_status find_rest(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                            cab_error *error)
{
    const cab_model *m = world->model;
    cab_place_speed *motion = NULL;
    cab_vec3 *x = NULL;
    double *slid = NULL;
    cab_collider *collider = NULL;
    cab_rest rest;
    cab_status status = cab_world_read_motion(world, &motion, error);
    if (status == CAB_OK) status = CAB_NEW(x, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(slid, m->attachment_count, error);
    if (status == CAB_OK) status = cab_clip_read(world, slid, error);
    if (status == CAB_OK) status = place_colliders(world, &collider, error);
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++)
        x[p] = (cab_vec3){motion[p].x[0], motion[p].x[1], motion[p].x[2]};
    if (status == CAB_OK) status = solve(world, def, collider, x, slid, &rest, error);
    if (status == CAB_OK) {
        fill(m, &rest, result);
        status = go_on(world, motion, x, slid, error);
        if (status != CAB_OK) world->failed = true;
    }
    CAB_FREE(motion, x, slid, collider);
    return status;
}

cab_status cab_world_settle(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                            cab_error *error)
{
    const char *why = obstacle(world);
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "settle: the world has failed before and cannot go on");
    if (why)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: %s no rest that can be solved for",
                        world->model->scene->source, why);
    return find_rest(world, def, result, error);
}
