/* Small systems of particles under Lagrange multipliers for tests, in few words. Include cmocka first. */
#ifndef CAB_TESTS_PARTICLES_H
#define CAB_TESTS_PARTICLES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/clcable.h>

#include "devices.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define PI 3.14159265358979323846

/* A number that looks random, -1 to 1. */
static inline double noise(int seed)
{
    uint32_t n = (uint32_t)seed * 2654435761u + 12345u;
    n ^= n >> 15;
    n *= 2246822519u;
    n ^= n >> 13;
    n *= 3266489917u;
    n ^= n >> 16;
    return n / 2147483648.0 - 1;
}

static inline void close_to(double got, double expected, double tolerance, const char *what)
{
    if (!(fabs(got - expected) <= tolerance)) fail_msg("%s: expected %.12g, got %.12g", what, expected, got);
}

static inline cab_world_def device_of(const char *name)
{
    cab_world_def def = cab_world_default();
    def.device = name;
    def.threads = 2;
    return def;
}

static inline cab_particles *make(const cab_particles_def *systems, int count, cab_particles_way way,
                                  const char *device)
{
    cab_particles *p = NULL;
    cab_error error;
    cab_world_def def = device_of(device);
    if (cab_particles_create(systems, count, way, &def, &p, &error) != CAB_OK) fail_msg("%s", error.message);
    return p;
}

static inline void step(cab_particles *p, int steps)
{
    cab_error error;
    if (cab_particles_step(p, steps, &error) != CAB_OK) fail_msg("%s", error.message);
}

static inline cab_particles_report report_of(cab_particles *p, int system)
{
    cab_particles_report report;
    cab_error error;
    if (cab_particles_get_report(p, system, &report, &error) != CAB_OK) fail_msg("%s", error.message);
    return report;
}

static inline void read_state(cab_particles *p, int system, cab_vec2 *x, cab_vec2 *v)
{
    cab_error error;
    if (cab_particles_read(p, system, x, v, &error) != CAB_OK) fail_msg("%s", error.message);
}

enum { MOST = 64 };

typedef struct built {
    cab_particle_def particles[MOST];
    cab_particle_force_def forces[MOST];
    cab_particle_constraint_def constraints[MOST];
    cab_particles_def def;
} built;

static inline built *begin_system(void)
{
    built *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->def = (cab_particles_def){.particles = b->particles,
                                 .forces = b->forces,
                                 .constraints = b->constraints,
                                 .settings = cab_particles_default()};
    b->def.settings.tolerance = 1e-12;
    return b;
}

static inline int add_particle(built *b, double mass, double x, double y, double vx, double vy)
{
    assert_true(b->def.particle_count < MOST);
    b->particles[b->def.particle_count] = (cab_particle_def){mass, {x, y}, {vx, vy}};
    return b->def.particle_count++;
}

static inline cab_particle_constraint_def *add_constraint(built *b, cab_particle_constraint_kind kind, int a,
                                                          int c)
{
    assert_true(b->def.constraint_count < MOST);
    cab_particle_constraint_def *k = &b->constraints[b->def.constraint_count++];
    *k = (cab_particle_constraint_def){.kind = kind, .particles = {a, c}};
    if (kind == CAB_PARTICLE_ROD || kind == CAB_PARTICLE_ROD_SQUARED)
        k->length = hypot(b->particles[a].position.x - b->particles[c].position.x,
                          b->particles[a].position.y - b->particles[c].position.y);
    if (kind == CAB_PARTICLE_POINT) k->point = b->particles[a].position;
    return k;
}

static inline cab_particle_force_def *add_force(built *b, cab_particle_force_kind kind, int p0, int p1,
                                                int p2)
{
    assert_true(b->def.force_count < MOST);
    cab_particle_force_def *f = &b->forces[b->def.force_count++];
    *f = (cab_particle_force_def){.kind = kind, .particles = {p0, p1, p2}};
    return f;
}

