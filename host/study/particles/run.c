/* A batch on a device: creating, stepping, reading. */
#include "study/particles/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "backend/blas.h"

/* A system with fewer particles is not staged: its launches would take longer than their work
 * (docs/performance.md). */
#define STAGED_FROM 2000
#define LOOK_EVERY 32 /* iterations between two looks whether a solve is done */

static cab_status upload(cab_particles *p, cab_buffer id, const void *data, size_t bytes, cab_error *error)
{
    cab_status status = p->backend->ops->allocate(p->backend, id, bytes, error);
    if (status == CAB_OK && data && bytes > 0)
        status = p->backend->ops->write(p->backend, id, 0, bytes, data, error);
    return status;
}

/* The start of each system's motion, and a clean report. */
static cab_status upload_start(cab_particles *p, int system, cab_error *error)
{
    const cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    const cab_particle_def *start = CAB_P_AT(p->batch.start, cab_particle_def, s->particle);
    const cab_p_report fresh = {.fresh = 1};
    size_t n = (size_t)s->particles, bytes = 4 * n * sizeof(double);
    double *state = malloc(bytes + 1);
    if (!state) return cab_fail_memory(error, "particles", bytes);
    for (size_t i = 0; i < n; i++) {
        state[2 * i] = start[i].position.x;
        state[2 * i + 1] = start[i].position.y;
        state[2 * n + 2 * i] = start[i].velocity.x;
        state[2 * n + 2 * i + 1] = start[i].velocity.y;
    }
    size_t offset = sizeof(double) * ((size_t)s->work + (size_t)s->x); /* v follows x */
    cab_status status =
        p->backend->ops->write(p->backend, CAB_BUFFER_particles_work, offset, bytes, state, error);
    free(state);
    if (status != CAB_OK) return status;
    p->fresh[system] = true;
    return p->backend->ops->write(p->backend, CAB_BUFFER_particles_report, (size_t)system * sizeof fresh,
                                  sizeof fresh, &fresh, error);
}

static cab_status upload_all(cab_particles *p, cab_error *error)
{
    const cab_p_batch *b = &p->batch;
    const struct {
        cab_buffer id;
        const void *data; /* NULL = only room */
        size_t count, size;
    } list[] = {
        {CAB_BUFFER_particles_system, b->systems.data, b->systems.count, sizeof(cab_p_system)},
        {CAB_BUFFER_particles_mass, b->mass.data, b->mass.count, sizeof(double)},
        {CAB_BUFFER_particles_force, b->forces.data, b->forces.count, sizeof(cab_p_force)},
        {CAB_BUFFER_particles_constraint, b->constraints.data, b->constraints.count,
         sizeof(cab_p_constraint)},
        {CAB_BUFFER_particles_table, b->table.data, b->table.count, sizeof(int)},
        {CAB_BUFFER_particles_op, b->ops.data, b->ops.count, sizeof(cab_p_op)},
        {CAB_BUFFER_particles_focus, b->foci.data, b->foci.count, sizeof(cab_vec2)},
        {CAB_BUFFER_particles_tableau, cab_particles_tableaus(), CAB_P_TABLEAUS, sizeof(cab_p_tableau)},
        {CAB_BUFFER_particles_work, NULL, b->work, sizeof(double)},
        {CAB_BUFFER_particles_report, NULL, b->systems.count, sizeof(cab_p_report)},
    };
    cab_status status = CAB_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = upload(p, list[i].id, list[i].data, list[i].count * list[i].size, error);
    for (int i = 0; status == CAB_OK && i < p->count; i++) status = upload_start(p, i, error);
    return status;
}

static cab_status build(cab_particles *p, const cab_particles_def *systems, cab_error *error)
{
    cab_error inner;
    for (int i = 0; i < p->count; i++) {
        cab_status status = cab_p_batch_add(&p->batch, &systems[i], &inner);
        if (status == CAB_ERROR_INPUT && p->count > 1)
            return cab_fail(error, status, "system %d: %s", i, inner.message);
        if (status != CAB_OK) return cab_fail(error, status, "%s", inner.message);
    }
    return CAB_OK;
}

