/* Particles under Lagrange multipliers in motion: orders of convergence, periods, energy, momentum, and where
 * angular springs come to rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "particles.h"

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

static double order_of(cab_integrator integrator)
{
    cab_vec2 coarse[4], middle[4], fine[4];
    double h = integrator == CAB_INTEGRATOR_RK4 ? 4e-3 : 1e-3;
    swing(integrator, 0.5, h, 0.4, coarse, NULL);
    swing(integrator, 0.5, h / 2, 0.4, middle, NULL);
    swing(integrator, 0.5, h / 4, 0.4, fine, NULL);
    return log2(difference(coarse, middle, 4) / difference(middle, fine, 4));
}

/* The order of each integrator where forces see velocities. The end midstep and the second evaluation
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

static double pulled(double x, double v)
{
    return -3 * x - 0.7 * v;
}

/* A step of x" = pulled(x, x') as docs/methods/particles.md writes it, in the order of sums that comes first to mind. */
static void step_by_hand(cab_integrator integrator, double h, bool first, double *x, double *v)
{
    double x0 = *x, v0 = *v, a = pulled(x0, v0), b, c, d, half;
    switch (integrator) {
    case CAB_INTEGRATOR_EULER:
        *x = x0 + h * v0;
        *v = v0 + h * a;
        return;
    case CAB_INTEGRATOR_MIDPOINT:
        *x = x0 + h * (v0 + h / 2 * a);
        *v = v0 + h * pulled(x0 + h / 2 * v0, v0 + h / 2 * a);
        return;
    case CAB_INTEGRATOR_LEAPFROG:
    case CAB_INTEGRATOR_LEAPFROG_2:
        b = first || integrator == CAB_INTEGRATOR_LEAPFROG ? a : pulled(x0, v0 + h / 2 * a);
        *v = v0 + (first ? h / 2 : h) * b; /* half a step to begin with */
        *x = x0 + h * *v;
        return;
    case CAB_INTEGRATOR_RK4:
        b = pulled(x0 + h / 2 * v0, v0 + h / 2 * a);
        c = pulled(x0 + h / 2 * (v0 + h / 2 * a), v0 + h / 2 * b);
        d = pulled(x0 + h * (v0 + h / 2 * b), v0 + h * c);
        *x = x0 + h / 6 * (v0 + 2 * (v0 + h / 2 * a) + 2 * (v0 + h / 2 * b) + v0 + h * c);
        *v = v0 + h / 6 * (a + 2 * b + 2 * c + d);
        return;
    case CAB_INTEGRATOR_VERLET:
        *x = x0 + h * v0 + h * h / 2 * a;
        *v = v0 + h / 2 * (a + pulled(*x, v0 + h / 2 * a));
        return;
    default: /* midpoint Verlet, by one middle or two */
        b = pulled(x0 + h / 4 * v0, v0 + h / 4 * a);
        half = v0 + h / 2 * b;
        *x = x0 + h * v0 + h * h / 2 * b;
        c = pulled(*x, half);
        if (integrator == CAB_INTEGRATOR_MIDPOINT_VERLET_2) c = pulled(*x - h / 4 * half, half + h / 4 * c);
        *v = half + h / 2 * c;
    }
}

/* Three large steps of each integrator are those that are written down, to a few roundings. */
static void steps_are_as_written(void **state)
{
    (void)state;
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
        double h = 0.2, x = 1.5, v = -0.4;
        built *b = begin_system();
        add_particle(b, 1, x, 0, v, 0);
        cab_particle_force_def *f = add_force(b, CAB_PARTICLE_EXPRESSION, 0, 0, 0);
        f->fx = "-3*x-0.7*vx";
        f->fy = "0";
        b->def.settings.gravity = (cab_vec2){0, 0};
        b->def.settings.integrator = (cab_integrator)i;
        b->def.settings.step = h;
        cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        for (int n = 0; n < 3; n++) {
            cab_vec2 place, speed;
            step_by_hand((cab_integrator)i, h, n == 0, &x, &v);
            step(p, 1);
            read_state(p, 0, &place, &speed);
            close_to(place.x, x, 1e-15 * 8, cab_integrator_name((cab_integrator)i));
            close_to(speed.x, v, 1e-15 * 8, cab_integrator_name((cab_integrator)i));
        }
        cab_particles_destroy(p);
        free(b);
    }
}

