/* What time integration keeps of small steps far from the origin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scenes.h"

#include "kernels/motion.h"
#undef kernel /* words of OpenCL C that are names here */
#undef global
#undef local
#undef constant

/* Sum and rest of two floats are what double holds of both: exactly. */
static void two_sums_are_exact(void **state)
{
    (void)state;
    static const float a[] = {100, -100, 0.1f, 1e-7f, 16777216, 3}, b[] = {1e-7f, 1e-7f, 33, -250, 1, -3};
    for (int i = 0; i < COUNT_OF(a); i++) {
        float rest, sum = cab_two_sum(a[i], b[i], &rest);
        assert_true(sum == a[i] + b[i]);
        assert_true((double)sum + (double)rest == (double)a[i] + (double)b[i]);
    }
}

/* 100 m from the origin floats lie 8 um apart. A cable that starts from rest under a thousandth of m/s^2 moves by a nanometre in the
 * first millisecond and by a micrometre in the last: after 1 s it is where it would be at the origin. */
static void slow_motion_far_away_is_not_lost(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = scene_of(1);
        cab_settings *s = cab_scene_settings(scene);
        s->method = methods[m];
        s->frame_rate = 1000;
        s->gravity = (cab_vec3){1e-3, 0, -1e-3};
        add_material(scene, wire_of("wire", 0.003, 0));
        add_straight(scene, "a", (cab_vec3){100, 0, -100}, (cab_vec3){100, 1, -100}, 4);
        cab_world *world = native_world(scene);
        cab_scene_destroy(scene);
        step(world, 1000);
        /* h^2 n (n + 1)/2 g; BDF2 starts by a step of the same and is within 1/n of it. Multipliers and steps are rounded to 1e-7. */
        double moved = 0.5e-3 * (1 + 1e-3);
        snapshot now = read_world(world);
        for (int i = 0; i < now.nodes; i++) {
            near_to(now.x[i][0] - 100, moved, 2e-3 * moved);
            near_to(now.x[i][2] + 100, -moved, 2e-3 * moved);
        }
        snapshot_free(&now);
        cab_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sums_are_exact),
        cmocka_unit_test(slow_motion_far_away_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
