/* Particles that keep the sum of their distances to foci: the curve itself, motion along it against arcs of the
 * curve that are measured without any constraint, and one and two foci as a circle and an ellipse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "particles.h"

#include "study/particles/parts.h"

static const cab_vec2 three[] = {{-1, 0}, {1.5, -0.2}, {0.3, 1.1}};

static cab_vec2 point_of(const cab_vec2 *foci, int count, double length, double angle)
{
    cab_vec2 inside, way = {cos(angle), sin(angle)};
    double least;
    assert_true(cab_p_inside_foci(foci, count, length, &inside, &least));
    double radius = cab_p_foci_radius(foci, count, length, inside, way);
    return (cab_vec2){inside.x + radius * way.x, inside.y + radius * way.y};
}

/* What is drawn lies on the curve. The walk to the least sum ends where geometry has it, to the 1e-9 of its last
 * steps: Fermat's point of a triangle with equal sides, a corner of more than 120 degrees, the middle one of three in
 * a row, where sums are sqrt(3) sides, the two sides at it, the way from end to end. */
static void curves_are_where_they_are(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        cab_vec2 at = point_of(three, 3, 6, i * 0.157);
        close_to(cab_p_foci_sum(three, 3, at), 6, 1e-11, "sum");
        at = point_of(three, 2, 4, i * 0.157);
        close_to(cab_p_foci_sum(three, 2, at), 4, 1e-11, "sum of two");
        at = point_of(three, 1, 0.7, i * 0.157);
        close_to(hypot(at.x + 1, at.y), 0.7, 1e-12, "circle");
    }
    const cab_vec2 equal[] = {{0, 0}, {2, 0}, {1, sqrt(3)}}, blunt[] = {{-3, 0.5}, {0, 0}, {2, 0.3}};
    const cab_vec2 row[] = {{0, 0}, {5, 5}, {1, 1}}, twice[] = {{0, 0}, {1, 0}, {1, 0}};
    const struct {
        const cab_vec2 *foci;
        int count;
        double least;
    } known[] = {{equal, 3, 2 * sqrt(3)},
                 {blunt, 3, hypot(3, 0.5) + hypot(2, 0.3)},
                 {row, 3, 5 * sqrt(2)},
                 {twice, 3, 1},
                 {three, 1, 0}};
    for (int i = 0; i < COUNT_OF(known); i++) {
        cab_vec2 inside;
        double least;
        double less = known[i].least * (1 - 1e-9);
        assert_false(cab_p_inside_foci(known[i].foci, known[i].count, less, &inside, &least));
        close_to(least, known[i].least, 1e-9 * (1 + known[i].least), "least sum");
        double more = known[i].least + 1e-6;
        assert_true(cab_p_inside_foci(known[i].foci, known[i].count, more, &inside, &least));
    }
}

static cab_particle_constraint_def *add_n_ellipse(built *b, int particle, const cab_vec2 *foci, int count)
{
    cab_particle_constraint_def *k = add_constraint(b, CAB_PARTICLE_N_ELLIPSE, particle, 0);
    k->foci = foci;
    k->focus_count = count;
    k->length = cab_p_foci_sum(foci, count, b->particles[particle].position);
    return k;
}

/* A particle that begins at `angle` as seen from the curve's inside, and leaves it at `speed` along it. */
static built *on_the_curve(const cab_vec2 *foci, int count, double length, double angle, double speed)
{
    built *b = begin_system();
    cab_vec2 at = point_of(foci, count, length, angle), slope = {0, 0};
    for (int i = 0; i < count; i++) {
        double far = hypot(at.x - foci[i].x, at.y - foci[i].y);
        slope = (cab_vec2){slope.x + (at.x - foci[i].x) / far, slope.y + (at.y - foci[i].y) / far};
    }
    double size = hypot(slope.x, slope.y);
    add_particle(b, 2, at.x, at.y, -speed * slope.y / size, speed * slope.x / size);
    add_n_ellipse(b, 0, foci, count);
    b->def.settings.gravity = (cab_vec2){0, 0};
    return b;
}

