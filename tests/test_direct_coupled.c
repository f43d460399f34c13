/* Bending and lengths in one system by the direct method: what is curved at rest gains no energy, however stiff; the rest of the
 * simulation is the one that forces balance at (cab_world_settle, which knows nothing of substeps). At two resolutions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "direct.h"

/* ---- energy ---- */

typedef enum rest_shape { CORNER, ARC, RING, WAVE, SHAPES } rest_shape;

static cab_scene *curved_scene(rest_shape shape, int segments, double stiffness, bool clamp)
{
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = wire_of("wire", 0.003, stiffness);
    wire.linear_density = 0.1;
    wire.damping = 0;
    wire.rest_shape_path = true;
    add_material(scene, wire);
    cab_vec3 path[41] = {{0, 0, 1}, {0.5, 0.3, 1}, {1, 0, 1}};
    for (int i = 0; i < 41 && shape != CORNER; i++) {
        double radius = shape == ARC ? 0.6 : 0.15, turn = shape == ARC ? 0.04 * i : 0.15 * i;
        path[i] = shape == WAVE ? (cab_vec3){0.025 * i, 0.1 * sin(0.3 * i), 1}
                                : (cab_vec3){radius * sin(turn), radius * (1 - cos(turn)), 1};
    }
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = shape == CORNER ? 3 : 41;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, clamp);
    return scene;
}

/* The largest energy above that of the start is 0.0003 % of the largest kinetic energy, where the cable was refused before. */
#define GAINED 1e-5

static void check_energy(const char *device, rest_shape shape, int segments, double stiffness, bool clamp)
{
    cab_scene *scene = curved_scene(shape, segments, stiffness, clamp);
    cab_world *world = world_on(scene, device, 2);
    cab_measures m = measure(world);
    double start = m.kinetic + m.potential, gain = -INFINITY, moved = 0;
    for (int i = 0; i < 40; i++) {
        step(world, 1);
        m = measure(world);
        gain = fmax(gain, m.kinetic + m.potential - start);
        moved = fmax(moved, m.kinetic);
        at_most(m.stretch_worst, 1e-6); /* rounding of places leaves 2.3e-7 */
    }
    if (!(gain <= GAINED * moved))
        fail_msg("%s: shape %d, %d segments, EI %g: gained %.3g %%", device, (int)shape, segments, stiffness,
                 100 * gain / moved);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void curves_gain_nothing(void **state)
{
    static const double stiffness[] = {1, 10, 100};
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int segments = 20; segments <= 80; segments *= 4)
            for (int k = 0; k < (segments == 80 ? 2 : 3); k++) /* 80 segments with 100 N m^2 are refused */
                check_energy("native", (rest_shape)s, segments, stiffness[k], k == 1);
}

/* ---- rest ---- */

static void couple(cab_scene *scene)
{
    cab_scene_settings(scene)->bending = CAB_BENDING_COUPLED;
}

/* A beam that is clamped and bends under its weight and a force. */
static cab_scene *beam(int segments)
{
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 0.05));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, segments);
    hold(scene, "a", (cab_place){0}, true);
    cab_load_def push = load_at("a", at_end());
    push.force = (cab_vec3){0, 0.02, 0};
    add_load(scene, push);
    return scene;
}

/* A stiff cable between two clamps, longer than its span. */
static cab_scene *catenary(int segments)
{
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 0.01));
    const cab_vec3 ends[2] = {{0, 0, 1}, {1, 0, 1.2}};
    cab_cable_def cable = straight_of("a", "wire", ends, segments);
    cable.length = 1.3;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, true);
    hold(scene, "a", at_end(), false);
    return scene;
}

/* A loop of two cables, with a third one that leaves it at an angle that it keeps, between two holds. */
static cab_scene *net(int segments)
{
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 0.2));
    const cab_vec3 low[3] = {{0, 0, 1}, {0.3, 0, 0.8}, {0.6, 0, 1}},
                   high[3] = {{0, 0, 1}, {0.3, 0.1, 1.2}, {0.6, 0, 1}};
    cab_cable_def cable = straight_of("low", "wire", low, segments);
    cable.path_count = 3;
    add_cable(scene, cable);
    cable = straight_of("high", "wire", high, segments);
    cable.path_count = 3;
    add_cable(scene, cable);
    add_straight(scene, "off", (cab_vec3){0.3, 0, 0.8}, (cab_vec3){0.4, 0.3, 0.6}, segments / 2);
    hold(scene, "low", (cab_place){0}, false);
    hold(scene, "low", at_end(), false);
    join(scene, "high", (cab_place){0}, "low", (cab_place){0});
    join(scene, "high", at_end(), "low", at_end());
    cab_attachment_def angle = joined("off", (cab_place){0}, "low", at_fraction(0.5));
    angle.clamp = true;
    add_attachment(scene, angle);
    return scene;
}

