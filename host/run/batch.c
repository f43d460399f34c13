/* Batches: many worlds that threads share. A world belongs to one thread at a time, so results do not depend
 * on threads. Worlds that can share launches are gangs (carrier/gang.h): a thread takes a gang. */
#include <clcable/batch.h>

#include <stdlib.h>
#include <string.h>

#include "backend/native/native.h"
#include "base/array.h"
#include "carrier/gang.h"
#include "model/model.h"
#include "model/scene.h"
#include "run/world.h"
#include "world/device.h"

typedef struct cab_environment {
    cab_scene *scene; /* a copy, to make the world anew where its start cannot be restored */
    cab_world *world;
    void *start; /* its state at the start; NULL if the scene has no states */
    size_t start_size;
    bool diverged;
    cab_status status; /* result of the last job */
    cab_error error;
} cab_environment;

struct cab_batch {
    cab_world_def def; /* the definition of all worlds */
    char *kernel_dir, *cache_dir;
    cab_pool *pool;
    cab_environment *environments;
    int count;
    int gang_size; /* environments of a gang, one after the other; 1 = each is by itself */
    cab_gang *(*gangs)[CAB_GANG_KIND_COUNT]; /* [gangs]; NULL = none */
    bool
        one_launch; /* one gang has all, and threads share out its worlds; else each gang belongs to a thread */
};

/* A job that is done to each environment separately, or (`together`) to those of a gang. */
typedef struct cab_batch_job {
    cab_batch *batch;
    cab_status (*work)(const struct cab_batch_job *job, int index, cab_error *error);
    void (*together)(const struct cab_batch_job *job, int gang, int first, int end);
    const bool *mask;      /* environments that take part; NULL = all */
    int first;             /* the first environment that takes part */
    int number;            /* number of frames, or index of an attachment or load */
    const double *vectors; /* of rolls: numbers */
    const cab_scene *const *scenes;
    double *position, *velocity, *tension, *torque;
} cab_batch_job;

/* begin, end: environments. */
static void work_on_each(void *context, int thread, int begin, int end)
{
    const cab_batch_job *job = context;
    (void)thread;
    for (int i = begin; i < end; i++) {
        cab_environment *e = &job->batch->environments[i];
        if (i < job->first) continue;
        e->status = !job->mask || job->mask[i] ? job->work(job, i, &e->error) : CAB_OK;
    }
}

/* begin, end: gangs. */
static void work_on_gangs(void *context, int thread, int begin, int end)
{
    const cab_batch_job *job = context;
    for (int g = begin; g < end; g++) {
        int size = job->batch->gang_size, first = g * size;
        int last = first + size < job->batch->count ? first + size : job->batch->count;
        if (job->together)
            job->together(job, g, first, last);
        else
            work_on_each(context, thread, first, last);
    }
}

static int gang_count(const cab_batch *batch)
{
    return (batch->count + batch->gang_size - 1) / batch->gang_size;
}

/* Runs a job; returns the error of the first environment that failed. */
static cab_status run(const cab_batch_job *job, cab_error *error)
{
    cab_batch *batch = job->batch;
    cab_batch_job own = *job;
    if (batch->one_launch && job->together)
        job->together(&own, 0, 0, batch->count);
    else if (batch->one_launch)
        cab_pool_run(batch->pool, batch->count, 1, work_on_each, &own);
    else
        cab_pool_run(batch->pool, gang_count(batch), 1, work_on_gangs, &own);
    for (int i = job->first; i < batch->count; i++) {
        const cab_environment *e = &batch->environments[i];
        if (e->status != CAB_OK) return cab_fail(error, e->status, "environment %d: %s", i, e->error.message);
    }
    return CAB_OK;
}

/* The first world opens the device; the others, and worlds that replace them, share it. */
static cab_status create_world(const cab_batch *batch, const cab_scene *scene, cab_world **world,
                               cab_error *error)
{
    return cab_world_create_beside(scene, &batch->def, batch->environments[0].world, world, error);
}

static cab_status create_one(const cab_batch_job *job, int index, cab_error *error)
{
    cab_environment *e = &job->batch->environments[index];
    cab_status status = cab_scene_copy(job->scenes[index], &e->scene, error);
    if (status == CAB_OK) status = create_world(job->batch, e->scene, &e->world, error);
    if (status == CAB_OK) status = cab_world_pack(e->world, &e->start, &e->start_size, error);
    return status == CAB_ERROR_UNSUPPORTED && e->world ? CAB_OK : status;
}

