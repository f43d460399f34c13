/* What stays bent: yield_curvature, rest_share, against known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "twisted.h"

static cab_error error;
/* Two segments, a straight rod at rest, are drawn with a kink. What it is beyond the yield stays. */
static void what_yields_springs_back_by_its_yield(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        const double length = 0.05, kink = 0.4, share[] = {0, 0.5, 1.2};
        double yield = share[k % 3] * kink / length;
        if (!can_run(k / 3)) continue;
        double half = asin(kink / 2), x = length * cos(half), y = length * sin(half);
        const cab_vec3 path[] = {{0, 0, 0}, {x, y, 0}, {2 * x, 0, 0}};
        cab_scene *scene = still_scene(400, soft(yield));
        add_path(scene, path, 2, (cab_vec3){0, 0.3, 1});
        snapshot now = snapshot_after(take(scene, devices[k / 3], 1), k < 3 ? 240 : 120);
        cab_vec3 a = cab_vec3_sub(at(&now, 1), at(&now, 0)), b = cab_vec3_sub(at(&now, 2), at(&now, 1));
        double left = cab_vec3_length(cab_vec3_sub(b, a)) / length;
        /* it springs back a little within the substep in which it yields: 1.4e-6 */
        near_to(left, share[k % 3] == 0.5 ? kink - yield * length : 0, 1e-5);
        snapshot_free(&now);
    }
}

/* An arc between two clamps, straight at rest, bears EI kappa, but EI times the yield at most. Clamps hold the first and the last chord,
 * so that it is bent a little more in the middle, by 1.4/n. While it comes to rest it yields here and there, and is bent by less than the yield
 * then; what is seen at the ends of frames is a little less than what was most. */
static void a_moment_goes_no_further_than_the_yield(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        enum { MOST = 32 };
        int n = k & 1 ? 32 : 16;
        const double curvature = 10, length = 0.2, yield = k & 2 ? 4 : 15;
        cab_vec3 path[MOST + 1];
        for (int i = 0; i <= n; i++) {
            double a = curvature * length * i / n;
            path[i] = (cab_vec3){sin(a) / curvature, 0, (1 - cos(a)) / curvature};
        }
        cab_scene *scene = still_scene(20, soft(yield));
        add_path(scene, path, n, (cab_vec3){0, 1, 1});
        clamp_rolled(scene, "a", (cab_place){0}, 0);
        clamp_rolled(scene, "a", at_end(), 0);
        cab_probe_def probe = cab_probe_default();
        probe.name = "middle";
        probe.cable = "a";
        probe.at = at_fraction(0.5);
        must(cab_scene_add_probe(scene, &probe, &error), &error);
        cab_world *world = take(scene, "native", 1);
        cab_probe_reading reading = {0};
        double most = 0;
        for (int frame = 0; frame < 300; frame++) {
            step(world, 1);
            must(cab_world_read_probes(world, &reading, &error), &error);
            most = fmax(most, reading.moment);
        }
        if (k & 2) {
            at_most(most, EI * yield * (1 + 1e-4));
            at_least(most, 0.8 * EI * yield);
        } else {
            near_to(reading.moment, EI * curvature, EI * curvature * 1.5 / n);
        }
        cab_world_destroy(world);
    }
}

/* A share of what is drawn is there at rest: a ring's half opens to a quarter of one. */
static void a_share_of_the_drawn_curvature_is_there_at_rest(void **state)
{
    (void)state;
    for (int twists = 0; twists < 2; twists++) {
        enum { N = 12 };
        cab_vec3 path[N + 1];
        for (int i = 0; i <= N; i++) {
            double a = 0.5 * TURN * i / N;
            path[i] = (cab_vec3){0.1 * sin(a), 0, 0.1 * (1 - cos(a))};
        }
        cab_material_def def = curled(twists ? GJ : 0, 15);
        def.rest_share = 0.5;
        cab_scene *scene = still_scene(20, def);
        add_path(scene, path, N, (cab_vec3){0, 0, 0});
        snapshot now = snapshot_after(take(scene, "native", 1), 900);
        for (int i = 1; i < N; i++) {
            cab_vec3 a = cab_vec3_sub(at(&now, i), at(&now, i - 1)),
                     b = cab_vec3_sub(at(&now, i + 1), at(&now, i));
            double kink = cab_vec3_length(cab_vec3_sub(b, a)) / cab_vec3_length(a);
            near_to(kink, sin(0.25 * TURN / N), 2e-5); /* 15/s for 15 s: what is left of the motion */
        }
        snapshot_free(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_yields_springs_back_by_its_yield),
        cmocka_unit_test(a_moment_goes_no_further_than_the_yield),
        cmocka_unit_test(a_share_of_the_drawn_curvature_is_there_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
