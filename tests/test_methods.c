/* What each method promises, against formulas and small reference programs: springs, stiff springs, Jakobsen,
 * PBD, XPBD's multipliers, averaged Jacobi; lengths that may be shorter or longer; iterations that end by
 * themselves; what each method refuses. Then every method on every test scene: the same bits on native with
 * any number of threads and any instruction set, and on PoCL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scenes.h"

#include "kernels/xpbd.h"
#undef kernel /* words of OpenCL C that are names here */
#undef global
#undef local
#undef constant
#include "backend/native/native.h"
#include "model/method.h"
#include "model/scene.h"

#define G 9.81

/* ---- scenes ---- */

/* A frame is a substep of `h` seconds. */
static cab_scene *bare_scene(cab_method method, double h)
{
    cab_scene *scene = scene_of(1);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->frame_rate = 1 / h;
    add_material(scene, wire_of("wire", 0.003, 0));
    return scene;
}

/* A straight cable of 1 m that hangs from its start. */
static cab_scene *hanging(cab_method method, double h, int segments)
{
    cab_scene *scene = bare_scene(method, h);
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -1}, segments);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* The scene's world; the scene goes. */
static cab_world *world_from(cab_scene *scene)
{
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    return world;
}

static double height_of(cab_world *world, int node)
{
    double x[3];
    node_place(world, node, x);
    return x[2];
}

/* ---- PBD ---- */

/* A stick whose end a step of gravity has taken g h^2 too far: an iteration leaves 1 - k of that. Places are
 * read to 1e-7 m, the error is 3.9 mm at first. */
static void check_stick(double k, int iterations, bool corrected)
{
    double h = 0.02, first = G * h * h;
    cab_scene *scene = hanging(CAB_METHOD_PBD, h, 1);
    cab_settings *s = cab_scene_settings(scene);
    s->stiffness = k;
    s->iterations = iterations;
    s->corrected_stiffness = corrected;
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
    s->stiffness = k;
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
        cab_scene_settings(scene)->dampening = d;
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
        if (methods[i] == CAB_METHOD_SPRINGS) cab_scene_settings(scene)->spring_stiffness = 100;
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

/* ---- stiff springs ---- */

/* One pass, even segments first: each free end by half, even where the other is held. */
static void stiff_springs_take_half_at_each_end(void **state)
{
    (void)state;
    double h = 0.02, fall = G * h * h;
    cab_world *world = world_from(hanging(CAB_METHOD_STIFF_SPRINGS, h, 1));
    step(world, 1);
    near_to(height_of(world, 1), -1 - fall / 2, 2e-7);
    cab_world_destroy(world);

    world = world_from(hanging(CAB_METHOD_STIFF_SPRINGS, h, 2)); /* the lower stick gives back a quarter */
    step(world, 1);
    near_to(height_of(world, 1), -0.5 - 0.75 * fall, 2e-7);
    near_to(height_of(world, 2), -1 - 0.75 * fall, 2e-7);
    cab_world_destroy(world);
}

/* Corrections that are added up instead shake any chain apart: with places corrected after they were
 * predicted a wave is stable only while a pass leaves more than -1/3 of it, and the shortest one is left as
 * its opposite.
 */
static void stiff_springs_stay_together(void **state)
{
    (void)state;
    for (int segments = 8; segments <= 32; segments *= 2) {
        cab_scene *scene = bare_scene(CAB_METHOD_STIFF_SPRINGS, 1 / 600.0);
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, segments);
        hold(scene, "a", (cab_place){0}, false);
        cab_world *world = world_from(scene);
        step(world, 1200);
        /* a pass reaches a segment or two, so more segments stretch more: 8 by 0.03, 32 by 0.21 */
        at_most(measure(world).stretch_worst, 0.4);
        cab_world_destroy(world);
    }
}

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
    s->averaging_weight = LAB_WEIGHT;
    s->dampening = 1 - LAB_DAMPING;
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
        if (by_mass) cab_scene_settings(scene)->weights = CAB_WEIGHTS_MASS;
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

