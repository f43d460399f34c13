#include "study/particles/compare.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "model/error.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cab_status cab_compare_chain(int rods, double length, double angle, cab_particle_def **particles,
                             cab_particle_constraint_def **constraints, cab_error *error)
{
    size_t n = (size_t)rods + 1;
    cab_particle_def *p = calloc(n, sizeof *p);
    cab_particle_constraint_def *k = calloc(n, sizeof *k);
    *particles = p;
    *constraints = k;
    if (!p || !k) return cab_fail_memory(error, "a chain", n * (sizeof *p + sizeof *k));
    for (int i = 0; i <= rods; i++) {
        double along = length * i / rods;
        p[i] = (cab_particle_def){.mass = 1, .position = {along * sin(angle), -along * cos(angle)}};
        k[i] = (cab_particle_constraint_def){
            .kind = CAB_PARTICLE_ROD, .particles = {i, i - 1}, .length = length / rods};
    }
    k[0].kind = CAB_PARTICLE_POINT;
    return CAB_OK;
}

/* Places of three rods after 0.4 s. */
static cab_status swing(const cab_world_def *device, cab_integrator integrator, double h, cab_vec2 *x,
                        cab_error *error)
{
    cab_particle_def *particles;
    cab_particle_constraint_def *constraints;
    cab_particles *p = NULL;
    cab_status status = cab_compare_chain(3, 3, 1, &particles, &constraints, error);
    cab_particles_def def = {particles, 4, NULL, 0, constraints, 4, cab_particles_default()};
    def.settings.integrator = integrator;
    def.settings.drag = 0.5;
    def.settings.step = h;
    def.settings.tolerance = 1e-13;
    if (status == CAB_OK) status = cab_particles_create(&def, 1, CAB_PARTICLES_FUSED, device, &p, error);
    if (status == CAB_OK) status = cab_particles_step(p, (int)lround(0.4 / h), error);
    if (status == CAB_OK) status = cab_particles_read(p, 0, x, NULL, error);
    cab_particles_destroy(p);
    free(particles);
    free(constraints);
    return status;
}

static double distance(const cab_vec2 *a, const cab_vec2 *b)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (a[i].x - b[i].x) * (a[i].x - b[i].x) + (a[i].y - b[i].y) * (a[i].y - b[i].y);
    return sqrt(sum);
}

cab_status cab_compare_orders(const cab_world_def *device, double *orders, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_INTEGRATOR_COUNT && status == CAB_OK; i++) {
        cab_vec2 x[3][4];
        double h = i == CAB_INTEGRATOR_RK4 ? 4e-3 : 1e-3; /* above rounding */
        for (int n = 0; n < 3 && status == CAB_OK; n++)
            status = swing(device, (cab_integrator)i, h / (1 << n), x[n], error);
        if (status == CAB_OK) orders[i] = log2(distance(x[0], x[1]) / distance(x[1], x[2]));
    }
    return status;
}

cab_status cab_compare_solver(const cab_world_def *device, cab_solver_row *row, cab_error *error)
{
    enum { STEPS = 100 };
    cab_particle_def *particles;
    cab_particle_constraint_def *constraints;
    cab_particles *p = NULL;
    cab_particles_report report;
    cab_status status = cab_compare_chain(row->rods, 0.1 * row->rods, 0.5, &particles, &constraints, error);
    cab_particles_def def = {particles,     row->rods + 1,          NULL, 0, constraints,
                             row->rods + 1, cab_particles_default()};
    def.settings.solver = row->solver;
    def.settings.block = row->block;
    def.settings.cold = row->cold;
    def.settings.tolerance = row->tolerance;
    if (status == CAB_OK) status = cab_particles_create(&def, 1, CAB_PARTICLES_FUSED, device, &p, error);
    if (status == CAB_OK) status = cab_particles_step(p, 1, error); /* kernels are built */
    double start = now();
    if (status == CAB_OK) status = cab_particles_step(p, STEPS, error);
    row->seconds = (now() - start) / STEPS;
    if (status == CAB_OK) status = cab_particles_get_report(p, 0, &report, error);
    if (status == CAB_OK) {
        row->iterations = (double)report.iterations / report.solves;
        row->iterations_most = report.iterations_most;
        row->residual = report.residual_worst;
        row->least_squares = report.least_squares;
        row->solves = report.solves;
    }
    cab_particles_destroy(p);
    free(particles);
    free(constraints);
    return status;
}