static cab_status start(cab_particles *p, const cab_particles_def *systems, cab_particles_way way,
                        const cab_world_def *device, cab_error *error)
{
    p->fresh = calloc((size_t)p->count + 1, sizeof *p->fresh);
    if (!p->fresh) return cab_fail_memory(error, "particles", (size_t)p->count);
    cab_status status = build(p, systems, error);
    bool large = p->count == 1 && systems[0].particle_count > STAGED_FROM;
    p->blas = way == CAB_PARTICLES_CLBLAST;
    p->staged = p->blas || way == CAB_PARTICLES_STAGED || (way == CAB_PARTICLES_AUTO && large);
    if (status == CAB_OK && p->staged && p->count > CAB_P_STAGED_MAX)
        return cab_fail(error, CAB_ERROR_INPUT, "staged: expected at most %d systems, got %d",
                        CAB_P_STAGED_MAX, p->count);
    if (status == CAB_OK) status = cab_backend_open(device, &p->backend, error);
    if (status == CAB_OK && !p->backend->doubles)
        status = cab_fail(error, CAB_ERROR_UNSUPPORTED,
                          "%s does not calculate in 64 bits (cl_khr_fp64), which particles need",
                          p->backend->info.name);
#ifdef CAB_HAVE_CLBLAST
    bool has_blas = p->backend && cab_blas_is_there(p->backend);
#else
    bool has_blas = false;
#endif
    if (status == CAB_OK && p->blas && !has_blas)
        status = cab_fail(error, CAB_ERROR_UNSUPPORTED,
                          "the way \"clblast\" needs an OpenCL device, and CLBlast when clcable is built");
#ifdef CAB_HAVE_CLBLAST
    if (status == CAB_OK && p->blas) status = cab_blas_load(error);
#endif
    for (int i = 0; p->blas && i < p->count; i++)
        CAB_P_AT(p->batch.systems, cab_p_system, i)->sum_parts = 1; /* a dot product comes in one piece */
    return status == CAB_OK ? upload_all(p, error) : status;
}

cab_status cab_particles_create(const cab_particles_def *systems, int count, cab_particles_way way,
                                const cab_world_def *device, cab_particles **out, cab_error *error)
{
    if (count < 0) return cab_fail(error, CAB_ERROR_INPUT, "expected 0 or more systems, got %d", count);
    cab_particles *p = calloc(1, sizeof *p);
    if (!p) return cab_fail_memory(error, "particles", sizeof *p);
    p->count = count;
    cab_status status = start(p, systems, way, device, error);
    if (status == CAB_OK)
        *out = p;
    else
        cab_particles_destroy(p);
    return status;
}

void cab_particles_destroy(cab_particles *p)
{
    if (!p) return;
    if (p->backend) p->backend->ops->destroy(p->backend);
    cab_p_batch_free(&p->batch);
    CAB_FREE(p->fresh, p);
}

/* A launch of a stage for the system that is being staged. */
static void launch(cab_p_staging *run, cab_kernel kernel, int count, int argument)
{
    if (run->status != CAB_OK) return;
#ifdef CAB_HAVE_CLBLAST
    if (run->particles->blas && cab_p_blas(run, kernel, argument)) return;
#endif
    cab_backend *backend = run->particles->backend;
    run->status =
        backend->ops->run(backend, kernel, 0, count, CAB_P_ARGUMENT(argument, run->index), 0, run->error);
}

static int level_size(const cab_p_staging *run, int level)
{
    const int *table = CAB_P_AT(run->particles->batch.table, int, run->s->table + run->s->level_start);
    return table[level + 1] - table[level];
}

/* Does the solve go on? Asked at 0, 1, 2, 4 and so on, then every few iterations: what is launched after it
 * was done does nothing. */
static bool unsolved(cab_p_staging *run, int iteration)
{
    cab_p_report report;
    cab_backend *backend = run->particles->backend;
    if (run->status == CAB_OK && iteration % LOOK_EVERY != 0 && (iteration & (iteration - 1)) != 0)
        return true;
    if (run->status == CAB_OK)
        run->status =
            backend->ops->read(backend, CAB_BUFFER_particles_report, (size_t)run->index * sizeof report,
                               sizeof report, &report, run->error);
    return run->status == CAB_OK && !report.done && !report.stopped;
}

