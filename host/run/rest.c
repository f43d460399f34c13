/* A world is put to rest: host/statics finds the places, the world goes on from there without velocity. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "backend/native/native.h"
#include "base/vec3.h"
#include "constraint/clip.h"
#include "constraint/twist.h"
#include "constraint/twist_holds.h"
#include "contact/contact.h"
#include "judge/judge.h"
#include "model/method.h"
#include "model/scene.h"
#include "run/measure.h"
#include "run/rest.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/loads.h"
#include "world/restart.h"

#define RESIDUAL 1e-3 /* N */

/* Why its rest cannot be found this way, or NULL. */
static const char *obstacle(const cab_world *world)
{
    const cab_model *m = world->model;
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    if (rule == CAB_RULE_PROJECTED) return "a method whose stiffness depends on its iterations has";
    if (m->director_run_count > 0)
        return "cables that resist twisting and have axes, are curved at rest or yield have";
    if (m->rigid_count > 0) return "bodies on which cables end have";
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

/* How runs that resist twisting end now. */
static cab_status list_ends(cab_world *world, cab_rest_ends **ends, cab_error *error)
{
    const cab_model *m = world->model;
    double *roll = NULL;
    cab_status status = CAB_NEW(*ends, m->twist_run_count, error);
    if (m->twist_run_count == 0) return status;
    if (status == CAB_OK) status = CAB_NEW(roll, m->twist_hold_count, error);
    if (status == CAB_OK) status = cab_twist_read_rolls(world, roll, error);
    for (int k = 0; status == CAB_OK && k < m->twist_run_count; k++) {
        const cab_twist_run *run = &m->twist_run[k];
        const cab_twist_hold *from = &m->twist_hold[run->start], *to = &m->twist_hold[run->end];
        (*ends)[k] = (cab_rest_ends){from->direction, from->director, to->direction, to->director,
                                     roll[run->end] - roll[run->start]};
    }
    free(roll);
    return status;
}

static cab_status load_forces(const cab_world *world, cab_vec3 **force, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_NEW(*force, m->load_count, error);
    for (int k = 0; status == CAB_OK && k < m->load_count; k++) {
        const cab_load_force *load = &m->load[k];
        (*force)[k] = load->far < 0 ? cab_loads_now(world, load->source)
                                    : (cab_vec3){(double)load->x, (double)load->y, (double)load->z};
    }
    return status;
}

/* ---- from a world to a shape, and back ---- */

static void free_shape(cab_rest_shape *shape)
{
    CAB_FREE(shape->x, shape->slid, shape->turned, shape->twist, shape->tension, shape->moving);
}

/* The places as they are. motion is freed by the caller, after a failure too. */
static cab_status take_shape(cab_world *world, cab_rest_shape *shape, cab_place_speed **motion,
                             cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = cab_world_read_motion(world, motion, error);
    if (status == CAB_OK) status = CAB_NEW(shape->x, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(shape->slid, m->attachment_count, error);
    if (status == CAB_OK) status = CAB_NEW(shape->turned, m->twist_run_count, error);
    if (status == CAB_OK) status = CAB_NEW(shape->twist, m->twist_link_count, error);
    if (status == CAB_OK) status = CAB_NEW(shape->tension, m->distance_count, error);
    if (status == CAB_OK) status = CAB_NEW(shape->moving, m->particle_count, error);
    if (status == CAB_OK) status = cab_clip_read(world, shape->slid, error);
    if (status == CAB_OK) status = cab_twist_read_turned(world, shape->turned, error);
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++)
        shape->x[p] = (cab_vec3){(*motion)[p].x[0], (*motion)[p].x[1], (*motion)[p].x[2]};
    return status;
}

/* Multipliers as a substep would leave them, for all who read tensions from them. */
static cab_status write_tensions(cab_world *world, const double *tension, cab_error *error)
{
    const cab_model *m = world->model;
    float *lambda;
    cab_status status = CAB_NEW(lambda, m->distance_count, error);
    for (int i = 0; status == CAB_OK && i < m->distance_count; i++) {
        double h = cab_model_substep_of(m, m->distance[i].a);
        lambda[i] = (float)(-tension[i] * h * h);
    }
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_distance_lambda, 0,
                               (size_t)m->distance_count * sizeof *lambda, lambda, error);
    free(lambda);
    return status;
}

