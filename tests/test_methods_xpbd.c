/* XPBD: multipliers as in the equations, tension as of the spring that a compliance is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "methods.h"

/* ---- XPBD ---- */

/* Equations 2.13 and 2.14 of the thesis, with the sign of lambda turned round, in double. */
typedef struct stencil {
    double length, wa, wb, rest, compliance, lambda;
} stencil;

static void solve_stencil(stencil *s)
{
    double change = (-(s->length - s->rest) - s->compliance * s->lambda) / (s->wa + s->wb + s->compliance);
    s->lambda += change;
    s->length += (s->wa + s->wb) * change;
}

static void multipliers_follow_the_equations(void **state)
{
    (void)state;
    static const double compliances[] = {0, 1e-3, 1, 1000};
    for (int i = 0; i < COUNT_OF(compliances); i++) {
        stencil s = {1.3, 2, 5, 1, compliances[i], 0};
        double a = 0, b = s.length;
        real lambda = 0;
        for (int n = 0; n < 25; n++) {
            vec3 r = vec3_make((real)(b - a), 0, 0);
            vec3 move = cab_solve_length(r, (real)s.wa, (real)s.wb, 1, (real)compliances[i], 0, &lambda);
            a -= s.wa * (double)move.x;
            b += s.wb * (double)move.x;
            solve_stencil(&s);
            /* rounding of lengths of 1.3 and of a division, 25 times */
            near_to(b - a, s.length, 3e-6);
            near_to((double)lambda, s.lambda, 3e-6 * fmax(1 / (s.wa + s.wb), fabs(s.lambda)));
        }
        /* done: -C = compliance lambda, the spring's law */
        near_to(-(s.length - s.rest), compliances[i] * s.lambda, 1e-9);
    }
}

/* The whole of it: a stick with EA hangs, its tension is k C whatever the iterations, and each substep is the
 * stencil's. */
static void xpbd_tension_is_the_springs(void **state)
{
    (void)state;
    double h = 0.01, ea = 20;
    for (int iterations = 1; iterations <= 25; iterations += 8) {
        cab_scene *scene = hanging(CAB_METHOD_XPBD, h, 1);
        cab_scene_settings(scene)->iterations = iterations;
        scene->materials[0].stretching_stiffness = ea;
        cab_world *world = world_from(scene);
        stencil s = {1, 0, 1 / 0.025, 1, 1 / (ea * h * h), 0};
        double speed = 0;
        for (int n = 0; n < 30; n++) {
            step(world, 1);
            double before = s.length;
            s.lambda = 0;
            s.length += h * (speed + G * h);
            for (int k = 0; k < iterations; k++) solve_stencil(&s);
            speed = (s.length - before) / h;
            snapshot now = read_world(world);
            near_to(-now.x[1][2], s.length, 2e-6); /* 30 substeps of a few roundings at 1 m */
            near_to(now.tension[0], -s.lambda / (h * h), 2e-6 * ea + 1e-4);
            near_to(now.tension[0], ea * (s.length - 1), 2e-6 * ea + 1e-4);
            snapshot_free(&now);
        }
        cab_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers_follow_the_equations),
        cmocka_unit_test(xpbd_tension_is_the_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