#define CAB_P_RUN cab_p_staging *
#define CAB_P_SYSTEM (run->s)
#define CAB_P_EACH(stage, count, argument) launch(run, CAB_KERNEL_particles_##stage, count, argument)
#define CAB_P_SOLVE CAB_P_EACH
#define CAB_P_ONCE(phase) launch(run, CAB_KERNEL_particles_once, 1, phase)
#define CAB_P_UNSOLVED(i) unsolved(run, i)
#define CAB_P_GO true
#define CAB_P_ASKS run->evaluations
#define CAB_P_LEVEL_SIZE(level) level_size(run, level)
#include "kernels/particles/order.h"

static cab_status step_staged(cab_particles *p, int system, int steps, cab_error *error)
{
    cab_p_staging run = {.particles = p, .index = system, .error = error};
    run.s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    for (int i = 0; i < steps && run.status == CAB_OK; i++) {
        int tableau = p->fresh[system] ? run.s->first_integrator : run.s->integrator;
        run.evaluations = cab_particles_tableaus()[tableau].evaluations;
        cab_p_order_step(&run);
        p->fresh[system] = false;
    }
    return run.status;
}

cab_status cab_particles_step(cab_particles *p, int steps, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; p->staged && i < p->count && status == CAB_OK; i++)
        status = step_staged(p, i, steps, error);
    if (!p->staged)
        status = p->backend->ops->run(p->backend, CAB_KERNEL_particles_fused, 0, p->count, steps, 0, error);
    return status == CAB_OK ? p->backend->ops->finish(p->backend, error) : status;
}

cab_status cab_particles_reset(cab_particles *p, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < p->count && status == CAB_OK; i++) {
        cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, i);
        for (int k = 0; k < CAB_P_MICE; k++) s->mouse_particle[k] = -1;
        s->mice = 0;
        status = upload_start(p, i, error);
    }
    size_t bytes = p->batch.systems.count * sizeof(cab_p_system);
    if (status != CAB_OK || bytes == 0) return status;
    return p->backend->ops->write(p->backend, CAB_BUFFER_particles_system, 0, bytes, p->batch.systems.data,
                                  error);
}

static cab_status check_system(const cab_particles *p, int system, cab_error *error)
{
    if (system >= 0 && system < p->count) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "expected a system from 0 to %d, got %d", p->count - 1, system);
}

/* Numbers of a system's part of the work. */
static cab_status read_work(cab_particles *p, const cab_p_system *s, int first, int count, double *out,
                            cab_error *error)
{
    if (count == 0) return CAB_OK;
    size_t offset = sizeof(double) * ((size_t)s->work + (size_t)first);
    return p->backend->ops->read(p->backend, CAB_BUFFER_particles_work, offset,
                                 (size_t)count * sizeof(double), out, error);
}

cab_status cab_particles_read(cab_particles *p, int system, cab_vec2 *position, cab_vec2 *velocity,
                              cab_error *error)
{
    _Static_assert(sizeof(cab_vec2) == 2 * sizeof(double), "pairs of numbers on the device");
    cab_status status = check_system(p, system, error);
    if (status != CAB_OK) return status;
    const cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    int n = 2 * s->particles;
    if (position) status = read_work(p, s, s->x, n, &position->x, error);
    if (status == CAB_OK && velocity) status = read_work(p, s, s->v, n, &velocity->x, error);
    return status;
}

cab_status cab_particles_read_multipliers(cab_particles *p, int system, double *lambda, cab_error *error)
{
    cab_status status = check_system(p, system, error);
    if (status != CAB_OK) return status;
    const cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    return read_work(p, s, s->vectors + CAB_P_LAMBDA * s->rows, s->rows, lambda, error);
}