/* ---- springs ---- */

/* A mass on a spring, one substep a frame: its period, from crossings of the place of rest. */
static double period_of(double k, double mass, double h, double spring_damping, int wanted, double *ratio)
{
    cab_scene *scene = hanging(CAB_METHOD_SPRINGS, h, 1);
    cab_settings *s = cab_scene_settings(scene);
    s->spring_stiffness = k;
    s->spring_damping = spring_damping;
    hang_weight(scene, "a", at_end(), mass - 0.025);
    cab_world *world = world_from(scene);
    double rest = -1 - mass * G / k, before = -1 - rest, first = 0, last = 0, low = 0, lowest[2] = {0};
    int crossings = 0;
    for (int i = 1; crossings <= wanted; i++) {
        assert_in_range(i, 1, 100000);
        step(world, 1);
        double now = height_of(world, 1) - rest;
        low = fmin(low, now);
        if (before < 0 && now >= 0) { /* upwards; there the path is straight: linear will do */
            double at = h * (i - now / (now - before));
            if (crossings == 0) first = at;
            last = at;
            if (crossings < 2) lowest[crossings] = low;
            low = 0;
            crossings++;
        }
        before = now;
    }
    if (ratio) *ratio = lowest[1] / lowest[0];
    cab_world_destroy(world);
    return (last - first) / wanted;
}

/* Symplectic Euler swings at omega (1 + omega^2 h^2 / 24): the error is that, a quarter of it at half the
 * step. */
static void springs_swing_in_second_order(void **state)
{
    (void)state;
    double k = 40, mass = 0.1, omega = sqrt(k / mass), right = 2 * acos(-1) / omega, error[2];
    for (int i = 0; i < 2; i++) {
        double h = 0.01 / (1 + i);
        error[i] = period_of(k, mass, h, 0, 20, NULL) / right - 1;
        double expected = -omega * omega * h * h / 24;
        near_to(error[i], expected,
                0.03 * fabs(expected) + 2e-6); /* the next order is below; 1e-7 m of 2.5 cm */
    }
    near_to(error[0] / error[1], 4, 0.1);
}

/* Two swings down: their ratio is exp(-2 pi zeta / sqrt(1 - zeta^2)), zeta = c / 2 sqrt(k m). Explicit
 * damping adds a little of order h. */
static void springs_are_damped_as_told(void **state)
{
    (void)state;
    double k = 40, mass = 0.1, zeta = 0.1, c = 2 * zeta * sqrt(k * mass), ratio[2];
    double right = exp(-2 * acos(-1) * zeta / sqrt(1 - zeta * zeta));
    for (int i = 0; i < 2; i++) period_of(k, mass, 1e-3 / (1 + i), c, 3, &ratio[i]);
    near_to(ratio[1], right, 0.01 * right); /* 2 zeta omega h = 0.2 % of a swing's damping, and the minimum is
                                               that of a step: (omega h)^2 / 8 */
    at_most(fabs(ratio[1] - right), 0.75 * fabs(ratio[0] - right)); /* half as much at half the step */
}

/* Undamped, a cable of springs that bends and swings keeps its energy within what the step's size makes it
 * vary, for 20,000 steps. */
static void springs_keep_their_energy(void **state)
{
    (void)state;
    cab_scene *scene = bare_scene(CAB_METHOD_SPRINGS, 1 / 60.0);
    cab_settings *s = cab_scene_settings(scene);
    s->substeps = 40;
    s->spring_stiffness = 200;
    scene->materials[0].bending_stiffness = 1e-3;
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.5, 0, 0.1}, 12);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = world_from(scene);
    cab_measures m = measure(world);
    double start = m.kinetic + m.potential, worst[2] = {0}, kinetic = 0;
    for (int i = 0; i < 500; i++) {
        step(world, 1);
        m = measure(world);
        worst[i / 250] = fmax(worst[i / 250], fabs(m.kinetic + m.potential - start));
        kinetic = fmax(kinetic, m.kinetic);
    }
    /* omega h is 0.26 for the shortest waves, which makes half of that of their energy come and go; a drift
     * would show in the second half */
    at_most(worst[0], 0.1 * kinetic);
    at_most(worst[1], 0.1 * kinetic);
    cab_world_destroy(world);
}

