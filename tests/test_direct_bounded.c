/* The direct method gains no energy: stiff cables that are curved at rest, loads a million times as heavy as what carries
 * them, alone and joined, stiff lengths, any number of segments. Either no more than 0.1 % of what moves, or refused, with
 * the number of substeps with which it is so. At two resolutions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "direct.h"

#define MOST 1e-3 /* of the largest kinetic energy */
#define FRAMES 30
#define DENSITY 0.1 /* kg/m */

/* Largest energy above that of the start, at the ends of frames, as a share of the largest kinetic energy. */
static double gain_of(cab_world *world, int frames)
{
    cab_measures m = measure(world);
    double start = m.kinetic + m.potential, gain = -INFINITY, moved = 0;
    for (int i = 0; i < frames; i++) {
        step(world, 1);
        m = measure(world);
        gain = fmax(gain, m.kinetic + m.potential - start);
        moved = fmax(moved, m.kinetic);
    }
    return gain / moved;
}

static void check_gain(cab_scene *scene, const char *device, int frames, const char *what)
{
    cab_world *world = world_on(scene, device, 2);
    double gain = gain_of(world, frames);
    if (!(gain <= MOST)) fail_msg("%s on %s: gained %.3g %%", what, device, 100 * gain);
    cab_world_destroy(world);
}

static cab_material_def heavy_wire(double bending_stiffness)
{
    cab_material_def wire = wire_of("wire", 0.003, bending_stiffness);
    wire.linear_density = DENSITY;
    wire.damping = 0;
    return wire;
}

/* ---- curved at rest ---- */

typedef enum rest_shape { CORNER, RING } rest_shape;

static cab_scene *curved(rest_shape shape, int segments, double stiffness, int substeps)
{
    cab_scene *scene = direct_scene(substeps);
    cab_material_def wire = heavy_wire(stiffness);
    wire.rest_shape_path = true;
    add_material(scene, wire);
    cab_vec3 path[31] = {{0, 0, 1}, {0.5, 0.3, 1}, {1, 0, 1}};
    for (int i = 0; i < 31 && shape == RING; i++)
        path[i] = (cab_vec3){0.15 * sin(0.18 * i), 0.15 - 0.15 * cos(0.18 * i), 1};
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = shape == RING ? 31 : 3;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* The substeps that the refusal asks for; 0: it is not refused. */
static int substeps_wanted(const cab_scene *scene)
{
    cab_error error = {0};
    if (cab_scene_check(scene, NULL, NULL, &error) == CAB_OK) return 0;
    assert_int_equal(error.status, CAB_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "/materials/wire/rest_shape: "));
    const char *wanted = strstr(error.message, "expected at least ");
    assert_non_null(wanted);
    return atoi(wanted + strlen("expected at least "));
}

static int check_curved(rest_shape shape, int segments, double stiffness, int substeps, const char *device)
{
    char what[100];
    cab_scene *scene = curved(shape, segments, stiffness, substeps);
    int wanted = substeps_wanted(scene);
    cab_scene_destroy(scene);
    if (wanted > 300) return 1; /* takes too long here */
    snprintf(what, sizeof what, "shape %d, %d segments, EI %g, %d substeps", shape, segments, stiffness,
             wanted ? wanted : substeps);
    scene = curved(shape, segments, stiffness, wanted ? wanted : substeps);
    check_gain(scene, device, FRAMES, what);
    cab_scene_destroy(scene);
    return wanted > 0;
}

static void curved_on(const char *device, bool few)
{
    static const double stiffnesses[] = {1e-9, 1e-6, 1e-3, 0.03, 1, 1e3, 1e6};
    static const int segments[] = {10, 20}, substeps[] = {5, 20};
    int refused = 0, count = 0;
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < 2; n++)
            for (int k = 0; k < COUNT_OF(stiffnesses); k += few ? 3 : 1)
                for (int h = few; h < 2; h++, count++)
                    refused += check_curved((rest_shape)s, segments[n], stiffnesses[k], substeps[h], device);
    at_least(refused, 1); /* both happen */
    at_most(refused, 2 * count / 3);
}

static void stiff_curves_gain_nothing(void **state)
{
    (void)state;
    curved_on("native", false);
}

static void nor_on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    curved_on("opencl", true);
}

/* A path that is straight is so at rest, too, however stiff: rounding gives it no direction to bend in. */
static void straight_paths_are_not_refused(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = heavy_wire(1e6);
    wire.rest_shape_path = true;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.7, 0.3, 0.9}, 20);
    hold(scene, "a", (cab_place){0}, false);
    check_gain(scene, "native", FRAMES, "straight");
    cab_scene_destroy(scene);
}

/* ---- loads ---- */