static cab_status read_energies(cab_particles *p, const cab_p_system *s, cab_particles_report *out,
                                cab_error *error)
{
    size_t n = 2 * (size_t)s->particles;
    double *state = malloc((2 * n + 1) * sizeof *state);
    if (!state) return cab_fail_memory(error, "particles", 2 * n * sizeof *state);
    cab_status status = read_work(p, s, s->x, (int)n, state, error);
    if (status == CAB_OK) status = read_work(p, s, s->v, (int)n, state + n, error);
    if (status == CAB_OK) {
        out->kinetic = cab_p_kinetic(&p->batch, s, state + n);
        out->potential = cab_p_potential(&p->batch, s, state);
    }
    free(state);
    return status;
}

cab_status cab_particles_get_report(cab_particles *p, int system, cab_particles_report *out, cab_error *error)
{
    cab_p_report r;
    cab_status status = check_system(p, system, error);
    if (status == CAB_OK)
        status = p->backend->ops->read(p->backend, CAB_BUFFER_particles_report, (size_t)system * sizeof r,
                                       sizeof r, &r, error);
    if (status != CAB_OK) return status;
    const cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    *out = (cab_particles_report){.stop = (cab_particles_stop)r.stopped,
                                  .steps = r.steps,
                                  .time = r.time,
                                  .off = r.off,
                                  .off_worst = r.off_worst,
                                  .rows = s->rows,
                                  .solves = r.solves,
                                  .iterations = r.iterations_sum,
                                  .iterations_most = r.iterations_most,
                                  .residual_worst = r.residual_worst,
                                  .least_squares = r.least,
                                  .inconsistent = r.inconsistent,
                                  .capped = r.capped};
    return read_energies(p, s, out, error);
}

static cab_status write_system(cab_particles *p, int system, cab_error *error)
{
    const cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    return p->backend->ops->write(p->backend, CAB_BUFFER_particles_system, (size_t)system * sizeof *s,
                                  sizeof *s, s, error);
}

static cab_status check_hand(const cab_particles *p, int system, int hand, cab_error *error)
{
    cab_status status = check_system(p, system, error);
    if (status != CAB_OK || (hand >= 0 && hand < CAB_P_MICE)) return status;
    return cab_fail(error, CAB_ERROR_INPUT, "expected a hand from 0 to %d, got %d", CAB_P_MICE - 1, hand);
}

static bool in_range(double value, double low, double high)
{
    return value >= low && value <= high; /* false for what is no number */
}

cab_status cab_particles_pull(cab_particles *p, int system, int hand, int particle, cab_vec2 point,
                              double stiffness, double damping, cab_error *error)
{
    cab_status status = check_hand(p, system, hand, error);
    if (status != CAB_OK) return status;
    cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    if (particle < 0 || particle >= s->particles)
        return cab_fail(error, CAB_ERROR_INPUT, "expected a particle from 0 to %d, got %d", s->particles - 1,
                        particle);
    if (!in_range(point.x, -1e6, 1e6) || !in_range(point.y, -1e6, 1e6) || !in_range(stiffness, 0, 1e12) ||
        !in_range(damping, 0, 1e12))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "expected a point within 1e6 m, a stiffness and a damping from 0 to 1e12");
    s->mouse[hand] = (cab_p_mouse){point.x, point.y, stiffness, damping};
    s->mouse_particle[hand] = particle;
    if (s->mice <= hand) s->mice = hand + 1;
    return write_system(p, system, error);
}

cab_status cab_particles_let_go(cab_particles *p, int system, int hand, cab_error *error)
{
    cab_status status = check_hand(p, system, hand, error);
    if (status != CAB_OK) return status;
    cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system);
    s->mouse_particle[hand] = -1;
    while (s->mice > 0 && s->mouse_particle[s->mice - 1] < 0) s->mice--;
    return write_system(p, system, error);
}

cab_status cab_particles_change(cab_particles *p, int system, const cab_particles_settings *settings,
                                cab_error *error)
{
    cab_status status = check_system(p, system, error);
    if (status != CAB_OK) return status;
    cab_p_system *s = CAB_P_AT(p->batch.systems, cab_p_system, system), changed = *s;
    status = cab_p_settle(settings, &changed, error);
    if (status != CAB_OK) return status;
    *s = changed;
    return write_system(p, system, error);
}
