/* Particles under Lagrange multipliers: derivatives against differences, energies, orders of convergence,
 * solvers against a dense reference, what is singular or contradictory, and the same bits in all ways.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/particles/physics.h"
#include "study/particles/parts.h"

#include <clcable/clcable.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define PI 3.14159265358979323846

/* A number that looks random, -1 to 1. */
static double noise(int seed)
{
    uint32_t n = (uint32_t)seed * 2654435761u + 12345u;
    n ^= n >> 15;
    n *= 2246822519u;
    n ^= n >> 13;
    n *= 3266489917u;
    n ^= n >> 16;
    return n / 2147483648.0 - 1;
}

static void close_to(double got, double expected, double tolerance, const char *what)
{
    if (!(fabs(got - expected) <= tolerance)) fail_msg("%s: expected %.12g, got %.12g", what, expected, got);
}

static cab_world_def device_of(const char *name)
{
    cab_world_def def = cab_world_default();
    def.device = name;
    def.threads = 2;
    return def;
}

static bool have_opencl(void)
{
    return cab_devices(NULL, 0) > 1;
}

static cab_particles *make(const cab_particles_def *systems, int count, cab_particles_way way,
                           const char *device)
{
    cab_particles *p = NULL;
    cab_error error;
    cab_world_def def = device_of(device);
    if (cab_particles_create(systems, count, way, &def, &p, &error) != CAB_OK) fail_msg("%s", error.message);
    return p;
}

static void step(cab_particles *p, int steps)
{
    cab_error error;
    if (cab_particles_step(p, steps, &error) != CAB_OK) fail_msg("%s", error.message);
}

static cab_particles_report report_of(cab_particles *p, int system)
{
    cab_particles_report report;
    cab_error error;
    if (cab_particles_get_report(p, system, &report, &error) != CAB_OK) fail_msg("%s", error.message);
    return report;
}

static void read_state(cab_particles *p, int system, cab_vec2 *x, cab_vec2 *v)
{
    cab_error error;
    if (cab_particles_read(p, system, x, v, &error) != CAB_OK) fail_msg("%s", error.message);
}

/* --- derivatives ---------------------------------------------------------------------------------- */

static cab_p_constraint constraint_of(int kind)
{
    cab_p_constraint k = {.kind = kind, .length = 1.7, .x = 0.2, .y = -0.3, .x2 = 0.7, .y2 = 0.4};
    if (kind == CAB_P_LINE) {
        k.x2 = 0.6;
        k.y2 = 0.8;
    }
    return k;
}

/* q: x of a, x of b */
static cab_p_rows rows_at(cab_p_constraint k, const double *q, const double *v)
{
    return cab_p_constrain(k, p2_make(q[0], q[1]), p2_make(v[0], v[1]), p2_make(q[2], q[3]),
                           p2_make(v[2], v[3]));
}

/* J = dC/dq, Jdot = dJ/dt along v, Cdot = J v; differences of step 1e-6 are good for about 1e-9 of numbers
 * around 1. A row of a point holds one number. */
static void constraints_have_their_derivatives(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (int kind = CAB_P_ROD_SQUARED; kind <= CAB_P_LINE; kind++) {
        cab_p_constraint k = constraint_of(kind);
        for (int trial = 0; trial < 5; trial++) {
            double q[4], v[4], moved[4];
            for (int i = 0; i < 4; i++) {
                q[i] = 2 * noise(100 * kind + 10 * trial + i) + (i == 0 ? 3 : 0);
                v[i] = noise(1000 + 100 * kind + 10 * trial + i);
            }
            cab_p_rows at = rows_at(k, q, v);
            int entries = cab_p_entry_count(kind);
            for (int r = 0; r < cab_p_row_count(kind); r++) {
                double rate = 0;
                for (int j = 0; j < entries; j++) {
                    int c = kind == CAB_P_POINT ? r : j;
                    memcpy(moved, q, sizeof moved);
                    moved[c] = q[c] + h;
                    double high = rows_at(k, moved, v).c[r];
                    moved[c] = q[c] - h;
                    double low = rows_at(k, moved, v).c[r];
                    close_to(at.j[r][j], (high - low) / (2 * h), 1e-8, "J");
                    rate += at.j[r][j] * v[c];
                    for (int i = 0; i < 4; i++) moved[i] = q[i] + h * v[i];
                    double later = rows_at(k, moved, v).j[r][j];
                    for (int i = 0; i < 4; i++) moved[i] = q[i] - h * v[i];
                    double before = rows_at(k, moved, v).j[r][j];
                    close_to(at.jdot[r][j], (later - before) / (2 * h), 1e-8, "Jdot");
                }
                close_to(at.rate[r], rate, 1e-12, "Cdot = J v");
            }
        }
    }
}

/* Both forms of a length say the same of how far it is off; a rod of no length has no direction. */
static void forms_agree(void **state)
{
    (void)state;
    const double q[4] = {1, 2, -0.5, 0.3}, v[4] = {0};
    close_to(rows_at(constraint_of(CAB_P_ROD_SQUARED), q, v).off,
             rows_at(constraint_of(CAB_P_ROD_LENGTH), q, v).off, 1e-15, "rods");
    const double same[4] = {1, 2, 1, 2};
    cab_p_rows none = rows_at(constraint_of(CAB_P_ROD_LENGTH), same, v);
    for (int j = 0; j < 4; j++) assert_true(none.j[0][j] == 0 && none.jdot[0][j] == 0);
    close_to(none.c[0], -1.7, 0, "C of a rod of no length");
}

static cab_p_force angle_of(int kind, double angle)
{
    return (cab_p_force){
        .kind = kind, .stiffness = 3, .damping = 0, .angle = angle, .cosine = cos(angle), .sine = sin(angle)};
}

static cab_p_pushes pushes_at(cab_p_force f, double guard, const double *q, const double *u)
{
    cab_p2 x[3], v[3];
    for (int i = 0; i < 3; i++) {
        x[i] = p2_make(q[2 * i], q[2 * i + 1]);
        v[i] = p2_make(u[2 * i], u[2 * i + 1]);
    }
    return f.kind == CAB_P_SPRING ? cab_p_spring_pushes(f, x, v) : cab_p_angle_pushes(f, guard, x, v);
}

static double energy_at(cab_p_force f, const double *q)
{
    f.a = 0;
    f.b = 1;
    f.c = 2;
    double mass[3] = {1, 1, 1};
    cab_p_batch batch = {.forces = {&f, 1, 1}, .mass = {mass, 3, 3}};
    cab_p_system s = {.particles = 3, .forces = 1};
    return cab_p_potential(&batch, &s, q);
}