/* `cables` of 1 m together, one joined to the next, with a load at a place of the one named `on`. ratio: of the load's mass to a
 * particle's */
static cab_scene *loaded(int cables, int segments, const char *on, cab_place at, double ratio, int substeps)
{
    cab_scene *scene = direct_scene(substeps);
    add_material(scene, heavy_wire(0));
    const char *names[] = {"a", "b", "c"};
    for (int i = 0; i < cables; i++) {
        double from = (double)i / cables, to = (i + 1.0) / cables;
        add_straight(scene, names[i], (cab_vec3){from, 0, 1}, (cab_vec3){to, 0, 1}, segments);
        if (i > 0) join(scene, names[i], (cab_place){0}, names[i - 1], at_end());
    }
    hold(scene, "a", (cab_place){0}, false);
    hang_weight(scene, on, at, ratio * DENSITY / (cables * segments));
    return scene;
}

static void check_loads(const char *device, int substeps, int segments, bool few)
{
    static const struct {
        int cables;
        const char *on;
        bool middle;
    } trial[] = {{1, "a", false}, {1, "a", true}, {3, "c", false}, {3, "b", true}, {3, "b", false}};
    for (int i = 0; i < COUNT_OF(trial); i++) {
        for (double ratio = 1e2; ratio < 2e6; ratio *= few ? 1e4 : 10) {
            char what[100];
            snprintf(what, sizeof what, "%d cables, %d segments, load %d, %g", trial[i].cables, segments, i,
                     ratio);
            cab_scene *scene = loaded(trial[i].cables, segments, trial[i].on,
                                      trial[i].middle ? at_fraction(0.5) : at_end(), ratio, substeps);
            check_gain(scene, device, FRAMES, what);
            cab_scene_destroy(scene);
        }
    }
}

static void heavy_loads_give_nothing(void **state)
{
    (void)state;
    for (int segments = 10; segments <= 20; segments += 10) {
        check_loads("native", 5, segments, false);
        check_loads("native", 20, segments, false);
    }
}

static void nor_do_they_on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    check_loads("opencl", 20, 10, true);
    check_loads("opencl", 20, 20, true);
}

/* ---- segments and stiff lengths ---- */

static void any_number_of_segments(void **state)
{
    (void)state;
    static const int segments[] = {1, 2, 3, 100, 1000};
    for (int i = 0; i < COUNT_OF(segments); i++) {
        for (int substeps = 5; substeps <= 20; substeps *= 4) {
            cab_scene *scene = loaded(1, segments[i], "a", at_end(), 1e-6, substeps);
            char what[100];
            snprintf(what, sizeof what, "%d segments, %d substeps", segments[i], substeps);
            check_gain(scene, "native", segments[i] > 100 ? 3 : FRAMES, what);
            cab_scene_destroy(scene);
        }
    }
}

/* What is reported is the bodies' energy. Of lengths of 10^12 N it was the solver's residue: 10^7 J. */
static void stiff_lengths_store_what_they_pull(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_DIRECT, CAB_METHOD_XPBD};
    static const char *const devices[] = {"native", "opencl"};
    for (int i = 0; i < (have_opencl() ? 8 : 4); i++) {
        cab_scene *scene = scene_of(20);
        cab_scene_settings(scene)->method = methods[i & 1];
        cab_material_def wire = heavy_wire(0);
        wire.stretching_stiffness = i & 2 ? 1e12 : 1e9;
        add_material(scene, wire);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, i & 2 ? 20 : 10);
        hold(scene, "a", (cab_place){0}, false);
        check_gain(scene, devices[i >> 2], FRAMES, "stiff lengths");
        cab_scene_destroy(scene);
    }
}

/* A soft one stores what its places say: a weight of 1 kg stretches 1 m of 100 N by m g / EA, which stores (m g)^2 L / 2 EA. */
static void soft_lengths_store_as_springs(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = heavy_wire(0);
    wire.stretching_stiffness = 100;
    wire.linear_density = 1e-4;
    wire.damping = 5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0}, 10);
    hold(scene, "a", (cab_place){0}, false);
    hang_weight(scene, "a", at_end(), 1);
    cab_world *world = native_world(scene);
    step(world, 600);
    cab_measures m = measure(world);
    near_to(m.potential + G * G / 100, G * G / 200, 1e-3 * G * G / 200); /* it hangs at -m g / EA */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_curves_gain_nothing),
        cmocka_unit_test(nor_on_opencl),
        cmocka_unit_test(straight_paths_are_not_refused),
        cmocka_unit_test(heavy_loads_give_nothing),
        cmocka_unit_test(nor_do_they_on_opencl),
        cmocka_unit_test(any_number_of_segments),
        cmocka_unit_test(stiff_lengths_store_what_they_pull),
        cmocka_unit_test(soft_lengths_store_as_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
