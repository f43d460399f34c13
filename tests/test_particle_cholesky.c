/* Solvers of particles against a dense Cholesky factorisation: a chain of 150 rods. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

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

/* Solves a x = b in place by Cholesky's factor L L^T of a, which is positive definite. */
static void solve(int n, double *a, double *b)
{
    for (int r = 0; r < n; r++)
        for (int c = 0; c <= r; c++) {
            double sum = a[r * n + c];
            for (int k = 0; k < c; k++) sum -= a[r * n + k] * a[c * n + k];
            assert_true(c < r || sum > 0);
            a[r * n + c] = c == r ? sqrt(sum) : sum / a[c * n + c];
        }
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < r; k++) b[r] -= a[r * n + k] * b[k];
        b[r] /= a[r * n + r];
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= a[k * n + r] * b[k];
        b[r] /= a[r * n + r];
    }
}

/* The condition is about 9,000 (150 rods squared over 2.5): 1e-12 of the residual, and rounding, leave 1e-8.
 */
static void multipliers_are_those_of_cholesky(void **state)
{
    (void)state;
    cab_error error;
    chain c = hang();
    int n = c.dense.rows;
    double *right = c.dense.b, *got = calloc((size_t)n, sizeof *got), size = 0;
    solve(n, c.dense.a, right);
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
    free(got);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers_are_those_of_cholesky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