/* `rods` of 1 m on a fixed point, turned out of the vertical by `angle`. */
static inline built *pendulum(int rods, double angle, cab_particle_constraint_kind rod)
{
    built *b = begin_system();
    for (int i = 0; i <= rods; i++) add_particle(b, 1, i * sin(angle), -i * cos(angle), 0, 0);
    add_constraint(b, CAB_PARTICLE_POINT, 0, 0);
    for (int i = 0; i < rods; i++) add_constraint(b, rod, i, i + 1);
    return b;
}

/* One of each force and of each constraint. */
static inline built *everything(void)
{
    built *b = pendulum(6, 1.1, CAB_PARTICLE_ROD);
    b->constraints[2].kind = CAB_PARTICLE_ROD_SQUARED;
    int circle = add_particle(b, 2, 3, 1, 0, 1), squared = add_particle(b, 0.5, 3, -1, 0.5, 0);
    int ellipse = add_particle(b, 1, 7, 0, 0, 1), line = add_particle(b, 1, 5, 5, 1, 1);
    cab_particle_constraint_def *k = add_constraint(b, CAB_PARTICLE_CIRCLE, circle, 0);
    k->point = (cab_vec2){2, 1};
    k->length = 1;
    k = add_constraint(b, CAB_PARTICLE_CIRCLE_SQUARED, squared, 0);
    k->point = (cab_vec2){3, 0};
    k->length = 1;
    k = add_constraint(b, CAB_PARTICLE_ELLIPSE, ellipse, 0);
    k->point = (cab_vec2){5 - sqrt(3), 0};
    k->point2 = (cab_vec2){5 + sqrt(3), 0};
    k->length = 4;
    k = add_constraint(b, CAB_PARTICLE_LINE, line, 0);
    k->point = (cab_vec2){5, 5};
    k->direction = (cab_vec2){2, 2};
    static const cab_vec2 foci[] = {{8, 2}, {9, 2.5}, {8.5, 3}, {8, 2.5}};
    k = add_constraint(b, CAB_PARTICLE_N_ELLIPSE, add_particle(b, 1, 9, 4, -1, 0), 0);
    k->foci = foci;
    k->focus_count = COUNT_OF(foci);
    k->length = 6.5;
    cab_particle_force_def *f = add_force(b, CAB_PARTICLE_SPRING, circle, ellipse, 0);
    f->rest_length = 2;
    f->stiffness = 3;
    f->damping = 0.1;
    for (int i = 0; i < 3; i++) {
        f = add_force(b, (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + i), i, i + 1, i + 2);
        f->angle = 2;
        f->stiffness = 4;
        f->damping = 0.2;
    }
    f = add_force(b, CAB_PARTICLE_EXPRESSION, -1, 0, 0);
    f->fx = "0.1*sin(3*t) - 0.02*m*vx";
    f->fy = "min(x, y)/(1 + abs(x*vy))";
    b->def.settings.drag = 0.05;
    return b;
}

/* The solvers, the preconditioned one with each preconditioner. */
enum { CHOLESKY = CAB_PARTICLES_SOLVERS, SECOND_CG, SOLVER_KINDS };

static inline void use_solver(cab_particles_settings *s, int kind)
{
    s->solver = kind < CAB_PARTICLES_SOLVERS ? (cab_particles_solver)kind : CAB_PARTICLES_PCG;
    s->preconditioner = kind == CHOLESKY    ? CAB_PARTICLES_CHOLESKY
                        : kind == SECOND_CG ? CAB_PARTICLES_PLAIN
                                            : CAB_PARTICLES_BLOCK_JACOBI;
}

static inline void is_finite(cab_particles *p, int particles)
{
    cab_vec2 x[MOST], v[MOST];
    read_state(p, 0, x, v);
    for (int i = 0; i < particles; i++)
        if (!isfinite(x[i].x + x[i].y + v[i].x + v[i].y)) fail_msg("particle %d is not finite", i);
}

static inline double difference(const cab_vec2 *a, const cab_vec2 *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double x = a[i].x - b[i].x, y = a[i].y - b[i].y;
        sum += x * x + y * y;
    }
    return sqrt(sum);
}

#endif