/* Pictures show the same newtons. */
static void pictured_as(cab_p_force f, const double *q, const double *force)
{
    cab_vec2 x[3], v[3] = {{0, 0}}, shown[3];
    for (int i = 0; i < 3; i++) x[i] = (cab_vec2){q[2 * i], q[2 * i + 1]};
    cab_particle_force_def def = {
        .kind = (cab_particle_force_kind)f.kind, .angle = f.angle, .stiffness = f.stiffness};
    cab_p_angle_forces(&def, 0, x, v, shown);
    for (int i = 0; i < 3; i++) {
        close_to(shown[i].x, force[2 * i], 1e-12, "pictured force");
        close_to(shown[i].y, force[2 * i + 1], 1e-12, "pictured force");
    }
}

/* f = -dE/dx, by differences of step 1e-6: 1e-8 of forces around 10. The guard only scales the energy's
 * force, by sqrt(1 - y^2) / sqrt(1 + guard - y^2). */
static void forces_are_gradients(void **state)
{
    (void)state;
    static const int kinds[] = {CAB_P_SPRING, CAB_P_ANGLE_ENERGY, CAB_P_ANGLE_ATAN2};
    const double h = 1e-6, still[6] = {0};
    for (int n = 0; n < COUNT_OF(kinds); n++)
        for (int trial = 0; trial < 8; trial++) {
            cab_p_force f = angle_of(kinds[n], 0.9);
            f.rest = 0.8;
            double q[6], moved[6];
            for (int i = 0; i < 6; i++) q[i] = noise(7 + 50 * n + 10 * trial + i);
            cab_p_pushes out = pushes_at(f, 0, q, still);
            const double force[6] = {out.a.x, out.a.y, out.b.x, out.b.y, out.c.x, out.c.y};
            for (int i = 0; i < 6; i++) {
                memcpy(moved, q, sizeof moved);
                moved[i] = q[i] + h;
                double high = energy_at(f, moved);
                moved[i] = q[i] - h;
                double low = energy_at(f, moved);
                double expected = -(high - low) / (2 * h);
                close_to(force[i], expected, 1e-7 * (1 + fabs(expected)), "force");
            }
            close_to(out.a.x + out.b.x + out.c.x, 0, 1e-12, "sum of forces");
            if (kinds[n] == CAB_P_SPRING) continue;
            pictured_as(f, q, force);
            if (kinds[n] != CAB_P_ANGLE_ENERGY) continue;
            double r1x = q[0] - q[2], r1y = q[1] - q[3], r3x = q[4] - q[2], r3y = q[5] - q[3];
            double y = (r1x * r3x + r1y * r3y) / hypot(r1x, r1y) / hypot(r3x, r3y);
            cab_p_pushes guarded = pushes_at(f, 0.05, q, still);
            close_to(guarded.a.x, out.a.x * sqrt(1 - y * y) / sqrt(1.05 - y * y), 1e-12 * (1 + fabs(out.a.x)),
                     "guard");
        }
}

/* Damping takes energy out: the power of its forces is never positive. Goals count as standing still, so
 * theirs holds for a middle at rest. */
static void damping_takes_energy(void **state)
{
    (void)state;
    for (int kind = CAB_P_SPRING; kind <= CAB_P_ANGLE_ATAN2; kind++)
        for (int trial = 0; trial < 20; trial++) {
            cab_p_force f = angle_of(kind, 0.9);
            f.stiffness = 0;
            f.damping = 2;
            double q[6], v[6];
            for (int i = 0; i < 6; i++) q[i] = noise(11 + 10 * trial + i);
            for (int i = 0; i < 6; i++)
                v[i] = i / 2 == 1 && kind == CAB_P_ANGLE_GOAL ? 0 : noise(500 + 10 * trial + i);
            cab_p_pushes out = pushes_at(f, 0.05, q, v);
            double power = out.a.x * v[0] + out.a.y * v[1] + out.b.x * v[2] + out.b.y * v[3] +
                           out.c.x * v[4] + out.c.y * v[5];
            if (power > 1e-12) fail_msg("kind %d gives %g W", kind, power);
            if (trial == 0) assert_true(power < -1e-3);
        }
}

/* Our atan2 is within a few units in the last place of the library's. */
static void arcs_are_right(void **state)
{
    (void)state;
    for (int i = 0; i <= 720; i++) {
        double a = (i - 360) * PI / 360, size = pow(10, i % 7 - 3);
        close_to(cab_p_atan2(size * sin(a), size * cos(a)), atan2(size * sin(a), size * cos(a)), 2e-15,
                 "atan2");
    }
    assert_true(cab_p_atan2(0, 0) == 0);
}

/* --- small scenes --------------------------------------------------------------------------------- */

enum { MOST = 64 };

typedef struct built {
    cab_particle_def particles[MOST];
    cab_particle_force_def forces[MOST];
    cab_particle_constraint_def constraints[MOST];
    cab_particles_def def;
} built;

static built *begin_system(void)
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

static int add_particle(built *b, double mass, double x, double y, double vx, double vy)
{
    assert_true(b->def.particle_count < MOST);
    b->particles[b->def.particle_count] = (cab_particle_def){mass, {x, y}, {vx, vy}};
    return b->def.particle_count++;
}

static cab_particle_constraint_def *add_constraint(built *b, cab_particle_constraint_kind kind, int a, int c)
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

static cab_particle_force_def *add_force(built *b, cab_particle_force_kind kind, int p0, int p1, int p2)
{
    assert_true(b->def.force_count < MOST);
    cab_particle_force_def *f = &b->forces[b->def.force_count++];
    *f = (cab_particle_force_def){.kind = kind, .particles = {p0, p1, p2}};
    return f;
}

/* `rods` of 1 m on a fixed point, turned out of the vertical by `angle`. */
static built *pendulum(int rods, double angle, cab_particle_constraint_kind rod)
{
    built *b = begin_system();
    for (int i = 0; i <= rods; i++) add_particle(b, 1, i * sin(angle), -i * cos(angle), 0, 0);
    add_constraint(b, CAB_PARTICLE_POINT, 0, 0);
    for (int i = 0; i < rods; i++) add_constraint(b, rod, i, i + 1);
    return b;
}

/* One of each force and of each constraint. */
static built *everything(void)
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

static void use_solver(cab_particles_settings *s, int kind)
{
    s->solver = kind < CAB_PARTICLES_SOLVERS ? (cab_particles_solver)kind : CAB_PARTICLES_PCG;
    s->preconditioner = kind == CHOLESKY    ? CAB_PARTICLES_CHOLESKY
                        : kind == SECOND_CG ? CAB_PARTICLES_PLAIN
                                            : CAB_PARTICLES_BLOCK_JACOBI;
}

/* --- the same bits -------------------------------------------------------------------------------- */

typedef struct state_of {
    cab_vec2 x[MOST], v[MOST];
    cab_particles_report report;
} state_of;

