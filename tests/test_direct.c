/* The direct method: its two ways alike, lengths, tension, damping, order of the error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <clcable/draw.h>

#include "direct.h"
#include "run/measure.h"
#include "world/device.h"

static snapshot after(cab_scene *scene, cab_way way, int frames)
{
    return snapshot_after(world_in(scene, way), frames);
}

/* ---- the two ways ---- */

/* Held at both ends and drawn as long as they are apart, or led farther: whether a length is off there is a
 * matter of rounding, and the ways answer that with different passes. */
static bool is_taut(const char *scene, const char *cable)
{
    static const char *const taut[][2] = {
        {"clamps", "b"}, {"keyframes", "a[0,1,0]"}, {"mixed", "c5"}, {"mixed", "c9"}};
    for (int i = 0; i < COUNT_OF(taut); i++) {
        if (!strcmp(scene, taut[i][0]) && !strncmp(cable, taut[i][1], strlen(taut[i][1]))) return true;
    }
    return false;
}

#define NEAR 1e-5 /* m: 100 roundings of 1e-7 m, at coordinates of 1 m; the scenes move by centimetres */

static void lanes_are_staged(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        if (!test_scenes[i].lanes) continue;
        cab_scene *scene = test_scenes[i].make();
        cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
        cab_world *world = world_in(scene, CAB_WAY_LANES);
        step(world, 12);
        snapshot lanes = read_world(world), staged = after(scene, CAB_WAY_STAGED, 12);
        int compared = 0;
        for (int c = 0; c < lanes.cables; c++) {
            cab_cable_info cable = cab_world_get_cable(world, c);
            if (is_taut(test_scenes[i].name, cable.name)) continue;
            for (int k = cable.first_node; k < cable.first_node + cable.node_count; k++, compared++) {
                double far = distance3(lanes.x[k], staged.x[k]);
                if (!(far < NEAR))
                    fail_msg("%s: node %d of \"%s\": %g m apart", test_scenes[i].name, k - cable.first_node,
                             cable.name, far);
            }
        }
        assert_true(compared > lanes.nodes / 3);
        snapshot_free(&lanes);
        snapshot_free(&staged);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- what tiles keep from frame to frame ---- */

/* Steps a world, with gravity changed on the way, and reads everything after each frame, or nothing. */
static void go_through(cab_world *world, bool looks)
{
    cab_error error = {0};
    int nodes = cab_world_get_info(world).nodes;
    float *rows = calloc(4 * (size_t)nodes, sizeof *rows);
    assert_non_null(rows);
    for (int frame = 0; frame < 8; frame++) {
        if (frame == 4) must(cab_world_set_gravity(world, (cab_vec3){0, 3, -2}, &error), &error);
        step(world, 1);
        if (!looks) continue;
        snapshot s = read_world(world);
        must(cab_world_draw(world, CAB_QUANTITY_TENSION, rows, &error), &error);
        snapshot_free(&s);
    }
    free(rows);
}

/* In tiles and in the buffers of particles errors are the same. */
static void same_measures_in_buffers(cab_world *world, const char *name)
{
    cab_error error = {0};
    cab_measures in_tiles = measure(world);
    must(cab_world_flush(world, true, &error), &error);
    must(cab_world_update_measures(world, &error), &error);
    cab_measures in_buffers = measure(world);
    if (in_tiles.stretch_max != in_buffers.stretch_max || in_tiles.stretch_mean != in_buffers.stretch_mean ||
        in_tiles.speed_max != in_buffers.speed_max)
        fail_msg("%s: stretch %g and %g, mean %g and %g, speed %g and %g", name, in_tiles.stretch_max,
                 in_buffers.stretch_max, in_tiles.stretch_mean, in_buffers.stretch_mean, in_tiles.speed_max,
                 in_buffers.speed_max);
}

static void who_looks_changes_nothing(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_DIRECT, CAB_METHOD_XPBD};
    static const int substeps[2][2] = {{2, 7}, {20, 23}}; /* with fewer XPBD diverges */
    for (int i = 0; i < COUNT_OF(test_scenes) * 4; i++) {
        if (!test_scenes[i / 4].lanes) continue;
        cab_scene *scene = test_scenes[i / 4].make();
        cab_scene_settings(scene)->method = methods[i & 1];
        cab_scene_settings(scene)->substeps = substeps[i & 1][i / 2 & 1];
        cab_world *seen = world_in(scene, CAB_WAY_LANES), *unseen = world_in(scene, CAB_WAY_LANES);
        go_through(seen, true);
        go_through(unseen, false);
        same_measures_in_buffers(unseen, test_scenes[i / 4].name);
        same_motion(seen, unseen, test_scenes[i / 4].name);
        step(seen, 2);
        step(unseen, 2);
        same_motion(seen, unseen, test_scenes[i / 4].name);
        cab_world_destroy(seen);
        cab_world_destroy(unseen);
        cab_scene_destroy(scene);
    }
}

/* ---- lengths ---- */

static void lengths_stay_through_a_fall(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        for (int bends = 0; bends < 2; bends++) {
            cab_scene *scene = direct_scene(20);
            add_material(scene, wire_of("wire", 0.003, bends * 1e-4));
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, 64);
            hold(scene, "a", (cab_place){0}, false);
            /* it falls for half a second, then it whips */
            at_most(worst_stretch(scene, ways[w], 120), 1e-4);
            cab_scene_destroy(scene);
        }
    }
}

/* ---- tension ---- */

