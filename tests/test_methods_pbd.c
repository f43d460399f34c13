/* PBD and the method of Jakobsen by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "methods.h"

/* ---- PBD ---- */

/* A stick whose end a step of gravity has taken g h^2 too far: an iteration leaves 1 - k of that. Places are
 * read to 1e-7 m, the error is 3.9 mm at first. */
static void check_stick(double k, int iterations, bool corrected)
{
    double h = 0.02, first = G * h * h;
    cab_scene *scene = hanging(CAB_METHOD_PBD, h, 1);
    cab_settings *s = cab_scene_settings(scene);
    s->pbd.stiffness = k;
    s->iterations = iterations;
    s->pbd.corrected = corrected;
    cab_world *world = world_from(scene);
    step(world, 1);
    double left = -1 - height_of(world, 1);
    near_to(left, first * (corrected ? 1 - k : pow(1 - k, iterations)), 2e-7);
    cab_world_destroy(world);
}

static void pbd_takes_a_share_of_the_error(void **state)
{
    (void)state;
    static const double stiffness[] = {0.05, 0.3, 0.9, 1};
    static const int iterations[] = {1, 2, 5, 12};
    for (int i = 0; i < COUNT_OF(stiffness); i++) {
        for (int j = 0; j < COUNT_OF(iterations); j++) {
            check_stick(stiffness[i], iterations[j], false);
            check_stick(stiffness[i], iterations[j], true);
        }
    }
}

/* A held end that breaks loose: k is a share of the error whatever the two ends weigh then. Two equal ends,
 * the upper one pulled up so that the stick is too long by C after prediction. */
static void pbd_keeps_its_share_when_a_hold_breaks(void **state)
{
    (void)state;
    double h = 0.02, k = 0.4;
    cab_scene *scene = bare_scene(CAB_METHOD_PBD, h);
    cab_settings *s = cab_scene_settings(scene);
    s->pbd.stiffness = k;
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -1}, 1);
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.break_force = 1e-6;
    add_attachment(scene, def);
    cab_world *world = world_from(scene);
    step(world, 1);
    int broken;
    assert_int_equal(cab_world_get_broken(world, &broken, NULL, 1), 1);
    snapshot before = read_world(world);
    step(world, 1); /* both ends fall freely, the lower one at its speed, and the stick is corrected */
    snapshot after = read_world(world);
    double stretch = before.x[0][2] - before.x[1][2] + h * (before.v[0][2] - before.v[1][2]) - 1;
    at_least(stretch, 1e-3);
    near_to(after.x[0][2] - after.x[1][2] - 1, (1 - k) * stretch, 5e-7); /* some roundings of 1e-7 m */
    snapshot_free(&before);
    snapshot_free(&after);
    cab_world_destroy(world);
}

/* ---- Jakobsen ---- */

/* Verlet with dampening, next to the origin and 100 m from it: x' = (2 - d) x - (1 - d) x* + g dt^2, which
 * does not know where the origin is. */
static void jakobsen_falls_by_dampened_verlet(void **state)
{
    (void)state;
    double h = 0.01, d = 0.03, v = 0.7;
    for (int far = 0; far < 2; far++) {
        double z0 = 100.0 * far;
        cab_scene *scene = bare_scene(CAB_METHOD_JAKOBSEN, h);
        cab_scene_settings(scene)->relaxation.dampening = d;
        cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, z0}, {1, 0, z0}}, 4);
        cable.velocity = (cab_vec3){0, 0, v};
        add_cable(scene, cable);
        cab_world *world = world_from(scene);
        double x = z0, next = z0 + h * v - G * h * h; /* the start has no dampening yet: it has a velocity */
        for (int i = 0; i < 100; i++) {
            step(world, 1);
            /* the part that rounding leaves out of a coordinate is kept, so 100 m away costs nothing; sums of
             * steps of up to 3 cm in single precision, 100 of them */
            near_to(height_of(world, 2), next, 2e-6);
            double then = (2 - d) * next - (1 - d) * x - G * h * h;
            x = next;
            next = then;
        }
        cab_world_destroy(world);
    }
}

/* Loads of 850 g and 1 g at the ends of a stick without weight to speak of, the light one pulled along it:
 * the two go on together, with the momentum that the force has given. Equal weights would lose it. */