static state_of run_one(const cab_particles_def *def, cab_particles_way way, const char *device, int steps)
{
    cab_error error;
    cab_particles *p = make(def, 1, way, device);
    assert_int_equal(cab_particles_pull(p, 0, 3, 2, (cab_vec2){1, 1}, 20, 1, &error), CAB_OK);
    step(p, steps);
    state_of out = {.report = report_of(p, 0)};
    read_state(p, 0, out.x, out.v);
    cab_particles_destroy(p);
    return out;
}

static void same_state(const state_of *a, const state_of *b, int particles, const char *what)
{
    for (int i = 0; i < particles; i++)
        if (memcmp(&a->x[i], &b->x[i], sizeof a->x[i]) || memcmp(&a->v[i], &b->v[i], sizeof a->v[i]))
            fail_msg("%s: particle %d at %.17g, %.17g and %.17g, %.17g", what, i, a->x[i].x, a->x[i].y,
                     b->x[i].x, b->x[i].y);
    assert_memory_equal(&a->report, &b->report, sizeof a->report);
}

/* Every integrator and every solver: fused, staged, native, OpenCL. */
static void all_ways_give_the_same_bits(void **state)
{
    (void)state;
    built *b = everything();
    cab_particles_settings *s = &b->def.settings;
    s->tolerance = 1e-6;
    for (int n = 0; n < CAB_INTEGRATOR_COUNT + SOLVER_KINDS; n++) {
        s->integrator = n < CAB_INTEGRATOR_COUNT ? (cab_integrator)n : CAB_INTEGRATOR_VERLET;
        use_solver(s, n < CAB_INTEGRATOR_COUNT ? CAB_PARTICLES_PCG : n - CAB_INTEGRATOR_COUNT);
        s->block = 3;
        char what[80];
        snprintf(what, sizeof what, "%s, %s", cab_integrator_name(s->integrator),
                 cab_particles_solver_name(s->solver));
        state_of first = run_one(&b->def, CAB_PARTICLES_FUSED, "native", 60);
        assert_int_equal(first.report.stop, CAB_PARTICLES_RUNS);
        assert_true(fabs(first.x[3].x - b->particles[3].position.x) > 1e-4);
        state_of other = run_one(&b->def, CAB_PARTICLES_STAGED, "native", 60);
        same_state(&first, &other, b->def.particle_count, what);
        if (!have_opencl()) continue;
        other = run_one(&b->def, CAB_PARTICLES_FUSED, "opencl", 60);
        same_state(&first, &other, b->def.particle_count, what);
        other = run_one(&b->def, CAB_PARTICLES_STAGED, "opencl", 5);
        state_of short_one = run_one(&b->def, CAB_PARTICLES_FUSED, "native", 5);
        same_state(&short_one, &other, b->def.particle_count, what);
    }
    free(b);
}

/* With a solve's vectors by CLBlast sums have another order: the same to what solves to 1e-10 leave, over
 * 0.03 s of motion in few steps, since each of its calls takes a millisecond. Where it cannot be had, that is
 * said. */
static void clblast_agrees(void **state)
{
    (void)state;
    built *b = everything();
    b->def.settings.tolerance = 1e-10;
    b->def.settings.step = 5e-3;
    cab_particles *p = NULL;
    cab_world_def native = device_of("native");
    cab_error error;
    assert_int_equal(cab_particles_create(&b->def, 1, CAB_PARTICLES_CLBLAST, &native, &p, &error),
                     CAB_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "needs an OpenCL device"));
#ifdef CAB_HAVE_CLBLAST
    static const cab_particles_solver solvers[] = {CAB_PARTICLES_CG, CAB_PARTICLES_PCG,
                                                   CAB_PARTICLES_LEAST_SQUARES};
    for (int n = 0; n < COUNT_OF(solvers) && have_opencl(); n++) {
        b->def.settings.solver = solvers[n];
        state_of ours = run_one(&b->def, CAB_PARTICLES_FUSED, "native", 6);
        state_of other = run_one(&b->def, CAB_PARTICLES_CLBLAST, "opencl", 6);
        assert_true(memcmp(ours.x, other.x, sizeof ours.x) != 0); /* it was not ours again */
        for (int i = 0; i < b->def.particle_count; i++) {
            close_to(other.x[i].x, ours.x[i].x, 1e-9, "x");
            close_to(other.x[i].y, ours.x[i].y, 1e-9, "y");
        }
    }
#endif
    free(b);
}

/* A system does not feel the others of its batch, and a reset batch does it all again. */
static void systems_are_by_themselves(void **state)
{
    (void)state;
    built *b[3] = {everything(), pendulum(3, 0.4, CAB_PARTICLE_ROD), begin_system()};
    cab_particles_def defs[3] = {b[1]->def, b[0]->def, b[2]->def};
    cab_particles *all = make(defs, 3, CAB_PARTICLES_FUSED, "native");
    cab_error error;
    cab_vec2 x[MOST], again[MOST], alone[MOST];
    step(all, 50);
    read_state(all, 1, x, NULL);
    cab_particles *one = make(&b[0]->def, 1, CAB_PARTICLES_FUSED, "native");
    step(one, 50);
    read_state(one, 0, alone, NULL);
    assert_memory_equal(x, alone, (size_t)b[0]->def.particle_count * sizeof *x);
    assert_int_equal(cab_particles_reset(all, &error), CAB_OK);
    assert_int_equal(report_of(all, 1).steps, 0);
    step(all, 50);
    read_state(all, 1, again, NULL);
    assert_memory_equal(x, again, (size_t)b[0]->def.particle_count * sizeof *x);
    cab_particles_destroy(all);
    cab_particles_destroy(one);
    for (int i = 0; i < 3; i++) free(b[i]);
}

/* --- integrators ---------------------------------------------------------------------------------- */

/* Three rods swing; with drag, forces see velocities more than through the multipliers alone. */
static void swing(cab_integrator integrator, double drag, double h, double time, cab_vec2 *x, double *energy)
{
    built *b = pendulum(3, 1.0, CAB_PARTICLE_ROD);
    b->def.settings.integrator = integrator;
    b->def.settings.drag = drag;
    b->def.settings.step = h;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, (int)lround(time / h));
    read_state(p, 0, x, NULL);
    cab_particles_report r = report_of(p, 0);
    if (energy) *energy = r.kinetic + r.potential;
    cab_particles_destroy(p);
    free(b);
}

static double difference(const cab_vec2 *a, const cab_vec2 *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double x = a[i].x - b[i].x, y = a[i].y - b[i].y;
        sum += x * x + y * y;
    }
    return sqrt(sum);
}

static double order_of(cab_integrator integrator)
{
    cab_vec2 coarse[4], middle[4], fine[4];
    double h = integrator == CAB_INTEGRATOR_RK4 ? 4e-3 : 1e-3;
    swing(integrator, 0.5, h, 0.4, coarse, NULL);
    swing(integrator, 0.5, h / 2, 0.4, middle, NULL);
    swing(integrator, 0.5, h / 4, 0.4, fine, NULL);
    return log2(difference(coarse, middle, 4) / difference(middle, fine, 4));
}

