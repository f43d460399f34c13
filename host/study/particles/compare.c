#include "study/particles/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/array.h"

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
    CAB_FREE(particles, constraints);
    return status;
}

static double distance(const cab_vec2 *a, const cab_vec2 *b)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (a[i].x - b[i].x) * (a[i].x - b[i].x) + (a[i].y - b[i].y) * (a[i].y - b[i].y);
    return sqrt(sum);
}

cab_status cab_compare_orders(const cab_world_def *device, cab_integrator_score scores[CAB_INTEGRATOR_COUNT],
                              cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_INTEGRATOR_COUNT && status == CAB_OK; i++) {
        cab_vec2 x[3][4];
        double h = i == CAB_INTEGRATOR_RK4 ? 4e-3 : 1e-3; /* above rounding */
        for (int n = 0; n < 3 && status == CAB_OK; n++)
            status = swing(device, (cab_integrator)i, h / (1 << n), x[n], error);
        if (status == CAB_OK) scores[i].order = log2(distance(x[0], x[1]) / distance(x[1], x[2]));
    }
    return status;
}

const char *cab_compare_scene_name(cab_compare_scene scene)
{
    static const char *const names[CAB_COMPARE_SCENES] = {"chain", "hair", "net"};
    return names[scene];
}

/* Particles and constraints as they come. */
typedef struct scene {
    cab_particle_def *particles;
    cab_particle_constraint_def *constraints;
    int particle_count, constraint_count;
} scene;

#define LINK 0.1 /* m */

static int put(scene *s, double x, double y)
{
    s->particles[s->particle_count] = (cab_particle_def){.mass = 1, .position = {x, y}};
    return s->particle_count++;
}

static void join(scene *s, cab_particle_constraint_kind kind, int a, int b)
{
    s->constraints[s->constraint_count++] =
        (cab_particle_constraint_def){.kind = kind, .particles = {a, b}, .length = LINK};
}

static void hold(scene *s, int particle)
{
    s->constraints[s->constraint_count++] = (cab_particle_constraint_def){
        .kind = CAB_PARTICLE_POINT, .particles = {particle}, .point = s->particles[particle].position};
}

/* Strands hang from every third particle of the bar, a little out of the vertical. */
static void make_hair(scene *s, int rods)
{
    enum { STRANDS = 10, APART = 3 };
    int each = (rods - STRANDS * APART) / STRANDS;
    for (int i = 0; i <= STRANDS * APART; i++) {
        int p = put(s, i * LINK * cos(0.2), i * LINK * sin(0.2));
        if (i) join(s, CAB_PARTICLE_ROD, p - 1, p);
    }
    hold(s, 0);
    for (int strand = 1; strand <= STRANDS; strand++) {
        int above = strand * APART;
        cab_vec2 root = s->particles[above].position;
        for (int i = 1; i <= each; i++) {
            int p = put(s, root.x + i * LINK * sin(0.5), root.y - i * LINK * cos(0.5));
            join(s, CAB_PARTICLE_ROD, above, p);
            above = p;
        }
    }
}

/* Held by a corner and turned by 0.3 rad: a row that is held at both ends could not move to first order. */
static void make_net(scene *s, int rods)
{
    int n = (int)lround((1 + sqrt(1 + 2.0 * rods)) / 2); /* 2 n (n - 1) rods */
    for (int i = 0; i < n * n; i++) {
        double along = i % n * LINK, down = -(double)(i / n) * LINK;
        int p = put(s, along * cos(0.3) - down * sin(0.3), along * sin(0.3) + down * cos(0.3));
        if (i % n) join(s, CAB_PARTICLE_ROD, p - 1, p);
        if (i / n) join(s, CAB_PARTICLE_ROD_SQUARED, p - n, p);
    }
    hold(s, 0);
    cab_vec2 end = s->particles[n * n - 1].position;
    s->constraints[s->constraint_count++] = (cab_particle_constraint_def){
        .kind = CAB_PARTICLE_LINE, .particles = {n * n - 1}, .point = end, .direction = {1, 2}};
}

static cab_status make_scene(const cab_solver_row *row, scene *s, cab_error *error)
{
    size_t room = 2 * (size_t)row->rods + 64;
    if (row->scene == CAB_COMPARE_CHAIN) {
        s->particle_count = s->constraint_count = row->rods + 1;
        return cab_compare_chain(row->rods, LINK * row->rods, 0.5, &s->particles, &s->constraints, error);
    }
    s->particles = calloc(room, sizeof *s->particles);
    s->constraints = calloc(room, sizeof *s->constraints);
    if (!s->particles || !s->constraints) return cab_fail_memory(error, "a scene", room);
    if (row->scene == CAB_COMPARE_HAIR)
        make_hair(s, row->rods);
    else
        make_net(s, row->rods);
    return CAB_OK;
}

cab_status cab_compare_solver(const cab_world_def *device, cab_solver_row *row, cab_error *error)
{
    enum { STEPS = 100 };
    scene s = {0};
    cab_particles *p = NULL;
    cab_particles_report report;
    cab_status status = make_scene(row, &s, error);
    cab_particles_def def = {s.particles,        s.particle_count,       NULL, 0, s.constraints,
                             s.constraint_count, cab_particles_default()};
    def.settings.solver = row->solver;
    def.settings.preconditioner = row->preconditioner;
    def.settings.block = row->block;
    def.settings.cold = row->cold;
    def.settings.tolerance = row->tolerance;
    if (status == CAB_OK) status = cab_particles_create(&def, 1, CAB_PARTICLES_FUSED, device, &p, error);
    if (status == CAB_OK) status = cab_particles_step(p, 1, error); /* kernels are built */
    double start = cab_now();
    if (status == CAB_OK) status = cab_particles_step(p, STEPS, error);
    row->seconds = (cab_now() - start) / STEPS;
    if (status == CAB_OK) status = cab_particles_get_report(p, 0, &report, error);
    if (status == CAB_OK) {
        row->iterations = (double)report.iterations / report.solves;
        row->iterations_most = report.iterations_most;
        row->residual = report.residual_worst;
        row->least_squares = report.least_squares;
        row->capped = report.capped;
        row->solves = report.solves;
    }
    cab_particles_destroy(p);
    CAB_FREE(s.particles, s.constraints);
    return status;
}
