/* Solvers of particles under Lagrange multipliers: against a dense reference, incomplete Cholesky, and systems
 * whose rows depend on one another, contradict each other or have no direction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "particles.h"

#include "study/particles/parts.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree_with_the_dense_one),
        cmocka_unit_test(cholesky_is_exact_on_trees),
        cmocka_unit_test(many_rods_at_a_particle),
        cmocka_unit_test(all_pairs_are_solved),
        cmocka_unit_test(a_long_chain_is_one_system),
        cmocka_unit_test(redundant_rows_change_nothing),
        cmocka_unit_test(contradictions_end_in_least_squares),
        cmocka_unit_test(degenerate_systems_are_calm),
        cmocka_unit_test(what_explodes_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