/* The order that the seed's notes derive; forces see velocities. The end midstep and the second evaluation
 * give back the order that is lost with them. */
static void integrators_have_their_order(void **state)
{
    (void)state;
    static const double expected[CAB_INTEGRATOR_COUNT] = {[CAB_INTEGRATOR_EULER] = 1,
                                                          [CAB_INTEGRATOR_MIDPOINT] = 2,
                                                          [CAB_INTEGRATOR_LEAPFROG] = 1,
                                                          [CAB_INTEGRATOR_LEAPFROG_2] = 2,
                                                          [CAB_INTEGRATOR_RK4] = 4,
                                                          [CAB_INTEGRATOR_VERLET] = 1,
                                                          [CAB_INTEGRATOR_MIDPOINT_VERLET] = 1,
                                                          [CAB_INTEGRATOR_MIDPOINT_VERLET_2] = 2};
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
        double order = order_of((cab_integrator)i);
        print_message("[          ] %s: order %.3f\n", cab_integrator_name((cab_integrator)i), order);
        close_to(order, expected[i], 0.15, cab_integrator_name((cab_integrator)i));
    }
}

/* Without velocities in the forces Verlet and leapfrog are of second order: a spring. */
static void verlet_is_second_order_of_springs(void **state)
{
    (void)state;
    static const cab_integrator second[] = {CAB_INTEGRATOR_VERLET, CAB_INTEGRATOR_LEAPFROG};
    for (int i = 0; i < COUNT_OF(second); i++) {
        double error[2];
        for (int n = 0; n < 2; n++) {
            built *b = begin_system();
            add_particle(b, 1, 0, 0, 0, 0);
            add_particle(b, 2, 1.5, 0, 0, 0.3);
            cab_particle_force_def *f = add_force(b, CAB_PARTICLE_EXPRESSION, 1, 0, 0);
            f->fx = "-8*x";
            f->fy = "-8*y";
            b->def.settings.gravity = (cab_vec2){0, 0};
            b->def.settings.integrator = second[i];
            b->def.settings.step = n ? 5e-4 : 1e-3;
            cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
            step(p, n ? 2000 : 1000);
            cab_vec2 x[2];
            read_state(p, 0, x, NULL);
            error[n] = hypot(x[1].x - 1.5 * cos(2), x[1].y - 0.15 * sin(2)); /* omega = 2, t = 1 */
            cab_particles_destroy(p);
            free(b);
        }
        close_to(log2(error[0] / error[1]), 2, 0.05, cab_integrator_name(second[i]));
    }
}

/* Period of one rod from 30, 90 and 150 degrees: the elliptic values of docs/validation.md, at two steps. It
 * passes the lowest point for the first time after a quarter. */
static void a_rod_swings_in_time(void **state)
{
    (void)state;
    static const double degrees[] = {30, 90, 150}, ratio[] = {1.017409, 1.180341, 1.762204};
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < 2; n++) {
            double h = n ? 1e-3 : 2e-3, before = 0, time = 0;
            built *b = pendulum(1, degrees[i] * PI / 180, CAB_PARTICLE_ROD);
            b->def.settings.step = h;
            cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
            cab_vec2 x[2];
            for (read_state(p, 0, x, NULL); x[1].x > 0; time += h) {
                before = x[1].x;
                step(p, 1);
                read_state(p, 0, x, NULL);
            }
            double quarter = time - h * x[1].x / (x[1].x - before);
            double expected = ratio[i] * 2 * PI / sqrt(9.81) / 4;
            /* second order: 5e-6 of a period at 2 ms */
            close_to(quarter / expected, 1, n ? 3e-6 : 1.2e-5, "period");
            cab_particles_destroy(p);
            free(b);
        }
}

/* Energy after 5 s of three rods without drag, at 2 ms, and how far rods are off: what each integrator does
 * with them, and who does better than whom. */
static void energy_drifts_as_expected(void **state)
{
    (void)state;
    double drift[CAB_INTEGRATOR_COUNT], off[CAB_INTEGRATOR_COUNT];
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
        built *b = pendulum(3, 1.0, CAB_PARTICLE_ROD);
        b->def.settings.integrator = (cab_integrator)i;
        b->def.settings.step = 1e-3;
        cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        cab_particles_report r = report_of(p, 0);
        double start = r.kinetic + r.potential;
        step(p, 2000);
        r = report_of(p, 0);
        drift[i] = (r.kinetic + r.potential - start) / (6 * 9.81);
        off[i] = r.off_worst;
        print_message("[          ] %-18s energy %+.3e of the weight times 1 m, rods off %.1e m\n",
                      cab_integrator_name((cab_integrator)i), drift[i], off[i]);
        assert_int_equal(r.stop, CAB_PARTICLES_RUNS);
        assert_int_equal(r.inconsistent, 0);
        cab_particles_destroy(p);
        free(b);
    }
    assert_true(drift[CAB_INTEGRATOR_EULER] > 1e-3); /* it gains */
    assert_true(fabs(drift[CAB_INTEGRATOR_RK4]) < 1e-6);
    assert_true(fabs(drift[CAB_INTEGRATOR_MIDPOINT]) < fabs(drift[CAB_INTEGRATOR_EULER]) / 20);
    assert_true(fabs(drift[CAB_INTEGRATOR_MIDPOINT_VERLET_2]) < fabs(drift[CAB_INTEGRATOR_EULER]) / 20);
    assert_true(off[CAB_INTEGRATOR_RK4] < 1e-6 && off[CAB_INTEGRATOR_EULER] < 0.02);
}

/* No constraint to the world, no gravity: momentum stays. 1e-13 is rounding of 2,000 steps. */
static void momentum_is_kept(void **state)
{
    (void)state;
    built *b = begin_system();
    for (int i = 0; i < 6; i++)
        add_particle(b, 1 + 0.3 * i, 0.8 * i, 0.3 * noise(i), noise(20 + i), noise(30 + i));
    for (int i = 0; i < 3; i++)
        add_constraint(b, i % 2 ? CAB_PARTICLE_ROD_SQUARED : CAB_PARTICLE_ROD, i, i + 1);
    for (int i = 0; i < 3; i++) {
        cab_particle_force_def *f =
            add_force(b, (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + i), i, i + 1, i + 2);
        f->angle = 2.5;
        f->stiffness = 5;
    }
    cab_particle_force_def *spring = add_force(b, CAB_PARTICLE_SPRING, 4, 5, 0);
    spring->rest_length = 0.5;
    spring->stiffness = 10;
    b->def.settings.gravity = (cab_vec2){0, 0};
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    double before[2] = {0}, after[2] = {0}, size = 0;
    cab_vec2 v[6];
    for (int pass = 0; pass < 2; pass++) {
        double *sum = pass ? after : before;
        read_state(p, 0, NULL, v);
        for (int i = 0; i < 6; i++) {
            sum[0] += b->particles[i].mass * v[i].x;
            sum[1] += b->particles[i].mass * v[i].y;
            size += b->particles[i].mass * hypot(v[i].x, v[i].y);
        }
        if (pass == 0) step(p, 2000);
    }
    close_to(after[0], before[0], 1e-13 * size, "momentum along x");
    close_to(after[1], before[1], 1e-13 * size, "momentum along y");
    cab_particles_destroy(p);
    free(b);
}

