/* Averaged Jacobi, beside a plain version of it with all in double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "methods.h"

/* ---- averaged Jacobi ---- */

/* The cloth lab's algorithm from its formulas: t = 0.0333, damping 0.99, 32 iterations, weight 0.2. */
#define LAB_STEP 0.0333
#define LAB_DAMPING 0.99
#define LAB_ITERATIONS 32
#define LAB_WEIGHT 0.2
#define LAB_GRAVITY 9.8
#define LAB_SEGMENTS 20

typedef double place[3];

static void lab_relax(place *x, double rest)
{
    place sum[LAB_SEGMENTS + 1] = {{0}};
    int count[LAB_SEGMENTS + 1] = {0};
    for (int e = 0; e < LAB_SEGMENTS; e++) {
        double length = distance3(x[e], x[e + 1]);
        for (int k = 0; k < 3; k++) {
            double middle = (x[e][k] + x[e + 1][k]) / 2;
            double half = rest * (x[e][k] - x[e + 1][k]) / length / 2;
            sum[e][k] += middle + half;
            sum[e + 1][k] += middle - half;
        }
        count[e]++;
        count[e + 1]++;
    }
    for (int i = 1; i <= LAB_SEGMENTS; i++) /* particle 0 is held */
        for (int k = 0; k < 3; k++) x[i][k] = (LAB_WEIGHT * x[i][k] + sum[i][k]) / (LAB_WEIGHT + count[i]);
}

static void lab_step(place *x, place *v, double rest)
{
    place start[LAB_SEGMENTS + 1];
    for (int i = 1; i <= LAB_SEGMENTS; i++) {
        v[i][2] -= LAB_STEP * LAB_GRAVITY;
        for (int k = 0; k < 3; k++) {
            v[i][k] *= LAB_DAMPING;
            x[i][k] += LAB_STEP * v[i][k];
        }
    }
    memcpy(start, x, sizeof start);
    for (int n = 0; n < LAB_ITERATIONS; n++) lab_relax(x, rest);
    for (int i = 1; i <= LAB_SEGMENTS; i++)
        for (int k = 0; k < 3; k++) v[i][k] += (x[i][k] - start[i][k]) / LAB_STEP;
}

/* The lab damps a velocity after gravity and before the step, we at the end of one: the same when gravity is
 * damped once, too. */
static void jacobi_is_the_lab(void **state)
{
    (void)state;
    cab_scene *scene = bare_scene(CAB_METHOD_JACOBI, LAB_STEP);
    cab_settings *s = cab_scene_settings(scene);
    s->iterations = LAB_ITERATIONS;
    s->jacobi.averaging_weight = LAB_WEIGHT;
    s->relaxation.dampening = 1 - LAB_DAMPING;
    s->gravity = (cab_vec3){0, 0, -LAB_DAMPING * LAB_GRAVITY};
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0.3, 0.2}, LAB_SEGMENTS);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = world_from(scene);
    snapshot now = read_world(world);
    place x[LAB_SEGMENTS + 1], v[LAB_SEGMENTS + 1] = {{0}};
    memcpy(x, now.x, sizeof x);
    double rest = sqrt(1 + 0.09 + 0.04) / LAB_SEGMENTS;
    snapshot_free(&now);
    for (int n = 0; n < 60; n++) {
        step(world, 1);
        lab_step(x, v, rest);
        now = read_world(world);
        /* 32 roundings of 1e-7 m a step, 60 steps of a swing that does not amplify them; it moves by 1 m */
        for (int i = 0; i <= LAB_SEGMENTS; i++) at_most(distance3(now.x[i], x[i]), 2e-5);
        snapshot_free(&now);
    }
    at_least(fabs(x[LAB_SEGMENTS][2]), 0.5);
    cab_world_destroy(world);
}

/* With weights by mass a held end takes nothing: a stick on it loses C / 1.2 in an iteration. */
static void jacobi_weighs_by_mass_where_asked(void **state)
{
    (void)state;
    double h = 0.02, fall = G * h * h;
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        cab_scene *scene = hanging(CAB_METHOD_JACOBI, h, 1);
        if (by_mass) cab_scene_settings(scene)->relaxation.weights = CAB_WEIGHTS_MASS;
        cab_world *world = world_from(scene);
        step(world, 1);
        near_to(height_of(world, 1), -1 - fall * (1 - (by_mass ? 1 : 0.5) / 1.2), 2e-7);
        cab_world_destroy(world);
    }
}

/* A joint that breaks under jacobi: the new particle must be gathered, too. Both cables then fall as they
 * are, at their lengths. */
static void jacobi_gathers_what_a_break_has_split(void **state)
{
    (void)state;
    cab_scene *scene = bare_scene(CAB_METHOD_JACOBI, 0.005);
    cab_scene_settings(scene)->iterations = 40;
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -0.2}, 4);
    add_straight(scene, "b", (cab_vec3){0, 0, -0.2}, (cab_vec3){0, 0, -0.4}, 4);
    hold(scene, "a", (cab_place){0}, false);
    cab_attachment_def def = joined("b", (cab_place){0}, "a", at_end());
    def.break_force = 1e-3;
    add_attachment(scene, def);
    cab_world *world = world_from(scene);
    step(world, 60);
    assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
    at_most(height_of(world, 9), -0.5);        /* the lower one has gone */
    at_most(measure(world).stretch_max, 0.05); /* and is in one piece: iterations leave some */
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobi_is_the_lab),
        cmocka_unit_test(jacobi_weighs_by_mass_where_asked),
        cmocka_unit_test(jacobi_gathers_what_a_break_has_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
