/* The direct method with joined cables: trees, junctions, rings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "direct.h"

/* ---- joined cables ---- */

#define BRANCH 16 /* segments */

static double tree_lengths[3];

/* Three branches meet at a junction of `ratio` times the mass of a particle; one is held. */
static cab_scene *tree_scene(double ratio, bool held)
{
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 1e-5));
    const cab_vec3 ends[3] = {{0, 0, 1.5}, {0.35, 0.1, 1}, {-0.3, 0.2, 1.1}};
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        add_straight(scene, name, (cab_vec3){0, 0, 1}, ends[i], BRANCH);
        if (i > 0) join(scene, name, (cab_place){0}, "b0", (cab_place){0});
        tree_lengths[i] = sqrt(pow(ends[i].x, 2) + pow(ends[i].y, 2) + pow(ends[i].z - 1, 2));
    }
    if (held) hold(scene, "b0", at_end(), false);
    hang_weight(scene, "b0", (cab_place){0}, ratio * 0.05 * tree_lengths[0] / BRANCH);
    return scene;
}

static void a_tree_keeps_its_lengths(void **state)
{
    (void)state;
    cab_scene *scene = tree_scene(850, true);
    at_most(worst_stretch(scene, CAB_WAY_STAGED, 120), 1e-3);
    cab_scene_destroy(scene);
}

static void a_junction_is_in_balance(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 8;
    add_material(scene, wire);
    const cab_vec3 ends[3] = {{0.4, 0, 1.4}, {-0.3, 0.1, 1.5}, {0, 0, 0.7}};
    double mass = 0, sum[3] = {0, 0, 0}, tension[39];
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        add_straight(scene, name, (cab_vec3){0, 0, 1}, ends[i], 12);
        if (i > 0) join(scene, name, (cab_place){0}, "b0", (cab_place){0});
        if (i < 2) hold(scene, name, at_end(), false);
    }
    hang_weight(scene, "b2", at_end(), 0.3);
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    step(world, 540);
    mean_tensions(world, 60, 39, tension);
    snapshot s = read_world(world);
    for (int b = 0; b < 3; b++) {
        int n = 13 * b;
        double length = distance3(s.x[n], s.x[n + 1]);
        for (int k = 0; k < 3; k++) sum[k] += tension[n] * (s.x[n + 1][k] - s.x[n][k]) / length;
        mass += 0.05 * length / 2;
    }
    at_least(tension[0], 1);
    near_to(sum[0], 0, 2e-3); /* of 1.7 to 3.1 N */
    near_to(sum[1], 0, 2e-3);
    near_to(sum[2], mass * G, 2e-3);
    near_to(tension[26], G * (0.3 + 0.05 * 0.3 * 23 / 24), 3e-3);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A force is all that moves a free tree without gravity; its momentum is the force times the time. */
static void a_free_tree_keeps_its_momentum(void **state)
{
    (void)state;
    cab_scene *scene = tree_scene(850, false);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    const double force[3] = {0.1, 0.3, -0.2};
    cab_load_def load = load_at("b1", at_end());
    load.force = (cab_vec3){force[0], force[1], force[2]};
    add_load(scene, load);
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    step(world, 60);
    snapshot s = read_world(world);
    double p[3] = {0, 0, 0};
    for (int b = 0; b < 3; b++) {
        double segment = 0.05 * tree_lengths[b] / BRANCH;
        for (int i = 0; i <= BRANCH; i++) {
            double m = segment * (i == 0 || i == BRANCH ? 0.5 : 1) + (b == 0 && i == 0 ? 850 * segment : 0);
            for (int k = 0; k < 3; k++) p[k] += m * s.v[(BRANCH + 1) * b + i][k];
        }
    }
    /* 1,200 substeps, each rounds 51 velocities by 3e-8; as a random walk that is 1e-6 of the momentum */
    for (int k = 0; k < 3; k++) near_to(p[k], force[k], 5e-6);
    at_most(measure(world).stretch_worst, 1e-3);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void rings_keep_their_lengths(void **state)
{
    (void)state;
    cab_scene *scene = make_rings();
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->substeps = 20;
    at_most(worst_stretch(scene, CAB_WAY_STAGED, 120), 1e-3);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_keeps_its_lengths),
        cmocka_unit_test(a_junction_is_in_balance),
        cmocka_unit_test(a_free_tree_keeps_its_momentum),
        cmocka_unit_test(rings_keep_their_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
