/* What all methods share: one-sided lengths, iterations that end by themselves, the same bits on every
 * device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "methods.h"

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
        s->springs.stiffness = 1000;
        s->springs.damping = 0.5;
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
            cab_scene_settings(scene)->tolerance.move = tolerance;
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
    cab_scene_settings(scene)->tolerance.stretch = 1e-3;
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
    s->tolerance = (cab_tolerance_settings){1, 1};
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

/* ---- the same bits everywhere ---- */

/* A scene as a method can run it: what it does not know is taken out, double distances stand for bending. */
static void adapt(cab_scene *scene, cab_method method)
{
    const cab_method_traits *t = cab_method_traits_of(method);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->doubles.on = true;
    s->doubles.compliance = t->rule == CAB_RULE_SPRING ? 0.1 : 0;
    if (t->rule == CAB_RULE_SPRING) s->springs.stiffness = 20, s->springs.damping = 0.002, s->substeps = 20;
    if (t->one_iteration) s->iterations = 1;
    if (method == CAB_METHOD_PBD) s->pbd.stiffness = 0.9, s->pbd.double_stiffness = 0.1;
    if (method == CAB_METHOD_JAKOBSEN)
        s->relaxation.approximate_root = true, s->doubles.kind = CAB_LENGTH_AT_LEAST;
    if (method == CAB_METHOD_JACOBI)
        s->iterations = 20, s->tolerance.move = 1e-5, s->distance_kind = CAB_LENGTH_AT_MOST;
    s->relaxation.dampening = 0.002;
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
        cmocka_unit_test(ropes_do_not_push_and_supports_do_not_pull),
        cmocka_unit_test(iterations_end_by_tolerance),
        cmocka_unit_test(iterations_end_when_lengths_are_right),
        cmocka_unit_test(what_is_no_number_ends_as_diverged),
        cmocka_unit_test(every_method_has_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