static void keep_warning(void *user, int level, const char *text)
{
    if (level == 0 && strstr(text, "diverge")) snprintf(user, 512, "%s", text);
}

/* The worst stretch of a second; infinite when it diverges, which must be told as that. */
static double run_springs(cab_scene *scene, int substeps, char warning[512])
{
    cab_error error = {0};
    cab_world *world = NULL;
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.threads = 1;
    def.log = keep_warning;
    def.user = warning;
    *warning = 0;
    cab_scene_settings(scene)->substeps = substeps;
    must(cab_world_create(scene, &def, &world, &error), &error);
    cab_status status = cab_world_step(world, 60, &error);
    if (status != CAB_OK) must_fail(status, CAB_ERROR_DIVERGED, &error, "diverged in frame");
    double stretch = status == CAB_OK ? measure(world).stretch_worst : INFINITY;
    cab_world_destroy(world);
    return stretch;
}

enum { LONGITUDINAL, DAMPED, BENDING, DOUBLES, SPRING_KINDS };

static cab_scene *stiff_scene(int kind)
{
    cab_scene *scene = bare_scene(CAB_METHOD_SPRINGS, 1 / 60.0);
    cab_settings *s = cab_scene_settings(scene);
    s->spring_stiffness = kind == BENDING ? 300 : 5e4;
    if (kind == DAMPED) s->spring_damping = 2;
    if (kind == DOUBLES) s->double_distance = true, s->double_compliance = 2e-5;
    if (kind == BENDING) scene->materials[0].bending_stiffness = 0.1;
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.6, 0, -0.3}, 20);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* The warning's number of substeps is enough; without bending or double distances, which share the bound with
 * the springs, hardly fewer are. */
static void springs_diverge_where_the_warning_says(void **state)
{
    (void)state;
    /* Of the bound on omega 20 springs reach 0.998, bending with a held end beside weak springs 0.95, springs
     * and double distances together (k = k_double) 0.88. */
    static const double few[SPRING_KINDS] = {0.97, 0.97, 0.92, 0.84};
    for (int kind = 0; kind < SPRING_KINDS; kind++) {
        cab_scene *scene = stiff_scene(kind);
        char warning[512], again[512];
        assert_true(run_springs(scene, 2, warning) == INFINITY);
        const char *number = strrchr(warning, ';');
        if (!number) fail_msg("no warning, or no number in it: \"%s\"", warning);
        int enough = atoi(number + 1);
        assert_in_range(enough, 20, 1000);
        at_most(run_springs(scene, enough, again), 0.2); /* their weight stretches the weakest by 0.1 */
        assert_string_equal(again, "");
        /* Shaken to pieces: faster than may be, or back and forth through one another. */
        int less = (int)(few[kind] * enough);
        double stretch = run_springs(scene, less, again);
        if (!(stretch > 0.5)) fail_msg("%d are enough, too (%g): %s", less, stretch, warning);
        assert_string_not_equal(again, "");
        cab_scene_destroy(scene);
    }
}

/* ---- lengths that may be shorter or longer ---- */

static const cab_method length_methods[] = {CAB_METHOD_XPBD,     CAB_METHOD_SPRINGS, CAB_METHOD_STIFF_SPRINGS,
                                            CAB_METHOD_JAKOBSEN, CAB_METHOD_PBD,     CAB_METHOD_JACOBI};

/* A stick held at its start and let go: upwards with "at_most" it folds down without being held up, downwards
 * with "at_least" nothing keeps it from falling. In both cases the end falls as if it were alone, to the bit
 * but for rounding; the other way round it is held. */