/* --- angular springs ------------------------------------------------------------------------------ */

/* Where the angle comes to rest, heavily damped, that starts at `start`. */
static double rest_from(cab_particle_force_kind kind, double angle, double start)
{
    built *b = begin_system();
    add_particle(b, 1, 1, 0, 0, 0);
    add_particle(b, 1, 0, 0, 0, 0);
    add_particle(b, 1, cos(start), sin(start), 0, 0);
    add_constraint(b, CAB_PARTICLE_ROD, 0, 1);
    add_constraint(b, CAB_PARTICLE_ROD, 2, 1);
    cab_particle_force_def *f = add_force(b, kind, 0, 1, 2);
    f->angle = angle;
    f->stiffness = 20;
    b->def.settings.gravity = (cab_vec2){0, 0};
    b->def.settings.drag = 3;
    b->def.settings.step = 5e-3;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 4000);
    cab_vec2 x[3];
    read_state(p, 0, x, NULL);
    cab_particles_destroy(p);
    free(b);
    double ax = x[0].x - x[1].x, ay = x[0].y - x[1].y, cx = x[2].x - x[1].x, cy = x[2].y - x[1].y;
    return atan2(ax * cy - ay * cx, ax * cx + ay * cy);
}

/* The energy spring rests at both signs of its angle, the others at one. 1e-6: after 20 s at time constants
 * of less than 1 s. */
static void angles_come_to_rest(void **state)
{
    (void)state;
    const double angle = 1.2;
    static const double starts[] = {0.3, 2.5, -0.3, -1.1, -1.6};
    for (int i = 0; i < COUNT_OF(starts); i++) {
        double side = starts[i] > 0 ? angle : -angle;
        close_to(rest_from(CAB_PARTICLE_ANGLE_ENERGY, angle, starts[i]), side, 1e-6, "energy");
        close_to(rest_from(CAB_PARTICLE_ANGLE_GOAL, angle, starts[i]), angle, 1e-6, "goal");
        close_to(rest_from(CAB_PARTICLE_ANGLE_ATAN2, angle, starts[i]), angle, 1e-6, "atan2");
    }
}

/* --- solvers -------------------------------------------------------------------------------------- */

/* After an Euler step of a start with other velocities the multipliers are those of the dense solve. */
static void solvers_agree_with_the_dense_one(void **state)
{
    (void)state;
    built *b = everything();
    b->def.settings.integrator = CAB_INTEGRATOR_EULER;
    for (int i = 0; i < b->def.particle_count; i++)
        b->particles[i].velocity = (cab_vec2){noise(i), noise(40 + i)};
    cab_p_batch batch = {0};
    cab_error error;
    cab_p_dense dense;
    double x[2 * MOST], v[2 * MOST], right[2 * MOST], expected[2 * MOST], lambda[2 * MOST], left;
    assert_int_equal(cab_p_batch_add(&batch, &b->def, &error), CAB_OK);
    const cab_p_system *s = CAB_P_AT(batch.systems, cab_p_system, 0);
    for (int i = 0; i < s->particles; i++) {
        x[2 * i] = b->particles[i].position.x;
        x[2 * i + 1] = b->particles[i].position.y;
        v[2 * i] = b->particles[i].velocity.x;
        v[2 * i + 1] = b->particles[i].velocity.y;
    }
    assert_int_equal(cab_p_dense_make(&batch, s, x, v, &dense, NULL, &error), CAB_OK);
    /* the right side of the device: without constraints it accelerates by W Q */
    cab_particles_def free_one = b->def;
    free_one.constraint_count = 0;
    cab_particles *p = make(&free_one, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1);
    cab_vec2 moved[MOST];
    read_state(p, 0, NULL, moved);
    cab_particles_destroy(p);
    for (int r = 0; r < s->rows; r++) {
        right[r] = dense.b[r];
        for (int c = 0; c < dense.columns; c++) {
            double after = c % 2 ? moved[c / 2].y : moved[c / 2].x;
            right[r] -= dense.j[r * dense.columns + c] * (after - v[c]) / b->def.settings.step;
        }
    }
    assert_int_equal(cab_p_dense_solve(&dense, right, expected, &left), s->rows);
    assert_true(left < 1e-12);
    double size = 0;
    for (int r = 0; r < s->rows; r++) size = fmax(size, fabs(expected[r]));
    for (int n = 0; n < SOLVER_KINDS; n++) {
        use_solver(&b->def.settings, n);
        b->def.settings.tolerance = 1e-12;
        p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        step(p, 1);
        cab_particles_report r = report_of(p, 0);
        assert_int_equal(cab_particles_read_multipliers(p, 0, lambda, &error), CAB_OK);
        cab_particles_destroy(p);
        print_message("[          ] %s: %d iterations, residual %.1e\n",
                      cab_particles_solver_name(b->def.settings.solver), r.iterations_most, r.residual_worst);
        assert_int_equal(r.least_squares, 0);
        assert_true(r.residual_worst <= 1e-12);
        /* 1e-12 of the right side, times a condition of under 1,000; the right side itself is a difference
         * of velocities over 1 ms: 1e-12 */
        for (int k = 0; k < s->rows; k++) close_to(lambda[k], expected[k], 1e-9 * size, "multiplier");
    }
    cab_p_dense_free(&dense);
    cab_p_batch_free(&batch);
    free(b);
}

/* --- incomplete Cholesky -------------------------------------------------------------------------- */

/* Iterations of the first solve to 1e-9, by Cholesky. */
static int first_solve(built *b, cab_particles_report *report)
{
    use_solver(&b->def.settings, CHOLESKY);
    b->def.settings.tolerance = 1e-9;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1);
    *report = report_of(p, 0);
    cab_particles_destroy(p);
    return report->iterations_most;
}

/* A rod from each particle to the one that `parent` names. */
static built *rods_to(const int *parent, int count)
{
    built *b = begin_system();
    add_particle(b, 1, 0, 0, 0, 0);
    add_constraint(b, CAB_PARTICLE_POINT, 0, 0);
    for (int i = 1; i < count; i++) {
        cab_vec2 at = b->particles[parent[i]].position;
        add_particle(b, 1 + 0.5 * noise(i), at.x + noise(100 + i), at.y + noise(200 + i), noise(i), 0);
        add_constraint(b, CAB_PARTICLE_ROD, parent[i], i);
    }
    return b;
}