/* The way around the curve, m: chords of 1e5 points, short by 1e-9 of it. */
static double around(const cab_vec2 *foci, int count, double length)
{
    enum { POINTS = 100000 };
    double sum = 0;
    cab_vec2 last = point_of(foci, count, length, 0);
    for (int i = 1; i <= POINTS; i++) {
        cab_vec2 next = point_of(foci, count, length, 2 * PI * i / POINTS);
        sum += hypot(next.x - last.x, next.y - last.y);
        last = next;
    }
    return sum;
}

/* Without forces along the curve speed stays, so the particle is back after the way around over its speed. Off by
 * what the integrator leaves: a sixteenth at half the step, by Runge and Kutta. */
static void around_in_time(void **state)
{
    (void)state;
    const double speed = 3, period = around(three, 3, 6) / speed;
    double off[2];
    for (int n = 0; n < 2; n++) {
        built *b = on_the_curve(three, 3, 6, 0.4, speed);
        int steps = n ? 400 : 200;
        b->def.settings.step = period / steps;
        b->def.settings.integrator = CAB_INTEGRATOR_RK4;
        cab_vec2 x[1], v[1];
        cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        step(p, steps);
        read_state(p, 0, x, v);
        off[n] = hypot(x[0].x - b->particles[0].position.x, x[0].y - b->particles[0].position.y);
        close_to(hypot(v[0].x, v[0].y), speed, n ? 1e-6 : 2e-5, "speed");
        cab_particles_destroy(p);
        free(b);
    }
    print_message("[          ] back after %.6f s, off by %.2e and %.2e m\n", period, off[0], off[1]);
    close_to(log2(off[0] / off[1]), 4, 0.4, "order");
    assert_true(off[1] < 1e-5);
}

/* What holds the particle is its mass times speed squared over the radius of curvature, which three points of the
 * curve tell to 1e-6 of it. The multiplier times |J| is that force. */
static void held_by_the_curvature(void **state)
{
    (void)state;
    const double speed = 3;
    for (int i = 0; i < 5; i++) {
        double angle = 0.3 + 1.2 * i, lambda[1], h = 1e-4;
        built *b = on_the_curve(three, 3, 6, angle, speed);
        cab_vec2 p0 = point_of(three, 3, 6, angle - h), p1 = b->particles[0].position;
        cab_vec2 p2 = point_of(three, 3, 6, angle + h);
        double a = hypot(p1.x - p0.x, p1.y - p0.y), c = hypot(p2.x - p1.x, p2.y - p1.y);
        double bend = 2 * ((p1.x - p0.x) * (p2.y - p1.y) - (p1.y - p0.y) * (p2.x - p1.x)) /
                      (a * c * hypot(p2.x - p0.x, p2.y - p0.y));
        cab_vec2 slope = {0, 0};
        for (int k = 0; k < 3; k++) {
            double far = hypot(p1.x - three[k].x, p1.y - three[k].y);
            slope = (cab_vec2){slope.x + (p1.x - three[k].x) / far, slope.y + (p1.y - three[k].y) / far};
        }
        b->def.settings.integrator = CAB_INTEGRATOR_EULER;
        cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        cab_error error;
        step(p, 1);
        assert_int_equal(cab_particles_read_multipliers(p, 0, lambda, &error), CAB_OK);
        double expected = 2 * speed * speed * bend;
        close_to(-lambda[0] * hypot(slope.x, slope.y), expected, 1e-5 * expected, "force across the curve");
        cab_particles_destroy(p);
        free(b);
    }
}

/* Slides under gravity without friction: energy and the curve stay but for what the integrator leaves, of second
 * order; less than 1e-4 of the energy that comes and goes, and of the 3 m across. */
