/* Solvers against a dense Cholesky by CLBlast (trsm, syrk): a chain of 150 rods, three blocks of the matrix.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "backend/blas.h"
#include "devices.h"
#include "study/particles/compare.h"
#include "study/particles/parts.h"

enum { RODS = 150 };

typedef struct chain {
    cab_particle_def *particles;
    cab_particle_constraint_def *constraints;
    cab_particles_def def;
    cab_p_batch batch;
    cab_p_dense dense;
} chain;

static void succeed(cab_status status, const cab_error *error)
{
    if (status != CAB_OK) fail_msg("%s", error->message);
}

static chain hang(void)
{
    cab_error error;
    succeed(cab_blas_load(&error), &error);
    chain c = {0};
    succeed(cab_compare_chain(RODS, 15, 0.5, &c.particles, &c.constraints, &error), &error);
    c.def =
        (cab_particles_def){c.particles, RODS + 1, NULL, 0, c.constraints, RODS + 1, cab_particles_default()};
    c.def.settings.integrator = CAB_INTEGRATOR_EULER;
    c.def.settings.tolerance = 1e-12;
    succeed(cab_p_batch_add(&c.batch, &c.def, &error), &error);
    double *x = calloc(4 * (RODS + 1), sizeof *x);
    for (int i = 0; i <= RODS; i++) {
        x[2 * i] = c.particles[i].position.x;
        x[2 * i + 1] = c.particles[i].position.y;
    }
    const cab_p_system *s = CAB_P_AT(c.batch.systems, cab_p_system, 0);
    succeed(cab_p_dense_make(&c.batch, s, x, x + 2 * (RODS + 1), &c.dense, NULL, &error), &error);
    free(x);
    /* at rest: b - J W Q with Q the weight, of 1 kg each */
    for (int r = 0; r < c.dense.rows; r++)
        for (int i = 0; i <= RODS; i++) c.dense.b[r] += 9.81 * c.dense.j[r * c.dense.columns + 2 * i + 1];
    return c;
}

static void drop(chain *c)
{
    cab_p_dense_free(&c->dense);
    cab_p_batch_free(&c->batch);
    free(c->particles);
    free(c->constraints);
}

static cab_backend *open_device(void)
{
    cab_backend *backend = NULL;
    cab_error error;
    cab_world_def def = cab_world_default();
    if (!have_opencl()) skip();
    def.device = "opencl";
    succeed(cab_backend_open(&def, &backend, &error), &error);
    if (!cab_blas_is_there(backend)) {
        backend->ops->destroy(backend);
        skip();
    }
    return backend;
}

/* lambda = a^-1 b by CLBlast; the matrix lies behind some other numbers. */
static cab_status solve(cab_backend *backend, const chain *c, double sign, double *lambda, cab_error *error)
{
    size_t n = (size_t)c->dense.rows;
    double *a = malloc(n * n * sizeof *a);
    for (size_t i = 0; i < n * n; i++) a[i] = sign * c->dense.a[i];
    cab_blas_vector matrix = {CAB_BUFFER_particles_work, n}, right = {CAB_BUFFER_particles_work, 0};
    cab_status status = backend->ops->allocate(backend, matrix.buffer, (n + n * n) * sizeof *a, error);
    if (status == CAB_OK)
        status = backend->ops->write(backend, right.buffer, 0, n * sizeof *a, c->dense.b, error);
    if (status == CAB_OK)
        status = backend->ops->write(backend, matrix.buffer, n * sizeof *a, n * n * sizeof *a, a, error);
    if (status == CAB_OK) status = cab_blas_cholesky(backend, n, matrix, right, error);
    if (status == CAB_OK) status = backend->ops->read(backend, right.buffer, 0, n * sizeof *a, lambda, error);
    free(a);
    return status;
}

/* The condition is about 9,000 (150 rods squared over 2.5): 1e-12 of the residual, and rounding, leave 1e-8.
 */
static void multipliers_are_those_of_cholesky(void **state)
{
    (void)state;
    cab_backend *backend = open_device();
    cab_error error;
    chain c = hang();
    int n = c.dense.rows;
    double *right = calloc((size_t)n, sizeof *right), *got = calloc((size_t)n, sizeof *got), size = 0;
    succeed(solve(backend, &c, 1, right, &error), &error);
    for (int r = 0; r < n; r++) size = fmax(size, fabs(right[r]));
    assert_true(size > 100); /* the weight of 150 kg */
    static const cab_particles_solver solvers[] = {CAB_PARTICLES_CG, CAB_PARTICLES_PCG,
                                                   CAB_PARTICLES_LEAST_SQUARES, CAB_PARTICLES_PCG};
    cab_world_def device = cab_world_default();
    device.device = "native";
    for (int i = 0; i < 4; i++) {
        cab_particles *p = NULL;
        c.def.settings.solver = solvers[i];
        c.def.settings.preconditioner = i < 3 ? CAB_PARTICLES_BLOCK_JACOBI : CAB_PARTICLES_CHOLESKY;
        succeed(cab_particles_create(&c.def, 1, CAB_PARTICLES_FUSED, &device, &p, &error), &error);
        succeed(cab_particles_step(p, 1, &error), &error);
        succeed(cab_particles_read_multipliers(p, 0, got, &error), &error);
        cab_particles_destroy(p);
        for (int r = 0; r < n; r++)
            if (!(fabs(got[r] - right[r]) < 1e-8 * size))
                fail_msg("%s, row %d: %.15g, by Cholesky %.15g", cab_particles_solver_name(solvers[i]), r,
                         got[r], right[r]);
    }
    free(right);
    free(got);
    drop(&c);
    backend->ops->destroy(backend);
}

static void what_is_not_definite_is_refused(void **state)
{
    (void)state;
    cab_backend *backend = open_device();
    cab_error error;
    chain c = hang();
    double *lambda = calloc((size_t)c.dense.rows, sizeof *lambda);
    assert_int_equal(solve(backend, &c, -1, lambda, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message, "row 0 to 63: the matrix is not positive definite");
    free(lambda);
    drop(&c);
    backend->ops->destroy(backend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers_are_those_of_cholesky),
        cmocka_unit_test(what_is_not_definite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