static void check_inequality(cab_method method, cab_length_kind kind, double end, bool falls)
{
    double h = 0.001;
    int steps = 100;
    cab_scene *scene = bare_scene(method, h);
    cab_settings *s = cab_scene_settings(scene);
    s->distance_kind = kind;
    if (method == CAB_METHOD_SPRINGS) {
        s->spring_stiffness = 1000;
        s->spring_damping = 0.5;
    }
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, end}, 1);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = world_from(scene);
    double pull = 0;
    for (int i = 0; i < steps; i++) {
        step(world, 1);
        snapshot now = read_world(world);
        pull = fmax(pull, fabs(now.tension[0]));
        snapshot_free(&now);
    }
    double fallen = end - height_of(world, 1), free_fall = G * h * h * steps * (steps + 1) / 2;
    if (falls) {
        near_to(fallen, free_fall, 1e-6);
        if (pull != 0) fail_msg("%s: %g N", cab_method_name(method), pull);
    } else {
        at_most(fabs(fallen), method == CAB_METHOD_STIFF_SPRINGS || method == CAB_METHOD_JACOBI
                                  ? 0.02 * free_fall /* one pass takes a part of the error only */
                                  : 0.01 * free_fall);
        at_least(pull, 0.1 * 0.025 * G);
    }
    cab_world_destroy(world);
}

static void ropes_do_not_push_and_supports_do_not_pull(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(length_methods); i++) {
        check_inequality(length_methods[i], CAB_LENGTH_AT_MOST, 1, true);
        check_inequality(length_methods[i], CAB_LENGTH_AT_MOST, -1, false);
        check_inequality(length_methods[i], CAB_LENGTH_AT_LEAST, -1, true);
        check_inequality(length_methods[i], CAB_LENGTH_AT_LEAST, 1, false);
    }
}

/* ---- iterations that end by themselves ---- */

static cab_scene *swing_of(cab_method method)
{
    cab_scene *scene = bare_scene(method, 1 / 60.0);
    cab_settings *s = cab_scene_settings(scene);
    s->substeps = 4;
    s->iterations = 500;
    s->way = CAB_WAY_COLOURED; /* others know no tolerance, and do not count */
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.7, 0, 0.2}, 12);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* A tolerance ends iterations early, near where all of them lead; a smaller one nearer. The rest of a
 * convergent series is the last step times r / (1 - r): with 12 segments Gauss-Seidel has r = 0.98, averaged
 * Jacobi 0.99. */
static void iterations_end_by_tolerance(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_JAKOBSEN, CAB_METHOD_PBD,
                                         CAB_METHOD_JACOBI};
    for (int i = 0; i < COUNT_OF(methods); i++) {
        cab_world *all = world_from(swing_of(methods[i]));
        step(all, 5);
        near_to(measure(all).iterations_mean, 500, 0);
        snapshot right = read_world(all);
        double far = INFINITY, count = 0;
        for (double tolerance = 1e-5; tolerance > 5e-7; tolerance /= 10) {
            cab_scene *scene = swing_of(methods[i]);
            cab_scene_settings(scene)->tolerance = tolerance;
            cab_world *world = world_from(scene);
            step(world, 5);
            cab_measures m = measure(world);
            at_most(m.iterations_mean, 400);
            at_least(m.iterations_mean, count + 1); /* more for less */
            at_least(m.iterations_max, m.iterations_mean);
            snapshot end = read_world(world);
            double off = largest_difference(&right, &end);
            at_most(off, 20 * 100 * tolerance); /* 20 substeps, r / (1 - r) at most 100 */
            at_most(off, far);
            far = off;
            count = m.iterations_mean;
            snapshot_free(&end);
            cab_world_destroy(world);
        }
        snapshot_free(&right);
        cab_world_destroy(all);
    }
}