static void jakobsen_projects_by_mass(void **state)
{
    (void)state;
    double h = 0.01, heavy = 0.85, light = 1e-3, force = 0.02;
    for (int method = 0; method < 2; method++) {
        cab_scene *scene = bare_scene(method ? CAB_METHOD_PBD : CAB_METHOD_JAKOBSEN, h);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        cab_material_def thread = wire_of("thread", 0.001, 0);
        thread.linear_density = 1e-9;
        add_material(scene, thread);
        add_cable(scene, straight_of("a", "thread", (const cab_vec3[2]){{0, 0, 0}, {1, 0, 0}}, 1));
        hang_weight(scene, "a", (cab_place){0}, heavy);
        cab_load_def load = load_at("a", at_end());
        load.mass = light;
        load.force = (cab_vec3){force, 0, 0};
        add_load(scene, load);
        cab_world *world = world_from(scene);
        int steps = 50;
        step(world, steps);
        snapshot s = read_world(world);
        double momentum = heavy * s.v[0][0] + light * s.v[1][0], together = force * steps * h;
        near_to(momentum, together,
                1e-5 * together); /* velocities are differences of places, 1e-7 of a step */
        near_to(s.v[0][0], s.v[1][0], 1e-5);
        near_to(s.x[1][0] - s.x[0][0], 1, 1e-6);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* What is held has no inverse mass: it stays, bit for bit, whatever pulls. */
static void what_is_held_stays(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_SPRINGS, CAB_METHOD_STIFF_SPRINGS, CAB_METHOD_JAKOBSEN,
                                         CAB_METHOD_PBD, CAB_METHOD_JACOBI};
    for (int i = 0; i < COUNT_OF(methods); i++) {
        cab_scene *scene = hanging(methods[i], 0.002, 8);
        if (methods[i] == CAB_METHOD_SPRINGS) cab_scene_settings(scene)->springs.stiffness = 100;
        cab_world *world = world_from(scene);
        snapshot before = read_world(world);
        step(world, 100);
        snapshot after = read_world(world);
        assert_memory_equal(before.x[0], after.x[0], sizeof before.x[0]);
        at_least(distance3(before.x[8], after.x[8]), 1e-6);
        snapshot_free(&before);
        snapshot_free(&after);
        cab_world_destroy(world);
    }
}

/* Jakobsen's formula without a root, delta (l^2 / (d^2 + l^2) - 1/2) for each of two equal ends, and with
 * unequal ones what each has of the inverse masses. */
static void the_approximate_root_is_jakobsens(void **state)
{
    (void)state;
    static const double lengths[] = {0.2, 0.9, 0.999, 1, 1.001, 1.1, 2, 5};
    for (int i = 0; i < COUNT_OF(lengths); i++) {
        double d = lengths[i], rest = 1, share = d * (rest * rest / (d * d + rest * rest) - 0.5);
        for (int unequal = 0; unequal < 2; unequal++) {
            real wa = 1, wb = unequal ? 3 : 1, lambda = 0;
            vec3 r = vec3_make((real)d, 0, 0);
            vec3 move = cab_solve_length(r, wa, wb, 1, 0, CAB_SOLVE_FORGET | CAB_SOLVE_ROOTLESS, &lambda);
            near_to(wb * (double)move.x, 2 * share * wb / (wa + wb), 1e-6 * d); /* a few roundings */
            assert_true(move.y == 0 && move.z == 0);
        }
    }
}

/* It leaves a second order of the error: x = 1 + e lengths become 2 x / (x^2 + 1) = 1 - e^2 / 2 + e^3 / 2 ...
 */
static void the_approximate_root_errs_in_second_order(void **state)
{
    (void)state;
    for (double e = 0.2; e > 0.01; e /= 2) {
        real lambda = 0;
        vec3 r = vec3_make((real)(1 + e), 0, 0);
        vec3 move = cab_solve_length(r, 1, 1, 1, 0, CAB_SOLVE_FORGET | CAB_SOLVE_ROOTLESS, &lambda);
        double left = (1 + e) + 2 * (double)move.x - 1;
        near_to(left, -e * e / 2, 0.5 * e * e * e + 3e-7); /* the third order is below that; rounding */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pbd_takes_a_share_of_the_error),
        cmocka_unit_test(pbd_keeps_its_share_when_a_hold_breaks),
        cmocka_unit_test(jakobsen_falls_by_dampened_verlet),
        cmocka_unit_test(jakobsen_projects_by_mass),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(the_approximate_root_is_jakobsens),
        cmocka_unit_test(the_approximate_root_errs_in_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