static void energy_is_kept(void **state)
{
    (void)state;
    double drift[2], worst[2], fastest = 0;
    for (int n = 0; n < 2; n++) {
        built *b = on_the_curve(three, 3, 6, 0.1, 0);
        b->def.settings.gravity = (cab_vec2){0, -9.81};
        b->def.settings.step = n ? 1e-3 : 2e-3;
        cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
        cab_particles_report first = report_of(p, 0);
        double most = 0;
        for (int i = 0; i < 300; i++) {
            step(p, n ? 20 : 10);
            cab_particles_report r = report_of(p, 0);
            most = fmax(most, fabs(r.kinetic + r.potential - first.kinetic - first.potential));
            worst[n] = r.off_worst;
            fastest = fmax(fastest, r.kinetic);
        }
        drift[n] = most;
        cab_particles_destroy(p);
        free(b);
    }
    print_message("[          ] energy off by %.2e and %.2e J, the curve by %.2e and %.2e m\n", drift[0],
                  drift[1], worst[0], worst[1]);
    close_to(log2(drift[0] / drift[1]), 2, 0.3, "order");
    close_to(log2(worst[0] / worst[1]), 2, 0.3, "order of the constraint");
    assert_true(drift[1] < 1e-4 * fastest && worst[1] < 1e-4);
}

/* One focus is a circle and two are an ellipse, bit for bit: the same sums in the same order. */
static void few_foci_are_what_is_there(void **state)
{
    (void)state;
    for (int count = 1; count <= 2; count++) {
        cab_vec2 x[2][1], v[2][1];
        for (int n = 0; n < 2; n++) {
            built *b = begin_system();
            add_particle(b, 2, 1.3, 0.4, 0.5, -1);
            cab_particle_constraint_def *k = add_n_ellipse(b, 0, three, count);
            if (n) k->kind = count == 1 ? CAB_PARTICLE_CIRCLE : CAB_PARTICLE_ELLIPSE;
            k->point = three[0];
            k->point2 = three[1];
            cab_particles *p = make(&b->def, 1, CAB_PARTICLES_FUSED, "native");
            step(p, 2000);
            read_state(p, 0, x[n], v[n]);
            cab_particles_destroy(p);
            free(b);
        }
        assert_true(hypot(x[0][0].x - 1.3, x[0][0].y - 0.4) > 0.1);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(v[0], v[1], sizeof v[0]);
    }
}

/* Systems of a batch have their foci one behind the other; each finds its own, on both devices. */
static void each_system_has_its_own(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "opencl"};
    const cab_vec2 other[] = {{0, 3}, {1, 0}, {2, 1}, {-2, 2}};
    built *b[2] = {on_the_curve(three, 3, 6, 1, 2), on_the_curve(other, 4, 12, 2, 2)};
    add_particle(b[1], 1, 5, 1, 0, 0);
    add_n_ellipse(b[1], 1, three, 3);
    const cab_particles_def defs[2] = {b[0]->def, b[1]->def};
    cab_vec2 alone[2], both[2], first[2];
    for (int n = 0; n < 2; n++) {
        if (n == 1 && !have_opencl()) break;
        cab_particles *p = make(&b[1]->def, 1, CAB_PARTICLES_STAGED, devices[n]);
        step(p, 20);
        read_state(p, 0, alone, NULL);
        cab_particles_destroy(p);
        p = make(defs, 2, CAB_PARTICLES_FUSED, devices[n]);
        step(p, 20);
        read_state(p, 1, both, NULL);
        assert_memory_equal(alone, both, sizeof both);
        if (n == 1) assert_memory_equal(first, both, sizeof both);
        memcpy(first, both, sizeof first);
        assert_true(report_of(p, 0).off_worst < 1e-4 && report_of(p, 1).off_worst < 1e-4);
        cab_particles_destroy(p);
    }
    free(b[0]);
    free(b[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_where_they_are),  cmocka_unit_test(around_in_time),
        cmocka_unit_test(held_by_the_curvature),      cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(few_foci_are_what_is_there), cmocka_unit_test(each_system_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