static void iterations_end_when_lengths_are_right(void **state)
{
    (void)state;
    cab_scene *scene = swing_of(CAB_METHOD_JAKOBSEN);
    cab_scene_settings(scene)->stretch_tolerance = 1e-3;
    cab_world *world = world_from(scene);
    for (int i = 0; i < 20; i++) {
        step(world, 1);
        at_most(measure(world).stretch_max, 1e-3 + 1e-6); /* measured after rounding to a place */
    }
    at_most(measure(world).iterations_max, 499);
    at_least(measure(world).iterations_mean, 1);
    cab_world_destroy(world);
}

/* A number that is none is never near enough: the run ends as diverged, with all iterations taken. */
static void what_is_no_number_ends_as_diverged(void **state)
{
    (void)state;
    cab_scene *scene = swing_of(CAB_METHOD_JAKOBSEN);
    cab_settings *s = cab_scene_settings(scene);
    s->tolerance = s->stretch_tolerance = 1;
    s->iterations = 3;
    /* the largest force on next to no mass: its step's square is more than a float holds */
    scene->materials[0].linear_density = 1e-9;
    s->frame_rate = 0.01;
    cab_load_def load = load_at("a", at_particle(5));
    load.force = (cab_vec3){1e9, 0, 0};
    add_load(scene, load);
    cab_world *world = world_from(scene);
    cab_error error = {0};
    must_fail(cab_world_step(world, 5, &error), CAB_ERROR_DIVERGED, &error, "diverged in frame 1");
    assert_int_equal(measure(world).iterations_max, 3);
    cab_world_destroy(world);
}

/* ---- refusals ---- */

typedef struct refusal {
    cab_method method;
    const char *part;             /* of the message: the pointer */
    void (*change)(cab_scene *s); /* what cannot be had */
} refusal;

static void set_stiffness(cab_scene *s)
{
    s->settings.stiffness = 0.5;
}
static void set_dampening(cab_scene *s)
{
    s->settings.dampening = 0.5;
}
static void set_tolerance(cab_scene *s)
{
    s->settings.tolerance = 1e-3;
}
static void set_root(cab_scene *s)
{
    s->settings.approximate_root = true;
}
static void set_weights(cab_scene *s)
{
    s->settings.weights = CAB_WEIGHTS_EQUAL;
}
static void set_kind(cab_scene *s)
{
    s->settings.distance_kind = CAB_LENGTH_AT_MOST;
}
static void set_averaging(cab_scene *s)
{
    s->settings.averaging_weight = 1;
}
static void set_spring(cab_scene *s)
{
    s->settings.spring_stiffness = 1;
}
static void set_double_compliance(cab_scene *s)
{
    s->settings.double_compliance = 1;
}
static void set_iterations(cab_scene *s)
{
    s->settings.iterations = 2;
}
static void set_bending(cab_scene *s)
{
    s->materials[0].bending_stiffness = 1e-3;
}
static void set_stretching(cab_scene *s)
{
    s->materials[0].stretching_stiffness = 100;
}
static void set_clamp(cab_scene *s)
{
    s->attachments[0].clamp = true;
}
static void set_load(cab_scene *s)
{
    hang_weight(s, "a", at_end(), 0.1);
}
static void set_nothing(cab_scene *s)
{
    (void)s;
}

static void set_doubles(cab_scene *s)
{
    s->settings.spring_stiffness = 1;
    s->settings.double_distance = true;
}

static void set_equal_load(cab_scene *s)
{
    set_load(s);
    set_weights(s);
}

static void set_corrected(cab_scene *s)
{
    set_tolerance(s);
    s->settings.corrected_stiffness = true;
}