static void tension_is_what_hangs_below(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = hung_scene(INFINITY, 0);
        cab_world *world = world_in(scene, ways[w]);
        double tension[HUNG];
        mean_tensions(world, 240, HUNG, tension);
        for (int i = 0; i < HUNG; i++) near_to(tension[i] / pull_at(i), 1, 1e-3);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void elastic_cables_stretch_as_they_must(void **state)
{
    (void)state;
    const double stiffness = 100;
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = hung_scene(stiffness, 30);
        snapshot s = after(scene, ways[w], 300);
        for (int i = 0; i < HUNG; i++) {
            /* a coordinate of 2 m is rounded by 1e-7 m, the elongations are 2 to 4 mm */
            double strain = distance3(s.x[i], s.x[i + 1]) / 0.1 - 1;
            near_to(strain / (pull_at(i) / stiffness), 1, 1e-4);
            near_to(s.tension[i] / pull_at(i), 1, 1e-4);
        }
        snapshot_free(&s);
        cab_scene_destroy(scene);
    }
}

/* A cable hangs from a hold down to a floor where half of it lies: contact passes and lengths take turns, and
 * all their multipliers count. */
static void tension_above_a_floor(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.self = true;
    cab_material_def wire = wire_of("wire", 0.003, 1e-5);
    wire.damping = 10;
    wire.stretching_stiffness = 20;
    add_material(scene, wire);
    const cab_vec3 path[] = {{0, 0, 0.503}, {0, 0, 0.003}, {0.5, 0, 0.003}};
    cab_cable_def cable = straight_of("a", "wire", path, 50);
    cable.path_count = 3;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    add_floor(scene, 0);
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    step(world, 240);
    assert_true(measure(world).contacts >= 20);
    snapshot s = read_world(world);
    /* 24 particles hang; one more rests on the floor in part */
    const double particle = 0.05 * 0.02 * G;
    near_to(s.tension[0] / particle, 24, 0.5);
    near_to(distance3(s.x[0], s.x[1]) / 0.02 - 1, s.tension[0] / 20, 1e-4);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- damping ---- */

static void damped_fall(void **state)
{
    (void)state;
    const double rate = 4;
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = direct_scene(20);
        cab_material_def wire = wire_of("wire", 0.003, 1e-4);
        wire.damping = rate;
        add_material(scene, wire);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 10);
        for (int frames = 15; frames <= 300; frames *= 20) {
            snapshot s = after(scene, ways[w], frames);
            double v = -G / rate * (1 - exp(-rate * frames / 60.0));
            /* a factor of the prediction is rounded by 1.2e-7, the damping of a substep is 3.3e-3 */
            near_to(s.v[3][2] / v, 1, 1e-4);
            snapshot_free(&s);
        }
        cab_scene_destroy(scene);
    }
}

static void damping_leaves_the_static_shape(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        snapshot shape[2];
        for (int k = 0; k < 2; k++) {
            cab_scene *scene = direct_scene(20);
            cab_material_def wire = wire_of("wire", 0.003, 1e-2);
            wire.damping = k ? 24 : 8;
            add_material(scene, wire);
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 20);
            hold(scene, "a", (cab_place){0}, true);
            shape[k] = after(scene, ways[w], 600);
            cab_scene_destroy(scene);
        }
        at_most(shape[0].x[20][2], 0.8);
        at_most(largest_difference(&shape[0], &shape[1]), NEAR);
        snapshot_free(&shape[0]);
        snapshot_free(&shape[1]);
    }
}

/* ---- order ---- */

/* Halving the substep takes a quarter of the difference: free and pulled, or hung up. */
static void the_error_is_of_second_order(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        for (int held = 0; held < 2; held++) {
            snapshot s[3];
            for (int k = 0; k < 3; k++) {
                cab_scene *scene = direct_scene(10 << k);
                add_material(scene, wire_of("wire", 0.003, 1e-3));
                cab_cable_def cable =
                    straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.5, 0, 1}}, 8);
                cable.velocity = (cab_vec3){0, 0, held ? 0 : 1};
                add_cable(scene, cable);
                cab_load_def load = load_at("a", at_end());
                load.force = (cab_vec3){0, 0.1, 0};
                if (held)
                    hold(scene, "a", (cab_place){0}, false);
                else
                    add_load(scene, load);
                s[k] = after(scene, ways[w], 15);
                cab_scene_destroy(scene);
            }
            double first = largest_difference(&s[0], &s[1]), second = largest_difference(&s[1], &s[2]);
            at_least(second, 1e-5); /* more than roundings */
            near_to(first / second, 4, 0.4);
            for (int k = 0; k < 3; k++) snapshot_free(&s[k]);
        }
    }
}

static void a_lone_long_cable_goes_stage_by_stage(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_scene *scene = scene_of(1);
        cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
        add_material(scene, wire_of("wire", 0.003, 0));
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){20, 0, 1}, i ? 20000 : 2000);
        cab_world *world = native_world(scene);
        assert_int_equal(cab_world_get_info(world).way, i ? CAB_WAY_STAGED : CAB_WAY_LANES);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_staged),
        cmocka_unit_test(who_looks_changes_nothing),
        cmocka_unit_test(lengths_stay_through_a_fall),
        cmocka_unit_test(tension_is_what_hangs_below),
        cmocka_unit_test(elastic_cables_stretch_as_they_must),
        cmocka_unit_test(tension_above_a_floor),
        cmocka_unit_test(damped_fall),
        cmocka_unit_test(damping_leaves_the_static_shape),
        cmocka_unit_test(the_error_is_of_second_order),
        cmocka_unit_test(a_lone_long_cable_goes_stage_by_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