/* Goes on from this shape, without velocity. */
static cab_status go_on(cab_world *world, cab_place_speed *motion, const cab_rest_shape *shape,
                        cab_error *error)
{
    const cab_vec3 *x = shape->x;
    for (int p = 0; p < world->model->particle_count; p++)
        motion[p] = (cab_place_speed){.x = {x[p].x, x[p].y, x[p].z}};
    cab_status status = cab_world_write_motion(world, motion, error);
    if (status == CAB_OK) status = cab_clip_write(world, x, shape->slid, error);
    if (status == CAB_OK) status = cab_twist_write_turned(world, shape->turned, error);
    if (status == CAB_OK) status = cab_world_restart_carrier(world, error);
    if (status == CAB_OK) status = write_tensions(world, shape->tension, error);
    if (status == CAB_OK) status = cab_rest_forces(world, shape, error);
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
                                .iterations = result->iterations + rest->steps,
                                .moved = rest->moved,
                                .overlap = rest->overlap,
                                .slipped = rest->slippery,
                                .broken = result->broken};
}

static void tell_moving(const cab_model *m, const bool *particle_moves, bool *moving)
{
    for (int b = 0; b < m->body_count; b++) moving[b] = false;
    for (int b = 0; b < m->body_count; b++) {
        const cab_body *body = &m->bodies[b];
        for (int node = body->first_node; node < body->first_node + body->node_count; node++)
            moving[b] = moving[b] || particle_moves[m->node_particle[node]];
    }
}

static cab_status solve(cab_world *world, const cab_settle_def *def, cab_rest_shape *shape, cab_rest *rest,
                        cab_error *error)
{
    cab_collider *collider = NULL;
    cab_vec3 *load = NULL;
    cab_rest_ends *ends = NULL;
    cab_pool *pool = cab_pool_create(world->def.threads > 0 ? world->def.threads : cab_pool_cores());
    cab_status status = pool ? CAB_OK : cab_fail_memory(error, "threads", sizeof(void *));
    if (status == CAB_OK) status = place_colliders(world, &collider, error);
    if (status == CAB_OK) status = load_forces(world, &load, error);
    if (status == CAB_OK) status = list_ends(world, &ends, error);
    cab_statics_setup setup = {.collider = collider,
                               .load = load,
                               .twist = ends,
                               .steps_most = def && def->iterations > 0 ? def->iterations : CAB_REST_STEPS,
                               .residual = def && def->residual > 0 ? def->residual : RESIDUAL,
                               .share_out = share_out,
                               .by = pool,
                               .stop = def ? def->stop : NULL,
                               .user = def ? def->user : NULL};
    if (status == CAB_OK) status = cab_statics_solve(world->model, &setup, shape, rest, error);
    if (pool) cab_pool_destroy(pool);
    CAB_FREE(collider, load, ends);
    return status;
}

/* With all attachments as they are now. */
static cab_status find_rest(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                            bool *moving, cab_error *error)
{
    cab_place_speed *motion = NULL;
    cab_rest_shape shape = {0};
    cab_rest rest;
    cab_status status = take_shape(world, &shape, &motion, error);
    if (status == CAB_OK) status = solve(world, def, &shape, &rest, error);
    if (status == CAB_OK) {
        fill(world->model, &rest, result);
        if (moving) tell_moving(world->model, shape.moving, moving);
        status = go_on(world, motion, &shape, error);
        if (status != CAB_OK) world->failed = true;
    }
    free_shape(&shape);
    free(motion);
    return status;
}

cab_status cab_world_settle_each(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                                 bool *moving, cab_error *error)
{
    const char *why = obstacle(world);
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "settle: the world has failed before and cannot go on");
    if (why)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: %s no rest that can be solved for",
                        world->model->scene->source, why);
    *result = (cab_equilibrium){0};
    for (int broken = 1; broken > 0;) {
        cab_status status = find_rest(world, def, result, moving, error);
        broken = 0;
        if (status == CAB_OK && result->settled) status = cab_rest_break(world, &broken, error);
        if (status != CAB_OK) return status;
        result->broken += broken;
    }
    return CAB_OK;
}

cab_status cab_world_settle(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                            cab_error *error)
{
    return cab_world_settle_each(world, def, result, NULL, error);
}