/* What differs between two environments and must not; NULL = nothing. */
static const char *what_differs(const cab_environment *a, const cab_environment *b)
{
    cab_world_info x = cab_world_get_info(a->world), y = cab_world_get_info(b->world);
    if (x.nodes != y.nodes) return "nodes";
    if (x.cables != y.cables || x.sheets != y.sheets) return "cables and sheets";
    if (a->scene->attachment_count != b->scene->attachment_count) return "attachments";
    if (a->scene->load_count != b->scene->load_count) return "loads";
    if (a->scene->settings.frame_rate != b->scene->settings.frame_rate) return "frames a second";
    return NULL;
}

/* Makes the first environment, which finds the device. With native the pool has the threads, each world
 * one. */
static cab_status start_first(cab_batch *batch, const cab_batch_job *job, cab_error *error)
{
    cab_environment *e = &batch->environments[0];
    cab_status status = create_one(job, 0, &e->error);
    if (status != CAB_OK) return cab_fail(error, status, "environment 0: %s", e->error.message);
    cab_device_info device = cab_world_get_info(e->world).device;
    bool native = device.backend == CAB_BACKEND_NATIVE;
    int threads = job->number > 0 ? job->number : cab_pool_cores();
    batch->def.device = NULL; /* found; the text belongs to the caller */
    batch->pool = cab_pool_create(threads);
    if (!batch->pool) return cab_fail_memory(error, "threads", 0);
    int share = (batch->count + threads - 1) / threads, width = e->world->backend->tile_width;
    /* A thread takes a gang; OpenCL wants all in one launch. */
    bool possible;
    status = cab_world_may_join(e->world, &possible, error);
    if (status != CAB_OK || !possible) return status;
    batch->gang_size = !native ? batch->count : share < width ? share : width;
    batch->one_launch = !native && batch->count > 1;
    return CAB_OK;
}

static cab_status make_gangs(cab_batch *batch, cab_error *error)
{
    if (batch->gang_size == 1) return CAB_OK;
    cab_status status = CAB_NEW(batch->gangs, gang_count(batch), error);
    for (int i = 0; status == CAB_OK && i < gang_count(batch) * CAB_GANG_KIND_COUNT; i++) {
        cab_gang_kind kind = (cab_gang_kind)(i % CAB_GANG_KIND_COUNT);
        status = cab_gang_create(batch->gang_size, kind, batch->environments[0].world,
                                 &batch->gangs[i / CAB_GANG_KIND_COUNT][kind], error);
    }
    return status;
}

static cab_status start(cab_batch *batch, const cab_scene *const *scenes, int threads, cab_error *error)
{
    cab_batch_job job = {.batch = batch, .work = create_one, .first = 1, .number = threads, .scenes = scenes};
    cab_status status = start_first(batch, &job, error);
    if (status == CAB_OK) status = run(&job, error);
    if (status == CAB_OK) status = make_gangs(batch, error);
    for (int i = 1; status == CAB_OK && i < batch->count; i++) {
        const char *what = what_differs(&batch->environments[i], &batch->environments[0]);
        if (what)
            status = cab_fail(error, CAB_ERROR_INPUT, "environment %d: expected as many %s as environment 0",
                              i, what);
    }
    return status;
}

static cab_status keep_text(const char *text, char **copy, cab_error *error)
{
    *copy = text ? strdup(text) : NULL;
    return text && !*copy ? cab_fail_memory(error, "a folder's name", strlen(text)) : CAB_OK;
}

/* Copies the definition for worlds that are made later, when the caller's texts may be freed. */
static cab_status keep_def(cab_batch *batch, const cab_world_def *def, cab_error *error)
{
    cab_status status = keep_text(def->kernel_dir, &batch->kernel_dir, error);
    if (status == CAB_OK) status = keep_text(def->cache_dir, &batch->cache_dir, error);
    batch->def = *def;
    batch->def.kernel_dir = batch->kernel_dir;
    batch->def.cache_dir = batch->cache_dir;
    batch->def.threads = 1;
    return status;
}

