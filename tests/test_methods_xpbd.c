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

/* The same for a curvature, which is linear in the places: one number stands for each of the three directions. Three
 * particles on a line across the cable, by the equations in double; at the end the moment is the spring's. */
static void bending_multipliers_follow_the_equations(void **state)
{
    (void)state;
    static const double compliances[] = {0, 1e-3, 1, 1000};
    const double w[3] = {2, 5, 3}, g[3] = {0.7, -1.8, 1.1}, target = 0.2;
    for (int i = 0; i < COUNT_OF(compliances); i++) {
        double a = compliances[i], x[3] = {0.3, -0.2, 0.4}, exact[3] = {0.3, -0.2, 0.4}, multiplier = 0,
               off = 0;
        double give = a;
        for (int k = 0; k < 3; k++) give += w[k] * g[k] * g[k];
        vec3 lambda = vec3_zero();
        for (int n = 0; n < 25; n++) {
            vec3 d = cab_curvature(vec3_make(0, (real)(x[0] - x[1]), 0), vec3_make(0, (real)(x[2] - x[1]), 0),
                                   (real)g[0], (real)g[2]);
            vec3 change = cab_solve_bending(d, vec3_make(0, (real)target, 0), (real)w[0], (real)w[1],
                                            (real)w[2], (real)g[0], (real)g[2], (real)a, &lambda);
            off = -target;
            for (int k = 0; k < 3; k++) off += g[k] * exact[k];
            double by = (-off - a * multiplier) / give;
            multiplier += by;
            for (int k = 0; k < 3; k++) {
                exact[k] += w[k] * g[k] * by;
                x[k] += w[k] * g[k] * (double)change.y;
                near_to(x[k], exact[k], 3e-6); /* 25 times a few roundings of numbers below 1 */
            }
            near_to((double)lambda.y, multiplier, 3e-6 * fmax(1 / give, fabs(multiplier)));
            assert_true(lambda.x == 0 && lambda.z == 0);
        }
        off = -target;
        for (int k = 0; k < 3; k++) off += g[k] * exact[k];
        near_to(-off, a * multiplier, 1e-9);
    }
}

/* Two segments that are free in space, without gravity, bent where they meet. */
static cab_world *bent_rod(double ei, int iterations, double bent, double length, double h, bool at_rest)
{
    cab_scene *scene = bare_scene(CAB_METHOD_XPBD, h);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_scene_settings(scene)->iterations = iterations;
    scene->materials[0].bending_stiffness = ei;
    scene->materials[0].rest_shape_path = at_rest;
    const cab_vec3 path[] = {{-length, 0, bent}, {0, 0, 0}, {length, 0, bent}};
    cab_cable_def rod = straight_of("a", "wire", path, 2);
    rod.path_count = COUNT_OF(path);
    add_cable(scene, rod);
    return world_from(scene);
}

/* A substep ends where the moment is EI/l of the curvature, whatever the number of iterations, and both ends get what the middle loses. */
static void check_bent_rod(double ei, int iterations)
{
    const double h = 0.01, bent = 0.02, length = 0.5, mass = 0.05 * length;
    cab_world *world = bent_rod(ei, iterations, bent, length, h, false);
    double before[3], after[3];
    for (int k = 0; k < 3; k++) before[k] = height_of(world, k);
    step(world, 1);
    for (int k = 0; k < 3; k++) after[k] = height_of(world, k);
    /* D = (z_0 + z_2 - 2 z_1)/l; moving by d at the middle and -d at both ends takes 4 d from l D. With
     * masses m/2, m, m/2 and energy EI/2 D^2/l: m d/h^2 = 2 EI/l^3 (l D - 4 d). Lengths make it differ by D^2. */
    double l = sqrt(length * length + bent * bent), first = before[0] + before[2] - 2 * before[1];
    double pull = 2 * ei * h * h / (mass * l * l * l), moved = pull * first / (1 + 4 * pull);
    near_to(after[1] - before[1], moved, 0.01 * moved + 1e-7);
    near_to(before[0] - after[0], moved, 0.01 * moved + 1e-7);
    near_to(before[2] - after[2], moved, 0.01 * moved + 1e-7);
    cab_world_destroy(world);
}

static void a_bent_rod_straightens_by_its_stiffness(void **state)
{
    (void)state;
    for (double ei = 1e-4; ei < 100; ei *= 10) {
        check_bent_rod(ei, 1);
        check_bent_rod(ei, 50);
    }
}