/* Does e" = -ks e - kd e' stay small for 2000 steps? 1 % beyond its limit each integrator below has passed 1e3 by then. */
static bool stays(cab_integrator integrator, double ks, double kd, double h)
{
    char pull[80];
    snprintf(pull, sizeof pull, "-%.17g*x-%.17g*vx", ks, kd);
    built *b = begin_system();
    add_particle(b, 1, 1, 0, 0, 0);
    cab_particle_force_def *f = add_force(b, CAB_PARTICLE_EXPRESSION, 0, 0, 0);
    f->fx = pull;
    b->def.settings.gravity = (cab_vec2){0, 0};
    b->def.settings.integrator = integrator;
    b->def.settings.step = h;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    cab_vec2 x;
    step(p, 2000);
    read_state(p, 0, &x, NULL);
    bool small = report_of(p, 0).stop == CAB_PARTICLES_RUNS && fabs(x.x) < 100;
    bool large = report_of(p, 0).stop == CAB_PARTICLES_DIVERGED || fabs(x.x) > 1e3;
    assert_true(small != large);
    cab_particles_destroy(p);
    free(b);
    return small;
}

/* How an error of a constraint goes on, and the largest step that does not make it grow, by the eigenvalues of a step. With z = h kd
 * and w = h^2 ks leapfrog has w + 2 z < 4; its second evaluation, which is the midpoint rule for its velocities, z < 2 and w (1 -
 * z/2) < 4 - 2 z + z^2. The others' limits are those of docs/methods/particles.md. */
static void limits_are_those_of_the_eigenvalues(void **state)
{
    (void)state;
    static const struct {
        cab_integrator integrator;
        double ks, kd, step;
    } limits[] = {
        {CAB_INTEGRATOR_LEAPFROG, 100, 0, 0.2},       {CAB_INTEGRATOR_LEAPFROG_2, 100, 0, 0.2},
        {CAB_INTEGRATOR_LEAPFROG, 100, 20, 0.08284},  {CAB_INTEGRATOR_LEAPFROG_2, 100, 20, 0.1},
        {CAB_INTEGRATOR_LEAPFROG, 100, 40, 0.04721},  {CAB_INTEGRATOR_LEAPFROG_2, 100, 40, 0.05},
        {CAB_INTEGRATOR_LEAPFROG_2, 100, 2, 0.20523}, {CAB_INTEGRATOR_RK4, 100, 40, 0.0746},
        {CAB_INTEGRATOR_VERLET, 100, 40, 0.1},        {CAB_INTEGRATOR_MIDPOINT_VERLET, 100, 40, 0.0977}};
    for (int i = 0; i < COUNT_OF(limits); i++)
        for (int beyond = 0; beyond < 2; beyond++) {
            double h = limits[i].step * (beyond ? 1.01 : 0.99);
            if (stays(limits[i].integrator, limits[i].ks, limits[i].kd, h) == beyond)
                fail_msg("%s, ks %g, kd %g: a step of %g s is %sstable",
                         cab_integrator_name(limits[i].integrator), limits[i].ks, limits[i].kd, h,
                         beyond ? "" : "not ");
        }
}

/* Drag alone: v = e^(-k t/m) v0, and the way that follows; by RK4 to its fourth order, 1e-9 at 0.02 of a time constant. */
static void drag_is_an_exponential(void **state)
{
    (void)state;
    built *b = begin_system();
    add_particle(b, 0.5, 1, -2, 3, 4);
    b->def.settings.gravity = (cab_vec2){0, 0};
    b->def.settings.drag = 0.8; /* 1.6 1/s */
    b->def.settings.integrator = CAB_INTEGRATOR_RK4;
    b->def.settings.step = 0.0125;
    cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
    step(p, 80);
    cab_vec2 x, v;
    read_state(p, 0, &x, &v);
    double left = exp(-1.6), way = (1 - left) / 1.6;
    close_to(v.x, 3 * left, 1e-8, "vx");
    close_to(v.y, 4 * left, 1e-8, "vy");
    close_to(x.x, 1 + 3 * way, 1e-8, "x");
    close_to(x.y, -2 + 4 * way, 1e-8, "y");
    cab_particles_destroy(p);
    free(b);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrators_have_their_order),
        cmocka_unit_test(verlet_is_second_order_of_springs),
        cmocka_unit_test(drag_is_an_exponential),
        cmocka_unit_test(steps_are_as_written),
        cmocka_unit_test(limits_are_those_of_the_eigenvalues),
        cmocka_unit_test(a_rod_swings_in_time),
        cmocka_unit_test(energy_drifts_as_expected),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(angles_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