static void what_cannot_be_honoured_is_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {CAB_METHOD_XPBD, "/method/stiffness", set_stiffness},
        {CAB_METHOD_XPBD, "/method/dampening", set_dampening},
        {CAB_METHOD_XPBD, "/method/weights", set_weights},
        {CAB_METHOD_XPBD, "/method/approximate_root", set_root},
        {CAB_METHOD_DIRECT, "/method/distance_kind", set_kind},
        {CAB_METHOD_DIRECT, "/method/tolerance", set_tolerance},
        {CAB_METHOD_JAKOBSEN, "/method/stiffness", set_stiffness},
        {CAB_METHOD_JAKOBSEN, "/method/double_compliance", set_double_compliance},
        {CAB_METHOD_JAKOBSEN, "/materials/wire/bending_stiffness", set_bending},
        {CAB_METHOD_PBD, "/materials/wire/bending_stiffness", set_bending},
        {CAB_METHOD_PBD, "/materials/wire/stretching_stiffness", set_stretching},
        {CAB_METHOD_PBD, "/method/averaging_weight", set_averaging},
        {CAB_METHOD_PBD, "/method/spring_stiffness", set_spring},
        {CAB_METHOD_PBD, "/method/corrected_stiffness", set_corrected},
        {CAB_METHOD_PBD, "/loads/0/mass", set_equal_load},
        {CAB_METHOD_JACOBI, "/loads/0/mass", set_load},
        {CAB_METHOD_JACOBI, "/attachments/0/clamp", set_clamp},
        {CAB_METHOD_JACOBI, "/materials/wire/bending_stiffness", set_bending},
        {CAB_METHOD_STIFF_SPRINGS, "/loads/0/mass", set_load},
        {CAB_METHOD_STIFF_SPRINGS, "/time/iterations", set_iterations},
        {CAB_METHOD_STIFF_SPRINGS, "/method/tolerance", set_tolerance},
        {CAB_METHOD_SPRINGS, "/time/iterations", set_iterations},
        {CAB_METHOD_SPRINGS, "/method/spring_stiffness", set_nothing},
        {CAB_METHOD_SPRINGS, "/method/double_compliance", set_doubles},
    };
    for (int i = 0; i < COUNT_OF(refusals); i++) {
        cab_scene *scene = hanging(refusals[i].method, 0.01, 4);
        refusals[i].change(scene);
        cab_error error = {0};
        cab_status status = cab_method_check(scene, &error);
        if (status == CAB_OK) fail_msg("%s is taken", refusals[i].part);
        assert_true(status == CAB_ERROR_INPUT || status == CAB_ERROR_UNSUPPORTED);
        if (!strstr(error.message, refusals[i].part))
            fail_msg("no \"%s\" in \"%s\"", refusals[i].part, error.message);
        cab_scene_destroy(scene);
    }
    cab_scene *scene = hanging(CAB_METHOD_SPRINGS, 0.01, 4);
    set_spring(scene);
    set_clamp(scene);
    cab_error error = {0};
    must_fail(cab_method_check(scene, &error), CAB_ERROR_UNSUPPORTED, &error, "/attachments/0/clamp");
    cab_scene_destroy(scene);
}

/* ---- the same bits everywhere ---- */

/* A scene as a method can run it: what it does not know is taken out, double distances stand for bending. */
static void adapt(cab_scene *scene, cab_method method)
{
    const cab_method_traits *t = cab_method_traits_of(method);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->double_distance = true;
    s->double_compliance = t->rule == CAB_RULE_SPRING ? 0.1 : 0;
    if (t->rule == CAB_RULE_SPRING) s->spring_stiffness = 20, s->spring_damping = 0.002, s->substeps = 20;
    if (t->one_iteration) s->iterations = 1;
    if (method == CAB_METHOD_PBD) s->stiffness = 0.9, s->double_stiffness = 0.1;
    if (method == CAB_METHOD_JAKOBSEN) s->approximate_root = true, s->double_kind = CAB_LENGTH_AT_LEAST;
    if (method == CAB_METHOD_JACOBI)
        s->iterations = 20, s->tolerance = 1e-5, s->distance_kind = CAB_LENGTH_AT_MOST;
    s->dampening = 0.002;
    for (int i = 0; i < scene->material_count; i++) {
        scene->materials[i].bending_stiffness *= t->bends ? 1e-4 : 0; /* what explicit springs bear */
        scene->materials[i].stretching_stiffness *= t->stretches ? 0.05 : INFINITY;
    }
    for (int i = 0; i < scene->attachment_count; i++) scene->attachments[i].clamp &= t->clamps;
    for (int i = 0; i < scene->load_count; i++)
        if (t->equal_weights) scene->loads[i].mass = 0;
}

