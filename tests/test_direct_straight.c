/* Lengths of cables between two holds that are hardly longer than their span, by the direct method: all numbers of
 * segments, all slacks, in the way that is chosen for each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "direct.h"

#define FRAMES 30

/* A cable of 1 m of span that does not bend by itself: then nothing but its lengths keeps short waves down. */
static cab_scene *straight_scene(int segments, double slack)
{
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {1, 0, 1}}, segments);
    cable.length = 1 + slack;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    return scene;
}

/* The largest error of a length is 1e-4, which a Newton pass may leave. Energy is not gained but for what errors of that size do to
 * the sag: less than a thousandth of the weight times the span. */
static void check_kept(int segments, double slack, const char *device)
{
    cab_scene *scene = straight_scene(segments, slack);
    cab_world *world = world_on(scene, device, 2);
    cab_measures m = measure(world);
    double start = m.kinetic + m.potential, gain = 0;
    for (int i = 0; i < FRAMES; i++) {
        step(world, 1);
        m = measure(world);
        gain = fmax(gain, m.kinetic + m.potential - start);
    }
    if (!(m.stretch_worst < 1e-4)) fail_msg("%d segments, slack %g: %g", segments, slack, m.stretch_worst);
    at_most(gain, 1e-3 * 0.05 * G);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void keeps_its_lengths(void **state)
{
    (void)state;
    static const int segments[] = {32, 64, 128, 129, 255, 300, 1023, 4000};
    static const double slacks[] = {1e-5, 1e-4, 1e-3, 0.01, 0.1};
    for (int i = 0; i < COUNT_OF(segments); i++)
        for (int k = 0; k < COUNT_OF(slacks); k++) check_kept(segments[i], slacks[k], "native");
}

/* Ten thousand: here a product of entries of G instead of its factors (cab_stiff_factors_give) makes it diverge. */
static void keeps_ten_thousand(void **state)
{
    (void)state;
    check_kept(10000, 1e-4, "native");
    check_kept(10000, 0.1, "native");
}

static void keeps_them_on_opencl(void **state)
{
    (void)state;
    char id[32];
    if (!find_device(POCL, id)) skip();
    check_kept(1023, 1e-3, id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_its_lengths),
        cmocka_unit_test(keeps_ten_thousand),
        cmocka_unit_test(keeps_them_on_opencl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