cab_status cab_batch_create(const cab_scene *const *scenes, int count, const cab_world_def *def,
                            cab_batch **out, cab_error *error)
{
    if (count < 1)
        return cab_fail(error, CAB_ERROR_INPUT, "a batch: expected 1 environment or more, got %d", count);
    if (def->gl) return cab_fail(error, CAB_ERROR_INPUT, "a batch: cannot draw");
    cab_batch *batch = calloc(1, sizeof *batch);
    if (!batch) return cab_fail_memory(error, "a batch", sizeof *batch);
    cab_status status = keep_def(batch, def, error);
    if (status == CAB_OK) status = CAB_NEW(batch->environments, count, error);
    batch->gang_size = 1;
    if (status == CAB_OK) batch->count = count;
    if (status == CAB_OK) status = start(batch, scenes, def->threads, error);
    if (status == CAB_OK)
        *out = batch;
    else
        cab_batch_destroy(batch);
    return status;
}

void cab_batch_destroy(cab_batch *batch)
{
    if (!batch) return;
    for (int i = 0; i < batch->count; i++) {
        cab_world_destroy(batch->environments[i].world);
        cab_scene_destroy(batch->environments[i].scene);
        free(batch->environments[i].start);
    }
    for (int i = 0; batch->gangs && i < gang_count(batch) * CAB_GANG_KIND_COUNT; i++)
        cab_gang_destroy(batch->gangs[i / CAB_GANG_KIND_COUNT][i % CAB_GANG_KIND_COUNT]);
    if (batch->pool) cab_pool_destroy(batch->pool);
    CAB_FREE(batch->environments, batch->gangs, batch->kernel_dir, batch->cache_dir, batch);
}

int cab_batch_count(const cab_batch *batch)
{
    return batch->count;
}

cab_world *cab_batch_world(cab_batch *batch, int environment)
{
    return environment >= 0 && environment < batch->count ? batch->environments[environment].world : NULL;
}

static cab_status step_one(const cab_batch_job *job, int index, cab_error *error)
{
    cab_environment *e = &job->batch->environments[index];
    if (e->diverged) return CAB_OK;
    cab_status status = cab_world_step(e->world, job->number, error);
    e->diverged = status == CAB_ERROR_DIVERGED;
    return e->diverged ? CAB_OK : status;
}

/* Environments that go on: their last step was right. */
static void list_steps(cab_environment *e, int count, cab_joint_step *steps)
{
    for (int i = 0; i < count; i++) {
        bool goes_on = !e[i].diverged && e[i].status == CAB_OK;
        steps[i] = (cab_joint_step){.world = goes_on ? e[i].world : NULL, .error = &e[i].error};
    }
}

static void step_gang(const cab_batch_job *job, int gang, int first, int end)
{
    cab_environment *e = &job->batch->environments[first];
    int count = end - first;
    cab_joint_step *steps;
    cab_status made = CAB_NEW(steps, job->batch->gang_size, &e->error);
    for (int i = 0; i < count; i++) e[i].status = made;
    for (int frame = 0; frame < job->number && made == CAB_OK; frame++) {
        list_steps(e, count, steps);
        cab_error error = {0};
        cab_pool *pool = job->batch->one_launch ? job->batch->pool : NULL;
        cab_world_step_together(job->batch->gangs[gang], pool, steps, job->batch->gang_size, &error);
        for (int i = 0; i < count; i++) {
            if (!steps[i].world) continue;
            e[i].diverged = steps[i].status == CAB_ERROR_DIVERGED;
            e[i].status = e[i].diverged ? CAB_OK : steps[i].status;
            if (e[i].status != CAB_OK && error.message[0]) e[i].error = error;
        }
    }
    free(steps);
}

cab_status cab_batch_step(cab_batch *batch, int frames, cab_error *error)
{
    cab_batch_job job = {.batch = batch, .work = step_one, .number = frames};
    if (batch->gangs) job.together = step_gang;
    return run(&job, error);
}

void cab_batch_get_diverged(const cab_batch *batch, bool *diverged)
{
    for (int i = 0; i < batch->count; i++) diverged[i] = batch->environments[i].diverged;
}

static cab_status read_one(const cab_batch_job *job, int index, cab_error *error)
{
    cab_world *world = job->batch->environments[index].world;
    size_t nodes = (size_t)world->model->node_count, at = (size_t)index * nodes;
    return cab_world_read(world, job->position ? job->position + 3 * at : NULL,
                          job->velocity ? job->velocity + 3 * at : NULL,
                          job->tension ? job->tension + at : NULL, error);
}

cab_status cab_batch_read(cab_batch *batch, double *position, double *velocity, double *tension,
                          cab_error *error)
{
    return run(
        &(cab_batch_job){
            .batch = batch, .work = read_one, .position = position, .velocity = velocity, .tension = tension},
        error);
}

