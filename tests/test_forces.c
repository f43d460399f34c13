/* What attachments, clips and connectors bear, against weights and a catenary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define G 9.81
#define LOAD 0.2 /* kg */

static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};

static cab_scene *plain_scene(cab_method method, int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 6;
    add_material(scene, wire);
    return scene;
}

static cab_world *measured_world(const cab_scene *scene)
{
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.forces = true;
    cab_world *world = NULL;
    cab_error error = {0};
    must(cab_world_create(scene, &def, &world, &error), &error);
    return world;
}

static cab_vec3 force_of(const cab_world *world, int attachment)
{
    cab_attachment_info infos[4];
    assert_true(cab_world_get_attachments(world, infos, COUNT_OF(infos)) > attachment);
    return infos[attachment].force;
}

static void is_force(cab_vec3 force, double x, double z, double tolerance)
{
    near_to(force.x, x, tolerance);
    near_to(force.y, 0, tolerance);
    near_to(force.z, z, tolerance);
}

/* However it is held: what hangs there. */
static void a_weight_is_borne(void **state)
{
    (void)state;
    enum { HARD, SOFT, CLIP, PLUG, KINDS };
    for (int i = 0; i < 4 * KINDS; i++) {
        bool fine = i & 2;
        cab_scene *scene = plain_scene(methods[i & 1], fine ? 60 : 30);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.7}, fine ? 12 : 6);
        hang_weight(scene, "a", at_end(), LOAD);
        cab_attachment_def def = i / 4 == CLIP   ? cab_clip_default()
                                 : i / 4 == PLUG ? cab_connector_default()
                                                 : cab_attachment_default();
        def.cable = "a";
        def.direction = (cab_vec3){1, 0, -1};
        def.friction = 2; /* a clip's axis leans: it holds by friction */
        if (i / 4 == SOFT) def.compliance = 1e-3;
        add_attachment(scene, def);
        cab_world *world = measured_world(scene);
        is_force(force_of(world, 0), 0, 0, 0);
        step(world, 300);
        double weight = (LOAD + 0.05 * 0.3) * G;
        is_force(force_of(world, 0), 0, weight, 5e-3 * weight); /* what still swings */
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A joint passes on what hangs below; the hold above it bears all. */
static void a_joint_is_measured(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_scene *scene = plain_scene(methods[i], 40);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.7}, 6);
        add_straight(scene, "b", (cab_vec3){0, 0, 0.7}, (cab_vec3){0, 0, 0.5}, 5);
        hang_weight(scene, "b", at_end(), LOAD);
        hold(scene, "a", (cab_place){0}, false);
        join(scene, "b", (cab_place){0}, "a", at_end());
        cab_world *world = measured_world(scene);
        step(world, 300);
        double below = (LOAD + 0.05 * 0.2) * G, all = below + 0.05 * 0.3 * G;
        is_force(force_of(world, 0), 0, all, 5e-3 * all);
        is_force(force_of(world, 1), 0, below, 5e-3 * below);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* Two supports at a height, d apart, bear a rope of length s: a from s = 2 a sinh(d / 2a), H = w a, V = w s /
 * 2, w its weight a metre. */
static void supports_of_a_catenary(void **state)
{
    (void)state;
    const double d = 0.8, s = 1, w = 0.05 * G;
    double low = 0.05, high = 10;
    for (int i = 0; i < 100; i++) {
        double a = (low + high) / 2;
        *(2 * a * sinh(d / (2 * a)) > s ? &low : &high) = a;
    }
    for (int i = 0; i < 4; i++) {
        cab_scene *scene = plain_scene(methods[i & 1], i & 2 ? 80 : 40);
        cab_cable_def cable =
            straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {d, 0, 1}}, i & 2 ? 40 : 20);
        cable.length = s;
        add_cable(scene, cable);
        hold(scene, "a", (cab_place){0}, false);
        hold(scene, "a", at_end(), false);
        cab_world *world = measured_world(scene);
        step(world, 480);
        /* segments are straight: the line is off by some 1/n^2; what swings is left */
        is_force(force_of(world, 0), -w * low, w * s / 2, 0.01 * w * s);
        is_force(force_of(world, 1), w * low, w * s / 2, 0.01 * w * s);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A cable that does not stretch on three equal springs: one slides and bears its grip, the others share the
 * rest.
 */
static void clips_share_a_pull(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        /* XPBD stretches by 2 T h^2 / (m l): little beside what the springs give */
        cab_scene *scene = plain_scene(methods[i], i ? 40 : 200);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.6, 0, 1}, 12);
        const cab_keyframe frames[] = {{0, {0, 0, 0}}, {2, {2.5, 0, 0}}};
        cab_load_def load = load_at("a", at_end());
        load.force_keyframes = frames;
        load.force_keyframe_count = COUNT_OF(frames);
        add_load(scene, load);
        for (int k = 0; k < 3; k++) {
            cab_attachment_def def = cab_clip_default();
            def.cable = "a";
            def.at = at_particle(8 + 2 * k);
            def.compliance = 1e-2;
            def.grip = k == 2 ? 0.5 : 2;
            add_attachment(scene, def);
        }
        cab_world *world = measured_world(scene);
        step(world, 240);
        is_force(force_of(world, 0), -1, 0, 0.02);
        is_force(force_of(world, 1), -1, 0, 0.02);
        is_force(force_of(world, 2), -0.5, 0, 0.01);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

static void fast_ways_refuse(void **state)
{
    (void)state;
    cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 10);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.7}, 6);
    hold(scene, "a", (cab_place){0}, false);
    cab_scene_settings(scene)->way = CAB_WAY_FUSED;
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.forces = true;
    cab_world *world = NULL;
    cab_error error = {0};
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "forces are measured");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_is_borne),      cmocka_unit_test(a_joint_is_measured),
        cmocka_unit_test(supports_of_a_catenary), cmocka_unit_test(clips_share_a_pull),
        cmocka_unit_test(fast_ways_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