/* A rod whose path is its shape at rest stays as it is: 100 roundings of 0.5 m. */
static void a_rod_that_is_bent_at_rest_stays(void **state)
{
    (void)state;
    for (double ei = 1e-3; ei < 100; ei *= 10) {
        cab_world *world = bent_rod(ei, 2, 0.1, 0.5, 0.01, true);
        double before[3];
        for (int k = 0; k < 3; k++) before[k] = height_of(world, k);
        near_to(before[0], 0.1, 1e-6);
        step(world, 100);
        for (int k = 0; k < 3; k++) near_to(height_of(world, k), before[k], 1e-5);
        cab_world_destroy(world);
    }
}

/* ---- damping ---- */

/* A cable that falls: v = e^(-c h) (v + g h) each substep. Numbers as they are stored: 40 roundings of up to 2 m/s. */
static void check_fall(cab_way way, double damping)
{
    double h = 0.01, v = 0;
    cab_scene *scene = bare_scene(CAB_METHOD_XPBD, h);
    cab_scene_settings(scene)->way = way;
    scene->materials[0].damping = damping;
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, 4);
    cab_world *world = world_from(scene);
    for (int n = 0; n < 40; n++) {
        step(world, 1);
        v = exp(-damping * h) * (v - G * h);
        snapshot now = read_world(world);
        for (int k = 0; k < now.nodes; k++) near_to(now.v[k][2], v, 1e-5);
        snapshot_free(&now);
    }
    cab_world_destroy(world);
}

static void a_damped_fall_is_an_exponential(void **state)
{
    (void)state;
    check_fall(CAB_WAY_COLOURED, 0);
    check_fall(CAB_WAY_COLOURED, 2.5);
}

static void tiles_damp_a_fall_as_well(void **state)
{
    (void)state;
    check_fall(CAB_WAY_LANES, 2.5);
}

/* What tiles have been laid down with is laid down anew when the material changes. */
static void tiles_follow_a_change_of_damping(void **state)
{
    (void)state;
    double h = 0.01, v = 0;
    cab_scene *scene = bare_scene(CAB_METHOD_XPBD, h);
    cab_scene_settings(scene)->way = CAB_WAY_LANES;
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, 4);
    cab_world *world = world_from(scene);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    cab_error error = {0};
    for (int n = 0; n < 20; n++) {
        if (n % 5 == 0) wire.damping = n; /* 0, 5, 10, 15 1/s */
        if (n % 5 == 0) must(cab_world_set_material(world, &wire, &error), &error);
        step(world, 1);
        v = exp(-wire.damping * h) * (v - G * h);
        snapshot now = read_world(world);
        near_to(now.v[2][2], v, 1e-5);
        snapshot_free(&now);
    }
    cab_world_destroy(world);
}

static void fused_cables_damp_a_fall_as_well(void **state)
{
    (void)state;
    check_fall(CAB_WAY_FUSED, 2.5);
}

/* Two cables joined at a particle, of which one is damped: it has the mean by mass. What both have in common slows down as
 * that says, in the first substep of a fall. */
static void damping_is_the_mean_by_mass(void **state)
{
    (void)state;
    double h = 0.01;
    cab_scene *scene = bare_scene(CAB_METHOD_XPBD, h);
    scene->materials[0].damping = 4;
    cab_material_def heavy = wire_of("heavy", 0.003, 0);
    heavy.linear_density = 0.15;
    add_material(scene, heavy);
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, 1);
    const cab_vec3 path[] = {{1, 0, 0}, {2, 0, 0}};
    add_cable(scene, straight_of("b", "heavy", path, 1));
    add_attachment(scene, joined("b", (cab_place){0}, "a", at_end()));
    cab_world *world = world_from(scene);
    step(world, 1);
    snapshot now = read_world(world);
    near_to(now.v[0][2], -G * h * exp(-4 * h), 1e-6);
    near_to(now.v[1][2], -G * h * exp(-1 * h), 1e-6); /* 1/4 of the mass has 4 1/s */
    near_to(now.v[3][2], -G * h, 1e-6);
    snapshot_free(&now);
    cab_world_destroy(world);
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
        cmocka_unit_test(bending_multipliers_follow_the_equations),
        cmocka_unit_test(xpbd_tension_is_the_springs),
        cmocka_unit_test(a_bent_rod_straightens_by_its_stiffness),
        cmocka_unit_test(a_rod_that_is_bent_at_rest_stays),
        cmocka_unit_test(a_damped_fall_is_an_exponential),
        cmocka_unit_test(tiles_damp_a_fall_as_well),
        cmocka_unit_test(tiles_follow_a_change_of_damping),
        cmocka_unit_test(fused_cables_damp_a_fall_as_well),
        cmocka_unit_test(damping_is_the_mean_by_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