static cab_status read_torque(const cab_batch_job *job, int index, cab_error *error)
{
    cab_world *world = job->batch->environments[index].world;
    return cab_world_read_torque(world, job->torque + (size_t)index * (size_t)world->model->node_count,
                                 error);
}

cab_status cab_batch_read_torque(cab_batch *batch, double *torque, cab_error *error)
{
    return run(&(cab_batch_job){.batch = batch, .work = read_torque, .torque = torque}, error);
}

/* Replaces an environment's world by a new one of its scene, in that state unless it is NULL. */
static cab_status replace(cab_batch *batch, int index, const void *state, size_t size, cab_error *error)
{
    cab_environment *e = &batch->environments[index];
    cab_world *world = NULL;
    cab_status status = create_world(batch, e->scene, &world, error);
    if (status == CAB_OK && state) status = cab_world_unpack(world, state, size, error);
    if (status != CAB_OK) {
        cab_world_destroy(world);
        return status;
    }
    cab_world_destroy(e->world);
    e->world = world;
    e->diverged = false;
    return CAB_OK;
}

/* Puts an environment into a state. A world that has broken or diverged, or is pulled, cannot take one and is
 * replaced. */
static cab_status restore(cab_batch *batch, int index, const void *state, size_t size, cab_error *error)
{
    cab_world *world = batch->environments[index].world;
    if (state && cab_world_unpack(world, state, size, NULL) == CAB_OK) return CAB_OK;
    return replace(batch, index, state, size, error);
}

static cab_status reset_one(const cab_batch_job *job, int index, cab_error *error)
{
    const cab_environment *e = &job->batch->environments[index];
    return restore(job->batch, index, e->start, e->start_size, error);
}

cab_status cab_batch_reset(cab_batch *batch, const bool *mask, cab_error *error)
{
    return run(&(cab_batch_job){.batch = batch, .work = reset_one, .mask = mask}, error);
}

static cab_vec3 vector_at(const cab_batch_job *job, int index)
{
    const double *v = job->vectors + 3 * (size_t)index;
    return (cab_vec3){v[0], v[1], v[2]};
}

static cab_status set_target_one(const cab_batch_job *job, int index, cab_error *error)
{
    cab_world *world = job->batch->environments[index].world;
    return cab_world_set_target(world, job->number, vector_at(job, index), error);
}

cab_status cab_batch_set_targets(cab_batch *batch, int attachment, const double *points, const bool *mask,
                                 cab_error *error)
{
    return run(
        &(cab_batch_job){
            .batch = batch, .work = set_target_one, .mask = mask, .number = attachment, .vectors = points},
        error);
}

static cab_status set_roll_one(const cab_batch_job *job, int index, cab_error *error)
{
    cab_environment *e = &job->batch->environments[index];
    return e->diverged ? CAB_OK : cab_world_set_roll(e->world, job->number, job->vectors[index], error);
}

cab_status cab_batch_set_rolls(cab_batch *batch, int attachment, const double *rolls, const bool *mask,
                               cab_error *error)
{
    return run(
        &(cab_batch_job){
            .batch = batch, .work = set_roll_one, .mask = mask, .number = attachment, .vectors = rolls},
        error);
}

static cab_status set_load_one(const cab_batch_job *job, int index, cab_error *error)
{
    cab_environment *e = &job->batch->environments[index];
    if (e->diverged) return CAB_OK;
    return cab_world_set_load(e->world, job->number, vector_at(job, index), error);
}

cab_status cab_batch_set_loads(cab_batch *batch, int load, const double *forces, const bool *mask,
                               cab_error *error)
{
    return run(
        &(cab_batch_job){
            .batch = batch, .work = set_load_one, .mask = mask, .number = load, .vectors = forces},
        error);
}

static cab_status check_index(const cab_batch *batch, int environment, cab_error *error)
{
    if (environment >= 0 && environment < batch->count) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "environment %d: expected 0 to %d", environment,
                    batch->count - 1);
}

cab_status cab_batch_pack(cab_batch *batch, int environment, void **state, size_t *size, cab_error *error)
{
    cab_status status = check_index(batch, environment, error);
    return status ? status : cab_world_pack(batch->environments[environment].world, state, size, error);
}

cab_status cab_batch_unpack(cab_batch *batch, int environment, const void *state, size_t size,
                            cab_error *error)
{
    cab_status status = check_index(batch, environment, error);
    return status ? status : restore(batch, environment, state, size, error);
}