/* How far anything moves in a second from the rest that forces balance at. Rounding moves a place by 3e-8 m. */
static double moved_from_rest(cab_scene *scene, const char *device)
{
    cab_error error;
    cab_equilibrium e;
    cab_world *world = world_on(scene, device, 2);
    if (cab_world_settle(world, NULL, &e, &error) != CAB_OK) fail_msg("%s", error.message);
    assert_true(e.settled);
    snapshot before = read_world(world);
    step(world, 60);
    snapshot after = read_world(world);
    double moved = largest_difference(&before, &after);
    snapshot_free(&before);
    snapshot_free(&after);
    cab_world_destroy(world);
    return moved;
}

static cab_scene *(*const rests[])(int segments) = {beam, catenary, net};

/* At 20 substeps with bending first the catenary moves by 0.012 and 0.029 mm, now by 2e-8 m, whatever the substeps. What forces
 * balance at has 2e-6 N left at most, which move the end of the beam by 1.0e-6 m, that of the net by 2.2e-6 m. */
#define RESTS 1e-5
static void it_rests_where_forces_balance(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT_OF(rests); k++) {
        for (int segments = 20; segments <= 60; segments *= 3) {
            cab_scene *scene = rests[k](segments);
            couple(scene);
            double moved = moved_from_rest(scene, "native");
            if (!(moved <= RESTS)) fail_msg("scene %d with %d segments moved by %g m", k, segments, moved);
            cab_scene_destroy(scene);
        }
    }
}

/* ---- both backends, and what cannot be solved so ---- */

static void the_same_on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = k == 0 ? curved_scene(WAVE, 30, 10, false) : net(20);
        couple(scene);
        cab_world *a = world_on(scene, "native", 2), *b = world_on(scene, "opencl", 1);
        step(a, 4);
        step(b, 4);
        snapshot x = read_world(a), y = read_world(b);
        same_bytes(&x, &y, "coupled");
        snapshot_free(&x);
        snapshot_free(&y);
        cab_world_destroy(a);
        cab_world_destroy(b);
        cab_scene_destroy(scene);
    }
}

/* A cable beside others moves as it does alone. */
static void neighbours_change_nothing(void **state)
{
    (void)state;
    cab_scene *alone = curved_scene(ARC, 20, 10, false), *beside = curved_scene(ARC, 20, 10, false);
    add_straight(beside, "b", (cab_vec3){5, 0, 1}, (cab_vec3){5, 1, 1}, 12);
    hold(beside, "b", (cab_place){0}, false);
    cab_world *a = native_world(alone), *b = native_world(beside);
    step(a, 10);
    step(b, 10);
    for (int i = 0; i < 21; i++) {
        double x[3], y[3];
        node_place(a, i, x);
        node_place(b, i, y);
        assert_memory_equal(x, y, sizeof x);
    }
    cab_world_destroy(a);
    cab_world_destroy(b);
    cab_scene_destroy(alone);
    cab_scene_destroy(beside);
}

static void split_is_refused_as_before(void **state)
{
    (void)state;
    cab_scene *scene = curved_scene(ARC, 20, 100, false);
    cab_scene_settings(scene)->bending = CAB_BENDING_SPLIT;
    must_refuse(scene, CAB_ERROR_UNSUPPORTED, "/materials/wire/rest_shape: ");
    scene = curved_scene(WAVE, 80, 1e7, false); /* too stiff for one system, too */
    must_refuse(scene, CAB_ERROR_UNSUPPORTED, "/materials/wire/rest_shape: ");
    scene = curved_scene(ARC, 20, 1, false);
    cab_scene_settings(scene)->way = CAB_WAY_LANES;
    must_refuse(scene, CAB_ERROR_INPUT, "bending and lengths of a cable are solved in one system");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_gain_nothing),        cmocka_unit_test(it_rests_where_forces_balance),
        cmocka_unit_test(the_same_on_opencl),         cmocka_unit_test(neighbours_change_nothing),
        cmocka_unit_test(split_is_refused_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