/* Nothing is dropped of a chain, of trees whose branches meet in threes and more, of a ring: an iteration,
 * two where rounding asks for it. Of a net fill is dropped, and it takes some; block Jacobi takes more. */
static void cholesky_is_exact_on_trees(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    int chain[COUNT], pairs[COUNT], fives[COUNT], random[COUNT];
    cab_particles_report r;
    for (int i = 1; i < COUNT; i++) {
        chain[i] = i - 1;
        pairs[i] = (i - 1) / 2;
        fives[i] = (i - 1) / 5;
        random[i] = (int)((noise(300 + i) + 1) / 2 * i);
    }
    const int *const trees[] = {chain, pairs, fives, random};
    for (int i = 0; i < COUNT_OF(trees); i++) {
        built *b = rods_to(trees[i], COUNT);
        assert_in_range(first_solve(b, &r), 1, 2);
        assert_int_equal(r.least_squares, 0);
        if (i == 0) { /* a ring */
            add_constraint(b, CAB_PARTICLE_ROD, COUNT - 1, 0);
            assert_in_range(first_solve(b, &r), 1, 2);
        }
        free(b);
    }
    built *net = begin_system();
    for (int i = 0; i < 25; i++) {
        add_particle(net, 1, i % 5 + 0.1 * noise(i), i / 5 + 0.1 * noise(50 + i), 0, 0);
        if (i % 5) add_constraint(net, CAB_PARTICLE_ROD, i - 1, i);
        if (i / 5) add_constraint(net, CAB_PARTICLE_ROD, i - 5, i);
    }
    add_constraint(net, CAB_PARTICLE_POINT, 0, 0);
    int cholesky = first_solve(net, &r);
    assert_int_equal(r.least_squares, 0);
    net->def.settings.preconditioner = CAB_PARTICLES_BLOCK_JACOBI;
    cab_particles *p = make(&net->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1);
    print_message("[          ] net: %d iterations, block Jacobi %d\n", cholesky,
                  report_of(p, 0).iterations_most);
    assert_true(cholesky > 2 && cholesky < report_of(p, 0).iterations_most);
    cab_particles_destroy(p);
    free(net);
}

/* A star of 40 rods: rows at its middle meet in groups, so their preconditioner is none of a tree's; the
 * solve is right all the same. */
static void many_rods_at_a_particle(void **state)
{
    (void)state;
    int parent[41] = {0};
    cab_particles_report r;
    built *b = rods_to(parent, 41);
    assert_in_range(first_solve(b, &r), 1, 20);
    assert_int_equal(r.least_squares, 0);
    assert_true(r.residual_worst <= 1e-9);
    free(b);
}

/* Rods between all pairs of eight particles: each row meets twelve others, none could be taken without fill,
 * and 15 of the 28 depend on the others. */
static void all_pairs_are_solved(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    cab_particles_report r;
    built *b = begin_system();
    for (int i = 0; i < COUNT; i++)
        add_particle(b, 1, noise(i), noise(20 + i), -noise(20 + i), noise(i)); /* turns by 1 rad/s */
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i; k++) add_constraint(b, CAB_PARTICLE_ROD, k, i);
    b->def.settings.gravity = (cab_vec2){0, 0};
    assert_in_range(first_solve(b, &r), 1, 100);
    assert_int_equal(r.inconsistent, 0); /* it turns as one body */
    assert_true(r.residual_worst <= 1e-9);
    free(b);
}

/* A chain of 20,000 rods as one system, staged on either device: an iteration a solve, the same bits, and
 * rods as long as they were. By plain CG the cap ends the solve, and the report says so. */
static void a_long_chain_is_one_system(void **state)
{
    (void)state;
    enum { RODS = 20000 };
    cab_particle_def *particles = calloc(RODS + 1, sizeof *particles);
    cab_particle_constraint_def *constraints = calloc(RODS + 1, sizeof *constraints);
    cab_vec2 *x[2] = {calloc(RODS + 1, sizeof(cab_vec2)), calloc(RODS + 1, sizeof(cab_vec2))};
    assert_true(particles && constraints && x[0] && x[1]);
    for (int i = 0; i <= RODS; i++) {
        particles[i] = (cab_particle_def){.mass = 1, .position = {0.01 * i * sin(0.5), -0.01 * i * cos(0.5)}};
        constraints[i] =
            (cab_particle_constraint_def){.kind = CAB_PARTICLE_ROD, .particles = {i, i - 1}, .length = 0.01};
    }
    constraints[0].kind = CAB_PARTICLE_POINT;
    cab_particles_def def = {particles, RODS + 1, NULL, 0, constraints, RODS + 1, cab_particles_default()};
    use_solver(&def.settings, CHOLESKY);
    def.settings.step = 1e-4;
    for (int n = 0; n < (have_opencl() ? 2 : 1); n++) {
        cab_particles *p = make(&def, 1, CAB_PARTICLES_STAGED, n ? "opencl" : "native");
        step(p, 2);
        cab_particles_report r = report_of(p, 0);
        assert_in_range(r.iterations_most, 1, 2);
        assert_true(r.residual_worst <= 1e-3 && r.least_squares == 0);
        assert_true(r.off_worst < 1e-9);
        read_state(p, 0, x[n], NULL);
        cab_particles_destroy(p);
    }
    if (have_opencl()) assert_memory_equal(x[0], x[1], (RODS + 1) * sizeof *x[0]);
    def.settings.solver = CAB_PARTICLES_CG;
    def.settings.integrator = CAB_INTEGRATOR_EULER;
    def.settings.iterations = 50;
    cab_particles *p = make(&def, 1, CAB_PARTICLES_STAGED, "native");
    step(p, 1);
    cab_particles_report r = report_of(p, 0);
    assert_int_equal(r.iterations_most, 100); /* and as many of least squares */
    assert_int_equal(r.capped, 1);
    assert_int_equal(r.inconsistent, 1);
    assert_true(r.residual_worst > 1e-3);
    cab_particles_destroy(p);
    free(particles);
    free(constraints);
    free(x[0]);
    free(x[1]);
}

/* A rod twice and a rod around a triangle whose corners are fixed besides: rows depend on one another, but no
 * two contradict. The motion is that without the spare ones. */
