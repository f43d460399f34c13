/* Batches of particles under Lagrange multipliers: the same bits in all ways, systems that know nothing of each
 * other, hands and settings while they run, the user's forces, faults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "particles.h"

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
    /* up to the last member: what pads the struct behind it is nobody's */
    assert_memory_equal(&a->report, &b->report,
                        offsetof(cab_particles_report, capped) + sizeof a->report.capped);
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
static const cab_vec2 foci[] = {{0, 0}, {2, 0}, {1, 1}};
static cab_particle_constraint_def *spoil_n_ellipse(built *b)
{
    cab_particle_constraint_def *k = add_constraint(b, CAB_PARTICLE_N_ELLIPSE, 1, 0);
    k->foci = foci;
    k->focus_count = 3;
    k->length = 5;
    return k;
}
static void spoil_sum(built *b)
{
    spoil_n_ellipse(b)->length = 2.7; /* sums are 1 + sqrt(3) or more */
}
static void spoil_foci(built *b)
{
    spoil_n_ellipse(b)->focus_count = 0;
}
static void spoil_focus(built *b)
{
    b->particles[spoil_n_ellipse(b)->particles[0]].position = foci[2];
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
        {"/constraints/4/length: expected more than 2.73205081 m, the least sum of distances to its foci, "
         "got 2.7",
         spoil_sum},
        {"/constraints/4/foci: expected an integer from 1 to 10000000, got 0", spoil_foci},
        {"/constraints/4/foci/2: expected another place than the particle's, got where it begins",
         spoil_focus},
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
        cmocka_unit_test(all_ways_give_the_same_bits), cmocka_unit_test(clblast_agrees),
        cmocka_unit_test(systems_are_by_themselves),   cmocka_unit_test(hands_and_settings),
        cmocka_unit_test(expressions_are_forces),      cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