#define FRAMES 8

static snapshot run_on(const test_scene *test, cab_method method, const char *device, int threads)
{
    cab_scene *scene = test->make();
    adapt(scene, method);
    cab_world *world = world_on(scene, device, threads);
    cab_scene_destroy(scene);
    cab_error error = {0};
    if (cab_world_step(world, FRAMES, &error) != CAB_OK)
        fail_msg("%s, %s: %s", test->name, cab_method_name(method), error.message);
    snapshot end = read_world(world);
    cab_world_destroy(world);
    return end;
}

static void same_on(const snapshot *first, const test_scene *test, cab_method method, const char *device,
                    int threads, const char *what)
{
    char text[128];
    snprintf(text, sizeof text, "%s, %s, %s", test->name, cab_method_name(method), what);
    snapshot again = run_on(test, method, device, threads);
    same_bytes(first, &again, text);
    snapshot_free(&again);
}

/* Constraints of the user's own are XPBD's alone. */
static bool has_own_constraints(const test_scene *test)
{
    cab_scene *scene = test->make();
    bool has = scene->constraint_count > 0;
    cab_scene_destroy(scene);
    return has;
}

static void every_method_has_the_same_bits_everywhere(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_SPRINGS, CAB_METHOD_STIFF_SPRINGS, CAB_METHOD_JAKOBSEN,
                                         CAB_METHOD_PBD, CAB_METHOD_JACOBI};
    const char *best = cab_native_best_isa()->name, *before = getenv("CLCABLE_ISA");
    char pocl[32];
    bool device = find_device(POCL, pocl);
    if (!device) print_message("[          ] no PoCL here: native only\n");
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        const test_scene *t = &test_scenes[i];
        if (has_own_constraints(t)) continue;
        for (int k = 0; k < COUNT_OF(methods); k++) {
            setenv("CLCABLE_ISA", best, 1);
            snapshot first = run_on(t, methods[k], "native", 2);
            for (int n = 0; n < first.nodes; n++) assert_true(isfinite(first.x[n][0] + first.v[n][2]));
            same_on(&first, t, methods[k], "native", 1, "one thread");
            same_on(&first, t, methods[k], "native", 5, "five threads");
            setenv("CLCABLE_ISA", "baseline", 1);
            same_on(&first, t, methods[k], "native", 2, "baseline");
            if (device) same_on(&first, t, methods[k], pocl, 0, "PoCL");
            snapshot_free(&first);
        }
    }
    if (before)
        setenv("CLCABLE_ISA", before, 1);
    else
        unsetenv("CLCABLE_ISA");
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
        cmocka_unit_test(stiff_springs_take_half_at_each_end),
        cmocka_unit_test(stiff_springs_stay_together),
        cmocka_unit_test(multipliers_follow_the_equations),
        cmocka_unit_test(xpbd_tension_is_the_springs),
        cmocka_unit_test(jacobi_is_the_lab),
        cmocka_unit_test(jacobi_weighs_by_mass_where_asked),
        cmocka_unit_test(jacobi_gathers_what_a_break_has_split),
        cmocka_unit_test(springs_swing_in_second_order),
        cmocka_unit_test(springs_are_damped_as_told),
        cmocka_unit_test(springs_keep_their_energy),
        cmocka_unit_test(springs_diverge_where_the_warning_says),
        cmocka_unit_test(ropes_do_not_push_and_supports_do_not_pull),
        cmocka_unit_test(iterations_end_by_tolerance),
        cmocka_unit_test(iterations_end_when_lengths_are_right),
        cmocka_unit_test(what_is_no_number_ends_as_diverged),
        cmocka_unit_test(what_cannot_be_honoured_is_refused),
        cmocka_unit_test(every_method_has_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}