static void redundant_rows_change_nothing(void **state)
{
    (void)state;
    built *plain = pendulum(4, 0.8, CAB_PARTICLE_ROD), *doubled = pendulum(4, 0.8, CAB_PARTICLE_ROD);
    add_constraint(doubled, CAB_PARTICLE_ROD, 1, 2);
    add_constraint(doubled, CAB_PARTICLE_ROD, 2, 1);
    add_constraint(doubled, CAB_PARTICLE_POINT, 0, 0);
    cab_particles_facts facts;
    cab_error error;
    assert_int_equal(cab_particles_examine(&doubled->def, &facts, &error), CAB_OK);
    assert_int_equal(facts.rows, 10);
    assert_int_equal(facts.rank, 6);
    close_to(facts.contradiction, 0, 1e-12, "contradiction"); /* C itself is 1e-16 */
    for (int n = 0; n < SOLVER_KINDS; n++) {
        if (n == CAB_PARTICLES_JACOBI) continue; /* it does not converge on equal rows: below */
        cab_vec2 x[5], y[5];
        use_solver(&plain->def.settings, n);
        use_solver(&doubled->def.settings, n);
        cab_particles *p = make(&plain->def, 1, CAB_PARTICLES_FUSED, "native");
        cab_particles *q = make(&doubled->def, 1, CAB_PARTICLES_FUSED, "native");
        step(p, 1000);
        step(q, 1000);
        read_state(p, 0, x, NULL);
        read_state(q, 0, y, NULL);
        assert_int_equal(report_of(q, 0).inconsistent, 0);
        /* equal but for solves to 1e-12, 1 s of a calm chain */
        assert_true(difference(x, y, 5) < 1e-8);
        cab_particles_destroy(p);
        cab_particles_destroy(q);
    }
    free(plain);
    free(doubled);
}

static void is_finite(cab_particles *p, int particles)
{
    cab_vec2 x[MOST], v[MOST];
    read_state(p, 0, x, v);
    for (int i = 0; i < particles; i++)
        if (!isfinite(x[i].x + x[i].y + v[i].x + v[i].y)) fail_msg("particle %d is not finite", i);
}

/* A particle that is to be at two points: it settles between them, as least squares have it, every solver. */
static void contradictions_end_in_least_squares(void **state)
{
    (void)state;
    for (int n = 0; n < SOLVER_KINDS; n++) {
        built *b = begin_system();
        add_particle(b, 1, 0.5, 0.5, 0, 0);
        add_constraint(b, CAB_PARTICLE_POINT, 0, 0)->point = (cab_vec2){0, 0};
        add_constraint(b, CAB_PARTICLE_POINT, 0, 0)->point = (cab_vec2){1, 0};
        use_solver(&b->def.settings, n);
        b->def.settings.tolerance = 1e-6;
        cab_particles_facts facts;
        cab_error error;
        assert_int_equal(cab_particles_examine(&b->def, &facts, &error), CAB_OK);
        assert_int_equal(facts.rows, 4);
        assert_int_equal(facts.rank, 2);
        assert_true(facts.contradiction > 0.5);
        cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        step(p, 3000);
        cab_vec2 x[1];
        read_state(p, 0, x, NULL);
        cab_particles_report r = report_of(p, 0);
        assert_int_equal(r.stop, CAB_PARTICLES_RUNS);
        assert_int_equal(r.inconsistent, r.solves);
        assert_int_equal(r.capped, 0); /* least squares was through with it */
        if (n != CAB_PARTICLES_LEAST_SQUARES) assert_int_equal(r.least_squares, r.solves);
        close_to(x[0].x, 0.5, 1e-6, "between the points");
        close_to(x[0].y, 0, 1e-6, "on their line");
        cab_particles_destroy(p);
        free(b);
    }
}

/* No particles; no constraints; a rod of no length; rods on one line, which cannot give way; a middle of an
 * angle on its end. Nothing of it ends in what is no number. */
static void degenerate_systems_are_calm(void **state)
{
    (void)state;
    built *empty = begin_system();
    cab_particles *p = make(&empty->def, 1, CAB_PARTICLES_STAGED, "native");
    step(p, 10);
    assert_int_equal(report_of(p, 0).steps, 10);
    cab_particles_destroy(p);
    add_particle(empty, 2, 0, 0, 1, 0);
    p = make(&empty->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1000);
    cab_vec2 x[1];
    read_state(p, 0, x, NULL);
    close_to(x[0].x, 1, 1e-12, "free flight");
    close_to(x[0].y, -9.81 / 2, 1e-10, "free fall");
    cab_particles_destroy(p);
    free(empty);
    for (int n = 0; n < SOLVER_KINDS; n++) {
        built *b = begin_system();
        for (int i = 0; i < 4; i++) add_particle(b, 1, i > 1 ? i - 1 : i, 0, 0, 0); /* 1 and 2 in one place */
        for (int i = 0; i < 3; i++) add_constraint(b, CAB_PARTICLE_ROD, i, i + 1)->length = 1;
        add_constraint(b, CAB_PARTICLE_ROD, 0, 3)->length = 5; /* too long for the other three */
        add_constraint(b, CAB_PARTICLE_CIRCLE, 0, 0)->length = 1;
        b->constraints[4].point = b->particles[0].position;
        for (int i = 0; i < 3; i++) {
            add_force(b, (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + i), 0, 1, 2)->stiffness = 1;
            add_force(b, (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + i), 1, 2, 3)->stiffness = 1;
        }
        use_solver(&b->def.settings, n);
        b->def.settings.guard = 0;
        b->def.settings.tolerance = 1e-3;
        for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
            b->def.settings.integrator = (cab_integrator)i;
            p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
            step(p, 200);
            is_finite(p, 4);
            assert_true(report_of(p, 0).inconsistent > 0 || report_of(p, 0).least_squares > 0);
            cab_particles_destroy(p);
        }
        free(b);
    }
}

/* What explodes stops where it was last sensible; one that leaves its wire stops, too, and says which. */
static void what_explodes_is_stopped(void **state)
{
    (void)state;
    built *b = begin_system();
    add_particle(b, 1, 0, 0, 0, 0);
    add_particle(b, 1, 1.1, 0, 0, 0);
    cab_particle_force_def *f = add_force(b, CAB_PARTICLE_SPRING, 0, 1, 0);
    f->rest_length = 1;
    f->stiffness = 1e9;
    b->def.settings.integrator = CAB_INTEGRATOR_EULER;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1000);
    cab_particles_report r = report_of(p, 0);
    assert_int_equal(r.stop, CAB_PARTICLES_DIVERGED);
    assert_true(r.steps < 100);
    is_finite(p, 2);
    cab_particles_destroy(p);
    free(b);
    b = pendulum(3, 1, CAB_PARTICLE_ROD);
    b->def.settings.integrator = CAB_INTEGRATOR_EULER;
    b->def.settings.step = 0.05;
    b->def.settings.off_limit = 0.1;
    p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1000);
    r = report_of(p, 0);
    assert_int_equal(r.stop, CAB_PARTICLES_OFF_LIMIT);
    assert_true(r.off_worst > 0.1);
    cab_particles_destroy(p);
    free(b);
}

/* --- while running -------------------------------------------------------------------------------- */

/* A hand holds a particle m g / k under its point; let go, it falls. Settings change what comes next. */
static void hands_and_settings(void **state)
{
    (void)state;
    built *b = begin_system();
    cab_error error;
    cab_vec2 x[1], v[1];
    add_particle(b, 2, 0, 0, 0, 0);
    b->def.settings.drag = 8;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    assert_int_equal(cab_particles_pull(p, 0, 0, 0, (cab_vec2){5, 5}, 50, 0, &error), CAB_OK);
    assert_int_equal(cab_particles_pull(p, 0, 0, 0, (cab_vec2){1, 1}, 50, 0, &error), CAB_OK); /* moved */
    step(p, 20000);
    read_state(p, 0, x, v);
    close_to(x[0].x, 1, 1e-9, "under the hand");
    close_to(x[0].y, 1 - 2 * 9.81 / 50, 1e-9, "weight over stiffness below it");
    assert_int_equal(cab_particles_let_go(p, 0, 0, &error), CAB_OK);
    cab_particles_settings s = b->def.settings;
    s.drag = 0;
    assert_int_equal(cab_particles_change(p, 0, &s, &error), CAB_OK);
    step(p, 1000);
    read_state(p, 0, x, v);
    close_to(v[0].y, -9.81, 1e-8, "free fall for 1 s");
    assert_int_equal(cab_particles_pull(p, 0, 10, 0, (cab_vec2){0, 0}, 1, 0, &error), CAB_ERROR_INPUT);
    assert_int_equal(cab_particles_pull(p, 0, 0, 1, (cab_vec2){0, 0}, 1, 0, &error), CAB_ERROR_INPUT);
    assert_int_equal(cab_particles_pull(p, 0, 0, 0, (cab_vec2){NAN, 0}, 1, 0, &error), CAB_ERROR_INPUT);
    assert_int_equal(cab_particles_read(p, 1, x, v, &error), CAB_ERROR_INPUT);
    s.step = 0;
    assert_int_equal(cab_particles_change(p, 0, &s, &error), CAB_ERROR_INPUT);
    cab_particles_destroy(p);
    free(b);
}

/* An expression sees place, velocity, time and mass, in doubles. */
static void expressions_are_forces(void **state)
{
    (void)state;
    built *b = begin_system();
    add_particle(b, 2, 0.3, 0, 0, 0);
    cab_particle_force_def *f = add_force(b, CAB_PARTICLE_EXPRESSION, 0, 0, 0);
    f->fx = "m*0.1";
    f->fy = "m*(9.81 + t)";
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 1000);
    cab_vec2 x[1], v[1];
    read_state(p, 0, x, v);
    close_to(v[0].x, 0.1, 1e-14, "0.1 is a double"); /* as a float it is 1.5e-9 more */
    close_to(v[0].y, 0.5, 1e-9, "the integral of t");
    cab_particles_destroy(p);
    free(b);
}

typedef struct bad {
    const char *message;
    void (*spoil)(built *b);
} bad;

static void spoil_mass(built *b)
{
    b->particles[1].mass = 0;
}
static void spoil_place(built *b)
{
    b->particles[2].position.y = NAN;
}
static void spoil_rod(built *b)
{
    b->constraints[1].particles[1] = 7;
}
static void spoil_twice(built *b)
{
    b->constraints[1].particles[1] = b->constraints[1].particles[0];
}
static void spoil_length(built *b)
{
    b->constraints[2].length = -1;
}
static void spoil_step(built *b)
{
    b->def.settings.step = 0;
}
static void spoil_expression(built *b)
{
    add_force(b, CAB_PARTICLE_EXPRESSION, 0, 0, 0)->fx = "x + z";
}
static void spoil_ellipse(built *b)
{
    cab_particle_constraint_def *k = add_constraint(b, CAB_PARTICLE_ELLIPSE, 1, 0);
    k->point2 = (cab_vec2){3, 4};
    k->length = 5;
}
static void spoil_line(built *b)
{
    add_constraint(b, CAB_PARTICLE_LINE, 1, 0);
}
static void spoil_angle(built *b)
{
    add_force(b, CAB_PARTICLE_ANGLE_ENERGY, 0, 1, 2)->angle = -1;
}

static void faults_are_named(void **state)
{
    (void)state;
    static const bad list[] = {
        {"/particles/1/mass: expected a number from 1e-09 to 1e+09, got 0", spoil_mass},
        {"/particles/2/position: expected a number from -1e+06 to 1e+06, got nan", spoil_place},
        {"/constraints/1/particles/1: expected a particle from 0 to 3, got 7", spoil_rod},
        {"/constraints/1/particles/1: expected another particle than before, got 0", spoil_twice},
        {"/constraints/2/length: expected a number from 1e-09 to 1e+06, got -1", spoil_length},
        {"/settings/step: expected a number from 1e-09 to 10, got 0", spoil_step},
        {"/forces/0/fx: column 5: unknown name \"z\"; expected x, y, vx, vy, t, m, pi or a function",
         spoil_expression},
        {"/constraints/4/length: expected more than the 5 m between its points, got 5", spoil_ellipse},
        {"/constraints/4/direction: expected a direction longer than 1e-09, got next to nothing", spoil_line},
        {"/forces/0/angle: expected a number from 0 to 3.14159, got -1", spoil_angle},
    };
    for (int i = 0; i < COUNT_OF(list); i++) {
        built *b = pendulum(3, 1, CAB_PARTICLE_ROD);
        cab_error error;
        cab_particles *p = NULL;
        cab_world_def def = device_of("native");
        list[i].spoil(b);
        assert_int_equal(cab_particles_create(&b->def, 1, CAB_PARTICLES_AUTO, &def, &p, &error),
                         CAB_ERROR_INPUT);
        assert_string_equal(error.message, list[i].message);
        free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_have_their_derivatives),
        cmocka_unit_test(forms_agree),
        cmocka_unit_test(forces_are_gradients),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(arcs_are_right),
        cmocka_unit_test(all_ways_give_the_same_bits),
        cmocka_unit_test(clblast_agrees),
        cmocka_unit_test(systems_are_by_themselves),
        cmocka_unit_test(integrators_have_their_order),
        cmocka_unit_test(verlet_is_second_order_of_springs),
        cmocka_unit_test(a_rod_swings_in_time),
        cmocka_unit_test(energy_drifts_as_expected),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(angles_come_to_rest),
        cmocka_unit_test(solvers_agree_with_the_dense_one),
        cmocka_unit_test(cholesky_is_exact_on_trees),
        cmocka_unit_test(many_rods_at_a_particle),
        cmocka_unit_test(all_pairs_are_solved),
        cmocka_unit_test(a_long_chain_is_one_system),
        cmocka_unit_test(redundant_rows_change_nothing),
        cmocka_unit_test(contradictions_end_in_least_squares),
        cmocka_unit_test(degenerate_systems_are_calm),
        cmocka_unit_test(what_explodes_is_stopped),
        cmocka_unit_test(hands_and_settings),
        cmocka_unit_test(expressions_are_forces),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
